// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// glTF 2.0 files: the chunks of a .glb, the JSON text, buffers and accessors.
#include "formats/mesh_gltf.h"

#include <string.h>
#include <strings.h>

// ---- values of the JSON text ----

int sw_gltf_count(const swGltfFile *g, const char *list) {
    const swJson *array = sw_json_member(g->root, list);
    return array && array->type == SW_JSON_ARRAY ? array->count : 0;
}

bool sw_gltf_refuse(swGltfFile *g, const swJson *at, const char *what, const char *expected) {
    return sw_fail_at(g->error, SW_ERROR_FORMAT, NULL, at ? at->line : 0, at ? at->column : 0,
                      "%s: expected %s", what, expected);
}

bool sw_gltf_whole(swGltfFile *g, const swJson *owner, const char *key, int64_t absent,
                   int64_t *value) {
    const swJson *m = sw_json_member(owner, key);
    *value = absent;
    if (!m && absent >= 0)
        return true;
    if (!m || m->type != SW_JSON_NUMBER || m->number < 0 || m->number > 1e15 ||
        m->number != floor(m->number))
        return sw_gltf_refuse(g, m ? m : owner, key, "a whole number");
    *value = (int64_t)m->number;
    return true;
}

const swJson *sw_gltf_item(swGltfFile *g, const swJson *owner, const char *key, const char *list) {
    int64_t index;
    if (!sw_gltf_whole(g, owner, key, -1, &index))
        return NULL;
    if (index >= sw_gltf_count(g, list)) {
        sw_fail_at(g->error, SW_ERROR_FORMAT, NULL, owner->line, owner->column,
                   "%s is %lld, but there are %d %s", key, (long long)index, sw_gltf_count(g, list),
                   list);
        return NULL;
    }
    return sw_json_at(sw_json_member(g->root, list), (int)index);
}

int sw_gltf_index(const swGltfFile *g, const swJson *item, const char *list) {
    return (int)(item - sw_json_member(g->root, list)->item);
}

bool sw_gltf_numbers(swGltfFile *g, const swJson *owner, const char *key, int n, double *v) {
    const swJson *m = sw_json_member(owner, key);
    if (m && (m->type != SW_JSON_ARRAY || m->count != n))
        return sw_gltf_refuse(g, m, key,
                              n == 16  ? "16 numbers"
                              : n == 4 ? "4 numbers"
                                       : "3 numbers");
    for (int i = 0; m && i < n; i++) {
        if (m->item[i].type != SW_JSON_NUMBER)
            return sw_gltf_refuse(g, &m->item[i], key, "a number");
        v[i] = m->item[i].number;
    }
    return true;
}

int sw_gltf_nodes_of(swGltfFile *g, const swJson *owner, const char *key, const swJson **list) {
    const int nnode = sw_gltf_count(g, "nodes");
    *list = sw_json_member(owner, key);
    int n = *list && (*list)->type == SW_JSON_ARRAY ? (*list)->count : 0;
    for (int i = 0; i < n; i++) {
        const swJson *v = &(*list)->item[i];
        if (v->type != SW_JSON_NUMBER || !(v->number >= 0 && v->number < nnode) ||
            v->number != floor(v->number)) {
            sw_gltf_refuse(g, v, key, "the number of a node");
            return -1;
        }
    }
    return n;
}

