// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/laplace.h"

#include "math/cholesky.h"
#include "volume/laplace_levels.h"

#include <string.h>

enum { MAX_ITERATIONS = 300 };
// Slivers of material count as this share of a cell: what they carry is nothing either way, and the
// matrix keeps its digits.
static const swReal least_fill = 1e-3;

static void fill_level0(swLaplace *A, const swReal *stiffness, const char *fixed) {
    const swLattice *l = A->lattice;
    const swGrid *g = l->grid;
    swLevel *level = &A->level[0];
    // Corners that stand for several, where the grid is one cell thick, pull as all of them do.
    const swReal element = g->h / 12 * (8.0 / l->ndistinct);
    for (int c = 0; c < l->ncell; c++) {
        swReal volume = 0;
        for (int v = g->first[l->cell[c]]; v < g->first[l->cell[c] + 1]; v++)
            volume += g->voxel[v].volume;
        const swReal fill = sw_max(least_fill, volume / (g->h * g->h * g->h));
        A->coefficient[c] = element * fill * (stiffness ? stiffness[c] : 1);
    }
    for (int i = 0; i < l->n; i++) {
        swReal sum = A->shift * l->volume[i];
        for (int e = l->start[i]; e < l->start[i + 1]; e++)
            sum += 4 * A->coefficient[l->around[e] / 8];
        level->diagonal[i] = sum;
        level->inverse[i] = fixed[i] ? 0 : 1 / sum;
    }
}

bool sw_laplace_create(const swLattice *lattice, const swReal *stiffness, const char *fixed,
                       swReal shift, swArena *arena, swLaplace *A, swError *error) {
    *A = (swLaplace){.lattice = lattice, .shift = shift, .nlevel = 1};
    A->coefficient = SW_NEW(arena, lattice->ncell, swReal, error);
    A->level = SW_NEW(arena, SW_MAX_LEVELS, swLevel, error);
    if (!A->coefficient || !A->level)
        return false;
    swLevel *level = &A->level[0];
    level->n = lattice->n;
    level->diagonal = SW_NEW(arena, level->n, swReal, error);
    level->inverse = SW_NEW(arena, level->n, swReal, error);
    if (!level->diagonal || !level->inverse)
        return false;
    fill_level0(A, stiffness, fixed);
    return sw_laplace_coarsen(A, arena, error);
}

bool sw_laplace_work(const swLaplace *A, swArena *arena, swLaplaceWork *work, swError *error) {
    const int n = A->lattice->n, last = A->nlevel - 1;
    *work = (swLaplaceWork){
        .r = SW_NEW(arena, n, swWide, error),
        .z = SW_NEW(arena, n, swWide, error),
        .p = SW_NEW(arena, n, swWide, error),
        .q = SW_NEW(arena, n, swWide, error),
        .load = SW_NEW(arena, n, swWide, error),
        .x = SW_NEW(arena, A->nlevel, swWide *, error),
        .b = SW_NEW(arena, A->nlevel, swWide *, error),
        .dense = SW_NEW(arena, A->level[last].n, double, error),
    };
    if (!work->r || !work->z || !work->p || !work->q || !work->load || !work->x || !work->b ||
        !work->dense)
        return false;
    for (int k = 1; k <= last; k++) {
        work->x[k] = SW_NEW(arena, A->level[k].n, swWide, error);
        work->b[k] = SW_NEW(arena, A->level[k].n, swWide, error);
        if (!work->x[k] || !work->b[k])
            return false;
    }
    return true;
}

bool sw_laplace_free(const swLaplace *A, int node) { return A->level[0].inverse[node] > 0; }
swReal sw_laplace_diagonal(const swLaplace *A, int node) { return A->level[0].diagonal[node]; }

