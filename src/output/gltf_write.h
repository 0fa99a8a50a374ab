// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Writes motion as an animated glTF 2.0 file (.glb), for any viewer.
//
// A body becomes a mesh with a skin whose joints are the body's frames: exact at the keys, and
// small. Weights are in descending order, so that a viewer that reads only four of them reads the
// largest. If a skin cannot represent the motion (quadratic frames, or weights that are negative or
// do not sum to one), the body gets one morph target per key instead. A body with surfaces of its
// materials becomes one mesh for each of them. Colliders are meshes too.
#pragma once

#include "output/clip.h"

typedef struct swGltfOptions {
    int max_influences; // most joints per vertex, with weights fitted to the motion; 0: all
    bool keep_weights;  // characters: keep the file's weights, and animate only simulated bones
} swGltfOptions;

typedef struct swGltfReport {
    int skinned, morphed;     // number of bodies
    int max_influences_found; // most joints of any vertex, before the limit
    swReal largest_error;     // due to the limit: distance over the diagonal of the body at rest
} swGltfReport;

// `options` and `report` may be NULL. Times in the file start at zero.
bool sw_gltf_write(const swModel *model, const swClip *clip, const char *path,
                   const swGltfOptions *options, swGltfReport *report, swError *error);
