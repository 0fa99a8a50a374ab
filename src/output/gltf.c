// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "output/gltf.h"

#include <float.h>
#include <string.h>

// The binary part is written as it is in memory.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "glTF is little-endian");

float sw_gltf_float(swGltf *g, double value) {
    if (!(fabs(value) <= FLT_MAX))
        g->too_large = true;
    return (float)value;
}

void sw_gltf_put(swGltf *g, float out[3], swVec3 v) {
    for (int k = 0; k < 3; k++)
        out[k] = sw_gltf_float(g, sw_get(v, k));
}

bool sw_gltf_has_room(const swGltf *g, int64_t count, size_t item) {
    // Lengths are 32-bit numbers in the file, and the text before the data needs some of the range.
    const size_t limit = (size_t)3 << 30;
    if ((uint64_t)count <= (limit - g->size) / item)
        return true;
    return sw_fail(g->error, SW_ERROR_LIMIT,
                   "more than 3 GiB, which a .glb file cannot hold: record fewer keys");
}

void *sw_gltf_add(swGltf *g, int component, int width, int64_t count, int target) {
    int bytes = component == SW_GLTF_UBYTE ? 1 : component == SW_GLTF_USHORT ? 2 : 4;
    size_t item = (size_t)(width * bytes);
    if (!sw_gltf_has_room(g, count, item))
        return NULL;
    swGltfAccessor *a = SW_PUSH(&g->accessors, &g->arena, g->error);
    if (!a)
        return NULL;
    *a = (swGltfAccessor){.component = component, .width = width, .count = count, .target = target};
    a->size = (size_t)count * item;
    a->data = SW_NEW(&g->arena, a->size, char, g->error);
    g->size += sw_gltf_padded(a->size);
    return a->data;
}

void sw_gltf_bound(swGltf *g, int accessor) {
    swGltfAccessor *a = sw_gltf_at(g, accessor);
    const float *value = a->data;
    a->has_bounds = true;
    for (int k = 0; k < a->width; k++)
        a->lo[k] = a->hi[k] = value[k];
    for (int64_t i = 0; i < a->count; i++)
        for (int k = 0; k < a->width; k++) {
            float v = value[i * a->width + k];
            a->lo[k] = v < a->lo[k] ? v : a->lo[k];
            a->hi[k] = v > a->hi[k] ? v : a->hi[k];
        }
}

int sw_gltf_nodes(swGltf *g, int count) {
    int first = g->base.node + g->nodes.count;
    for (int i = 0; i < count; i++) {
        swGltfNode *node = SW_PUSH(&g->nodes, &g->arena, g->error);
        if (!node)
            return -1;
        *node = (swGltfNode){.mesh = -1, .skin = -1};
    }
    return first;
}

const char *sw_gltf_name(swGltf *g, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *name = SW_NEW(&g->arena, length + 1, char, g->error);
    if (name) {
        va_start(args, format);
        vsnprintf(name, (size_t)length + 1, format, args);
        va_end(args);
    }
    return name;
}

int sw_gltf_mesh(swGltf *g, const char *name, const swSurface *surface, const swVec3 *normal,
                 int material) {
    swGltfMesh mesh = {.name = name, .normal = -1, .material = material};
    float *position = sw_gltf_add(g, SW_GLTF_FLOAT, 3, surface->nvertex, SW_GLTF_VERTICES);
    if (!position)
        return -1;
    for (int i = 0; i < surface->nvertex; i++)
        sw_gltf_put(g, position + 3 * (size_t)i, surface->X[i]);
    mesh.position = sw_gltf_last(g);
    sw_gltf_bound(g, mesh.position);
    if (normal) {
        float *out = sw_gltf_add(g, SW_GLTF_FLOAT, 3, surface->nvertex, SW_GLTF_VERTICES);
        if (!out)
            return -1;
        for (int i = 0; i < surface->nvertex; i++)
            sw_gltf_put(g, out + 3 * (size_t)i, normal[i]);
        mesh.normal = sw_gltf_last(g);
    }
    int64_t nindex = 3 * (int64_t)surface->ntriangle;
    uint32_t *index = sw_gltf_add(g, SW_GLTF_UINT, 1, nindex, SW_GLTF_INDICES);
    if (!index)
        return -1;
    for (int64_t i = 0; i < nindex; i++)
        index[i] = (uint32_t)surface->triangle[i];
    mesh.indices = sw_gltf_last(g);
    swGltfMesh *added = SW_PUSH(&g->meshes, &g->arena, g->error);
    if (!added)
        return -1;
    *added = mesh;
    return g->meshes.count - 1;
}

