// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A model with inserted frames, made from one without: nodes, columns, pairs and mass blocks are
// added, and everything else is as it was. Samples that a bump moves go to groups of their own:
// blocks of samples change places, and zones with them, which are never cut.
#pragma once

#include "kinematics/bump.h"

// Bumps by body, and in a body as its last nodes are. `cross` holds the masses of two of them, i >=
// j, at SW_INSERTS i + j, or NULL.
typedef struct swBumps {
    int n;
    const swBump *bump[SW_INSERTS];
    const swReal *cross[SW_INSERTS * SW_INSERTS];
} swBumps;

typedef struct swDerived {
    swBodyModel *model; // NULL: there is none
    swArena arena;
    // Where the base model's nodes, blocks of samples and zones are now.
    int *node, *block, *zone;
    int64_t *plastic; // of each block: where it is in the state's `plastic`, or -1
    int *bump_node;   // and the bumps' nodes
} swDerived;

// Memory comes from and goes to the spare block where it fits.
bool sw_derived_create(swDerived *derived, const swBodyModel *base, const swBumps *bumps,
                       swSpare *spare, swError *error);
// Numbers of the base model's nodes, as q is, out of those of a model made from it (or of itself).
void sw_base_numbers(const swBodyModel *base, const swBodyModel *model, const swReal *from,
                     swReal *to);
void sw_derived_destroy(swDerived *derived, swSpare *spare);
