// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/group.h"

void sw_group_gather(const swModel *m, const swGroup *g, const swReal *q, swReal *a) {
    int column = 0;
    for (int i = 0; i < g->nnode; i++) {
        const swNode *node = &m->node[m->group_node[g->node + i]];
        const swReal *from = q + sw_node_ambient(node);
        const int width = sw_node_columns(node);
        for (int r = 0; r < sw_group_rows(g); r++)
            for (int c = 0; c < width; c++)
                a[r * g->ncolumn + column + c] = from[r * width + c];
        column += width;
    }
}

void sw_group_gradient(const swModel *m, const swGroup *g, int first, int nblock, const swReal *a,
                       swDualGradient *dual, swReal *F) {
    const swReal *gamma = m->gamma + g->gamma + (int64_t)first * sw_group_stride(g);
    const swVec3 *place = m->sample_point + g->sample + (int64_t)first * SW_LANES;
    if (g->blend == SW_BLEND_LINEAR)
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
