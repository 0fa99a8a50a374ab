// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A glTF 2.0 document in memory, and its writing as one .glb file. The parts are plain structs that
// refer to each other by index, as in the file; an accessor has a buffer view of its own, of the
// same index. Inside the glTF writer alone: gltf_write.h is the way in.
#pragma once

#include "geometry/surface.h"
#include "io/gltf_write.h"

enum {
    SW_GLTF_UBYTE = 5121,
    SW_GLTF_USHORT = 5123,
    SW_GLTF_UINT = 5125,
    SW_GLTF_FLOAT = 5126,
    SW_GLTF_VERTICES = 34962, // targets of a buffer view
    SW_GLTF_INDICES = 34963
};

typedef struct swGltfAccessor {
    void *data;
    size_t size;     // bytes
    int component;   // SW_GLTF_UBYTE ... SW_GLTF_FLOAT
    int width;       // components per item: 1, 3, 4 or 16
    int64_t count;   // items
    int target;      // SW_GLTF_VERTICES, SW_GLTF_INDICES or 0
    bool has_bounds; // of floats; at most three components
    float lo[3], hi[3];
} swGltfAccessor;

typedef enum swGltfPath {
    SW_GLTF_TRANSLATION,
    SW_GLTF_ROTATION,
    SW_GLTF_SCALE,
    SW_GLTF_WEIGHTS
} swGltfPath;

typedef struct swGltfNode {
    const char *name;
    int mesh, skin;    // or -1
    int child, nchild; // consecutive nodes
    bool root;         // of the scene
    bool has[3];       // translation, rotation, scale
    float value[3][4];
} swGltfNode;

typedef struct swGltfMesh {
    const char *name;
    int position, normal, indices, material; // normal: or -1
    int set, nset;                           // accessors: joints, weights, joints, ...
    int morph, nmorph;                       // accessors: position, normal, position, ...
} swGltfMesh;

typedef struct swGltfSkin {
    const char *name;
    int root, inverse_bind;
    int *joint, njoint;
} swGltfSkin;

typedef struct swGltfMaterial {
    const char *name;
    double color[3]; // linear
    double roughness;
} swGltfMaterial;

typedef struct swGltfChannel {
    int node, path, output;
} swGltfChannel;

typedef struct swGltf {
    swArena arena;
    swError *error;
    size_t size;    // of the binary part
    bool too_large; // a number was beyond single precision
    int time;       // accessor of the keys' times, where there are channels
    int nkey;
    SW_LIST(swGltfAccessor) accessors;
    SW_LIST(swGltfNode) nodes;
    SW_LIST(swGltfMesh) meshes;
    SW_LIST(swGltfSkin) skins;
    SW_LIST(swGltfMaterial) materials;
    SW_LIST(swGltfChannel) channels;
} swGltf;

// Numbers in single precision; what does not fit is remembered.
float sw_gltf_float(swGltf *g, double value);
void sw_gltf_put(swGltf *g, float out[3], swVec3 v);
// Whether `count` items of so many bytes still fit the file; fails with an error where not.
bool sw_gltf_has_room(const swGltf *g, int64_t count, size_t item);
// Adds an accessor and returns its zeroed data to be filled, or NULL. Its index is the last one.
void *sw_gltf_add(swGltf *g, int component, int width, int64_t count, int target);
static inline int sw_gltf_last(const swGltf *g) { return g->accessors.count - 1; }
void sw_gltf_bound(swGltf *g, int accessor); // sets the bounds from the data
// Adds `count` nodes with nothing set and returns the index of the first, or -1.
int sw_gltf_nodes(swGltf *g, int count);
// "a/b" with what follows `format`, in the document's memory, or NULL.
const char *sw_gltf_name(swGltf *g, const char *format, ...) SW_PRINTF(2, 3);
// Vertices with unit normals (given, or NULL) and triangles as a new mesh; its index, or -1.
int sw_gltf_mesh(swGltf *g, const char *name, const swSurface *surface, const swVec3 *normal,
                 int material);
// A node's values over the keys (nkey x 3 or 4): the first one at rest, and a channel if they
// change.
bool sw_gltf_animate(swGltf *g, int node, swGltfPath path, const float *value);
bool sw_gltf_save(swGltf *g, const char *path);

// ---- parts of a scene ----
// Nodes that carry a frame: one for a rigid or point frame, three inside each other for an affine
// one. The innermost is the joint.
int sw_gltf_joint_depth(const swNode *frame);
// Names and animates those nodes: `outer`, then the others from `inner` on.
bool sw_gltf_animate_frame(swGltf *g, const swModel *m, const swClip *clip, const swNode *frame,
                           int outer, int inner);
// Whether the frames of a body as joints can say the motion of a part of it, else why not.
bool sw_gltf_can_skin(const swModel *m, const swPartInfo *part, const char **reason);
// Weights of a part for the mesh that was added last.
bool sw_gltf_add_weights(swGltf *g, const swModel *m, const swClip *clip, const swPartInfo *part,
                         int max_influences, swGltfReport *report);
// Joints and skin of a body: the skin's index, or -1.
int sw_gltf_add_skin(swGltf *g, const swModel *m, const swClip *clip, const swBodyInfo *b);
// A collider as a mesh of its own; planes cover the scene's bounds.
bool sw_gltf_add_collider(swGltf *g, const swColliderInfo *collider, int index, swVec3 lo,
                          swVec3 hi, int material);
