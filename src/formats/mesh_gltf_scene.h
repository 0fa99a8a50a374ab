// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The scene of a glTF file while it becomes a rig. Internal to the reader.
#pragma once

#include "formats/mesh_gltf.h"

// The triangles of a primitive, loaded once for all nodes that show its mesh.
typedef struct swGltfPrimitive {
    const swJson *json;
    int corner, ncorner; // range in the scene's `corner`
    int first, count;    // its stored positions, a range of `stored`
    int position;        // accessor of the positions
} swGltfPrimitive;

typedef struct swGltfRange {
    bool loaded;
    int first, count; // range of its primitives
} swGltfRange;

typedef struct swGltfScene {
    swGltfFile *file;
    swRig *rig;
    swAffine *place;   // per node of the rig: its transform in the default pose
    int *node_of;      // per node of the file: its index in the rig
    bool *shown;       // per node of the file: whether the scene includes it
    int *positions;    // per accessor: 1 + its first position in `stored`; 0: not loaded
    swGltfRange *mesh; // per mesh
    int *bind_of;      // per skin: 1 + its first bind; 0: not loaded
    SW_LIST(swGltfPrimitive) primitive;
    SW_LIST(swVec3) stored;
    SW_LIST(int) corner; // of triangles: indices into `stored`
    SW_LIST(swRigBind) bind;
    SW_LIST(swRigPart) part;
    SW_LIST(int) start;
    SW_LIST(swRigInfluence) influence;
    SW_LIST(swVec3) X;
    SW_LIST(int) triangle;
} swGltfScene;

bool sw_gltf_place_nodes(swGltfScene *scene);

// Loads the binds of a skin. Returns the first one, or -1 with the error filled in.
int sw_gltf_load_skin(swGltfScene *scene, const swJson *skin, int *njoint);
// Whether in the default pose the skin moves its mesh as a whole, by `place`.
bool sw_gltf_skin_is_rigid(const swGltfScene *scene, int bind, int njoint, swAffine *place);
typedef struct swGltfWeights {
    int nset, bind, njoint;
    swGltfItems joint[SW_GLTF_SETS], weight[SW_GLTF_SETS];
} swGltfWeights;
// Opens the joints and weights of a primitive.
bool sw_gltf_open_weights(swGltfScene *scene, const swGltfPrimitive *primitive, int bind,
                          int njoint, swGltfWeights *weights);
// Appends the influences on a stored position, largest weight first.
bool sw_gltf_add_influences(swGltfScene *scene, const swGltfWeights *weights, int64_t position);
