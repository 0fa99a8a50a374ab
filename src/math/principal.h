// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The directions in which rows of numbers vary most.
#pragma once

#include "core/core.h"

enum { SW_PRINCIPAL = 16 };

// Replaces many rows by few: k <= SW_PRINCIPAL rows out[k][n] such that out^T out is nearly the
// best approximation of rank k to row^T row, row[m][n]. Returns the number of rows: k, or fewer if
// there are few rows or they vary in fewer directions. `scratch` holds m SW_PRINCIPAL numbers.
int sw_principal_rows(int m, int n, const swReal *row, int k, swReal *out, swReal *scratch);
