// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Elements that change their volume as a whole, against locking: the law sees
//   F' = (theta / J)^(1/3) F,  J = det F,
// theta being the mean of J over the element; sw_mean_root() says what it is where J or theta is
// small or negative. Energies remain energies: forces and stiffness are
// their derivatives, taken here through F'. Simo, Taylor and Pister, "Variational and projection
// methods for the volume constraint in finite deformation elasto-plasticity" (1985).
#pragma once

#include "kinematics/element.h"

typedef struct swMeanVolume {
    // Derivatives by the vertices of theta, and of what the energy does with it; d2E/dtheta2.
    swReal slope[3 * SW_ELEMENT_VERTICES * SW_LANES], mixed[3 * SW_ELEMENT_VERTICES * SW_LANES];
    swWide curvature;
} swMeanVolume;

// From P = dE/dF' and C = d2E/dF'dF' (may be NULL) at all points of a block of elements to those in
// F at fixed theta, and what theta adds to them. Not `exact`: without what can be negative.
void sw_mean_volume(swMeanVolume *mean, const swBodyModel *model, const swGroup *group, int element,
                    const swReal *q, bool exact, swReal *P, swReal *C);
// Adds to K how points of an element act on one another through theta.
void sw_mean_volume_couple(const swMeanVolume *mean, int n, swReal *K);
