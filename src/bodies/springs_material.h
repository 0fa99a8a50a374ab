// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Springs for a material: how stiff they are so that the net is like it. See
// docs/mass_springs.md.
#pragma once

#include "model/body.h"

// One with vertices for nodes; a > b.
typedef struct swSpringDef {
    int a, b;
    swReal stiffness;
} swSpringDef;

typedef SW_LIST(swSpringDef) swSpringList;

typedef struct swSpringFactors {
    swReal structural, shear; // of edges; of diagonals of faces and cells
    swReal bend; // share of the stiffness of edges that springs over two of them have instead
} swSpringFactors;

// Springs over cubes of edge h with 8 vertices each, x fastest. shear[c]: the shear modulus of a
// cell times the share of it that is filled [Pa].
bool sw_springs_lattice(int ncell, const int *corner, int nvertex, const swVec3 *X, swReal h,
                        const swReal *shear, const swSpringFactors *factors, swArena *arena,
                        swSpringList *out, swError *error);
// Springs along the edges of simplices of `width` vertices, tetrahedra or triangles. young[i]:
// Young's modulus times the volume of one [J].
bool sw_springs_simplices(int n, int width, const int *vertex, const swReal *young, const swVec3 *X,
                          swReal structural, swArena *arena, swSpringList *out, swError *error);
// Springs across the edges of triangles, between the corners that the two do not share; their
// stiffness is the factor times that of an edge of their length.
bool sw_springs_across(int n, const int *vertex, const swReal *young, const swVec3 *X,
                       swReal factor, swArena *arena, swSpringList *out, swError *error);
// Sorts, and joins those between the same vertices; those without stiffness or length go. Returns
// how many had no length.
int sw_springs_join(swSpringList *springs, const swVec3 *X);
