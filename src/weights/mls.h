// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Moving least squares on scattered nodes: the field at p is that of the linear function
// [1, x, y, z] . a which fits the values at the nodes best, each node I counting with
//   w_I(p) = 1 - 6 r^2 + 8 r^3 - 3 r^4,  r = |p - X_I| / h_I < 1,
// so that u(p) = sum phi_I(p) u_I with shape functions that reproduce every affine field. Values at
// nodes are not interpolated.
//
// Only nodes count that are reached from p through the material within the ball they are looked
// for in: nothing acts across a gap.
#pragma once

#include "volume/lattice.h"

typedef struct swMls {
    const swLattice *lattice;
    int n;
    const swVec3 *X;
    swReal *h;   // radius of support of each node [m]
    swReal most; // the largest of them
    int *home;   // filled cell of each node
    int *first;  // ncell + 1: the nodes of filled cell c are item[first[c]] ..
    int *item;
} swMls;

enum { SW_MLS_MAX = 128 }; // nodes that count at a point, at most

// Where one thread looks for nodes.
typedef struct swMlsSearch {
    const swMls *mls;
    int turn;
    int *seen;  // per filled cell: turn in which it was met
    int *queue; // filled cells
} swMlsSearch;

// The shape functions that are not zero at a point.
typedef struct swMlsShape {
    int n;
    int node[SW_MLS_MAX];
    swReal phi[SW_MLS_MAX];
    swReal gradient[SW_MLS_MAX][3];
} swMlsShape;

// Radii are such that `neighbours` nodes lie within two thirds of each: they adapt to how dense
// nodes are. `home`: filled cell of each node, kept.
bool sw_mls_create(swMls *mls, const swLattice *lattice, int n, const swVec3 *X, int *home,
                   int neighbours, swArena *arena, swError *error);
bool sw_mls_search_create(swMlsSearch *search, const swMls *mls, swArena *arena, swError *error);
// Makes supports larger, in turn, until enough nodes count at every one of these points (each in
// filled cell cell[i]). False where there are too few nodes in a part of the material.
bool sw_mls_cover(swMls *mls, swMlsSearch *search, int npoint, const swVec3 *p, const int *cell);
// At p in filled cell c (or near it). With too few nodes around, or all in a plane, the field is
// taken to be constant across it. `gradient`: whether gradients are wanted too. False where no node
// counts at p.
bool sw_mls_shape(swMlsSearch *search, swVec3 p, int c, bool gradient, swMlsShape *shape);
