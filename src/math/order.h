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
    double flops, nonzeros; // of the factor up to there
} swElimination;

// What a factor may cost; beyond that its plan is given up, which takes much less than the rest.
typedef struct swFactorLimit {
    double flops, nonzeros;
} swFactorLimit;

// By minimum degree: what couples the fewest numbers goes first; the lowest row among equals. It
// ends before the last row where that costs more than the limit, NULL: there is none.
bool sw_order_least(const swBlocks *A, const swFactorLimit *limit, swArena *arena,
                    swElimination *out, swError *error);
// From first to last, with no coupling but that of the matrix itself.
bool sw_order_natural(const swBlocks *A, swArena *arena, swElimination *out, swError *error);
