// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What a step minimises, and its scratch memory, laid out once when the state is made.
#pragma once

#include "contact/contact.h"
#include "potentials/bulk.h"
#include "potentials/forces.h"
#include "potentials/inflate.h"
#include "potentials/potential.h"
#include "potentials/pull.h"
#include "solve/linear.h"
#include "solve/warped.h"

// All potentials, in the order of evaluation; NULL past the last one.
const swPotential *sw_potential_at(int index);

// Where statics may come back to.
typedef struct swStand {
    swReal *q, *relax, *activation, *plastic;
} swStand;

// When that was, and what else goes with it.
typedef struct swMoment {
    swReal t, h, energy, elastic;
} swMoment;

typedef struct swWork {
    swArena arena;
    swElasticWork elastic;
    swBulkWork bulk;
    void *potential[SW_POTENTIALS]; // of each its own
    swInflateWork inflate;
    swReal *gas[2]; // ndof each, where there is gas: how its volume grows, and A^-1 times that
    swVec3 *bulk_last, *bulk_target; // points when the step began, and where inertia takes them
    swVec3 *bulk_at, *bulk_trial;    // of sw_inertia_solve()
    swReal *q_new, *q_trial, *q_start, *q_end, *target, *g; // nq
    swReal *q_begin;                                        // where a search began
    swBlocks H;              // ambient Hessian: block p is that of the model's pair p
    swBlocks A;              // the same over the unknowns; H itself where no node is rigid
    bool folded;             // A is not H
    swReal *kept;            // of H with computed strains: what samples, and all potentials before
                             // them in the table, made of it last; NULL: there are none
    swLinear linear;         // solves with A
    swWarped warped;         // solves where nothing but particles moves
    swReal mass_factor;      // it is ready for this times the mass; 0: for something else
    swReal *residual, *step; // ndof
    swReal *size;            // ndof: what counts as large on the diagonal of A
    int contacts;            // in the last evaluation of sw_newton()
    swReal *activation;      // of all controls, at the end of the step
    swReal *turn[2];         // how far shares of followed shapes went in the last turns of statics
    swReal *plastic;         // while statics look for where flow ends
    swStand saddle;          // that statics try to leave
    swReal *search[4];       // ndof each: of sw_stability_at()
    swReal *relax;           // amplitudes of relaxed strains, those of the last evaluation
    swReal *relax_start;     // of sw_newton(): those at q
    swReal *length;          // ndof: what an unknown's gradient is divided by to become a force [m]
    void *saved, *part;      // what the state of the body was before the step, and before its part
    swMoment begin, part_begin;
    swStepReport part_report;
    swReal pushed;               // work of colliders in the step [J]
    swReal kinetic;              // energy at the end of the last step [J]
    swReal drift, scale;         // of the last step: energy from nowhere, and what there is [J]
    swReal rounding;             // what of that may be nothing but rounded numbers [J]
    swReal strained;             // what is strained holds at the beginning of the step [J]
    swReal actuated, dissipated; // in the step so far, see world/balance.c [J]
    swVec3 gravity;              // that of the balances' weight
    struct swBalance *balance;   // nbody: how far from equilibrium each body is
} swWork;

// Bodies do not couple, so each has its own measure of what is small.
typedef struct swBalance {
    swReal scale;    // largest force at work [N]
    swReal weight;   // dead force on points of bulk [N]
    swReal residual; // largest force not in balance [N]
    swReal noise;    // residual that rounding alone can make [N]
    swReal young;    // of its stiffest material [Pa]
    swReal bulk;     // modulus of the material that gives way least in volume [Pa]
    swReal reach;    // how far from the origin the body lies or extends [m]
} swBalance;

// What contact is asked where a body is at q and a time.
swContactInput sw_body_contact(const swBodyState *state, const swReal *q, swReal t);
// Half the diagonal of the body at rest [m].
swReal sw_body_length(const swBodyInfo *body);
// A matrix with a block for each pair of nodes: over the ambient unknowns, or over those of the
// solver.
bool sw_work_blocks(const swBodyModel *model, bool ambient, swArena *arena, swBlocks *out,
                    swError *error);
// `saved`: bytes of what the state of a body keeps.
swWork *sw_work_create(const swBodyModel *model, swPool *pool, size_t saved, swError *error);
// How many conjugate gradients a solve is likely to take.
int sw_work_gradients(const swSettings *settings);
void sw_work_destroy(swWork *work, const swAllocator *allocator);

