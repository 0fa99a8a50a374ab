// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/element.h"

#include "math/mat3_wide.h"
#include "math/tangent.h"

#include <string.h>

void sw_element_gather(const swBodyModel *m, const swGroup *g, int element, const swReal *q,
                       swReal *x) {
    const int n = g->nnode * SW_LANES, *node = sw_element_nodes(m, g, element);
    q += sw_element_base(m, g);
    for (int c = 0; c < n; c++) {
        const swReal *from = q + 3 * (ptrdiff_t)node[c];
        x[c] = from[0];
        x[n + c] = from[1];
        x[2 * n + c] = from[2];
    }
}

void sw_element_gradient(int n, const swReal *gamma, const swReal *x, swReal *F) {
    swWide sum[9];
    for (int i = 0; i < 9; i++)
        sum[i] = sw_wide(0);
    for (int c = 0; c < n; c++) {
        swWide g[3];
        for (int k = 0; k < 3; k++)
            g[k] = sw_wide_load(gamma + (k * n + c) * SW_LANES);
        for (int r = 0; r < 3; r++) {
            const swWide at = sw_wide_load(x + (r * n + c) * SW_LANES);
            for (int k = 0; k < 3; k++)
                sum[3 * r + k] = sw_wide_fma(at, g[k], sum[3 * r + k]);
        }
    }
    for (int i = 0; i < 9; i++)
        sw_wide_store(F + i * SW_LANES, sum[i]);
}

swMeanRoot sw_mean_root(swWide J) {
    static const swReal least = 0.1;
    const swWide at = sw_wide_select(SW_WIDE_MASK(J < least), sw_wide(least), J), beyond = J - at;
    swMeanRoot root = {.r = sw_wide_exp(sw_wide_log(at) / -3.0)};
    root.r1 = root.r / (-3.0 * at);
    root.r2 = -4.0 * root.r1 / (3.0 * at);
    root.r += beyond * (root.r1 + 0.5 * beyond * root.r2);
    root.r1 += beyond * root.r2;
    return root;
}

void sw_element_mean(int npoint, const swReal *volume, swReal *F, swReal *plain, swReal *mean) {
    swWide J[SW_ELEMENT_SAMPLES], sum = sw_wide(0), all = sw_wide(0);
    for (int p = 0; p < npoint; p++) {
        swWide A[9];
        sw_wide_load9(F + 9 * p * SW_LANES, A);
        J[p] = sw_wide_det(A);
        const swWide v = sw_wide_load(volume + p * SW_LANES);
        sum += v * J[p];
        all += v;
    }
    const swWide theta = sw_wide_select(SW_WIDE_MASK(all > 0.0), sum / all, sw_wide(1)); // padding
    if (plain)
        memcpy(plain, F, (size_t)npoint * 9 * SW_LANES * sizeof *F);
    if (mean)
        sw_wide_store(mean, theta);
    const swWide back = 1.0 / sw_mean_root(theta).r;
    for (int p = 0; p < npoint; p++) {
        const swWide scale = sw_mean_root(J[p]).r * back;
        for (int i = 0; i < 9; i++) {
            swReal *at = F + (9 * p + i) * SW_LANES;
            sw_wide_store(at, scale * sw_wide_load(at));
        }
    }
}

// T[r][k][s] = sum_l C[(r,k),(s,l)] Gamma[l][b]: the stress that vertex b makes.
static void vertex_stress(int n, int b, const swReal *gamma, const swReal *C, swWide T[27]) {
    swWide g[3];
    for (int l = 0; l < 3; l++)
        g[l] = sw_wide_load(gamma + (l * n + b) * SW_LANES);
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++) {
            // C_sr[l][k] where r > s
            const swReal *c = C + 9 * sw_pair_at[3 * r + s] * SW_LANES;
            const int dk = r <= s ? 3 : 1, dl = r <= s ? 1 : 3;
            for (int k = 0; k < 3; k++) {
                swWide sum = sw_wide_load(c + k * dk * SW_LANES) * g[0];
                sum = sw_wide_fma(sw_wide_load(c + (k * dk + dl) * SW_LANES), g[1], sum);
                T[9 * r + 3 * k + s] =
                    sw_wide_fma(sw_wide_load(c + (k * dk + 2 * dl) * SW_LANES), g[2], sum);
            }
        }
}

void sw_element_stiffness(int n, int npoint, const swReal *gamma, const swReal *C, swReal *K) {
    memset(K, 0, (size_t)sw_element_pair(n, 0) * 9 * SW_LANES * sizeof *K);
    for (int p = 0; p < npoint; p++, gamma += 3 * n * SW_LANES, C += SW_TANGENT * SW_LANES)
        for (int b = 0; b < n; b++) {
            swWide T[27];
            vertex_stress(n, b, gamma, C, T);
            for (int a = b; a < n; a++) {
                swReal *to = K + (ptrdiff_t)sw_element_pair(a, b) * 9 * SW_LANES;
                swWide g[3];
                for (int k = 0; k < 3; k++)
                    g[k] = sw_wide_load(gamma + (k * n + a) * SW_LANES);
                for (int r = 0; r < 3; r++)
                    for (int s = 0; s < 3; s++, to += SW_LANES) {
                        swWide sum = sw_wide_load(to);
                        for (int k = 0; k < 3; k++)
                            sum = sw_wide_fma(g[k], T[9 * r + 3 * k + s], sum);
                        sw_wide_store(to, sum);
                    }
            }
        }
}

double sw_element_flops(int n) { return 36.0 * n + 162.0 * n + 54.0 * sw_element_pair(n, 0); }
