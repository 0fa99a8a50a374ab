// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Hat weights: piecewise linear along an axis, through all frames; a handle is one over its whole
// extent.
#include "weights/chain.h"

#include <string.h>

static bool prepare(swWeightField *f, swPool *pool, swArena *arena, swError *error) {
    (void)pool;
    f->data = SW_NEW(arena, 1, swChain, error);
    return f->data && sw_chain_create(f, arena, f->data, error);
}

// At the frame of knot k itself the slope is the mean of both sides: what a voxel that lies across
// the kink has. Handles are rigid, and have none.
static void slope_at_knot(const swChain *chain, int k, swReal *dw) {
    const swKnot *knot = &chain->knot[k];
    if (knot->handle)
        return;
    const swReal before = k > 0 ? 0.5 / (knot->lo - knot[-1].hi) : 0,
                 after = k + 1 < chain->nknot ? 0.5 / (knot[1].lo - knot->hi) : 0;
    for (int i = 0; i < 3; i++) {
        const swReal axis = sw_get(chain->axis, i);
        dw[3 * knot->site + i] = (before - after) * axis;
        if (k > 0)
            dw[3 * knot[-1].site + i] = -before * axis;
        if (k + 1 < chain->nknot)
            dw[3 * knot[1].site + i] = after * axis;
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
        int k;
        if (sw_chain_find(chain, s, &k)) {
            w[chain->knot[k].site] = 1;
            if (fabs(s - chain->knot[k].hi) <= chain->near)
                slope_at_knot(chain, k, dw);
            continue;
        }
        const swKnot *a = &chain->knot[k], *b = a + 1;
        swReal slope = 1 / (b->lo - a->hi);
        w[b->site] = (s - a->hi) * slope;
        w[a->site] = 1 - w[b->site];
        for (int d = 0; d < 3; d++) {
            dw[3 * b->site + d] = slope * sw_get(chain->axis, d);
            dw[3 * a->site + d] = -dw[3 * b->site + d];
        }
    }
}

static int kinks(const swWeightField *f, int *axis, swReal *plane) {
    return sw_chain_kinks(f->data, false, axis, plane);
}

const swWeightKind sw_weights_hat = {
    .name = "hat",
    .doc = "piecewise linear along an axis, for beams and rods",
    .prepare = prepare,
    .evaluate = evaluate,
    .kinks = kinks,
    .row = true,
};
