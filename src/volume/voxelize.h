// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "geometry/solid.h"
#include "volume/grid.h"

// What an entry of a volume's palette is made of.
typedef struct swPaintEntry {
    int material, label;
    swReal stiffness, density; // relative to the material
} swPaintEntry;

typedef struct swPaint {
    const swSolid *solid;
    int material;                // -1: a hole in what was painted before
    const swPaintEntry *palette; // by the entries of spans; NULL: all is of `material`
} swPaint;

enum { SW_GRID_MAX_CELLS = 400000000 };

// Where a grid of cell edge h lies around solids: sets origin, h, n, lo and hi, the rest is zero.
// Fails where it would have more than `most` cells, or solids have no bounds.
bool sw_grid_place(int npaint, const swPaint *paint, swReal h, int most, const char *key,
                   swGrid *grid, swError *error);
// Fills a grid of cell edge h with solids, later ones painting over earlier ones. Deterministic for
// any pool. Fails with SW_ERROR_LIMIT, before allocating, where the grid would have more than
// SW_GRID_MAX_CELLS cells, and with SW_ERROR_GEOMETRY where nothing is filled. `key` names the body
// in errors.
bool sw_voxelize(int npaint, const swPaint *paint, swReal h, const char *key, swPool *pool,
                 const swConfig *config, swArena *arena, swGrid *grid, swError *error);
// The same with an even number of cells along each axis.
bool sw_voxelize_even(int npaint, const swPaint *paint, swReal h, const char *key, swPool *pool,
                      const swConfig *config, swArena *arena, swGrid *grid, swError *error);
