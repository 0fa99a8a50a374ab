// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Non-negative least squares (Lawson and Hanson): finds x >= 0 that minimises |A x - b|, for few
// rows.
#pragma once

#include "core/core.h"

typedef struct swNnls {
    int max_rows;
    int most;      // maximum number of columns in use: max_rows, unless the caller sets less
    swReal enough; // a residual of this share of |b| ends the search; by default that of rounding
    int k;         // number of columns in use, at most the number of rows
    int *column;   // their indices
    swReal *x;     // their coefficients, all positive
    swReal *Q, *R; // factors of these columns: Q[k][row] orthonormal, R[k][max_rows] by columns
    swReal *along; // Q^T b
    swReal *r, *z; // residual; scratch
    swReal *gradient;   // per column
    unsigned char *out; // per column: in use, or ruled out for now
    swPool *pool;       // asked whether to go on; may be NULL
} swNnls;

bool sw_nnls_create(swNnls *s, int max_rows, int max_columns, swArena *arena, swError *error);
// A[row][column] has rows `stride` apart. Leaves the result in k, column and x, and the residual in
// r.
void sw_nnls_solve(swNnls *s, int rows, int columns, const swReal *A, ptrdiff_t stride,
                   const swReal *b);

// The same using only products of columns. This is faster if many columns come into use, but its
// accuracy is limited to the square root of rounding.
typedef struct swNnlsProducts {
    int columns;
    const swReal *G, *c; // [columns][columns]: A^T A, [columns]: A^T b
    swReal square;       // b^T b
    int most;            // maximum number of columns in use,
    const int *size;     // what each counts for; NULL: one
    swReal enough;       // a residual of this share of |b| ends the search
    swPool *pool;        // asked whether to go on; may be NULL
    int k;               // result: number of columns in use,
    int *column;         // their indices,
    swReal *x, left;     // their coefficients, all positive, and the square of the residual
} swNnlsProducts;
bool sw_nnls_products(swNnlsProducts *problem, swArena *arena, swError *error);
