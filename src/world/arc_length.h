// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Following equilibria over limit points: the load is an unknown like the others, and a step goes
// a given way along the path of both.
#pragma once

#include "world/body.h"

// The present point of the path is the state's q, in equilibrium under `load`.
typedef struct swArc {
    const swBodyModel *model;
    swBodyState *state;
    swArena arena;
    swReal load;
    swReal *tangent;      // n + 1: of all unknowns, the last one of the load; a unit vector
    swReal *metric;       // n + 1: what squares are multiplied by
    swReal *matrix;       // (n + 1)^2
    swReal *slope;        // n: of the residual, over the load
    swReal *step, *total; // n + 1
    swReal length, least; // of the next step, and of any
    swReal size;          // by which the load changes in a step, at most
    int iterations;       // of the last one
} swArc;

// Sets up for steps like a load increment of `size`. False without memory or a tangent; free it in
// any case.
bool sw_arc_start(swArc *arc, const swBodyModel *model, swBodyState *state, swReal load,
                  swReal size);
void sw_arc_free(swArc *arc);
// Finds the next point into work->q_new, and its load; nothing is changed in the state.
bool sw_arc_advance(swArc *arc, swReal *load);
// work->q_new, of that load, is the present point now. False where the path cannot go on as
// straight as that: nothing has changed then.
bool sw_arc_turn(swArc *arc, swReal load);
// The next step is shorter. False where it cannot be.
bool sw_arc_shorten(swArc *arc);
