// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Locally optimal block preconditioned conjugate gradients (Knyazev 2001): the best modes in the
// space of the present ones X, their preconditioned residuals W and the last steps P; a few modes
// at a time, orthogonal to those found before. The space is orthonormalised by the eigenvectors of
// its mass matrix, without those that rounding has spoilt.
#include "volume/laplace_eigenmodes.h"

#include "math/eigen.h"

#include <string.h>

enum {
    BLOCK = 16, // columns at most; a multiple of every SW_LANES
    GUARD = 4,  // of them are there to speed up the others
    GROUPS = BLOCK / SW_LANES,
    SPACE = 3 * BLOCK,
    MAX_ITERATIONS = 300
};

typedef struct {
    swLaplace A;        // K + shift M
    const swReal *mass; // of nodes
    int n, ngroup;      // groups of SW_LANES columns in use
    int nlocked;
    swReal **locked;
    swWide *S[3][GROUPS];                      // X, W, P
    swWide **image;                            // per worker: scratch per node
    swLaplaceWork *work;                       // per worker
    double value[BLOCK];                       // of X
    bool done[BLOCK];                          // converged
    double K[SPACE * SPACE], M[SPACE * SPACE]; // of the space
    double X[SPACE * BLOCK], P[SPACE * BLOCK]; // the next ones in it
    double scratch[4][SPACE * SPACE];
} swModeBlock;

static swWide *column_group(const swModeBlock *b, int g) { // of the space
    return b->S[g / b->ngroup][g % b->ngroup];
}

// out[i][j] = sum of column i of a times column j of c.
static void products(int n, const swWide *a, const swWide *c, double *out, int ld) {
    const double *lane = (const double *)a;
    swWide sum[SW_LANES];
    for (int k = 0; k < SW_LANES; k++)
        sum[k] = sw_wide(0);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < SW_LANES; k++)
            sum[k] = sw_wide_fma(sw_wide(lane[(size_t)i * SW_LANES + (size_t)k]), c[i], sum[k]);
    for (int k = 0; k < SW_LANES; k++)
        sw_wide_store(out + (ptrdiff_t)k * ld, sum[k]);
}

static void weigh(const swModeBlock *b, const swWide *x, swWide *out) {
    for (int i = 0; i < b->n; i++)
        out[i] = sw_wide(b->mass[i]) * x[i];
}

static void orthogonalise_to_locked(const swModeBlock *b, swWide *x) {
    for (int k = 0; k < b->nlocked; k++) {
        const swReal *q = b->locked[k];
        swWide dot = sw_wide(0);
        for (int i = 0; i < b->n; i++)
            dot = sw_wide_fma(sw_wide(b->mass[i] * q[i]), x[i], dot);
        for (int i = 0; i < b->n; i++)
            x[i] -= sw_wide(q[i]) * dot;
    }
}

static void orthogonalise_to_group(const swModeBlock *b, const swWide *q, swWide *x,
                                   swWide *scratch) {
    double dot[SW_LANES * SW_LANES];
    const double *lane = (const double *)q;
    weigh(b, x, scratch);
    products(b->n, q, scratch, dot, SW_LANES);
    for (int i = 0; i < b->n; i++)
        for (int k = 0; k < SW_LANES; k++)
            x[i] -= sw_wide(lane[(size_t)i * SW_LANES + (size_t)k]) *
                    sw_wide_load(dot + (ptrdiff_t)k * SW_LANES);
}

// ---- the start ----

