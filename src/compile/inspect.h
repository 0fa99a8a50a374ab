// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// One body of a scene laid open: compiled as far as a question needs, by the stages that every
// compile goes through, and kept, to be asked at points of its rest shape.
#pragma once

#include "compile/build.h"

typedef enum swInspectDepth {
    SW_INSPECT_VOLUME,  // voxels, lattice, surface
    SW_INSPECT_WEIGHTS, // and sites, weights
    SW_INSPECT_SAMPLES  // and regions, integration points
} swInspectDepth;

typedef struct swInspect {
    swConfig config; // the scene's, but silent
    swBuilder builder;
    swBody def; // of the body
    swBodyBuild body;
    int nregion, npoint; // of integration
    swVec3 *point;
    swReal *volume; // of each point
} swInspect;

// The body of this index. The result must not be moved; sw_inspect_free in any case.
bool sw_inspect_create(swInspect *inspect, const swScene *scene, int body, swInspectDepth depth,
                       swError *error);
void sw_inspect_free(swInspect *inspect);

// The name of a handle, or `number` with that of a frame.
const char *sw_inspect_site_name(const swInspect *inspect, int site, char number[16]);
// The filled cell where p is inside the body, to the precision of its shapes; -1 outside.
int sw_inspect_cell(const swInspect *inspect, swVec3 p);
// The voxel of a filled cell that p is in.
int sw_inspect_voxel(const swInspect *inspect, int cell, swVec3 p);
swReal sw_inspect_young(const swInspect *inspect, int voxel); // [Pa]
// w[n][nsite] at points in filled cells, as they are integrated: one in what a site carries
// rigidly. `dw` is scratch of three times that size.
void sw_inspect_weights(const swInspect *inspect, int n, const swVec3 *p, const int *cell,
                        swReal *w, swReal *dw);
// To the nearest frame or handle, for each node of the lattice, measured as the weights do;
// INFINITY where there is none in the same part of the body.
bool sw_inspect_distance(swInspect *inspect, const swReal **distance, swError *error);
