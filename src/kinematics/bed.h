// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The bed of a body: the lattice of its voxels with the weights of its nodes at the lattice's
// nodes, trilinear between them. It says where any point of the material is and, the other way
// round, which point of the material is at a place.
#pragma once

#include "model/body.h"
#include "volume/lattice.h"

typedef struct swBump swBump;

// The arrays of a model as a lattice; `lattice.grid` is `grid`, so this must stay where it is.
typedef struct swBedView {
    const swBodyModel *model; // that has the bed
    const swBed *bed;
    swGrid grid;
    swLattice lattice;
} swBedView;

// The bed of a body, or NULL where it has none.
const swBed *sw_bed_of(const swBodyModel *model, int body);
void sw_bed_view(const swBodyModel *model, const swBed *bed, swBedView *view);

// A body that moves: nodes of the bed's own model have their matrices at q, bumps theirs at B.
typedef struct swBedMotion {
    const swBedView *view;
    const swReal *q;
    int nbump;
    const swBump *const *bump;
    const swReal *const *B;
} swBedMotion;

// Where p is, and F there. Points beside the material, up to two cells away, move as if it went on;
// false: p is farther away.
bool sw_bed_position(const swBedMotion *motion, swVec3 p, swVec3 *x, swMat3 *F);

// The point of the material at `at`, by Newton's method: p += F^-1 (at - x(p)).
typedef struct swRestPoint {
    swVec3 rest;
    swReal miss; // how far x(rest) is from `at`
    int iterations;
} swRestPoint;
swRestPoint sw_bed_rest_point(const swBedMotion *motion, swVec3 at);
