// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What solids fill of tetrahedra that a surface may cut anywhere.
#pragma once

#include "geometry/tets.h"
#include "volume/tets_divide.h"
#include "volume/voxelize.h"

// The material of a tetrahedron, as a body of the same volume, centroid and second moments: a
// tetrahedron too, whose corners have these barycentric coordinates in it. Those of one that is
// full are its own.
typedef struct swTetBlob {
    swReal corner[4][4];
} swTetBlob;
extern const swTetBlob sw_tet_whole;
// Barycentric coordinates in the tetrahedron of those in the blob.
static inline void sw_tet_blob(const swTetBlob *blob, const swReal bary[4], swReal out[4]) {
    for (int i = 0; i < 4; i++) {
        out[i] = 0;
        for (int k = 0; k < 4; k++)
            out[i] += bary[k] * blob->corner[k][i];
    }
}

// A material of the paint's.
typedef struct swTetStuff {
    swReal young, density;
    bool thin; // some of it is thinner than cells, so that tetrahedra are not divided at its border
} swTetStuff;

// Solids painted over one another, and the grid that the tetrahedra come from.
typedef struct swTetPaint {
    int n;
    const swPaint *paint;
    const swTetStuff *stuff; // by the paint's materials
    const swGrid *grid;
} swTetPaint;

typedef struct swTetFilling {
    swReal *density;   // of each, over all of it [kg/m^3]
    swReal *stiffness; // the same: Young's modulus over its material's
    swTetBlob *blob;
    int *vertex; // the number of each vertex given, or -1: it is gone
} swTetFilling;

// Fills a linear mesh of the split cells of a grid, whose tetrahedra may be divided: its material
// and fill, and the rest. Those with nothing in them go. So do those with next to nothing, if
// neighbours have more: these take it over, as if their own shape functions went on there, and the
// material is where it was. `side` (per tetrahedron) tells apart those that do not take over from
// each other; origin->from is the filled cell of each. No piece of the mesh falls apart: one that
// would keeps all that it is made of.
bool sw_tets_fill(const swTetPaint *paint, const int *cell, const swTetOrigin *origin,
                  const int *side, swTetMesh *mesh, swTetFilling *out, swArena *arena,
                  swError *error);
