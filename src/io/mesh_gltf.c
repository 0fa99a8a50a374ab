// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// glTF 2.0, .glb and .gltf, reading alone: the triangles of the scene's meshes where its nodes put
// them. A skinned mesh keeps its bind pose and goes where the skin's first joint takes it, since
// glTF ignores the place of its own node. Materials, animations and morph targets are passed over.
#include "io/mesh_read.h"
#include "core/json.h"

#include <string.h>
#include <strings.h>

enum { MAX_TRIANGLES = 20000000 }; // a few nodes may repeat a mesh many times

typedef struct swAffine {
    swMat3 A;
    swVec3 b;
} swAffine; // x -> A x + b

typedef struct swBuffer {
    const char *data; // NULL: not loaded
    size_t size;
} swBuffer;

typedef struct swRange {
    bool loaded;
    int start, end; // in `triangle`, by corners
} swRange;

typedef struct swAccessor {
    const char *data;
    int64_t count, stride;
    int type, size; // of a component
    bool normalized;
} swAccessor;

typedef struct swGltf {
    const swMeshFile *file;
    const swJson *root;
    const char *bin; // the binary chunk of a .glb
    size_t nbin, loaded;
    swBuffer *buffer; // per buffer
    int *positions;   // per accessor: 1 + its first vertex in X; 0: not loaded
    swRange *mesh;    // per mesh
    swAffine *place;  // per node
    bool *shown;      // per node: part of the scene
    SW_LIST(swVec3) X;
    SW_LIST(int) triangle; // corners in X
    swArena *arena;
    swError *error;
} swGltf;

// ---- values of the JSON text ----

static int count_of(const swGltf *g, const char *list) {
    const swJson *array = sw_json_member(g->root, list);
    return array && array->type == SW_JSON_ARRAY ? array->count : 0;
}

static bool refuse(swGltf *g, const swJson *at, const char *what, const char *expected) {
    return sw_fail_at(g->error, SW_ERROR_FORMAT, NULL, at ? at->line : 0, at ? at->column : 0,
                      "%s: expected %s", what, expected);
}

// A whole number of at least 0; `absent` where the key is missing, unless that is negative.
static bool get_whole(swGltf *g, const swJson *owner, const char *key, int64_t absent,
                      int64_t *value) {
    const swJson *m = sw_json_member(owner, key);
    *value = absent;
    if (!m && absent >= 0)
        return true;
    if (!m || m->type != SW_JSON_NUMBER || m->number < 0 || m->number > 1e15 ||
        m->number != floor(m->number))
        return refuse(g, m ? m : owner, key, "a whole number");
    *value = (int64_t)m->number;
    return true;
}

// The item of the top-level `list` that owner[key] numbers, or NULL with the error filled.
static const swJson *get_item(swGltf *g, const swJson *owner, const char *key, const char *list) {
    int64_t index;
    if (!get_whole(g, owner, key, -1, &index))
        return NULL;
    if (index >= count_of(g, list)) {
        sw_fail_at(g->error, SW_ERROR_FORMAT, NULL, owner->line, owner->column,
                   "%s %lld, but there are %d %s", key, (long long)index, count_of(g, list), list);
        return NULL;
    }
    return sw_json_at(sw_json_member(g->root, list), (int)index);
}

static int index_in(const swGltf *g, const swJson *item, const char *list) {
    return (int)(item - sw_json_member(g->root, list)->item);
}

// n numbers; v keeps its values where the key is missing.
static bool get_numbers(swGltf *g, const swJson *owner, const char *key, int n, double *v) {
    const swJson *m = sw_json_member(owner, key);
    if (m && (m->type != SW_JSON_ARRAY || m->count != n))
        return refuse(g, m, key, n == 16 ? "16 numbers" : n == 4 ? "4 numbers" : "3 numbers");
    for (int i = 0; m && i < n; i++) {
        if (m->item[i].type != SW_JSON_NUMBER)
            return refuse(g, &m->item[i], key, "a number");
        v[i] = m->item[i].number;
    }
    return true;
}

// ---- buffers ----

static int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

