// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/modes.h"

#include "math/tangent.h"
#include "math/tiles.h"

void sw_modes_gradient(int n, int nblock, const swReal *D, const swReal *z, swReal *F) {
    for (int b = 0; b < nblock; b++)
        for (int e = 0; e < 9; e++, D += n * SW_LANES, F += SW_LANES) {
            swWide sum = sw_wide(e % 4 == 0);
            for (int j = 0; j < n; j++)
                sum = sw_wide_fma(sw_wide(z[j]), sw_wide_load(D + j * SW_LANES), sum);
            sw_wide_store(F, sum);
        }
}

void sw_modes_force(int n, int nblock, const swReal *D, const swReal *P, swReal *force) {
    for (int b = 0; b < nblock; b++)
        for (int e = 0; e < 9; e++, D += n * SW_LANES, P += SW_LANES) {
            const swWide p = sw_wide_load(P);
            for (int j = 0; j < n; j++) {
                swReal *at = force + j * SW_LANES;
                sw_wide_store(at, sw_wide_fma(p, sw_wide_load(D + j * SW_LANES), sw_wide_load(at)));
            }
        }
}

// S[e][j] = sum_f C[e][f] D[f][j] of one block.
static void stress_rows(int n, const swReal *D, const swReal *C, swReal *S) {
    for (int e = 0; e < 9; e++)
        for (int j = 0; j < n; j++) {
            swWide sum = sw_wide(0);
            for (int f = 0; f < 9; f++) {
                const int r = e / 3, k = e % 3, s = f / 3, l = f % 3,
                          kl = r <= s ? 3 * k + l : 3 * l + k; // C_sr = C_rs^T
                sum = sw_wide_fma(sw_wide_load(C + (9 * sw_pair_at[3 * r + s] + kl) * SW_LANES),
                                  sw_wide_load(D + (f * n + j) * SW_LANES), sum);
            }
            sw_wide_store(S + (e * n + j) * SW_LANES, sum);
        }
}

void sw_modes_stiffness(int n, int nblock, const swReal *D, const swReal *C, swReal *K,
                        swReal *scratch) {
    const ptrdiff_t size = (ptrdiff_t)9 * n * SW_LANES;
    for (int b = 0; b < nblock; b++)
        stress_rows(n, D + b * size, C + (ptrdiff_t)b * SW_TANGENT * SW_LANES, scratch + b * size);
    const swRows left = {D, SW_LANES, (ptrdiff_t)n * SW_LANES},
                 right = {scratch, SW_LANES, (ptrdiff_t)n * SW_LANES};
    sw_tiles_accumulate(n, n, 9 * nblock, left, right, K, n, true);
}
