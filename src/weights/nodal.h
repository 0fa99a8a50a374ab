// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Weights known at the nodes of the lattice, trilinear in each cell: what several kinds end in.
// Those of a node add up to one, hence so do those of any point, and their gradients to zero.
#pragma once

#include "weights/weights.h"

typedef struct swNodal {
    int *start; // nodes of the lattice + 1
    int *site;  // ascending at each node
    swReal *value;
} swNodal;

// A value of one site at one node.
typedef struct swNodalValue {
    int node, site;
    swReal value;
} swNodalValue;

typedef SW_LIST(swNodalValue) swNodalList;
bool sw_nodal_push(swNodalList *list, int node, int site, swReal value, swArena *arena,
                   swError *error);

// Sorts values into rows, and divides each row by its sum. Values of the same node and site must
// not occur twice. Fails where a row has no positive sum: the message names the place.
bool sw_nodal_create(const swLattice *lattice, int nvalue, const swNodalValue *value,
                     swArena *arena, swNodal *nodal, swError *error);
// An evaluate() of swWeightKind for kinds whose data begins with a swNodal.
void sw_nodal_evaluate(const swWeightField *field, int n, const swVec3 *p, const int *cell,
                       swReal *w, swReal *dw);