// Differences first: in a stiff part that moves as one they are small, and so is their rounding.
void sw_laplace_multiply(const swLaplace *A, const swWide *x, swWide *y) {
    const swLattice *l = A->lattice;
    for (int i = 0; i < l->n; i++) {
        swWide sum = sw_wide(0);
        y[i] = sum;
        if (A->level[0].inverse[i] == 0)
            continue;
        for (int e = l->start[i]; e < l->start[i + 1]; e++) {
            const int at = l->around[e], k = at % 8, *corner = l->corner + (at - k);
            swWide part = sw_wide(0);
            for (int m = 0; m < 4; m++)
                part += x[i] - x[corner[k ^ sw_coupled[m]]];
            sum = sw_wide_fma(sw_wide(A->coefficient[at / 8]), part, sum);
        }
        y[i] = sw_wide_fma(sw_wide(A->shift * l->volume[i]), x[i], sum);
    }
}

// ---- the multigrid cycle ----

// Minus the sum of row i off the diagonal times x.
SW_INLINE swWide coupled_sum(const swLaplace *A, const swLevel *level, int i, const swWide *x) {
    swWide sum = sw_wide(0);
    if (level->off.start) {
        for (int e = level->off.start[i]; e < level->off.start[i + 1]; e++)
            sum -= sw_wide(level->off.entry[e].value) * x[level->off.entry[e].column];
        return sum;
    }
    const swLattice *l = A->lattice;
    for (int e = l->start[i]; e < l->start[i + 1]; e++) {
        const int at = l->around[e], k = at % 8, *corner = l->corner + (at - k);
        const swWide part =
            (x[corner[k ^ 3]] + x[corner[k ^ 5]]) + (x[corner[k ^ 6]] + x[corner[k ^ 7]]);
        sum = sw_wide_fma(sw_wide(A->coefficient[at / 8]), part, sum);
    }
    return sum;
}

SW_INLINE void relax(const swLaplace *A, const swLevel *level, int i, const swWide *b, swWide *x) {
    x[i] = (b[i] + coupled_sum(A, level, i, x)) * sw_wide(level->inverse[i]);
}

static void solve_coarsest(const swLaplace *A, const swLaplaceWork *work, const swWide *b,
                           swWide *x) {
    const swLevel *level = &A->level[A->nlevel - 1];
    if (!A->factor) { // too large, and nothing left to merge: Gauss-Seidel has to do
        for (int i = 0; i < level->n; i++)
            x[i] = sw_wide(0);
        for (int i = 0; i < level->n; i++)
            relax(A, level, i, b, x);
        for (int i = level->n - 1; i >= 0; i--)
            relax(A, level, i, b, x);
        return;
    }
    const double *from = (const double *)b;
    double *to = (double *)x;
    for (int lane = 0; lane < SW_LANES; lane++) {
        for (int i = 0; i < level->n; i++)
            work->dense[i] = from[SW_LANES * i + lane];
        sw_cholesky_solve(level->n, A->factor, sw_cholesky_stride(level->n), work->dense);
        for (int i = 0; i < level->n; i++)
            to[SW_LANES * i + lane] = work->dense[i];
    }
}

// x = about A^-1 b on level k: Gauss-Seidel forwards, the next level, Gauss-Seidel backwards.
static void cycle(const swLaplace *A, const swLaplaceWork *work, int k, const swWide *b,
                  swWide *x) {
    const swLevel *level = &A->level[k];
    if (k == A->nlevel - 1) {
        solve_coarsest(A, work, b, x);
        return;
    }
    const swSparse up = level->up;
    swWide *coarse_b = work->b[k + 1], *coarse_x = work->x[k + 1];
    memset(x, 0, (size_t)level->n * sizeof *x);
    memset(coarse_b, 0, (size_t)level[1].n * sizeof *coarse_b);
    for (int i = 0; i < level->n; i++)
        relax(A, level, i, b, x);
    for (int i = 0; i < level->n; i++) {
        if (up.start[i] == up.start[i + 1])
            continue;
        const swWide r = b[i] + coupled_sum(A, level, i, x) - sw_wide(level->diagonal[i]) * x[i];
        for (int e = up.start[i]; e < up.start[i + 1]; e++)
            coarse_b[up.entry[e].column] += sw_wide(up.entry[e].value) * r;
    }
    cycle(A, work, k + 1, coarse_b, coarse_x);
    for (int i = 0; i < level->n; i++)
        for (int e = up.start[i]; e < up.start[i + 1]; e++)
            x[i] += sw_wide(up.entry[e].value) * coarse_x[up.entry[e].column];
    for (int i = level->n - 1; i >= 0; i--)
        relax(A, level, i, b, x);
}

