// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// About A, for conjugate gradients that go on for many steps with the same A:
//   (D + L) D^-1 (D + L)^T
// for a matrix of blocks of 3 x 3, with no blocks but those of A, in single precision: what a solve
// costs is to read it.
#pragma once

#include "math/blocks.h"

typedef struct swIncomplete {
    int n;          // rows of blocks that are not empty
    int *start;     // their first numbers in a vector
    int *place;     // of each row of A, among them
    int64_t *row;   // n + 1
    int *column;    // ascending, below the diagonal
    float *value;   // 9 per block: L, and one to spare
    float *inverse; // 9 per row: D^-1
    float *x, *sum; // vectors: 4 per row, one of them spare
    int *spot;      // scratch: where a column is in the present row
    float *share;   // 9 per block of a row: L D^-1
} swIncomplete;

// A must have rows of 3 or of none.
bool sw_incomplete_applies(const swBlocks *A);
bool sw_incomplete_create(swIncomplete *incomplete, const swBlocks *A, swArena *arena,
                          swError *error);
// Of A + diag(more), NULL: of A. Strengthens the diagonal where there is no such factor without.
// False where the matrix is not positive definite by far.
bool sw_incomplete_compute(swIncomplete *incomplete, const swBlocks *A, const swReal *more);
// x := about A^-1 x
void sw_incomplete_solve(const swIncomplete *incomplete, swReal *x);
