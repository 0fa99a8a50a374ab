// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Springs for a material: how stiff they must be for the net to behave like it. See
// docs/mass_springs.md.
#pragma once

#include "model/body.h"

// A spring between two vertices, a > b.
typedef struct swSpringDef {
    int a, b;
    swReal stiffness;
} swSpringDef;

typedef SW_LIST(swSpringDef) swSpringList;

typedef struct swSpringFactors {
    swReal structural, shear; // factors for edges; for diagonals of faces and cells
    swReal bend;              // share of the edges' stiffness that moves to springs over two edges
} swSpringFactors;

// Springs over cubes of edge h with 8 vertices each, x fastest. shear[c]: shear modulus of a cell
// times its filled share [Pa].
bool sw_springs_lattice(int ncell, const int *corner, int nvertex, const swVec3 *X, swReal h,
                        const swReal *shear, const swSpringFactors *factors, swArena *arena,
                        swSpringList *out, swError *error);
// Springs along the edges of simplices with `width` vertices (tetrahedra or triangles). young[i]:
// Young's modulus of a simplex times its volume [J].
bool sw_springs_simplices(int n, int width, const int *vertex, const swReal *young, const swVec3 *X,
                          swReal structural, swArena *arena, swSpringList *out, swError *error);
// Springs across the edges of triangles, between the corners that the two triangles do not share.
// Their stiffness is the factor times that of an edge of their length.
bool sw_springs_across(int n, const int *vertex, const swReal *young, const swVec3 *X,
                       swReal factor, swArena *arena, swSpringList *out, swError *error);
// Sorts springs, merges those between the same vertices, and removes those without stiffness or
// length. Returns how many had no length.
int sw_springs_join(swSpringList *springs, const swVec3 *X);
