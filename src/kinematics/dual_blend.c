// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/dual_blend.h"

#include "math/tangent.h"
#include "math/tiles.h"

void sw_dual_blend_gradient(int n, int nblock, const swReal *weights, const swReal *Q,
                            swDualGradient *out, swReal *F) {
    for (int b = 0; b < nblock; b++, weights += sw_dual_block(n), F += 9 * SW_LANES, out++) {
        swWide B[4][SW_DUAL], p[3];
        for (int a = 0; a < 4; a++)
            for (int r = 0; r < SW_DUAL; r++) {
                swWide sum = sw_wide(0);
                for (int i = 0; i < n; i++)
                    sum = sw_wide_fma(sw_wide(Q[r * n + i]),
                                      sw_wide_load(weights + (a * n + i) * SW_LANES), sum);
                B[a][r] = sum;
            }
        for (int k = 0; k < 3; k++)
            p[k] = sw_wide_load(weights + (4 * n + k) * SW_LANES);
        sw_dual_gradient(B, p, out);
        for (int i = 0; i < 9; i++)
            sw_wide_store(F + i * SW_LANES, out->F[i]);
    }
}

void sw_dual_blend_force(int n, int nblock, const swReal *weights, const swDualGradient *gradient,
                         const swReal *Ps, swReal *force) {
    for (int b = 0; b < nblock; b++, weights += sw_dual_block(n), Ps += 9 * SW_LANES, gradient++) {
        swWide P[9], g[4][SW_DUAL];
        for (int i = 0; i < 9; i++)
            P[i] = sw_wide_load(Ps + i * SW_LANES);
        sw_dual_force(gradient, P, g);
        for (int i = 0; i < n; i++) {
            swWide w[4];
            for (int a = 0; a < 4; a++)
                w[a] = sw_wide_load(weights + (a * n + i) * SW_LANES);
            for (int r = 0; r < SW_DUAL; r++) {
                swReal *at = force + (r * n + i) * SW_LANES;
                swWide f = sw_wide_load(at);
                for (int a = 0; a < 4; a++)
                    f = sw_wide_fma(w[a], g[a][r], f);
                sw_wide_store(at, f);
            }
        }
    }
}

// Scratch: the stiffness in B of each block, [pair][block][4][4], and the rows of one pair,
// [block][4][n].
size_t sw_dual_scratch(int n) {
    return (size_t)SW_DUAL_CHUNK * SW_LANES * (size_t)(SW_DUAL_PAIRS * 16 + 4 * n);
}

void sw_dual_blend_stiffness(int n, int nfree, int nblock, const swReal *weights,
                             swDualGradient *gradient, const swReal *Ps, const swReal *Cs,
                             bool gauss_newton, swReal *K, swReal *scratch) {
    swReal *rows = scratch + SW_DUAL_CHUNK * SW_LANES * SW_DUAL_PAIRS * 16;
    for (int b = 0; b < nblock; b++) {
        swWide P[9], C[SW_TANGENT], KB[4][SW_DUAL][4][SW_DUAL];
        for (int i = 0; i < 9; i++)
            P[i] = sw_wide_load(Ps + (9 * b + i) * SW_LANES);
        for (int i = 0; i < SW_TANGENT; i++)
            C[i] = sw_wide_load(Cs + (SW_TANGENT * b + i) * SW_LANES);
        sw_dual_stiffness(&gradient[b], P, C, gauss_newton, KB);
        int pair = SW_DUAL;
        for (int r = 0; r < SW_DUAL; r++)
            for (int s = r; s < SW_DUAL; s++) {
                swReal *to = scratch + ((r == s ? r : pair++) * SW_DUAL_CHUNK + b) * 16 * SW_LANES;
                for (int a = 0; a < 4; a++)
                    for (int c = 0; c < 4; c++)
                        sw_wide_store(to + (4 * a + c) * SW_LANES, KB[a][r][c][s]);
            }
    }
    for (int pair = 0; pair < SW_DUAL_PAIRS; pair++) {
        for (int b = 0; b < nblock; b++) { // rows[a][j] = sum_c KB[a][c] W[c][j]
            const swReal *k = scratch + (pair * SW_DUAL_CHUNK + b) * 16 * SW_LANES,
                         *w = weights + b * sw_dual_block(n);
            for (int j = 0; j < nfree; j++) {
                swWide v[4];
                for (int c = 0; c < 4; c++)
                    v[c] = sw_wide_load(w + (c * n + j) * SW_LANES);
                for (int a = 0; a < 4; a++) {
                    swWide sum = sw_wide_load(k + 4 * a * SW_LANES) * v[0];
                    for (int c = 1; c < 4; c++)
                        sum = sw_wide_fma(sw_wide_load(k + (4 * a + c) * SW_LANES), v[c], sum);
                    sw_wide_store(rows + ((4 * b + a) * nfree + j) * SW_LANES, sum);
                }
            }
        }
        // Blocks keep positions after their weights, so the product goes block by block.
        for (int b = 0; b < nblock; b++) {
            swRows W = {weights + b * sw_dual_block(n), SW_LANES, (ptrdiff_t)n * SW_LANES};
            swRows R = {rows + 4 * b * nfree * SW_LANES, SW_LANES, (ptrdiff_t)nfree * SW_LANES};
            sw_tiles_accumulate(nfree, nfree, 4, W, R,
                                K + (ptrdiff_t)pair * nfree * nfree * SW_LANES, nfree,
                                pair < SW_DUAL);
        }
    }
}