static bool decode_base64(swGltf *g, const swJson *uri, const char *text, swBuffer *buffer) {
    char *out = sw_arena_alloc(g->arena, strlen(text), 1, g->error);
    if (!out)
        return false;
    uint32_t bits = 0;
    int held = 0;
    size_t n = 0;
    for (; *text && *text != '='; text++) {
        int digit = base64_digit(*text);
        if (digit < 0)
            return refuse(g, uri, "uri", "base64 data");
        bits = bits << 6 | (uint32_t)digit;
        held += 6;
        if (held >= 8) {
            held -= 8;
            out[n++] = (char)(bits >> held & 0xff);
        }
    }
    *buffer = (swBuffer){out, n};
    return true;
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// A file beside this one.
static bool load_file(swGltf *g, const swJson *uri, swBuffer *buffer) {
    if (!g->file->path || uri->text[0] == '/' || strstr(uri->text, "://"))
        return sw_fail_at(g->error, SW_ERROR_UNSUPPORTED, NULL, uri->line, uri->column,
                          "the buffer '%.100s' is no file beside this one", uri->text);
    const char *slash = strrchr(g->file->path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - g->file->path) : 0;
    char *path = sw_arena_alloc(g->arena, folder + strlen(uri->text) + 1, 1, g->error), *data;
    if (!path)
        return false;
    memcpy(path, g->file->path, folder);
    char *out = path + folder;
    for (const char *c = uri->text; *c; c++) {
        int high = *c == '%' ? hex_digit(c[1]) : -1, low = high >= 0 ? hex_digit(c[2]) : -1;
        *out++ = low >= 0 ? (char)(16 * high + low) : *c;
        c += low >= 0 ? 2 : 0;
    }
    if (!sw_file_read(path, g->arena, &data, &buffer->size, g->error))
        return false;
    buffer->data = data;
    g->loaded += buffer->size; // many buffers may name one large file
    return g->loaded <= INT32_MAX ||
           sw_fail(g->error, SW_ERROR_LIMIT, "buffers of more than %d bytes", INT32_MAX);
}

static const swBuffer *load_buffer(swGltf *g, const swJson *view) {
    const swJson *json = get_item(g, view, "buffer", "buffers");
    if (!json)
        return NULL;
    int index = index_in(g, json, "buffers");
    swBuffer *buffer = &g->buffer[index];
    if (buffer->data)
        return buffer;
    const swJson *uri = sw_json_member(json, "uri");
    const char *base64;
    bool ok;
    if (!uri) {
        *buffer = (swBuffer){g->bin, g->nbin};
        ok = (index == 0 && g->bin) || refuse(g, json, "buffer", "a uri");
    } else if (uri->type != SW_JSON_TEXT)
        ok = refuse(g, uri, "uri", "text");
    else if (strncasecmp(uri->text, "data:", 5) != 0)
        ok = load_file(g, uri, buffer);
    else if ((base64 = strstr(uri->text, ";base64,")))
        ok = decode_base64(g, uri, base64 + 8, buffer);
    else
        ok = refuse(g, uri, "uri", "base64 data");
    return ok ? buffer : NULL;
}

// ---- accessors ----

static bool open_accessor(swGltf *g, const swJson *json, const char *type, int components,
                          swAccessor *a) {
    static const int size[] = {1, 1, 2, 2, 0, 4, 4}; // from 5120: int8, uint8, int16 ...
    const swJson *given = sw_json_member(json, "type");
    if (!given || given->type != SW_JSON_TEXT || strcmp(given->text, type) != 0)
        return refuse(g, given ? given : json, "accessor type", type);
    if (sw_json_member(json, "sparse") || !sw_json_member(json, "bufferView"))
        return sw_fail_at(g->error, SW_ERROR_UNSUPPORTED, NULL, json->line, json->column,
                          "sparse or compressed accessors cannot be read");
    const swJson *view = get_item(g, json, "bufferView", "bufferViews");
    const swBuffer *buffer = view ? load_buffer(g, view) : NULL;
    int64_t kind, offset, start, length;
    if (!buffer || !get_whole(g, json, "componentType", -1, &kind) ||
        !get_whole(g, json, "count", -1, &a->count) ||
        !get_whole(g, json, "byteOffset", 0, &offset) ||
        !get_whole(g, view, "byteOffset", 0, &start) ||
        !get_whole(g, view, "byteLength", -1, &length))
        return false;
    a->type = (int)sw_clamp((swReal)kind - 5120, 0, 7);
    a->size = kind >= 5120 && kind <= 5126 ? size[a->type] : 0;
    if (a->size == 0)
        return refuse(g, json, "componentType", "one of 5120 to 5123, 5125, 5126");
    if (!get_whole(g, view, "byteStride", a->size * components, &a->stride))
        return false;
    const swJson *normalized = sw_json_member(json, "normalized");
    a->normalized = normalized && normalized->type == SW_JSON_BOOL && normalized->boolean;
    int64_t item = a->size * components, bytes = (int64_t)buffer->size;
    if (a->count < 1 || a->stride < item || start > bytes || length > bytes - start ||
        offset > length || item > length - offset ||
        a->count - 1 > (length - offset - item) / a->stride)
        return sw_fail_at(g->error, SW_ERROR_FORMAT, NULL, json->line, json->column,
                          "accessor %d reaches past its data: %lld items of %lld bytes in a view "
                          "of %lld bytes in a buffer of %lld",
                          index_in(g, json, "accessors"), (long long)a->count, (long long)item,
                          (long long)length, (long long)bytes);
    a->data = buffer->data + start + offset;
    return true;
}

static double get_component(const swAccessor *a, int64_t item, int k) {
    const char *p = a->data + item * a->stride + k * a->size;
    uint64_t bits = a->type < 6 ? sw_load(p, a->size, false) : 0;
    switch (a->type) {
    case 0: return a->normalized ? sw_max((int8_t)bits / 127.0, -1) : (int8_t)bits;
    case 1: return a->normalized ? (double)bits / 255 : (double)bits;
    case 2: return a->normalized ? sw_max((int16_t)bits / 32767.0, -1) : (int16_t)bits;
    case 3: return a->normalized ? (double)bits / 65535 : (double)bits;
    case 5: return (double)bits;
    default: return sw_load_float(p, false);
    }
}

// ---- meshes ----

// The vertices of an accessor, shared by all primitives that use it.
static bool load_positions(swGltf *g, const swJson *json, int *start, swAccessor *a) {
    int *known = &g->positions[index_in(g, json, "accessors")];
    if (!open_accessor(g, json, "VEC3", 3, a))
        return false;
    if (*known == 0) {
        if (a->count > MAX_TRIANGLES - g->X.count)
            return sw_fail(g->error, SW_ERROR_LIMIT, "more than %d vertices", MAX_TRIANGLES);
        *known = g->X.count + 1;
        for (int64_t i = 0; i < a->count; i++) {
            swVec3 *x = SW_PUSH(&g->X, g->arena, g->error);
            if (!x)
                return false;
            *x = sw_v3(get_component(a, i, 0), get_component(a, i, 1), get_component(a, i, 2));
        }
    }
    *start = *known - 1;
    return true;
}

static bool load_primitive(swGltf *g, const swJson *primitive) {
    const swJson *attributes = sw_json_member(primitive, "attributes"), *json;
    int64_t mode;
    int start = 0;
    swAccessor position, index = {0};
    if (!get_whole(g, primitive, "mode", 4, &mode))
        return false;
    if (mode < 4) // points and lines
        return true;
    if (mode > 6)
        return refuse(g, primitive, "mode", "0 to 6");
    if (!attributes)
        return refuse(g, primitive, "primitive", "attributes");
    json = get_item(g, attributes, "POSITION", "accessors");
    if (!json || !load_positions(g, json, &start, &position))
        return false;
    if (sw_json_member(primitive, "indices")) {
        json = get_item(g, primitive, "indices", "accessors");
        if (!json || !open_accessor(g, json, "SCALAR", 1, &index))
            return false;
        if (index.type != 1 && index.type != 3 && index.type != 5)
            return refuse(g, json, "indices", "unsigned whole numbers");
    }
    int64_t n = index.data ? index.count : position.count;
    int64_t ntriangle = mode == 4 ? n / 3 : n - 2;
    if (n < 3 || (mode == 4 && n % 3))
        return refuse(g, primitive, "primitive", "a multiple of three corners");
    if (ntriangle > MAX_TRIANGLES - g->triangle.count / 3)
        return sw_fail(g->error, SW_ERROR_LIMIT, "more than %d triangles", MAX_TRIANGLES);
    for (int64_t t = 0; t < ntriangle; t++) {
        // Triangles, strips (every other one turned round), fans.
        int64_t corner[3] = {3 * t, 3 * t + 1, 3 * t + 2};
        if (mode == 5)
            corner[0] = t, corner[1] = t + 1 + t % 2, corner[2] = t + 2 - t % 2;
        else if (mode == 6)
            corner[0] = t + 1, corner[1] = t + 2, corner[2] = 0;
        for (int k = 0; k < 3; k++) {
            int64_t v = index.data ? (int64_t)get_component(&index, corner[k], 0) : corner[k];
            if (v >= position.count)
                return sw_fail_at(g->error, SW_ERROR_FORMAT, NULL, primitive->line,
                                  primitive->column,
                                  "triangle %lld refers to vertex %lld, but there are %lld "
                                  "vertices, from 0",
                                  (long long)t, (long long)v, (long long)position.count);
            int *c = SW_PUSH(&g->triangle, g->arena, g->error);
            if (!c)
                return false;
            *c = start + (int)v;
        }
    }
    return true;
}

static const swRange *load_mesh(swGltf *g, const swJson *json) {
    swRange *range = &g->mesh[index_in(g, json, "meshes")];
    const swJson *primitives = sw_json_member(json, "primitives");
    if (range->loaded)
        return range;
    *range = (swRange){true, g->triangle.count, 0};
    for (int i = 0; sw_json_at(primitives, i); i++)
        if (!load_primitive(g, sw_json_at(primitives, i)))
            return NULL;
    range->end = g->triangle.count;
    return range;
}

// ---- nodes ----

static swAffine compose(swAffine f, swAffine g) { // f after g
    return (swAffine){sw_mat_mul(f.A, g.A), sw_add(sw_mul(f.A, g.b), f.b)};
}

// 16 numbers, column by column.
static swAffine affine_of(const double *m) {
    return (swAffine){{{m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]}},
                      {m[12], m[13], m[14]}};
}

