// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/core.h"

// All eigenvalues of a symmetric n x n matrix A (row-major, destroyed), ascending, and its vectors
// as the rows of V, orthonormal. work: 2 n. False where the entries are not finite.
bool sw_eigen_symmetric(int n, double *A, double *value, double *V, double *work);
