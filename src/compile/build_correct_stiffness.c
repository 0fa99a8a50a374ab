// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The stiffness at rest of all motions, frames' and modes', over all points. Three motions move a
// column of the skin, along x, y and z, and have one gradient in common: sums are those of products
// of gradients, of which there are fewer than of strains.
#include "compile/correcting.h"

#include "math/tangent.h"
#include "math/tiles.h"

#include <string.h>

enum { SOME = SW_FIELD_POINTS };

// Of some points, side by side; and sums, by lanes.
typedef struct {
    int nm, n; // columns that move, modes
    int nrun;  // columns that act, in a row
    swMotionRun *run;
    swReal *G, *force; // [nm][3][SOME]: gradients of columns; the same times a modulus and volume
    swReal *stress;    // [n][3][3][SOME]: times volume
    swReal *load;      // [n][vectors][6][lanes]: the same, as strains have it
    swReal *shear, *lame; // [3 nm][3 nm][lanes]: products of gradients, times these moduli
    swReal *mixed;        // [3 n][nm][lanes]: of stress and gradients
    swReal *modes;        // [n][n][lanes]: of modes
} swSums;

static bool create(swSums *s, const swStrainPoints *p, swArena *arena, swError *error) {
    const size_t nm = (size_t)p->skin->nmoving, n = (size_t)p->found->n;
    *s = (swSums){.nm = (int)nm,
                  .n = (int)n,
                  .run = SW_NEW(arena, nm, swMotionRun, error),
                  .G = SW_NEW(arena, 3 * nm * SOME, swReal, error),
                  .force = SW_NEW(arena, 3 * nm * SOME, swReal, error),
                  .stress = SW_NEW(arena, 9 * n * SOME, swReal, error),
                  .load = SW_NEW(arena, n * SW_FIELD_STRAIN, swReal, error),
                  .shear = SW_NEW(arena, 9 * nm * nm * SW_LANES, swReal, error),
                  .lame = SW_NEW(arena, 9 * nm * nm * SW_LANES, swReal, error),
                  .mixed = SW_NEW(arena, 3 * n * nm * SW_LANES, swReal, error),
                  .modes = SW_NEW(arena, n * n * SW_LANES, swReal, error)};
    return s->run && s->G && s->force && s->stress && s->load && s->shear && s->lame && s->mixed &&
           s->modes;
}

// Moduli of a point times its volume.
static void moduli(const swStrainPoints *p, int point, swReal *shear, swReal *lame) {
    const swVoxel *v = &p->b->grid->voxel[p->point[point].voxel];
    const swReal share = p->volume[point] * sw_brick_share(v, p->stuff);
    *shear = share * p->stuff[v->stuff].shear;
    *lame = share * (p->stuff[v->stuff].bulk - p->bulk[v->stuff]) - 2.0 / 3 * *shear;
}

// The first Lame constant over the shear modulus, which most bodies have one of; not-a-number
// elsewhere.
static swReal ratio_of_all(const swStrainPoints *p) {
    swReal ratio = NAN;
    for (int i = 0; i < p->n; i++) {
        swReal shear, lame;
        moduli(p, i, &shear, &lame);
        if (i > 0 && fabs(lame / shear - ratio) > 1e-12)
            return NAN;
        ratio = i > 0 ? ratio : lame / shear;
    }
    return ratio;
}

// ---- some points ----

static void find_gradients(swSums *s, const swFields *f) {
    s->nrun = 0;
    for (int a = 0; a < s->nm; a++) {
        if (!f->acts[a])
            continue;
        if (s->nrun > 0 && s->run[s->nrun - 1].end == a)
            s->run[s->nrun - 1].end++;
        else
            s->run[s->nrun++] = (swMotionRun){a, a + 1};
        const swReal *from = f->skin + (ptrdiff_t)a * 3 * SOME;
        for (int i = 0; i < 3 * SW_FIELD_VECTORS; i++)
            memcpy(s->G + ((ptrdiff_t)3 * a + i % 3) * SOME + i / 3 * SW_LANES, from + i * SW_LANES,
                   SW_LANES * sizeof *from);
    }
}

