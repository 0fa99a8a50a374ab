// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A few weighted points of a mesh that replace all of its points: where the laws of reduced bodies
// are evaluated. An, Kim and James, "Optimizing cubature for efficient integration of subspace
// deformations" (2008).
#pragma once

#include "model/body.h"
#include "modes/basis.h"

typedef struct swChosenSample {
    int tet, point; // as in sw_tet_samples()
    swReal weight;  // [m^3]
} swChosenSample;

typedef struct swSelection {
    const swFull *full;
    const swBasis *basis;
    const swMaterialInfo *material; // by the numbers used in the mesh
    const swReal *stiffness;        // for each tetrahedron: relative to its material
    int most;                       // maximum number of points
    int poses;                      // number of poses at which forces are fitted
} swSelection;

// Chooses points with positive weights whose forces are closest to those of all points, over poses
// that are equilibria under random forces. Sorted by material. `error_left`: relative error of the
// forces at other such poses.
bool sw_samples_select(const swSelection *selection, swPool *pool, swArena *arena, int *count,
                       swChosenSample **chosen, swReal *error_left, swError *error);
// About `most` points spread over the mesh, with the volume of all. Sorted by material.
bool sw_samples_spread(const swTetMesh *mesh, int most, swArena *arena, int *count,
                       swChosenSample **chosen, swError *error);
