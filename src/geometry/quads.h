// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Which vertices and quadrangles a closed surface has that parts the points of a lattice into those
// inside and those outside: one quadrangle around every lattice edge with one end inside, between
// vertices in the cells around it. Where the vertices lie is left to the caller.
//
// A cell that the surface crosses in several patches has a vertex for each (Nielson 2004), so that
// thin parts do not grow together. Every edge of the result has exactly two quadrangles.
#pragma once

#include "geometry/surface.h"

typedef struct swQuadEdge {
    int point, axis; // of the lattice: the edge leads from the point along the axis
    int vertex[4];   // around it, counter-clockwise seen from outside
} swQuadEdge;

typedef struct swQuads {
    int n[3];          // points of the lattice, x fastest
    unsigned char *in; // per point: bit 0: inside; the others are the net's own
    int nedge, nvertex;
    swQuadEdge *edge;
    int *cell; // of each vertex: its lowest point
} swQuads;

// No point on the border of the lattice may be inside. Lists are made in `scratch`; there may be
// no edge at all.
bool sw_quads_create(const int n[3], unsigned char *in, swArena *scratch, swQuads *net,
                     swError *error);
// Two triangles per edge, each quadrangle split along its better diagonal.
void sw_quads_triangles(const swQuads *net, const swVec3 *X, swPool *pool, int *triangle);

static inline int sw_quads_stride(const swQuads *net, int axis) {
    return axis == 0 ? 1 : axis == 1 ? net->n[0] : net->n[0] * net->n[1];
}
static inline void sw_quads_coordinates(const swQuads *net, int point, int i[3]) {
    i[0] = point % net->n[0];
    i[1] = point / net->n[0] % net->n[1];
    i[2] = point / net->n[0] / net->n[1];
}
