// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/chain.h"

// The stretch of the axis that a box covers.
static void project(swVec3 axis, swVec3 lo, swVec3 hi, swReal *from, swReal *to) {
    *from = *to = 0;
    for (int k = 0; k < 3; k++) {
        swReal a = sw_get(axis, k) * sw_get(lo, k), b = sw_get(axis, k) * sw_get(hi, k);
        *from += sw_min(a, b);
        *to += sw_max(a, b);
    }
}

swVec3 sw_weights_axis(const swWeightsDef *def, const swGrid *g) {
    const swVec3 d = sw_sub(g->hi, g->lo);
    if (sw_norm(def->axis) > 0)
        return sw_unit(def->axis);
    return d.x >= d.y && d.x >= d.z ? sw_v3(1, 0, 0) : d.y >= d.z ? sw_v3(0, 1, 0) : sw_v3(0, 0, 1);
}

bool sw_chain_create(const swWeightField *f, swArena *arena, swChain *chain, swError *error) {
    const swGrid *g = f->lattice->grid;
    *chain = (swChain){.axis = sw_weights_axis(f->def, g),
                       .nknot = f->nsite,
                       .knot = SW_NEW(arena, f->nsite, swKnot, error),
                       .near = 1e-9 * sw_norm(sw_sub(g->hi, g->lo))};
    if (!chain->knot)
        return false;
    for (int i = 0; i < f->nsite; i++) {
        swKnot knot = {.site = i, .handle = f->site[i].cell < 0};
        if (knot.handle)
            project(chain->axis, f->site[i].lo, f->site[i].hi, &knot.lo, &knot.hi);
        else
            knot.lo = knot.hi = sw_dot(chain->axis, f->site[i].origin);
        int at = i;
        for (; at > 0 && chain->knot[at - 1].lo > knot.lo; at--)
            chain->knot[at] = chain->knot[at - 1];
        chain->knot[at] = knot;
    }
    for (int i = 1; i < chain->nknot; i++)
        if (chain->knot[i].lo - chain->knot[i - 1].hi < 4 * chain->near)
            return sw_fail(
                error, SW_ERROR_VALUE,
                "%s weights need frames apart from each other along the axis; %s and %s are not",
                f->kind->name, f->site[chain->knot[i - 1].site].key,
                f->site[chain->knot[i].site].key);
    return true;
}

bool sw_chain_find(const swChain *chain, swReal s, int *knot) {
    int right = 0;
    while (right < chain->nknot && chain->knot[right].lo <= s + chain->near)
        right++;
    *knot = right == 0 ? 0 : right - 1;
    return right == 0 || right == chain->nknot || s <= chain->knot[*knot].hi + chain->near;
}

int sw_chain_kinks(const swChain *chain, bool smooth, int *axis, swReal *plane) {
    int count = 0;
    for (*axis = 0; *axis < 3 && fabs(sw_get(chain->axis, *axis)) < 1 - 1e-12;)
        ++*axis;
    if (*axis == 3)
        return 0;
    const swReal sign = sw_get(chain->axis, *axis) < 0 ? -1 : 1;
    for (int i = 0; i < chain->nknot; i++) {
        // ascending along the axis itself, whichever way the chain runs
        const swKnot *knot = &chain->knot[sign > 0 ? i : chain->nknot - 1 - i];
        if (smooth && !knot->handle && i > 0 && i + 1 < chain->nknot)
            continue;
        plane[count++] = sign * (sign > 0 ? knot->lo : knot->hi);
        if (knot->hi > knot->lo)
            plane[count++] = sign * (sign > 0 ? knot->hi : knot->lo);
    }
    return count;
}
