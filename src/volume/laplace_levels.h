// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Inside of volume/laplace.h: the levels of the multigrid.
#pragma once

#include "volume/laplace.h"

typedef struct swEntry {
    swReal value;
    int column;
} swEntry;

typedef struct swSparse { // by rows
    int *start;
    swEntry *entry;
} swSparse;

struct swLevel {
    int n;
    swReal *diagonal, *inverse; // inverse: 1 / diagonal, 0 at fixed nodes
    swSparse off;               // rows off the diagonal; level 0 has the lattice instead
    swSparse up;                // prolongation from the next level; none on the coarsest
};

enum {
    SW_MAX_LEVELS = 16,
    SW_DENSE = 400 // nodes of a level that is solved directly
};

// The corners that corner k of a cell is coupled with are k ^ 3, k ^ 5, k ^ 6 and k ^ 7.
static const int sw_coupled[4] = {3, 5, 6, 7};

// Makes level[1], ... from level[0], and the factor of the last.
bool sw_laplace_coarsen(swLaplace *laplace, swArena *arena, swError *error);
