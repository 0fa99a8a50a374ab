// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The largest eigenvalues of S^-1 M, M and S symmetric, S positive definite and M nowhere negative:
// with S = K + sigma M, those of the lowest vibrations.
#pragma once

#include "core/core.h"

typedef struct swSpectralMap {
    int n;
    void (*mass)(const void *data, const swReal *x, swReal *y); // y := M x
    void (*solve)(const void *data, swReal *x);                 // x := S^-1 x
    const void *data;
    swPool *pool; // asked whether to go on; NULL: nobody is
} swSpectralMap;

typedef struct swLanczosResult {
    int count;      // as many as asked for, or all there are
    bool converged; // else these are the best of what was found
    swReal *value;  // [count], descending
    swReal *vector; // [count][n], x^T M x = 1
} swLanczosResult;

// Fails where memory does, numbers are not finite or the pool is stopped. The result is in the
// arena.
bool sw_lanczos(const swSpectralMap *map, int count, swArena *arena, swLanczosResult *out,
                swError *error);