// Products of gradients of all two columns, times a modulus.
static void add_columns(swSums *s, const swReal modulus[SOME], swReal *sum) {
    for (int r = 0; r < s->nrun; r++)
        for (int row = 3 * s->run[r].first; row < 3 * s->run[r].end; row++)
            for (int i = 0; i < SOME; i++)
                s->force[(ptrdiff_t)row * SOME + i] = modulus[i] * s->G[(ptrdiff_t)row * SOME + i];
    for (int r = 0; r < s->nrun; r++)
        for (int t = 0; t <= r; t++) {
            const int i = 3 * s->run[r].first, ni = 3 * s->run[r].end - i, j = 3 * s->run[t].first,
                      nj = 3 * s->run[t].end - j;
            sw_tiles_accumulate(ni, nj, SW_FIELD_VECTORS,
                                (swRows){s->G + (ptrdiff_t)i * SOME, SOME, SW_LANES},
                                (swRows){s->force + (ptrdiff_t)j * SOME, SOME, SW_LANES},
                                sum + ((ptrdiff_t)i * 3 * s->nm + j) * SW_LANES, 3 * s->nm, r == t);
        }
}

// Stresses of modes.
static void find_stress(swSums *s, const swFields *f, const swReal shear[SOME],
                        const swReal lame[SOME]) {
    for (int m = 0; m < s->n; m++)
        for (int i = 0; i < SW_FIELD_VECTORS; i++) {
            const swReal *E = f->strain + (ptrdiff_t)m * SW_FIELD_STRAIN + 6 * i * SW_LANES;
            const swWide mu = 2.0 * sw_wide_load(shear + i * SW_LANES),
                         pressure = sw_wide_load(lame + i * SW_LANES) *
                                    (sw_wide_load(E) + sw_wide_load(E + SW_LANES) +
                                     sw_wide_load(E + 2 * SW_LANES));
            for (int e = 0; e < 6; e++) {
                const int r = sw_pair_row[e], t = sw_pair_column[e];
                const swWide own = mu * sw_wide_load(E + e * SW_LANES),
                             all = r == t ? own + pressure : own;
                swReal *to = s->stress + (ptrdiff_t)9 * m * SOME + i * SW_LANES;
                sw_wide_store(to + (3 * r + t) * SOME, all);
                sw_wide_store(to + (3 * t + r) * SOME, all);
                sw_wide_store(s->load + (ptrdiff_t)m * SW_FIELD_STRAIN + (6 * i + e) * SW_LANES,
                              r == t ? all : 2.0 * all);
            }
        }
}

static void add_modes(swSums *s, const swFields *f) {
    for (int r = 0; r < s->nrun; r++) {
        const int first = s->run[r].first;
        sw_tiles_accumulate(3 * s->n, s->run[r].end - first, 3 * SW_FIELD_VECTORS,
                            (swRows){s->stress, 3 * SOME, SW_LANES},
                            (swRows){s->G + (ptrdiff_t)3 * first * SOME, 3 * SOME, SW_LANES},
                            s->mixed + (ptrdiff_t)first * SW_LANES, s->nm, false);
    }
    sw_tiles_accumulate(s->n, s->n, 6 * SW_FIELD_VECTORS,
                        (swRows){f->strain, SW_FIELD_STRAIN, SW_LANES},
                        (swRows){s->load, SW_FIELD_STRAIN, SW_LANES}, s->modes, s->n, true);
}

// ---- all together ----

static swReal sum_at(const swReal *sum, ptrdiff_t at) {
    return sw_wide_sum(sw_wide_load(sum + at * SW_LANES));
}

