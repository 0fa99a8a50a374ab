// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The stiffness of bricks at rest.
#include "volume/bricks.h"

#include "math/cholesky.h"
#include "math/tangent.h"
#include "math/tiles.h"

#include <stdlib.h>
#include <string.h>

// Springs of faces are this many times stiffer than material of the length of an edge.
static const swReal hold = 1e4;

// Curving of a field in a brick costs this much, there or not, beside the energy of its strains:
//   bent/2 shear H^2 integral of |grad grad u|^2.
// Where next to nothing is in a brick some of its nodes would move as they like, and modes with
// them. Uniform strains cost nothing.
static const swReal bent = 1e-6;

// ---- pattern ----

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

// Nodes of one brick need a block each two.
static bool make_pattern(const swBricks *b, swArena *arena, swPattern *out, swError *error) {
    const int n = b->nnode, count = SW_BRICK_NODES * b->n;
    int *row = SW_NEW(arena, n + 1, int, error), *first = SW_NEW(arena, n + 1, int, error),
        *of = SW_NEW(arena, count, int, error), *mark = SW_NEW(arena, n, int, error);
    if (!row || !first || !of || !mark)
        return false;
    for (int i = 0; i < count; i++)
        first[b->node[i] + 1]++;
    for (int i = 0; i < n; i++) {
        first[i + 1] += first[i];
        mark[i] = -1;
    }
    for (int i = 0; i < count; i++)
        of[first[b->node[i]]++] = i / SW_BRICK_NODES;
    memmove(first + 1, first, (size_t)n * sizeof *first);
    first[0] = 0;
    int *column = NULL;
    for (int pass = 0; pass < 2; pass++) { // counts, then fills
        int at = 0;
        for (int i = 0; i < n; i++) {
            for (int k = first[i]; k < first[i + 1]; k++)
                for (int a = 0; a < SW_BRICK_NODES; a++) {
                    const int j = b->node[SW_BRICK_NODES * of[k] + a];
                    if (j > i || mark[j] == 2 * i + pass)
                        continue;
                    mark[j] = 2 * i + pass;
                    if (column)
                        column[at] = j;
                    at++;
                }
            row[i + 1] = at;
            if (column)
                qsort(column + row[i], (size_t)(at - row[i]), sizeof *column, compare);
        }
        if (!column && !(column = SW_NEW(arena, at, int, error)))
            return false;
    }
    *out = (swPattern){n, row, column};
    return true;
}

// ---- one brick ----

// Gradients of shape functions at some points of a brick, side by side, and these times what there
// is of the shear modulus; sums of their products.
enum { TOGETHER = 32 };
typedef struct {
    int count;
    swReal G[SW_BRICK_DOF][TOGETHER], stiff[SW_BRICK_DOF][TOGETHER];
    swReal sum[SW_BRICK_DOF][SW_BRICK_DOF][SW_LANES];
} swBrickShape;

static void sum_shape(swBrickShape *s) {
    const int vectors = (s->count + SW_LANES - 1) / SW_LANES;
    for (int a = 0; a < SW_BRICK_DOF; a++)
        for (int p = s->count; p < vectors * SW_LANES; p++)
            s->G[a][p] = s->stiff[a][p] = 0;
    sw_tiles_accumulate(SW_BRICK_DOF, SW_BRICK_DOF, vectors, (swRows){s->G[0], TOGETHER, SW_LANES},
                        (swRows){s->stiff[0], TOGETHER, SW_LANES}, s->sum[0][0], SW_BRICK_DOF,
                        true);
    s->count = 0;
}

static void add_shape(swBrickShape *s, swReal G[27][3], swReal shear) {
    const swReal *g = G[0];
    for (int a = 0; a < SW_BRICK_DOF; a++) {
        s->G[a][s->count] = g[a];
        s->stiff[a][s->count] = shear * g[a];
    }
    if (++s->count == TOGETHER)
        sum_shape(s);
}

// K += shear (Ga.Gb I + Gb Ga^T + lame Ga Gb^T), lame being over the shear modulus
static void finish_shape(swBrickShape *s, swReal lame, swReal K[SW_BRICK_DOF][SW_BRICK_DOF]) {
    sum_shape(s);
    for (int a = 0; a < SW_BRICK_NODES; a++)
        for (int b = 0; b <= a; b++) {
            swReal Q[3][3]; // sums of Ga Gb^T
            for (int e = 0; e < 9; e++) {
                const int i = 3 * a + e / 3, j = 3 * b + e % 3;
                Q[e / 3][e % 3] =
                    sw_wide_sum(sw_wide_load(s->sum[sw_max_int(i, j)][sw_min_int(i, j)]));
            }
            const swReal dot = Q[0][0] + Q[1][1] + Q[2][2];
            for (int r = 0; r < 3; r++)
                for (int t = 0; t < 3; t++)
                    K[3 * a + r][3 * b + t] += Q[t][r] + lame * Q[r][t] + (r == t ? dot : 0);
        }
    memset(s->sum, 0, sizeof s->sum);
}