bool sw_gltf_animate(swGltf *g, int node, swGltfPath path, const float *value) {
    int width = path == SW_GLTF_ROTATION ? 4 : 3;
    size_t nkey = (size_t)g->nkey, item = (size_t)width * sizeof *value;
    swGltfNode *n = sw_gltf_node(g, node);
    n->has[path] = true;
    memcpy(n->value[path], value, item);
    bool moves = node < g->base.node; // a node of the other file has lost its own channels
    for (size_t k = 1; k <= nkey && !moves; k++)
        moves = memcmp(value + k * (size_t)width, value, item) != 0;
    if (!moves)
        return true;
    float *output = sw_gltf_add(g, SW_GLTF_FLOAT, width, g->nkey, 0);
    swGltfChannel *channel = output ? SW_PUSH(&g->channels, &g->arena, g->error) : NULL;
    if (!channel)
        return false;
    memcpy(output, value + width, nkey * item);
    *channel = (swGltfChannel){node, path, sw_gltf_last(g)};
    return true;
}

bool sw_gltf_add_times(swGltf *g, const swReal *t) {
    float *time = sw_gltf_add(g, SW_GLTF_FLOAT, 1, g->nkey, 0);
    if (!time)
        return false;
    for (int k = 0; k < g->nkey; k++) {
        time[k] = sw_gltf_float(g, t[k]);
        if (k > 0 && !(time[k] > time[k - 1]))
            time[k] = nextafterf(time[k - 1], INFINITY);
    }
    g->time = sw_gltf_last(g);
    sw_gltf_bound(g, g->time);
    return true;
}

// ---- the text ----

static const char *const path_names[] = {"translation", "rotation", "scale", "weights"};

static void put_floats(swJsonWriter *w, const char *key, int count, const float *value) {
    double numbers[4];
    for (int k = 0; k < count; k++)
        numbers[k] = value[k];
    sw_json_put_numbers(w, key, count, numbers);
}

void sw_gltf_put_pose(swJsonWriter *w, const swGltfNode *node) {
    for (int k = 0; k < 3; k++)
        if (node->has[k])
            put_floats(w, path_names[k], k == SW_GLTF_ROTATION ? 4 : 3, node->value[k]);
}

void sw_gltf_put_nodes(swJsonWriter *w, const swGltf *g) {
    for (int i = 0; i < g->nodes.count; i++) {
        const swGltfNode *n = &g->nodes.item[i];
        sw_json_begin(w, NULL, '{');
        sw_json_put_text(w, "name", n->name);
        if (n->mesh >= 0)
            sw_json_put_int(w, "mesh", n->mesh);
        if (n->skin >= 0)
            sw_json_put_int(w, "skin", n->skin);
        if (n->nchild > 0) {
            sw_json_begin(w, "children", '[');
            for (int c = 0; c < n->nchild; c++)
                sw_json_put_int(w, NULL, n->child + c);
            sw_json_end(w);
        }
        sw_gltf_put_pose(w, n);
        sw_json_end(w);
    }
}

static void put_scene(swJsonWriter *w, const swGltf *g) {
    sw_json_put_int(w, "scene", 0);
    sw_json_begin(w, "scenes", '[');
    sw_json_begin(w, NULL, '{');
    sw_json_begin(w, "nodes", '[');
    for (int i = 0; i < g->nodes.count; i++)
        if (g->nodes.item[i].root)
            sw_json_put_int(w, NULL, i);
    sw_json_end(w);
    sw_json_end(w);
    sw_json_end(w);
    sw_json_begin(w, "nodes", '[');
    sw_gltf_put_nodes(w, g);
    sw_json_end(w);
}

static void put_morphs(swJsonWriter *w, const swGltfMesh *mesh) {
    sw_json_begin(w, "targets", '[');
    for (int i = 0; i < mesh->nmorph; i++) {
        sw_json_begin(w, NULL, '{');
        sw_json_put_int(w, "POSITION", mesh->morph + 2 * i);
        sw_json_put_int(w, "NORMAL", mesh->morph + 2 * i + 1);
        sw_json_end(w);
    }
    sw_json_end(w);
}

