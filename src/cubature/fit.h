// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Least-squares polynomials over the voxels of a region: functions phi_k that are orthonormal in
// the mean over the region, so that the fit of values v is the sum of phi_k(p) mean(phi_k v).
#pragma once

#include "volume/grid.h"

enum { SW_FIT_DEGREE = 4, SW_FIT_SIZE = 35 };

typedef struct swFit {
    int degree, n;
    swVec3 center, scale; // polynomials are in (p - center) / scale
    // phi = L^-1 times products of Legendre polynomials. A zero on the diagonal means that the
    // function was dropped, as there are too few voxels, or they lie in a plane or on a line.
    swReal L[SW_FIT_SIZE * (SW_FIT_SIZE + 1) / 2];
} swFit;

// Index of item i of `count` items spread over n >= count: one from each of `count` equal
// intervals, at varying positions, so that they do not line up with the rows of a grid.
static inline int sw_spread_index(int i, int count, int n) {
    const swReal turn = i * 0.6180339887498949;
    const int at = (int)((i + turn - floor(turn)) * ((swReal)n / count));
    return count == n ? i : sw_min_int(at, n - 1);
}

// Voxels are weighted by `measure` (per voxel of the grid). They count by their centroids only, or,
// with `inside`, also by their second moments, to first order.
void sw_fit_create(swFit *fit, int degree, bool inside, const swGrid *grid, int n, const int *voxel,
                   const swReal *measure);
// phi[n] at p, and the gradients (may be NULL).
void sw_fit_values(const swFit *fit, swVec3 p, swReal *phi, swReal (*gradient)[3]);
