// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Writes the character's new file: its JSON text as it was, with new items after the existing ones,
// so that the indices by which parts refer to each other stay valid.
#include "output/character_parts.h"

#include <string.h>

static void put_members(swJsonWriter *j, const swJson *object, const char *const *without) {
    for (int i = 0; i < object->count; i++) {
        bool skip = false;
        for (int k = 0; without[k]; k++)
            skip = skip || strcmp(object->item[i].key, without[k]) == 0;
        if (!skip)
            sw_json_put(j, object->item[i].key, &object->item[i]);
    }
}

#define WITHOUT(...) ((const char *const[]){__VA_ARGS__, NULL})

static void put_items(swJsonWriter *j, const swJson *list) {
    for (int i = 0; sw_json_at(list, i); i++)
        sw_json_put(j, NULL, sw_json_at(list, i));
}

// ---- nodes and skins ----

static void put_nodes(swJsonWriter *j, const swWriting *w, const swJson *list) {
    sw_json_begin(j, "nodes", '[');
    for (int n = 0; n < w->g.base.node; n++) {
        const swJson *node = &list->item[n];
        const swGltfNode *pose = &w->g.base.nodes[n];
        const bool new = pose->has[SW_GLTF_ROTATION];
        sw_json_begin(j, NULL, '{');
        if (new &&sw_json_member(node, "matrix")) {
            put_members(j, node, WITHOUT("children", "matrix")); // a matrix cannot be animated
            sw_gltf_put_pose(j, pose);
        } else
            put_members(j, node, WITHOUT("children"));
        bool open = false;
        const swJson *children = sw_json_member(node, "children");
        if (children && children->count > 0) {
            sw_json_begin(j, "children", '[');
            put_items(j, children);
            open = true;
        }
        for (int i = 0; w->carrier && i < w->body->nnode; i++) {
            const swCarrier *to = &w->carrier[i];
            if (to->parent < 0 || w->rig.node[to->parent].index != n)
                continue;
            if (!open)
                sw_json_begin(j, "children", '[');
            sw_json_put_int(j, NULL, to->node);
            open = true;
        }
        if (open)
            sw_json_end(j);
        sw_json_end(j);
    }
    sw_gltf_put_nodes(j, &w->g);
    sw_json_end(j);
}

static void put_skins(swJsonWriter *j, const swWriting *w, const swJson *list) {
    sw_json_begin(j, "skins", '[');
    for (int s = 0; s < list->count; s++) {
        const swCharacterSkin *skin = w->skin ? &w->skin[s] : NULL;
        if (!skin || !skin->json) {
            sw_json_put(j, NULL, &list->item[s]);
            continue;
        }
        sw_json_begin(j, NULL, '{');
        // Bones of other skins may not be below the given root.
        if (skin->njoint > skin->nown)
            put_members(j, skin->json, WITHOUT("joints", "inverseBindMatrices", "skeleton"));
        else
            put_members(j, skin->json, WITHOUT("joints", "inverseBindMatrices"));
        sw_json_put_int(j, "inverseBindMatrices", skin->inverse_bind);
        sw_json_begin(j, "joints", '[');
        for (int k = 0; k < skin->njoint; k++)
            sw_json_put_int(j, NULL, skin->joint[k]);
        sw_json_end(j);
        sw_json_end(j);
    }
    sw_json_end(j);
}

// ---- meshes ----

static const char *const attributes[3] = {"POSITION", "NORMAL", "TANGENT"};

// Writes an attributes object with some accessors replaced.
static void put_attributes(swJsonWriter *j, const char *key, const swJson *from, const int new[3],
                           const swGltfSets *sets) {
    sw_json_begin(j, key, '{');
    for (int i = 0; i < from->count; i++) {
        const swJson *item = &from->item[i];
        int which = 0;
        while (which < 3 && strcmp(item->key, attributes[which]) != 0)
            which++;
        const bool weights =
            strncmp(item->key, "JOINTS_", 7) == 0 || strncmp(item->key, "WEIGHTS_", 8) == 0;
        if (which < 3 && new[which] >= 0)
            sw_json_put_int(j, item->key, new[which]);
        else if (!weights || !sets || sets->nset == 0)
            sw_json_put(j, item->key, item);
    }
    for (int k = 0; sets && k < sets->nset; k++) {
        char name[32];
        snprintf(name, sizeof name, "JOINTS_%d", k);
        sw_json_put_int(j, name, sets->set + 2 * k);
        snprintf(name, sizeof name, "WEIGHTS_%d", k);
        sw_json_put_int(j, name, sets->set + 2 * k + 1);
    }
    sw_json_end(j);
}

