// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// An incomplete factorisation that approximates A, for conjugate gradients that take many steps
// with the same A:
//   (D + L) D^-1 (D + L)^T
// It is for matrices of 3 x 3 blocks and has no blocks but those of A. It is stored in single
// precision, as the cost of a solve is that of reading it.
#pragma once

#include "math/blocks.h"

typedef struct swIncomplete {
    int n;          // number of rows of blocks that are not empty
    int *start;     // their first entries in a vector
    int *place;     // the index among them of each row of A
    int64_t *row;   // n + 1
    int *column;    // ascending, below the diagonal
    float *value;   // 9 per block: L, and one to spare
    float *inverse; // 9 per row: D^-1
    float *x, *sum; // vectors: 4 numbers per row, one of them spare
    int *spot;      // scratch: where each column is in the current row
    float *share;   // 9 per block of a row: L D^-1
} swIncomplete;

// Whether all rows of blocks of A have size 3 or 0, as the functions below require.
bool sw_incomplete_applies(const swBlocks *A);
bool sw_incomplete_create(swIncomplete *incomplete, const swBlocks *A, swArena *arena,
                          swError *error);
// Factors A + diag(more), or A if `more` is NULL. Strengthens the diagonal where no such factor
// exists otherwise. Returns false if the matrix is far from positive definite.
bool sw_incomplete_compute(swIncomplete *incomplete, const swBlocks *A, const swReal *more);
// x := approximately A^-1 x
void sw_incomplete_solve(const swIncomplete *incomplete, swReal *x);
