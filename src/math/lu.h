// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/core.h"

// x := A^-1 x by Gaussian elimination with row exchanges; A (n x n, row-major) is destroyed.
// Returns false if A is singular or not finite, or if the pool was stopped. With pool NULL nobody
// is asked.
bool sw_lu_solve(int n, double *A, double *x, swPool *pool);
