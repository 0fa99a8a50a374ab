// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "correctors/choose.h"

#include "cubature/nnls.h"
#include "math/eigen.h"
#include "math/tiles.h"
#include "math/vec.h"

#include <string.h>

// How much more than others: what soft motions feel, and the volume of each kind.
static const swReal matter = 10, kept = 40;

// Points to choose from, for at most so many.
static int count_candidates(int most) { return sw_max_int(1000, 2 * most); }
// The softest of all motions.
static int count_soft(int rank) {
    return sw_min_int(rank, sw_max_int(16, sw_min_int(rank / 9, 40)));
}

// Even numbers from 0 to 1, the same every time.
static swReal next(uint64_t *state) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (swReal)(*state >> 11) / 9007199254740992.0;
}

typedef struct {
    const swPointSet *set;
    int most; // points
    int rank;
    swReal *K, *W; // [n][n]: stiffness; [rank][n]: motions of unit energy, apart from each other
    int columns, *point; // those that may be chosen
    int stride;          // of rank, side by side
    swReal *Z;     // [columns][6][stride]: strains times the root of volume, as much as they matter
    swReal *G, *c; // [columns][columns], [columns]: see swNnlsProducts
    swReal square;
    swReal *E; // [n] strains of some points
    swReal *z; // [rank] the same of motions of unit energy
} swChoice;

// ---- the stiffness of all ----

