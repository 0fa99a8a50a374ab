// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Unknowns of nodes: linear nodes use their 3 d numbers, rigid ones six: A = [t | R], dt = u, dR =
// [w]x R.
#pragma once

#include "math/blocks.h"
#include "model/body.h"

// step is in the solver's unknowns: q := q moved by it, on SE(3) for rigid nodes.
void sw_nodes_move(const swBodyModel *model, const swReal *step, swReal scale, swReal *q);
// The dual quaternions of nodes that blend so, from their matrices: each takes the sign nearer to
// its parent's, at the start of a motion;
void sw_nodes_sync(const swBodyModel *model, swReal *q);
// or nearer to what it was, while they move: nothing jumps where neighbours are half a turn apart.
// sw_nodes_move and sw_nodes_make_rigid do this by themselves.
void sw_nodes_follow(const swBodyModel *model, swReal *q);
// Both also put the vertices that handles hold where these have them. The other way round, their
// part of an ambient gradient becomes the handles'.
void sw_nodes_release(const swBodyModel *model, swReal *g);
// The rigid node's matrix nearest to what q holds (q may have left the rigid motions by
// extrapolation).
void sw_nodes_make_rigid(const swBodyModel *model, swReal *q);
// Whether nothing holds a body, whose matrices alone say where it is.
static inline bool sw_body_is_free(const swBodyModel *model) {
    for (int n = 0; n < sw_body_frames(model); n++) {
        const swNode *node = &model->node[n];
        if (sw_node_is_modes(node) || node->slide || (node->ndof == 0 && !sw_node_is_carried(node)))
            return false;
    }
    return true;
}
// Rates at q of what goes from `from` to q in a time h: of rigid nodes those of a steady turning,
// which are tangential there.
void sw_nodes_rates(const swBodyModel *model, const swReal *from, const swReal *q, swReal h,
                    swReal *v);
// v += scale times what a step in the solver's unknowns does to q, to first order.
void sw_nodes_add_rates(const swBodyModel *model, const swReal *q, const swReal *step, swReal scale,
                        swReal *v);
// Matrices a share u of the way from `a` to `b`; rigid nodes stay rigid.
void sw_nodes_between(const swBodyModel *model, const swReal *a, const swReal *b, swReal u,
                      swReal *out);
// Ambient gradient g (over q, released) -> gradient over the unknowns.
void sw_nodes_fold_gradient(const swBodyModel *model, const swReal *q, const swReal *g,
                            swReal *out);
// n rows of derivatives over a node's ambient unknowns become rows over unknowns: its own, or those
// of the node that carries it, whose number is returned; -1: nothing moves it.
int sw_node_fold_rows(const swBodyModel *model, const swReal *q, int node, int n, int stride,
                      swReal *rows);
// Ambient Hessian H -> Hessian over the unknowns, with the geometric term of rigid nodes. Block p
// of both is that of the model's pair p.
void sw_nodes_fold_hessian(const swBodyModel *model, const swReal *q, const swReal *g,
                           const swBlocks *H, const swBlocks *out);
// The same with the positive part of that term: semi-definite where H is. Left out under dual
// quaternions, where it means nothing without the second derivatives of the blended motion.
void sw_nodes_fold_definite(const swBodyModel *model, const swReal *q, const swReal *g,
                            const swBlocks *H, const swBlocks *out);
// The unit quaternion (w first) of a rotation: w >= 0, or the largest entry positive.
void sw_quaternion_of(swMat3 rotation, swReal out[4]);
swMat3 sw_quaternion_rotation(const swReal q[4]); // of a unit quaternion
// The rotation vector from one rigid node's matrix, 3 x 4, to another.
swVec3 sw_rigid_turn(const swReal *from, const swReal *to);
// Force and torque about `center` that the ambient gradient of one d = 4 node amounts to.
void sw_node_wrench(const swNode *node, const swReal *q, const swReal *g, swVec3 center,
                    swVec3 *force, swVec3 *torque);
