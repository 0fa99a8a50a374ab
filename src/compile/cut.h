// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What is cut out of bodies at a time, see docs/fracture.md.
#pragma once

#include "compile/build.h"
#include "volume/voxelize.h"

typedef SW_LIST(swPaint) swPaintList;

// Cuts up to the builder's time: adds holes to what is painted (body->ncut of them) and, once there
// are voxels, takes away crumbs: pieces smaller than a voxel.
bool sw_cut_paint(swBuilder *b, swBodyBuild *body, swReal h, swPaintList *list, swError *error);
bool sw_cut_crumbs(swBuilder *b, swBodyBuild *body, swError *error);
// Voxels at which pieces without a frame get one: one of each such piece, in `voxel`, which has
// room for all pieces. Frames are the first n sites. -1 without memory.
int sw_cut_lonely(const swBodyBuild *body, int n, swArena *arena, int *voxel, swError *error);
// When a body of the scene is cut next after t [s], or infinity.
swReal sw_cut_next(const swScene *scene, swReal t);