static bool sum_all(const swChoice *c, swPool *pool, swArena *arena, swError *error) {
    const size_t n = (size_t)c->set->n;
    swReal *weighted = SW_NEW(arena, SW_FIELD_STRAIN * n, swReal, error),
           *sum = SW_NEW(arena, n * n * SW_LANES, swReal, error);
    if (!weighted || !sum)
        return false;
    const swRows A = {c->E, SW_FIELD_STRAIN, SW_LANES}, B = {weighted, SW_FIELD_STRAIN, SW_LANES};
    for (int first = 0; first < c->set->npoint; first += SW_FIELD_POINTS) {
        const int count = sw_min_int(SW_FIELD_POINTS, c->set->npoint - first),
                  vectors = (count + SW_LANES - 1) / SW_LANES;
        int point[SW_FIELD_POINTS];
        swReal volume[SW_FIELD_POINTS] = {0};
        if (!sw_pool_goes_on(pool))
            return sw_fail_stopped(error);
        for (int p = 0; p < count; p++) {
            point[p] = first + p;
            volume[p] = c->set->volume[first + p];
        }
        c->set->strains(c->set->context, count, point, c->E);
        for (size_t k = 0; k < n; k++)
            for (int i = 0; i < 6 * vectors; i++) {
                const size_t at = k * SW_FIELD_STRAIN + (size_t)i * SW_LANES;
                sw_wide_store(weighted + at,
                              sw_wide_load(volume + i / 6 * SW_LANES) * sw_wide_load(c->E + at));
            }
        sw_tiles_accumulate((int)n, (int)n, 6 * vectors, A, B, sum, (int)n, true);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            c->K[i * n + j] = c->K[j * n + i] =
                sw_wide_sum(sw_wide_load(sum + (i * n + j) * SW_LANES));
    return true;
}

// Motions are first measured by their own sizes, so that units do not matter.
static bool whiten(swChoice *c, swArena *arena, swError *error) {
    const int n = c->set->n;
    swReal *size = SW_NEW(arena, n, swReal, error), *value = SW_NEW(arena, n, swReal, error),
           *work = SW_NEW(arena, 4 * (size_t)n, swReal, error);
    if (!size || !value || !work)
        return false;
    for (int i = 0; i < n; i++)
        size[i] = c->K[(ptrdiff_t)(n + 1) * i] > 0 ? sqrt(c->K[(ptrdiff_t)(n + 1) * i]) : 1;
    for (int i = 0; i < n * n; i++)
        c->K[i] /= size[i / n] * size[i % n];
    if (!sw_eigen_symmetric(n, c->K, value, c->W, work))
        return sw_fail(error, SW_ERROR_NOT_CONVERGED, "the stiffness of a body is not finite");
    c->rank = 0;
    while (c->rank < n && value[n - 1 - c->rank] > 1e-8 * value[n - 1])
        c->rank++;
    memmove(c->W, c->W + (ptrdiff_t)(n - c->rank) * n, (size_t)c->rank * (size_t)n * sizeof *c->W);
    for (int k = 0; k < c->rank; k++)
        for (int i = 0; i < n; i++)
            c->W[(ptrdiff_t)k * n + i] /= size[i] * sqrt(value[n - c->rank + k]);
    return true;
}

// Turns the motions so that the softest come first.
static bool sort_motions(swChoice *c, swArena *arena, swError *error) {
    const int n = c->set->n, r = c->rank;
    swReal *A = SW_NEW(arena, (size_t)r * (size_t)r, swReal, error),
           *V = SW_NEW(arena, (size_t)r * (size_t)r, swReal, error),
           *moved = SW_NEW(arena, (size_t)r * (size_t)n, swReal, error),
           *value = SW_NEW(arena, r, swReal, error),
           *work = SW_NEW(arena, 2 * (size_t)r, swReal, error);
    if (!A || !V || !moved || !value || !work)
        return false;
    for (int k = 0; k < r; k++)
        for (int i = 0; i < n; i++) {
            const swReal f = c->W[(ptrdiff_t)k * n + i];
            for (int j = 0; j < n && f != 0; j++)
                moved[(ptrdiff_t)k * n + j] += f * c->set->mass[(ptrdiff_t)i * n + j];
        }
    for (int k = 0; k < r; k++)
        for (int l = 0; l < r; l++)
            A[k * r + l] = sw_dot_n(n, moved + (ptrdiff_t)k * n, c->W + (ptrdiff_t)l * n);
    if (!sw_eigen_symmetric(r, A, value, V, work))
        return sw_fail(error, SW_ERROR_NOT_CONVERGED, "the mass of a body is not finite");
    memset(moved, 0, (size_t)r * (size_t)n * sizeof *moved);
    for (int k = 0; k < r; k++)
        for (int l = 0; l < r; l++)
            for (int i = 0; i < n; i++)
                moved[(ptrdiff_t)k * n + i] +=
                    V[(ptrdiff_t)(r - 1 - k) * r + l] * c->W[(ptrdiff_t)l * n + i];
    c->W = moved;
    return true;
}

// ---- products ----

// The stiffness of a point is M = Z^T Z, and that of all points the square of what motions matter:
// the product of two points is |Z_p Z_q^T|^2.

static swReal matters(const swChoice *c, int motion) {
    return motion < count_soft(c->rank) ? sqrt(matter) : 1;
}

// Some of the points, spread over all.
static bool list_points(swChoice *c, swArena *arena, swError *error) {
    uint64_t seed = 7;
    c->columns = sw_min_int(c->set->npoint, count_candidates(c->most));
    c->point = SW_NEW(arena, c->columns, int, error);
    for (int k = 0; c->point && k < c->columns; k++) {
        const swReal width = (swReal)c->set->npoint / c->columns;
        c->point[k] = sw_min_int(c->set->npoint - 1, (int)(width * (k + next(&seed))));
    }
    return c->point != NULL;
}

static bool find_strains(swChoice *c, swPool *pool, swArena *arena, swError *error) {
    const int n = c->set->n, r = c->rank;
    c->stride = (r + SW_LANES - 1) / SW_LANES * SW_LANES;
    c->Z = SW_NEW(arena, 6 * (size_t)c->columns * (size_t)c->stride, swReal, error);
    c->z = SW_NEW(arena, SW_FIELD_STRAIN * (size_t)r, swReal, error);
    if (!c->Z || !c->z)
        return false;
    for (int first = 0; first < c->columns; first += SW_FIELD_POINTS) {
        const int count = sw_min_int(SW_FIELD_POINTS, c->columns - first);
        if (!sw_pool_goes_on(pool))
            return sw_fail_stopped(error);
        c->set->strains(c->set->context, count, c->point + first, c->E);
        memset(c->z, 0, (size_t)r * SW_FIELD_STRAIN * sizeof *c->z);
        sw_tiles_combine(r, 6 * ((count + SW_LANES - 1) / SW_LANES), n, (swRows){c->W, n, 1},
                         (swRows){c->E, SW_FIELD_STRAIN, SW_LANES}, c->z, SW_FIELD_STRAIN, false);
        for (int p = 0; p < count; p++) {
            const swReal root = sqrt(c->set->volume[c->point[first + p]]);
            for (int e = 0; e < 6; e++)
                for (int i = 0; i < r; i++)
                    c->Z[((ptrdiff_t)6 * (first + p) + e) * c->stride + i] =
                        root * matters(c, i) *
                        c->z[(ptrdiff_t)i * SW_FIELD_STRAIN + sw_field_at(6, e, p)];
        }
    }
    return true;
}

enum { SIDE = 16 }; // points multiplied together, whose strains stay near

static void multiply(int first, int end, int worker, void *arg) {
    const swChoice *c = arg;
    const ptrdiff_t row = 6 * (ptrdiff_t)c->stride;
    (void)worker;
    for (int from = 0; from < end; from += SIDE) {
        const int ni = end - first, nj = sw_min_int(SIDE, end - from);
        swReal product[6 * SIDE][6 * SIDE] = {{0}};
        sw_tiles_subtract(6 * ni, 6 * nj, c->stride / SW_LANES,
                          (swRows){c->Z + first * row, c->stride, SW_LANES},
                          (swRows){c->Z + from * row, c->stride, SW_LANES}, product[0], 6 * SIDE);
        for (int i = 0; i < ni; i++)
            for (int j = 0; j < nj; j++) {
                swReal sum = 0;
                for (int e = 0; e < 36; e++)
                    sum += product[6 * i + e / 6][6 * j + e % 6] *
                           product[6 * i + e / 6][6 * j + e % 6];
                c->G[(ptrdiff_t)(first + i) * c->columns + from + j] = sum;
                c->G[(ptrdiff_t)(from + j) * c->columns + first + i] = sum;
            }
    }
}

// G, c and square, less what is said of volumes.
static bool make_products(swChoice *c, swPool *pool, swArena *arena, swError *error) {
    const size_t n = (size_t)c->columns;
    c->G = SW_NEW(arena, n * n, swReal, error);
    c->c = SW_NEW(arena, n, swReal, error);
    if (!c->G || !c->c)
        return false;
    if (!sw_parallel_try(pool, c->columns, SIDE, multiply, c))
        return sw_fail_stopped(error);
    for (int i = 0; i < c->rank; i++) {
        const swReal all = matters(c, i) * matters(c, i);
        c->square += all * all;
        for (int k = 0; k < 6 * c->columns; k++) {
            const swReal z = c->Z[(ptrdiff_t)k * c->stride + i];
            c->c[k / 6] += all * z * z;
        }
    }
    return true;
}

// The volume of each kind is to be kept.
static bool add_volumes(swChoice *c, swArena *arena, swError *error) {
    const swReal weight = kept * kept * c->rank;
    swReal *volume = SW_NEW(arena, c->set->nkind, swReal, error);
    if (!volume)
        return false;
    for (int p = 0; p < c->set->npoint; p++)
        volume[c->set->kind[p]] += c->set->volume[p];
    for (int k = 0; k < c->set->nkind; k++)
        c->square += volume[k] > 0 ? weight : 0;
    for (int i = 0; i < c->columns; i++) {
        const int kind = c->set->kind[c->point[i]];
        const swReal share = c->set->volume[c->point[i]] / volume[kind];
        c->c[i] += weight * share;
        for (int j = 0; j < c->columns; j++)
            if (c->set->kind[c->point[j]] == kind)
                c->G[(ptrdiff_t)i * c->columns + j] +=
                    weight * share * c->set->volume[c->point[j]] / volume[kind];
    }
    return true;
}

// The fit keeps the volume of each kind nearly.
static bool keep_volumes(const swPointSet *set, const swChosenPoints *chosen, swArena *arena,
                         swError *error) {
    swReal *volume = SW_NEW(arena, set->nkind, swReal, error),
           *has = SW_NEW(arena, set->nkind, swReal, error);
    if (!volume || !has)
        return false;
    for (int p = 0; p < set->npoint; p++)
        volume[set->kind[p]] += set->volume[p];
    for (int k = 0; k < chosen->n; k++)
        has[set->kind[chosen->point[k]]] += chosen->volume[k];
    for (int k = 0; k < chosen->n; k++)
        chosen->volume[k] *= volume[set->kind[chosen->point[k]]] / has[set->kind[chosen->point[k]]];
    return true;
}

bool sw_points_choose(const swPointSet *set, swReal enough, int most, swPool *pool, swArena *arena,
                      swChosenPoints *out, swError *error) {
    swChoice choice = {.set = set, .most = most}, *c = &choice;
    const size_t n = (size_t)set->n;
    c->K = SW_NEW(arena, n * n, swReal, error);
    c->W = SW_NEW(arena, n * n, swReal, error);
    c->E = SW_NEW(arena, SW_FIELD_STRAIN * n, swReal, error);
    if (!c->K || !c->W || !c->E)
        return false;
    if (!sum_all(c, pool, arena, error) || !whiten(c, arena, error) ||
        !sort_motions(c, arena, error) || !list_points(c, arena, error) ||
        !find_strains(c, pool, arena, error) || !make_products(c, pool, arena, error))
        return false;
    const swReal all = c->square; // volumes are kept in any case
    if (!add_volumes(c, arena, error))
        return false;
    swNnlsProducts nnls = {.columns = c->columns,
                           .G = c->G,
                           .c = c->c,
                           .square = c->square,
                           .most = most,
                           .enough = enough * sqrt(all / c->square),
                           .pool = pool};
    if (!sw_nnls_products(&nnls, arena, error))
        return false;
    out->n = nnls.k;
    out->point = SW_NEW(arena, nnls.k, int, error);
    out->volume = SW_NEW(arena, nnls.k, swReal, error);
    if (!out->point || !out->volume)
        return false;
    out->nmotion = c->rank;
    out->motion = c->W;
    out->error = sqrt(sw_max(0, nnls.left) / all);
    for (int k = 0; k < nnls.k; k++) {
        out->point[k] = c->point[nnls.column[k]];
        out->volume[k] = nnls.x[k] * set->volume[out->point[k]];
    }
    return keep_volumes(set, out, arena, error);
}