static double random_at(uint64_t i) { // in [-1, 1), the same everywhere
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

// Noise, made smooth by the preconditioner.
static void start_groups(int start, int end, int worker, void *arg) {
    swModeBlock *b = arg;
    for (int g = start; g < end; g++) {
        double *x = (double *)b->image[worker];
        for (int i = 0; i < b->n; i++)
            for (int k = 0; k < SW_LANES; k++) {
                const int column = b->nlocked + g * SW_LANES + k;
                x[(size_t)i * SW_LANES + (size_t)k] =
                    sw_laplace_free(&b->A, i)
                        ? b->mass[i] * random_at((uint64_t)column << 32 | (uint64_t)i)
                        : 0;
            }
        sw_laplace_precondition(&b->A, &b->work[worker], b->image[worker], b->S[0][g]);
        orthogonalise_to_locked(b, b->S[0][g]);
        memset(b->S[1][g], 0, (size_t)b->n * sizeof(swWide));
        memset(b->S[2][g], 0, (size_t)b->n * sizeof(swWide));
    }
}

// ---- directions ----

// r = K x - M x diag(value) for a group of X; marks columns that have converged.
static void residual(swModeBlock *b, int g, swWide *r) {
    const swWide *x = b->S[0][g], value = sw_wide_load(b->value + g * SW_LANES);
    swWide left = sw_wide(0), size = sw_wide(0);
    sw_laplace_multiply(&b->A, x, r);
    for (int i = 0; i < b->n; i++) {
        const swWide load = sw_wide(b->mass[i]) * x[i] * value;
        const swWide scale = sw_wide(1 / sw_laplace_diagonal(&b->A, i));
        r[i] -= load;
        left = sw_wide_fma(r[i] * scale, r[i], left);
        size = sw_wide_fma(load * scale, load, size);
    }
    double a[SW_LANES], c[SW_LANES];
    sw_wide_store(a, left);
    sw_wide_store(c, size);
    for (int k = 0; k < SW_LANES; k++)
        b->done[g * SW_LANES + k] = sqrt(a[k]) <= SW_MODES_TOLERANCE * sqrt(c[k]);
}

// W: the preconditioned residuals of what has not converged, orthogonal to X and what is locked,
// each of length one.
static void find_directions(int start, int end, int worker, void *arg) {
    swModeBlock *b = arg;
    for (int g = start; g < end; g++) {
        swWide *r = b->image[worker], *w = b->S[1][g];
        double keep[SW_LANES];
        residual(b, g, r);
        sw_laplace_precondition(&b->A, &b->work[worker], r, w);
        orthogonalise_to_locked(b, w);
        for (int h = 0; h < b->ngroup; h++)
            orthogonalise_to_group(b, b->S[0][h], w, r);
        weigh(b, w, r);
        swWide length = sw_wide(0);
        for (int i = 0; i < b->n; i++)
            length = sw_wide_fma(r[i], w[i], length);
        sw_wide_store(keep, length);
        for (int k = 0; k < SW_LANES; k++)
            keep[k] = !b->done[g * SW_LANES + k] && keep[k] > 0 ? 1 / sqrt(keep[k]) : 0;
        const swWide scale = sw_wide_load(keep);
        for (int i = 0; i < b->n; i++)
            w[i] *= scale;
    }
}

// ---- the best modes in the space ----

// Stiffness and mass of the space: a group's columns and those of the groups before it.
static void project_groups(int start, int end, int worker, void *arg) {
    swModeBlock *b = arg;
    const int size = 3 * b->ngroup * SW_LANES;
    for (int g = start; g < end; g++) {
        const swWide *s = column_group(b, g);
        sw_laplace_multiply(&b->A, s, b->image[worker]);
        for (int h = 0; h <= g; h++)
            products(b->n, column_group(b, h), b->image[worker],
                     b->K + (ptrdiff_t)(h * size + g) * SW_LANES, size);
        weigh(b, s, b->image[worker]);
        for (int h = 0; h <= g; h++)
            products(b->n, column_group(b, h), b->image[worker],
                     b->M + (ptrdiff_t)(h * size + g) * SW_LANES, size);
    }
}

static void mirror(int n, double *A) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            A[i * n + j] = A[j * n + i];
}

// An M-orthonormal basis of the space, as rows of C. Returns its size, 0 where numbers are spoilt.
static int orthonormal_basis(swModeBlock *b, int n, double *C, double *V, double *G) {
    double scale[SPACE], value[SPACE], work[2 * SPACE];
    int rank = 0;
    for (int i = 0; i < n; i++)
        scale[i] = b->M[i * n + i] > 0 ? 1 / sqrt(b->M[i * n + i]) : 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            G[i * n + j] = scale[i] * b->M[i * n + j] * scale[j];
    if (!sw_eigen_symmetric(n, G, value, V, work))
        return 0;
    for (int k = 0; k < n; k++) {
        if (value[k] < 1e-10)
            continue;
        for (int i = 0; i < n; i++)
            C[rank * n + i] = V[k * n + i] * scale[i] / sqrt(value[k]);
        rank++;
    }
    return rank;
}

