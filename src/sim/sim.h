// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "solve/work.h"

// A start for the search of the next positions, the best of three: bodies go on as rigid ones,
// every number goes on by itself, all stays. Handles moved by keys are at time t in each.
void sw_state_guess(const swModel *model, swState *state, const swObjective *objective, swReal t,
                    swReal *q);
// The clock shows t now, and counts steps from here.
void sw_state_set_time(swState *state, swReal t);
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
