// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Non-negative least squares (Lawson and Hanson): x >= 0 that minimises |A x - b|, for few rows.
#pragma once

#include "core/core.h"

typedef struct swNnls {
    int max_rows;
    int most;           // columns in use at most: max_rows, unless the caller says less
    swReal enough;      // a residual of this share of |b| ends the search: that of rounding
    int k;              // columns in use, at most as many as rows
    int *column;        // which
    swReal *x;          // their factors, all above zero
    swReal *Q, *R;      // of these columns: Q[k][row] orthonormal, R[k][max_rows] by columns
    swReal *along;      // Q^T b
    swReal *r, *z;      // residual; scratch
    swReal *gradient;   // per column
    unsigned char *out; // per column: in use, or of no use for now
    swPool *pool;       // asked whether to go on; NULL: nobody is
} swNnls;

bool sw_nnls_create(swNnls *s, int max_rows, int max_columns, swArena *arena, swError *error);
// A[row][column], rows `stride` apart. Leaves the result in k, column and x, and the residual in r.
void sw_nnls_solve(swNnls *s, int rows, int columns, const swReal *A, ptrdiff_t stride,
                   const swReal *b);

// The same by products of columns alone, which is faster where many columns come into use, but no
// nearer than the root of rounding.
typedef struct swNnlsProducts {
    int columns;
    const swReal *G, *c; // [columns][columns]: A^T A, [columns]: A^T b
    swReal square;       // b^T b
    int most;            // columns in use at most
    swReal enough;       // a residual of this share of |b| ends the search
    swPool *pool;        // asked whether to go on; NULL: nobody is
    int k;               // the result: columns in use,
    int *column;         // which,
    swReal *x, left;     // their factors, all above zero, and the square of the residual
} swNnlsProducts;
bool sw_nnls_products(swNnlsProducts *problem, swArena *arena, swError *error);
