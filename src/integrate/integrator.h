// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A time integrator is one file ending in one `const swIntegrator`, and one line in the table of
// integrator.c.
#pragma once

#include "solve/work.h"

typedef struct swIntegrator {
    const char *name, *doc;
    // Fills the objective whose minimum is the next position; may use work->target.
    void (*objective)(const swModel *model, swState *state, swObjective *objective);
    // Velocities from the positions before (state->q) and after (q_new) the step.
    void (*finish)(const swModel *model, swState *state, const swReal *q_new);
} swIntegrator;

const swIntegrator *sw_integrator_find(const char *name, int *index);
const swIntegrator *sw_integrator_at(int index);
