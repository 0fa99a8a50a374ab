// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies that act on each other: what a potential between them adds to.
#pragma once

#include "potentials/forces.h"

typedef struct swCoupledBody {
    swBodyState *s;
    const swReal *q; // where it is
    int node;        // of its first node, among those of all bodies together
    swSystem sys;    // of the body alone: its energy, forces, and stiffness
} swCoupledBody;

typedef struct swCoupled {
    int n;
    swCoupledBody *body;
    const swBlocks *A; // over the unknowns of all nodes: what is between bodies; NULL: not wanted
    // Nothing is added, but which blocks that would take is told; NULL: not asked for.
    void (*need)(void *context, int row, int column);
    void *context;
} swCoupled;