static void put_primitive(swJsonWriter *j, const swWriting *w, int mesh, int primitive,
                          const swJson *json) {
    const swCharacterPrimitive *p = NULL;
    for (int i = 0; i < w->primitives.count && !p; i++)
        if (w->primitives.item[i].mesh == mesh && w->primitives.item[i].primitive == primitive)
            p = &w->primitives.item[i];
    const swJson *targets = p && p->target ? sw_json_member(json, "targets") : NULL;
    if (!p) {
        sw_json_put(j, NULL, json);
        return;
    }
    sw_json_begin(j, NULL, '{');
    for (int i = 0; i < json->count; i++) {
        const swJson *item = &json->item[i];
        if (strcmp(item->key, "attributes") == 0)
            put_attributes(j, item->key, item, p->attribute, &p->sets);
        else if (item == targets) {
            sw_json_begin(j, item->key, '[');
            for (int k = 0; k < targets->count; k++)
                put_attributes(j, NULL, &targets->item[k], p->target + 3 * k, NULL);
            sw_json_end(j);
        } else
            sw_json_put(j, item->key, item);
    }
    sw_json_end(j);
}

static void put_meshes(swJsonWriter *j, const swWriting *w, const swJson *list) {
    sw_json_begin(j, "meshes", '[');
    for (int m = 0; m < list->count; m++) {
        const swJson *mesh = &list->item[m], *primitives = sw_json_member(mesh, "primitives");
        sw_json_begin(j, NULL, '{');
        put_members(j, mesh, WITHOUT("primitives"));
        sw_json_begin(j, "primitives", '[');
        for (int p = 0; sw_json_at(primitives, p); p++)
            put_primitive(j, w, m, p, sw_json_at(primitives, p));
        sw_json_end(j);
        sw_json_end(j);
    }
    sw_json_end(j);
}

// ---- animations ----

// Whether a channel of the clip animates something that the simulation moves now.
static bool is_replaced(const swWriting *w, const swJson *channel) {
    const swJson *target = sw_json_member(channel, "target");
    const swJson *node = sw_json_member(target, "node");
    const char *path = sw_gltf_text(target, "path");
    const bool pose = strcmp(path, "translation") == 0 || strcmp(path, "rotation") == 0 ||
                      strcmp(path, "scale") == 0;
    return pose && node && w->soft[w->node_of[(int)node->number]];
}

static void put_clip(swJsonWriter *j, const swWriting *w, const swJson *clip) {
    const swJson *channels = sw_json_member(clip, "channels");
    const swJson *samplers = sw_json_member(clip, "samplers");
    sw_json_begin(j, NULL, '{');
    if (clip)
        put_members(j, clip, WITHOUT("channels", "samplers"));
    else
        sw_json_put_text(j, "name", "soft");
    sw_json_begin(j, "samplers", '[');
    put_items(j, samplers);
    sw_gltf_put_samplers(j, &w->g);
    sw_json_end(j);
    sw_json_begin(j, "channels", '[');
    const swJson *channel;
    for (int i = 0; (channel = sw_json_at(channels, i)); i++)
        if (!is_replaced(w, channel))
            sw_json_put(j, NULL, channel);
    sw_gltf_put_channels(j, &w->g, samplers ? samplers->count : 0);
    sw_json_end(j);
    sw_json_end(j);
}

static void put_animations(swJsonWriter *j, const swWriting *w, const swJson *list) {
    const int clip = w->info->clip, n = list ? list->count : 0;
    const bool moves = w->g.channels.count > 0;
    if (n == 0 && !moves)
        return;
    sw_json_begin(j, "animations", '[');
    for (int i = 0; i < n; i++)
        if (i == clip && moves)
            put_clip(j, w, &list->item[i]);
        else
            sw_json_put(j, NULL, &list->item[i]);
    if (clip < 0 && moves)
        put_clip(j, w, NULL);
    sw_json_end(j);
}

// ---- data: one buffer, with those of the file first, then images from elsewhere ----

static void put_view(swJsonWriter *j, size_t offset, size_t size) {
    sw_json_begin(j, NULL, '{');
    sw_json_put_int(j, "buffer", 0);
    sw_json_put_int(j, "byteOffset", (int64_t)offset);
    sw_json_put_int(j, "byteLength", (int64_t)size);
    sw_json_end(j);
}

