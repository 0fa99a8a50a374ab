// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "solve/linear.h"

#include "math/vec.h"

#include <string.h>

enum { MANY = 1000, MAX_STRENGTHENINGS = 12 };

// What decides in `auto`, as measured: in the time of an iteration of conjugate gradients, which is
// that of four products with A, factors come as far as 32 products have flops, being eight times as
// fast at them. More numbers than these are too many for factors.
static const double flops_of_iteration = 32, much_memory = 4e8;

static bool choose_gradients(swLinear *l, swArena *arena, swError *error) {
    l->kind = SW_LINEAR_CG;
    l->vertices = sw_incomplete_applies(l->A);
    return l->vertices ? sw_incomplete_create(&l->about, l->A, arena, error)
                       : sw_factor_plan(&l->factor, l->A, SW_FACTOR_INCOMPLETE, NULL, arena, error);
}

// Room for factors. Panels are merged where this is faster, so that a full matrix is factored as a
// dense one.
static bool choose(swLinear *l, swLinearKind kind, int iterations, swArena *arena, swError *error) {
    static const swFactorKind factor[] = {[SW_LINEAR_AUTO] = SW_FACTOR_SPARSE,
                                          [SW_LINEAR_DENSE] = SW_FACTOR_DENSE,
                                          [SW_LINEAR_SPARSE] = SW_FACTOR_SPARSE};
    if (kind == SW_LINEAR_CG)
        return choose_gradients(l, arena, error);
    const double product = 4 * (double)l->A->count; // flops
    const swFactorLimit limit = {iterations * flops_of_iteration * product, much_memory};
    const bool free = kind == SW_LINEAR_AUTO;
    l->kind = free ? SW_LINEAR_SPARSE : kind;
    if (!sw_factor_plan(&l->factor, l->A, factor[kind], free ? &limit : NULL, arena, error))
        return false;
    if (!l->factor.beyond)
        return true;
    return choose_gradients(l, arena, error);
}

bool sw_linear_create(swLinear *l, const swBlocks *A, swLinearKind kind, int iterations,
                      swArena *arena, swError *error) {
    const int n = sw_blocks_rows(A);
    *l = (swLinear){.A = A};
    if (!choose(l, kind, iterations, arena, error) ||
        (!l->vertices && !sw_factor_allocate(&l->factor, arena, error)))
        return false;
    if (l->kind != SW_LINEAR_CG)
        return true;
    l->r = SW_NEW(arena, n, swReal, error);
    l->p = SW_NEW(arena, n, swReal, error);
    l->z = SW_NEW(arena, n, swReal, error);
    l->y = SW_NEW(arena, n, swReal, error);
    return l->r && l->p && l->z && l->y;
}

void sw_linear_watch(swLinear *l, swPool *pool) { l->pool = l->factor.pool = pool; }

// The incomplete factor of a positive definite matrix need not exist: then that of the matrix with
// a stronger diagonal is taken.
static bool prepare_gradients(swLinear *l) {
    const int n = sw_blocks_rows(l->A);
    sw_blocks_diagonal(l->A, l->y);
    for (int i = 0; i < n; i++) {
        l->y[i] += l->scale ? l->shift * l->scale[i] : 0;
        if (!(l->y[i] > (l->scale ? l->least * l->scale[i] : 0)))
            return false;
    }
    if (l->vertices) {
        for (int k = 0; k < n; k++)
            l->z[k] = l->scale ? l->shift * l->scale[k] : 0;
        return sw_incomplete_compute(&l->about, l->A, l->z);
    }
    swReal stronger = 0;
    for (int i = 0; i < MAX_STRENGTHENINGS; i++, stronger = i == 1 ? 1e-3 : 4 * stronger) {
        for (int k = 0; k < n; k++)
            l->z[k] = stronger * l->y[k] + (l->scale ? l->shift * l->scale[k] : 0);
        if (sw_factor_compute(&l->factor, l->A, 1, 0, l->z))
            return true;
    }
    return false;
}

bool sw_linear_prepare(swLinear *l, swReal shift, swReal least, const swReal *scale) {
    l->shift = shift;
    l->least = least;
    l->scale = scale;
    l->iterations = 0;
    l->prepared++;
    l->diagonal = !scale && sw_blocks_is_diagonal(l->A);
    if (l->diagonal)
        return true;
    if (l->kind == SW_LINEAR_CG)
        return prepare_gradients(l);
    return sw_factor_compute(&l->factor, l->A, shift, least, scale);
}

// y := (A + shift diag(scale)) p. Returns p . y, or 0 where it is not above `least` p . scale p.
static swReal multiply(const swLinear *l, int n) {
    swReal along = 0, soft = 0;
    sw_blocks_multiply(l->A, l->p, l->y);
    for (int i = 0; i < n; i++) {
        if (l->scale) {
            l->y[i] += l->shift * l->scale[i] * l->p[i];
            soft += l->scale[i] * l->p[i] * l->p[i];
        }
        along += l->p[i] * l->y[i];
    }
    return along > l->least * soft ? along : 0;
}

void sw_linear_apply(const swLinear *l, swReal *x) {
    if (l->vertices)
        sw_incomplete_solve(&l->about, x);
    else
        sw_factor_solve(&l->factor, l->A, x);
}

static swLinearResult solve_gradients(swLinear *l, const swReal *b, swReal *x, swReal tolerance) {
    const int n = sw_blocks_rows(l->A), most = 2 * sw_min_int(n, MANY) + 100;
    swReal first = 0, rz = 0;
    memcpy(l->r, b, (size_t)n * sizeof *b);
    memset(x, 0, (size_t)n * sizeof *x);
    memset(l->p, 0, (size_t)n * sizeof *l->p);
    for (l->iterations = 0; l->iterations < most; l->iterations++) {
        const swReal last = rz;
        if (!sw_pool_goes_on(l->pool))
            return SW_LINEAR_STOPPED;
        memcpy(l->z, l->r, (size_t)n * sizeof *l->z);
        sw_linear_apply(l, l->z);
        rz = sw_dot_n(n, l->r, l->z);
        if (l->iterations == 0)
            first = rz;
        if (rz <= tolerance * tolerance * first)
            return SW_LINEAR_SOLVED;
        const swReal beta = l->iterations == 0 ? 0 : rz / last;
        for (int i = 0; i < n; i++)
            l->p[i] = l->z[i] + beta * l->p[i];
        const swReal along = multiply(l, n);
        if (!(along > 0))
            return SW_LINEAR_INDEFINITE;
        const swReal step = rz / along;
        for (int i = 0; i < n; i++) {
            x[i] += step * l->p[i];
            l->r[i] -= step * l->y[i];
        }
    }
    return SW_LINEAR_NOT_CONVERGED;
}

static swLinearResult solve_diagonal(swLinear *l, const swReal *b, swReal *x) {
    sw_blocks_diagonal(l->A, x);
    for (int i = 0; i < sw_blocks_rows(l->A); i++) {
        if (!(x[i] > 0))
            return SW_LINEAR_INDEFINITE;
        x[i] = b[i] / x[i];
    }
    return SW_LINEAR_SOLVED;
}

swLinearResult sw_linear_solve(swLinear *l, const swReal *b, swReal *x, swReal tolerance) {
    if (l->diagonal)
        return solve_diagonal(l, b, x);
    if (l->kind == SW_LINEAR_CG)
        return solve_gradients(l, b, x, tolerance);
    memcpy(x, b, (size_t)sw_blocks_rows(l->A) * sizeof *x);
    sw_factor_solve(&l->factor, l->A, x);
    return SW_LINEAR_SOLVED;
}
