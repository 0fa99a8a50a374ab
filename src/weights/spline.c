// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Spline weights: Catmull-Rom along an axis, through all frames. Between two knots they are the
// cubic with, at each, the slope of the parabola through the knot and its neighbours: constant,
// linear and quadratic data are reproduced, and rigid frames bend without shear.
//
// A handle is an end on either side. It is rigid, what is behind it is not felt, and the slope
// jumps there, as the strain of a beam does at its clamp: it is that of the parabola through the
// handle and the next two. Where the chain ends in a frame the cubic has no curvature, as a beam
// has none at its free end. A parabola there too would reproduce quadratics up to the end, but then
// sum_i w_i x_i (x - x_i) = 0: some motions of affine frames would move nothing, and the stiffness
// be singular.
#include "weights/chain.h"

#include <string.h>

enum { MAX_RATIO = 10 }; // of gaps side by side: weights go up to a quarter of it

static bool prepare(swWeightField *f, swPool *pool, swArena *arena, swError *error) {
    (void)pool;
    swChain *chain = SW_NEW(arena, 1, swChain, error);
    if (!chain || !sw_chain_create(f, arena, chain, error))
        return false;
    for (int i = 1; i + 1 < chain->nknot; i++) {
        const swKnot *k = &chain->knot[i];
        const swReal before = k->lo - k[-1].hi, after = k[1].lo - k->hi,
                     ratio = sw_max(before, after) / sw_min(before, after);
        if (!k->handle && ratio > MAX_RATIO)
            return sw_fail(error, SW_ERROR_VALUE,
                           "spline weights need frames about evenly spaced: expected distances "
                           "along the axis to the neighbours of %s within a factor of %d, found "
                           "%.4g and %.4g",
                           f->site[k->site].key, MAX_RATIO, before, after);
    }
    f->data = chain;
    return true;
}

// The slope at s of the parabola through x[0], x[1], x[2], as factors of the values there.
static void parabola_slope(const swReal x[3], swReal s, swReal factor[3]) {
    for (int i = 0; i < 3; i++) {
        const swReal y = x[(i + 1) % 3], z = x[(i + 2) % 3];
        factor[i] = (2 * s - y - z) / ((x[i] - y) * (x[i] - z));
    }
}

// The slope at one end of a gap of length h, given that at the other, where the cubic is not
// curved.
static void free_slope(swReal h, const swReal other[4], swReal slope[4]) {
    for (int i = 0; i < 4; i++)
        slope[i] = -0.5 * other[i];
    slope[1] -= 1.5 / h;
    slope[2] += 1.5 / h;
}

// Slopes at knots k and k + 1, on the side of the gap between them, as factors of the values at
// knots k - 1 .. k + 2.
static void gap_slopes(const swChain *chain, int k, swReal from[4], swReal to[4]) {
    const swKnot *a = &chain->knot[k], *b = a + 1;
    const bool a_end = k == 0 || a->handle, b_end = k + 2 == chain->nknot || b->handle;
    const swReal h = b->lo - a->hi;
    for (int i = 0; i < 4; i++)
        from[i] = to[i] = 0;
    if (a_end && b_end) { // a straight line
        from[1] = to[1] = -1 / h;
        from[2] = to[2] = 1 / h;
        return;
    }
    const swReal x[4] = {a_end ? 0 : a[-1].hi, a->hi, b->lo, b_end ? 0 : b[1].lo};
    if (!a_end || a->handle)
        parabola_slope(x + (a_end ? 1 : 0), a->hi, from + (a_end ? 1 : 0));
    if (!b_end || b->handle)
        parabola_slope(x + (b_end ? 0 : 1), b->lo, to + (b_end ? 0 : 1));
    if (a_end && !a->handle)
        free_slope(h, to, from);
    if (b_end && !b->handle)
        free_slope(h, from, to);
}

// Weights and slopes of knots k - 1 .. k + 2 at s between knots k and k + 1: Hermite's cubic.
static void evaluate_gap(const swChain *chain, int k, swReal s, swReal w[4], swReal dw[4]) {
    const swKnot *a = &chain->knot[k], *b = a + 1;
    const swReal h = b->lo - a->hi, t = (s - a->hi) / h, r = 1 - t;
    swReal from[4], to[4];
    gap_slopes(chain, k, from, to);
    for (int i = 0; i < 4; i++) {
        w[i] = h * t * r * (r * from[i] - t * to[i]);
        dw[i] = r * (1 - 3 * t) * from[i] + t * (3 * t - 2) * to[i];
    }
    w[1] += r * r * (1 + 2 * t);
    w[2] += t * t * (3 - 2 * t);
    dw[1] -= 6 * t * r / h;
    dw[2] += 6 * t * r / h;
}

static void put_gap(const swChain *chain, int k, const swReal *value, const swReal *slope,
                    swReal scale, swReal *w, swReal *dw) {
    for (int i = 0; i < 4; i++) {
        const int at = k - 1 + i;
        if (at < 0 || at >= chain->nknot)
            continue;
        const int site = chain->knot[at].site;
        if (value)
            w[site] = value[i];
        for (int d = 0; d < 3; d++)
            dw[3 * site + d] += scale * slope[i] * sw_get(chain->axis, d);
    }
}

// On a frame the slope is the mean of both sides, which are the same unless the chain ends there.
// Handles are rigid, and have none.
static void slope_at_knot(const swChain *chain, int k, swReal *dw) {
    swReal value[4], slope[4];
    if (chain->knot[k].handle)
        return;
    for (int side = 0; side < 2; side++)
        if (k - side >= 0 && k - side + 1 < chain->nknot) {
            evaluate_gap(chain, k - side, chain->knot[k].lo, value, slope);
            put_gap(chain, k - side, NULL, slope, 0.5, NULL, dw);
        }
}

static void evaluate(const swWeightField *f, int n, const swVec3 *p, const int *cell, swReal *w,
                     swReal *dw) {
    (void)cell;
    const swChain *chain = f->data;
    memset(w, 0, (size_t)n * (size_t)f->nsite * sizeof *w);
    memset(dw, 0, 3 * (size_t)n * (size_t)f->nsite * sizeof *dw);
    for (int i = 0; i < n; i++, w += f->nsite, dw += 3 * f->nsite) {
        const swReal s = sw_dot(chain->axis, p[i]);
        swReal value[4], slope[4];
        int k;
        if (sw_chain_find(chain, s, &k)) {
            w[chain->knot[k].site] = 1;
            if (fabs(s - chain->knot[k].hi) <= chain->near)
                slope_at_knot(chain, k, dw);
        } else {
            evaluate_gap(chain, k, s, value, slope);
            put_gap(chain, k, value, slope, 1, w, dw);
        }
    }
}

static int kinks(const swWeightField *f, int *axis, swReal *plane) {
    return sw_chain_kinks(f->data, true, axis, plane);
}

const swWeightKind sw_weights_spline = {
    .name = "spline",
    .doc = "Catmull-Rom spline along an axis, for beams and rods with few frames; may be negative",
    .prepare = prepare,
    .evaluate = evaluate,
    .negative = true,
    .kinks = kinks,
    .row = true,
};
