// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Hat weights: piecewise linear along an axis, through all frames; a handle is one over its whole
// extent.
#include "weights/weights.h"

#include <string.h>

typedef struct {
    swReal lo, hi; // the stretch where the site's weight is one
    int site;
} swKnot;

typedef struct {
    swVec3 axis;
    swKnot *knot; // ascending
    swReal near;  // lengths below are rounding
} swHat;

// The stretch of the axis that a box covers.
static void project(swVec3 axis, swVec3 lo, swVec3 hi, swReal *from, swReal *to) {
    *from = *to = 0;
    for (int k = 0; k < 3; k++) {
        swReal a = sw_get(axis, k) * sw_get(lo, k), b = sw_get(axis, k) * sw_get(hi, k);
        *from += sw_min(a, b);
        *to += sw_max(a, b);
    }
}

static swVec3 longest_side(const swGrid *g) {
    swVec3 d = sw_sub(g->hi, g->lo);
    return d.x >= d.y && d.x >= d.z ? sw_v3(1, 0, 0) : d.y >= d.z ? sw_v3(0, 1, 0) : sw_v3(0, 0, 1);
}

static bool prepare(swWeightField *f, swPool *pool, swArena *arena, swError *error) {
    (void)pool;
    swHat *hat = SW_NEW(arena, 1, swHat, error);
    if (!hat || !(hat->knot = SW_NEW(arena, f->nsite, swKnot, error)))
        return false;
    hat->axis = sw_norm(f->def->axis) > 0 ? sw_unit(f->def->axis) : longest_side(f->lattice->grid);
    for (int i = 0; i < f->nsite; i++) {
        swKnot knot = {.site = i};
        if (f->site[i].region)
            project(hat->axis, f->site[i].lo, f->site[i].hi, &knot.lo, &knot.hi);
        else
            knot.lo = knot.hi = sw_dot(hat->axis, f->site[i].origin);
        int at = i;
        for (; at > 0 && hat->knot[at - 1].lo > knot.lo; at--)
            hat->knot[at] = hat->knot[at - 1];
        hat->knot[at] = knot;
    }
    hat->near = 1e-9 * sw_norm(sw_sub(f->lattice->grid->hi, f->lattice->grid->lo));
    for (int i = 1; i < f->nsite; i++)
        if (hat->knot[i].lo - hat->knot[i - 1].hi < 4 * hat->near)
            return sw_fail(
                error, SW_ERROR_VALUE,
                "hat weights need frames apart from each other along the axis; %s and %s are not",
                f->site[hat->knot[i - 1].site].key, f->site[hat->knot[i].site].key);
    f->data = hat;
    return true;
}

// At the frame of knot k itself the slope is the mean of both sides: what a voxel that lies across
// the kink has. Handles are rigid, and have none.
static void slope_at_knot(const swWeightField *f, const swHat *hat, int k, swReal *dw) {
    const swKnot *knot = &hat->knot[k];
    if (f->site[knot->site].region)
        return;
    const swReal before = k > 0 ? 0.5 / (knot->lo - knot[-1].hi) : 0,
                 after = k + 1 < f->nsite ? 0.5 / (knot[1].lo - knot->hi) : 0;
    for (int i = 0; i < 3; i++) {
        const swReal axis = sw_get(hat->axis, i);
        dw[3 * knot->site + i] = (before - after) * axis;
        if (k > 0)
            dw[3 * knot[-1].site + i] = -before * axis;
        if (k + 1 < f->nsite)
            dw[3 * knot[1].site + i] = after * axis;
    }
}

static void evaluate(const swWeightField *f, int n, const swVec3 *p, const int *cell, swReal *w,
                     swReal *dw) {
    (void)cell;
    const swHat *hat = f->data;
    memset(w, 0, (size_t)n * (size_t)f->nsite * sizeof *w);
    memset(dw, 0, 3 * (size_t)n * (size_t)f->nsite * sizeof *dw);
    for (int i = 0; i < n; i++, w += f->nsite, dw += 3 * f->nsite) {
        swReal s = sw_dot(hat->axis, p[i]);
        int right = 0;
        while (right < f->nsite && hat->knot[right].lo <= s + hat->near)
            right++;
        if (right == 0 || right == f->nsite || s <= hat->knot[right - 1].hi + hat->near) {
            const int own = right == 0 ? 0 : right - 1;
            w[hat->knot[own].site] = 1;
            if (fabs(s - hat->knot[own].hi) <= hat->near)
                slope_at_knot(f, hat, own, dw);
            continue;
        }
        const swKnot *a = &hat->knot[right - 1], *b = &hat->knot[right];
        swReal slope = 1 / (b->lo - a->hi);
        w[b->site] = (s - a->hi) * slope;
        w[a->site] = 1 - w[b->site];
        for (int k = 0; k < 3; k++) {
            dw[3 * b->site + k] = slope * sw_get(hat->axis, k);
            dw[3 * a->site + k] = -dw[3 * b->site + k];
        }
    }
}

// Along a coordinate axis the ends of every knot are planes.
static int kinks(const swWeightField *f, int *axis, swReal *plane) {
    const swHat *hat = f->data;
    int count = 0;
    for (*axis = 0; *axis < 3 && fabs(sw_get(hat->axis, *axis)) < 1 - 1e-12;)
        ++*axis;
    if (*axis == 3)
        return 0;
    const swReal sign = sw_get(hat->axis, *axis) < 0 ? -1 : 1;
    for (int i = 0; i < f->nsite;
         i++) { // ascending along the axis itself, whichever way the hat runs
        const swKnot *knot = &hat->knot[sign > 0 ? i : f->nsite - 1 - i];
        plane[count++] = sign * (sign > 0 ? knot->lo : knot->hi);
        if (knot->hi > knot->lo)
            plane[count++] = sign * (sign > 0 ? knot->hi : knot->lo);
    }
    return count;
}

const swWeightKind sw_weights_hat = {
    .name = "hat",
    .doc = "piecewise linear along an axis: beams and rods",
    .prepare = prepare,
    .evaluate = evaluate,
    .kinks = kinks,
};