// Changes of volume on linear functions over a material's part of a brick, and the bulk modulus
// that acts on them.
typedef struct {
    swReal D[4][SW_BRICK_DOF], A[4][4], bulk, volume;
} swBrickVolume;

static void add_volume(swBrickVolume *v, swReal G[27][3], swVec3 t, swReal volume, swReal bulk) {
    const swReal P[4] = {1, t.x, t.y, t.z}, *g = G[0];
    for (int m = 0; m < 4; m++) {
        for (int k = 0; k < 4; k++)
            v->A[m][k] += volume * P[m] * P[k];
        for (int a = 0; a < SW_BRICK_DOF; a++)
            v->D[m][a] += volume * P[m] * g[a];
    }
    v->bulk += volume * bulk;
    v->volume += volume;
}

// Factors A = L L^T, without functions along which a part is too thin; they are of the size of 1.
// Returns how many there are, and which; L Y = D.
static int factor_volume(const swBrickVolume *v, int which[4], swReal L[4][4],
                         swReal Y[4][SW_BRICK_DOF]) {
    const int n = sw_cholesky_some(4, v->A[0], 0.03 * v->volume, which, L[0]);
    for (int m = 0; m < n; m++)
        for (int a = 0; a < SW_BRICK_DOF; a++) {
            Y[m][a] = v->D[which[m]][a];
            for (int k = 0; k < m; k++)
                Y[m][a] -= L[m][k] * Y[k][a];
            Y[m][a] /= L[m][m];
        }
    return n;
}

// K += bulk D^T A^-1 D
static void finish_volume(const swBrickVolume *v, swReal K[SW_BRICK_DOF][SW_BRICK_DOF]) {
    swReal L[4][4], Y[4][SW_BRICK_DOF];
    int which[4];
    if (!(v->bulk > 0))
        return;
    const swReal bulk = v->bulk / v->volume;
    const int n = factor_volume(v, which, L, Y);
    for (int m = 0; m < n; m++)
        for (int a = 0; a < SW_BRICK_DOF; a++)
            for (int b = 0; b <= a; b++)
                K[a][b] += bulk * Y[m][a] * Y[m][b];
}

static swVec3 middle_of(const swBricks *b, int brick) {
    return sw_add(b->corner[brick], sw_v3(0.5 * b->H, 0.5 * b->H, 0.5 * b->H));
}

// Whether a point of a brick before `end` is of this material.
static bool is_earlier(const swBricks *b, int from, int end, int stuff) {
    bool is = false;
    for (int k = from; k < end && !is; k++)
        is = b->grid->voxel[b->point[k].voxel].stuff == stuff;
    return is;
}

static void add_brick(const swBricks *b, int brick, const swBrickStuff *stuff, swBrickShape *shape,
                      swReal K[SW_BRICK_DOF][SW_BRICK_DOF]) {
    swReal N[SW_BRICK_NODES], G[SW_BRICK_NODES][3];
    const int from = b->start[brick], to = b->start[brick + 1];
    memset(K, 0, sizeof(swReal) * SW_BRICK_DOF * SW_BRICK_DOF);
    const swVec3 middle = middle_of(b, brick);
    for (int i = from; i < to; i++) {
        const int own = b->grid->voxel[b->point[i].voxel].stuff;
        if (is_earlier(b, from, i, own))
            continue;
        swBrickVolume volume = {0};
        const swReal plain = sw_brick_mild_bulk(&stuff[own]);
        for (int k = i; k < to; k++) {
            const swBrickPoint *p = &b->point[k];
            const swVoxel *v = &b->grid->voxel[p->voxel];
            if (v->stuff != own)
                continue;
            sw_brick_shape(b, brick, p->X, N, G);
            add_shape(shape, G, p->volume * sw_brick_share(v, stuff) * stuff[own].shear);
            add_volume(&volume, G, sw_scale(2 / b->H, sw_sub(p->X, middle)), p->volume,
                       sw_brick_share(v, stuff) * (stuff[own].bulk - plain));
        }
        finish_volume(&volume, K);
        finish_shape(shape, plain / stuff[own].shear - 2.0 / 3, K);
    }
}

