// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the glTF readers share: an open file, values of its JSON text, and the items of its
// accessors. Errors give a line of the JSON text.
#pragma once

#include "core/json.h"
#include "formats/mesh_read.h"
#include "formats/rig.h"

typedef struct swGltfBuffer {
    const char *data; // NULL: not loaded
    size_t size;
} swGltfBuffer;

// The items of an accessor.
typedef struct swGltfItems {
    const char *data;
    int64_t count, stride;
    int type, size; // of its components
    bool normalized;
} swGltfItems;

typedef struct swGltfFile {
    const swMeshFile *file;
    const swJson *root;
    const char *bin; // binary chunk of a .glb
    size_t nbin, loaded;
    swGltfBuffer *buffer; // per buffer
    swArena *arena;
    swError *error;
} swGltfFile;

// Checks the version and the extensions. The file's data must outlive `gltf`.
bool sw_gltf_open(swGltfFile *gltf, const swMeshFile *file, swArena *arena, swError *error);

// "<what>: expected <expected>"
bool sw_gltf_refuse(swGltfFile *gltf, const swJson *at, const char *what, const char *expected);
int sw_gltf_count(const swGltfFile *gltf, const char *list); // number of items in a top-level list
// Reads an integer of at least 0. If the key is missing, the value is `absent`; a negative `absent`
// means that the key is required.
bool sw_gltf_whole(swGltfFile *gltf, const swJson *owner, const char *key, int64_t absent,
                   int64_t *value);
// Reads n numbers. v keeps its values if the key is missing.
bool sw_gltf_numbers(swGltfFile *gltf, const swJson *owner, const char *key, int n, double *v);
// The item of the top-level `list` whose index is owner[key], or NULL with the error filled in.
const swJson *sw_gltf_item(swGltfFile *gltf, const swJson *owner, const char *key,
                           const char *list);
int sw_gltf_index(const swGltfFile *gltf, const swJson *item, const char *list);
// Sets `list` to owner[key], a list of node indices. Returns its length, or -1 with the error
// filled in.
int sw_gltf_nodes_of(swGltfFile *gltf, const swJson *owner, const char *key, const swJson **list);
const char *sw_gltf_text(const swJson *owner, const char *key); // or ""

// Loads the data of a URI: a file beside this one, or base64 data.
bool sw_gltf_load(swGltfFile *gltf, const swJson *uri, swGltfBuffer *buffer);
// Loads a buffer, once. NULL with the error filled in on failure.
const swGltfBuffer *sw_gltf_buffer(swGltfFile *gltf, const swJson *json);

bool sw_gltf_accessor(swGltfFile *gltf, const swJson *json, const char *type, int components,
                      swGltfItems *items);
enum { SW_GLTF_SETS = 8 };                // most sets of four joints that a vertex can have
swAffine sw_gltf_affine(const double *m); // from 16 numbers, column by column
double sw_gltf_component(const swGltfItems *items, int64_t item, int k);

// Reads the scene's nodes and meshes as a rig without clips. Names point into the file's text.
bool sw_gltf_scene(swGltfFile *gltf, swRig *rig);
