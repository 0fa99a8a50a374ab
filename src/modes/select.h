// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A few points of a mesh with weights, in the place of all: where laws of reduced bodies are
// evaluated. An, Kim and James, "Optimizing cubature for efficient integration of subspace
// deformations" (2008).
#pragma once

#include "model/body.h"
#include "modes/basis.h"

typedef struct swChosenSample {
    int tet, point; // of sw_tet_samples()
    swReal weight;  // [m^3]
} swChosenSample;

typedef struct swSelection {
    const swFull *full;
    const swBasis *basis;
    const swMaterialInfo *material; // of the mesh's numbers
    const swReal *stiffness;        // of each tetrahedron, over its material's
    int most;                       // points
    int poses;                      // that forces are fitted at
} swSelection;

// Points and weights above zero whose forces are nearest to those of all points, over poses in
// which the body is in balance with random forces. By materials. `error`: how far forces are off at
// other such poses, over what they are.
bool sw_samples_select(const swSelection *selection, swPool *pool, swArena *arena, int *count,
                       swChosenSample **chosen, swReal *error_left, swError *error);
// About `most` points spread over the mesh, with the volume of all. By materials.
bool sw_samples_spread(const swTetMesh *mesh, int most, swArena *arena, int *count,
                       swChosenSample **chosen, swError *error);
