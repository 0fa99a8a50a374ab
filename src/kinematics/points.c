// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/points.h"

// A m(p) of an affine or rigid node.
static inline swVec3 move_affine(const swReal *A, swVec3 p) {
    return sw_v3(A[0] + A[1] * p.x + A[2] * p.y + A[3] * p.z,
                 A[4] + A[5] * p.x + A[6] * p.y + A[7] * p.z,
                 A[8] + A[9] * p.x + A[10] * p.y + A[11] * p.z);
}

static swVec3 move_any(const swReal *A, int d, swVec3 p) {
    swReal m[SW_MAX_MONOMIALS], x[3] = {0, 0, 0};
    sw_monomials(d, p, m);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < d; c++)
            x[r] += A[r * d + c] * m[c];
    return sw_v3(x[0], x[1], x[2]);
}

swVec3 sw_point_position(const swModel *m, const swReal *q, int point) {
    const swVec3 p = m->point[point];
    swVec3 x = {0, 0, 0};
    for (int e = m->point_start[point]; e < m->point_start[point + 1]; e++) {
        const swNode *node = &m->node[m->point_node[e]];
        const swReal *A = q + node->q;
        swVec3 d = sw_sub(p, node->origin);
        x = sw_madd(x, m->point_weight[e],
                    node->width == 4 ? move_affine(A, d) : move_any(A, node->width, d));
    }
    return x;
}

void sw_points_positions(const swModel *m, const swReal *q, int first, int count, swVec3 *out) {
    for (int p = first; p < first + count; p++)
        *out++ = sw_point_position(m, q, p);
}