// Products of gradients of columns a and b: out[x][y].
static void product_of(const swReal *sum, int nm, int a, int b, swReal out[3][3]) {
    for (int e = 0; e < 9; e++) {
        const int i = 3 * a + e / 3, j = 3 * b + e % 3;
        out[e / 3][e % 3] = sum_at(sum, (ptrdiff_t)sw_max_int(i, j) * 3 * nm + sw_min_int(i, j));
    }
}

// Twice the shear modulus times strains, and the trace times that of the other modulus: with
// strains (f g^T + g f^T) / 2 that is f.f' g.g' + f.g' g.f' and f.g f'.g'.
static void put_columns(const swSums *s, int a, int b, swReal ratio, swReal out[3][3]) {
    swReal S[3][3], L[3][3];
    product_of(s->shear, s->nm, a, b, S);
    if (isnan(ratio))
        product_of(s->lame, s->nm, a, b, L);
    for (int r = 0; r < 3; r++)
        for (int t = 0; t < 3; t++)
            out[r][t] = S[t][r] + (isnan(ratio) ? L[r][t] : ratio * S[r][t]) +
                        (r == t ? S[0][0] + S[1][1] + S[2][2] : 0);
}

// K of motions, by that of columns along x, y and z.
static void put_all(const swSums *s, const swStrainPoints *p, const swReal *C, swReal *K) {
    const int nq = p->skin->nmotion, n = nq + s->n, row = 3 * s->nm;
    const swSkinMotion *motion = p->skin->motion;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            swReal sum = 0;
            for (int b = 0; j < nq && b < motion[j].n; b++) {
                const int column = motion[j].column + b;
                for (int t = 0; t < 3; t++) {
                    const swReal f = sw_get(motion[j].f[b], t);
                    if (f == 0)
                        continue;
                    if (i >= nq)
                        sum += f * sum_at(s->mixed, (ptrdiff_t)(3 * (i - nq) + t) * s->nm + column);
                    for (int e = 0; i < nq && e < 3 * motion[i].n; e++)
                        sum += f * sw_get(motion[i].f[e / 3], e % 3) *
                               C[((ptrdiff_t)3 * motion[i].column + e) * row + 3 * column + t];
                }
            }
            if (j >= nq)
                sum = sum_at(s->modes, (ptrdiff_t)(i - nq) * s->n + j - nq);
            K[(ptrdiff_t)i * n + j] = K[(ptrdiff_t)j * n + i] = sum;
        }
}

bool sw_correcting_stiffness(swStrainPoints *p, swReal *K, swError *error) {
    swArena *arena = &p->skin->s->arena;
    swPool *pool = p->skin->s->b->pool;
    const swReal ratio = ratio_of_all(p);
    swSums sums, *s = &sums;
    if (!create(s, p, arena, error))
        return false;
    swReal *C = SW_NEW(arena, 9 * (size_t)s->nm * (size_t)s->nm, swReal, error);
    if (!C)
        return false;
    for (int first = 0; first < p->n; first += SOME) {
        const int count = sw_min_int(SOME, p->n - first);
        int point[SOME];
        swReal shear[SOME] = {0}, lame[SOME] = {0};
        if (!sw_pool_goes_on(pool))
            return sw_fail_stopped(error);
        for (int i = 0; i < count; i++) {
            point[i] = first + i;
            moduli(p, point[i], &shear[i], &lame[i]);
        }
        sw_correcting_strains(p, count, point);
        find_gradients(s, &p->fields);
        add_columns(s, shear, s->shear);
        if (isnan(ratio))
            add_columns(s, lame, s->lame);
        find_stress(s, &p->fields, shear, lame);
        add_modes(s, &p->fields);
    }
    for (int a = 0; a < s->nm; a++)
        for (int b = 0; b < s->nm; b++) {
            swReal own[3][3];
            put_columns(s, a, b, ratio, own);
            for (int e = 0; e < 9; e++)
                C[((ptrdiff_t)3 * a + e / 3) * 3 * s->nm + 3 * b + e % 3] = own[e / 3][e % 3];
        }
    put_all(s, p, C, K);
    return true;
}
