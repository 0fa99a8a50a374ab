// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Self-intersections of surfaces.
#pragma once

#include "geometry/surface.h"

typedef struct swCrossings {
    int pairs; // number of intersecting pairs of triangles
    bool all;  // false: there may be more, as counting took too long
} swCrossings;

enum { SW_CROSSINGS_MAX = 1000000 }; // counting stops at this many pairs

// Two triangles cross if their interiors meet and their planes differ; touching is not crossing,
// nor is overlapping within one plane. The answer is exact, so neighbours never cross because of
// rounding. Coordinates must be finite; those below 2^-248 times the largest count as zero.
bool sw_surface_crossings(const swSurface *surface, swCrossings *crossings, swArena *scratch,
                          swError *error);
