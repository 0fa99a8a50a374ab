// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A potential of one point's position: of a contact, of a pull.
#pragma once

#include "forces/forces.h"
#include "kinematics/points.h"

typedef struct swPointForce {
    swReal energy;
    swVec3 gradient;
    swReal hessian[9];
} swPointForce;

// Adds it to the system, over the nodes that move the point. Every two of these have their pair.
void sw_point_force_add(const swModel *model, const swReal *q, const swAnchor *at,
                        const swPointForce *force, swSystem *out);
