// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/core.h"

// All eigenvalues of a symmetric n x n matrix A (row-major, destroyed) in ascending order, with
// orthonormal eigenvectors as the rows of V. work: 2 n numbers. Returns false if the entries are
// not finite.
bool sw_eigen_symmetric(int n, double *A, double *value, double *V, double *work);
