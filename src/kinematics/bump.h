// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A frame that is inserted into a moving body adds to the motion of the others:
//   x(p) = sum_i w_i(p) A_i m_i(p) + phi(p) B m(p - rest),
// B being 3 x 4 and zero when it comes. So nothing jumps, and nothing changes for the others: their
// weights, their mass and their stiffness stay, only new columns come. phi is the bump: 1 at the
// centre, falling as (1 - (d/range)^2)^2 with the distance d, 0 from the range on, and times what
// handles leave of a point, which stay rigid; known at the nodes of the body's lattice and
// trilinear between them. All indices here are those of the model that has the bed.
#pragma once

#include "kinematics/bed.h"

struct swBump {
    swArena arena; // holds it
    int body;
    swVec3 rest;
    swReal range;
    int distance; // swDistance
    int nnode;    // of the lattice, ascending, where phi is not zero
    int *node;
    swReal *value;
    int nblock; // of samples, ascending: [block][4][SW_LANES], phi and its gradient
    int *block;
    swReal *sample;
    int npoints; // integration points inside
    int npoint;  // embedded points, ascending
    int *point;
    swReal *point_value;
    int nvoxel; // of the bed, ascending: phi and its gradient
    int *voxel;
    swReal (*voxel_value)[4];
    swReal *mass; // with each node of the body, one after another: 4 x d integrals of rho phi m w m
    bool *met;    // whether a node of the body has mass in common with it
    swReal own[16];             // integrals of rho phi m phi m
    swReal weight[4], load[12]; // of gravity and dead loads, as those of a model
};

// NULL with `error` filled where a frame can not be inserted there.
swBump *sw_bump_create(const swBodyModel *model, const swInsertInfo *insert, swError *error);
void sw_bump_destroy(swBump *bump); // NULL is fine
// phi at a node of the lattice.
swReal sw_bump_at_node(const swBump *bump, int node);
// Integrals of rho phi_a m_a phi_b m_b, 4 x 4. False: they have no voxel in common.
bool sw_bump_cross(const swBodyModel *model, const swBump *a, const swBump *b, swReal mass[16]);
// Columns phi m(p - rest) of a point and their gradients, from phi and its gradient.
void sw_bump_columns(const swBump *bump, swVec3 p, const swReal phi[4], swReal N[4],
                     swReal G[4][3]);
