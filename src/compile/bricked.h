// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The bricks of a body, held by its handles, and the factor of their stiffness: what linear theory
// says of it, whatever kind it is of.
#pragma once

#include "compile/build.h"
#include "volume/bricks.h"

typedef struct swBodyBricks {
    swGrid grid; // the body's, or a finer one,
    int *home;   // and then of each of its voxels: the body's
    swBricks bricks;
    swBrickStuff *stuff;  // of each material
    int *first_face;      // of each handle, and the end
    swReal ground;        // see sw_bricks_ground()
    swBrickMatrix matrix; // factored
} swBodyBricks;

// Whether a handle holds what is at p.
bool sw_build_is_held(const swBodyBuild *body, swVec3 p);
// Made when they are first asked for. NULL with `error` filled on failure.
const swBodyBricks *sw_build_bricks(swBuilder *b, swBodyBuild *body, swError *error);
// Others, about two thirds as wide, which tell how far off these are; they have to be there.
bool sw_build_finer_bricks(swBuilder *b, const swBodyBuild *body, swArena *arena, swBodyBricks *out,
                           swError *error);
// f[3 nnode] += `share` of the body's loads at rest, mirrored by a flip of its grid's middle, on
// nodes of bricks.
bool sw_build_push_loads(swBuilder *b, const swBodyBuild *body, const swBodyBricks *own,
                         swVec3 flip, swReal share, swReal *f, swError *error);
