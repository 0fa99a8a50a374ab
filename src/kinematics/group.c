// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/group.h"

#include "kinematics/element.h"
#include "math/tangent.h"
#include "math/tiles.h"

#include <string.h>

// ---- linear blending ----

void sw_linear_gradient(int n, int nblock, const swReal *gamma, const swReal *a, swReal *F) {
    for (int b = 0; b < nblock; b++, gamma += 3 * n * SW_LANES, F += 9 * SW_LANES) {
        swWide sum[9];
        for (int i = 0; i < 9; i++)
            sum[i] = sw_wide(0);
        for (int c = 0; c < n; c++) {
            swWide g[3];
            for (int k = 0; k < 3; k++)
                g[k] = sw_wide_load(gamma + (k * n + c) * SW_LANES);
            for (int r = 0; r < 3; r++) {
                swWide A = sw_wide(a[r * n + c]);
                for (int k = 0; k < 3; k++)
                    sum[3 * r + k] = sw_wide_fma(A, g[k], sum[3 * r + k]);
            }
        }
        for (int i = 0; i < 9; i++)
            sw_wide_store(F + i * SW_LANES, sum[i]);
    }
}

void sw_linear_force(int n, int nblock, const swReal *gamma, const swReal *P, swReal *force) {
    for (int b = 0; b < nblock; b++, gamma += 3 * n * SW_LANES, P += 9 * SW_LANES) {
        swWide p[9];
        for (int i = 0; i < 9; i++)
            p[i] = sw_wide_load(P + i * SW_LANES);
        for (int c = 0; c < n; c++) {
            swWide g[3];
            for (int k = 0; k < 3; k++)
                g[k] = sw_wide_load(gamma + (k * n + c) * SW_LANES);
            for (int r = 0; r < 3; r++) {
                swReal *at = force + (r * n + c) * SW_LANES;
                swWide f = sw_wide_load(at);
                for (int k = 0; k < 3; k++)
                    f = sw_wide_fma(p[3 * r + k], g[k], f);
                sw_wide_store(at, f);
            }
        }
    }
}

// H[k][c] = sum_l C[k][l] Gamma[l][c] for the free columns of all blocks.
static void stress_rows(int n, int nfree, int nblock, const swReal *gamma, const swReal *C,
                        swReal *H) {
    for (int b = 0; b < nblock; b++) {
        swWide c9[9];
        for (int i = 0; i < 9; i++)
            c9[i] = sw_wide_load(C + (SW_TANGENT * b + i) * SW_LANES);
        const swReal *g = gamma + b * 3 * n * SW_LANES;
        swReal *h = H + b * 3 * nfree * SW_LANES;
        for (int c = 0; c < nfree; c++) {
            swWide g0 = sw_wide_load(g + c * SW_LANES), g1 = sw_wide_load(g + (n + c) * SW_LANES),
                   g2 = sw_wide_load(g + (2 * n + c) * SW_LANES);
            for (int k = 0; k < 3; k++)
                sw_wide_store(
                    h + (k * nfree + c) * SW_LANES,
                    sw_wide_fma(c9[3 * k], g0, sw_wide_fma(c9[3 * k + 1], g1, c9[3 * k + 2] * g2)));
        }
    }
}

void sw_linear_stiffness(int n, int nfree, int nblock, const swReal *gamma, const swReal *C,
                         swReal *K, swReal *scratch) {
    const ptrdiff_t size = (ptrdiff_t)nfree * nfree * SW_LANES;
    for (int pair = 0; pair < 6; pair++) {
        stress_rows(n, nfree, nblock, gamma, C + 9 * pair * SW_LANES, scratch);
        swRows G = {gamma, SW_LANES, (ptrdiff_t)n * SW_LANES},
               H = {scratch, SW_LANES, (ptrdiff_t)nfree * SW_LANES};
        sw_tiles_accumulate(nfree, nfree, 3 * nblock, G, H, K + pair * size, nfree, pair < 3);
    }
}

double sw_linear_flops(int n, int nfree) {
    double gradient = 18.0 * n, force = 18.0 * n;
    double rows = 6 * 15.0 * nfree,
           products = 6.0 * nfree * nfree * 3 + 6.0 * nfree * (nfree + 1) / 2 * 3;
    return gradient + force + rows + products;
}

// ---- any blending, and elements ----

const swReal *sw_group_gather(const swBodyModel *m, const swGroup *g, const swReal *q, swReal *a) {
    int column = 0;
    if (g->nsample > 0)
        return q;
    for (int i = 0; i < g->nnode; i++) {
        const swNode *node = &m->node[m->group_node[g->node + i]];
        const swReal *from = q + sw_node_ambient(node);
        const int width = sw_node_columns(node);
        for (int r = 0; r < sw_group_rows(g); r++)
            for (int c = 0; c < width; c++)
                a[r * g->ncolumn + column + c] = from[r * width + c];
        column += width;
    }
    return a;
}

// Blocks from `first` on, which may begin and end amid an element.
static void element_gradients(const swBodyModel *m, const swGroup *g, int first, int nblock,
                              const swReal *q, swReal *F) {
    swReal x[3 * SW_ELEMENT_VERTICES * SW_LANES], all[9 * SW_ELEMENT_SAMPLES * SW_LANES];
    for (int b = first, next; b < first + nblock; b = next) {
        const int element = b / g->nsample, begin = element * g->nsample;
        next = sw_min_int(begin + g->nsample, first + nblock);
        sw_element_gather(m, g, element, q, x);
        // the mean needs all points
        const int from = g->mean ? begin : b, to = g->mean ? begin + g->nsample : next;
        for (int p = from; p < to; p++)
            sw_element_gradient(g->nnode, m->gamma + g->gamma + (int64_t)p * sw_group_stride(g), x,
                                all + 9 * (p - from) * SW_LANES);
        if (g->mean)
            sw_element_mean(g->nsample, m->sample_volume + g->sample + (int64_t)begin * SW_LANES,
                            all, NULL, NULL);
        memcpy(F + 9 * (b - first) * SW_LANES, all + 9 * (b - from) * SW_LANES,
               (size_t)(next - b) * 9 * SW_LANES * sizeof *F);
    }
}

void sw_group_gradient(const swBodyModel *m, const swGroup *g, int first, int nblock,
                       const swReal *a, swDualGradient *dual, swReal *F) {
    const swReal *gamma = m->gamma + g->gamma + (int64_t)first * sw_group_stride(g);
    const swVec3 *place = m->sample_point + g->sample + (int64_t)first * SW_LANES;
    if (g->nsample > 0)
        element_gradients(m, g, first, nblock, a, F);
    else if (g->blend == SW_BLEND_LINEAR)
        sw_linear_gradient(g->ncolumn, nblock, gamma, a, F);
    else if (g->blend == SW_BLEND_MODES)
        sw_modes_gradient(g->ncolumn, nblock, gamma, a, F);
    else if (dual)
        sw_dual_blend_gradient(g->ncolumn, nblock, gamma, place, a, dual, F);
    else
        for (int b = 0; b < nblock; b++) {
            swDualGradient one;
            sw_dual_blend_gradient(g->ncolumn, 1, gamma + b * sw_group_stride(g),
                                   place + b * SW_LANES, a, &one, F + 9 * b * SW_LANES);
        }
}
