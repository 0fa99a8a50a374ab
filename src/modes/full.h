// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Stiffness and mass of a mesh of tetrahedra at rest: what reduced bodies are made from.
#pragma once

#include "geometry/tets.h"
#include "math/factor.h"

// What a mesh is made of, tetrahedron by tetrahedron.
typedef struct swTetBody {
    const swTetMesh *mesh;
    const bool *held; // of each vertex: it does not move
    // Of each tetrahedron, less where it is not all filled [Pa], [Pa], [kg/m^3].
    const swReal *mu, *lambda, *density;
} swTetBody;

// Vectors have three numbers for every vertex that is not held, in the order of vertices.
typedef struct swFull {
    const swTetBody *body;
    int n;        // numbers of a vector
    swBlocks K;   // a row of blocks for each vertex
    swReal *mass; // of each block of K: the same number for x, y and z
    swFactor factor;
} swFull;

// Fails where nothing is held, so that K has no inverse. The pool is asked whether to go on, by
// what uses this as well.
bool sw_full_create(swFull *full, const swTetBody *body, swPool *pool, swArena *arena,
                    swError *error);
// y := M x
void sw_full_mass(const swFull *full, const swReal *x, swReal *y);
// x := K^-1 x
void sw_full_solve(const swFull *full, swReal *x);
// The displacement of a vertex, zero where it is held.
static inline swVec3 sw_full_at(const swFull *full, const swReal *x, int vertex) {
    const int at = full->K.start[vertex];
    return full->body->held[vertex] ? (swVec3){0, 0, 0} : sw_v3(x[at], x[at + 1], x[at + 2]);
}
