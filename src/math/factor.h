// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// L L^T = A for a matrix of blocks. Rows of blocks with about the same structure below them are
// factored together, as dense panels: a full matrix is one panel.
#pragma once

#include "math/order.h"

typedef enum swFactorKind {
    SW_FACTOR_SPARSE,     // in an order that couples little
    SW_FACTOR_DENSE,      // one panel for each set of rows that hang together
    SW_FACTOR_INCOMPLETE, // no couplings but those of A: about A, for conjugate gradients
} swFactorKind;

// Columns of L. `place` numbers rows of blocks in the order of elimination.
typedef struct swPanel {
    int first, end;    // places of its own columns
    int nbelow;        // rows of blocks below them
    int64_t below;     // into the factor's `below` and `below_row`
    int width, height; // in numbers, own rows included
    int stride;
    int64_t at; // in the factor's `value`
    int64_t update, update_end;
} swPanel;

// What an earlier panel takes from a later one: rows first .. end - 1 below it are own columns
// there.
typedef struct swUpdate {
    int panel, first, end;
} swUpdate;

typedef struct swFactor {
    int n, npanel;
    int *order;     // row of blocks at each place
    int *start;     // n + 1: first number of each place
    swPanel *panel; // [npanel]
    int *below;     // places, ascending
    int *below_row; // the row of its panel where each begins
    swUpdate *update;
    int64_t *target; // of each block of A: where it goes in `value`; ~ of that: transposed; the
                     // number of values: nowhere
    int *target_stride;
    int *row_of;       // scratch, of each place: its row in the present panel, or -1
    swReal *value, *x; // L; a vector in the order of elimination
    int64_t count;     // numbers in `value`
    double nonzeros;   // of L
    double flops;      // to factor
    swPool *pool;      // asked whether to go on; NULL: nobody is
    bool beyond;       // there is no more of a plan, as L would cost more than the limit
} swFactor;

// Finds out what L looks like. `limit`: of sparse factors alone; NULL: none.
bool sw_factor_plan(swFactor *factor, const swBlocks *A, swFactorKind kind,
                    const swFactorLimit *limit, swArena *arena, swError *error);
// Room for its numbers.
bool sw_factor_allocate(swFactor *factor, swArena *arena, swError *error);
// Factors A + shift diag(scale); shift 0 needs no scale. False where it is not positive definite,
// or where a pivot is below `least` times its scale, or where the pool is stopped.
bool sw_factor_compute(swFactor *factor, const swBlocks *A, swReal shift, swReal least,
                       const swReal *scale);
// x := (L L^T)^-1 x
void sw_factor_solve(const swFactor *factor, const swBlocks *A, swReal *x);
// The same for n vectors that are `stride` apart: faster than one by one where there are several.
bool sw_factor_solve_many(const swFactor *factor, const swBlocks *A, int n, swReal *x,
                          ptrdiff_t stride, swPool *pool, swArena *arena, swError *error);
