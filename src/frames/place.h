// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "volume/march.h"
#include "volume/mirrors.h"

// A frame or handle that stays: where its weight is one.
typedef struct swSource {
    int nnode;
    const int *node;
} swSource;

// The nodes of a frame at p in filled cell c: the corners whose shape functions are not zero there.
// Returns how many.
int sw_frame_nodes(const swLattice *lattice, int cell, swVec3 p, int node[8]);

typedef struct swPlacement {
    int nfixed;
    const swSource *fixed;
    int count;    // frames to place; at most, where there is an `error`
    swReal error; // not-a-number: exactly `count`
    const swReal *cost;
    const swMirrors *mirrors; // of the body and what is fixed
} swPlacement;

// A stretch of an axis.
typedef struct swStretch {
    swReal lo, hi;
} swStretch;

// Places `count` frames in a row along a unit vector, evenly between and beyond the stretches that
// are taken, each in the middle of the material there: the outermost where the body ends
// (`at_ends`) or half a spacing before. `taken` is sorted.
bool sw_frames_row(const swLattice *lattice, swVec3 axis, int ntaken, swStretch *taken, int count,
                   bool at_ends, swArena *arena, swVec3 *at, swError *error);

// Places frames by farthest-point sampling and Lloyd relaxation, away from the fixed sources, in
// the distance that `cost` makes (volume/march.h). Positions are inside the material, half-way
// between nodes of the lattice or on them, so that frames are exactly where their weights are one.
// With an error given: as many as it takes until no material is farther from a frame than
// sqrt(error) times what it was with the first one; the displacement of a body bent by its load is
// quadratic between frames, hence the square. Where the body is its own mirror image, the frames
// are one another's, or their own, if that can be. `at` has room for `count`; *placed says how many
// there are.
bool sw_frames_place(const swLattice *lattice, const swPlacement *placement, swArena *arena,
                     swVec3 *at, int *placed, swError *error);
