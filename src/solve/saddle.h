// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Whether an equilibrium is a minimum of energy, and the way out of one that is not.
#pragma once

#include "solve/work.h"

typedef enum swStability {
    SW_STABLE,         // nothing gives way, but for motions that nothing resists
    SW_UNSTABLE,       // energy falls along work->step
    SW_STABILITY_OPEN, // conjugate gradients did not tell, or the user did not wait
} swStability;

// Looks at the plain tangent at q, in equilibrium. `curvature`: of the motion, over that of the
// stiffness, which is work->size; below zero. `at_hand`: what the linear solver was last
// prepared for is of about the same matrix, and serves if it can. Relaxed strains stay as they are;
// work->g is that of q.
swStability sw_stability_at(const swBodyModel *model, swBodyState *state,
                            const swObjective *objective, const swReal *q, bool at_hand,
                            swReal *curvature);
// Moves q along work->step or against it as far as the energy falls. False: it does not.
bool sw_saddle_leave(const swBodyModel *model, swBodyState *state, const swObjective *objective,
                     swReal *q);
