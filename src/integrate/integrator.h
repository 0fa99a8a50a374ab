// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A time integrator is one file ending in one `const swIntegrator`, and one line in the table of
// integrator.c.
#pragma once

#include "solve/island.h"

typedef struct swIntegrator {
    const char *name, *doc;
    bool past;                          // states remember the step before: q_past and its like
    bool direct;                        // search() needs no guess
    bool keeps;                         // energy: a little damping takes what fast vibrations gain
    const struct swIntegrator *instead; // takes the steps that this one cannot, or NULL
    // Energy that comes and goes with the step, of the bodies of an island as they are: what is
    // left without it is kept. NULL: none.
    swReal (*swing)(const swIsland *island);
    // Gradient of the potentials as they acted in this step, into work->g, with damping and
    // friction or without. NULL: as they are where search() ends.
    void (*acted)(const swBodyModel *model, swBodyState *state, const swObjective *objective,
                  bool damped);
    // Fills in what is to be minimised, given as implicit Euler's over one step but without inertia
    // and target; may use work->target and work->bulk_target, and must fill work->bulk_last.
    void (*objective)(const swBodyModel *model, swBodyState *state, swObjective *objective);
    // Before the search, of each body at its guess q. NULL: nothing to do.
    void (*aim)(const swBodyModel *model, swBodyState *state, const swObjective *objective,
                const swReal *q);
    // From guesses to where forces act, for all bodies of an island; work->g is then the gradient
    // there. Fills the reports.
    swStatus (*search)(const swIsland *island);
    // After it, of each body: may move q, and may fail. NULL: nothing to do.
    swStatus (*arrive)(const swBodyModel *model, swBodyState *state, const swObjective *objective,
                       swReal *q);
    // The state's positions and velocities at the end of the step, from where forces acted.
    void (*finish)(const swBodyModel *model, swBodyState *state, const swObjective *objective,
                   const swReal *q);
} swIntegrator;

const swIntegrator *sw_integrator_find(const char *name, int *index);
const swIntegrator *sw_integrator_at(int index);

// Implicit Euler's objective and finish, which others begin with or share.
void sw_euler_objective(const swBodyModel *model, swBodyState *state, swObjective *objective);
void sw_euler_finish(const swBodyModel *model, swBodyState *state, const swObjective *objective,
                     const swReal *q);
extern const swIntegrator sw_integrator_implicit_euler;
