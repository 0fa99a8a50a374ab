// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Gauss points of a body with a moving-least-squares field, and the shape functions there.
#pragma once

#include "weights/mls.h"

// One point per connected piece of one material in a cell of `width` voxels, at its centroid; or,
// if `width` is 0, eight points per voxel, offset from its centroid by its second moments.
typedef struct swGauss {
    swVec3 p;
    int cell;     // filled cell of the lattice
    int material; // index of the material of its voxels
    swReal volume, mass;
    swReal stiffness; // relative to the material: harmonic mean over the voxels
} swGauss;

// `density` is per material. Points are in the order of the voxels; *gauss is allocated in the
// arena.
bool sw_gauss_points(const swLattice *lattice, int width, const swReal *density, swArena *arena,
                     swGauss **gauss, int *count, swError *error);

// The shape functions that are nonzero at each point: entries start[i] .. start[i + 1] - 1.
typedef struct swCloud {
    int *start; // number of points + 1
    int *node;
    swReal *shape; // [entry][4]: phi and its gradient
} swCloud;

// Fails if no node reaches a point.
bool sw_cloud_create(const swMls *mls, int n, const swGauss *gauss, swPool *pool, swArena *arena,
                     swCloud *cloud, swError *error);