static bool read_pose(swGltf *g, const swJson *node, swAffine *pose) {
    double m[16], t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    if (sw_json_member(node, "matrix")) {
        if (!get_numbers(g, node, "matrix", 16, m))
            return false;
        *pose = affine_of(m);
        return true;
    }
    if (!get_numbers(g, node, "translation", 3, t) || !get_numbers(g, node, "rotation", 4, q) ||
        !get_numbers(g, node, "scale", 3, s))
        return false;
    double n2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(n2 > 0))
        return refuse(g, node, "rotation", "a quaternion other than zero");
    double f = 2 / n2, x = q[0], y = q[1], z = q[2], w = q[3];
    swMat3 R = {{1 - f * (y * y + z * z), f * (x * y - w * z), f * (x * z + w * y),
                 f * (x * y + w * z), 1 - f * (x * x + z * z), f * (y * z - w * x),
                 f * (x * z - w * y), f * (y * z + w * x), 1 - f * (x * x + y * y)}};
    *pose = (swAffine){sw_mat_mul(R, sw_mat_diag(s[0], s[1], s[2])), {t[0], t[1], t[2]}};
    return true;
}

// Fills `list` from owner[key], numbers of nodes; their count, or -1 with the error filled.
static int get_nodes(swGltf *g, const swJson *owner, const char *key, int nnode,
                     const swJson **list) {
    *list = sw_json_member(owner, key);
    int n = *list && (*list)->type == SW_JSON_ARRAY ? (*list)->count : 0;
    for (int i = 0; i < n; i++) {
        const swJson *v = &(*list)->item[i];
        if (v->type != SW_JSON_NUMBER || !(v->number >= 0 && v->number < nnode) ||
            v->number != floor(v->number)) {
            refuse(g, v, key, "the number of a node");
            return -1;
        }
    }
    return n;
}

