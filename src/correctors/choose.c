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

// For at most so many points: points to choose from, and rows of sums.
static int count_candidates(int most) { return sw_max_int(1200, 2 * most); }
static int count_sums(int most) { return sw_max_int(700, most); }
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
    int rows, columns, stride; // stride: of rows, side by side
    int *point;                // of each column
    int *row;      // of each pair of motions i >= j: which row, from 1 on, and with which sign
    swReal *A, *b; // [columns][stride], [stride]
    swReal *E;     // [n] strains of some points
    swReal *z;     // [rank] the same of motions of unit energy
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

// ---- rows ----

// What two motions feel together is told by a row of its own where both are soft, and else by one
// of some that sum, with random signs, such products of many pairs: sums of squares stay what they
// are.
static bool make_rows(swChoice *c, swArena *arena, swError *error) {
    const int r = c->rank, soft = count_soft(r), pairs = soft * (soft + 1) / 2,
              sums = count_sums(c->most);
    uint64_t seed = 1;
    c->rows = pairs + sums + c->set->nkind;
    c->stride = (c->rows + SW_LANES - 1) / SW_LANES * SW_LANES;
    c->row = SW_NEW(arena, (size_t)r * (size_t)(r + 1) / 2, int, error);
    c->b = SW_NEW(arena, c->stride, swReal, error);
    if (!c->row || !c->b)
        return false;
    for (int i = 0, pair = 0; i < r; i++)
        for (int j = 0; j <= i; j++, pair++) {
            const int row = 1 + pairs + sw_min_int(sums - 1, (int)(sums * next(&seed)));
            c->row[pair] = next(&seed) < 0.5 ? -row : row;
            if (i == j)
                c->b[row - 1] += c->row[pair] < 0 ? -1 : 1;
            if (i == j && i < soft)
                c->b[pair] = matter;
        }
    return true;
}

// out[row][points] := the rows of some points, less those of volumes, times their volumes.
static void fill_columns(const swChoice *c, int count, const int *point, swReal *out) {
    const int n = c->set->n, r = c->rank, soft = count_soft(r),
              vectors = (count + SW_LANES - 1) / SW_LANES;
    swReal volume[SW_FIELD_POINTS] = {0};
    for (int p = 0; p < count; p++)
        volume[p] = c->set->volume[point[p]];
    c->set->strains(c->set->context, count, point, c->E);
    memset(c->z, 0, (size_t)r * SW_FIELD_STRAIN * sizeof *c->z);
    memset(out, 0, (size_t)c->rows * SW_FIELD_POINTS * sizeof *out);
    sw_tiles_combine(r, 6 * vectors, n, (swRows){c->W, n, 1},
                     (swRows){c->E, SW_FIELD_STRAIN, SW_LANES}, c->z, SW_FIELD_STRAIN, false);
    for (int i = 0, pair = 0; i < r; i++)
        for (int j = 0; j <= i; j++, pair++) {
            const int row = c->row[pair], at = (row < 0 ? -row : row) - 1;
            for (int k = 0; k < vectors; k++) {
                const swReal *x = c->z + (ptrdiff_t)i * SW_FIELD_STRAIN + k * 6 * SW_LANES,
                             *y = c->z + (ptrdiff_t)j * SW_FIELD_STRAIN + k * 6 * SW_LANES;
                swReal *to = out + (ptrdiff_t)at * SW_FIELD_POINTS + k * SW_LANES;
                swWide sum = sw_wide(0);
                for (int e = 0; e < 6; e++)
                    sum = sw_wide_fma(sw_wide_load(x + e * SW_LANES),
                                      sw_wide_load(y + e * SW_LANES), sum);
                sum = sum * sw_wide_load(volume + k * SW_LANES) * (i == j ? 1 : sqrt(2.0));
                sw_wide_store(to, row < 0 ? sw_wide_load(to) - sum : sw_wide_load(to) + sum);
                if (i < soft)
                    sw_wide_store(out + (ptrdiff_t)pair * SW_FIELD_POINTS + k * SW_LANES,
                                  matter * sum);
            }
        }
}

