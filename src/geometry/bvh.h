// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Triangles in a tree of boxes: the point nearest to another, what a line pierces, which of them
// are near each other, how often the surface winds around a point. Constant once made; any number
// of threads may ask.
#pragma once

#include "geometry/surface.h"
#include "math/box.h"

// Triangles stand in the order of the leaves: as their corners, or as numbers of vertices.
typedef struct swBvh {
    int nnode, ntriangle;
    const swBoxNode *node;
    const swVec3 *corner; // 3 per triangle; NULL: X[index[3 i]], ...
    const swVec3 *X;
    const int *index;              // 3 per triangle
    const int *triangle;           // of the surface; NULL: they have this order there
    const struct swDipole *dipole; // of nodes; NULL: winding numbers are not asked for
} swBvh;

// Of at least one triangle. Copies what it needs.
swBvh *sw_bvh_create(const swSurface *surface, swArena *arena, swError *error);
// Whether nodes of a file make a tree over all triangles of which no search needs more room than it
// has. Corners are not looked at.
bool sw_bvh_sane(const swBvh *bvh);
// The point of the surface nearest to p, and its triangle where `triangle` is not NULL.
swVec3 sw_bvh_closest(const swBvh *bvh, swVec3 p, int *triangle);
// What is nearest, if it is less than `reach` away.
typedef enum swBvhPart { SW_BVH_FACE, SW_BVH_EDGE, SW_BVH_CORNER } swBvhPart;
typedef struct swBvhNearest {
    swVec3 point;
    int triangle;   // in the order of the leaves
    swBvhPart part; // of the triangle, on which the point is
    swVec3 along;   // of an edge: unit direction
    swVec3 normal;  // of the triangle, a unit vector; zero where it has no area
} swBvhNearest;
bool sw_bvh_nearest(const swBvh *bvh, swVec3 p, swReal reach, swBvhNearest *out);
// Calls fn for each triangle that the line (x, y, z), x free, pierces, in no order: `sign` is +1
// where the line leaves the inside, -1 where it enters. Stops and returns false when fn does. Over
// a closed surface the signs sum to zero for every y and z, through edges and corners too.
typedef bool swBvhHit(void *arg, swReal x, int sign);
bool sw_bvh_pierce(const swBvh *bvh, swReal y, swReal z, swBvhHit *fn, void *arg);
// Calls fn once for each two triangles whose boxes touch or overlap. Stops and returns false when
// fn does.
typedef bool swBvhPair(void *arg, const swVec3 a[3], const swVec3 b[3]);
bool sw_bvh_pairs(const swBvh *bvh, swBvhPair *fn, void *arg);
// The generalised winding number at p: 1 inside a closed surface, 0 outside, a share near holes.
// Parts of the surface farther than beta times their radius count as dipoles (Barill et al. 2018);
// beta = 2 errs by a few hundredths, INFINITY is exact.
swReal sw_bvh_winding(const swBvh *bvh, swVec3 p, swReal beta);
