// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A glTF 2.0 document in memory, and its writing as one .glb file. The parts are plain structs that
// refer to each other by their number in the file; an accessor has a buffer view of its own. A
// document may go on from another file, whose nodes, accessors, views and data come first. Inside
// the glTF writers alone: gltf_write.h and character.h are the ways in.
#pragma once

#include "core/json.h"
#include "geometry/surface.h"
#include "output/gltf_write.h"

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

// What a document goes on from: the numbers are those of its own first node, accessor and view.
typedef struct swGltfBase {
    int node, accessor, view;
    swGltfNode *nodes; // of the other file: what is to replace their translation, rotation, scale
} swGltfBase;

typedef struct swGltf {
    swArena arena;
    swError *error;
    swGltfBase base;
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

static inline size_t sw_gltf_padded(size_t size) { return (size + 3) / 4 * 4; }
// Numbers in single precision; what does not fit is remembered.
float sw_gltf_float(swGltf *g, double value);
void sw_gltf_put(swGltf *g, float out[3], swVec3 v);
// Whether `count` items of so many bytes still fit the file; fails with an error where not.
bool sw_gltf_has_room(const swGltf *g, int64_t count, size_t item);
// Adds an accessor and returns its zeroed data to be filled, or NULL. Its index is the last one.
void *sw_gltf_add(swGltf *g, int component, int width, int64_t count, int target);
static inline int sw_gltf_last(const swGltf *g) {
    return g->base.accessor + g->accessors.count - 1;
}
static inline swGltfAccessor *sw_gltf_at(const swGltf *g, int accessor) {
    return &g->accessors.item[accessor - g->base.accessor];
}
void sw_gltf_bound(swGltf *g, int accessor); // sets the bounds from the data
// Adds `count` nodes with nothing set and returns the first, or -1.
int sw_gltf_nodes(swGltf *g, int count);
static inline swGltfNode *sw_gltf_node(const swGltf *g, int node) {
    return node < g->base.node ? &g->base.nodes[node] : &g->nodes.item[node - g->base.node];
}
// "a/b" with what follows `format`, in the document's memory, or NULL.
const char *sw_gltf_name(swGltf *g, const char *format, ...) SW_PRINTF(2, 3);
// Vertices with unit normals (given, or NULL) and triangles as a new mesh; its index, or -1.
int sw_gltf_mesh(swGltf *g, const char *name, const swSurface *surface, const swVec3 *normal,
                 int material);
// A node's values at rest and over the keys ((1 + nkey) x 3 or 4): a channel where they change.
bool sw_gltf_animate(swGltf *g, int node, swGltfPath path, const float *value);
// Times of the keys; those too near for single precision are moved apart: they must increase.
bool sw_gltf_add_times(swGltf *g, const swReal *t);
bool sw_gltf_save(swGltf *g, const char *path);

// ---- writing ----
// A .glb file is a header, the text, the data: begin, the text, end. `end` fills in the lengths and
// renames the file; `before` is called for the data of the other file.
bool sw_gltf_begin(swGltf *g, const char *path, swFile *file);
bool sw_gltf_end(swGltf *g, swFile *file, void (*before)(swFile *file, void *context),
                 void *context);
// Items of lists, after those of the other file.
void sw_gltf_put_nodes(swJsonWriter *w, const swGltf *g);
void sw_gltf_put_samplers(swJsonWriter *w, const swGltf *g);
void sw_gltf_put_channels(swJsonWriter *w, const swGltf *g, int first_sampler);
void sw_gltf_put_accessors(swJsonWriter *w, const swGltf *g);
void sw_gltf_put_views(swJsonWriter *w, const swGltf *g);
// Translation, rotation and scale of a node, as far as it has them.
void sw_gltf_put_pose(swJsonWriter *w, const swGltfNode *node);

// ---- parts of a scene ----
// Nodes that carry a frame: one for a rigid or point frame, three inside each other for an affine
// one. The innermost is the joint.
int sw_gltf_joint_depth(const swNode *frame);
// Where node matrices put what is at rest at the frame's origin; point frames do not turn.
swAffine sw_gltf_frame_place(const swNode *frame, const swReal *q);
const char *sw_gltf_frame_name(swGltf *g, const char *body, const swBodyModel *m,
                               const swNode *frame);
// Names and animates nodes whose transform is given at rest and over the keys (1 + nkey): `outer`
// and two inside each other from `inner` on; or `outer` alone (inner < 0), whose transform has no
// shear. `name` is NULL for a node of the other file.
bool sw_gltf_animate_joint(swGltf *g, const char *name, const swAffine *track, int outer,
                           int inner);
// Whether the frames of a body as joints can say the motion of a part of it, else why not.
bool sw_gltf_can_skin(const swBodyModel *m, const swPartInfo *part, const char **reason);
// Sets of joints and weights of some vertices: accessors joints, weights, joints, ...
typedef struct swGltfSets {
    int body;
    int nvertex, first; // vertex v is embedded point `first` + v,
    const int *point;   // or that of number `first` + point[v]; < 0: left empty
    const int *joint;   // per frame of the body: its joint in the skin; NULL: its own number
    int njoint;
    const swReal *pose; // [npose][nq]: other poses that the joints will take, which count less
    int npose;
    int set, nset; // filled: the first accessor
} swGltfSets;
bool sw_gltf_add_sets(swGltf *g, const swBodyModel *m, const swBodyClip *clip, swGltfSets *sets,
                      int max_influences, swGltfReport *report);
void sw_gltf_put_influence(const swGltf *g, const swGltfSets *sets, int vertex, int place,
                           int joint, float weight);
// Joints and skin of a body: the skin's index, or -1.
int sw_gltf_add_skin(swGltf *g, const char *body, const swBodyModel *m, const swBodyClip *clip);
// A collider as a mesh of its own, moved as in the clip; planes cover the scene's bounds.
bool sw_gltf_add_collider(swGltf *g, const swClip *clip, int index, swVec3 lo, swVec3 hi,
                          int material);
