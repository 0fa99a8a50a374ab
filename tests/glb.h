// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Reading .glb files back.
#pragma once

#include "test_files.h"

#include "core/core.h"
#include "core/json.h"

typedef struct Glb {
    swArena arena;
    const swJson *json;
    const char *data;
} Glb;

static inline Glb read_glb(const char *name) {
    Glb glb;
    swConfig config = sw_default_config();
    swError error;
    char *bytes;
    size_t size;
    uint32_t head[5], bin[2];
    sw_arena_init(&glb.arena, &config.allocator);
    assert_true(sw_file_read(path_of(name), &glb.arena, &bytes, &size, NULL));
    memcpy(head, bytes, sizeof head);
    assert_memory_equal(bytes, "glTF", 4);
    assert_int_equal(head[1], 2);
    assert_int_equal(head[2], size);
    assert_int_equal(head[3] % 4, 0);
    assert_memory_equal(bytes + 16, "JSON", 4);
    memcpy(bin, bytes + 20 + head[3], sizeof bin);
    assert_int_equal(28 + head[3] + bin[0], size);
    assert_memory_equal(bytes + 24 + head[3], "BIN\0", 4);
    glb.data = bytes + 28 + head[3];
    glb.json = sw_json_parse(bytes + 20, head[3], name, &glb.arena, &error);
    assert_non_null(glb.json);
    return glb;
}

static inline const swJson *get(const swJson *json, const char *key, int index) {
    return sw_json_at(sw_json_member(json, key), index);
}

static inline int count(const swJson *json, const char *key) {
    const swJson *list = sw_json_member(json, key);
    return list ? list->count : 0;
}

static inline int integer(const swJson *json, const char *key) {
    const swJson *value = sw_json_member(json, key);
    return value ? (int)value->number : -1;
}

static inline const swJson *attributes(const Glb *glb, int mesh) {
    const swJson *primitive = get(get(glb->json, "meshes", mesh), "primitives", 0);
    return sw_json_member(primitive, "attributes");
}

static inline const void *accessor(const Glb *glb, int index, int *items) {
    const swJson *a = get(glb->json, "accessors", index);
    assert_non_null(a);
    *items = integer(a, "count");
    const swJson *view = get(glb->json, "bufferViews", integer(a, "bufferView"));
    assert_int_equal(integer(view, "byteOffset") % 4, 0);
    return glb->data + integer(view, "byteOffset");
}

static inline const char *node_name(const Glb *glb, int node) {
    return sw_json_member(get(glb->json, "nodes", node), "name")->text;
}

static inline int find_node(const Glb *glb, const char *name) {
    for (int i = 0; i < count(glb->json, "nodes"); i++)
        if (strcmp(node_name(glb, i), name) == 0)
            return i;
    return -1;
}

// The output of the channel that animates the node, or NULL.
static inline const float *channel(const Glb *glb, int node, const char *path, int *items) {
    const swJson *animation = get(glb->json, "animations", 0);
    *items = 0;
    for (int i = 0; i < count(animation, "channels"); i++) {
        const swJson *c = get(animation, "channels", i), *target = sw_json_member(c, "target");
        if (integer(target, "node") == node &&
            strcmp(sw_json_member(target, "path")->text, path) == 0) {
            const swJson *sampler = get(animation, "samplers", integer(c, "sampler"));
            return accessor(glb, integer(sampler, "output"), items);
        }
    }
    return NULL;
}
