// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The corners of filled cells, as nodes of trilinear fields. Cells that touch in the grid but not
// in the material have corners of their own, so nothing leaks across a gap.
#pragma once

#include "volume/grid.h"

typedef struct swLattice {
    const swGrid *grid;
    int ncell;
    int *cell;  // grid cell of each filled cell
    int *index; // of each grid cell, or -1 where it is empty
    int n;
    swVec3 *X;
    swReal *volume; // of material around each node: they add up to the grid's
    int *corner;    // [ncell][8]: nodes, x fastest; where the grid is one cell thick, both sides
                    // are one: nothing varies across it
    int distinct[8], ndistinct; // the corners of a cell that are not so repeated
    int *start;                 // n + 1, into around
    int *around;   // distinct corners at each node: 8 c + k is corner k of filled cell c
    swReal *young; // of each filled cell: the harmonic mean over its material [Pa]; NULL: alike
    swPool *pool;  // asked whether to go on where that takes long; NULL: nobody is
} swLattice;

bool sw_lattice_create(const swGrid *grid, swArena *arena, swLattice *lattice, swError *error);
// Fills corner[ncell][8] as if a single layer of cells had two sides, which are the lattice's own
// corners where no layer is single; returns how many there are.
int sw_lattice_corners(const swLattice *lattice, int *corner);
// The material falls into *count pieces without connection: that of each node, or NULL.
int *sw_lattice_pieces(const swLattice *lattice, swArena *arena, int *count, swError *error);
// The filled cell that holds p, or the nearest one within `reach` cells; -1 when there is none.
int sw_lattice_find(const swLattice *lattice, swVec3 p, int reach);
// The point of filled cell c nearest to p.
swVec3 sw_lattice_clamp(const swLattice *lattice, int c, swVec3 p);
// Trilinear shape functions of the eight corners of filled cell c at p, and their gradients (may be
// NULL).
void sw_lattice_shape(const swLattice *lattice, int c, swVec3 p, swReal N[8], swReal dN[8][3]);
