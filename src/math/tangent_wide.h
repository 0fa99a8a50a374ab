// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// SW_LANES tangents at once.
#pragma once

#include "core/simd.h"
#include "math/tangent.h"

// out = C : B
SW_INLINE void sw_tangent_times(const swReal *C, const swWide B[9], swWide out[9]) {
    for (int i = 0; i < 9; i++)
        out[i] = sw_wide(0);
    for (int pair = 0; pair < 6; pair++) {
        const int r = sw_pair_row[pair], s = sw_pair_column[pair];
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) {
                const swWide c = sw_wide_load(C + (9 * pair + 3 * k + l) * SW_LANES);
                out[3 * r + k] = sw_wide_fma(c, B[3 * s + l], out[3 * r + k]);
                if (r != s)
                    out[3 * s + l] = sw_wide_fma(c, B[3 * r + k], out[3 * s + l]);
            }
    }
}