// Volumes of kinds, as the last rows.
static bool add_volumes(swChoice *c, swArena *arena, swError *error) {
    const int first = c->rows - c->set->nkind;
    swReal *volume = SW_NEW(arena, c->set->nkind, swReal, error);
    if (!volume)
        return false;
    for (int p = 0; p < c->set->npoint; p++)
        volume[c->set->kind[p]] += c->set->volume[p];
    const swReal weight = kept * sqrt((swReal)c->rank);
    for (int k = 0; k < c->set->nkind; k++)
        c->b[first + k] = volume[k] > 0 ? weight : 0;
    for (int k = 0; k < c->columns; k++) {
        const int kind = c->set->kind[c->point[k]];
        c->A[(ptrdiff_t)k * c->stride + first + kind] =
            weight * c->set->volume[c->point[k]] / volume[kind];
    }
    return true;
}

// Some of the points, spread over all.
static bool make_columns(swChoice *c, swPool *pool, swArena *arena, swError *error) {
    c->columns = sw_min_int(c->set->npoint, count_candidates(c->most));
    c->point = SW_NEW(arena, c->columns, int, error);
    c->A = SW_NEW(arena, (size_t)c->stride * (size_t)c->columns, swReal, error);
    c->z = SW_NEW(arena, SW_FIELD_STRAIN * (size_t)c->rank, swReal, error);
    swReal *some = SW_NEW(arena, SW_FIELD_POINTS * (size_t)c->rows, swReal, error);
    if (!c->point || !c->A || !c->z || !some)
        return false;
    uint64_t seed = 7;
    for (int k = 0; k < c->columns; k++) {
        const swReal width = (swReal)c->set->npoint / c->columns;
        c->point[k] = sw_min_int(c->set->npoint - 1, (int)(width * (k + next(&seed))));
    }
    for (int first = 0; first < c->columns; first += SW_FIELD_POINTS) {
        const int count = sw_min_int(SW_FIELD_POINTS, c->columns - first);
        if (!sw_pool_goes_on(pool))
            return sw_fail_stopped(error);
        fill_columns(c, count, c->point + first, some);
        for (int p = 0; p < count; p++)
            for (int row = 0; row < c->rows; row++)
                c->A[(ptrdiff_t)(first + p) * c->stride + row] = some[row * SW_FIELD_POINTS + p];
    }
    return true;
}

bool sw_points_choose(const swPointSet *set, swReal enough, int most, swPool *pool, swArena *arena,
                      swChosenPoints *out, swError *error) {
    swChoice choice = {.set = set, .most = most}, *c = &choice;
    const size_t n = (size_t)set->n;
    swNnlsProducts nnls;
    c->K = SW_NEW(arena, n * n, swReal, error);
    c->W = SW_NEW(arena, n * n, swReal, error);
    c->E = SW_NEW(arena, SW_FIELD_STRAIN * n, swReal, error);
    if (!c->K || !c->W || !c->E)
        return false;
    if (!sum_all(c, pool, arena, error) || !whiten(c, arena, error) ||
        !sort_motions(c, arena, error) || !make_rows(c, arena, error) ||
        !make_columns(c, pool, arena, error) || !add_volumes(c, arena, error))
        return false;
    const int last = c->rows - set->nkind; // volumes are kept in any case
    nnls = (swNnlsProducts){
        .rows = c->stride,
        .columns = c->columns,
        .A = c->A,
        .b = c->b,
        .most = sw_min_int(most, c->rows),
        .enough = enough * sqrt(sw_dot_n(last, c->b, c->b) / sw_dot_n(c->rows, c->b, c->b)),
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
    out->error = sqrt(sw_dot_n(last, nnls.r, nnls.r) / sw_dot_n(last, c->b, c->b));
    for (int k = 0; k < nnls.k; k++) {
        out->point[k] = c->point[nnls.column[k]];
        out->volume[k] = nnls.x[k] * set->volume[out->point[k]];
    }
    return true;
}
