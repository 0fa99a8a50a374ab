// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Distances through the material: a front spreads from where it starts, at a cost per length that
// each cell has, and reaches every node of the lattice at its distance (fast marching; a cell is
// crossed in straight lines between its corners, edges and faces included, so directions along any
// of the 26 neighbours are exact; ten cells away from a point the others are at most 3 % too long,
// 1 % in the mean).
#pragma once

#include "volume/lattice.h"

// A node on its way through the queue.
typedef struct swFront {
    swReal time;
    int node;
} swFront;

typedef struct swMarch {
    const swLattice *lattice;
    const swReal *cost;  // per filled cell; NULL: 1
    swReal *time;        // per node: the distance; INFINITY where no front came
    int *label;          // per node: which front came first; NULL: not wanted
    const swReal *first; // with `label` given: distances of the first fronts; `time` then becomes
                         // that of the second, of another label. NULL: the usual
    swReal *carry;       // per node: a number that the front brings from where it started; or NULL
    const swReal *limit; // per node: a front that comes later goes no further; NULL: never
    swReal most;         // the same for all of them; 0: none
    const int *wall;     // per node: no front enters where this is `stamp`; NULL: everywhere
    int stamp;
    int *reached, nreached; // the nodes whose time is not infinite, in the order they were met
    swFront *heap;
    int *position, count;
} swMarch;

// Costs of the cells for a kind of distance: NULL for geodesic ones, or where all is equally stiff;
// 1 in the softest cell and less in stiffer ones for compliance.
bool sw_march_cost(const swLattice *lattice, swDistance distance, swArena *arena,
                   const swReal **cost, swError *error);
// What an edge of a cell costs.
static inline swReal sw_march_edge(const swLattice *lattice, const swReal *cost, int cell) {
    return lattice->grid->h * (cost ? cost[cell] : 1);
}
// Arrays for `time` and the front; no node is reached. The others are the caller's to set.
bool sw_march_create(swMarch *march, const swLattice *lattice, const swReal *cost, swArena *arena,
                     swError *error);
void sw_march_clear(swMarch *march); // nothing is reached
void sw_march_start(swMarch *march, int node, swReal time, int label, swReal carry);
// Starts second fronts wherever two labels meet: see `first`.
void sw_march_start_second(swMarch *march);
// Until no front moves, or the lattice's pool is stopped. May be started and run again: fronts go
// on where they come earlier.
void sw_march_run(swMarch *march);

// Which nodes each of several sources has: those that it is nearest to. What is as near to several
// has a share in each, so that nothing depends on who comes first.
typedef struct swShare {
    int node;
    swReal much;
} swShare;
typedef struct swShares {
    SW_LIST(swShare)
    list;
    int *first; // [sources + 1]
} swShares;
typedef void swStartSource(const void *context, int source, swMarch *march);
// `march` has been run from all of them.
bool sw_march_share(const swMarch *march, int nsource, swStartSource *start, const void *context,
                    swArena *arena, swShares *out, swError *error);
