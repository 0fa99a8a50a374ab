// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The directions in which rows of numbers vary most.
#pragma once

#include "core/core.h"

enum { SW_MODES = 16 };

// Few rows instead of many: k <= SW_MODES rows mode[k][n], so that the sum of their squares
// mode^T mode is about the best of rank k for row^T row, row[m][n]. Returns how many there are: k,
// or less where rows are few or vary in fewer directions. `scratch` holds m SW_MODES numbers.
int sw_modes_find(int m, int n, const swReal *row, int k, swReal *mode, swReal *scratch);
