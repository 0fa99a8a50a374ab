// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A time integrator is one file that ends in one `const swIntegrator`, and one line in the table of
// integrator.c.
#pragma once

#include "solve/island.h"

typedef struct swIntegrator {
    const char *name, *doc;
    bool past;   // states remember the previous step: q_past etc.
    bool direct; // search() needs no initial guess
    bool keeps;  // keeps energy: a little damping removes what fast vibrations gain
    const struct swIntegrator *instead; // for steps that this one cannot take, or NULL
    // Energy of the bodies of an island that comes and goes with the step; the energy without it is
    // conserved. NULL: none.
    swReal (*swing)(const swIsland *island);
    // Computes the gradient of the potentials as they acted in this step into work->g, with or
    // without damping and friction. NULL: as they are where search() ends.
    void (*acted)(const swBodyModel *model, swBodyState *state, const swObjective *objective,
                  bool damped);
    // Sets up what to minimise. On entry it is the objective of implicit Euler over one step,
    // without inertia and target. May use work->target and work->bulk_target, and must fill
    // work->bulk_last.
    void (*objective)(const swBodyModel *model, swBodyState *state, swObjective *objective);
    // Called for each body before the search, with its initial guess q. NULL: nothing to do.
    void (*aim)(const swBodyModel *model, swBodyState *state, const swObjective *objective,
                const swReal *q);
    // Goes from the initial guesses to where forces act, for all bodies of an island; work->g is
    // then the gradient there. Fills the reports.
    swStatus (*search)(const swIsland *island);
    // Called for each body after the search. May move q, and may fail. NULL: nothing to do.
    swStatus (*arrive)(const swBodyModel *model, swBodyState *state, const swObjective *objective,
                       swReal *q);
    // Computes the state's positions and velocities at the end of the step from where forces acted.
    void (*finish)(const swBodyModel *model, swBodyState *state, const swObjective *objective,
                   const swReal *q);
} swIntegrator;

const swIntegrator *sw_integrator_find(const char *name, int *index);
const swIntegrator *sw_integrator_at(int index);

// The objective and finish of implicit Euler, which others share or extend.
void sw_euler_objective(const swBodyModel *model, swBodyState *state, swObjective *objective);
void sw_euler_finish(const swBodyModel *model, swBodyState *state, const swObjective *objective,
                     const swReal *q);
extern const swIntegrator sw_integrator_implicit_euler;
