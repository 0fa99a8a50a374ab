// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A x = b for the matrix of blocks A of a step: by factors, or by conjugate gradients.
#pragma once

#include "math/factor.h"
#include "math/incomplete.h"
#include "sinew/scene.h"

typedef struct swLinear {
    const swBlocks *A;
    swLinearKind kind; // never SW_LINEAR_AUTO
    swFactor factor;   // of A, or of about A for conjugate gradients
    bool diagonal;     // A is one, and needs no factor
    bool vertices;     // all rows are those of vertices, and this is about A instead
    swIncomplete about;
    swReal shift, least;
    const swReal *scale;   // NULL: no scale, and no shift
    swReal *r, *p, *z, *y; // of conjugate gradients
    int iterations;        // of the last solve
    int64_t prepared;      // how often
    swPool *pool;          // asked whether to go on; NULL: nobody is
} swLinear;

typedef enum swLinearResult {
    SW_LINEAR_SOLVED,
    SW_LINEAR_INDEFINITE,    // A is not positive definite
    SW_LINEAR_NOT_CONVERGED, // too many conjugate gradients
    SW_LINEAR_STOPPED,       // by the user
} swLinearResult;

// `auto` takes factors unless they would cost more than so many iterations of conjugate gradients.
bool sw_linear_create(swLinear *linear, const swBlocks *A, swLinearKind kind, int iterations,
                      swArena *arena, swError *error);
// From now on preparing and solving asks whether to go on.
void sw_linear_watch(swLinear *linear, swPool *pool);
// Takes A + shift diag(scale), which must stay as they are for sw_linear_solve(). False where it is
// not positive definite, or softer than `least` times the scale in some direction, or where it is
// stopped; conjugate gradients, and a diagonal that is not positive, are found out later.
bool sw_linear_prepare(swLinear *linear, swReal shift, swReal least, const swReal *scale);
// x := P^-1 x, P being what was prepared last: by factors A + shift diag(scale), for conjugate
// gradients about that. A may have changed.
void sw_linear_apply(const swLinear *linear, swReal *x);
// x := (A + shift diag(scale))^-1 b, b and x apart. `tolerance`: of conjugate gradients, the
// residual that may be left over the first one, in the norm of the inverse of what is about A.
swLinearResult sw_linear_solve(swLinear *linear, const swReal *b, swReal *x, swReal tolerance);
