// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The largest eigenvalues of S^-1 M, where M and S are symmetric, S positive definite and M
// positive semidefinite. With S = K + sigma M these belong to the lowest vibrations.
#pragma once

#include "core/core.h"

typedef struct swSpectralMap {
    int n;
    void (*mass)(const void *data, const swReal *x, swReal *y); // y := M x
    void (*solve)(const void *data, swReal *x);                 // x := S^-1 x
    const void *data;
    swPool *pool; // asked whether to go on; may be NULL
} swSpectralMap;

typedef struct swLanczosResult {
    int count;      // as many as were asked for, or all there are
    bool converged; // otherwise these are the best that were found
    swReal *value;  // [count], descending
    swReal *vector; // [count][n], x^T M x = 1
} swLanczosResult;

// Fails if memory runs out, numbers are not finite or the pool is stopped. The result is allocated
// in the arena.
bool sw_lanczos(const swSpectralMap *map, int count, swArena *arena, swLanczosResult *out,
                swError *error);
