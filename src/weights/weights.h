// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Shape functions: how much each frame moves each point. A kind is one file ending in one `const
// swWeightKind`, and one line in the table of weights.c. All kinds add up to one everywhere, and
// are one where their own handle is.
#pragma once

#include "geometry/solid.h"
#include "volume/march.h"

// A frame (a point) or a handle (a part of the body carried rigidly).
typedef struct swSite {
    swVec3 origin;
    int cell;              // filled cell of a frame; -1 for a handle
    const swSolid *region; // of a handle given by one, else NULL
    swVec3 lo, hi;         // bounds of the handle's part
    int nnode;             // lattice nodes where its weight is one: those that touch the part, or
                           // whose shape functions are not zero at the frame
    const int *node;
    const swReal *gap; // how far each of them is from the part; NULL: they are in it
    const char *key;   // for messages: "bodies[0].handles[1]"
} swSite;

typedef struct swWeightKind swWeightKind;

typedef struct swWeightField {
    const swWeightKind *kind;
    const swWeightsDef *def;
    const char *folder; // of the scene's files; NULL: the working one
    const swLattice *lattice;
    int nsite;
    const swSite *site;
    swReal fade; // so near to a handle's region all others fade away, and end at its true border;
                 // 0: they end at nodes of the lattice, up to a voxel beyond it
    void *data;  // the kind's own
} swWeightField;

struct swWeightKind {
    const char *name, *doc;
    // Computes what evaluate() needs, in `arena`. NULL: nothing.
    bool (*prepare)(swWeightField *field, swPool *pool, swArena *arena, swError *error);
    // w[n][nsite] and dw[n][nsite][3] at points p, each in filled cell cell[i] (or near it).
    void (*evaluate)(const swWeightField *field, int n, const swVec3 *p, const int *cell, swReal *w,
                     swReal *dw);
    bool row;        // frames stand in a row along the axis: they are placed so
    bool everywhere; // frames act on the whole body: they are not placed
    bool negative;   // weights may be below zero, and masses lumped by them too
    // Planes across one of the axes where gradients jump: fills `plane` (room for 2 nsite),
    // ascending, and returns their number. NULL: none.
    int (*kinks)(const swWeightField *field, int *axis, swReal *plane);
};

// The axis of a row of frames: as given, or the body's longest side.
swVec3 sw_weights_axis(const swWeightsDef *def, const swGrid *grid);
const swWeightKind *sw_weights_find(const char *name);
bool sw_weights_create(swWeightField *field, const swWeightsDef *def, const char *folder,
                       const swLattice *lattice, int nsite, const swSite *site, swPool *pool,
                       swArena *arena, swError *error);
// Starts a front at the nodes of every site, labelled by it. Fails where two sites share one.
bool sw_weights_start(const swWeightField *field, swMarch *march, swError *error);
void sw_weights_start_site(const swWeightField *field, int site, swMarch *march);
// As the kind says, but in a handle's region all belongs to the handle, and around it as
// field->fade says.
void sw_weights_evaluate(const swWeightField *field, int n, const swVec3 *p, const int *cell,
                         swReal *w, swReal *dw);
