// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What a mesh of tetrahedra is like. Quadratic ones are measured by their corners.
#pragma once

#include "geometry/tets.h"

typedef struct swTetFacts {
    swReal volume;      // [m^3]
    swVec3 lo, hi;      // bounds of all vertices
    int components;     // connected through corners
    int boundary;       // triangles of one tetrahedron alone
    int worst;          // the tetrahedron of least quality
    swReal quality[2];  // least and mean; 1 is a regular one
    swReal dihedral[2]; // smallest and largest angle between two faces [degrees]
} swTetFacts;

// Six times the volume of a tetrahedron, positive where its corners are right-handed.
swReal sw_tet_six_volumes(const swVec3 *X, const int *corner);
// 6 sqrt(2) |volume| / (root of the mean square of its edges)^3.
swReal sw_tet_quality(const swVec3 *X, const int *corner);
bool sw_tet_facts(const swTetMesh *mesh, swTetFacts *facts, swArena *scratch, swError *error);
