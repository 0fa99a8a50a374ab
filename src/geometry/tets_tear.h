// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Cracks along the faces of a mesh of linear tetrahedra. They open where the separation tensor of
// O'Brien and Hodgins, "Graphical modeling and animation of brittle fracture" (1999), shows that
// the material is pulled apart; see docs/fracture.md.
#pragma once

#include "geometry/tets.h"

typedef struct swTear {
    const swVec3 *x;         // current positions of the vertices [m]
    const swMat3 *stress;    // Cauchy stress of each tetrahedron [Pa]
    const swReal *toughness; // of each tetrahedron [Pa]
    const bool *held;        // vertices that may not be split
    int most;                // maximum number of vertices to split at once
} swTear;

// How strongly the material around a vertex is pulled apart: the largest eigenvalue of the
// separation tensor over the area that it acts on [Pa], and its direction.
typedef struct swPulled {
    swReal stress;
    swVec3 normal;
} swPulled;

// Computes this for all vertices; tetrahedra that currently have no volume contribute nothing.
bool sw_tets_pulled(const swTetMesh *mesh, const swTear *tear, swPulled *out, swArena *scratch,
                    swError *error);

typedef struct swTorn {
    int splits;     // vertices that were split
    int beyond;     // vertices whose stress exceeds their toughness
    swReal largest; // stress relative to toughness
} swTorn;
// Splits the vertices whose stress exceeds their toughness most: tetrahedra on the far side of the
// plane across the direction get a vertex of their own. At most one vertex of a tetrahedron is
// split at a time. Then tetrahedra connected only by a vertex or an edge are separated. New
// vertices are appended; X and vertex may move.
bool sw_tets_tear(swTetMesh *mesh, const swTear *tear, swTorn *torn, swArena *arena,
                  swError *error);
