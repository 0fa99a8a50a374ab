// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A glTF 2.0 document in memory, and how it is written as a .glb file. Its parts are plain structs
// that refer to each other by their index in the file; each accessor has a buffer view of its own.
// A document may extend another file, whose nodes, accessors, views and data come first. Internal
// to the glTF writers, whose interfaces are gltf_write.h and character.h.
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
    size_t size;     // in bytes
    int component;   // SW_GLTF_UBYTE ... SW_GLTF_FLOAT
    int width;       // components per item: 1, 3, 4 or 16
    int64_t count;   // number of items
    int target;      // SW_GLTF_VERTICES, SW_GLTF_INDICES or 0
    bool has_bounds; // floats only, with at most three components
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
    int child, nchild; // first child, and number of children, which are consecutive
    bool root;         // a root of the scene
    bool has[3];       // which of translation, rotation and scale are given
    float value[3][4];
} swGltfNode;

typedef struct swGltfMesh {
    const char *name;
    int position, normal, indices, material; // normal: or -1
    int set, nset;                           // accessors joints, weights, joints, ...; nset pairs
    int morph, nmorph; // accessors position, normal, position, ...; nmorph pairs
} swGltfMesh;

typedef struct swGltfSkin {
    const char *name;
    int root, inverse_bind;
    int *joint, njoint;
} swGltfSkin;

typedef struct swGltfMaterial {
    const char *name;
    double color[3]; // linear RGB
    double roughness;
} swGltfMaterial;

typedef struct swGltfChannel {
    int node, path, output;
} swGltfChannel;

// The file that a document extends: the indices of the document's own first node, accessor and
// view.
typedef struct swGltfBase {
    int node, accessor, view;
    swGltfNode *nodes; // of the other file: new translations, rotations and scales
} swGltfBase;

typedef struct swGltf {
    swArena arena;
    swError *error;
    swGltfBase base;
    size_t size;    // of the binary part [bytes]
    bool too_large; // a number exceeded single precision
    int time;       // accessor of the times of the keys, if there are channels
    int nkey;
    SW_LIST(swGltfAccessor) accessors;
    SW_LIST(swGltfNode) nodes;
    SW_LIST(swGltfMesh) meshes;
    SW_LIST(swGltfSkin) skins;
    SW_LIST(swGltfMaterial) materials;
    SW_LIST(swGltfChannel) channels;
} swGltf;

static inline size_t sw_gltf_padded(size_t size) { return (size + 3) / 4 * 4; }
// Converts numbers to single precision, and remembers in `too_large` if one does not fit.
float sw_gltf_float(swGltf *g, double value);
void sw_gltf_put(swGltf *g, float out[3], swVec3 v);
// Checks that `count` more items of this size [bytes] fit into the file; fails with an error if
// not.
bool sw_gltf_has_room(const swGltf *g, int64_t count, size_t item);
// Adds an accessor and returns its data, zeroed, for the caller to fill in, or NULL. sw_gltf_last()
// is its index.
void *sw_gltf_add(swGltf *g, int component, int width, int64_t count, int target);
static inline int sw_gltf_last(const swGltf *g) {
    return g->base.accessor + g->accessors.count - 1;
}
static inline swGltfAccessor *sw_gltf_at(const swGltf *g, int accessor) {
    return &g->accessors.item[accessor - g->base.accessor];
}
void sw_gltf_bound(swGltf *g, int accessor); // computes the bounds of the data
// Adds `count` empty nodes. Returns the first, or -1.
int sw_gltf_nodes(swGltf *g, int count);
static inline swGltfNode *sw_gltf_node(const swGltf *g, int node) {
    return node < g->base.node ? &g->base.nodes[node] : &g->nodes.item[node - g->base.node];
}
// Formats a name in the document's memory. NULL if memory runs out.
const char *sw_gltf_name(swGltf *g, const char *format, ...) SW_PRINTF(2, 3);
// Adds a mesh with these vertices, unit normals (or NULL) and triangles. Returns its index, or -1.
int sw_gltf_mesh(swGltf *g, const char *name, const swSurface *surface, const swVec3 *normal,
                 int material);
