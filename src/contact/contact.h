// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Surface points against colliders and the ball: a penalty on depth, and Coulomb friction.
#pragma once

#include "contact/collider.h"
#include "potentials/forces.h"

typedef struct swContactInput {
    const swReal *q;
    swReal t;             // when: colliders are where they are then
    const swVec3 *x_last; // contact points at the beginning of the step, for friction; NULL: none
    const swTouch *touch; // of the last step
    const swState *world;
    void *work; // of the potential of contact
    swReal h;
    bool linear; // friction acts against every slip alike, in proportion to it, as at x_about
    const swVec3 *x_about; // contact points there; NULL: where they are
} swContactInput;

extern const struct swPotential sw_potential_contact;
// Adds k area depth^2 / 2 for each contact point inside a collider, and the friction potential mu N
// f(|slip|), with N of the last step. Returns the number of points in contact.
int sw_contact_add(const swBodyModel *model, const swContactInput *input, swSystem *out);
// Normal forces at q, for the next step's friction: SW_TOUCHES for each contact point.
void sw_contact_forces(const swBodyModel *model, const swContactInput *input, swTouch *touch);
// Of contact points, where there is anything to touch.
void sw_contact_positions(const swBodyModel *model, const swContactInput *input, swVec3 *x);
// Of colliders that move between two times, with the forces at input->t.
swReal sw_contact_work(const swBodyModel *model, const swContactInput *input, swReal from,
                       swReal to, const swTouch *touch);
