// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Integrals over the material of a body whose field is that of moving least squares, at one Gauss
// point for each part of a cell: the stiffness of linear elasticity
//   K_IJ = sum of V (lambda g_I g_J^T + mu g_J g_I^T + mu (g_I . g_J) 1),  g_I = d phi_I / dp,
// and the mass that each node stands for.
#pragma once

#include "math/blocks.h"
#include "weights/mls.h"

typedef struct swCloudPoint {
    swVec3 p;
    int cell; // filled cell of the lattice
    swReal volume, mass;
    swReal mu, lambda; // [Pa]
} swCloudPoint;

typedef struct swCloud {
    swPattern pattern; // of the lower triangle of K
    swReal *value;     // [block][9], in the order of the pattern
    swReal *mass;      // of each node: the integral of rho phi_I [kg]
} swCloud;

// False where no node counts at a point, and without memory.
bool sw_cloud_integrate(const swMls *mls, int npoint, const swCloudPoint *point, swPool *pool,
                        swArena *arena, swCloud *cloud, swError *error);
// y := K x; returns x . y. Blocks on the diagonal are less the sum of the others in their row, so
// that a translation brings no force at all.
swReal sw_cloud_multiply(swPattern pattern, const swReal *value, const swReal *x, swReal *y);
