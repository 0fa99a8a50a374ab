// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "geometry/surface.h"

// Corners around each vertex: at[first[v] .. first[v + 1]) are 3 t + c, in order.
typedef struct swCornerFans {
    int *first, *at;
    swVec3 *face;  // unit normals of triangles; zero: has none
    swReal *angle; // of corners
} swCornerFans;

// `skip`: triangles that do not count; NULL: all do.
bool sw_fans_create(swCornerFans *fans, int nvertex, const swVec3 *X, int ntriangle,
                    const int *triangle, const bool *skip, swArena *arena, swError *error);
// The normal at a triangle's corner: the mean of those around its vertex that differ from its own
// by less than the crease, weighted by their angles there. Zero where there is none.
swVec3 sw_fans_normal(const swCornerFans *fans, int vertex, int triangle, swReal least_cosine);
// The cosine that goes with an angle [rad].
static inline swReal sw_crease_cosine(swReal crease) { return cos(sw_min(crease, SW_PI)) - 1e-9; }

// The same surface with a unit normal at each vertex, smooth but where triangles around a vertex
// differ by more than the angle `crease` [rad]: there it becomes several. In the arena.
bool sw_surface_crease(const swSurface *surface, swReal crease, swArena *arena, swSurface *out,
                       swVec3 **normal, swError *error);
