// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The stiffness at rest of all points. There are many, and many motions; but in a brick all of
// these are made of few functions, the columns of the skin and its nodes' own. Products of their
// gradients are summed instead of those of the motions' strains:
//   mode = sum of u N - sum of c phi,   energy = u^T A u - 2 u^T A c + c^T A c
#include "compile/correcting.h"

#include "math/tangent.h"
#include "math/tiles.h"

#include <string.h>

enum {
    TOGETHER = 4 * SW_FIELD_POINTS, // points of a brick and material that are summed together
    ROWS = 24                       // of products, about a triangle of which is computed
};

typedef struct {
    swStrainPoints *p;
    int nm, nmode, npair;
    int brick, stuff, count;
    int point[TOGETHER];
    swReal weight[TOGETHER]; // of each: volume, times stiffness
    int stride;              // of functions along three axes
    swReal *G, *weighted;    // [columns, nodes][3][TOGETHER]: gradients; times less weight
    swReal *Q;               // [..3][stride]: their products over a brick and material,
    swReal *A;               // [..3][stride]: and stiffness
    swReal *local;           // [nmode][SW_BRICK_DOF]: modes at nodes of the brick
    swReal *moved;           // [nmode][stride]: local A
    swReal *lack, *stress;   // [npair][6][TOGETHER]; [npair][3][3][TOGETHER]
    swReal *force;           // [npair][3][functions]
    // Of the whole body:
    swReal *skin;       // [3 nm][3 nm]: A of columns
    swReal *mixed;      // [nmode][3 nm]: u^T A
    swReal *modes;      // [nmode][nmode]: u^T A u
    swReal *skin_lack;  // [npair][3 nm]: work of columns, of modes' u and of each other on what is
    swReal *modes_lack; // [npair][nmode] lacking of second order
    swReal *lacks;      // [npair][npair]
    swReal *row;        // [3 nm], scratch
} swStiffnessSum;

static int function_count(const swStiffnessSum *s) {
    return s->nm + sw_brick_count(s->p->b, s->brick);
}

// ---- at points ----

static void set_gradients(swStiffnessSum *s, int i) {
    const swStrainPoints *p = s->p;
    const swBrickPoint *own = &p->point[s->point[i]];
    swReal N[SW_BRICK_NODES], node[SW_BRICK_MOST][3];
    sw_correcting_skin(p, s->point[i]);
    sw_brick_gradients(p->b, s->brick, own->X, s->stuff, N, node);
    for (int f = 0; f < function_count(s); f++)
        for (int x = 0; x < 3; x++) {
            const swReal g = f < s->nm ? p->G[f][x] : node[f - s->nm][x];
            s->G[(3 * f + x) * TOGETHER + i] = g;
            s->weighted[(3 * f + x) * TOGETHER + i] = -s->weight[i] * g;
        }
    if (s->npair > 0)
        sw_fields_skin(&p->second.fields, i % SW_FIELD_POINTS, p->N, (const swReal(*)[3])p->G);
}

// What is lacking of second order at points from `first` on, whose skin is set.
static void find_lacks(swStiffnessSum *s, int first, int count) {
    swSecond *second = &s->p->second;
    swFieldPoint at[SW_FIELD_POINTS] = {0};
    for (int i = 0; i < count; i++)
        at[i] = (swFieldPoint){s->p->point[s->point[first + i]].X, s->brick, s->stuff};
    sw_second_at(second, count, at);
    for (int k = 0; k < 6 * s->npair; k++)
        for (int i = 0; i < count; i++)
            s->lack[k * TOGETHER + first + i] =
                second->lack[k / 6 * SW_FIELD_STRAIN + sw_field_at(6, k % 6, i)];
}

static void add_lacks(swStiffnessSum *s, const swReal D[6][6], int vectors) {
    const int nf = function_count(s), length = vectors * SW_LANES;
    for (int k = 0; k < 9 * s->npair; k++) {
        const int e = sw_pair_at[k % 9];
        swReal *to = s->stress + k * TOGETHER;
        for (int i = 0; i < length; i++) {
            swReal sum = 0;
            for (int f = 0; f < 6; f++)
                sum += D[e][f] * s->lack[(k / 9 * 6 + f) * TOGETHER + i];
            to[i] = -s->weight[i] * sum * (e < 3 ? 1 : 0.5);
        }
    }
    for (int x = 0; x < 3; x++)
        sw_tiles_subtract(
            3 * s->npair, nf, vectors, (swRows){s->stress + x * TOGETHER, 3 * TOGETHER, SW_LANES},
            (swRows){s->G + x * TOGETHER, 3 * TOGETHER, SW_LANES}, s->force, s->stride);
    for (int k = 0; k < s->npair; k++)
        for (int l = 0; l < s->npair; l++)
            for (int e = 0; e < 9; e++)
                s->lacks[k * s->npair + l] -=
                    sw_dot_n(length, s->stress + (9 * k + e) * TOGETHER,
                             s->lack + (6 * l + sw_pair_at[e]) * TOGETHER);
}

