// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Tetrahedral meshes, linear or quadratic.
#pragma once

#include "geometry/surface.h"

// A material given in a mesh file. What the file does not specify is not-a-number.
typedef struct swTetMaterial {
    const char *name;
    swReal density, young, poisson; // [kg/m^3], [Pa], 1
} swTetMaterial;

// Corners are right-handed: (x1 - x0) x (x2 - x0) . (x3 - x0) > 0. Quadratic tetrahedra have six
// more vertices, at the middles of the edges 01, 12, 20, 03, 13, 23. If their edges bend, their
// volume is positive but the corners alone may be left-handed.
typedef struct swTetMesh {
    int nvertex, ntet;
    int order;     // 1: four vertices per tetrahedron; 2: ten
    swVec3 *X;     // nvertex
    int *vertex;   // [ntet][sw_tet_vertices(order)]
    int *material; // index in `materials`, or its maker's own if there are none; NULL: all alike
    swReal *fill;  // filled share of each tetrahedron; NULL: all are full
    int nmaterial;
    const swTetMaterial *materials;
} swTetMesh;

static inline int sw_tet_vertices(int order) { return order == 1 ? 4 : 10; }
static inline const int *sw_tets_at(const swTetMesh *mesh, int tet) {
    return &mesh->vertex[(size_t)tet * (size_t)sw_tet_vertices(mesh->order)];
}
// Corners of the face opposite to each corner, counter-clockwise seen from outside, and ends of the
// edges in the order of the vertices on them.
extern const int sw_tet_face[4][3], sw_tet_edge[6][2];
// (x1 - x0) x (x2 - x0) . (x3 - x0): six times the volume, negative if left-handed.
swReal sw_tet_det(swVec3 x0, swVec3 x1, swVec3 x2, swVec3 x3);
// A determinant below this share of the longest edge cubed is rounding.
#define SW_TET_FLAT 1e-14
swReal sw_tets_volume(const swTetMesh *mesh, int tet); // of the corners, signed [m^3]

// ---- shape functions ----

// Values at barycentric coordinates, which sum to one.
void sw_tet_shape(int order, const swReal bary[4], swReal *N);
// Their gradients with respect to position, for vertices at X [1/m]. Returns the determinant of the
// map from the unit tetrahedron, whose volume is 1/6. Not finite where that is zero.
swReal sw_tet_gradients(int order, const swVec3 *X, const swReal bary[4], swVec3 *dN);
// Adds to a linear mesh a vertex in the middle of every edge, shared by the tetrahedra around it.
// The given vertices come first. Materials and fill are those of the given mesh.
bool sw_tets_quadratic(const swTetMesh *linear, swArena *arena, swTetMesh *out, swError *error);

// Keeps only the corners of a quadratic mesh, in their order; makes them right-handed where bent
// edges had allowed otherwise.
bool sw_tets_linear(const swTetMesh *quadratic, swArena *arena, swTetMesh *out, swError *error);

// ---- faces ----

// across[4 t + i]: the face 4 t' + i' of the neighbour of tetrahedron t across the face opposite to
// its corner i, or -1 if there is none. If more than two tetrahedra share a face, only the first
// two are neighbours, and `crowded` (may be NULL) counts the face. Faces with a repeated corner
// have no neighbour.
bool sw_tets_across(const swTetMesh *mesh, int *across, int *crowded, swArena *scratch,
                    swError *error);

// Finds the pieces connected through such faces: fills piece[ntet] and returns how many there are.
int sw_tets_pieces(int ntet, const int *across, int *piece);
// Separates tetrahedra that meet only at a vertex or an edge, with no path between them through
// faces around it, by giving them vertices of their own. New vertices are appended to X, which may
// move.
bool sw_tets_separate(swTetMesh *mesh, swArena *arena, swError *error);

typedef struct swTetBoundary {
    swSurface surface; // four triangles per face for quadratic meshes
    int *vertex;       // for each vertex of the surface: that of the mesh
    int *tet;          // the tetrahedron behind each triangle
} swTetBoundary;

// The outer faces as a closed surface. The triangles at each vertex form a single fan: where parts
// meet only at an edge or a vertex, each has vertices of its own there, with the same position and
// the same vertex of the mesh. Only an edge at which a part meets itself appears twice.
bool sw_tets_boundary(const swTetMesh *mesh, swArena *arena, swTetBoundary *out, swError *error);

// ---- locating points ----

// Finds the tetrahedron that contains a point. It does not change once created, so any number of
// threads may query it. It keeps a pointer to the mesh, which must stay.
typedef struct swTetLocator swTetLocator;
swTetLocator *sw_tets_locator(const swTetMesh *mesh, swArena *arena, swError *error);
// Finds the tetrahedron that contains p, the lowest one if several share a face there, and returns
// true; else finds the nearest one and returns false. `bary` are the barycentric coordinates of p
// in it, some of them negative outside. `distance` (may be NULL) is that of p from the mesh, zero
// inside.
bool sw_tets_locate(const swTetLocator *locator, swVec3 p, int *tet, swReal bary[4],
                    swReal *distance);

// ---- quality ----

typedef struct swTetFacts {
    int left_handed;     // tetrahedra whose corners are in the wrong order
    int flat;            // no volume except rounding; not included in the other counts
    int crowded_faces;   // shared by more than two tetrahedra
    int outer_faces;     // of only one tetrahedron
    int unused_vertices; // of no tetrahedron
    int components;      // connected through faces
    swReal volume;       // of the corners, with left-handed ones counted as positive [m^3]
    swReal filled;       // the same with each tetrahedron times its fill
    swReal angle[2];     // dihedral angles, smallest and largest, of those not flat [degrees]
    swReal quality;      // least 12 (3 V)^(2/3) / sum of squared edges: 1 is regular, 0 is flat
    swReal mean_quality;
    swReal edge[2]; // shortest and longest, between corners [m]
    swVec3 lo, hi;  // bounding box
} swTetFacts;

bool sw_tets_facts(const swTetMesh *mesh, swTetFacts *facts, swArena *scratch, swError *error);
// The six dihedral angles of a tetrahedron, at the edges 01, 12, 20, 03, 13, 23 [rad].
void sw_tet_angles(const swVec3 x[4], swReal angle[6]);
