// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// L L^T = A for a matrix of blocks. Rows of blocks with nearly the same structure below them are
// factored together, as dense panels. A full matrix is a single panel.
#pragma once

#include "math/order.h"

typedef enum swFactorKind {
    SW_FACTOR_SPARSE,     // in a fill-reducing order
    SW_FACTOR_DENSE,      // one panel for each connected set of rows
    SW_FACTOR_INCOMPLETE, // only the couplings of A: approximates A, for conjugate gradients
} swFactorKind;

// A panel: adjacent columns of L. A `place` is the position of a row of blocks in the elimination
// order.
typedef struct swPanel {
    int first, end;    // the places of its own columns
    int nbelow;        // number of rows of blocks below them
    int64_t below;     // index into the factor's `below` and `below_row`
    int width, height; // in scalars; the height includes the panel's own rows
    int stride;
    int64_t at; // index into the factor's `value`
    int64_t update, update_end;
} swPanel;

// The update that an earlier panel subtracts from a later one: its rows below, first .. end - 1,
// are columns of the later panel.
typedef struct swUpdate {
    int panel, first, end;
} swUpdate;

typedef struct swFactor {
    int n, npanel;
    int *order;     // the row of blocks at each place
    int *start;     // n + 1: first scalar of each place
    swPanel *panel; // [npanel]
    int *below;     // places, ascending
    int *below_row; // the row of the panel at which each begins
    swUpdate *update;
    // Where each block of A goes in `value`; the complement (~) of that if it goes there
    // transposed; the number of values if it goes nowhere.
    int64_t *target;
    int *target_stride;
    int *row_of;       // scratch: the row of each place in the current panel, or -1
    swReal *value, *x; // L; a vector in elimination order
    int64_t count;     // number of entries in `value`
    double nonzeros;   // in L
    double flops;      // to compute the factor
    swPool *pool;      // asked whether to go on; may be NULL
    bool beyond;       // planning stopped early, as L would cost more than the limit
} swFactor;

// Finds the structure of L. `limit` applies to sparse factors only; NULL: no limit.
bool sw_factor_plan(swFactor *factor, const swBlocks *A, swFactorKind kind,
                    const swFactorLimit *limit, swArena *arena, swError *error);
// Allocates memory for the numbers.
bool sw_factor_allocate(swFactor *factor, swArena *arena, swError *error);
// Factors A + shift diag(scale); with shift 0, scale is not needed. Returns false if that is not
// positive definite, if a pivot is below `least` times its scale, or if the pool is stopped.
bool sw_factor_compute(swFactor *factor, const swBlocks *A, swReal shift, swReal least,
                       const swReal *scale);
// x := (L L^T)^-1 x
void sw_factor_solve(const swFactor *factor, const swBlocks *A, swReal *x);
// The same for n vectors `stride` apart; faster than one by one if there are several.
bool sw_factor_solve_many(const swFactor *factor, const swBlocks *A, int n, swReal *x,
                          ptrdiff_t stride, swPool *pool, swArena *arena, swError *error);
