// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Triangle surfaces and their defects.
#pragma once

#include "core/core.h"
#include "math/vec.h"

typedef struct swSurface {
    int nvertex, ntriangle;
    swVec3 *X;     // nvertex
    int *triangle; // 3 x ntriangle vertex indices, counter-clockwise seen from outside
} swSurface;

// Counted after merging vertices with exactly equal positions.
typedef struct swSurfaceFacts {
    int boundary_edges;    // with only one triangle
    int nonmanifold_edges; // with more than two triangles
    int flipped_edges;     // whose two triangles have opposite orientations
    int duplicate_triangles;
    int degenerate_triangles; // with two equal corners or no area
    int unused_vertices;
    int components; // connected through edges
    bool closed;    // each edge has as many opposite ones: ray crossings count exactly
    swReal volume;  // signed [m^3]
    swReal area;
    swVec3 lo, hi; // bounding box
} swSurfaceFacts;

// first[i]: the first of the vertices exactly equal to vertex i (0 and -0 are equal), which is i
// itself if there is none before it.
bool sw_surface_merge(int nvertex, const swVec3 *x, int *first, swArena *scratch, swError *error);
bool sw_surface_facts(const swSurface *surface, swSurfaceFacts *facts, swArena *scratch,
                      swError *error);
// "12 boundary edges, 3 duplicate triangles", or "" if there are no defects.
const char *sw_surface_defects(const swSurfaceFacts *facts, char *text, size_t size);
// Scales the positions, then applies the pose.
void sw_surface_transform(swSurface *surface, swReal scale, swMat3 R, swVec3 t);
// area[v] += a third of the area of each triangle at the vertex
void sw_surface_areas(const swVec3 *x, int ntriangle, const int *triangle, swReal *area);
// Outward vertex normals, weighted by angle; zero for a vertex without triangles.
void sw_surface_normals(int nvertex, const swVec3 *x, int ntriangle, const int *triangle,
                        swVec3 *normal);
