// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Integration regions: voxels of one material moved by the same nodes, cut into as many parts as
// asked.
#pragma once

#include "volume/grid.h"

typedef struct swRegions {
    int count;
    int *start; // count + 1, into voxel
    int *voxel; // voxel indices, region by region
} swRegions;

// `kind[v]` is the class of voxel v (same material, same nodes); voxels of negative class are left
// out. Each class gives one region at least; then the region with the largest spread of volume is
// halved until there are `points`. points = 0: a region per voxel.
bool sw_regions_create(const swGrid *grid, const int *kind, int nkind, int points, swArena *arena,
                       swRegions *regions, swError *error);
