// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The vertices and quadrangles of a closed surface that separates the lattice points inside from
// those outside: one quadrangle around every lattice edge with exactly one end inside, joining
// vertices in the cells around that edge. The caller chooses where the vertices lie.
//
// A cell that the surface crosses in several patches has a vertex for each (Nielson 2004), so that
// thin parts do not grow together. Every edge of the result has exactly two quadrangles.
#pragma once

#include "geometry/surface.h"

typedef struct swQuadEdge {
    int point, axis; // a lattice edge, from `point` along `axis`
    int vertex[4];   // around the edge, counter-clockwise seen from outside
} swQuadEdge;

typedef struct swQuads {
    int n[3];          // numbers of lattice points, x fastest
    unsigned char *in; // per point: bit 0: inside; the other bits are used internally
    int nedge, nvertex;
    swQuadEdge *edge;
    int *cell; // for each vertex: the lowest point of its cell
} swQuads;

// No point on the border of the lattice may be inside. Lists are allocated in `scratch`; there may
// be no edges at all.
bool sw_quads_create(const int n[3], unsigned char *in, swArena *scratch, swQuads *net,
                     swError *error);
// Two triangles per edge: each quadrangle is split along its better diagonal.
void sw_quads_triangles(const swQuads *net, const swVec3 *X, swPool *pool, int *triangle);

static inline int sw_quads_stride(const swQuads *net, int axis) {
    return axis == 0 ? 1 : axis == 1 ? net->n[0] : net->n[0] * net->n[1];
}
static inline void sw_quads_coordinates(const swQuads *net, int point, int i[3]) {
    i[0] = point % net->n[0];
    i[1] = point / net->n[0] % net->n[1];
    i[2] = point / net->n[0] / net->n[1];
}
