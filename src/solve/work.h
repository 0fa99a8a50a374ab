// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What a step minimises, and its scratch memory, laid out once when the state is made.
#pragma once

#include "contact/contact.h"
#include "forces/bulk.h"
#include "forces/forces.h"

typedef struct swWork {
    swArena arena;
    swElasticWork elastic;
    swBulkWork bulk;
    swVec3 *bulk_last,
        *bulk_target; // points of bulk when the step began, and where inertia takes them
    swReal *q_new, *q_trial, *target, *g; // nq
    swReal *H;                            // ambient Hessian, nu rows
    swReal *A; // over the unknowns, ndof rows; H itself where no node is rigid
    int H_stride, A_stride;
    bool folded;             // A is not H
    swReal *residual, *step; // ndof
    int *envelope;           // ndof: first column of each row of A
    swVec3 *x_last;          // contact points when the step began
    swReal *activation;      // of each material, at the end of the step
    swReal *plastic;         // while statics look for where flow ends
    swReal *length;          // ndof: what an unknown's gradient is divided by to become a force [m]
    struct swBalance *balance; // nbody: how far from equilibrium each body is
} swWork;

// Bodies do not couple, so each has its own measure of what is small.
typedef struct swBalance {
    swReal scale;     // largest force at work [N]
    swReal weight;    // dead force on points of bulk [N]
    swReal residual;  // largest force not in balance [N]
    swReal noise;     // residual that rounding alone can make [N]
    swReal stiffness; // largest diagonal entry of the matrix, per length squared [N/m]
    swReal reach;     // how far from the origin the body lies or extends [m]
} swBalance;

// Half the diagonal of the body at rest [m].
swReal sw_body_length(const swBodyInfo *body);
swWork *sw_work_create(const swModel *model, int workers, swError *error);
void sw_work_destroy(swWork *work, const swAllocator *allocator);

// inertia/2 |q - target|_M^2 + elastic + contact - load (loads . q) + damping and friction over a
// step of h from q_last.
typedef struct swObjective {
    swReal inertia; // 0: none
    const swReal *target;
    const swReal *q_last; // NULL: no damping, no friction
    swReal h;
    swReal load;
    swReal tolerance;
    const swReal *activation, *plastic; // NULL: the state's own
} swObjective;

typedef struct swValue {
    swReal energy;    // total
    swReal magnitude; // sum of the sizes of its parts: what rounding is relative to
    int contacts;
} swValue;

// Fills work->g and the balances' scale when asked, and work->H (implies g).
swValue sw_objective_evaluate(const swModel *model, swState *state, const swObjective *objective,
                              const swReal *q, bool gradient, bool hessian,
                              swProjection projection);
// Minimises over the free nodes, starting from and ending in q. Fills the state's report. q is
// changed only by accepted steps.
swStatus sw_newton(const swModel *model, swState *state, const swObjective *objective, swReal *q);
