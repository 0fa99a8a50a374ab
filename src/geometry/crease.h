// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "geometry/surface.h"

// The triangle corners around each vertex v: at[first[v] .. first[v + 1]) hold 3 t + c, ascending.
typedef struct swCornerFans {
    int *first, *at;
    swVec3 *face;  // unit normals of the triangles; zero if undefined
    swReal *angle; // of the corners
} swCornerFans;

// `skip` marks triangles to ignore; NULL: none.
bool sw_fans_create(swCornerFans *fans, int nvertex, const swVec3 *X, int ntriangle,
                    const int *triangle, const bool *skip, swArena *arena, swError *error);
// The normal at a corner of a triangle: the mean of the normals around its vertex that differ from
// the triangle's own by less than the crease angle, weighted by their angles there. Zero if there
// is none.
swVec3 sw_fans_normal(const swCornerFans *fans, int vertex, int triangle, swReal least_cosine);
// The cosine of a crease angle [rad].
static inline swReal sw_crease_cosine(swReal crease) { return cos(sw_min(crease, SW_PI)) - 1e-9; }

// The same surface with a unit normal at each vertex. It is smooth except where triangles around a
// vertex differ by more than the angle `crease` [rad]: there the vertex is split into several.
// Allocated in the arena.
bool sw_surface_crease(const swSurface *surface, swReal crease, swArena *arena, swSurface *out,
                       swVec3 **normal, swError *error);