// out = A B^T, A: na x n, B: nb x n, all by rows.
static void multiply_rows(int na, int nb, int n, const double *A, const double *B, double *out) {
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += A[i * n + k] * B[j * n + k];
            out[i * nb + j] = sum;
        }
}

// Coefficients of the next X, and of the next P: the step without its part in X, made orthogonal to
// the next X.
static bool solve_space(swModeBlock *b) {
    const int columns = b->ngroup * SW_LANES, n = 3 * columns;
    double *C = b->scratch[0], *T = b->scratch[1], *G = b->scratch[2], *V = b->scratch[3];
    double value[SPACE], work[2 * SPACE];
    mirror(n, b->K);
    mirror(n, b->M);
    const int rank = orthonormal_basis(b, n, C, V, G);
    multiply_rows(rank, n, n, C, b->K, T);
    multiply_rows(rank, rank, n, C, T, G); // C K C^T, as K is symmetric
    if (rank == 0 || !sw_eigen_symmetric(rank, G, value, V, work))
        return false;
    memset(b->X, 0, sizeof b->X);
    memset(b->P, 0, sizeof b->P);
    double *Y = T, *YM = G; // the new X by rows, and times M
    memset(Y, 0, sizeof b->scratch[1]);
    for (int c = 0; c < columns; c++) {
        b->value[c] = c < rank ? value[c] : 0;
        for (int k = 0; c < rank && k < rank; k++)
            for (int i = 0; i < n; i++)
                Y[c * n + i] += V[c * rank + k] * C[k * n + i];
    }
    multiply_rows(columns, n, n, Y, b->M, YM);
    for (int c = 0; c < columns; c++) {
        double step[SPACE] = {0};
        for (int i = columns; i < n && !b->done[c]; i++)
            step[i] = Y[c * n + i];
        for (int k = 0; k < columns; k++) {
            double dot = 0;
            for (int i = columns; i < n && !b->done[c]; i++)
                dot += YM[k * n + i] * Y[c * n + i];
            for (int i = 0; i < n; i++)
                step[i] -= dot * Y[k * n + i];
        }
        for (int i = 0; i < n; i++) {
            b->X[i * columns + c] = Y[c * n + i];
            b->P[i * columns + c] = step[i];
        }
    }
    return true;
}

static void update_nodes(int start, int end, int worker, void *arg) {
    swModeBlock *b = arg;
    (void)worker;
    const int columns = b->ngroup * SW_LANES;
    for (int i = start; i < end; i++) {
        swWide x[GROUPS], p[GROUPS];
        for (int h = 0; h < b->ngroup; h++)
            x[h] = p[h] = sw_wide(0);
        for (int g = 0; g < 3 * b->ngroup; g++) {
            double s[SW_LANES];
            sw_wide_store(s, column_group(b, g)[i]);
            for (int k = 0; k < SW_LANES; k++)
                for (int h = 0; h < b->ngroup; h++) {
                    const ptrdiff_t at = (ptrdiff_t)(g * SW_LANES + k) * columns + h * SW_LANES;
                    x[h] = sw_wide_fma(sw_wide(s[k]), sw_wide_load(b->X + at), x[h]);
                    p[h] = sw_wide_fma(sw_wide(s[k]), sw_wide_load(b->P + at), p[h]);
                }
        }
        for (int h = 0; h < b->ngroup; h++) {
            b->S[0][h][i] = x[h];
            b->S[2][h][i] = p[h];
        }
    }
}

// ---- all together ----

// The next `wanted` modes, in the first columns of X. Returns the number of iterations, or -1.
static int find_block(swModeBlock *b, int wanted, swPool *pool) {
    b->ngroup = (sw_min_int(wanted + GUARD, BLOCK) + SW_LANES - 1) / SW_LANES;
    memset(b->done, 0, sizeof b->done);
    sw_parallel_for(pool, b->ngroup, 1, start_groups, b);
    for (int iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
        sw_parallel_for(pool, 3 * b->ngroup, 1, project_groups, b);
        if (!sw_pool_goes_on(pool) || !solve_space(b))
            return -1;
        sw_parallel_for(pool, b->n, 4096, update_nodes, b);
        sw_parallel_for(pool, b->ngroup, 1, find_directions, b);
        bool all = true;
        for (int c = 0; c < wanted; c++)
            all = all && b->done[c];
        if (all)
            return iteration + 1;
    }
    return -1;
}