// ---- forces of given strains ----

typedef struct {
    const swBricks *b;
    const swBrickStuff *stuff;
    int n;
    swBrickStrains *strains;
    void *context;
    swReal *E;      // [n][6][8]
    swReal *local;  // [n][81]
    swReal *moment; // [n][4]: of what changes the volume
} swBrickStrain;

// The eight points of a voxel from `first` on.
static void strain_voxel(const swBrickStrain *s, int brick, int first, swBrickVolume *volume) {
    const swBricks *b = s->b;
    const swVec3 middle = middle_of(b, brick);
    s->strains(s->context, brick, first, s->E);
    for (int k = 0; k < 8; k++) {
        const swBrickPoint *p = &b->point[first + k];
        const swVoxel *v = &b->grid->voxel[p->voxel];
        const swBrickStuff *stuff = &s->stuff[v->stuff];
        const swReal share = sw_brick_share(v, s->stuff), plain = sw_brick_mild_bulk(stuff),
                     shear = p->volume * share * stuff->shear,
                     lame = p->volume * share * plain - shear * 2 / 3;
        const swVec3 t = sw_scale(2 / b->H, sw_sub(p->X, middle));
        const swReal P[4] = {1, t.x, t.y, t.z};
        swReal N[SW_BRICK_NODES], G[SW_BRICK_NODES][3];
        if (!(p->volume > 0))
            continue;
        sw_brick_shape(b, brick, p->X, N, G);
        add_volume(volume, G, t, p->volume, share * (stuff->bulk - plain));
        for (int i = 0; i < s->n; i++) {
            const swReal *E = s->E + 48 * i + k, trace = E[0] + E[8] + E[16];
            swReal stress[9], *f = s->local + (ptrdiff_t)SW_BRICK_DOF * i;
            for (int e = 0; e < 9; e++)
                stress[e] = 2 * shear * E[8 * sw_pair_at[e]] + (e % 4 == 0 ? lame * trace : 0);
            for (int a = 0; a < SW_BRICK_DOF; a++)
                f[a] += stress[a % 3 * 3] * G[a / 3][0] + stress[a % 3 * 3 + 1] * G[a / 3][1] +
                        stress[a % 3 * 3 + 2] * G[a / 3][2];
            for (int m = 0; m < 4; m++)
                s->moment[4 * i + m] += p->volume * P[m] * trace;
        }
    }
}

// local += bulk D^T A^-1 moment
static void strain_volume(const swBrickStrain *s, const swBrickVolume *v) {
    swReal L[4][4], Y[4][SW_BRICK_DOF];
    int which[4];
    if (!(v->bulk > 0))
        return;
    const int n = factor_volume(v, which, L, Y);
    for (int i = 0; i < s->n; i++)
        for (int m = 0; m < n; m++) {
            swReal *z = s->moment + 4 * i, own = z[which[m]];
            for (int k = 0; k < m; k++)
                own -= L[m][k] * z[which[k]];
            z[which[m]] = own / L[m][m];
            for (int a = 0; a < SW_BRICK_DOF; a++)
                s->local[SW_BRICK_DOF * i + a] += v->bulk / v->volume * Y[m][a] * z[which[m]];
        }
}

bool sw_bricks_strain(const swBricks *b, const swBrickStuff *stuff, int n, swBrickStrains *strains,
                      void *context, swPool *pool, swArena *arena, swReal *force, swError *error) {
    const size_t count = (size_t)n;
    const swBrickStrain s = {.b = b,
                             .stuff = stuff,
                             .n = n,
                             .strains = strains,
                             .context = context,
                             .E = SW_NEW(arena, 48 * count, swReal, error),
                             .local = SW_NEW(arena, SW_BRICK_DOF * count, swReal, error),
                             .moment = SW_NEW(arena, 4 * count, swReal, error)};
    if (!s.E || !s.local || !s.moment)
        return false;
    for (int brick = 0; brick < b->n; brick++) {
        const int from = b->start[brick], to = b->start[brick + 1];
        if (!sw_pool_goes_on(pool))
            return sw_fail_stopped(error);
        memset(s.local, 0, SW_BRICK_DOF * count * sizeof *s.local);
        for (int i = from; i < to; i += 8) { // material by material
            const int own = b->grid->voxel[b->point[i].voxel].stuff;
            if (is_earlier(b, from, i, own))
                continue;
            swBrickVolume volume = {0};
            memset(s.moment, 0, 4 * count * sizeof *s.moment);
            for (int k = i; k < to; k += 8)
                if (b->grid->voxel[b->point[k].voxel].stuff == own)
                    strain_voxel(&s, brick, k, &volume);
            strain_volume(&s, &volume);
        }
        for (size_t k = 0; k < SW_BRICK_DOF * count; k++) {
            const int a = (int)(k % SW_BRICK_DOF);
            force[(ptrdiff_t)(k / SW_BRICK_DOF) * 3 * b->nnode +
                  3 * b->node[SW_BRICK_NODES * brick + a / 3] + a % 3] += s.local[k];
        }
    }
    return true;
}

