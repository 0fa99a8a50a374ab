// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "volume/voxelize.h"

enum { SW_SLABS = 4 }; // of a row that a curved solid meets, at least

// The rows of cells along one axis, cut into slabs so that a ray through the middle of each tells
// its contents: at every flat face, and evenly where a solid is curved.
typedef struct swSlabs {
    swReal *edge; // slab a lies between edge[a] and edge[a + 1]
    int *first;   // n + 1: the slabs of row j are first[j] .. first[j + 1] - 1
} swSlabs;

// `axis` is 1 or 2; lo and hi bound each solid; edges are more than `near` apart. Of the grid, the
// cells and the bounds of the material are used.
bool sw_slabs_cut(int npaint, const swPaint *paint, const swVec3 *lo, const swVec3 *hi,
                  const swGrid *grid, int axis, swReal near, swArena *arena, swSlabs *slabs,
                  swError *error);