// Adds the points that wait to the products of their brick and material.
static void add_points(swStiffnessSum *s, const swReal D[6][6]) {
    const int n = 3 * function_count(s), vectors = (s->count + SW_LANES - 1) / SW_LANES;
    for (int i = s->count; i < vectors * SW_LANES; i++) {
        s->weight[i] = 0;
        for (int k = 0; k < n; k++)
            s->G[k * TOGETHER + i] = s->weighted[k * TOGETHER + i] = 0;
        for (int k = 0; k < 6 * s->npair; k++)
            s->lack[k * TOGETHER + i] = 0;
    }
    for (int i = 0; i < n; i += ROWS) {
        const int rows = sw_min_int(ROWS, n - i);
        sw_tiles_subtract(
            rows, i + rows, vectors, (swRows){s->G + i * TOGETHER, TOGETHER, SW_LANES},
            (swRows){s->weighted, TOGETHER, SW_LANES}, s->Q + (ptrdiff_t)i * s->stride, s->stride);
    }
    add_lacks(s, D, vectors);
    s->count = 0;
}

// ---- of a brick and material ----

static void clear(const swStiffnessSum *s) {
    const size_t stride = (size_t)s->stride;
    memset(s->Q, 0, 3 * (size_t)function_count(s) * stride * sizeof *s->Q);
    memset(s->force, 0, 3 * (size_t)s->npair * stride * sizeof *s->force);
}

// A := stiffness of each two functions along axes, of their products Q.
static void contract(swStiffnessSum *s, const swReal D[6][6]) {
    const int nf = function_count(s);
    struct {
        int to, from;
        swReal D;
    } term[81];
    int n = 0;
    for (int i = 0; i < 81; i++) { // stress along r across x for a slope of s along y
        const int r = i / 27, t = i / 9 % 3, x = i / 3 % 3, y = i % 3, e = sw_pair_at[3 * r + x],
                  f = sw_pair_at[3 * t + y];
        if (D[e][f] == 0)
            continue;
        term[n].to = r * s->stride + t;
        term[n].from = x * s->stride + y;
        term[n++].D = D[e][f] * (e < 3 ? 1 : 0.5) * (f < 3 ? 1 : 0.5);
    }
    memset(s->A, 0, (size_t)(3 * nf) * (size_t)s->stride * sizeof *s->A);
    for (int a = 0; a < nf; a++)
        for (int b = 0; b <= a; b++) {
            const ptrdiff_t at = 3 * ((ptrdiff_t)a * s->stride + b);
            for (int k = 0; k < n; k++)
                s->A[at + term[k].to] += term[k].D * s->Q[at + term[k].from];
        }
    for (int i = 3 * s->nm; i < 3 * nf; i++) // of nodes both halves
        for (int j = i + 1; j < 3 * nf; j++)
            s->A[(ptrdiff_t)i * s->stride + j] = s->A[(ptrdiff_t)j * s->stride + i];
}

