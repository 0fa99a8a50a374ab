// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The body-centred lattice of isosurface stuffing: corners of cubic cells (red) and their middles
// (black), the edges between them that a surface cuts, and the tetrahedra that are left inside.
#pragma once

#include "geometry/tets.h"
#include "volume/grid.h"

// Layers of points around those of the grid: the ends of cut edges have all their neighbours.
enum { SW_STUFF_MARGIN = 2 };

// Where the surface cuts an edge.
typedef struct swStuffCut {
    int cell, kind; // of the edge
    swReal t;       // from its first end
} swStuffCut;

// Red point (i, j, k) is i + n[0] (j + n[1] k), its black one, half a cell further along all axes,
// comes npoint later. The cell of a black point owns 14 edges: 0, 1, 2 from its red point along
// x, y, z, 3, 4, 5 from the black one, 6 .. 13 from the black one to the red corners of its cell,
// those of +x, +y, +z in bits 0, 1, 2.
typedef struct swStuffLattice {
    swVec3 origin; // of red point 0
    swReal h;
    int n[3], npoint;  // of one colour
    int stride[3];     // from a point to the next of its colour
    signed char *sign; // per point: 1 inside, -1 outside, 0 on the surface
    int ncut;
    swStuffCut *cut; // by cell, then kind
    int *first;      // npoint + 1: cuts of the edges of each cell
    int *moved;      // per point: 1 + the cut it moved to, or 0
} swStuffLattice;

// The corners and middles of the cells of a grid, and a margin around them; all signs are -1.
bool sw_stuff_lattice(const swGrid *grid, swArena *arena, swStuffLattice *lattice, swError *error);
// Of the lattice itself, points not moved.
swVec3 sw_stuff_place(const swStuffLattice *lattice, int point);
void sw_stuff_ends(const swStuffLattice *lattice, int cell, int kind, int *a, int *b);
// The edges whose ends have different signs. No point of the margin may be inside.
bool sw_stuff_find_cuts(swStuffLattice *lattice, swArena *arena, swError *error);
// Moves each point that a cut is too near to onto the nearest one.
void sw_stuff_warp(swStuffLattice *lattice);
// The tetrahedra inside, and a vertex of each that is no point of the surface, in `scratch`.
bool sw_stuff_tets(const swStuffLattice *lattice, swArena *arena, swArena *scratch, swTetMesh *mesh,
                   int **deep, swError *error);
