// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// SW_LANES 3 x 3 matrices at once, each row-major.
#pragma once

#include "core/simd.h"

SW_INLINE void sw_wide_load9(const swReal *from, swWide M[9]) {
    for (int i = 0; i < 9; i++)
        M[i] = sw_wide_load(from + i * SW_LANES);
}

SW_INLINE void sw_wide_store9(swReal *to, const swWide M[9]) {
    for (int i = 0; i < 9; i++)
        sw_wide_store(to + i * SW_LANES, M[i]);
}

SW_INLINE void sw_wide_product(const swWide A[9], const swWide B[9], swWide out[9]) { // A B
    for (int i = 0; i < 9; i++) {
        const swWide *row = A + i / 3 * 3;
        out[i] = row[0] * B[i % 3] + row[1] * B[3 + i % 3] + row[2] * B[6 + i % 3];
    }
}

SW_INLINE void sw_wide_transpose(const swWide A[9], swWide out[9]) {
    for (int i = 0; i < 9; i++)
        out[i] = A[3 * (i % 3) + i / 3];
}

SW_INLINE swWide sw_wide_dot9(const swWide A[9], const swWide B[9]) {
    swWide sum = A[0] * B[0];
    for (int i = 1; i < 9; i++)
        sum += A[i] * B[i];
    return sum;
}

SW_INLINE swWide sw_wide_det(const swWide A[9]) {
    return A[0] * (A[4] * A[8] - A[5] * A[7]) - A[1] * (A[3] * A[8] - A[5] * A[6]) +
           A[2] * (A[3] * A[7] - A[4] * A[6]);
}

SW_INLINE void sw_wide_cofactor(const swWide A[9], swWide out[9]) { // d det A / dA
    for (int i = 0; i < 9; i++) {
        const int r = (i / 3 + 1) % 3 * 3, s = (i / 3 + 2) % 3 * 3, c = (i + 1) % 3,
                  d = (i + 2) % 3;
        out[i] = A[r + c] * A[s + d] - A[r + d] * A[s + c];
    }
}

// d2 det F/dF2: entry (rk, sl) is plus or minus an entry of F if r != s and k != l, else zero.
SW_INLINE swWide sw_cofactor_slope(const swWide *F, int r, int k, int s, int l) {
    if (r == s || k == l)
        return sw_wide(0);
    const int t = 3 - r - s, m = 3 - k - l;
    const bool plus = ((s - r + 3) % 3 == 1) == ((l - k + 3) % 3 == 1);
    return plus ? F[3 * t + m] : -F[3 * t + m];
}