static void put_meshes(swJsonWriter *w, const swGltf *g) {
    sw_json_begin(w, "meshes", '[');
    for (int i = 0; i < g->meshes.count; i++) {
        const swGltfMesh *mesh = &g->meshes.item[i];
        sw_json_begin(w, NULL, '{');
        sw_json_put_text(w, "name", mesh->name);
        sw_json_begin(w, "primitives", '[');
        sw_json_begin(w, NULL, '{');
        sw_json_begin(w, "attributes", '{');
        sw_json_put_int(w, "POSITION", mesh->position);
        if (mesh->normal >= 0)
            sw_json_put_int(w, "NORMAL", mesh->normal);
        for (int k = 0; k < mesh->nset; k++) {
            char key[32];
            snprintf(key, sizeof key, "JOINTS_%d", k);
            sw_json_put_int(w, key, mesh->set + 2 * k);
            snprintf(key, sizeof key, "WEIGHTS_%d", k);
            sw_json_put_int(w, key, mesh->set + 2 * k + 1);
        }
        sw_json_end(w);
        sw_json_put_int(w, "indices", mesh->indices);
        sw_json_put_int(w, "material", mesh->material);
        if (mesh->nmorph > 0)
            put_morphs(w, mesh);
        sw_json_end(w);
        sw_json_end(w);
        if (mesh->nmorph > 0) { // the rest pose shows the first key
            sw_json_begin(w, "weights", '[');
            for (int k = 0; k < mesh->nmorph; k++)
                sw_json_put_int(w, NULL, k == 0);
            sw_json_end(w);
        }
        sw_json_end(w);
    }
    sw_json_end(w);
}

static void put_skins(swJsonWriter *w, const swGltf *g) {
    if (g->skins.count == 0)
        return;
    sw_json_begin(w, "skins", '[');
    for (int i = 0; i < g->skins.count; i++) {
        const swGltfSkin *skin = &g->skins.item[i];
        sw_json_begin(w, NULL, '{');
        sw_json_put_text(w, "name", skin->name);
        sw_json_put_int(w, "skeleton", skin->root);
        sw_json_put_int(w, "inverseBindMatrices", skin->inverse_bind);
        sw_json_begin(w, "joints", '[');
        for (int k = 0; k < skin->njoint; k++)
            sw_json_put_int(w, NULL, skin->joint[k]);
        sw_json_end(w);
        sw_json_end(w);
    }
    sw_json_end(w);
}

static void put_materials(swJsonWriter *w, const swGltf *g) {
    sw_json_begin(w, "materials", '[');
    for (int i = 0; i < g->materials.count; i++) {
        const swGltfMaterial *m = &g->materials.item[i];
        double color[4] = {m->color[0], m->color[1], m->color[2], 1};
        sw_json_begin(w, NULL, '{');
        sw_json_put_text(w, "name", m->name);
        sw_json_put_bool(w, "doubleSided", true); // frames may turn a part inside out
        sw_json_begin(w, "pbrMetallicRoughness", '{');
        sw_json_put_numbers(w, "baseColorFactor", 4, color);
        sw_json_put_int(w, "metallicFactor", 0);
        sw_json_put_number(w, "roughnessFactor", m->roughness);
        sw_json_end(w);
        sw_json_end(w);
    }
    sw_json_end(w);
}

void sw_gltf_put_samplers(swJsonWriter *w, const swGltf *g) {
    for (int i = 0; i < g->channels.count; i++) {
        sw_json_begin(w, NULL, '{');
        sw_json_put_int(w, "input", g->time);
        sw_json_put_text(w, "interpolation", "LINEAR");
        sw_json_put_int(w, "output", g->channels.item[i].output);
        sw_json_end(w);
    }
}

void sw_gltf_put_channels(swJsonWriter *w, const swGltf *g, int first_sampler) {
    for (int i = 0; i < g->channels.count; i++) {
        sw_json_begin(w, NULL, '{');
        sw_json_put_int(w, "sampler", first_sampler + i);
        sw_json_begin(w, "target", '{');
        sw_json_put_int(w, "node", g->channels.item[i].node);
        sw_json_put_text(w, "path", path_names[g->channels.item[i].path]);
        sw_json_end(w);
        sw_json_end(w);
    }
}

static void put_animation(swJsonWriter *w, const swGltf *g) {
    if (g->channels.count == 0)
        return;
    sw_json_begin(w, "animations", '[');
    sw_json_begin(w, NULL, '{');
    sw_json_put_text(w, "name", "motion");
    sw_json_begin(w, "samplers", '[');
    sw_gltf_put_samplers(w, g);
    sw_json_end(w);
    sw_json_begin(w, "channels", '[');
    sw_gltf_put_channels(w, g, 0);
    sw_json_end(w);
    sw_json_end(w);
    sw_json_end(w);
}

void sw_gltf_put_accessors(swJsonWriter *w, const swGltf *g) {
    for (int i = 0; i < g->accessors.count; i++) {
        const swGltfAccessor *a = &g->accessors.item[i];
        sw_json_begin(w, NULL, '{');
        sw_json_put_int(w, "bufferView", g->base.view + i);
        sw_json_put_int(w, "componentType", a->component);
        sw_json_put_int(w, "count", a->count);
        sw_json_put_text(w, "type",
                         a->width == 1   ? "SCALAR"
                         : a->width == 3 ? "VEC3"
                         : a->width == 4 ? "VEC4"
                                         : "MAT4");
        if (a->has_bounds) {
            put_floats(w, "min", a->width, a->lo);
            put_floats(w, "max", a->width, a->hi);
        }
        sw_json_end(w);
    }
}

