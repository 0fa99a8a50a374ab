// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Integration regions: voxels of one class (one material moved by the same nodes), cut into as many
// parts as asked.
#pragma once

#include "volume/grid.h"

// In which directions the weights of a region vary: along a bar in one, over a plate in two.
typedef struct swDirections {
    int n;           // directions in which weights vary
    swMat3 axes;     // rows: those first, the one of most variation at the head
    swReal along[3]; // root mean square of the gradients, per axis
    swReal bent; // share of their squares that is not of their mean: none where weights are linear
    bool wall;   // whether a part that cannot get thinner touches the region; set by who knows
} swDirections;

// From the gradients of n weights, three numbers each, in `count` places.
swDirections sw_directions_of(int count, int n, const swReal *gradient);
// Coordinate axis k turned into the directions in which weights vary, so that a cut across it cuts
// a bar in two lengths, not its section. Zero where the axis is too far from them.
swVec3 sw_directions_turn(const swDirections *found, int k);

typedef struct swRegions {
    int count;
    int *start; // count + 1, into voxel
    int *voxel; // voxel indices, region by region, class by class
} swRegions;

// Fills out[n][values] for voxels of one class; returns how many values a voxel of it has.
typedef int swRegionValues(void *arg, int n, const int *voxel, swReal *out);

typedef struct swRegionsDef {
    const swGrid *grid;
    const int *kind; // class of each voxel; those of negative class are left out
    int nkind;
    const swReal *measure; // of each voxel: how much it counts
    int count;             // regions in all; each class gives one at least. 0: one per voxel
    // What is to be fitted by polynomials of `degree` (0 or more) in each region; NULL: nothing is.
    swRegionValues *values;
    void *arg;
    int max_values, degree;
    bool sections; // values are gradients, and regions are to be cut only where these vary: see
                   // swDirections
    swPool *pool;  // asked whether to go on; NULL: nobody is
} swRegionsDef;

// Cuts the region whose fit is worst, where that helps most, until there are as many as asked; with
// nothing to fit, or where all fits are exact, the one that spreads most.
bool sw_regions_create(const swRegionsDef *def, swArena *arena, swRegions *regions, swError *error);