// From the roots down: a node is placed after its parent.
static bool place_nodes(swGltf *g, int nnode) {
    const swJson *nodes = sw_json_member(g->root, "nodes"), *list;
    int *parent = SW_NEW(g->arena, nnode, int, g->error); // 1 + its number; 0: a root
    int *queue = parent ? SW_NEW(g->arena, nnode, int, g->error) : NULL;
    if (!queue)
        return false;
    for (int i = 0; i < nnode; i++) {
        int n = get_nodes(g, &nodes->item[i], "children", nnode, &list);
        for (int k = 0; k < n; k++) {
            int child = (int)list->item[k].number;
            if (parent[child])
                return refuse(g, &list->item[k], "children", "a node without another parent");
            parent[child] = i + 1;
        }
        if (n < 0)
            return false;
    }
    // Without a scene everything is shown.
    const swJson *scene = NULL;
    if (count_of(g, "scenes") > 0 && !sw_json_member(g->root, "scene"))
        scene = sw_json_at(sw_json_member(g->root, "scenes"), 0);
    else if (count_of(g, "scenes") > 0 && !(scene = get_item(g, g->root, "scene", "scenes")))
        return false;
    int nroot = get_nodes(g, scene, "nodes", nnode, &list), tail = 0;
    if (nroot < 0)
        return false;
    for (int k = 0; k < nroot; k++)
        g->shown[(int)list->item[k].number] = true;
    for (int i = 0; i < nnode; i++)
        if (!parent[i])
            queue[tail++] = i;
    for (int head = 0; head < tail; head++) {
        int i = queue[head], up = parent[i] - 1;
        if (!read_pose(g, &nodes->item[i], &g->place[i]))
            return false;
        if (up >= 0)
            g->place[i] = compose(g->place[up], g->place[i]);
        g->shown[i] = g->shown[i] || !scene || (up >= 0 && g->shown[up]);
        int n = get_nodes(g, &nodes->item[i], "children", nnode, &list);
        for (int k = 0; k < n; k++)
            queue[tail++] = (int)list->item[k].number;
    }
    return tail == nnode || refuse(g, nodes, "nodes", "a tree, found a circle");
}

