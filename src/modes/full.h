// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Stiffness and mass matrices of a tetrahedral mesh at rest, from which reduced bodies are made.
#pragma once

#include "geometry/tets.h"
#include "math/factor.h"

// Properties of a mesh, per vertex or per tetrahedron.
typedef struct swTetBody {
    const swTetMesh *mesh;
    const bool *held; // for each vertex: whether it is fixed
    // For each tetrahedron, scaled down if it is only partly filled [Pa], [Pa], [kg/m^3].
    const swReal *mu, *lambda, *density;
} swTetBody;

// Vectors have three entries for every vertex that is not held, in the order of vertices.
typedef struct swFull {
    const swTetBody *body;
    int n;        // length of a vector
    swBlocks K;   // one row of blocks per vertex
    swReal *mass; // for each block of K: one number, the same for x, y and z
    swFactor factor;
} swFull;

// Fails if nothing is held, as K then has no inverse. The pool is asked whether to go on, also by
// later users of this struct.
bool sw_full_create(swFull *full, const swTetBody *body, swPool *pool, swArena *arena,
                    swError *error);
// y := M x
void sw_full_mass(const swFull *full, const swReal *x, swReal *y);
// x := K^-1 x
void sw_full_solve(const swFull *full, swReal *x);
// The displacement of a vertex, zero if it is held.
static inline swVec3 sw_full_at(const swFull *full, const swReal *x, int vertex) {
    const int at = full->K.start[vertex];
    return full->body->held[vertex] ? (swVec3){0, 0, 0} : sw_v3(x[at], x[at + 1], x[at + 2]);
}
