// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Integration points of tetrahedra with straight edges.
#pragma once

#include "geometry/tets.h"

enum { SW_TET_SAMPLES = 4, SW_TET_VERTICES = 10 };

typedef struct swTetSample {
    swReal weight; // [m^3]
    swVec3 X;
    swVec3 dN[SW_TET_VERTICES]; // gradients of the shape functions [1/m]
} swTetSample;

// The points of a tetrahedron: one if it is linear, four if quadratic, none if it has no volume.
// Returns how many.
int sw_tet_samples(const swTetMesh *mesh, int tet, swTetSample point[SW_TET_SAMPLES]);
// An upper bound of their number in the whole mesh.
static inline int sw_tet_sample_count(const swTetMesh *mesh) {
    return mesh->ntet * (mesh->order == 1 ? 1 : SW_TET_SAMPLES);
}
// The integral of N_a N_b over a tetrahedron of unit volume.
swReal sw_tet_mass(int order, int a, int b);
