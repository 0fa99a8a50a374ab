// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Muscles: a potential of the distance l of two embedded points, a T l + k/2 max(0, l - L)^2 with
// activation a, strength T, stiffness k and rest length L. Where the points meet, the force would
// have no direction: l is rounded off there, to sqrt(l^2 + (L/1000)^2). The Hessian is positive
// semi-definite in both points.
#pragma once

#include "potentials/forces.h"
#include "kinematics/points.h"

// `activation` is that of all controls.
void sw_muscles_add(const swBodyModel *model, const swReal *activation, const swReal *q,
                    swSystem *out);
// Of those of a body together, at full strength [N/m].
swReal sw_muscles_stiffness(const swBodyModel *model, int body);
// With which a muscle pulls at this activation and vector between its ends [N].
swReal sw_muscle_tension(const swMuscleInfo *muscle, swReal activation, swVec3 between);
