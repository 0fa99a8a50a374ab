// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A solid as voxels. A voxel is the part of one grid cell filled with one material
// (of one label, where it comes from an image): its volume,
// centroid and second moments are those of the filled part, so integrals are right at any
// resolution and alignment.
#pragma once

#include "core/core.h"
#include "math/vec.h"
#include "sinew/scene.h"

typedef struct swVoxel {
    int cell;     // index into the grid: x + nx (y + ny z)
    int material; // index given by the caller's material names
    swReal volume;
    swVec3 centroid;
    swVec3 second; // mean of (p - centroid)^2 per axis over the filled part [m^2]
    swVec3 mixed;  // the same of the products y z, z x, x y
    swVec3 lo, hi; // bounds of the filled part
    // Of the filled part, relative to its material: Young's modulus (the harmonic mean, so that
    // soft is never lost in stiff) and density. 1 unless a grey image says otherwise.
    swReal stiffness, density;
    int label; // of the image it comes from, or SW_NO_LABEL
    int owner; // what carries it rigidly, or -1: the caller's to set
    int stuff; // the material whose law it follows: its own, or a softer one of its cell
} swVoxel;
enum { SW_NO_LABEL = INT32_MIN };

enum { SW_OPEN_X = 1, SW_OPEN_Y = 2, SW_OPEN_Z = 4 };

typedef struct swGrid {
    swVec3 origin; // corner of cell 0
    swReal h;      // edge of a cell
    int n[3];
    int nvoxel;
    swVoxel *voxel;      // sorted by cell, then material, then label
    int *first;          // ncell + 1: voxels of cell c are first[c] .. first[c+1]-1
    unsigned char *open; // per cell: SW_OPEN_X: material crosses the face towards +x, and so on:
                         // who is connected
    swVec3 lo, hi;       // bounds of the material
    swReal volume;
} swGrid;

// The cell that holds p, clamped to the grid. A point on a face between cells is in the one nearer
// the middle of the grid, whichever way rounding goes, so that mirror images of points are in
// mirror images of cells.
static inline int sw_grid_cell(const swGrid *g, swVec3 p) {
    static const swReal on_face = 1e-9;
    int i[3];
    for (int k = 0; k < 3; k++) {
        const swReal t = (sw_get(p, k) - sw_get(g->origin, k)) / g->h,
                     inward = t < 0.5 * g->n[k] ? on_face : -on_face, cell = floor(t + inward);
        i[k] = cell <= 0 ? 0 : cell >= g->n[k] - 1 ? g->n[k] - 1 : (int)cell;
    }
    return i[0] + g->n[0] * (i[1] + g->n[1] * i[2]);
}

// Corner k of a cell: bits 0, 1, 2 of k are its sides along x, y, z.
static inline swVec3 sw_grid_corner(const swGrid *g, int cell, int k) {
    int x = cell % g->n[0], y = cell / g->n[0] % g->n[1], z = cell / g->n[0] / g->n[1];
    return sw_v3(g->origin.x + g->h * (x + (k & 1)), g->origin.y + g->h * (y + (k >> 1 & 1)),
                 g->origin.z + g->h * (z + (k >> 2)));
}

// How far p is from voxels of this owner, `reach` at most; where it is in one, less how far it is
// from those of others.
swReal sw_grid_distance(const swGrid *g, int owner, swVec3 p, swReal reach);
// Eight points, of equal volumes, that have the centroid and all second moments of a voxel.
void sw_voxel_points(const swVoxel *voxel, swVec3 point[8]);

// Splits voxels at planes across `axis` (0, 1, 2) at ascending coordinates, as if their material
// were even along it: what is integrated over voxels may have kinks there. Volumes and moments are
// kept.
bool sw_grid_split(swGrid *grid, int axis, int nplane, const swReal *plane, swArena *arena,
                   swError *error);
