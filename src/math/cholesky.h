// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/core.h"

// Row stride for a matrix of n columns, in doubles.
int sw_cholesky_stride(int n);
// Factors A = L L^T in place, in the lower triangle of a row-major n x n matrix. More rows B may
// follow (`rows` >= n in all); they become B L^-T. Returns n, or the row at which A is not positive
// definite.
int sw_cholesky_factor(int rows, int n, double *A, int stride);
// The same, but the user may stop it; then it returns the row it had reached.
int sw_cholesky_try(int rows, int n, double *A, int stride, swPool *pool);
// x := L^-1 x, and x := L^-T x
void sw_cholesky_lower(int n, const double *L, int stride, double *x);
void sw_cholesky_upper(int n, const double *L, int stride, double *x);
// Factors only those rows and columns of a small A (n <= 8) that are not nearly linear combinations
// of earlier ones, i.e. whose pivots exceed `least`. Returns how many there are and puts their
// indices in `which`; L is [n][n].
int sw_cholesky_some(int n, const double *A, double least, int *which, double *L);
// x := A^-1 x
void sw_cholesky_solve(int n, const double *L, int stride, double *x);
