// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// K x = lambda M x: vibrations of one body about a place where it rests.
#pragma once

#include "core/core.h"

// Over the n unknowns of the body. What is looked for goes through `multiply`, `factor` and `solve`
// of pencil.c alone.
typedef struct swPencil {
    int n, stride;        // of rows
    swReal *K, *M;        // lower triangles
    const swReal *length; // n: what a unit of an unknown moves the body by, about [m]
    swReal unbalanced;    // force that is left over the body's size: curvature that means nothing
                          // [N/m]
} swPencil;

// The lowest of lambda, all motions that nothing resists and all unstable ones included.
typedef struct swSpectrum {
    int count;      // vibrations: lambda > 0
    int rigid;      // motions that nothing resists
    int unstable;   // lambda < 0
    swReal *lambda; // count, ascending [1/s^2]
    swReal *shape;  // [count][n], x^T M x = 1
} swSpectrum;

bool sw_pencil_create(swPencil *pencil, int n, swArena *arena, swError *error);
// At most `count` vibrations; fewer where there are no more. Motions without mass follow the others
// at once. The result is in the arena.
bool sw_pencil_solve(const swPencil *pencil, int count, swArena *arena, swSpectrum *out,
                     swError *error);
