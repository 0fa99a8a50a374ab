// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Integration regions: voxels of one class (one material moved by the same nodes), cut into as many
// parts as asked.
#pragma once

#include "volume/grid.h"

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
                   // directions.h
    swPool *pool;  // asked whether to go on; NULL: nobody is
} swRegionsDef;

// Cuts the region whose fit is worst, where that helps most, until there are as many as asked; with
// nothing to fit, or where all fits are exact, the one that spreads most.
bool sw_regions_create(const swRegionsDef *def, swArena *arena, swRegions *regions, swError *error);