static void finish_material(swStiffnessSum *s) {
    const int nf = function_count(s), ns = 3 * s->nm, nodes = 3 * (nf - s->nm), n = s->nmode;
    for (int i = 0; i < ns; i++)
        for (int j = 0; j < i / 3 * 3 + 3; j++)
            s->skin[(ptrdiff_t)i * ns + j] += s->A[(ptrdiff_t)i * s->stride + j];
    memset(s->moved, 0, (size_t)n * (size_t)s->stride * sizeof *s->moved);
    sw_tiles_combine(n, s->stride / SW_LANES, nodes, (swRows){s->local, SW_BRICK_DOF, 1},
                     (swRows){s->A + (ptrdiff_t)ns * s->stride, s->stride, SW_LANES}, s->moved,
                     s->stride, false);
    for (int k = 0; k < n; k++) {
        const swReal *moved = s->moved + (ptrdiff_t)k * s->stride;
        for (int i = 0; i < ns; i++)
            s->mixed[(ptrdiff_t)k * ns + i] += moved[i];
        for (int l = 0; l <= k; l++)
            s->modes[k * n + l] +=
                sw_dot_n(nodes, moved + ns, s->local + (ptrdiff_t)l * SW_BRICK_DOF);
    }
    for (int k = 0; k < s->npair; k++)
        for (int i = 0; i < 3 * nf; i++) {
            const swReal f = s->force[(ptrdiff_t)(3 * k + i % 3) * s->stride + i / 3];
            if (i < ns)
                s->skin_lack[(ptrdiff_t)k * ns + i] += f;
            for (int m = 0; i >= ns && m < n; m++)
                s->modes_lack[k * n + m] += f * s->local[(ptrdiff_t)m * SW_BRICK_DOF + i - ns];
        }
}

// Those of points first .. end - 1 of the brick that are of the material.
static void add_material(swStiffnessSum *s, int first, int end) {
    const swStrainPoints *p = s->p;
    const swStrainRoot *R = &p->root[s->stuff];
    swReal D[6][6] = {{0}};
    bool any = false;
    for (int e = 0; e < 216; e++)
        D[e / 36][e / 6 % 6] += R->of[e % 6][e / 36] * R->of[e % 6][e / 6 % 6];
    for (int i = first; i < end; i++) {
        const swVoxel *v = &p->b->grid->voxel[p->point[i].voxel];
        if (v->stuff != s->stuff)
            continue;
        if (!any)
            clear(s);
        any = true;
        s->point[s->count] = i;
        s->weight[s->count] = p->volume[i] * sw_brick_share(v, p->stuff);
        set_gradients(s, s->count++);
        if (s->npair > 0 && s->count % SW_FIELD_POINTS == 0)
            find_lacks(s, s->count - SW_FIELD_POINTS, SW_FIELD_POINTS);
        if (s->count == TOGETHER)
            add_points(s, (const swReal(*)[6])D);
    }
    if (!any)
        return;
    const int rest = s->count % SW_FIELD_POINTS;
    if (s->npair > 0 && rest > 0)
        find_lacks(s, s->count - rest, rest);
    add_points(s, (const swReal(*)[6])D);
    contract(s, (const swReal(*)[6])D);
    finish_material(s);
}

// ---- of all ----

// Of motion m of the skin: its part of a row of columns.
static swReal along_motion(const swSkinMotion *m, const swReal *row) {
    swReal sum = 0;
    for (int e = 0; e < 3 * m->n; e++)
        sum += sw_get(m->f[e / 3], e % 3) * row[3 * m->column + e];
    return sum;
}

// What motions of second order have of what is lacking; NULL: others have none.
static const swReal *share_of(const swStiffnessSum *s, int mode) {
    const swCorrectors *found = s->p->found;
    return mode >= found->nfirst ? found->share + (mode - found->nfirst) * s->npair : NULL;
}

// row := work of columns on motion k of the skin, or on a mode.
static void find_row(const swStiffnessSum *s, int k) {
    const swSkinReader *r = s->p->skin;
    const int ns = 3 * s->nm, mode = k - r->nmotion;
    memset(s->row, 0, (size_t)ns * sizeof *s->row);
    if (mode < 0) {
        const swSkinMotion *m = &r->motion[k];
        for (int i = 0; i < ns; i++)
            s->row[i] = along_motion(m, s->skin + (ptrdiff_t)i * ns);
        return;
    }
    const swReal *c = s->p->found->c + (ptrdiff_t)mode * ns, *share = share_of(s, mode);
    for (int i = 0; i < ns; i++) {
        s->row[i] =
            s->mixed[(ptrdiff_t)mode * ns + i] - sw_dot_n(ns, c, s->skin + (ptrdiff_t)i * ns);
        for (int l = 0; share && l < s->npair; l++)
            s->row[i] += share[l] * s->skin_lack[(ptrdiff_t)l * ns + i];
    }
}

