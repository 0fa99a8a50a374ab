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

swAnchor sw_point_anchor(const swBodyModel *m, int point) {
    const int first = m->point_start[point];
    swAnchor a = {.n = m->point_start[point + 1] - first,
                  .node = m->point_node + first,
                  .weight = m->point_weight + first,
                  .p = m->point[point]};
    if (m->size.nvector > 0 && m->point_vector[point] >= 0) {
        a.modes = m->reduced[0].node; // the only one of a body
        a.vector = m->vector + m->point_vector[point];
    }
    return a;
}

swVec3 sw_anchor_bend(const swBodyModel *m, const swReal *q, const swAnchor *a) {
    swVec3 u = {0, 0, 0};
    if (!a->vector)
        return u;
    const swNode *node = &m->node[a->modes];
    const swReal *z = q + sw_node_ambient(node);
    for (int j = 0; j < node->nu; j++)
        u = sw_madd(u, z[j], a->vector[j]);
    return u;
}

void sw_anchor_monomials(const swNode *node, const swAnchor *a, swVec3 u, swReal *out) {
    const swVec3 p = sw_sub(a->p, node->origin);
    swReal dm[SW_MAX_MONOMIALS][3];
    sw_monomials(node->width, p, out);
    if (!a->vector)
        return;
    sw_monomial_gradients(node->width, p, dm);
    for (int c = 0; c < node->width; c++)
        out[c] += sw_dot(sw_v3(dm[c][0], dm[c][1], dm[c][2]), u);
}

static swVec3 move_any(const swReal *A, const swNode *node, const swAnchor *a, swVec3 u) {
    const int d = node->width;
    swReal m[SW_MAX_MONOMIALS], x[3] = {0, 0, 0};
    sw_anchor_monomials(node, a, u, m);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < d; c++)
            x[r] += A[r * d + c] * m[c];
    return sw_v3(x[0], x[1], x[2]);
}

void sw_anchor_blend(const swBodyModel *m, const swReal *q, const swAnchor *a, swReal *b) {
    memset(b, 0, SW_DUAL * sizeof *b);
    for (int e = 0; e < a->n; e++)
        for (int r = 0; r < SW_DUAL; r++)
            b[r] += a->weight[e] * q[m->node[a->node[e]].q + SW_NODE_DUAL + r];
}

// Under dual-quaternion blending: Vec((r p + 2 d) r*) / (r . r) of the blended b = (r, d).
static swVec3 dual_position(const swBodyModel *m, const swReal *q, const swAnchor *a) {
    swReal b[SW_DUAL];
    sw_anchor_blend(m, q, a, b);
    const swVec3 p = sw_add(a->p, sw_anchor_bend(m, q, a)), v = sw_v3(b[1], b[2], b[3]),
                 u = sw_v3(b[5], b[6], b[7]);
    // r p = (-v.p, w p + v x p); (s, y) r* = (.., w y - s v - y x v)
    const swReal s = 2 * b[4] - sw_dot(v, p);
    const swVec3 y = sw_add(sw_add(sw_scale(b[0], p), sw_cross(v, p)), sw_scale(2, u));
    const swVec3 x = sw_sub(sw_sub(sw_scale(b[0], y), sw_scale(s, v)), sw_cross(y, v));
    return sw_scale(1 / (b[0] * b[0] + sw_norm2(v)), x);
}

swMat3 sw_anchor_turn(const swBodyModel *m, const swReal *q, const swAnchor *a) {
    swReal b[SW_DUAL];
    sw_anchor_blend(m, q, a, b);
    const swReal w = b[0], x = b[1], y = b[2], z = b[3], n = 1 / (w * w + x * x + y * y + z * z);
    return (swMat3){
        {n * (w * w + x * x - y * y - z * z), 2 * n * (x * y - w * z), 2 * n * (x * z + w * y),
         2 * n * (x * y + w * z), n * (w * w - x * x + y * y - z * z), 2 * n * (y * z - w * x),
         2 * n * (x * z - w * y), 2 * n * (y * z + w * x), n * (w * w - x * x - y * y + z * z)}};
}

swVec3 sw_anchor_position(const swBodyModel *m, const swReal *q, const swAnchor *a) {
    swVec3 x = {0, 0, 0};
    if (sw_anchor_is_dual(m, a))
        return dual_position(m, q, a);
    const swVec3 u = sw_anchor_bend(m, q, a), p = sw_add(a->p, u);
    for (int e = 0; e < a->n; e++) {
        const swNode *node = &m->node[a->node[e]];
        const swReal *A = q + node->q;
        x = sw_madd(x, a->weight[e],
                    node->width == 4 ? move_affine(A, sw_sub(p, node->origin))
                                     : move_any(A, node, a, u));
    }
    return x;
}

swVec3 sw_point_position(const swBodyModel *m, const swReal *q, int point) {
    const swAnchor anchor = sw_point_anchor(m, point);
    return sw_anchor_position(m, q, &anchor);
}

void sw_points_positions(const swBodyModel *m, const swReal *q, int first, int count, swVec3 *out) {
    for (int p = first; p < first + count; p++)
        *out++ = sw_point_position(m, q, p);
}

static swReal rotations_dot(const swReal *a, const swReal *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// While no two frames are opposed, |sum w r| >= |w| > 0 everywhere: nothing to look for.
static bool opposed(const swBodyModel *m, const swReal *q) {
    for (int64_t p = 0; p < m->size.npair; p++) {
        const swNode *i = &m->node[m->pair[p].i], *j = &m->node[m->pair[p].j];
        if (sw_node_is_dual(i) &&
            rotations_dot(q + i->q + SW_NODE_DUAL, q + j->q + SW_NODE_DUAL) < 0)
            return true;
    }
    return false;
}

bool sw_points_defined(const swBodyModel *m, const swReal *q) {
    static const swReal least = 1e-10; // of |r|^2, 1 for a frame alone
    if (m->size.nbulk == 0 || !opposed(m, q))
        return true;
    for (int p = 0; p < m->size.npoint; p++) {
        swReal b[SW_DUAL];
        const swAnchor anchor = sw_point_anchor(m, p);
        if (!sw_anchor_is_dual(m, &anchor))
            continue;
        sw_anchor_blend(m, q, &anchor, b);
        if (!(rotations_dot(b, b) > least))
            return false;
    }
    return true;
}