// inertia/2 |q - target|_M^2 + elastic + contact + pulls + muscles - load (loads . q) + damping and
// friction over a step of h from q_last.
typedef struct swObjective {
    swReal inertia; // 0: none
    const swReal *target;
    const swReal *q_last;   // NULL: no damping, no friction
    const swReal *q_before; // with bulk_before, a step before q_last, or NULL: see swRates
    const swVec3 *bulk_before;
    swReal h;
    swReal t; // when the forces act [s]
    swReal load;
    swReal tolerance;
    int iterations;                     // at most; 0: as many as the settings say
    bool rough;                         // it may end where energy hardly falls: see swStepReport
    const swReal *activation, *plastic; // NULL: the state's own
    bool frozen;                        // relaxed strains stay as they are: an estimate
    swReal damping;                     // of stiffness, beside that of bodies [s]
    swReal
        shift;  // of the stiffness, tried first where the plain tangent is indefinite; 0: the usual
    bool exact; // the plain tangent has all second derivatives, whatever the settings say
    bool linear;         // one solve is all there is: see integrate/linear_implicit.c
    const swReal *about; // where friction is linear about; NULL: where it is evaluated
    bool definite;       // its tangent is positive semi-definite from the start
} swObjective;

// A step from q begins: what the body touched rubs.
void sw_body_begin_contact(swBodyState *state, const swReal *q, const swObjective *objective);

// Mass alone, under given forces.
typedef struct swInertia {
    swReal inertia;
    const swReal *at;     // where forces act: rigid nodes are held against J^T there
    const swReal *target; // of bulk: work->bulk_target
    const swReal *force;  // ambient gradient at `at`, or NULL: none
} swInertia;
// Finds q, rigid where nodes are, with J^T (inertia M (q - target) + force) = 0; `g` receives the
// bracket. Starts at q, with the nodes that are not free where they belong. NULL, or why there is
// no such q.
const char *sw_inertia_solve(const swBodyModel *model, swBodyState *state, const swInertia *inertia,
                             swReal *q, swReal *g);
// work->A := factor M over the unknowns at q.
void sw_inertia_matrix(const swBodyModel *model, swBodyState *state, const swReal *q,
                       swReal factor);

typedef struct swValue {
    swReal energy;    // total
    swReal magnitude; // sum of the sizes of its parts: what rounding is relative to
    int contacts;
    int unrelaxed; // cells in which the search for relaxed strains failed
} swValue;

// What potentials are asked: everything but their own memory.
swTerm sw_objective_term(swBodyState *state, const swObjective *objective, const swReal *q);
// Fills work->g and the balances' scale when asked, and work->H (implies g).
swValue sw_objective_evaluate(const swBodyModel *model, swBodyState *state,
                              const swObjective *objective, const swReal *q, bool gradient,
                              bool hessian, swProjection projection);
// work->H at q, but for what is in work->kept: that is taken as it is. All else stays.
void sw_objective_renew(const swBodyModel *model, swBodyState *state, const swObjective *objective,
                        const swReal *q);
// Whether every sample has volume at q, where its law asks for it.
static inline bool sw_objective_finite(const swBodyModel *model, swBodyState *state,
                                       const swObjective *objective, const swReal *q) {
    return isfinite(
        sw_objective_evaluate(model, state, objective, q, false, false, SW_PROJECT_NONE).energy);
}
// Minimises over the free nodes of a body alone, starting from and ending in q. Fills the state's
// report. q is changed only by accepted steps.
swStatus sw_newton(const swBodyModel *model, swBodyState *state, const swObjective *objective,
                   swReal *q);
// work->A := the plain tangent at q, and work->size; work->g too.
swValue sw_newton_assemble(const swBodyModel *model, swBodyState *state,
                           const swObjective *objective, const swReal *q);
// work->step := K^-1 residual, K being what the linear solver is prepared for, and the gas.
swLinearResult sw_newton_solve(const swBodyModel *model, swBodyState *state, swReal forcing);
// Whether q is in balance, up to rounding; work->g must be that of q. Fills work->residual and the
// report's.
bool sw_newton_done(const swBodyModel *model, swBodyState *state, const swObjective *objective,
                    const swReal *q);
// The share of a step at which no rigid node turns farther than one iteration may.
swReal sw_newton_turn_limit(const swBodyModel *model, const swReal *step);
