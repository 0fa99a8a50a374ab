// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// K x = lambda M x: vibrations of one body about a place where it rests.
#pragma once

#include "math/blocks.h"

// Over the n unknowns of the body.
typedef struct swPencil {
    int n;
    swBlocks K, M;        // of one pattern
    const swReal *length; // n: what a unit of an unknown moves the body by, about [m]
    swReal unbalanced;    // force that is left over the body's size: curvature that means nothing
                          // [N/m]
    swPool *pool;         // asked whether to go on; NULL: nobody is
} swPencil;

// The lowest of lambda, all motions that nothing resists and all unstable ones included.
typedef struct swSpectrum {
    int count;      // vibrations: lambda > 0
    int rigid;      // motions that nothing resists
    int unstable;   // lambda < 0
    swReal *lambda; // count, ascending [1/s^2]
    swReal *shape;  // [count][n], x^T M x = 1
} swSpectrum;

// Room for the two matrices, which keep the pattern. size[i]: unknowns in row i of blocks.
bool sw_pencil_create(swPencil *pencil, swPattern pattern, const int *size, swArena *arena,
                      swError *error);
// At most `count` vibrations; fewer where there are no more. Motions without mass follow the others
// at once. The result is in the arena.
bool sw_pencil_solve(const swPencil *pencil, int count, swArena *arena, swSpectrum *out,
                     swError *error);
