// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The order in which to eliminate the rows of a matrix of blocks, and the couplings this creates.
#pragma once

#include "math/blocks.h"

// The rows of blocks in elimination order, without those of size 0. When row order[k] is eliminated
// it is coupled to the rows list[first[k]] .. list[first[k + 1] - 1], which are eliminated later.
typedef struct swElimination {
    int n;
    int *order;
    int64_t *first;
    int *list;
    double flops, nonzeros; // of the factor so far
} swElimination;

// The most a factor may cost. Planning is abandoned once the cost exceeds it, which takes much less
// time than carrying on.
typedef struct swFactorLimit {
    double flops, nonzeros;
} swFactorLimit;

// Minimum degree: of the rows whose turn it is (A->turn) the one coupled to the fewest scalars is
// eliminated first, the lowest one among equals. Stops before the last row if the cost exceeds the
// limit; NULL: no limit.
bool sw_order_least(const swBlocks *A, const swFactorLimit *limit, swArena *arena,
                    swElimination *out, swError *error);
// Eliminates from first to last, with only the couplings of the matrix itself.
bool sw_order_natural(const swBlocks *A, swArena *arena, swElimination *out, swError *error);