// ---- curving ----

// H times the integral of grad grad N_a : grad grad N_b over a brick, which is the same for all.
static void integrate_bent(swReal out[SW_BRICK_NODES][SW_BRICK_NODES]) {
    static const swReal weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18}, second[3] = {4, -8, 4};
    memset(out, 0, sizeof(swReal) * SW_BRICK_NODES * SW_BRICK_NODES);
    for (int k = 0; k < 27; k++) { // points of Gauss
        const int at[3] = {k % 3, k / 3 % 3, k / 9};
        swReal s[3][3], d[3][3], w = 1, D[SW_BRICK_NODES][6];
        for (int i = 0; i < 3; i++) {
            sw_quadratics(0.5 + 0.5 * sqrt(0.6) * (at[i] - 1), s[i], d[i]);
            w *= weight[at[i]];
        }
        for (int a = 0; a < SW_BRICK_NODES; a++) {
            const int x = a % 3, y = a / 3 % 3, z = a / 9;
            const swReal own[6] = {
                second[x] * s[1][y] * s[2][z],           s[0][x] * second[y] * s[2][z],
                s[0][x] * s[1][y] * second[z],           sqrt(2.0) * d[0][x] * d[1][y] * s[2][z],
                sqrt(2.0) * d[0][x] * s[1][y] * d[2][z], sqrt(2.0) * s[0][x] * d[1][y] * d[2][z]};
            memcpy(D[a], own, sizeof own);
            for (int b = 0; b <= a; b++)
                for (int e = 0; e < 6; e++)
                    out[a][b] += w * D[a][e] * D[b][e];
        }
    }
}

static void add_bent(swReal unit[SW_BRICK_NODES][SW_BRICK_NODES], swReal stiffness,
                     swReal K[SW_BRICK_DOF][SW_BRICK_DOF]) {
    for (int a = 0; a < SW_BRICK_NODES; a++)
        for (int b = 0; b <= a; b++)
            for (int r = 0; r < 3; r++)
                K[3 * a + r][3 * b + r] += stiffness * unit[a][b];
}

// Springs to where a face is.
static void add_face(const swBricks *b, const swBrickFace *face, swReal stiffness,
                     swReal K[SW_BRICK_DOF][SW_BRICK_DOF]) {
    swReal N[SW_BRICK_NODES];
    memset(K, 0, sizeof(swReal) * SW_BRICK_DOF * SW_BRICK_DOF);
    sw_brick_shape(b, face->brick, face->X, N, NULL);
    for (int i = 0; i < SW_BRICK_NODES; i++)
        for (int j = 0; j <= i; j++)
            for (int r = 0; r < 3; r++)
                K[3 * i + r][3 * j + r] = stiffness * face->area * N[i] * N[j];
}

// ---- all of them ----

static void scatter(const swBricks *b, int brick, swReal K[SW_BRICK_DOF][SW_BRICK_DOF],
                    const swBlocks *out) {
    const int *node = b->node + SW_BRICK_NODES * brick;
    for (int a = 0; a < SW_BRICK_NODES; a++)
        for (int c = 0; c <= a; c++) {
            const int i = sw_max_int(node[a], node[c]), j = sw_min_int(node[a], node[c]);
            const swBlock block = sw_blocks_get(out, i, j);
            for (int r = 0; r < 3; r++)
                for (int s = 0; s < 3; s++) {
                    const swReal k =
                        a == c && s > r ? K[3 * a + s][3 * c + r] : K[3 * a + r][3 * c + s];
                    block.data[node[a] >= node[c] ? r * block.stride + s : s * block.stride + r] +=
                        k;
                }
        }
}

