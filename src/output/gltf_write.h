// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Motion as an animated glTF 2.0 file (.glb), for any viewer.
//
// A body is a mesh with a skin, its frames are the joints: exact at the keys, and small. Weights
// come in descending order, so a viewer that reads only four of them reads the largest. Where a
// skin cannot say the motion (quadratic frames, weights that are negative or do not sum up to one),
// the body has a morph target per key instead. A body whose materials have surfaces is a mesh for
// each of them. Colliders are meshes too.
#pragma once

#include "output/clip.h"

typedef struct swGltfOptions {
    int max_influences; // frames that move a vertex, at most, with weights that fit the motion;
                        // 0: all
    bool keep_weights;  // of characters: only bones that are simulated move anew
} swGltfOptions;

typedef struct swGltfReport {
    int skinned, morphed;     // bodies
    int max_influences_found; // on any vertex of a skin, before the limit
    swReal largest_error;     // made by the limit: distance over the diagonal of the body at rest
} swGltfReport;

// `options` and `report` may be NULL. Times in the file start at zero.
bool sw_gltf_write(const swModel *model, const swClip *clip, const char *path,
                   const swGltfOptions *options, swGltfReport *report, swError *error);
