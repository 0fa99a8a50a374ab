// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Implicit Euler with one Newton step and no line search: one linear system per step, as games and
// the first papers on frames do it.
#include "integrate/integrator.h"

const swIntegrator sw_integrator_linear_implicit = {
    .name = "linear-implicit",
    .doc = "implicit Euler with one linear solve per step: a known cost, whatever the residual",
    .gain = 1,
    .objective = sw_euler_objective,
    .solve = sw_newton_once,
    .finish = sw_euler_finish,
};
