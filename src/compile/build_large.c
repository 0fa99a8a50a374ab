// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Where bricks are in equilibrium at large displacements, by Newton's method with the laws of the
// materials at the points of bricks. Where volumes are split off a law, pressures that are linear
// over a brick's part of it are unknowns of their own: they are linear in each step, and steps do
// not stall as those of stiff changes of volume do.
#include "compile/large.h"

#include "material/law.h"
#include "material/terms.h"
#include "math/cholesky.h"

#include <string.h>

enum { POINTS = SW_VOXEL_POINTS, BLOCKS = POINTS / SW_LANES };
enum { ITERATIONS = 20, BACK = 6, PARTS = 32 }; // of an increment; of a step; of the load
static const swReal converged = 1e-4;           // a step, of the largest displacement

typedef struct swLargePart {
    int brick, stuff, ndof;
    int first, count; // voxels, into swLarge.voxel
    swReal bulk;      // that is split off [Pa]
    int nfunction;    // of 1 and the coordinates along which it is not thin
    int which[4];
    swReal L[4][4], D[4][SW_BRICK_DOF], moment[4], pressure[4]; // the latter of those functions
} swLargePart;

// What is known of the eight points of a voxel.
typedef struct {
    swReal G[POINTS][SW_BRICK_MOST][3], weight[POINTS], volume[POINTS], place[POINTS][4];
    swReal F[BLOCKS * 9 * SW_LANES], psi[BLOCKS * SW_LANES], P[BLOCKS * 9 * SW_LANES],
        C[BLOCKS * SW_TANGENT * SW_LANES];
} swLargeVoxel;

static swReal *entry(swReal *block, int size, int point, int e) {
    return block + ((ptrdiff_t)(point / SW_LANES) * size + e) * SW_LANES + point % SW_LANES;
}

