// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Meshes of tetrahedra, linear or quadratic.
#pragma once

#include "core/core.h"
#include "math/vec.h"

// A material that a file brings with it. What it does not say is not-a-number.
typedef struct swTetMaterial {
    const char *name;
    swReal density, young, poisson; // [kg/m^3], [Pa], 1
} swTetMaterial;

// Corners are right-handed: (x1 - x0) x (x2 - x0) . (x3 - x0) > 0. Quadratic ones have six more
// vertices, in the middles of the edges 01, 12, 20, 03, 13, 23.
typedef struct swTetMesh {
    int nvertex, ntet;
    int order;     // 1: four vertices each; 2: ten
    swVec3 *X;     // nvertex
    int *vertex;   // [ntet][sw_tet_vertices(order)]
    int *material; // of each tetrahedron: into materials; NULL: all alike
    swReal *fill;  // share of each that is filled with material; NULL: all are full
    int nmaterial;
    const swTetMaterial *materials;
} swTetMesh;

static inline int sw_tet_vertices(int order) { return order == 1 ? 4 : 10; }