static bool place_of_skin(swGltf *g, const swJson *node, swAffine *place) {
    const swJson *skin = get_item(g, node, "skin", "skins"), *joints;
    int n = skin ? get_nodes(g, skin, "joints", count_of(g, "nodes"), &joints) : -1;
    if (n <= 0)
        return n == 0 ? refuse(g, skin, "skin", "joints") : false;
    *place = g->place[(int)joints->item[0].number];
    if (!sw_json_member(skin, "inverseBindMatrices"))
        return true;
    swAccessor a;
    double m[16];
    const swJson *json = get_item(g, skin, "inverseBindMatrices", "accessors");
    if (!json || !open_accessor(g, json, "MAT4", 16, &a))
        return false;
    for (int k = 0; k < 16; k++)
        m[k] = get_component(&a, 0, k);
    *place = compose(*place, affine_of(m));
    return true;
}

// ---- the scene as one surface ----

typedef struct swInstance {
    const swRange *mesh;
    swAffine place;
} swInstance;

static bool add_instance(swGltf *g, const swJson *mesh, swAffine place, swInstance *instance,
                         int64_t *ncorner) {
    *instance = (swInstance){load_mesh(g, mesh), place};
    if (!instance->mesh)
        return false;
    *ncorner += instance->mesh->end - instance->mesh->start;
    return *ncorner <= 3 * (int64_t)MAX_TRIANGLES ||
           sw_fail(g->error, SW_ERROR_LIMIT, "more than %d triangles", MAX_TRIANGLES);
}

static bool build(swGltf *g, int ninstance, const swInstance *instance, int64_t ncorner,
                  swSurface *surface) {
    SW_LIST(swVec3) X = {0};
    int *triangle = SW_NEW(g->arena, ncorner, int, g->error);
    int *to = triangle ? SW_NEW(g->arena, g->X.count, int, g->error) : NULL;
    int *seen = to ? SW_NEW(g->arena, g->X.count, int, g->error) : NULL; // 1 + last instance
    if (!seen)
        return false;
    int n = 0;
    for (int i = 0; i < ninstance; i++) {
        swAffine place = instance[i].place;
        bool mirrored = sw_mat_det(place.A) < 0; // glTF turns the triangles round then
        for (int c = instance[i].mesh->start; c < instance[i].mesh->end; c++) {
            int v = g->triangle.item[c], side = c % 3;
            if (seen[v] != i + 1) {
                seen[v] = i + 1;
                to[v] = X.count;
                swVec3 *x = SW_PUSH(&X, g->arena, g->error);
                if (!x)
                    return false;
                *x = sw_add(sw_mul(place.A, g->X.item[v]), place.b);
            }
            triangle[n + (mirrored && side ? 3 - side : side)] = to[v];
            n += side == 2 ? 3 : 0;
        }
    }
    *surface = (swSurface){X.count, n / 3, X.item, triangle};
    return true;
}