const char *sw_gltf_text(const swJson *owner, const char *key) {
    const swJson *m = sw_json_member(owner, key);
    return m && m->type == SW_JSON_TEXT ? m->text : "";
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

static bool decode_base64(swGltfFile *g, const swJson *uri, const char *text,
                          swGltfBuffer *buffer) {
    char *out = sw_arena_alloc(g->arena, strlen(text), 1, g->error);
    if (!out)
        return false;
    uint32_t bits = 0;
    int held = 0;
    size_t n = 0;
    for (; *text && *text != '='; text++) {
        int digit = base64_digit(*text);
        if (digit < 0)
            return sw_gltf_refuse(g, uri, "uri", "base64 data");
        bits = bits << 6 | (uint32_t)digit;
        held += 6;
        if (held >= 8) {
            held -= 8;
            out[n++] = (char)(bits >> held & 0xff);
        }
    }
    *buffer = (swGltfBuffer){out, n};
    return true;
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// Loads a file beside this one.
static bool load_file(swGltfFile *g, const swJson *uri, swGltfBuffer *buffer) {
    if (!g->file->path || uri->text[0] == '/' || strstr(uri->text, "://"))
        return sw_fail_at(g->error, SW_ERROR_UNSUPPORTED, NULL, uri->line, uri->column,
                          "the buffer '%.100s' is not a file beside this one", uri->text);
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
    g->loaded += buffer->size; // many buffers can name the same large file
    return g->loaded <= INT32_MAX ||
           sw_fail(g->error, SW_ERROR_LIMIT, "the buffers have more than %d bytes", INT32_MAX);
}

bool sw_gltf_load(swGltfFile *g, const swJson *uri, swGltfBuffer *buffer) {
    const char *base64;
    if (uri->type != SW_JSON_TEXT)
        return sw_gltf_refuse(g, uri, "uri", "text");
    if (strncasecmp(uri->text, "data:", 5) != 0)
        return load_file(g, uri, buffer);
    if ((base64 = strstr(uri->text, ";base64,")))
        return decode_base64(g, uri, base64 + 8, buffer);
    return sw_gltf_refuse(g, uri, "uri", "base64 data");
}

const swGltfBuffer *sw_gltf_buffer(swGltfFile *g, const swJson *json) {
    int index = sw_gltf_index(g, json, "buffers");
    swGltfBuffer *buffer = &g->buffer[index];
    const swJson *uri = sw_json_member(json, "uri");
    if (buffer->data)
        return buffer;
    if (uri)
        return sw_gltf_load(g, uri, buffer) ? buffer : NULL;
    *buffer = (swGltfBuffer){g->bin, g->nbin};
    return (index == 0 && g->bin) || sw_gltf_refuse(g, json, "buffer", "a uri") ? buffer : NULL;
}

// ---- accessors ----

bool sw_gltf_accessor(swGltfFile *g, const swJson *json, const char *type, int components,
                      swGltfItems *a) {
    static const int size[] = {1, 1, 2, 2, 0, 4, 4}; // from 5120 on: int8, uint8, int16 ...
    const swJson *given = sw_json_member(json, "type");
    if (!given || given->type != SW_JSON_TEXT || strcmp(given->text, type) != 0)
        return sw_gltf_refuse(g, given ? given : json, "accessor type", type);
    if (sw_json_member(json, "sparse") || !sw_json_member(json, "bufferView"))
        return sw_fail_at(g->error, SW_ERROR_UNSUPPORTED, NULL, json->line, json->column,
                          "sparse or compressed accessors cannot be read");
    const swJson *view = sw_gltf_item(g, json, "bufferView", "bufferViews");
    const swJson *owner = view ? sw_gltf_item(g, view, "buffer", "buffers") : NULL;
    const swGltfBuffer *buffer = owner ? sw_gltf_buffer(g, owner) : NULL;
    int64_t kind, offset, start, length;
    if (!buffer || !sw_gltf_whole(g, json, "componentType", -1, &kind) ||
        !sw_gltf_whole(g, json, "count", -1, &a->count) ||
        !sw_gltf_whole(g, json, "byteOffset", 0, &offset) ||
        !sw_gltf_whole(g, view, "byteOffset", 0, &start) ||
        !sw_gltf_whole(g, view, "byteLength", -1, &length))
        return false;
    a->type = (int)sw_clamp((swReal)kind - 5120, 0, 7);
    a->size = kind >= 5120 && kind <= 5126 ? size[a->type] : 0;
    if (a->size == 0)
        return sw_gltf_refuse(g, json, "componentType", "one of 5120 to 5123, 5125, 5126");
    if (!sw_gltf_whole(g, view, "byteStride", a->size * components, &a->stride))
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
                          sw_gltf_index(g, json, "accessors"), (long long)a->count, (long long)item,
                          (long long)length, (long long)bytes);
    a->data = buffer->data + start + offset;
    return true;
}

double sw_gltf_component(const swGltfItems *a, int64_t item, int k) {
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

static bool check_extensions(swGltfFile *g) {
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
        return sw_gltf_refuse(g, version, "asset", "version 2.0");
    return true;
}

bool sw_gltf_open(swGltfFile *g, const swMeshFile *file, swArena *arena, swError *error) {
    *g = (swGltfFile){.file = file, .arena = arena, .error = error};
    const char *text = file->data;
    size_t ntext = file->size, size = file->size;
    if (size >= 4 && memcmp(text, "glTF", 4) == 0) {
        // A header of 12 bytes, then chunks with a length, a type and data. The first chunk is
        // JSON; the second may be BIN.
        if (size < 20 || sw_load(text + 4, 4, false) != 2)
            return sw_fail(error, SW_ERROR_FORMAT, "expected a GLB file of version 2");
        ntext = sw_load(text + 12, 4, false);
        if (memcmp(text + 16, "JSON", 4) != 0 || ntext > size - 20)
            return sw_fail(error, SW_ERROR_FORMAT, "the file ends inside its JSON chunk");
        text += 20;
        size -= 20 + ntext;
        const char *chunk = text + ntext;
        if (size >= 8 && memcmp(chunk + 4, "BIN", 4) == 0) {
            g->nbin = sw_load(chunk, 4, false);
            g->bin = chunk + 8;
            if (g->nbin > size - 8)
                return sw_fail(error, SW_ERROR_FORMAT, "the file ends inside its BIN chunk");
        }
    } else {
        swScan s;
        if (!sw_scan_open(&s, file, error))
            return false;
    }
    g->root = sw_json_parse(text, ntext, file->path ? file->path : "glTF", arena, error);
    return g->root && check_extensions(g) &&
           (g->buffer = SW_NEW(arena, sw_gltf_count(g, "buffers"), swGltfBuffer, error));
}
