// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Surface points against colliders and the ball: a penalty on depth, and Coulomb friction.
#pragma once

#include "forces/forces.h"

// A collider kind is one row: how deep p is inside, the outward normal there, and the curvature k
// of the surface of equal depth: dn/dp = k (I - n n^T) across, except along `flat`, the straight
// direction of a capsule's side (or zero).
typedef struct swDepth {
    swReal depth; // positive inside
    swVec3 normal;
    swReal curvature;
    swVec3 flat;
} swDepth;
swDepth sw_collider_depth(const swColliderInfo *collider, swVec3 p);
bool sw_collider_known(int kind);

typedef struct swContactInput {
    const swReal *q;
    const swVec3 *x_last; // contact points at the beginning of the step, for friction; NULL: none
    const swReal *normal_force; // of the last step, [contact][collider]
    const swReal *ball_force;   // the same of the ball
    const swBall *ball;
    swReal h;
    bool linear; // friction acts against every slip alike, in proportion to it, as at q
} swContactInput;

// Adds k area depth^2 / 2 for each contact point inside a collider, and the friction potential mu N
// f(|slip|), with N of the last step. Returns the number of points in contact.
int sw_contact_add(const swModel *model, const swContactInput *input, swSystem *out);
// Normal forces at q, for the next step's friction.
void sw_contact_forces(const swModel *model, const swBall *ball, const swReal *q,
                       swReal *normal_force, swReal *ball_force);
// Of contact points, where there is anything to touch.
void sw_contact_positions(const swModel *model, const swBall *ball, const swReal *q, swVec3 *x);
