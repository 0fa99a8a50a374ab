// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/group.h"

#include "kinematics/element.h"

#include <string.h>

const swReal *sw_group_gather(const swBodyModel *m, const swGroup *g, const swReal *q, swReal *a) {
    int column = 0;
    if (g->npoint > 0)
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
    swReal x[3 * SW_ELEMENT_VERTICES * SW_LANES], all[9 * SW_ELEMENT_POINTS * SW_LANES];
    for (int b = first, next; b < first + nblock; b = next) {
        const int element = b / g->npoint, begin = element * g->npoint;
        next = sw_min_int(begin + g->npoint, first + nblock);
        sw_element_gather(m, g, element, q, x);
        // the mean needs all points
        const int from = g->mean ? begin : b, to = g->mean ? begin + g->npoint : next;
        for (int p = from; p < to; p++)
            sw_element_gradient(g->nnode, m->gamma + g->gamma + (int64_t)p * sw_group_stride(g), x,
                                all + 9 * (p - from) * SW_LANES);
        if (g->mean)
            sw_element_mean(g->npoint, m->sample_volume + g->sample + (int64_t)begin * SW_LANES,
                            all, NULL, NULL);
        memcpy(F + 9 * (b - first) * SW_LANES, all + 9 * (b - from) * SW_LANES,
               (size_t)(next - b) * 9 * SW_LANES * sizeof *F);
    }
}

void sw_group_gradient(const swBodyModel *m, const swGroup *g, int first, int nblock,
                       const swReal *a, swDualGradient *dual, swReal *F) {
    const swReal *gamma = m->gamma + g->gamma + (int64_t)first * sw_group_stride(g);
    const swVec3 *place = m->sample_point + g->sample + (int64_t)first * SW_LANES;
    if (g->npoint > 0)
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