void sw_gltf_put_views(swJsonWriter *w, const swGltf *g) {
    size_t offset = g->size;
    for (int i = 0; i < g->accessors.count; i++)
        offset -= sw_gltf_padded(g->accessors.item[i].size);
    for (int i = 0; i < g->accessors.count; i++) {
        const swGltfAccessor *a = &g->accessors.item[i];
        sw_json_begin(w, NULL, '{');
        sw_json_put_int(w, "buffer", 0);
        sw_json_put_int(w, "byteOffset", (int64_t)offset);
        sw_json_put_int(w, "byteLength", (int64_t)a->size);
        if (a->target)
            sw_json_put_int(w, "target", a->target);
        sw_json_end(w);
        offset += sw_gltf_padded(a->size);
    }
}

static void put_data(swJsonWriter *w, const swGltf *g) {
    sw_json_begin(w, "accessors", '[');
    sw_gltf_put_accessors(w, g);
    sw_json_end(w);
    sw_json_begin(w, "bufferViews", '[');
    sw_gltf_put_views(w, g);
    sw_json_end(w);
    sw_json_begin(w, "buffers", '[');
    sw_json_begin(w, NULL, '{');
    sw_json_put_int(w, "byteLength", (int64_t)g->size);
    sw_json_end(w);
    sw_json_end(w);
}

// ---- the file: a header, the text, the data ----

enum { HEADER = 12, CHUNK = 8 };
static const char blank[HEADER + CHUNK];

static void write_chunk_header(swFile *file, size_t length, const char type[4]) {
    uint32_t size = (uint32_t)length;
    sw_file_write(file, &size, 4);
    sw_file_write(file, type, 4);
}

bool sw_gltf_begin(swGltf *g, const char *path, swFile *file) {
    if (g->too_large)
        return sw_fail_at(g->error, SW_ERROR_NOT_FINITE, path, 0, 0,
                          "a number is beyond single precision, which glTF is written in");
    if (!sw_file_open(file, path, g->error))
        return false;
    sw_file_write(file, blank, sizeof blank); // filled in at the end, when the lengths are known
    return true;
}

bool sw_gltf_end(swGltf *g, swFile *file, void (*before)(swFile *file, void *context),
                 void *context) {
    off_t at = ftello(file->stream);
    size_t text = at < 0 ? 0 : (size_t)at - sizeof blank;
    size_t total = HEADER + 2 * CHUNK + sw_gltf_padded(text) + g->size;
    if (at < 0 || total > UINT32_MAX) {
        sw_file_abandon(file);
        return sw_fail_at(g->error, SW_ERROR_FILE, file->path, 0, 0,
                          at < 0 ? "not a file that can be written twice to"
                                 : "more than 4 GiB, the most that a .glb file may have");
    }
    sw_file_write(file, "   ", sw_gltf_padded(text) - text);
    write_chunk_header(file, g->size, "BIN");
    if (before)
        before(file, context);
    for (int i = 0; i < g->accessors.count; i++) {
        const swGltfAccessor *a = &g->accessors.item[i];
        sw_file_write(file, a->data, a->size);
        sw_file_write(file, blank, sw_gltf_padded(a->size) - a->size);
    }
    if (fseeko(file->stream, 0, SEEK_SET) != 0)
        file->failed = true;
    uint32_t head[2] = {2, (uint32_t)total};
    sw_file_write(file, "glTF", 4);
    sw_file_write(file, head, sizeof head);
    write_chunk_header(file, sw_gltf_padded(text), "JSON");
    return sw_file_close(file, g->error);
}

bool sw_gltf_save(swGltf *g, const char *path) {
    swFile file;
    if (!sw_gltf_begin(g, path, &file))
        return false;
    char generator[64];
    snprintf(generator, sizeof generator, "sinew %s", sw_version());
    swJsonWriter w = {.file = &file};
    sw_json_begin(&w, NULL, '{');
    sw_json_begin(&w, "asset", '{');
    sw_json_put_text(&w, "version", "2.0");
    sw_json_put_text(&w, "generator", generator);
    sw_json_end(&w);
    put_scene(&w, g);
    put_meshes(&w, g);
    put_skins(&w, g);
    put_materials(&w, g);
    put_animation(&w, g);
    put_data(&w, g);
    sw_json_end(&w);
    return sw_gltf_end(g, &file, NULL, NULL);
}
