// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Frames and handles in a row along an axis, given or the body's longest side: what kinds of
// weights for rods are made of.
#pragma once

#include "weights/weights.h"

typedef struct swKnot {
    swReal lo, hi; // the stretch where the site's weight is one: a frame has none, a handle its own
    int site;
    bool handle;
} swKnot;

typedef struct swChain {
    swVec3 axis;
    int nknot;
    swKnot *knot; // ascending, apart from each other
    swReal near;  // lengths below are rounding
} swChain;

// Sorts the sites of `field`; fails where two of them are not apart along the axis.
bool sw_chain_create(const swWeightField *field, swArena *arena, swChain *chain, swError *error);
// The last knot that does not begin past s; the first where all do. True where that knot has all:
// s is on it, or beyond an end of the chain. False between that knot and the next.
bool sw_chain_find(const swChain *chain, swReal s, int *knot);
// A kinks() of swWeightKind: along a coordinate axis the ends of knots are planes; of `smooth`
// chains, those of handles and of the chain itself.
int sw_chain_kinks(const swChain *chain, bool smooth, int *axis, swReal *plane);
