// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The linear equations of a step in which nothing but particles moves, without their matrix. It is
//   A = sum of R k R^T + c M,  about Q (K + c M) Q^T,
// with the rotations Q of particles, and K + c M stays what it is as long as the step does: it is
// factored once, and is what conjugate gradients with A are preconditioned by.
#pragma once

#include "potentials/product.h"
#include "math/incomplete.h"
#include "model/body.h"
#include "solve/linear.h"

struct swObjective;

typedef struct swWarped {
    bool possible;     // all unknowns are those of particles
    bool whole;        // the factor is that of the linear solver, else `about`
    uint64_t key;      // of what the factor is of
    int64_t prepared;  // which of the linear solver's it is, 0 for `about`; -1: none
    swReal *x, *y;     // nq
    swReal *r, *p, *z; // ndof
    swReal *mass;      // ndof
    swReal *inertia;   // ndof: c M
    swReal *moved[2];  // 3 per particle: the way so far, and how forces change along it
    int *turn;         // of each unknown particle: its quaternion, and its first unknown
    int n;
    swMat3 *Q; // [n]
    swIncomplete about;
    swProduct product;
} swWarped;

// Whether every unknown is that of a particle.
bool sw_warped_alone(const swBodyModel *model);
bool sw_warped_create(swWarped *warped, const swBodyModel *model, const swBlocks *A, swArena *arena,
                      swError *error);
// Whether nothing else has a part in the matrix: no contact, no pull, no rotation that follows.
bool sw_warped_applies(const swBodyState *state, int contacts);
// work->step := -A^-1 work->residual, to a residual that is smaller by `tolerance` in the norm of
// the inverse of K + c M.
swLinearResult sw_warped_solve(const swBodyModel *model, swBodyState *state,
                               const struct swObjective *objective, swReal tolerance);
// The same from q, nearly: what is left is not more than a small share of the way from where
// inertia alone leads. In single precision; what particles remember is then that at the end.
swLinearResult sw_warped_solve_nearly(const swBodyModel *model, swBodyState *state,
                                      const struct swObjective *objective, const swReal *q);
