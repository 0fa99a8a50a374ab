// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// In which order to eliminate the rows of a matrix of blocks, and what that couples.
#pragma once

#include "math/blocks.h"

// Rows of blocks in the order of their elimination; those without numbers are left out. When
// order[k] goes, it is coupled to the rows list[first[k]] .. list[first[k + 1] - 1], which go
// later.
typedef struct swElimination {
    int n;
    int *order;
    int64_t *first;
    int *list;
} swElimination;

// By minimum degree: what couples the fewest numbers goes first; the lowest row among equals.
bool sw_order_least(const swBlocks *A, swArena *arena, swElimination *out, swError *error);
// From first to last, with no coupling but that of the matrix itself.
bool sw_order_natural(const swBlocks *A, swArena *arena, swElimination *out, swError *error);
