// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/dual_blend.h"

#include "math/tangent.h"
#include "math/tiles.h"

// B = Q W of one block, two rows at a time: their eight sums stay in registers.
static void blend(int n, const swReal *weights, const swReal *Q, swWide B[4][SW_DUAL]) {
    for (int r = 0; r < SW_DUAL; r += 2) {
        swWide sum[4][2];
        for (int a = 0; a < 4; a++)
            sum[a][0] = sum[a][1] = sw_wide(0);
        for (int i = 0; i < n; i++) {
            const swWide q0 = sw_wide(Q[r * n + i]), q1 = sw_wide(Q[(r + 1) * n + i]);
            for (int a = 0; a < 4; a++) {
                const swWide w = sw_wide_load(weights + (a * n + i) * SW_LANES);
                sum[a][0] = sw_wide_fma(q0, w, sum[a][0]);
                sum[a][1] = sw_wide_fma(q1, w, sum[a][1]);
            }
        }
        for (int a = 0; a < 4; a++) {
            B[a][r] = sum[a][0];
            B[a][r + 1] = sum[a][1];
        }
    }
}

void sw_dual_blend_gradient(int n, int nblock, const swReal *weights, const swVec3 *place,
                            const swReal *Q, swDualGradient *out, swReal *F) {
    for (int b = 0; b < nblock; b++, weights += sw_dual_block(n), place += SW_LANES, out++) {
        swWide B[4][SW_DUAL], p[3];
        blend(n, weights, Q, B);
        for (int k = 0; k < 3; k++) {
            swReal lanes[SW_LANES];
            for (int l = 0; l < SW_LANES; l++)
                lanes[l] = sw_get(place[l], k);
            p[k] = sw_wide_load(lanes);
        }
        sw_dual_gradient(B, p, out);
        for (int i = 0; i < 9; i++, F += SW_LANES)
            sw_wide_store(F, out->F[i]);
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

// rows[a][j] = sum_c KB[a][c] W[c][j] of one block.
SW_INLINE void fill_rows(int n, int nfree, const swReal *KB, const swReal *w, swReal *rows) {
    for (int a = 0; a < 4; a += 2) {
        swWide k0[4], k1[4];
        for (int c = 0; c < 4; c++) {
            k0[c] = sw_wide_load(KB + (4 * a + c) * SW_LANES);
            k1[c] = sw_wide_load(KB + (4 * (a + 1) + c) * SW_LANES);
        }
        for (int j = 0; j < nfree; j++) {
            swWide v = sw_wide_load(w + j * SW_LANES), s0 = k0[0] * v, s1 = k1[0] * v;
            for (int c = 1; c < 4; c++) {
                v = sw_wide_load(w + (c * n + j) * SW_LANES);
                s0 = sw_wide_fma(k0[c], v, s0);
                s1 = sw_wide_fma(k1[c], v, s1);
            }
            sw_wide_store(rows + (a * nfree + j) * SW_LANES, s0);
            sw_wide_store(rows + ((a + 1) * nfree + j) * SW_LANES, s1);
        }
    }
}

void sw_dual_blend_stiffness(int n, int nfree, int nblock, const swReal *weights,
                             const swDualGradient *gradient, const swReal *Ps, const swReal *Cs,
                             bool gauss_newton, swReal *K, swReal *scratch) {
    const ptrdiff_t stride = SW_DUAL_CHUNK * 16 * SW_LANES; // from pair to pair
    swReal *rows = scratch + SW_DUAL_PAIRS * stride;
    for (int b = 0; b < nblock; b++) {
        swWide P[9], C[SW_TANGENT];
        for (int i = 0; i < 9; i++)
            P[i] = sw_wide_load(Ps + (9 * b + i) * SW_LANES);
        for (int i = 0; i < SW_TANGENT; i++)
            C[i] = sw_wide_load(Cs + (SW_TANGENT * b + i) * SW_LANES);
        sw_dual_stiffness(&gradient[b], P, C, gauss_newton, scratch + b * 16 * SW_LANES, stride);
    }
    const swRows W = {weights, SW_LANES, (ptrdiff_t)n * SW_LANES},
                 R = {rows, SW_LANES, (ptrdiff_t)nfree * SW_LANES};
    for (int pair = 0; pair < SW_DUAL_PAIRS; pair++) {
        for (int b = 0; b < nblock; b++)
            fill_rows(n, nfree, scratch + pair * stride + b * 16 * SW_LANES,
                      weights + b * sw_dual_block(n), rows + 4 * b * nfree * SW_LANES);
        sw_tiles_accumulate(nfree, nfree, 4 * nblock, W, R,
                            K + (ptrdiff_t)pair * nfree * nfree * SW_LANES, nfree, pair < SW_DUAL);
    }
}