// Small beside the first eigenvalue: it only keeps the preconditioner regular where nothing is
// fixed.
static swReal small_shift(const swLattice *l, const swReal *stiffness) {
    swReal least = stiffness ? INFINITY : 1;
    for (int c = 0; stiffness && c < l->ncell; c++)
        least = sw_min(least, stiffness[c]);
    return 0.1 * least / sw_norm2(sw_sub(l->grid->hi, l->grid->lo));
}

static bool create_block(swModeBlock *b, const swLattice *l, swPool *pool, swArena *arena,
                         swError *error) {
    const int workers = sw_pool_size(pool);
    b->n = l->n;
    b->mass = l->volume;
    b->image = SW_NEW(arena, workers, swWide *, error);
    b->work = SW_NEW(arena, workers, swLaplaceWork, error);
    if (!b->image || !b->work)
        return false;
    for (int k = 0; k < workers; k++)
        if (!(b->image[k] = SW_NEW(arena, l->n, swWide, error)) ||
            !sw_laplace_work(&b->A, arena, &b->work[k], error))
            return false;
    return true;
}

static bool create_groups(swModeBlock *b, int ngroup, swArena *arena, swError *error) {
    for (int k = 0; k < 3; k++)
        for (int g = 0; g < ngroup; g++)
            if (!(b->S[k][g] = SW_NEW(arena, b->n, swWide, error)))
                return false;
    return true;
}

static void sort_modes(int first, int count, swReal *lambda, swReal **phi) {
    for (int i = first + 1; i < first + count; i++)
        for (int j = i; j > first && lambda[j] < lambda[j - 1]; j--) {
            swReal value = lambda[j], *vector = phi[j];
            lambda[j] = lambda[j - 1];
            lambda[j - 1] = value;
            phi[j] = phi[j - 1];
            phi[j - 1] = vector;
        }
}

static bool find_modes(swModeBlock *b, int nknown, int count, swPool *pool, swArena *arena,
                       swReal *lambda, swReal **phi, int *iterations, swError *error) {
    b->locked = phi;
    *iterations = 0;
    for (b->nlocked = nknown; b->nlocked < nknown + count;) {
        const int wanted = sw_min_int(nknown + count - b->nlocked, BLOCK - GUARD);
        const int used = find_block(b, wanted, pool);
        if (used < 0)
            return sw_fail(error, SW_ERROR_NOT_CONVERGED,
                           "modes %d to %d of the Laplacian: expected them to converge in %d "
                           "iterations",
                           b->nlocked, b->nlocked + wanted - 1, MAX_ITERATIONS);
        *iterations += used;
        for (int c = 0; c < wanted; c++, b->nlocked++) {
            swReal *to = SW_NEW(arena, b->n, swReal, error);
            if (!to)
                return false;
            const double *x = (const double *)b->S[0][c / SW_LANES];
            for (int i = 0; i < b->n; i++)
                to[i] = x[(size_t)i * SW_LANES + (size_t)(c % SW_LANES)];
            phi[b->nlocked] = to;
            lambda[b->nlocked] = b->value[c] - b->A.shift;
        }
    }
    sort_modes(nknown, count, lambda, phi);
    return true;
}

bool sw_laplace_eigenmodes(const swLattice *l, const swReal *stiffness, const char *fixed,
                           int nknown, int count, swPool *pool, swArena *arena, swReal *lambda,
                           swReal **phi, int *iterations, swError *error) {
    if (count == 0)
        return true;
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    swModeBlock *b = SW_NEW(&scratch, 1, swModeBlock, error);
    const swReal shift = nknown > 0 ? small_shift(l, stiffness) : 0;
    const int ngroup = (sw_min_int(count + GUARD, BLOCK) + SW_LANES - 1) / SW_LANES;
    const bool ok = b && sw_laplace_create(l, stiffness, fixed, shift, &scratch, &b->A, error) &&
                    create_block(b, l, pool, &scratch, error) &&
                    create_groups(b, ngroup, &scratch, error) &&
                    find_modes(b, nknown, count, pool, arena, lambda, phi, iterations, error);
    sw_arena_free(&scratch);
    return ok;
}
