// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// How the derivative of a stress is stored: C[(r,k),(s,l)] = dP_rk / dF_sl for r <= s, as six 3 x 3
// matrices [k][l] in the order (0,0) (1,1) (2,2) (0,1) (0,2) (1,2). The others follow by symmetry.
#pragma once

enum { SW_TANGENT = 54 };
static const int sw_pair_row[6] = {0, 1, 2, 0, 0, 1};
static const int sw_pair_column[6] = {0, 1, 2, 1, 2, 2};
// out += factor times the symmetric part of D, as six pairs.
static inline void sw_pairs_add(swReal factor, const swReal D[3][3], swReal out[6]) {
    for (int e = 0; e < 6; e++)
        out[e] += 0.5 * factor *
                  (D[sw_pair_row[e]][sw_pair_column[e]] + D[sw_pair_column[e]][sw_pair_row[e]]);
}
static const int sw_pair_at[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2}; // the pair that holds entry 3 r + s
