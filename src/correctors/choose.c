// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "correctors/choose.h"

#include "cubature/nnls.h"
#include "math/eigen.h"
#include "math/tiles.h"
#include "math/vec.h"

#include <string.h>

enum { BATCH = 16 };
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
    int rows, columns;
    int *point; // of each column
    int *row;   // of each pair of motions i >= j: which row, from 1 on, and with which sign
    swReal *A, *b;
    swReal *E; // [6][n] of a point
    swReal *z; // [6][rank] of a point: of motions of unit energy
} swChoice;

// ---- the stiffness of all ----

// rows[n][6 BATCH], points in lanes: the strains of some points from `first` on, and these times
// their volumes. There may be fewer points: the others have none.
static void read_rows(const swChoice *c, int first, swReal *rows, swReal *weighted) {
    const int n = c->set->n, count = sw_min_int(BATCH, c->set->npoint - first);
    for (int p = 0; p < BATCH; p++) {
        const swReal volume = p < count ? c->set->volume[first + p] : 0;
        if (p < count)
            c->set->strains(c->set->context, first + p, c->E);
        for (int e = 0; e < 6 * n; e++) {
            const ptrdiff_t at = ((ptrdiff_t)(e % n) * 6 + e / n) * BATCH + p;
            rows[at] = p < count ? c->E[e] : 0;
            weighted[at] = volume * rows[at];
        }
    }
}

static bool sum_all(const swChoice *c, swPool *pool, swArena *arena, swError *error) {
    const size_t n = (size_t)c->set->n;
    const int steps = 6 * BATCH / SW_LANES;
    swReal *rows = SW_NEW(arena, 6 * BATCH * n, swReal, error),
           *weighted = SW_NEW(arena, 6 * BATCH * n, swReal, error),
           *sum = SW_NEW(arena, n * n * SW_LANES, swReal, error);
    if (!rows || !weighted || !sum)
        return false;
    const swRows A = {rows, 6 * BATCH, SW_LANES}, B = {weighted, 6 * BATCH, SW_LANES};
    for (int first = 0; first < c->set->npoint; first += BATCH) {
        if (!sw_pool_goes_on(pool))
            return sw_fail_stopped(error);
        read_rows(c, first, rows, weighted);
        sw_tiles_accumulate((int)n, (int)n, steps, A, B, sum, (int)n, true);
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
    c->row = SW_NEW(arena, (size_t)r * (size_t)(r + 1) / 2, int, error);
    c->b = SW_NEW(arena, c->rows, swReal, error);
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

// The rows of a point, less those of volumes, times its volume; `stride` apart.
static void fill_column(const swChoice *c, int point, swReal *out, ptrdiff_t stride) {
    const int n = c->set->n, r = c->rank, soft = count_soft(r);
    const swReal volume = c->set->volume[point];
    c->set->strains(c->set->context, point, c->E);
    for (int e = 0; e < 6; e++)
        for (int k = 0; k < r; k++)
            c->z[k * 6 + e] = sw_dot_n(n, c->W + (ptrdiff_t)k * n, c->E + (ptrdiff_t)e * n);
    for (int i = 0, pair = 0; i < r; i++) {
        const swReal *x = c->z + 6 * i;
        for (int j = 0; j <= i; j++, pair++) {
            const swReal *y = c->z + 6 * j, sum = (i == j ? 1 : sqrt(2.0)) * volume *
                                                  (x[0] * y[0] + x[1] * y[1] + x[2] * y[2] +
                                                   x[3] * y[3] + x[4] * y[4] + x[5] * y[5]);
            const int row = c->row[pair];
            if (row < 0)
                out[(-row - 1) * stride] -= sum;
            else
                out[(row - 1) * stride] += sum;
            if (i < soft)
                out[pair * stride] = matter * sum;
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
        c->A[(ptrdiff_t)(first + kind) * c->columns + k] =
            weight * c->set->volume[c->point[k]] / volume[kind];
    }
    return true;
}

// Some of the points, spread over all.
static bool make_columns(swChoice *c, swArena *arena, swError *error) {
    c->columns = sw_min_int(c->set->npoint, count_candidates(c->most));
    c->point = SW_NEW(arena, c->columns, int, error);
    c->A = SW_NEW(arena, (size_t)c->rows * (size_t)c->columns, swReal, error);
    c->z = SW_NEW(arena, 6 * (size_t)c->rank, swReal, error);
    if (!c->point || !c->A || !c->z)
        return false;
    uint64_t seed = 7;
    for (int k = 0; k < c->columns; k++) {
        const swReal width = (swReal)c->set->npoint / c->columns;
        c->point[k] = sw_min_int(c->set->npoint - 1, (int)(width * (k + next(&seed))));
        fill_column(c, c->point[k], c->A + k, c->columns);
    }
    return true;
}

bool sw_points_choose(const swPointSet *set, swReal enough, int most, swPool *pool, swArena *arena,
                      swChosenPoints *out, swError *error) {
    swChoice choice = {.set = set, .most = most}, *c = &choice;
    const size_t n = (size_t)set->n;
    swNnls nnls;
    c->K = SW_NEW(arena, n * n, swReal, error);
    c->W = SW_NEW(arena, n * n, swReal, error);
    c->E = SW_NEW(arena, 6 * n, swReal, error);
    if (!c->K || !c->W || !c->E)
        return false;
    if (!sum_all(c, pool, arena, error) || !whiten(c, arena, error) ||
        !sort_motions(c, arena, error) || !make_rows(c, arena, error) ||
        !make_columns(c, arena, error) || !add_volumes(c, arena, error) ||
        !sw_nnls_create(&nnls, c->rows, c->columns, arena, error))
        return false;
    nnls.most = sw_min_int(most, c->rows);
    const int last = c->rows - set->nkind; // volumes are kept in any case
    nnls.enough = enough * sqrt(sw_dot_n(last, c->b, c->b) / sw_dot_n(c->rows, c->b, c->b));
    nnls.pool = pool;
    sw_nnls_solve(&nnls, c->rows, c->columns, c->A, c->columns, c->b);
    if (sw_pool_stopped(pool))
        return sw_fail_stopped(error);
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
