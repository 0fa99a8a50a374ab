// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "correctors/choose.h"

#include "cubature/nnls.h"
#include "math/eigen.h"
#include "math/vec.h"

#include <string.h>

enum { CANDIDATES = 1200, ROWS = 700, SOFT = 16, BATCH = 64 };
// How much more than others: what soft motions feel, and the volume of each kind.
static const swReal matter = 20, kept = 1000;

// Even numbers from 0 to 1, the same every time.
static swReal next(uint64_t *state) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (swReal)(*state >> 11) / 9007199254740992.0;
}

typedef struct {
    const swPointSet *set;
    int rank;
    swReal *K, *W; // [n][n]: stiffness; [rank][n]: motions of unit energy, apart from each other
    int rows, columns;
    int *point;                // of each column
    swReal *left, *right;      // [n][row]: motions whose energies together a row tells
    swReal *one, *other, *sum; // per row
    swReal *A, *b;
    swReal *E; // [6][n] of a point
} swChoice;

// ---- the stiffness of all ----

static bool sum_all(const swChoice *c, swPool *pool) {
    const int n = c->set->n;
    for (int p = 0; p < c->set->npoint; p++) {
        if (p % BATCH == 0 && !sw_pool_goes_on(pool))
            return false;
        c->set->strains(c->set->context, p, c->E);
        for (int e = 0; e < 6; e++) {
            const swReal *row = c->E + (ptrdiff_t)e * n;
            for (int i = 0; i < n; i++) {
                const swReal f = c->set->volume[p] * row[i];
                swReal *K = c->K + (ptrdiff_t)i * n;
                if (f != 0)
                    for (int j = 0; j <= i; j++)
                        K[j] += f * row[j];
            }
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            c->K[(ptrdiff_t)j * n + i] = c->K[(ptrdiff_t)i * n + j];
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

// Two motions for each row: of the softest all pairs, of the others random mixtures.
static bool make_rows(swChoice *c, swArena *arena, swError *error) {
    const int n = c->set->n, soft = sw_min_int(SOFT, c->rank), pairs = soft * (soft + 1) / 2;
    uint64_t seed = 1;
    c->rows = pairs + ROWS + c->set->nkind;
    c->left = SW_NEW(arena, (size_t)c->rows * (size_t)n, swReal, error);
    c->right = SW_NEW(arena, (size_t)c->rows * (size_t)n, swReal, error);
    c->b = SW_NEW(arena, c->rows, swReal, error);
    c->one = SW_NEW(arena, c->rows, swReal, error);
    c->other = SW_NEW(arena, c->rows, swReal, error);
    c->sum = SW_NEW(arena, c->rows, swReal, error);
    if (!c->left || !c->right || !c->b || !c->one || !c->other || !c->sum)
        return false;
    for (int row = 0, i = 0, j = 0; row < pairs + ROWS; row++) {
        swReal *x = c->left + row, *y = c->right + row;
        for (int k = 0; k < c->rank; k++) {
            swReal f, g;
            if (row < pairs) {
                f = k == i ? matter * (i == j ? 1 : sqrt(2.0)) : 0;
                g = k == j;
            } else {
                f = next(&seed) < 0.5 ? -1 : 1;
                g = next(&seed) < 0.5 ? -1 : 1;
            }
            c->b[row] += f * g;
            for (int a = 0; a < n && (f != 0 || g != 0); a++) {
                x[(ptrdiff_t)a * c->rows] += f * c->W[(ptrdiff_t)k * n + a];
                y[(ptrdiff_t)a * c->rows] += g * c->W[(ptrdiff_t)k * n + a];
            }
        }
        if (++j > i) {
            i++;
            j = 0;
        }
    }
    return true;
}

static void multiply(const swChoice *c, const swReal *E, const swReal *motions, swReal *out) {
    memset(out, 0, (size_t)c->rows * sizeof *out);
    for (int a = 0; a < c->set->n; a++)
        for (int row = 0; row < c->rows && E[a] != 0; row++)
            out[row] += E[a] * motions[(ptrdiff_t)a * c->rows + row];
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
    const int n = c->set->n;
    c->columns = sw_min_int(c->set->npoint, CANDIDATES);
    c->point = SW_NEW(arena, c->columns, int, error);
    c->A = SW_NEW(arena, (size_t)c->rows * (size_t)c->columns, swReal, error);
    if (!c->point || !c->A)
        return false;
    uint64_t seed = 7;
    for (int k = 0; k < c->columns; k++) {
        const swReal width = (swReal)c->set->npoint / c->columns;
        c->point[k] = sw_min_int(c->set->npoint - 1, (int)(width * (k + next(&seed))));
        c->set->strains(c->set->context, c->point[k], c->E);
        memset(c->sum, 0, (size_t)c->rows * sizeof *c->sum);
        for (int e = 0; e < 6; e++) {
            multiply(c, c->E + (ptrdiff_t)e * n, c->left, c->one);
            multiply(c, c->E + (ptrdiff_t)e * n, c->right, c->other);
            for (int row = 0; row < c->rows; row++)
                c->sum[row] += c->one[row] * c->other[row];
        }
        for (int row = 0; row < c->rows; row++)
            c->A[(ptrdiff_t)row * c->columns + k] = c->set->volume[c->point[k]] * c->sum[row];
    }
    return true;
}

bool sw_points_choose(const swPointSet *set, swReal enough, int most, swPool *pool, swArena *arena,
                      swChosenPoints *out, swError *error) {
    swChoice choice = {.set = set}, *c = &choice;
    const size_t n = (size_t)set->n;
    swNnls nnls;
    c->K = SW_NEW(arena, n * n, swReal, error);
    c->W = SW_NEW(arena, n * n, swReal, error);
    c->E = SW_NEW(arena, 6 * n, swReal, error);
    if (!c->K || !c->W || !c->E)
        return false;
    if (!sum_all(c, pool))
        return sw_fail_stopped(error);
    if (!whiten(c, arena, error) || !sort_motions(c, arena, error) || !make_rows(c, arena, error) ||
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