static void put_views(swJsonWriter *j, const swWriting *w, const swJson *list) {
    const int nbuffer = sw_gltf_count(&w->file, "buffers");
    sw_json_begin(j, "bufferViews", '[');
    for (int i = 0; i < list->count; i++) {
        const swJson *view = &list->item[i], *buffer = sw_json_member(view, "buffer");
        const swJson *within = sw_json_member(view, "byteOffset");
        size_t offset = within ? (size_t)within->number : 0;
        for (int b = 0; b < nbuffer && buffer && b < (int)buffer->number; b++)
            offset += sw_gltf_padded(w->file.buffer[b].size);
        sw_json_begin(j, NULL, '{');
        sw_json_put_int(j, "buffer", 0);
        sw_json_put_int(j, "byteOffset", (int64_t)offset);
        put_members(j, view, WITHOUT("buffer", "byteOffset"));
        sw_json_end(j);
    }
    size_t offset = 0;
    for (int b = 0; b < nbuffer; b++)
        offset += sw_gltf_padded(w->file.buffer[b].size);
    for (int i = 0; i < sw_gltf_count(&w->file, "images"); i++)
        if (w->image[i].data) {
            put_view(j, offset, w->image[i].size);
            offset += sw_gltf_padded(w->image[i].size);
        }
    sw_gltf_put_views(j, &w->g);
    sw_json_end(j);
}

static const char *image_type(const swGltfBuffer *image) {
    static const struct {
        const char *start, *type;
        size_t size;
    } known[] = {{"\x89PNG", "image/png", 4},
                 {"\xff\xd8", "image/jpeg", 2},
                 {"RIFF", "image/webp", 4},
                 {"\xabKTX 20", "image/ktx2", 7}};
    for (int i = 0; i < SW_COUNT(known); i++)
        if (image->size >= known[i].size && memcmp(image->data, known[i].start, known[i].size) == 0)
            return known[i].type;
    return "application/octet-stream";
}

static void put_images(swJsonWriter *j, const swWriting *w, const swJson *list) {
    int view = w->g.base.view - w->nimage;
    sw_json_begin(j, "images", '[');
    for (int i = 0; i < list->count; i++) {
        if (!w->image[i].data) {
            sw_json_put(j, NULL, &list->item[i]);
            continue;
        }
        sw_json_begin(j, NULL, '{');
        put_members(j, &list->item[i], WITHOUT("uri", "mimeType"));
        sw_json_put_text(j, "mimeType", image_type(&w->image[i]));
        sw_json_put_int(j, "bufferView", view++);
        sw_json_end(j);
    }
    sw_json_end(j);
}

static void write_data(swFile *file, void *context) {
    static const char blank[4];
    const swWriting *w = context;
    const int nbuffer = sw_gltf_count(&w->file, "buffers");
    for (int i = 0; i < nbuffer + sw_gltf_count(&w->file, "images"); i++) {
        const swGltfBuffer *b = i < nbuffer ? &w->file.buffer[i] : &w->image[i - nbuffer];
        sw_file_write(file, b->data, b->size);
        sw_file_write(file, blank, sw_gltf_padded(b->size) - b->size);
    }
}

// ---- the whole ----

static void put_accessors(swJsonWriter *j, const swWriting *w, const swJson *list) {
    sw_json_begin(j, "accessors", '[');
    put_items(j, list);
    sw_gltf_put_accessors(j, &w->g);
    sw_json_end(j);
}

static void put_buffers(swJsonWriter *j, const swWriting *w, const swJson *list) {
    (void)list;
    sw_json_begin(j, "buffers", '[');
    sw_json_begin(j, NULL, '{');
    sw_json_put_int(j, "byteLength", (int64_t)w->g.size);
    sw_json_end(j);
    sw_json_end(j);
}

bool sw_character_save(swWriting *w, const char *path) {
    static const struct {
        const char *key;
        void (*put)(swJsonWriter *j, const swWriting *w, const swJson *list);
    } part[] = {{"nodes", put_nodes},         {"skins", put_skins},
                {"meshes", put_meshes},       {"animations", put_animations},
                {"accessors", put_accessors}, {"bufferViews", put_views},
                {"buffers", put_buffers},     {"images", put_images}};
    swFile file;
    if (!sw_gltf_begin(&w->g, path, &file))
        return false;
    swJsonWriter j = {.file = &file};
    sw_json_begin(&j, NULL, '{');
    for (int i = 0; i < w->file.root->count; i++) {
        const swJson *member = &w->file.root->item[i];
        int k = 0;
        while (k < SW_COUNT(part) && strcmp(member->key, part[k].key) != 0)
            k++;
        if (k < SW_COUNT(part))
            part[k].put(&j, w, member);
        else
            sw_json_put(&j, member->key, member);
    }
    if (!sw_json_member(w->file.root, "animations"))
        put_animations(&j, w, NULL);
    sw_json_end(&j);
    return sw_gltf_end(&w->g, &file, write_data, w);
}
