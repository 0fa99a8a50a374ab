// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "volume/lattice.h"

// A point, or the material that a region touches, from which distances are measured.
typedef struct swSource {
    swVec3 point;
    int cell;  // filled cell that holds the point, or -1
    int nnode; // lattice nodes at distance zero, besides the corners of `cell`
    const int *node;
} swSource;

// Shortest paths through the material (Dijkstra over the 26 neighbours of each lattice node: at
// most 13 % too long in the worst direction). distance[i] is the least over all sources (INFINITY
// where none reaches), label[i] (may be NULL) which one. Works on `heap`, room for lattice->n + 1
// ints, and `position`, lattice->n ints.
typedef struct swDistanceWork {
    int *heap, *position;
} swDistanceWork;
bool sw_distance_create(const swLattice *lattice, swArena *arena, swDistanceWork *work,
                        swError *error);
void sw_distance(const swLattice *lattice, const swDistanceWork *work, int nsource,
                 const swSource *source, swReal *distance, int *label);
