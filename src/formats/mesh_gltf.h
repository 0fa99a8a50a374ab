// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the readers of glTF share: an open file, values of its JSON text, and the items of its
// accessors. Errors carry a line of the JSON text.
#pragma once

#include "core/json.h"
#include "formats/mesh_read.h"
#include "formats/rig.h"

typedef struct swGltfBuffer {
    const char *data; // NULL: not loaded
    size_t size;
} swGltfBuffer;

// An accessor's items.
typedef struct swGltfItems {
    const char *data;
    int64_t count, stride;
    int type, size; // of a component
    bool normalized;
} swGltfItems;

typedef struct swGltfFile {
    const swMeshFile *file;
    const swJson *root;
    const char *bin; // the binary chunk of a .glb
    size_t nbin, loaded;
    swGltfBuffer *buffer; // per buffer
    swArena *arena;
    swError *error;
} swGltfFile;

// Checks version and extensions. The file's data must stay as long as `gltf`.
bool sw_gltf_open(swGltfFile *gltf, const swMeshFile *file, swArena *arena, swError *error);

// "<what>: expected <expected>"
bool sw_gltf_refuse(swGltfFile *gltf, const swJson *at, const char *what, const char *expected);
int sw_gltf_count(const swGltfFile *gltf, const char *list); // items of a top-level list
// A whole number of at least 0; `absent` where the key is missing, unless that is negative.
bool sw_gltf_whole(swGltfFile *gltf, const swJson *owner, const char *key, int64_t absent,
                   int64_t *value);
// n numbers; v keeps its values where the key is missing.
bool sw_gltf_numbers(swGltfFile *gltf, const swJson *owner, const char *key, int n, double *v);
// The item of the top-level `list` that owner[key] numbers, or NULL with the error filled.
const swJson *sw_gltf_item(swGltfFile *gltf, const swJson *owner, const char *key,
                           const char *list);
int sw_gltf_index(const swGltfFile *gltf, const swJson *item, const char *list);
// Fills `list` from owner[key], numbers of nodes; their count, or -1 with the error filled.
int sw_gltf_nodes_of(swGltfFile *gltf, const swJson *owner, const char *key, const swJson **list);
const char *sw_gltf_text(const swJson *owner, const char *key); // or ""

// What a uri stands for: a file beside this one, or base64 data.
bool sw_gltf_load(swGltfFile *gltf, const swJson *uri, swGltfBuffer *buffer);
// Loaded once; NULL with the error filled.
const swGltfBuffer *sw_gltf_buffer(swGltfFile *gltf, const swJson *json);

bool sw_gltf_accessor(swGltfFile *gltf, const swJson *json, const char *type, int components,
                      swGltfItems *items);
enum { SW_GLTF_SETS = 8 };                // of four joints each that a vertex may have
swAffine sw_gltf_affine(const double *m); // 16 numbers, column by column
double sw_gltf_component(const swGltfItems *items, int64_t item, int k);

// The scene's nodes and meshes as a rig without clips; names are texts of the file.
bool sw_gltf_scene(swGltfFile *gltf, swRig *rig);
