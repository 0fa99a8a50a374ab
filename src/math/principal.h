// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The directions in which rows of numbers vary most.
#pragma once

#include "core/core.h"

enum { SW_PRINCIPAL = 16 };

// Few rows instead of many: k <= SW_PRINCIPAL rows out[k][n], so that the sum of their squares
// out^T out is about the best of rank k for row^T row, row[m][n]. Returns how many there are: k,
// or less where rows are few or vary in fewer directions. `scratch` holds m SW_PRINCIPAL numbers.
int sw_principal_rows(int m, int n, const swReal *row, int k, swReal *out, swReal *scratch);
