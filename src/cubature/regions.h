// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Integration regions: the voxels of a class (one material moved by the same nodes), cut into the
// requested number of parts.
#pragma once

#include "volume/grid.h"

// The directions in which the weights of a region vary: along a bar one, over a plate two.
typedef struct swDirections {
    int n;           // number of directions in which weights vary
    swMat3 axes;     // rows: those directions first, the one of most variation at the top
    swReal along[3]; // root mean square of the gradients along each axis
    swReal bent;     // share of their squares that their mean lacks: 0 if weights are linear
    bool wall;       // whether the region touches a part that cannot get thinner; set by the caller
} swDirections;

// Computes this from the gradients of n weights, three numbers each, at `count` positions.
swDirections sw_directions_of(int count, int n, const swReal *gradient);
// Coordinate axis k projected onto the directions in which weights vary, so that a cut across it
// cuts a bar in two lengths and not through its section. Zero if the axis is too far from them.
swVec3 sw_directions_turn(const swDirections *found, int k);

typedef struct swRegions {
    int count;
    int *start; // count + 1: index into voxel
    int *voxel; // voxel indices, region by region, class by class
} swRegions;

// Fills out[n][values] for voxels of one class; returns the number of values per voxel.
typedef int swRegionValues(void *arg, int n, const int *voxel, swReal *out);

typedef struct swRegionsDef {
    const swGrid *grid;
    const int *kind; // class of each voxel; negative: left out
    int nkind;
    const swReal *measure; // of each voxel: its weight
    int count;             // regions in all, at least one per class; 0: one per voxel
    // The values to be fitted by polynomials of `degree` (0 or more) in each region; NULL: none.
    swRegionValues *values;
    void *arg;
    int max_values, degree;
    bool sections; // values are gradients of weights: cut only where weights vary, see swDirections
    swPool *pool;  // asked whether to go on; may be NULL
} swRegionsDef;

// Repeatedly cuts the region with the worst fit where that helps most, until there are as many as
// requested. If there is nothing to fit, or all fits are exact, it cuts the region with the largest
// spread.
bool sw_regions_create(const swRegionsDef *def, swArena *arena, swRegions *regions, swError *error);
