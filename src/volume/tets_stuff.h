// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Isosurface stuffing (Labelle and Shewchuk 2007): tetrahedra that fit the surface of a solid, with
// angles between 10.78 and 164.74 degrees whatever the solid is.
#pragma once

#include "geometry/tets.h"
#include "volume/voxelize.h"

enum { SW_STUFF_MAX_CELLS = 16000000 };

// Fills the union of solids, later ones painting over earlier ones, with tetrahedra of a
// body-centred lattice of cell edge h, twelve to a cell. Inside is what the voxelizer takes for
// inside. Sharp edges and corners are cut off, unless they lie on the lattice, which is centred on
// the bounds as voxels are; what is thinner than the lattice may vanish or fall into pieces
// (sw_tets_lost), and gaps that no lattice point lies in are filled. Each tetrahedron is of the
// material at its centroid, in the paint's numbers; all are full. Deterministic for any pool.
// Fails with SW_ERROR_LIMIT where the lattice would have more than SW_STUFF_MAX_CELLS cells, and
// with SW_ERROR_GEOMETRY where no lattice point is inside. `key` names the body in errors.
bool sw_tets_stuff(int npaint, const swPaint *paint, swReal h, const char *key, swPool *pool,
                   swArena *arena, swTetMesh *out, swError *error);

// How much of the material of a grid lies outside the mesh, farther from it than a quarter of the
// smaller of a cell and `h`: the volume of the voxels whose centroids do [m^3].
bool sw_tets_lost(const swTetMesh *mesh, swReal h, const swGrid *grid, swArena *scratch,
                  swReal *lost, swError *error);
