// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies of tetrahedra: build_tets.c makes the mesh and its vertices, build_elements.c elements and
// mass.
#pragma once

#include "compile/build.h"
#include "geometry/tets.h"
#include "scene/scene.h"

typedef struct swTetBuild {
    swTetMesh mesh; // materials are the scene's
    swTetLocator *locator;
    swReal *density, *stiffness; // of each tetrahedron, as full as it is: [kg/m^3], and Young's
                                 // modulus over its material's
    swReal far;                  // points farther away than this are outside [m]
} swTetBuild;

// Integration over a tetrahedron: barycentric coordinates and shares of the volume.
typedef struct swTetRule {
    int n;
    const swReal (*bary)[4];
    const swReal *weight;
} swTetRule;
// Of one, four or fourteen points: exact for polynomials of degree 1, 2 and 5.
const swTetRule *sw_tet_rule(int npoint);
// N of the points of a tetrahedron's rule, and their volume [m^3].
enum { SW_TET_MASS_POINTS = 14 };

// Reads the file of tetrahedra of a body, where it has one, before its volume is looked at.
bool sw_tets_open(swBuilder *b, swBodyBuild *body, swError *error);
// Gives voxels the materials of the tetrahedra they lie in.
void sw_tets_paint(const swTetBuild *tets, swGrid *grid);
// body->net: the mesh's vertices, and which of them handles hold.
bool sw_tets_net(swBuilder *b, swBodyBuild *body, swError *error);
bool sw_tets_forces(swBuilder *b, swBodyBuild *body, swError *error);
