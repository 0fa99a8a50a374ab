// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A bounding volume tree over triangles. It finds the nearest point of the surface, the triangles
// that a line pierces, pairs of nearby triangles, and the winding number about a point. It does not
// change once built, so any number of threads may query it.
#pragma once

#include "geometry/surface.h"
#include "math/box.h"

// Triangles are stored in leaf order, either as corners or as vertex indices.
typedef struct swBvh {
    int nnode, ntriangle;
    const swBoxNode *node;
    const swVec3 *corner; // 3 per triangle; NULL: corners are X[index[3 i]], ...
    const swVec3 *X;
    const int *index;              // 3 per triangle
    const int *triangle;           // index of each in the surface; NULL: the same order
    const struct swDipole *dipole; // one per node; NULL: winding numbers are not available
} swBvh;

// Builds a tree over at least one triangle. Copies what it needs.
swBvh *sw_bvh_create(const swSurface *surface, swArena *arena, swError *error);
// Whether the nodes, read from a file, form a tree over all triangles that is shallow enough for
// the stacks of the searches. Corners are not checked.
bool sw_bvh_sane(const swBvh *bvh);
// The point of the surface nearest to p, and its triangle if `triangle` is not NULL.
swVec3 sw_bvh_closest(const swBvh *bvh, swVec3 p, int *triangle);
// The nearest point, if it is less than `reach` away.
typedef enum swBvhPart { SW_BVH_FACE, SW_BVH_EDGE, SW_BVH_CORNER } swBvhPart;
typedef struct swBvhNearest {
    swVec3 point;
    int triangle;   // in leaf order
    swBvhPart part; // the part of the triangle that the point lies on
    swVec3 along;   // for an edge: its unit direction
    swVec3 normal;  // unit normal of the triangle, zero if it has no area
} swBvhNearest;
bool sw_bvh_nearest(const swBvh *bvh, swVec3 p, swReal reach, swBvhNearest *out);
// Calls fn, in no particular order, for each triangle that the line (x, y, z) with free x pierces.
// `sign` is +1 where the line leaves the inside and -1 where it enters. Stops and returns false
// when fn does. Over a closed surface the signs sum to zero for every y and z, even through edges
// and corners.
typedef bool swBvhHit(void *arg, swReal x, int sign);
bool sw_bvh_pierce(const swBvh *bvh, swReal y, swReal z, swBvhHit *fn, void *arg);
// Calls fn once for each pair of triangles whose boxes touch or overlap. Stops and returns false
// when fn does.
typedef bool swBvhPair(void *arg, const swVec3 a[3], const swVec3 b[3]);
bool sw_bvh_pairs(const swBvh *bvh, swBvhPair *fn, void *arg);
// The generalised winding number at p: 1 inside a closed surface, 0 outside, fractional near holes.
// Parts of the surface farther away than beta times their radius count as dipoles (Barill et al.
// 2018). beta = 2 has errors of a few hundredths; INFINITY is exact.
swReal sw_bvh_winding(const swBvh *bvh, swVec3 p, swReal beta);
