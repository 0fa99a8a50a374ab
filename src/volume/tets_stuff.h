// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Isosurface stuffing (Labelle and Shewchuk 2007): tetrahedra that fit the surface of a solid, with
// angles between 10.78 and 164.74 degrees whatever the solid is.
#pragma once

#include "geometry/tets.h"
#include "volume/lattice.h"
#include "volume/voxelize.h"

enum { SW_STUFF_MAX_CELLS = 16000000 };

// Fills the union of solids, later ones painting over earlier ones, with tetrahedra of a
// body-centred lattice of cell edge h, twelve to a cell. Inside is what the voxelizer takes for
// inside. Sharp edges and corners are cut off, unless they lie on the lattice, which is centred on
// the bounds as voxels are; what is thinner than the lattice may vanish or fall into pieces
// (sw_tets_tidy), and gaps that no lattice point lies in are filled. Each tetrahedron is of the
// material at its centroid, in the paint's numbers; all are full. Deterministic for any pool.
// Fails with SW_ERROR_LIMIT where the lattice would have more than SW_STUFF_MAX_CELLS cells, and
// with SW_ERROR_GEOMETRY where no lattice point is inside. `key` names the body in errors.
bool sw_tets_stuff(int npaint, const swPaint *paint, swReal h, const char *key, swPool *pool,
                   swArena *arena, swTetMesh *out, swError *error);

// What stuffing made of the material of a lattice.
typedef struct swStuffLoss {
    int crumbs; // pieces dropped
    int pieces; // left, where the solid has `parts`
    int parts;
    swReal lost; // volume of the voxels whose centroids lie outside the mesh, farther from it than
                 // a quarter of the smaller of their cells and `h` [m^3]
    swReal volume; // of the mesh [m^3]
} swStuffLoss;

// Drops pieces that came loose from a part of the solid and are less than a hundredth of its
// largest one, and tells what is lost. Warns through `config` where that is much: of pieces that
// are more than crumbs, and of more than a hundredth of the volume.
bool sw_tets_tidy(swTetMesh *mesh, swReal h, const swLattice *lattice, const char *key,
                  const swConfig *config, swArena *scratch, swStuffLoss *loss, swError *error);
