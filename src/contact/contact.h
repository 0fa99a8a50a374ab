// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Surface points against colliders: a penalty on depth, and Coulomb friction.
#pragma once

#include "contact/collider.h"
#include "potentials/forces.h"

typedef struct swContactInput {
    const swReal *q;
    swReal t;             // when: colliders are where they are then
    swReal h;             // over which step: of sw_contact_begin()
    bool rubs;            // with friction, once a step has begun
    bool linear;          // which acts against every slip alike, in proportion to it, as at
    const swReal *about;  // this place; NULL: at q
    const swTouch *touch; // of the last step
    const swState *world;
    struct swNear *near; // of the body, see contact/near.h
    void *work;          // of the potential of contact
} swContactInput;

extern const struct swPotential sw_potential_contact;
// Adds k area depth^2 / 2 for each contact point inside a collider, and the friction potential mu N
// f(|slip|), with N of the last step. Returns the number of points in contact.
int sw_contact_add(const swBodyModel *model, const swContactInput *input, swSystem *out);
// Whether a collider there may touch the body at input->q.
bool sw_contact_reaches(const swBodyModel *model, const swContactInput *input,
                        const swPosed *collider);
// A step of h that begins at input->q, whose forces act at input->t: what touched something in the
// last one rubs.
void sw_contact_begin(const swBodyModel *model, const swContactInput *input);
// What friction at input->q does along the way from where the step began, taken from the body.
swReal sw_contact_friction(const swBodyModel *model, const swContactInput *input);
// Normal forces at q, for the next step's friction: SW_TOUCHES for each contact point.
void sw_contact_forces(const swBodyModel *model, const swContactInput *input, swTouch *touch);
// Of colliders that move between two times, with the forces at input->t that were found last.
swReal sw_contact_work(const swBodyModel *model, const swContactInput *input, swReal from,
                       swReal to, const swTouch *touch);
