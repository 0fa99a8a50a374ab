// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/core.h"

// All eigenvalues of a symmetric n x n matrix A (row-major, destroyed) in ascending order, with
// orthonormal eigenvectors as the rows of V. work: 2 n numbers. Returns false if the entries are
// not finite.
bool sw_eigen_symmetric(int n, double *A, double *value, double *V, double *work);
// `most` of n values that fall, or fewer: none that is left is equal to one that is not, but for
// rounding, as vectors of equal values are as good as any combination of them.
int sw_eigen_cut(int n, const double *value, int most);
