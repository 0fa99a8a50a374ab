// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Points embedded in a body: x = sum_i w_i A_i m_i(p - origin_i), or that of the blended dual
// quaternion. Modes of a reduced or corrected body move p before that, by u = sum_j z_j phi_j: m_i
// becomes m_i + dm_i/dp u, which for all but quadratic frames is m_i(p + u).
#pragma once

#include "model/body.h"

// A point and what moves it: nodes of one body, which blend alike.
typedef struct swAnchor {
    int n;
    const int *node;
    const swReal *weight;
    swVec3 p;             // at rest
    int modes;            // the node of modes that moves it first, one of its own or beside them
    const swVec3 *vector; // phi of these there; NULL: none do
} swAnchor;
swAnchor sw_point_anchor(const swBodyModel *model, int point);
swVec3 sw_anchor_position(const swBodyModel *model, const swReal *q, const swAnchor *anchor);
static inline bool sw_anchor_is_dual(const swBodyModel *model, const swAnchor *anchor) {
    return anchor->n > 0 && sw_node_is_dual(&model->node[anchor->node[0]]);
}
// Of a reduced body: its node of modes alone moves it.
static inline bool sw_anchor_is_modes(const swBodyModel *model, const swAnchor *anchor) {
    return anchor->n > 0 && sw_node_is_modes(&model->node[anchor->node[0]]);
}
// u = sum_j z_j phi_j
swVec3 sw_anchor_bend(const swBodyModel *model, const swReal *q, const swAnchor *anchor);
// m + dm/dp u of one of its nodes.
void sw_anchor_monomials(const swNode *node, const swAnchor *anchor, swVec3 u, swReal *out);
// Under dual-quaternion blending: how it moves with u, the blended rotation.
swMat3 sw_anchor_turn(const swBodyModel *model, const swReal *q, const swAnchor *anchor);
// b = sum_i w_i (r_i, d_i), see kinematics/dual.h
void sw_anchor_blend(const swBodyModel *model, const swReal *q, const swAnchor *anchor, swReal *b);

swVec3 sw_point_position(const swBodyModel *model, const swReal *q, int point);
// Positions of embedded points first .. first + count - 1 for node matrices q.
void sw_points_positions(const swBodyModel *model, const swReal *q, int first, int count,
                         swVec3 *out);
// Whether every point has a place. Dual quaternions of frames that have turned against each other
// may cancel: of two that are a whole turn apart, of three and more in one place before.
bool sw_points_defined(const swBodyModel *model, const swReal *q);
