// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What frames lack, computed: bricks that know the true body and its materials say how it moves,
// with least energy, where the frames move by given amounts.
//
// phi_j are the motions of the free frames, B the integrals of rho N phi, K the bricks' stiffness.
// psi = K^-1 B (B^T K^-1 B)^-1 M is the fine motion of least energy that has the moments of phi
// (M their integrals of rho phi phi). W = strain of psi - strain of phi is what the frames lack. Of
// all that, modes are kept: those that matter most to the energy of the softest motions, as strains
//   G_m = strain of u_m - strain of sum_j c_mj phi_j,
// u_m a field on the bricks. As displacements they have no moments against the frames, and unit
// mass. What moves otherwise, as handles do, has motions of its own: u follows where it holds the
// body, and the skin has the moments of u. So have the answers to loads, and, where frames cannot
// stretch, those to uniform stresses.
#pragma once

#include "volume/bricks.h"

// Something rigid that holds the body and may move: faces of the bricks, and four columns of the
// skin, its weight and that times X - origin.
typedef struct swDriver {
    int face, nface, column;
    swVec3 origin;
} swDriver;

// What one node can do: its columns from `column` on move along f.
typedef struct swSkinMotion {
    int column, n;
    swVec3 f[4];
} swSkinMotion;

// One of the six motions of a rigid node, whose four columns begin at `column`: along an axis, or
// about it.
static inline swSkinMotion sw_skin_rigid(int column, int k) {
    const swVec3 axis = {k % 3 == 0, k % 3 == 1, k % 3 == 2}, zero = {0, 0, 0};
    if (k < 3)
        return (swSkinMotion){column, 1, {axis}};
    return (swSkinMotion){column,
                          4,
                          {zero, sw_cross(axis, sw_v3(1, 0, 0)), sw_cross(axis, sw_v3(0, 1, 0)),
                           sw_cross(axis, sw_v3(0, 0, 1))}};
}

// The skin at a point of a voxel: values N and gradients G of `ncolumn` scalar columns. The first
// `nfree` are those of free frames, which have `motion`; those of drivers end at `nmoving`.
typedef struct swSkin {
    int ncolumn, nfree, nmoving;
    int nmotion;
    const swSkinMotion *motion;
    bool rigid; // frames cannot stretch
    int ndriver;
    const swDriver *driver;
    int nload;
    const swReal *load; // [nload][3 nnode]: forces on the bricks that the body will have to answer
    void (*begin)(void *context, int voxel); // points of this voxel follow
    void (*at)(void *context, swVec3 p, swReal *N, swReal (*G)[3]);
    void *context;
} swSkin;

typedef struct swCorrectors {
    int n, nfirst;           // modes; those of second order come last, and are strains alone
    swReal *mass;            // [nmoving][nmoving]: of columns
    swReal *u;               // [n][3 nnode]
    swReal *c;               // [n][nmoving][3]
    swReal *share;           // [n - nfirst][pairs]: and of what the motions of `second` lack
    swReal *answer;          // [nload][motions of frames, modes]: to loads, about
    int nsoft;               // motions of which the share is
    swReal *soft_u, *soft_c; // [nsoft][3 nnode], [nsoft][nmoving][3]: of these
} swCorrectors;

// Integral of rho phi phi for two motions, `mass` being that of `ncolumn` columns.
swReal sw_skin_mass(const swSkinMotion *a, const swSkinMotion *b, const swReal *mass, int ncolumn);
// Strains of second order are those of all pairs of the softest motions.
enum { SW_SOFT_MOTIONS = 3, SW_SECOND_MODES = SW_SOFT_MOTIONS * (SW_SOFT_MOTIONS + 1) / 2 };
// At most `count` modes, and SW_SECOND_MODES for strains of second order; the matrix is factored,
// with springs of `ground`.
bool sw_correctors_create(const swBricks *bricks, const swBrickStuff *stuff,
                          const swBrickMatrix *matrix, swReal ground, const swSkin *skin, int count,
                          swPool *pool, swArena *arena, swCorrectors *out, swError *error);
