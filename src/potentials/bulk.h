// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Mass, gravity and dead loads of bodies under dual-quaternion blending. There positions are no
// linear function of q, so mass and loads sit on points, each with the energy
//   inertia/2 m |x - target|^2 + damping/2 m |x - last|^2 - load (m g + f) . x
#pragma once

#include "potentials/forces.h"

typedef struct swBulkWork {
    swReal *force, *K, *rows; // of the one with the most nodes
} swBulkWork;

typedef struct swBulkInput {
    const swReal *q;
    swReal inertia;       // 0: none
    const swVec3 *target; // per bulk point
    const swVec3 *last;   // NULL: no damping
    const swVec3 *before; // or NULL: see swRates
    swReal h;
    swReal load;
} swBulkInput;

bool sw_bulk_create(swBulkWork *work, const swBodyModel *model, swArena *arena, swError *error);
void sw_bulk_add(const swBodyModel *model, const swBulkWork *work, const swBulkInput *input,
                 swSystem *out);
void sw_bulk_positions(const swBodyModel *model, const swReal *q, swVec3 *x);
// Velocities at q for rates v of the nodes' dual quaternions.
void sw_bulk_rates(const swBodyModel *model, const swReal *q, const swReal *v, swVec3 *velocity);
// Velocities of a body that begins as a rigid one, from the rates v of its nodes.
void sw_bulk_start(const swBodyModel *model, const swReal *v, swVec3 *velocity);
swReal sw_bulk_energy(const swBodyModel *model, const swVec3 *velocity); // kinetic
// Weight and loads of a bulk together, per node of its body [N].
swReal sw_bulk_weight(const swBodyModel *model, int bulk);
// Of one point of a bulk; 0 for padding and loads.
swReal sw_bulk_mass(const swBodyModel *model, int bulk, int point);
