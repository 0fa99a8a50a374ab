// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/core.h"

// Row stride for an n x n matrix, in doubles.
int sw_cholesky_stride(int n);
// A = L L^T in place, in the lower triangle of a row-major matrix. first[i]: the first column of
// row i that may be non-zero (the envelope), never descending; NULL: full rows. Returns n, or
// the row at which A is not positive definite.
int sw_cholesky_factor(int n, double *A, int stride, const int *first);
// x := A^-1 x
void sw_cholesky_solve(int n, const double *L, int stride, const int *first, double *x);
