// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "solve/work.h"

// A start for the search of the next positions: what moved goes on moving, or, where that is worse,
// stays. Handles moved by keys are at time t in either.
void sw_state_guess(const swModel *model, swState *state, const swObjective *objective, swReal t,
                    swReal *q);
// Takes over converged positions: reactions of handles (from work->g, the gradient there), contact
// forces and activations with them.
void sw_state_accept(const swModel *model, swState *state, const swReal *q);

// Activations of all materials at time t into `out`. Those without a course of their own (constant,
// or set by the program) are multiplied by `share`.
void sw_activations(const swModel *model, const swState *state, swReal t, swReal share,
                    swReal *out);
swReal sw_activations_end(const swModel *model); // time of the last key

// What a saved state says of itself, without its model.
typedef struct swStateInfo {
    swReal t;
    int64_t steps;
    uint64_t model; // sw_model_hash()
} swStateInfo;
bool sw_state_peek(const char *path, swStateInfo *info, swError *error);
