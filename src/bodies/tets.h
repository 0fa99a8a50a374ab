// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies of tetrahedra. tets.c makes the mesh and its vertices; tets_cells.c makes tetrahedra from
// the cells of voxels, cut at handles and at the surface; tets_elements.c makes elements and mass;
// tets_torn.c handles bodies that can tear: their surface is that of the tetrahedra, including the
// faces of cracks, and the model keeps their mesh.
#pragma once

#include "compile/build.h"
#include "geometry/tets.h"
#include "scene/scene.h"
#include "volume/tets_fill.h"

typedef struct swTetBuild {
    swTetMesh mesh; // with the materials of the scene
    swTetLocator *locator;
    swReal *density,
        *stiffness;  // of each tetrahedron, times its fill: [kg/m^3]; relative to its material
    swTetBlob *blob; // where its material is; NULL: all tetrahedra are full
    int *vertex;     // vertex at each node of the lattice, or -1; NULL: they are elsewhere
    swReal far;      // points farther away count as outside [m]
} swTetBuild;

// A quadrature rule for tetrahedra: barycentric coordinates, and shares of the volume.
typedef struct swTetRule {
    int n;
    const swReal (*bary)[4];
    const swReal *weight;
} swTetRule;
// The rule with one, four or fourteen points: exact for polynomials of degree 1, 2 and 5.
const swTetRule *sw_tet_rule(int npoint);
// Barycentric coordinates of point p of a rule in a tetrahedron, restricted to its material.
static inline void sw_tet_point(const swTetBuild *t, const swTetRule *rule, int tet, int p,
                                swReal bary[4]) {
    sw_tet_blob(t->blob ? &t->blob[tet] : &sw_tet_whole, rule->bary[p], bary);
}
// Number of points of the rule for the mass.
enum { SW_TET_MASS_POINTS = 14 };

// For kinds that have tetrahedra: sw_tets_open() reads their file, if there is one; sw_tets_paint()
// gives voxels the material of the tetrahedron they lie in, if the body has no other shape.
bool sw_tets_open(swBuilder *b, swBodyBuild *body, swError *error);
void sw_tets_paint(swBodyBuild *body);
// Fills body->net with the vertices of the mesh, and which of them handles hold.
bool sw_tets_net(swBuilder *b, swBodyBuild *body, swError *error);
// sw_tets_cells() makes tetrahedra from the cells of the body's voxels, cut at the borders of
// handles, with their fill; sw_tets_hold_cells() decides which of their vertices handles hold,
// after sw_net_hold() has held whole cells.
bool sw_tets_cells(swBuilder *b, swBodyBuild *body, swTetBuild *t, swError *error);
void sw_tets_hold_cells(swBodyBuild *body);
bool sw_tets_forces(swBuilder *b, swBodyBuild *body, swError *error);
// The mesh of a body that can tear. sw_torn_mesh() is called before vertices are held and applies
// the cracks so far; sw_torn_keep() is called afterwards and stores the mesh in the model, with its
// boundary as the body's surface.
bool sw_torn_mesh(swBuilder *b, swBodyBuild *body, swTetMesh *mesh, swError *error);
bool sw_torn_keep(swBuilder *b, swBodyBuild *body, const swTetMesh *mesh, swError *error);
