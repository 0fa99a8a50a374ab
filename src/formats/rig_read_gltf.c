// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Rigs from glTF: the scene as the mesh reader finds it, and the file's animations as clips.
#include "formats/mesh_gltf.h"
#include "formats/rig_read.h"

#include <string.h>

typedef struct swClips {
    swGltfFile *file;
    const swRig *rig;
    int *node_of;          // per node of the file: its index in the rig
    const swReal **loaded; // per accessor: its numbers, or NULL
} swClips;

// Loads all numbers of an accessor, `width` for each item.
static const swReal *load_numbers(swClips *c, const swJson *json, const char *type, int width,
                                  int *nitem) {
    swGltfFile *g = c->file;
    const int index = sw_gltf_index(g, json, "accessors");
    swGltfItems a;
    if (!sw_gltf_accessor(g, json, type, width, &a)) // the type may differ from the last time
        return NULL;
    *nitem = (int)a.count;
    if (c->loaded[index])
        return c->loaded[index];
    swReal *v = sw_arena_alloc(g->arena, (size_t)a.count * (size_t)width, sizeof *v, g->error);
    for (int64_t i = 0; v && i < a.count; i++)
        for (int k = 0; k < width; k++)
            v[i * width + k] = sw_gltf_component(&a, i, k);
    return c->loaded[index] = v;
}

static bool find_path(swGltfFile *g, const swJson *target, swRigChannel *channel, bool *known) {
    static const char *const names[] = {"translation", "rotation", "scale"};
    const char *path = sw_gltf_text(target, "path");
    *known = false;
    for (int i = 0; i < SW_COUNT(names); i++)
        if (strcmp(path, names[i]) == 0) {
            channel->path = (swRigPath)i;
            *known = true;
        }
    return *known || strcmp(path, "weights") == 0 || strcmp(path, "pointer") == 0 ||
           sw_gltf_refuse(g, target, "path", "translation, rotation, scale or weights");
}

static bool find_interpolation(swGltfFile *g, const swJson *sampler, swRigChannel *channel) {
    static const char *const names[] = {"LINEAR", "STEP", "CUBICSPLINE"};
    const char *name = sw_gltf_text(sampler, "interpolation");
    channel->interpolation = SW_RIG_LINEAR;
    for (int i = 0; i < SW_COUNT(names); i++)
        if (strcmp(name, names[i]) == 0) {
            channel->interpolation = (swRigInterpolation)i;
            return true;
        }
    return !name[0] || sw_gltf_refuse(g, sampler, "interpolation", "LINEAR, STEP or CUBICSPLINE");
}

// Normalises rotations, but not the tangents of cubic splines.
static bool normalize(swGltfFile *g, const swJson *at, const swRigChannel *c) {
    const bool cubic = c->interpolation == SW_RIG_CUBIC;
    for (int i = 0; i < c->nkey; i++) {
        swReal *q = (swReal *)c->value + (size_t)(cubic ? 12 * i + 4 : 4 * i);
        const swReal length = sqrt(sw_dot_n(4, q, q));
        if (!(length > 0))
            return sw_gltf_refuse(g, at, "rotation", "quaternions other than zero");
        for (int k = 0; k < 4; k++)
            q[k] /= length;
    }
    return true;
}

// Sets `known` to false if the channel animates something that a rig does not have.
static bool read_channel(swClips *c, const swJson *json, const swJson *samplers,
                         swRigChannel *channel, bool *known) {
    swGltfFile *g = c->file;
    const swJson *target = sw_json_member(json, "target"), *sampler, *input, *output;
    int64_t index, node;
    if (!target)
        return sw_gltf_refuse(g, json, "channel", "a target");
    if (!find_path(g, target, channel, known))
        return false;
    *known = *known && sw_json_member(target, "node");
    if (!*known)
        return true;
    if (!sw_gltf_whole(g, target, "node", -1, &node) ||
        !sw_gltf_whole(g, json, "sampler", -1, &index))
        return false;
    if (node >= sw_gltf_count(g, "nodes"))
        return sw_gltf_refuse(g, target, "node", "the number of a node");
    sampler = index <= INT32_MAX ? sw_json_at(samplers, (int)index) : NULL;
    if (!sampler)
        return sw_gltf_refuse(g, json, "sampler", "the number of a sampler");
    channel->node = c->node_of[node];
    const bool turn = channel->path == SW_RIG_ROTATION;
    int nvalue;
    if (!find_interpolation(g, sampler, channel) ||
        !(input = sw_gltf_item(g, sampler, "input", "accessors")) ||
        !(output = sw_gltf_item(g, sampler, "output", "accessors")) ||
        !(channel->t = load_numbers(c, input, "SCALAR", 1, &channel->nkey)) ||
        !(channel->value = load_numbers(c, output, turn ? "VEC4" : "VEC3", turn ? 4 : 3, &nvalue)))
        return false;
    if ((int64_t)channel->nkey * (channel->interpolation == SW_RIG_CUBIC ? 3 : 1) != nvalue)
        return sw_gltf_refuse(g, sampler, "output",
                              "one value for each time, or three with CUBICSPLINE");
    return !turn || normalize(g, sampler, channel);
}

static bool read_clip(swClips *c, const swJson *json, swRigClip *clip) {
    swGltfFile *g = c->file;
    const swJson *channels = sw_json_member(json, "channels");
    const swJson *samplers = sw_json_member(json, "samplers");
    const int n = channels && channels->type == SW_JSON_ARRAY ? channels->count : 0;
    clip->name = sw_gltf_text(json, "name");
    if (!(clip->channel = SW_NEW(g->arena, n, swRigChannel, g->error)))
        return false;
    for (int i = 0; i < n; i++) {
        bool known;
        if (!read_channel(c, sw_json_at(channels, i), samplers, &clip->channel[clip->nchannel],
                          &known))
            return false;
        clip->nchannel += known;
    }
    return true;
}

static bool read_rig(const swMeshFile *file, swArena *arena, swRig *rig, swError *error) {
    swGltfFile g;
    swClips c = {.file = &g, .rig = rig};
    if (!sw_gltf_open(&g, file, arena, error) || !sw_gltf_scene(&g, rig) ||
        !(c.node_of = SW_NEW(arena, sw_gltf_count(&g, "nodes"), int, error)) ||
        !(c.loaded = SW_NEW(arena, sw_gltf_count(&g, "accessors"), const swReal *, error)))
        return false;
    for (int i = 0; i < rig->nnode; i++)
        if (rig->node[i].index >= 0)
            c.node_of[rig->node[i].index] = i;
    rig->nclip = sw_gltf_count(&g, "animations");
    if (!(rig->clip = SW_NEW(arena, rig->nclip, swRigClip, error)))
        return false;
    for (int i = 0; i < rig->nclip; i++)
        if (!read_clip(&c, sw_json_at(sw_json_member(g.root, "animations"), i), &rig->clip[i]))
            return false;
    return true;
}

const swRigFormat sw_rig_glb = {".glb", read_rig};
const swRigFormat sw_rig_gltf = {".gltf", read_rig};
