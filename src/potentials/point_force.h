// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A potential of a point's position: of a contact, of a pull; or of two: of a muscle.
#pragma once

#include "potentials/coupling.h"
#include "potentials/forces.h"
#include "kinematics/points.h"

typedef struct swPointForce {
    swReal energy;
    swVec3 gradient;
    swReal hessian[9];
} swPointForce;

// Adds it to the system, over the nodes that move the point. Every two of these have their pair.
void sw_point_force_add(const swBodyModel *model, const swReal *q, const swAnchor *at,
                        const swPointForce *force, swSystem *out);
// The mixed second derivatives of a potential of two points, d2 / dx_one dx_other, and their
// transpose. Every node of one has its pair with every node of the other.
void sw_point_couple_add(const swBodyModel *model, const swReal *q, const swAnchor *one,
                         const swAnchor *other, const swReal hessian[9], swSystem *out);
// A potential of the places of a point of one body and a point of another, which depends on their
// difference: `force` is that on the first, and the opposite on the second.
void sw_points_bind(swCoupled *coupled, int one, const swAnchor *at, int other,
                    const swAnchor *other_at, const swPointForce *force);
