// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "solve/work.h"

// The model that counts: that of the state, with the settings of its base. `model` is either.
const swModel *sw_state_enter(const swModel *model, const swState *state);

// A body's motion as a rigid one: its centre, the centre's velocity, and the turning that has its
// angular momentum.
typedef struct swRigidMotion {
    swReal mass;
    swVec3 center, velocity, spin;
} swRigidMotion;
swRigidMotion sw_rigid_motion_of(const swModel *model, const swState *state, int body);
// The rates of a node of the body in that motion, into its place of v.
void sw_node_set_rate(const swModel *model, const swReal *q, int node, const swRigidMotion *motion,
                      swReal *v);

// A start for the search of the next positions, the best of three: bodies go on as rigid ones,
// every number goes on by itself, all stays. Handles moved by keys are where they are at the
// objective's time in each.
void sw_state_guess(const swModel *model, swState *state, const swObjective *objective, swReal *q);
// The step led to q: the next guess of particles goes as far beyond where inertia leads.
void sw_state_keep_lead(const swModel *model, swState *state, const swObjective *objective,
                        const swReal *q);
// The clock shows t now, and counts steps from here.
void sw_state_set_time(swState *state, swReal t);
// When the next step ends. Where the model's step is another one now, what was before, at other
// distances, is forgotten.
swReal sw_state_next_time(swState *state);
// A step has ended at t.
void sw_state_advance(swState *state, swReal t);
// Takes the rotations of particles where the state is, its handles where they are at t.
void sw_state_turn(const swModel *model, swState *state, swReal t);
// Reactions of handles (from work->g, the gradient at q), contact forces and activations of
// converged positions.
void sw_state_react(const swModel *model, swState *state, const swReal *q);
// Relaxed strains: every evaluation finds them anew, starting from those of the last one. Recall
// makes that the state's own, so that results do not depend on what was tried before; keep makes
// those of the last evaluation the state's.
void sw_amplitudes_recall(const swState *state);
void sw_amplitudes_keep(swState *state);
// v += what the nodes can do of a momentum, ambient: J (J^T M J)^-1 J^T momentum. False where a
// motion of theirs has no mass.
bool sw_state_add_momentum(swState *state, const swReal *momentum);
// Takes energy from a body's motion beside the rigid one, as far as there is any. What is left to
// be taken.
swReal sw_state_calm(swState *state, int body, swReal energy);
// Positions go down in energy from where they are, ever farther, until no more than `most` is left
// in all.
void sw_state_give_way(swState *state, swReal most);
// At rest at q, forgetting what was before.
void sw_state_rest(const swModel *model, swState *state, const swReal *q);

// The time of keys that belongs to a share of the load.
swReal sw_statics_time(const swModel *model, swReal load);
// Handles of q and activations (in work) where they are under a share of the load.
void sw_statics_place(const swModel *model, swState *state, swReal load, swReal *q);
// sw_solve_static(), which calls `each` after every increment.
typedef void swEachIncrement(void *context);
swStatus sw_statics_solve(const swModel *model, swState *state, swEachIncrement *each,
                          void *context);

// The energy balance of a step to t, in this order: when activations are known; when forces are
// known at q, with plastic flow there; when all is done.
void sw_balance_begin(const swModel *model, swState *state, swReal t);
void sw_balance_flow(const swModel *model, swState *state, const swObjective *objective,
                     const swReal *q);
void sw_balance_end(const swModel *model, swState *state);
swReal sw_state_total(const swState *state); // energy of all kinds
swEnergy sw_state_energy_with(const swState *state, const swReal *activation);

// All controls at time t into `out`. Those without a course of their own (constant, or set by the
// program) are multiplied by `share`; those that are followed stay as they are.
void sw_activations(const swModel *model, const swState *state, swReal t, swReal share,
                    swReal *out);
// Shapes that are followed: their shares in work->activation become those of least energy at q and
// the relaxed strains in work. Returns the largest change.
swReal sw_activations_follow(const swModel *model, swState *state, const swReal *q,
                             const swReal *plastic);
static inline bool sw_model_follows(const swModel *model) {
    for (int64_t i = 0; i < model->size.nshape; i++)
        if (model->shape[i].follow > 0)
            return true;
    return false;
}
swReal sw_activations_end(const swModel *model); // time of the last key

// What a saved state says of itself, without its model.
typedef struct swStateInfo {
    swReal t;
    int64_t steps;
    uint64_t model; // sw_model_hash()
} swStateInfo;
bool sw_state_peek(const char *path, swStateInfo *info, swError *error);
