// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "geometry/surface.h"
#include "volume/grid.h"

// A smooth closed surface around the voxels of one material (-1: of all), from how much of each
// cell they fill: it parts the cells' centres where that is one half, and encloses their volume.
// Every edge has two triangles. What is nowhere half a cell thick has no surface: `lost` is its
// volume [m^3]; there may be no triangle at all.
bool sw_fill_surface(const swGrid *grid, int material, swPool *pool, swArena *arena,
                     swSurface *surface, swReal *lost, swError *error);