static bool read_scene(swGltf *g, swSurface *surface) {
    const swJson *nodes = sw_json_member(g->root, "nodes");
    const swJson *meshes = sw_json_member(g->root, "meshes");
    int nnode = count_of(g, "nodes"), nmesh = count_of(g, "meshes"), ninstance = 0;
    if (!(g->buffer = SW_NEW(g->arena, count_of(g, "buffers"), swBuffer, g->error)) ||
        !(g->positions = SW_NEW(g->arena, count_of(g, "accessors"), int, g->error)) ||
        !(g->mesh = SW_NEW(g->arena, nmesh, swRange, g->error)) ||
        !(g->place = SW_NEW(g->arena, nnode, swAffine, g->error)) ||
        !(g->shown = SW_NEW(g->arena, nnode, bool, g->error)))
        return false;
    int64_t ncorner = 0;
    swInstance *instance = SW_NEW(g->arena, sw_max_int(nnode, nmesh), swInstance, g->error);
    if (!instance || (nnode && !place_nodes(g, nnode)))
        return false;
    for (int i = 0; i < nnode; i++) {
        const swJson *node = &nodes->item[i], *mesh;
        if (!g->shown[i] || !sw_json_member(node, "mesh"))
            continue;
        swAffine place = g->place[i];
        if (!(mesh = get_item(g, node, "mesh", "meshes")) ||
            (sw_json_member(node, "skin") && !place_of_skin(g, node, &place)) ||
            !add_instance(g, mesh, place, &instance[ninstance++], &ncorner))
            return false;
    }
    swAffine identity = {sw_mat_identity(), {0, 0, 0}};
    for (int i = 0; i < nmesh && nnode == 0; i++)
        if (!add_instance(g, &meshes->item[i], identity, &instance[ninstance++], &ncorner))
            return false;
    return build(g, ninstance, instance, ncorner, surface);
}

static bool check_extensions(swGltf *g) {
    static const char *const unknown[] = {"KHR_draco_mesh_compression", "EXT_meshopt_compression",
                                          "KHR_meshopt_compression"};
    const swJson *required = sw_json_member(g->root, "extensionsRequired"), *name;
    for (int i = 0; (name = sw_json_at(required, i)); i++)
        for (int k = 0; k < SW_COUNT(unknown); k++)
            if (name->type == SW_JSON_TEXT && strcmp(name->text, unknown[k]) == 0)
                return sw_fail_at(g->error, SW_ERROR_UNSUPPORTED, NULL, name->line, name->column,
                                  "%s cannot be read; save the file without compression",
                                  unknown[k]);
    const swJson *version = sw_json_member(sw_json_member(g->root, "asset"), "version");
    if (!version || version->type != SW_JSON_TEXT || strncmp(version->text, "2.", 2) != 0)
        return refuse(g, version, "asset", "version 2.0");
    return true;
}

static bool read_gltf(const swMeshFile *file, swArena *arena, swSurface *surface, swError *error) {
    swGltf g = {.file = file, .arena = arena, .error = error};
    const char *text = file->data;
    size_t ntext = file->size, size = file->size;
    if (size >= 4 && memcmp(text, "glTF", 4) == 0) {
        // 12 bytes of header, then chunks: length, kind, data. The first is JSON, a second BIN.
        if (size < 20 || sw_load(text + 4, 4, false) != 2)
            return sw_fail(error, SW_ERROR_FORMAT, "expected a GLB file of version 2");
        ntext = sw_load(text + 12, 4, false);
        if (memcmp(text + 16, "JSON", 4) != 0 || ntext > size - 20)
            return sw_fail(error, SW_ERROR_FORMAT, "the file ends inside its JSON chunk");
        text += 20;
        size -= 20 + ntext;
        const char *chunk = text + ntext;
        if (size >= 8 && memcmp(chunk + 4, "BIN", 4) == 0) {
            g.nbin = sw_load(chunk, 4, false);
            g.bin = chunk + 8;
            if (g.nbin > size - 8)
                return sw_fail(error, SW_ERROR_FORMAT, "the file ends inside its BIN chunk");
        }
    } else {
        swScan s;
        if (!sw_scan_open(&s, file, error))
            return false;
    }
    g.root = sw_json_parse(text, ntext, file->path ? file->path : "glTF", arena, error);
    return g.root && check_extensions(&g) && read_scene(&g, surface);
}

const swMeshFormat sw_mesh_glb = {"GLB", ".glb", read_gltf, NULL};
const swMeshFormat sw_mesh_gltf = {"glTF", ".gltf", read_gltf, NULL};
