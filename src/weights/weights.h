// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Shape functions: how much each frame moves each point. A kind is one file ending in one `const
// swWeightKind`, and one line in the table of weights.c. All kinds add up to one everywhere, and
// are one where their own handle is.
#pragma once

#include "geometry/solid.h"
#include "volume/distance.h"

// A frame (a point) or a handle (the part of the body that a region touches).
typedef struct swSite {
    swVec3 origin;
    int cell;              // filled cell of a frame; -1 for a handle
    const swSolid *region; // of a handle, else NULL
    swVec3 lo, hi;         // bounds of the part the region touches
    int nnode;             // lattice nodes in or next to the region
    const int *node;
    const char *key; // for messages: "bodies[0].handles[1]"
} swSite;

typedef struct swWeightKind swWeightKind;

typedef struct swWeightField {
    const swWeightKind *kind;
    const swWeightsDef *def;
    const swLattice *lattice;
    int nsite;
    const swSite *site;
    void *data; // the kind's own
} swWeightField;

struct swWeightKind {
    const char *name, *doc;
    // Computes what evaluate() needs, in `arena`. NULL: nothing.
    bool (*prepare)(swWeightField *field, swPool *pool, swArena *arena, swError *error);
    // w[n][nsite] and dw[n][nsite][3] at points p, each in filled cell cell[i] (or near it).
    void (*evaluate)(const swWeightField *field, int n, const swVec3 *p, const int *cell, swReal *w,
                     swReal *dw);
    // Planes across one of the axes where gradients jump: fills `plane` (room for 2 nsite),
    // ascending, and returns their number. NULL: none.
    int (*kinks)(const swWeightField *field, int *axis, swReal *plane);
};

const swWeightKind *sw_weights_find(const char *name);
bool sw_weights_create(swWeightField *field, const swWeightsDef *def, const swLattice *lattice,
                       int nsite, const swSite *site, swPool *pool, swArena *arena, swError *error);
void sw_weights_evaluate(const swWeightField *field, int n, const swVec3 *p, const int *cell,
                         swReal *w, swReal *dw);
