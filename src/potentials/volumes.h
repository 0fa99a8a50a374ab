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
    swReal *pressure;  // of each sample, times its weight: the sum of p_f weight_f; NULL: there are
                       // none
    swReal *rest;      // the sum of (m_f - p_f) weight_f
    swReal *sum;       // m_f
    bool foreseen;     // p_f are where they were foreseen; else m_f
    swReal *foresight; // these
    swReal *slope, *opposite; // how they change with q: [nq][f], and the opposite
    swReal *change;           // how J of a block do: [rows ncolumn + modes][SW_LANES]
    swReal *force;            // sums of these: [f][rows ncolumn + modes][SW_LANES]
    swReal *a;                // of a group
} swVolumesWork;

bool sw_volumes_create(swVolumesWork *work, const swBodyModel *model, swArena *arena,
                       swError *error);
// Finds the m_f and the pressures at q; returns the energy. With pressures that are foreseen that
// is sum_f p_f m_f - 1/2 p_f^2, which is less by the gap, 1/2 sum_f (m_f - p_f)^2.
swReal sw_volumes_find(const swVolumesWork *work, const swBodyModel *model, const swReal *q);
// What the changes of m_f add to the stiffness where they were found; what pressures add is added
// with the samples.
void sw_volumes_stiffness(const swVolumesWork *work, const swBodyModel *model, const swReal *q,
                          struct swSystem *out);

// Pressures as unknowns of their own. Where stuff hardly changes its volume the m_f after a step
// say nothing of pressures: they are second-order changes of volume times a huge modulus. Newton's
// method for q and p_f together has, once the latter are eliminated, the forces of m_f, but the
// stiffness of p_f, which go to where m_f would be if they were linear in the step.
void sw_volumes_start(swVolumesWork *work, const swBodyModel *model, const swReal *q);
// `rate`: of q, along the step whose end is foreseen from where the stiffness was found; `bend` is
// raised by the square of how the m_f change along it.
void sw_volumes_foresee(swVolumesWork *work, const swBodyModel *model, const swReal *rate,
                        swReal *bend);
// out := the gradient g, found together with the stiffness, with p_f in the place of m_f.
void sw_volumes_gradient(const swVolumesWork *work, const swBodyModel *model, const swReal *g,
                         swReal *out);
swReal sw_volumes_gap(const swVolumesWork *work, const swBodyModel *model);
