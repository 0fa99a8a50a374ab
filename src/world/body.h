// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/model.h"
#include "solve/work.h"

// The model that counts: that of the state, with the damping of its base.
const swBodyModel *sw_body_enter(const swBodyState *state);

// Where a handle's centre is at t = 0.
static inline swVec3 sw_handle_center(const swBodyState *s, int64_t handle) {
    return sw_affine_at(s->world->model->place[s->index].shift, s->model->handle[handle].center);
}

// A body's motion as a rigid one: its centre, the centre's velocity, and the turning that has its
// angular momentum.
typedef struct swRigidMotion {
    swReal mass;
    swVec3 center, velocity, spin;
} swRigidMotion;
swRigidMotion sw_rigid_motion_of(const swBodyModel *model, const swBodyState *state);
// The rates of a node of the body in that motion, into its place of v.
void sw_node_set_rate(const swBodyModel *model, const swReal *q, int node,
                      const swRigidMotion *motion, swReal *v);

// A start for the search of the next positions, the best of three: the body goes on as a rigid one,
// every number goes on by itself, all stays; and of a fourth where a handle leaps: the body goes
// with it. Handles moved by keys are where they are at the objective's time in each. Where the
// objective is linear a body that nothing holds goes on as a rigid one, and others stay.
void sw_body_guess(const swBodyModel *model, swBodyState *state, const swObjective *objective,
                   swReal *q);
// A body with a handle that leaps goes with it, the one that leaps farthest: its free nodes are
// then to it as they were, and samples have volume as they had. False: none leaps by `least` of the
// body's length. Handles are at the end of the step in q.
bool sw_body_leap(const swBodyModel *model, const swBodyState *state, swReal least, swReal *q);
// The step led to q: the next guess of particles goes as far beyond where inertia leads.
void sw_body_keep_lead(const swBodyModel *model, swBodyState *state, const swObjective *objective,
                       const swReal *q);
// What it goes on by from now on [s]: what is remembered of steps of another length is forgotten.
void sw_body_set_step(swBodyState *state, swReal h);
// Takes the rotations of particles where the state is, its handles where they are at t.
void sw_body_turn(const swBodyModel *model, swBodyState *state, swReal t);
// Reactions of handles (from work->g, the gradient at q) and activations of converged positions.
void sw_body_react(const swBodyModel *model, swBodyState *state, const swReal *q);
// Their contact forces, at time t: the next step's friction is in proportion to them.
void sw_body_touch(const swBodyModel *model, swBodyState *state, const swReal *q, swReal t);
// Relaxed strains: every evaluation finds them anew, starting from those of the last one. Recall
// makes that the state's own, so that results do not depend on what was tried before; keep makes
// those of the last evaluation the state's.
void sw_amplitudes_recall(const swBodyState *state);
void sw_amplitudes_keep(swBodyState *state);
// v += what the nodes can do of a momentum, ambient: J (J^T M J)^-1 J^T momentum. False where a
// motion of theirs has no mass.
bool sw_body_add_momentum(swBodyState *state, const swReal *momentum);
// Takes energy from the body's motion beside the rigid one, as far as there is any. What is left to
// be taken.
swReal sw_body_calm(swBodyState *state, swReal energy);
// Positions go down in energy from where they are, ever farther, until no more than `most` is left
// in all.
void sw_body_give_way(swBodyState *state, swReal most);
// At rest at q, forgetting what was before.
void sw_body_rest(const swBodyModel *model, swBodyState *state, const swReal *q);

// Handles of q and activations (in work) where they are under a share of the load.
void sw_statics_place(const swBodyModel *model, swBodyState *state, swReal load, swReal *q);
// Of an island's statics: `each` is called after every increment, and stops it by returning false.
typedef struct swLoadListener {
    bool (*each)(void *context, swReal load);
    // What `each` did since a path was begun is undone where that leads nowhere.
    void (*path)(void *context, bool begin);
    void *context;
} swLoadListener;

// The energy balance of a step to t, in this order: when activations are known; when forces are
// known at q, but those of contact are still the last step's; when they are not, with plastic flow;
// when all is done.
void sw_balance_begin(const swBodyModel *model, swBodyState *state, swReal t);
void sw_balance_turn(const swBodyModel *model, swBodyState *state, swReal t); // sw_body_turn() too
struct swIntegrator;
void sw_balance_damping(const swBodyModel *model, swBodyState *state,
                        const struct swIntegrator *integrator, const swObjective *objective,
                        const swReal *q);
void sw_balance_flow(const swBodyModel *model, swBodyState *state, const swObjective *objective,
                     const swReal *q);
void sw_balance_end(const swBodyModel *model, swBodyState *state);
swReal sw_body_total(const swBodyState *state); // energy of all kinds
swEnergy sw_body_energy_with(const swBodyState *state, const swReal *activation);
// Of what is strained alone, with relaxed strains and rotations of particles as they are.
swReal sw_body_elastic_with(swBodyState *state, const swReal *activation);

// All controls at time t into `out`. Those without a course of their own (constant, or set by the
// program) are multiplied by `share`; those that are followed stay as they are.
void sw_activations(const swBodyModel *model, const swBodyState *state, swReal t, swReal share,
                    swReal *out);
// Shapes that are followed: their shares in work->activation become those of least energy at q and
// the relaxed strains in work. Returns the largest change.
swReal sw_activations_follow(const swBodyModel *model, swBodyState *state, const swReal *q,
                             const swReal *plastic);
static inline bool sw_body_follows(const swBodyModel *model) {
    for (int64_t i = 0; i < model->size.nshape; i++)
        if (model->shape[i].follow > 0)
            return true;
    return false;
}
swReal sw_activations_end(const swBodyModel *model); // time of the last key
swEnergy sw_body_energy(const swBodyState *state);
void sw_body_momentum(const swBodyState *state, swVec3 *linear, swVec3 *angular);

// Slots for inserted frames.
static inline int sw_body_slots(const swBodyModel *m) {
    return m->size.nbed > 0 || m->body[0].ninserted > 0 ? SW_INSERTS : 0;
}
// The state of a body of a state that is being made, without scratch memory. NULL with `error`
// filled on failure.
swBodyState *sw_body_state_create(const swState *world, int body, swError *error);
void sw_body_state_destroy(swBodyState *state); // NULL is allowed
void sw_body_reset(swBodyState *state);         // to t = 0
bool sw_body_copy(swBodyState *to, const swBodyState *from);
bool sw_body_carry(swBodyState *to, const swBodyState *from);
bool sw_body_can_carry(const swBodyState *to, const swBodyState *from);
// Numbers of a state in a file or a hash.
struct swArchive;
void sw_body_items(swBodyState *state, struct swArchive *archive);
// It may move again, and finds its energy anew.
void sw_body_wake(swBodyState *state);
