// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// In which directions the weights of a region vary: along a bar in one, over a plate in two.
#pragma once

#include "math/vec.h"

typedef struct swDirections {
    int n;           // directions in which weights vary
    swMat3 axes;     // rows: those first, the one of most variation at the head
    swReal along[3]; // root mean square of the gradients, per axis
    swReal bent; // share of their squares that is not of their mean: none where weights are linear
    bool wall;   // whether a part that cannot get thinner touches the region; set by who knows
} swDirections;

// From the gradients of n weights, three numbers each, in `count` places.
swDirections sw_directions_of(int count, int n, const swReal *gradient);
// Coordinate axis k turned into the directions in which weights vary, so that a cut across it cuts
// a bar in two lengths, not its section. Zero where the axis is too far from them.
swVec3 sw_directions_turn(const swDirections *found, int k);
