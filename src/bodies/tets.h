// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies of tetrahedra: tets.c makes the mesh and its vertices, tets_cells.c those of the cells of
// voxels, cut where handles and the surface are; tets_elements.c elements and mass,
// tets_torn.c what those need that can tear: their surface is that of the tetrahedra, faces of
// cracks included, and the model keeps their mesh.
#pragma once

#include "compile/build.h"
#include "geometry/tets.h"
#include "scene/scene.h"
#include "volume/tets_fill.h"

typedef struct swTetBuild {
    swTetMesh mesh; // materials are the scene's
    swTetLocator *locator;
    swReal *density, *stiffness; // of each tetrahedron, as full as it is: [kg/m^3], and Young's
                                 // modulus over its material's
    swTetBlob *blob;             // where its material is; NULL: all of each is full
    int *vertex;                 // at each node of the lattice, or -1; NULL: they are elsewhere
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
// Barycentric coordinates of point p of a rule in a tetrahedron, over its material alone.
static inline void sw_tet_point(const swTetBuild *t, const swTetRule *rule, int tet, int p,
                                swReal bary[4]) {
    sw_tet_blob(t->blob ? &t->blob[tet] : &sw_tet_whole, rule->bary[p], bary);
}
// N of the points of a tetrahedron's rule, and their volume [m^3].
enum { SW_TET_MASS_POINTS = 14 };

// For rows of kinds that have tetrahedra: reads their file, where there is one; gives voxels the
// materials of those that they lie in, where nothing else is the body's shape.
bool sw_tets_open(swBuilder *b, swBodyBuild *body, swError *error);
void sw_tets_paint(swBodyBuild *body);
// body->net: the mesh's vertices, and which of them handles hold.
bool sw_tets_net(swBuilder *b, swBodyBuild *body, swError *error);
// Tetrahedra of the cells of the body's voxels, cut at the borders of handles and as full as they
// are; and which of their vertices handles hold, where sw_net_hold() has held whole cells.
bool sw_tets_cells(swBuilder *b, swBodyBuild *body, swTetBuild *t, swError *error);
void sw_tets_hold_cells(swBodyBuild *body);
bool sw_tets_forces(swBuilder *b, swBodyBuild *body, swError *error);
// The mesh of a body that can tear: torn as it is, before vertices are held; and after that, kept
// in the model, its border as the body's surface.
bool sw_torn_mesh(swBuilder *b, swBodyBuild *body, swTetMesh *mesh, swError *error);
bool sw_torn_keep(swBuilder *b, swBodyBuild *body, const swTetMesh *mesh, swError *error);
