// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Gauss points of a body whose field is that of moving least squares, and the shape functions
// there.
#pragma once

#include "weights/mls.h"

// One point for each connected piece of one material in a cell of `width` voxels, its centroid; or
// eight for each voxel where `width` is 0, at its centroid and off it by its second moments.
typedef struct swGauss {
    swVec3 p;
    int cell;     // filled cell of the lattice
    int material; // index of its voxels'
    swReal volume, mass;
    swReal stiffness; // relative to its material: the harmonic mean over its voxels
} swGauss;

// density: of each material. In the order of the voxels; *gauss is in the arena.
bool sw_gauss_points(const swLattice *lattice, int width, const swReal *density, swArena *arena,
                     swGauss **gauss, int *count, swError *error);

// The shape functions that are not zero at each point: entries start[i] .. start[i + 1] - 1.
typedef struct swCloud {
    int *start; // points + 1
    int *node;
    swReal *shape; // [entry][4]: phi and its gradient
} swCloud;

// Fails where no node counts at a point.
bool sw_cloud_create(const swMls *mls, int n, const swGauss *gauss, swPool *pool, swArena *arena,
                     swCloud *cloud, swError *error);