// The product of two modes, the first of which the row is of.
static swReal multiply_modes(const swStiffnessSum *s, int m, int l) {
    const int ns = 3 * s->nm, np = s->npair;
    const swReal *c = s->p->found->c + (ptrdiff_t)m * ns,
                 *other = s->p->found->c + (ptrdiff_t)l * ns, *share = share_of(s, m),
                 *less = share_of(s, l);
    swReal sum = s->modes[m * s->nmode + l] - sw_dot_n(ns, c, s->mixed + (ptrdiff_t)l * ns) -
                 sw_dot_n(ns, other, s->row);
    for (int a = 0; share && a < np; a++)
        sum += share[a] * s->modes_lack[a * s->nmode + l];
    for (int a = 0; less && a < np; a++) {
        sum += less[a] * (s->modes_lack[a * s->nmode + m] -
                          sw_dot_n(ns, c, s->skin_lack + (ptrdiff_t)a * ns));
        for (int b = 0; share && b < np; b++)
            sum += less[a] * share[b] * s->lacks[a * np + b];
    }
    return sum;
}

static void finish(const swStiffnessSum *s, swReal *K) {
    const swSkinReader *r = s->p->skin;
    const int ns = 3 * s->nm, nq = r->nmotion, n = nq + s->nmode;
    for (int i = 0; i < ns; i++)
        for (int j = 0; j < i; j++)
            s->skin[(ptrdiff_t)j * ns + i] = s->skin[(ptrdiff_t)i * ns + j];
    for (int k = 0; k < n; k++) {
        find_row(s, k);
        for (int j = 0; j <= k; j++)
            K[k * n + j] = K[j * n + k] =
                j < nq ? along_motion(&r->motion[j], s->row) : multiply_modes(s, k - nq, j - nq);
    }
}

static bool create(swStiffnessSum *s, swStrainPoints *p, swArena *arena, swError *error) {
    const size_t ns = 3 * (size_t)p->skin->nmoving, n = (size_t)p->found->n,
                 np = p->second.n > 0 ? (size_t)p->second.pairs : 0, rows = ns + SW_BRICK_DOF,
                 stride = (rows + SW_LANES - 1) / SW_LANES * SW_LANES;
    *s = (swStiffnessSum){.p = p,
                          .nm = p->skin->nmoving,
                          .nmode = p->found->n,
                          .npair = (int)np,
                          .stride = (int)stride,
                          .G = SW_NEW(arena, rows * TOGETHER, swReal, error),
                          .weighted = SW_NEW(arena, rows * TOGETHER, swReal, error),
                          .Q = SW_NEW(arena, rows * stride, swReal, error),
                          .A = SW_NEW(arena, rows * stride, swReal, error),
                          .local = SW_NEW(arena, n * SW_BRICK_DOF, swReal, error),
                          .moved = SW_NEW(arena, n * stride, swReal, error),
                          .lack = SW_NEW(arena, 6 * np * TOGETHER, swReal, error),
                          .stress = SW_NEW(arena, 9 * np * TOGETHER, swReal, error),
                          .force = SW_NEW(arena, 3 * np * stride, swReal, error),
                          .skin = SW_NEW(arena, ns * ns, swReal, error),
                          .mixed = SW_NEW(arena, n * ns, swReal, error),
                          .modes = SW_NEW(arena, n * n, swReal, error),
                          .skin_lack = SW_NEW(arena, np * ns, swReal, error),
                          .modes_lack = SW_NEW(arena, np * n, swReal, error),
                          .lacks = SW_NEW(arena, np * np, swReal, error),
                          .row = SW_NEW(arena, ns, swReal, error)};
    return s->G && s->weighted && s->Q && s->A && s->local && s->moved && s->lack && s->stress &&
           s->force && s->skin && s->mixed && s->modes && s->skin_lack && s->modes_lack &&
           s->lacks && s->row;
}

bool sw_correcting_stiffness(swStrainPoints *p, swReal *K, swError *error) {
    const swBuilder *b = p->skin->s->b;
    swStiffnessSum s;
    swArena scratch;
    sw_arena_init(&scratch, &b->arena.allocator);
    bool ok = create(&s, p, &scratch, error);
    for (int first = 0, end; ok && first < p->n; first = end) {
        end = sw_correcting_brick_end(p, first);
        s.brick = sw_correcting_brick(p, first);
        ok = sw_pool_goes_on(b->pool) || sw_fail_stopped(error);
        sw_fields_gather(p->b, s.brick, s.nmode, 3 * p->b->nnode, p->found->u, s.local);
        for (s.stuff = 0; ok && s.stuff < b->material.count; s.stuff++)
            add_material(&s, first, end);
    }
    if (ok)
        finish(&s, K);
    sw_arena_free(&scratch);
    return ok;
}
