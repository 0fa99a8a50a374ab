// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/points.h"

#include "kinematics/dual.h"

#include <string.h>

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

// Frames of a body blend alike.
static bool is_dual(const swModel *m, int point) {
    return m->point_start[point] < m->point_start[point + 1] &&
           sw_node_is_dual(&m->node[m->point_node[m->point_start[point]]]);
}

static void blend(const swModel *m, const swReal *q, int point, swReal b[SW_DUAL]) {
    memset(b, 0, SW_DUAL * sizeof *b);
    for (int e = m->point_start[point]; e < m->point_start[point + 1]; e++)
        for (int r = 0; r < SW_DUAL; r++)
            b[r] += m->point_weight[e] * q[m->node[m->point_node[e]].q + SW_NODE_DUAL + r];
}

// Under dual-quaternion blending: Vec((r p + 2 d) r*) / (r . r) of the blended b = (r, d).
static swVec3 dual_position(const swModel *m, const swReal *q, int point) {
    swReal b[SW_DUAL];
    blend(m, q, point, b);
    const swVec3 p = m->point[point], v = sw_v3(b[1], b[2], b[3]), u = sw_v3(b[5], b[6], b[7]);
    // r p = (-v.p, w p + v x p); (s, y) r* = (.., w y - s v - y x v)
    const swReal s = 2 * b[4] - sw_dot(v, p);
    const swVec3 y = sw_add(sw_add(sw_scale(b[0], p), sw_cross(v, p)), sw_scale(2, u));
    const swVec3 x = sw_sub(sw_sub(sw_scale(b[0], y), sw_scale(s, v)), sw_cross(y, v));
    return sw_scale(1 / (b[0] * b[0] + sw_norm2(v)), x);
}

swVec3 sw_point_position(const swModel *m, const swReal *q, int point) {
    const swVec3 p = m->point[point];
    swVec3 x = {0, 0, 0};
    if (is_dual(m, point))
        return dual_position(m, q, point);
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

static swReal rotations_dot(const swReal *a, const swReal *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// While no two frames are opposed, |sum w r| >= |w| > 0 everywhere: nothing to look for.
static bool opposed(const swModel *m, const swReal *q) {
    for (int64_t p = 0; p < m->size.npair; p++) {
        const swNode *i = &m->node[m->pair[p].i], *j = &m->node[m->pair[p].j];
        if (sw_node_is_dual(i) &&
            rotations_dot(q + i->q + SW_NODE_DUAL, q + j->q + SW_NODE_DUAL) < 0)
            return true;
    }
    return false;
}

bool sw_points_defined(const swModel *m, const swReal *q) {
    static const swReal least = 1e-10; // of |r|^2, 1 for a frame alone
    if (m->size.nbulk == 0 || !opposed(m, q))
        return true;
    for (int p = 0; p < m->size.npoint; p++) {
        swReal b[SW_DUAL];
        if (!is_dual(m, p))
            continue;
        blend(m, q, p, b);
        if (!(rotations_dot(b, b) > least))
            return false;
    }
    return true;
}
