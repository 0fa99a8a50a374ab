// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Mirror images of a body in planes along the axes, through the middle of its grid. What a compile
// picks among things that are as good as each other, it picks so that a mirrored body gets the
// mirror image, and a body that is its own mirror image keeps being so.
#pragma once

#include "volume/grid.h"

enum { SW_FLIPS = 8 };

typedef struct swMirrors {
    swVec3 center;         // of the grid,
    swReal h;              // and the edge of its cells
    int n;                 // flips that make the body its own image; [0] changes nothing
    swVec3 flip[SW_FLIPS]; // 1 or -1 along each axis
    swVec3 way;            // the flip by which a body and all its mirror images come to lie alike
} swMirrors;

// What tells mirror images apart: amounts at places.
typedef struct swMark {
    swVec3 X;
    swReal amount;
} swMark;

swMirrors sw_mirrors_find(const swGrid *grid, int n, const swMark *mark);
swVec3 sw_mirrors_image(const swMirrors *mirrors, swVec3 flip, swVec3 p);
// A number for a place, another one for each; the same for its mirror image in a mirrored body.
swReal sw_mirrors_rank(const swMirrors *mirrors, swVec3 p);
// The same for all images of a place by the body's own flips too.
swReal sw_mirrors_orbit_rank(const swMirrors *mirrors, swVec3 p);
// To the lattice of half cells.
swVec3 sw_mirrors_snap(const swMirrors *mirrors, swVec3 p);
// Those flips are left under which `keeps` says that something is its own image.
void sw_mirrors_keep(swMirrors *mirrors, bool (*keeps)(void *context, swVec3 flip), void *context);
