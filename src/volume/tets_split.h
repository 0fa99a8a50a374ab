// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The filled cells of a lattice, cut into tetrahedra.
#pragma once

#include "geometry/tets.h"
#include "volume/lattice.h"

enum { SW_TETS_PER_CELL = 6 };

// Six tetrahedra per filled cell, all around one of its diagonals: those of filled cell c are
// 6 c .. 6 c + 5. Vertices are the lattice's corners in its order, so cells that touch in the grid
// but not in the material stay apart; where the grid is one cell thick both its sides have
// vertices, and the numbers differ. Neighbouring cells mirror each other, which keeps the mesh
// conforming and free of a preferred direction.
//
// `fill` is the filled share of the cell. A cell of several materials is all of the one that fills
// most of it (the lowest of equals): it has one stiffness, nothing is averaged, and what is less
// than half a cell thick takes on its surroundings' material. Material numbers are the voxels'.
bool sw_tets_split(const swLattice *lattice, swArena *arena, swTetMesh *out, swError *error);
