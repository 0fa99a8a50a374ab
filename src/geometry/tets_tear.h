// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Cracks in a mesh of linear tetrahedra, along faces. Where the material is pulled apart is found
// by the separation tensor of O'Brien and Hodgins, "Graphical modeling and animation of brittle
// fracture" (1999); see docs/fracture.md.
#pragma once

#include "geometry/tets.h"

typedef struct swTear {
    const swVec3 *x;         // where the vertices are now [m]
    const swMat3 *stress;    // Cauchy's, of each tetrahedron [Pa]
    const swReal *toughness; // of each tetrahedron [Pa]
    const bool *held;        // vertices that stay whole
    int most;                // vertices split at once, at most
} swTear;

// How hard the material around a vertex is pulled apart: the largest eigenvalue of the separation
// tensor over the area it acts on [Pa], and its direction.
typedef struct swPulled {
    swReal stress;
    swVec3 normal;
} swPulled;

// Of all vertices; those of tetrahedra without volume now are left at zero.
bool sw_tets_pulled(const swTetMesh *mesh, const swTear *tear, swPulled *out, swArena *scratch,
                    swError *error);

typedef struct swTorn {
    int splits;     // vertices that were split
    int beyond;     // vertices pulled harder than they bear
    swReal largest; // stress over toughness
} swTorn;
// Splits the vertices pulled hardest, those above their toughness: tetrahedra on the far side of
// the plane across the direction get a vertex of their own. No two vertices of one tetrahedron at
// once. Then tetrahedra that hang together by a vertex or an edge alone come apart. New vertices
// are appended; X and vertex may move.
bool sw_tets_tear(swTetMesh *mesh, const swTear *tear, swTorn *torn, swArena *arena,
                  swError *error);
