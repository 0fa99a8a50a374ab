// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Surfaces that cross themselves.
#pragma once

#include "geometry/surface.h"

typedef struct swCrossings {
    int pairs; // of triangles that cross each other
    bool all;  // false: there may be more, counting took too long
} swCrossings;

enum { SW_CROSSINGS_MAX = 1000000 }; // counting stops at so many pairs

// Two triangles cross where their interiors meet and their planes differ; to touch is not to cross,
// and neither is to overlap in one plane. The answer is exact, so neighbours never cross by
// rounding. Of finite coordinates; those below 2^-248 times the largest count as zero.
bool sw_surface_crossings(const swSurface *surface, swCrossings *crossings, swArena *scratch,
                          swError *error);
