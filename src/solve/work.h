// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What a step minimises, and its scratch memory, laid out once when the state is made.
#pragma once

#include "contact/contact.h"
#include "forces/bulk.h"
#include "forces/forces.h"
#include "forces/inflate.h"
#include "forces/pull.h"
#include "solve/linear.h"
#include "solve/warped.h"

typedef struct swWork {
    swArena arena;
    swElasticWork elastic;
    swBulkWork bulk;
    swInflateWork inflate;
    swReal *gas[2]; // ndof each, where there is gas: how its volume grows, and A^-1 times that
    swVec3 *bulk_last, *bulk_target; // points when the step began, and where inertia takes them
    swVec3 *bulk_at, *bulk_trial;    // of sw_inertia_solve()
    swReal *q_new, *q_trial, *q_start, *q_end, *target, *g; // nq
    swBlocks H;              // ambient Hessian: block p is that of the model's pair p
    swBlocks A;              // the same over the unknowns; H itself where no node is rigid
    bool folded;             // A is not H
    swLinear linear;         // solves with A
    swWarped warped;         // solves where nothing but particles moves
    swReal mass_factor;      // it is ready for this times the mass; 0: for something else
    swReal *residual, *step; // ndof
    swReal *size;            // ndof: what counts as large on the diagonal of A
    swVec3 *x_last;          // contact points when the step began
    swReal *activation;      // of all controls, at the end of the step
    swReal *turn[2];         // how far shares of followed shapes went in the last turns of statics
    swReal *plastic;         // while statics look for where flow ends
    swReal *relax;           // amplitudes of relaxed strains, those of the last evaluation
    swReal *relax_start;     // of sw_newton(): those at q
    swReal *length;          // ndof: what an unknown's gradient is divided by to become a force [m]
    swReal energy;           // at the end of step energy_step; -1: of none [J]
    int64_t energy_step;
    swVec3 gravity;            // that of the balances' weight, and of `energy`
    struct swBalance *balance; // nbody: how far from equilibrium each body is
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

// Half the diagonal of the body at rest [m].
swReal sw_body_length(const swBodyInfo *body);
// A matrix with a block for each pair of nodes: over the ambient unknowns, or over those of the
// solver.
bool sw_work_blocks(const swModel *model, bool ambient, swArena *arena, swBlocks *out,
                    swError *error);
swWork *sw_work_create(const swModel *model, int workers, swError *error);
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
    const swReal *activation, *plastic; // NULL: the state's own
    bool frozen;                        // relaxed strains stay as they are: an estimate
    swReal damping;                     // of stiffness, beside that of bodies [s]
} swObjective;

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
const char *sw_inertia_solve(const swModel *model, swState *state, const swInertia *inertia,
                             swReal *q, swReal *g);
// work->A := factor M over the unknowns at q.
void sw_inertia_matrix(const swModel *model, swState *state, const swReal *q, swReal factor);

typedef struct swValue {
    swReal energy;    // total
    swReal magnitude; // sum of the sizes of its parts: what rounding is relative to
    int contacts;
    int unrelaxed; // cells in which the search for relaxed strains failed
} swValue;

// Fills work->g and the balances' scale when asked, and work->H (implies g).
swValue sw_objective_evaluate(const swModel *model, swState *state, const swObjective *objective,
                              const swReal *q, bool gradient, bool hessian,
                              swProjection projection);
// Whether every sample has volume at q, where its law asks for it.
static inline bool sw_objective_finite(const swModel *model, swState *state,
                                       const swObjective *objective, const swReal *q) {
    return isfinite(
        sw_objective_evaluate(model, state, objective, q, false, false, SW_PROJECT_NONE).energy);
}
// Minimises over the free nodes, starting from and ending in q. Fills the state's report. q is
// changed only by accepted steps.
swStatus sw_newton(const swModel *model, swState *state, const swObjective *objective, swReal *q);
// One iteration of it, as long as it comes: succeeds whatever residual is left.
swStatus sw_newton_once(const swModel *model, swState *state, const swObjective *objective,
                        swReal *q);
// Whether q is in balance, up to rounding; work->g must be that of q. Fills work->residual and the
// report's.
bool sw_newton_done(const swModel *model, swState *state, const swObjective *objective,
                    const swReal *q);
// The share of a step at which no rigid node turns farther than one iteration may.
swReal sw_newton_turn_limit(const swModel *model, const swReal *step);