void sw_laplace_precondition(const swLaplace *A, const swLaplaceWork *work, const swWide *r,
                             swWide *z) {
    cycle(A, work, 0, r, z);
}

// ---- conjugate gradients ----

static swWide dot(int n, const swWide *a, const swWide *b) {
    swWide sum = sw_wide(0);
    for (int i = 0; i < n; i++)
        sum = sw_wide_fma(a[i], b[i], sum);
    return sum;
}

static swWide largest(int n, const swWide *a) {
    swWide most = sw_wide(0);
    for (int i = 0; i < n; i++) {
        const swWide size = sw_wide_abs(a[i]);
        // written so that not-a-number is kept
        most = sw_wide_select(SW_WIDE_MASK(size <= most), most, size);
    }
    return most;
}

// a / b where that is worth going on with, else 0: a column that is done stays as it is.
static swWide quotient(swWide a, swWide b, swMask go) {
    go &= SW_WIDE_MASK(b > 0.0);
    return sw_wide_select(go, a / sw_wide_select(go, b, sw_wide(1)), sw_wide(0));
}

swReal sw_laplace_solve(const swLaplace *A, const swLaplaceWork *work, const swWide *b, swWide *x,
                        int *iterations) {
    const int n = A->lattice->n;
    swWide *r = work->r, *z = work->z, *p = work->p, *q = work->q;
    for (int i = 0; i < n; i++)
        if (sw_laplace_free(A, i))
            x[i] = sw_wide(0);
    const swWide size = b ? sw_wide(1) : largest(n, x);
    sw_laplace_multiply(A, x, r);
    for (int i = 0; i < n; i++)
        r[i] = b && sw_laplace_free(A, i) ? b[i] - r[i] : -r[i];
    sw_laplace_precondition(A, work, r, z);
    memcpy(p, z, (size_t)n * sizeof *p);
    swWide rz = dot(n, r, z), left = largest(n, z);
    for (*iterations = 0; *iterations < MAX_ITERATIONS; ++*iterations) {
        if (!sw_pool_goes_on(A->lattice->pool))
            return INFINITY;
        const swMask go = ~SW_WIDE_MASK(left <= SW_LAPLACE_TOLERANCE * size);
        if (sw_wide_sum(sw_wide_select(go, sw_wide(1), sw_wide(0))) == 0)
            break;
        sw_laplace_multiply(A, p, q);
        const swWide alpha = quotient(rz, dot(n, p, q), go);
        for (int i = 0; i < n; i++) {
            x[i] = sw_wide_fma(alpha, p[i], x[i]);
            r[i] -= alpha * q[i];
        }
        sw_laplace_precondition(A, work, r, z);
        const swWide next = dot(n, r, z), beta = quotient(next, rz, go);
        for (int i = 0; i < n; i++)
            p[i] = sw_wide_fma(beta, p[i], z[i]);
        rz = next;
        left = sw_wide_select(go, largest(n, z), left);
    }
    double ratio[SW_LANES], worst = 0;
    sw_wide_store(ratio, quotient(left, size, ~(swMask){0}));
    for (int lane = 0; lane < SW_LANES; lane++)
        worst = isfinite(ratio[lane]) ? sw_max(worst, ratio[lane]) : INFINITY;
    return worst;
}
