// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Meshes of tetrahedra, linear or quadratic.
#pragma once

#include "geometry/surface.h"

// A material that a file brings with it. What it does not say is not-a-number.
typedef struct swTetMaterial {
    const char *name;
    swReal density, young, poisson; // [kg/m^3], [Pa], 1
} swTetMaterial;

// Corners are right-handed: (x1 - x0) x (x2 - x0) . (x3 - x0) > 0. Quadratic ones have six more
// vertices, in the middles of the edges 01, 12, 20, 03, 13, 23; where these bend, it is their
// volume that is positive, and the corners alone may be left-handed.
typedef struct swTetMesh {
    int nvertex, ntet;
    int order;     // 1: four vertices each; 2: ten
    swVec3 *X;     // nvertex
    int *vertex;   // [ntet][sw_tet_vertices(order)]
    int *material; // of each tetrahedron: into materials, or the maker's own where there are none;
                   // NULL: all alike
    swReal *fill;  // share of each that is filled with material; NULL: all are full
    int nmaterial;
    const swTetMaterial *materials;
} swTetMesh;

static inline int sw_tet_vertices(int order) { return order == 1 ? 4 : 10; }
static inline const int *sw_tets_at(const swTetMesh *mesh, int tet) {
    return &mesh->vertex[(size_t)tet * (size_t)sw_tet_vertices(mesh->order)];
}
// Corners of the face opposite to each corner, counter-clockwise seen from outside, and of the
// edges in the order of the vertices on them.
extern const int sw_tet_face[4][3], sw_tet_edge[6][2];
// (x1 - x0) x (x2 - x0) . (x3 - x0): six times the volume, negative where left-handed.
swReal sw_tet_det(swVec3 x0, swVec3 x1, swVec3 x2, swVec3 x3);
// A determinant of less than this share of the cube of the longest edge is rounding.
#define SW_TET_FLAT 1e-14
swReal sw_tets_volume(const swTetMesh *mesh, int tet); // of its corners, signed [m^3]

// ---- shape functions ----

// Of the vertices of a tetrahedron at barycentric coordinates, which sum to one.
void sw_tet_shape(int order, const swReal bary[4], swReal *N);
// Their gradients with respect to the positions X of the vertices [1/m]; returns the determinant of
// the map from the unit tetrahedron, whose volume is 1/6. Not finite where that is zero.
swReal sw_tet_gradients(int order, const swVec3 *X, const swReal bary[4], swVec3 *dN);
// The linear mesh with a vertex in the middle of every edge, shared by those around it; the given
// vertices come first. Materials and fill are the given one's.
bool sw_tets_quadratic(const swTetMesh *linear, swArena *arena, swTetMesh *out, swError *error);

// The corners alone, in their order, of a quadratic mesh; right-handed where bent edges had let
// them be otherwise.
bool sw_tets_linear(const swTetMesh *quadratic, swArena *arena, swTetMesh *out, swError *error);

// ---- faces ----

// across[4 t + i]: the face 4 t' + i' of the neighbour of tetrahedron t across the face opposite to
// its corner i; -1 where there is none. Of a face of more than two, only the first two are
// neighbours, and `crowded` (may be NULL) counts it. Faces with a corner twice have none.
bool sw_tets_across(const swTetMesh *mesh, int *across, int *crowded, swArena *scratch,
                    swError *error);

// The pieces that are connected through such faces: fills piece[ntet], returns how many there are.
int sw_tets_pieces(int ntet, const int *across, int *piece);
// Gives tetrahedra that meet in a vertex or an edge alone, with no way from one to the other around
// it through faces, vertices of their own there: those made are appended to X, which may move.
bool sw_tets_separate(swTetMesh *mesh, swArena *arena, swError *error);

typedef struct swTetBoundary {
    swSurface surface; // of quadratic ones four triangles per face
    int *vertex;       // of the mesh, for each of the surface
    int *tet;          // behind each triangle
} swTetBoundary;

// The outer faces as a closed surface. The triangles at each vertex are one fan: where parts meet
// in an edge or a vertex alone, each has vertices of its own there, with the same place and the
// same vertex of the mesh. Only an edge in which a part meets itself is there twice.
bool sw_tets_boundary(const swTetMesh *mesh, swArena *arena, swTetBoundary *out, swError *error);

// ---- places ----

// Which tetrahedron holds a point. Constant once made; any number of threads may ask. Keeps the
// mesh, which must stay.
typedef struct swTetLocator swTetLocator;
swTetLocator *sw_tets_locator(const swTetMesh *mesh, swArena *arena, swError *error);
// The tetrahedron that holds p, of those that share a face there the lowest; or the one nearest to
// p, and then false. `bary` are the coordinates of p in it either way, some negative outside;
// `distance` (may be NULL) is that of p from the mesh, zero inside.
bool sw_tets_locate(const swTetLocator *locator, swVec3 p, int *tet, swReal bary[4],
                    swReal *distance);

// ---- quality ----

typedef struct swTetFacts {
    int left_handed;     // tetrahedra whose corners are in the wrong order
    int flat;            // without volume but for rounding; in none of the other counts
    int crowded_faces;   // of more than two tetrahedra
    int outer_faces;     // of one
    int unused_vertices; // of no tetrahedron
    int components;      // connected through faces
    swReal volume;       // of the corners, left-handed ones taken as if they were not [m^3]
    swReal filled;       // the same, each times its fill
    swReal angle[2];     // between faces, smallest and largest, of those not flat [degrees]
    swReal quality;      // least of 12 (3 V)^(2/3) / sum of squared edges: 1 is regular, 0 flat
    swReal mean_quality;
    swReal edge[2]; // shortest and longest, between corners [m]
    swVec3 lo, hi;  // bounds
} swTetFacts;

bool sw_tets_facts(const swTetMesh *mesh, swTetFacts *facts, swArena *scratch, swError *error);
// The six angles between the faces of a tetrahedron, at the edges 01, 12, 20, 03, 13, 23 [rad].
void sw_tet_angles(const swVec3 x[4], swReal angle[6]);
