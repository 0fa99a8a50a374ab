// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Changes of volume of whole regions: 1/2 sum_f m_f^2, m_f = sum over samples of weight_f (J - 1).
// What hardly changes its volume would lock if every sample kept its own: frames cannot move like
// that. The m_f are moments of J - 1 over a region, times the root of the bulk modulus; their
// weights were fitted for that.
#pragma once

#include "model/body.h"

struct swSystem;

typedef struct swVolumesWork {
    // Of all samples, where m_f were found: [block][9], [block][6], [block][9]; see
    // kinematics/correct.h.
    swReal *F_nodes, *X, *F;
    swReal *
        pressure; // of each sample, times its weight: the sum of m_f weight_f; NULL: there are none
    swReal *sum;  // m_f
    swReal *slope, *opposite; // how they change with q: [nq][f], and the opposite
    swReal *change;           // how J of a block do: [rows ncolumn + modes][SW_LANES]
    swReal *force;            // sums of these: [f][rows ncolumn + modes][SW_LANES]
    swReal *a;                // of a group
} swVolumesWork;

bool sw_volumes_create(swVolumesWork *work, const swBodyModel *model, swArena *arena,
                       swError *error);
// Finds the m_f and the pressures at q; returns the energy.
swReal sw_volumes_find(const swVolumesWork *work, const swBodyModel *model, const swReal *q);
// What the changes of m_f add to the stiffness where they were found; what pressures add is added
// with the samples.
void sw_volumes_stiffness(const swVolumesWork *work, const swBodyModel *model, const swReal *q,
                          struct swSystem *out);