// What is stiffest in a brick sets the scale of it and its nodes: elsewhere materials may be softer
// by many orders.
static bool find_scales(const swBricks *b, const swBrickStuff *stuff, swArena *arena,
                        swBrickMatrix *out, swError *error) {
    out->scale = SW_NEW(arena, 3 * (size_t)b->nnode, swReal, error);
    out->hold = SW_NEW(arena, b->n, swReal, error);
    for (int i = 0; i < b->n && out->scale && out->hold; i++) {
        swReal most = 0;
        for (int p = b->start[i]; p < b->start[i + 1]; p++) {
            const swVoxel *v = &b->grid->voxel[b->point[p].voxel];
            most = sw_max(most, sw_brick_share(v, stuff) * stuff[v->stuff].shear);
        }
        out->hold[i] = hold * most / b->H;
        for (int k = 0; k < SW_BRICK_DOF; k++) {
            swReal *scale = &out->scale[3 * b->node[SW_BRICK_NODES * i + k / 3] + k % 3];
            *scale = sw_max(*scale, most * b->H);
        }
    }
    return out->scale && out->hold;
}

bool sw_bricks_stiffness(const swBricks *b, const swBrickStuff *stuff, swArena *arena,
                         swBrickMatrix *out, swError *error) {
    swPattern pattern;
    int *size = SW_NEW(arena, b->nnode, int, error);
    if (!size || !make_pattern(b, arena, &pattern, error))
        return false;
    for (int i = 0; i < b->nnode; i++)
        size[i] = 3;
    if (!sw_blocks_create(&out->K, pattern, size, arena, error))
        return false;
    swReal(*K)[SW_BRICK_DOF] = (void *)SW_NEW(arena, SW_BRICK_DOF * SW_BRICK_DOF, swReal, error);
    swBrickShape *shape = SW_NEW(arena, 1, swBrickShape, error);
    if (!K || !shape || !find_scales(b, stuff, arena, out, error))
        return false;
    swReal unit[SW_BRICK_NODES][SW_BRICK_NODES];
    integrate_bent(unit);
    sw_blocks_clear(&out->K);
    for (int i = 0; i < b->n; i++) {
        add_brick(b, i, stuff, shape, K);
        add_bent(unit, bent * out->hold[i] * b->H / hold * b->H, K);
        scatter(b, i, K, &out->K);
    }
    for (int i = 0; i < b->face.count; i++) {
        const swBrickFace *face = &b->face.item[i];
        add_face(b, face, out->hold[face->brick], K);
        scatter(b, face->brick, K, &out->K);
    }
    return sw_factor_plan(&out->factor, &out->K, SW_FACTOR_SPARSE, NULL, arena, error) &&
           sw_factor_allocate(&out->factor, arena, error);
}

void sw_bricks_ground(const swBricks *b, swReal ground, swBrickMatrix *matrix) {
    swReal K[SW_BRICK_DOF][SW_BRICK_DOF] = {{0}}, M[SW_BRICK_NODES][SW_BRICK_NODES],
           N[SW_BRICK_NODES];
    for (int brick = 0; brick < b->n; brick++) {
        memset(M, 0, sizeof M);
        for (int p = b->start[brick]; p < b->start[brick + 1]; p++) {
            sw_brick_shape(b, brick, b->point[p].X, N, NULL);
            for (int i = 0; i < SW_BRICK_NODES; i++) {
                const swReal own = ground * b->point[p].volume * N[i];
                for (int j = 0; j < SW_BRICK_NODES; j++) // the upper half too: whole vectors
                    M[i][j] += own * N[j];
            }
        }
        for (int i = 0; i < SW_BRICK_NODES; i++)
            for (int j = 0; j <= i; j++)
                for (int r = 0; r < 3; r++)
                    K[3 * i + r][3 * j + r] = M[i][j];
        scatter(b, brick, K, &matrix->K);
    }
}

void sw_bricks_push(const swBricks *b, const swBrickMatrix *matrix, int first, int count,
                    swVec3 move, swVec3 turn, swVec3 center, swReal *f) {
    swReal N[SW_BRICK_NODES];
    for (int i = first; i < first + count; i++) {
        const swBrickFace *face = &b->face.item[i];
        const swVec3 to = sw_add(move, sw_cross(turn, sw_sub(face->X, center)));
        sw_brick_shape(b, face->brick, face->X, N, NULL);
        for (int a = 0; a < SW_BRICK_NODES; a++)
            for (int r = 0; r < 3; r++)
                f[3 * b->node[SW_BRICK_NODES * face->brick + a] + r] +=
                    matrix->hold[face->brick] * face->area * N[a] * sw_get(to, r);
    }
}

bool sw_bricks_factor(swBrickMatrix *matrix) {
    return sw_factor_compute(&matrix->factor, &matrix->K, 1e-10, 0, matrix->scale);
}
