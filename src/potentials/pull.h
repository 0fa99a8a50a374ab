// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Springs that the program pulls with, or that hold a bone: k/2 |x - to|^2. A frame is drawn by
// seven of them, each of k/7: on its origin, and at a distance L of it along its axes in both
// directions, points that it moves alone. A point frame, which cannot turn, has the first alone.
#pragma once

#include "potentials/forces.h"
#include "kinematics/points.h"
#include "model/model.h"

enum { SW_PULL_SPRINGS = 7 };
typedef struct swPullSpring {
    swAnchor at; // of the model or of the pull
    swVec3 to;
    swReal stiffness;
} swPullSpring;

// The springs of a pull in use; returns how many.
int sw_pull_springs(const swBodyModel *model, const swPullInfo *pull,
                    swPullSpring spring[SW_PULL_SPRINGS]);
// Of all pulls on a body.
void sw_pulls_add(const swBodyModel *model, const swState *world, int body, const swReal *q,
                  swSystem *out);
// Of free handles that are held, as keys have them at time t.
void sw_holds_add(const swBodyModel *model, swReal t, const swReal *q, swSystem *out);
// Of those on a body together, holds included [N/m].
swReal sw_pulls_stiffness(const swBodyModel *model, const swState *world, int body);
// Whether they are of this model: a file may say anything.
bool sw_pulls_sane(const swState *world);