// Sets the values of a node at rest and at the keys, (1 + nkey) x 3 or 4 numbers. Adds a channel if
// they change.
bool sw_gltf_animate(swGltf *g, int node, swGltfPath path, const float *value);
// Adds the times of the keys. Times that are equal in single precision are moved apart, as they
// must increase.
bool sw_gltf_add_times(swGltf *g, const swReal *t);
bool sw_gltf_save(swGltf *g, const char *path);

// ---- writing ----
// A .glb file consists of a header, the text and the data: call begin, write the text, call end.
// sw_gltf_end() fills in the lengths and renames the file; it calls `before` to write the data of
// the other file.
bool sw_gltf_begin(swGltf *g, const char *path, swFile *file);
bool sw_gltf_end(swGltf *g, swFile *file, void (*before)(swFile *file, void *context),
                 void *context);
// Write the document's own items of lists, after those of the other file.
void sw_gltf_put_nodes(swJsonWriter *w, const swGltf *g);
void sw_gltf_put_samplers(swJsonWriter *w, const swGltf *g);
void sw_gltf_put_channels(swJsonWriter *w, const swGltf *g, int first_sampler);
void sw_gltf_put_accessors(swJsonWriter *w, const swGltf *g);
void sw_gltf_put_views(swJsonWriter *w, const swGltf *g);
// Writes the translation, rotation and scale of a node, if given.
void sw_gltf_put_pose(swJsonWriter *w, const swGltfNode *node);

// ---- parts of a scene ----
// The number of nested nodes for a frame: one for a rigid or point frame, three for an affine one.
// The innermost is the joint.
int sw_gltf_joint_depth(const swNode *frame);
// The transform that node matrices give to a frame, for positions relative to its origin at rest.
// Point frames do not rotate.
swAffine sw_gltf_frame_place(const swNode *frame, const swReal *q);
const char *sw_gltf_frame_name(swGltf *g, const char *body, const swBodyModel *m,
                               const swNode *frame);
// Names and animates nodes whose transform is given at rest and at the keys (1 + nkey): `outer` and
// the two nested nodes from `inner` on; or `outer` alone (inner < 0), if the transform has no
// shear. `name` is NULL for a node of the other file.
bool sw_gltf_animate_joint(swGltf *g, const char *name, const swAffine *track, int outer,
                           int inner);
// Whether a skin with the frames of a body as joints can represent the motion of a part of it; if
// not, `reason` says why.
bool sw_gltf_can_skin(const swBodyModel *m, const swPartInfo *part, const char **reason);
// Sets of joints and weights for some vertices: accessors joints, weights, joints, ...
typedef struct swGltfSets {
    int body;
    int nvertex, first; // vertex v is the embedded point `first` + v,
    const int *point;   // or `first` + point[v] if `point` is given; < 0: no influences
    const int *joint;   // per frame of the body: its joint in the skin; NULL: its own index
    int njoint;
    const swReal *pose; // [npose][nq]: other poses for the joints to fit, with less weight
    int npose;
    int set, nset; // results: the first accessor, and the number of sets
} swGltfSets;
bool sw_gltf_add_sets(swGltf *g, const swBodyModel *m, const swBodyClip *clip, swGltfSets *sets,
                      int max_influences, swGltfReport *report);
void sw_gltf_put_influence(const swGltf *g, const swGltfSets *sets, int vertex, int place,
                           int joint, float weight);
// Adds the joints and the skin of a body. Returns the index of the skin, or -1.
int sw_gltf_add_skin(swGltf *g, const char *body, const swBodyModel *m, const swBodyClip *clip);
// Adds a collider as a mesh of its own, which moves as in the clip. Planes cover the scene's
// bounds.
bool sw_gltf_add_collider(swGltf *g, const swClip *clip, int index, swVec3 lo, swVec3 hi,
                          int material);
