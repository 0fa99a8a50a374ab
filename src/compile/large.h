// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bricks at large displacements.
#pragma once

#include "compile/bricked.h"

// All that is known at some displacements of nodes.
typedef struct swLarge {
    const swBricks *bricks;
    const swBrickStuff *stuff;
    const swMaterialInfo *material;
    const int *law;     // of each material, with volumes split off,
    const swReal *bulk; // and what of the bulk modulus that lacks
    int npart;
    struct swLargePart *part; // the points of one material in a brick
    int *voxel;               // first points of voxels, part by part
    swReal energy, *g;        // and its gradient, as sw_large_assemble() leaves them
    swBrickMatrix bare, now;  // what is not material; all of it
    swReal *step;
    bool definite; // tangents are made so
} swLarge;

// Of n materials; what the stiffness of these bricks at rest was is lost.
bool sw_large_init(swLarge *l, const swBodyBricks *own, int n, const swMaterialInfo *material,
                   const int *law, const swReal *bulk, swArena *arena, swError *error);
// Energy, gradient and stiffness at u[3 nnode] under `load` times f. False: something is inside
// out, for which its law has no energy.
bool sw_large_assemble(swLarge *l, const swReal *u, const swReal *f, swReal load);
// Pressures, of which the stiffness next assembled is, go towards where the step brings volumes.
void sw_large_press(const swLarge *l, swReal share);

// Where bricks are in equilibrium under forces f[3 nnode]: u[3 nnode], from what it is on. `found`:
// whether there is such a place that load leads to. What was their stiffness at rest is lost.
bool sw_build_large(swBuilder *b, const swBodyBricks *own, const swReal *f, swArena *arena,
                    swReal *u, bool *found, swError *error);