static void find_places(const swLarge *l, const swLargePart *part, int first, const swReal *u,
                        swLargeVoxel *v) {
    const swBricks *b = l->bricks;
    for (int k = 0; k < POINTS; k++) {
        const swBrickPoint *p = &b->point[first + k];
        const swVec3 t = sw_brick_place(b, part->brick, p->X);
        swReal N[SW_BRICK_NODES], F[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        sw_brick_gradients(b, part->brick, p->X, part->stuff, N, v->G[k]);
        for (int a = 0; a < part->ndof / 3; a++)
            for (int e = 0; e < 9; e++)
                F[e] += u[3 * sw_brick_node(b, part->brick, a) + e / 3] * v->G[k][a][e % 3];
        for (int e = 0; e < 9; e++)
            *entry(v->F, 9, k, e) = F[e];
        v->volume[k] = p->volume;
        v->weight[k] = p->volume * sw_brick_share(&b->grid->voxel[p->voxel], l->stuff);
        v->place[k][0] = 1;
        for (int e = 0; e < 3; e++)
            v->place[k][1 + e] = sw_get(t, e);
    }
}

// Moments of changes of volume and their slopes; pressures go into the tangent. These count by
// volume, the law by weight.
static void add_volume(swLargePart *part, swLargeVoxel *v) {
    swReal pressure[BLOCKS * SW_LANES] = {0};
    for (int k = 0; k < POINTS; k++) {
        swVec3 row[3];
        for (int r = 0; r < 3; r++)
            row[r] = sw_v3(*entry(v->F, 9, k, 3 * r), *entry(v->F, 9, k, 3 * r + 1),
                           *entry(v->F, 9, k, 3 * r + 2));
        const swVec3 cof[3] = {sw_cross(row[1], row[2]), sw_cross(row[2], row[0]),
                               sw_cross(row[0], row[1])};
        const swReal change = sw_dot(row[0], cof[0]) - 1;
        swReal slope[SW_BRICK_DOF];
        for (int a = 0; a < part->ndof; a++)
            slope[a] =
                sw_dot(cof[a % 3], sw_v3(v->G[k][a / 3][0], v->G[k][a / 3][1], v->G[k][a / 3][2]));
        for (int f = 0; f < part->nfunction; f++) {
            const swReal P = v->place[k][part->which[f]], w = v->volume[k] * P;
            *entry(pressure, 1, k, 0) += part->pressure[f] * P * v->volume[k] / v->weight[k];
            part->moment[f] += w * change;
            for (int a = 0; a < part->ndof; a++)
                part->D[f][a] += w * slope[a];
        }
    }
    sw_pressure_add(pressure, BLOCKS, v->F, NULL, v->C);
}

// K += weight G^T C G, of rows of nodes and those before them; f += weight P G
static void add_points(const swLargeVoxel *v, int ndof, swReal *f,
                       swReal K[SW_BRICK_DOF][SW_BRICK_DOF]) {
    for (int k = 0; k < POINTS; k++) {
        swReal C[9][9], *own = (swReal *)v->C, G[3][SW_BRICK_MOST];
        for (int e = 0; e < 81; e++) { // row (r, j), column (s, l)
            const int r = e / 27, j = e / 9 % 3, s = e / 3 % 3, l = e % 3,
                      at = 9 * sw_pair_at[3 * r + s] + (r <= s ? 3 * j + l : 3 * l + j);
            C[e / 9][e % 9] = v->weight[k] * *entry(own, SW_TANGENT, k, at);
        }
        for (int a = 0; a < ndof; a++)
            G[a % 3][a / 3] = v->G[k][a / 3][a % 3];
        for (int row = 0; row < ndof; row++) {
            const int a = row / 3, r = row % 3;
            for (int j = 0; j < 3; j++)
                f[row] += v->weight[k] * *entry((swReal *)v->P, 9, k, 3 * r + j) * G[j][a];
            for (int s = 0; s < 3; s++) {
                swReal T[3];
                for (int l = 0; l < 3; l++)
                    T[l] = G[0][a] * C[3 * r][3 * s + l] + G[1][a] * C[3 * r + 1][3 * s + l] +
                           G[2][a] * C[3 * r + 2][3 * s + l];
                for (int b = 0; b <= a; b++)
                    K[row][3 * b + s] += T[0] * G[0][b] + T[1] * G[1][b] + T[2] * G[2][b];
            }
        }
    }
}

// Y := L^-1 D and moment := L^-1 moment; K += bulk Y^T Y, f += bulk Y^T moment
static void finish_volume(swLargePart *p, swReal *f, swReal K[SW_BRICK_DOF][SW_BRICK_DOF]) {
    for (int m = 0; m < p->nfunction; m++) {
        for (int k = 0; k < m; k++) {
            p->moment[m] -= p->L[m][k] * p->moment[k];
            for (int a = 0; a < p->ndof; a++)
                p->D[m][a] -= p->L[m][k] * p->D[k][a];
        }
        p->moment[m] /= p->L[m][m];
        for (int a = 0; a < p->ndof; a++)
            p->D[m][a] /= p->L[m][m];
        for (int a = 0; a < p->ndof; a++) {
            f[a] += p->bulk * p->D[m][a] * p->moment[m];
            for (int b = 0; b <= a; b++)
                K[a][b] += p->bulk * p->D[m][a] * p->D[m][b];
        }
    }
}

// Forces and stiffness of a part. False: something is inside out, for which its law has no energy.
static bool add_part(swLarge *l, swLargePart *part, const swReal *u) {
    const swMaterialInfo *m = &l->material[l->law[part->stuff]];
    const swLaw *law = sw_law_at(m->law);
    swReal K[SW_BRICK_DOF][SW_BRICK_DOF], f[SW_BRICK_DOF] = {0};
    memset(K, 0, sizeof K);
    memset(part->D, 0, sizeof part->D);
    memset(part->moment, 0, sizeof part->moment);
    for (int i = 0; i < part->count; i++) {
        swLargeVoxel v;
        find_places(l, part, l->voxel[part->first + i], u, &v);
        law->evaluate(m->coefficient, BLOCKS, v.F, v.psi, v.P, v.C);
        if (m->volume != 0)
            sw_volume_add(m->volume, BLOCKS, v.F, v.psi, v.P, v.C);
        for (int k = 0; k < POINTS; k++)
            if (!(*entry(v.psi, 1, k, 0) < SW_LAW_ENERGY_LIMIT))
                return false;
        for (int k = 0; k < POINTS; k++)
            l->energy += v.weight[k] * *entry(v.psi, 1, k, 0);
        if (part->bulk > 0)
            add_volume(part, &v);
        if (l->definite)
            sw_law_project(law->isotropic, SW_PROJECT_CLAMP, BLOCKS, v.F, v.C);
        if (m->fibre_stiffness > 0)
            sw_fibre_add(m->fibre, m->fibre_stiffness, m->fibre_exponent, 0, BLOCKS, v.F, v.psi,
                         v.P, v.C);
        add_points(&v, part->ndof, f, K);
    }
    finish_volume(part, f, K);
    for (int k = 0; k < part->nfunction; k++)
        l->energy += 0.5 * part->bulk * part->moment[k] * part->moment[k];
    for (int a = 0; a < part->ndof; a++)
        l->g[3 * sw_brick_node(l->bricks, part->brick, a / 3) + a % 3] += f[a];
    sw_bricks_scatter(l->bricks, part->brick, K, &l->now.K);
    return true;
}

bool sw_large_assemble(swLarge *l, const swReal *u, const swReal *f, swReal load) {
    memcpy(l->now.K.value, l->bare.K.value, (size_t)l->bare.K.count * sizeof(swReal));
    sw_blocks_multiply(&l->bare.K, u, l->g);
    l->energy = 0;
    for (int i = 0; i < 3 * l->bricks->nnode; i++) {
        l->energy += u[i] * (0.5 * l->g[i] - load * f[i]);
        l->g[i] -= load * f[i];
    }
    for (int i = 0; i < l->npart; i++)
        if (!add_part(l, &l->part[i], u))
            return false;
    return true;
}

void sw_large_press(const swLarge *l, swReal share) {
    for (int i = 0; i < l->npart; i++) {
        swLargePart *p = &l->part[i];
        swReal to[4];
        for (int m = 0; m < p->nfunction; m++) {
            to[m] = p->moment[m];
            for (int a = 0; a < p->ndof; a++)
                to[m] -=
                    p->D[m][a] * l->step[3 * sw_brick_node(l->bricks, p->brick, a / 3) + a % 3];
        }
        for (int m = p->nfunction - 1; m >= 0; m--) { // L^-T
            for (int k = m + 1; k < p->nfunction; k++)
                to[m] -= p->L[k][m] * to[k];
            to[m] /= p->L[m][m];
        }
        for (int m = 0; m < p->nfunction; m++)
            p->pressure[m] += share * (p->bulk * to[m] - p->pressure[m]);
    }
}

// Of nodes that have a place: those of kinks have no length.
static swReal largest_of(const swBricks *b, const swReal *x) {
    swReal most = 0;
    for (int i = 0; i < 3 * b->nplace; i++)
        most = sw_max(most, fabs(x[i]));
    return most;
}

// From u, where the matrix is assembled: one step, or as much of it as leaves nothing inside out.
// How long it was, or not-a-number.
static swReal take_step(swLarge *l, const swReal *f, swReal load, swReal *u) {
    const int n = 3 * l->bricks->nnode;
    l->definite = false;
    if (!sw_bricks_factor(&l->now)) {
        l->definite = true;
        if (!sw_large_assemble(l, u, f, load) || !sw_bricks_factor(&l->now))
            return NAN;
    }
    memcpy(l->step, l->g, (size_t)n * sizeof *l->step);
    sw_factor_solve(&l->now.factor, &l->now.K, l->step);
    const swReal length = largest_of(l->bricks, l->step);
    l->definite = false;
    sw_large_press(l, 1);
    swReal share = 1, back = 0;
    for (int k = 0; k < BACK; k++) {
        for (int i = 0; i < n; i++)
            u[i] -= (share - back) * l->step[i];
        if (sw_large_assemble(l, u, f, load))
            return share == 1 ? length : INFINITY;
        back = share;
        share /= 2;
    }
    return NAN;
}

static bool settle(swLarge *l, const swReal *f, swReal load, swReal size, swReal *u) {
    if (!sw_large_assemble(l, u, f, load))
        return false;
    for (int k = 0; k < ITERATIONS; k++) {
        const swReal length = take_step(l, f, load, u), far = largest_of(l->bricks, u);
        if (isnan(length) || !(far < 10 * size))
            return false;
        if (length <= converged * far)
            return true;
    }
    return false;
}

static void copy_pressures(const swLarge *l, swReal *keep, bool back) {
    for (int i = 0; i < l->npart; i++)
        memcpy(back ? l->part[i].pressure : keep + 4 * (ptrdiff_t)i,
               back ? keep + 4 * (ptrdiff_t)i : l->part[i].pressure, 4 * sizeof *keep);
}

// All of the load at once, or in parts where that fails.
static bool follow(swLarge *l, const swReal *f, swReal size, swArena *arena, swReal *u, bool *found,
                   swError *error) {
    const size_t n = 3 * (size_t)l->bricks->nnode;
    swReal *keep = SW_NEW(arena, n, swReal, error),
           *pressure = SW_NEW(arena, 4 * (size_t)l->npart, swReal, error);
    swReal load = 0, more = 1;
    while (keep && pressure && load < 1 && more >= 1.0 / PARTS) {
        memcpy(keep, u, n * sizeof *u);
        copy_pressures(l, pressure, false);
        if (settle(l, f, sw_min(1, load + more), size, u)) {
            load += more;
            continue;
        }
        memcpy(u, keep, n * sizeof *u);
        copy_pressures(l, pressure, true);
        more /= 2;
    }
    *found = load >= 1;
    return keep && pressure;
}

// ---- parts ----

static int voxels_of(const swLarge *l, int brick, int stuff, int *out) {
    const swBricks *b = l->bricks;
    int n = 0;
    for (int k = b->start[brick]; k < b->start[brick + 1]; k += POINTS)
        if (b->grid->voxel[b->point[k].voxel].stuff == stuff && b->point[k].volume > 0) {
            if (out)
                out[n] = k;
            n++;
        }
    return n;
}

// Functions over a part that has volumes of its own.
static void find_functions(const swLarge *l, swLargePart *p) {
    const swBricks *b = l->bricks;
    swReal A[4][4] = {{0}}, volume = 0, bulk = 0;
    for (int i = 0; i < POINTS * p->count; i++) {
        const swBrickPoint *at = &b->point[l->voxel[p->first + i / POINTS] + i % POINTS];
        const swVec3 t = sw_brick_place(b, p->brick, at->X);
        const swReal P[4] = {1, t.x, t.y, t.z};
        volume += at->volume;
        bulk +=
            at->volume * sw_brick_share(&b->grid->voxel[at->voxel], l->stuff) * l->bulk[p->stuff];
        for (int e = 0; e < 16; e++)
            A[e / 4][e % 4] += at->volume * P[e / 4] * P[e % 4];
    }
    p->bulk = bulk / volume;
    if (bulk > 0)
        p->nfunction = sw_brick_functions(b->H * b->H * b->H, A, p->which, p->L);
}

static bool find_parts(swLarge *l, int nmaterial, swArena *arena, swError *error) {
    const swBricks *b = l->bricks;
    int nvoxel = 0;
    for (int pass = 0; pass < 2; pass++) {
        l->npart = nvoxel = 0;
        for (int i = 0; i < b->n; i++)
            for (int stuff = 0; stuff < nmaterial; stuff++) {
                const int n = voxels_of(l, i, stuff, pass ? l->voxel + nvoxel : NULL);
                if (pass && n > 0) {
                    swLargePart *p = &l->part[l->npart];
                    *p = (swLargePart){.brick = i,
                                       .stuff = stuff,
                                       .ndof = 3 * sw_brick_count(b, i),
                                       .first = nvoxel,
                                       .count = n};
                    find_functions(l, p);
                }
                nvoxel += n;
                l->npart += n > 0;
            }
        if (!pass && (!(l->part = SW_NEW(arena, l->npart, swLargePart, error)) ||
                      !(l->voxel = SW_NEW(arena, nvoxel, int, error))))
            return false;
    }
    return true;
}

bool sw_large_init(swLarge *l, const swBodyBricks *own, int n, const swMaterialInfo *material,
                   const int *law, const swReal *bulk, swArena *arena, swError *error) {
    const size_t count = 3 * (size_t)own->bricks.nnode;
    *l = (swLarge){.bricks = &own->bricks,
                   .stuff = own->stuff,
                   .material = material,
                   .law = law,
                   .bulk = bulk,
                   .now = own->matrix,
                   .g = SW_NEW(arena, count, swReal, error),
                   .step = SW_NEW(arena, count, swReal, error)};
    if (!l->g || !l->step || !find_parts(l, n, arena, error) ||
        !sw_bricks_bare(l->bricks, l->stuff, arena, &l->bare, error))
        return false;
    sw_bricks_ground(l->bricks, own->ground, &l->bare);
    return true;
}

bool sw_build_large(swBuilder *b, const swBodyBricks *own, const swReal *f, swArena *arena,
                    swReal *u, bool *found, swError *error) {
    const int n = b->material.count;
    int *law = SW_NEW(arena, n, int, error);
    swReal *bulk = SW_NEW(arena, n, swReal, error);
    swLarge l;
    bool ok = law && bulk;
    for (int i = 0; ok && i < n; i++)
        ok = sw_build_split(b, i, true, &law[i], &bulk[i], error);
    ok = ok && sw_large_init(&l, own, n, b->material.item, law, bulk, arena, error) &&
         follow(&l, f, sw_norm(sw_sub(own->grid.hi, own->grid.lo)), arena, u, found, error);
    b->material.count = n; // laws without volumes are of no more use
    return ok;
}
