// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// From the simulated motion to joints: the transforms of bones and frames at the keys, and the
// nodes that produce them.
#include "output/character_parts.h"

#include "formats/rig_read.h"

#include <string.h>

// ---- the file that is gone on from ----

// Checks the lists that are traversed item by item when written.
static bool check_lists(swWriting *w) {
    static const char *const names[] = {"nodes",       "skins",   "meshes", "animations",
                                        "bufferViews", "buffers", "images"};
    for (int i = 0; i < SW_COUNT(names); i++) {
        const swJson *list = sw_json_member(w->file.root, names[i]), *item;
        if (list && list->type != SW_JSON_ARRAY)
            return sw_gltf_refuse(&w->file, list, names[i], "a list");
        for (int k = 0; (item = sw_json_at(list, k)); k++)
            if (item->type != SW_JSON_OBJECT)
                return sw_gltf_refuse(&w->file, item, names[i], "objects");
    }
    return true;
}

// Whether the file is still the one that the model was made from.
static bool check_file(swWriting *w, swError *error) {
    const swSurface *surface = &w->rig.surface;
    bool same = surface->nvertex <= w->body->npoint && w->info->clip < w->rig.nclip;
    const swReal near = 1e-9 * sw_norm(sw_sub(w->body->hi, w->body->lo));
    for (int v = 0; v < surface->nvertex && same; v++) {
        const swVec3 x = sw_affine_at(w->info->rest, surface->X[v]);
        same = sw_norm(sw_sub(x, w->m->point[w->body->point + v])) <= near;
    }
    w->bone = SW_NEW(&w->scratch, w->body->nnode, int, error);
    if (!w->bone)
        return false;
    for (int i = 0; i < w->body->nnode; i++) {
        const int handle = w->m->node[w->body->node + i].handle;
        const int joint = handle < 0 ? -1 : w->m->handle[handle].joint;
        w->bone[i] = joint;
        same = same && joint < w->g.base.node && (joint < 0 || w->node_of[joint] >= 0);
    }
    return same || sw_fail(error, SW_ERROR_VALUE,
                           "expected the file that the model was made of, found another mesh or "
                           "skeleton in it");
}

static bool open_file(swWriting *w, swError *error) {
    const char *path = sw_body_text(w->m, w->info->file);
    swArena *arena = &w->g.arena;
    char *data;
    if (!sw_file_read(path, arena, &data, &w->data.size, error))
        return false;
    w->data.path = path;
    w->data.data = data;
    if (!sw_gltf_open(&w->file, &w->data, arena, error) || !check_lists(w) ||
        !sw_rig_read(path, arena, &w->rig, error))
        return false;
    swGltfBase *base = &w->g.base;
    base->node = sw_gltf_count(&w->file, "nodes");
    base->accessor = sw_gltf_count(&w->file, "accessors");
    base->view = sw_gltf_count(&w->file, "bufferViews");
    base->nodes = SW_NEW(arena, base->node, swGltfNode, error);
    w->node_of = SW_NEW(arena, base->node, int, error);
    if (!base->nodes || !w->node_of)
        return false;
    for (int i = 0; i < base->node; i++)
        w->node_of[i] = -1;
    for (int i = 0; i < w->rig.nnode; i++)
        if (w->rig.node[i].index >= 0)
            w->node_of[w->rig.node[i].index] = i;
    return check_file(w, error);
}

// Loads image data from outside the file's buffers, so that the new file is complete by itself.
static bool load_images(swWriting *w) {
    const swJson *images = sw_json_member(w->file.root, "images"), *image;
    w->image = SW_NEW(&w->g.arena, sw_gltf_count(&w->file, "images"), swGltfBuffer, w->g.error);
    if (!w->image)
        return false;
    for (int i = 0; (image = sw_json_at(images, i)); i++) {
        const swJson *uri = sw_json_member(image, "uri");
        if (!uri)
            continue;
        if (!sw_gltf_load(&w->file, uri, &w->image[i]))
            return false;
        w->nimage++;
        w->g.base.view++;
        w->g.size += sw_gltf_padded(w->image[i].size);
    }
    return true;
}

static bool load_buffers(swWriting *w) {
    const swJson *buffers = sw_json_member(w->file.root, "buffers"), *json;
    const swJson *views = sw_json_member(w->file.root, "bufferViews"), *view;
    int64_t offset;
    for (int i = 0; (view = sw_json_at(views, i)); i++) // including those that were not used
        if (!sw_gltf_item(&w->file, view, "buffer", "buffers") ||
            !sw_gltf_whole(&w->file, view, "byteOffset", 0, &offset))
            return false;
    for (int i = 0; (json = sw_json_at(buffers, i)); i++) {
        const swGltfBuffer *buffer = sw_gltf_buffer(&w->file, json);
        if (!buffer || !sw_gltf_has_room(&w->g, (int64_t)buffer->size, 1))
            return false;
        w->g.size += sw_gltf_padded(buffer->size);
    }
    return load_images(w);
}

// ---- keys ----

// The simulated time when the clip begins, and when the part of it that is written ends. Of a
// repeated clip, the last full round is written, which no longer depends on the start.
static void find_span(const swWriting *w, swReal *start, swReal *end) {
    const swRigInfo *info = w->info;
    const swReal first = w->clip->keys.item[0].t;
    const swReal last = w->clip->keys.item[w->clip->keys.count - 1].t;
    swReal round = 0;
    if (info->duration > 0)
        round =
            sw_clamp(floor((last - info->lead) / info->duration + 1e-6) - 1, 0, info->repeat - 1);
    const swReal begin = info->clip < 0 ? 0 : info->lead + round * info->duration;
    *start = sw_clamp(begin, first, last);
    *end = round < info->repeat - 1 ? sw_clamp(begin + info->duration, first, last) : last;
}

static void add_key(swWriting *w, swReal t, const swReal *q) {
    w->t[w->g.nkey] = t;
    w->q[w->g.nkey++] = q;
}

// The recorded times within the span, and its two ends.
static bool make_keys(swWriting *w, swError *error) {
    static const swReal apart = 1e-6; // [s]: closer times are equal up to rounding
    const swBodyClip *clip = w->clip;
    const size_t n = (size_t)clip->keys.count, nq = (size_t)w->m->size.nq;
    swReal start, end, *q = sw_arena_alloc(&w->scratch, 2 * nq, sizeof *q, error);
    w->t = SW_NEW(&w->scratch, n + 2, swReal, error);
    w->q = SW_NEW(&w->scratch, n + 2, const swReal *, error);
    if (!q || !w->t || !w->q)
        return false;
    find_span(w, &start, &end);
    sw_body_clip_pose(clip, start, q);
    add_key(w, 0, q);
    for (size_t k = 0; k < n; k++) {
        const swClipKey *key = &clip->keys.item[k];
        if (key->t > start + apart && key->t < end - apart)
            add_key(w, key->t - start, key->q);
    }
    if (end > start + apart) {
        sw_body_clip_pose(clip, end, q + nq);
        add_key(w, end - start, q + nq);
    }
    return true;
}

swAffine sw_writing_motion(const swWriting *w, int i, int key) {
    const swNode *node = &w->m->node[w->body->node + i];
    if (key == 0)
        return (swAffine){sw_mat_identity(), {0, 0, 0}};
    swAffine move = sw_gltf_frame_place(node, w->q[key - 1]);
    move.b = sw_sub(move.b, sw_mul(move.A, node->origin));
    return sw_affine_mul(sw_affine_inverse(w->info->place), sw_affine_mul(move, w->info->rest));
}

static bool is_singular(swAffine f) {
    const swReal *m = f.A.m;
    swReal size = 0;
    for (int k = 0; k < 9; k++)
        size += m[k] * m[k];
    return !(fabs(sw_mat_det(f.A)) > 1e-9 * size * sqrt(size));
}

// Finds simulated bones, and handles below them, which go where the body has them.
static bool find_soft(swWriting *w, int *of, swError *error) {
    w->soft = SW_NEW(&w->scratch, w->rig.nnode, bool, error);
    if (!w->soft)
        return false;
    for (int i = 0; i < w->rig.nnode; i++)
        of[i] = -1;
    for (int i = 0; i < w->body->nnode; i++)
        if (w->bone[i] >= 0)
            of[w->node_of[w->bone[i]]] = i;
    for (int i = 0; i < w->rig.nnode; i++) {
        bool below = false;
        for (int up = w->rig.node[i].parent; up >= 0; up = w->rig.node[up].parent)
            below = below || w->soft[up];
        w->soft[i] = of[i] >= 0 && (below || w->m->node[w->body->node + of[i]].ndof > 0);
    }
    return true;
}

// Bones follow the clip; nodes below simulated bones are carried along.
static bool pose_bones(swWriting *w, swError *error) {
    const int nnode = w->rig.nnode;
    int *of = SW_NEW(&w->scratch, nnode, int, error); // per node of the rig: its frame in the body
    swAffine *before = SW_NEW(&w->scratch, nnode, swAffine, error);
    bool *moved = SW_NEW(&w->scratch, nnode, bool, error);
    w->global = sw_arena_alloc(&w->scratch, (size_t)nnode * (size_t)(w->g.nkey + 1),
                               sizeof *w->global, error);
    if (!of || !before || !moved || !w->global || !find_soft(w, of, error))
        return false;
    sw_rig_pose(&w->rig, -1, 0, w->global);
    for (int k = 1; k <= w->g.nkey; k++) {
        swAffine *global = sw_writing_global(w, k);
        sw_rig_pose(&w->rig, w->info->clip, w->t[k - 1], global);
        memcpy(before, global, (size_t)nnode * sizeof *before);
        for (int i = 0; i < nnode; i++) {
            const int up = w->rig.node[i].parent;
            moved[i] = w->soft[i] || (up >= 0 && moved[up]);
            if (w->soft[i])
                global[i] = sw_affine_mul(sw_writing_motion(w, of[i], k), w->global[i]);
            else if (moved[i] && !is_singular(before[up]))
                global[i] = sw_affine_mul(global[up],
                                          sw_affine_mul(sw_affine_inverse(before[up]), before[i]));
        }
    }
    return true;
}

// ---- frames below bones ----

// How much each bone (column) moved, in the file, the vertices that each frame (row) moves now.
static void find_overlaps(const swWriting *w, swReal *overlap) {
    const swBodyModel *m = w->m;
    const swRig *rig = &w->rig;
    for (int v = 0; v < rig->surface.nvertex; v++) {
        const int p = w->body->point + v;
        for (int e = m->point_start[p]; e < m->point_start[p + 1]; e++) {
            swReal *row = overlap + (size_t)(m->point_node[e] - w->body->node) * (size_t)rig->nnode;
            for (int k = rig->start[v]; k < rig->start[v + 1]; k++)
                row[rig->bind[rig->influence[k].bind].node] +=
                    m->point_weight[e] * rig->influence[k].weight;
        }
    }
}

static bool often_singular(const swWriting *w, int node) {
    for (int k = 0; k <= w->g.nkey; k++)
        if (is_singular(sw_writing_global(w, k)[node]))
            return true;
    return false;
}

// The bone that becomes the parent of a frame: the one that moved most of its vertices, or the
// nearest above it that is a joint and never shrinks to nothing.
static int find_parent(const swWriting *w, const swReal *row) {
    int best = -1;
    for (int i = 0; i < w->rig.nnode; i++)
        if (row[i] > 0 && (best < 0 || row[i] > row[best]))
            best = i;
    while (best >= 0 && (!w->rig.node[best].joint || often_singular(w, best)))
        best = w->rig.node[best].parent;
    return best;
}

// Whether a transform is a similarity: it keeps right angles, and scales all lengths alike.
static bool is_similar(swAffine f) {
    const swMat3 C = sw_mat_mul(sw_mat_t(f.A), f.A);
    const swReal size = (C.m[0] + C.m[4] + C.m[8]) / 3;
    for (int k = 0; k < 9; k++)
        if (!(fabs(C.m[k] - (k % 4 == 0 ? size : 0)) <= 1e-6 * size))
            return false;
    return true;
}

static bool animate(swWriting *w, int parent, const char *name, swAffine *track, int outer,
                    int inner) {
    for (int k = 0; k <= w->g.nkey && parent >= 0; k++)
        track[k] = sw_affine_mul(sw_affine_inverse(sw_writing_global(w, k)[parent]), track[k]);
    return sw_gltf_animate_joint(&w->g, name, track, outer, inner);
}

static bool add_frame(swWriting *w, int i, swAffine *track) {
    const swNode *frame = &w->m->node[w->body->node + i];
    swCarrier *to = &w->carrier[i];
    const swVec3 origin = sw_writing_origin(w, i);
    bool simple = frame->kind != SW_NODE_AFFINE;
    for (int k = 0; k <= w->g.nkey; k++) {
        const swAffine motion = sw_writing_motion(w, i, k);
        track[k] = (swAffine){motion.A, sw_affine_at(motion, origin)};
        simple = simple && is_similar(sw_writing_global(w, k)[to->parent]);
    }
    const int outer = sw_gltf_nodes(&w->g, 1), inner = simple ? -1 : sw_gltf_nodes(&w->g, 2);
    const char *name = sw_gltf_frame_name(&w->g, w->name, w->m, frame);
    if (outer < 0 || (!simple && inner < 0) || !name)
        return false;
    to->node = outer;
    to->joint = simple ? outer : inner + 1;
    return animate(w, to->parent, name, track, outer, inner);
}

static bool add_joints(swWriting *w, swError *error) {
    const int nnode = w->body->nnode, nbone = w->rig.nnode;
    swReal *overlap =
        sw_arena_alloc(&w->scratch, (size_t)nnode * (size_t)nbone, sizeof *overlap, error);
    swAffine *track = SW_NEW(&w->scratch, w->g.nkey + 1, swAffine, error);
    w->carrier = SW_NEW(&w->scratch, nnode, swCarrier, error);
    if (!overlap || !track || !w->carrier)
        return false;
    find_overlaps(w, overlap);
    for (int i = 0; i < nnode; i++) {
        swCarrier *to = &w->carrier[i];
        const int bone = w->bone[i];
        const swReal *row = overlap + (size_t)i * (size_t)nbone;
        bool moves = false;
        for (int k = 0; k < nbone; k++)
            moves = moves || row[k] > 0;
        *to = (swCarrier){bone, bone, -1};
        if (bone >= 0 || !moves || w->options->keep_weights)
            continue;
        to->parent = find_parent(w, row);
        if (to->parent < 0)
            return sw_fail(error, SW_ERROR_UNSUPPORTED,
                           "frame %d moves vertices of no bone, or of bones that shrink to nothing",
                           i);
        if (!add_frame(w, i, track))
            return false;
    }
    for (int i = 0; i < nbone; i++) {
        if (!w->soft[i])
            continue;
        const int parent = w->rig.node[i].parent;
        if (parent >= 0 && often_singular(w, parent))
            return sw_fail(error, SW_ERROR_UNSUPPORTED,
                           "the simulated bone \"%s\" hangs on one that shrinks to nothing",
                           w->rig.node[i].name);
        for (int k = 0; k <= w->g.nkey; k++)
            track[k] = sw_writing_global(w, k)[i];
        if (!animate(w, parent, NULL, track, w->rig.node[i].index, -1))
            return false;
    }
    return w->g.channels.count == 0 || sw_gltf_add_times(&w->g, w->t);
}

// ---- the way in ----

static bool can_write(const swWriting *w, swError *error) {
    const swPartInfo part = sw_body_outer(w->m, w->info->body);
    const char *reason;
    if (w->options->keep_weights || sw_gltf_can_skin(w->m, &part, &reason))
        return true;
    return sw_fail(error, SW_ERROR_UNSUPPORTED,
                   "body \"%s\" %s, which a skin cannot say; affine or rigid frames with linear "
                   "blending can be written",
                   w->name, reason);
}

static swWriting start(const swModel *model, const swClip *clip, int body,
                       const swGltfOptions *options, swError *error) {
    static const swGltfOptions defaults = {.max_influences = 4};
    const swBodyModel *m = sw_model_body(model, body);
    swWriting w = {.m = m, .clip = clip ? &clip->body[body] : NULL, .info = &m->rig[0]};
    w.options = options ? options : &defaults;
    w.body = &m->body[0];
    w.name = sw_model_text(model, model->place[body].name);
    w.g.error = error;
    sw_arena_init(&w.g.arena, &model->config.allocator);
    sw_arena_init(&w.scratch, &model->config.allocator);
    return w;
}

// Errors without a path are about the file that was read.
static bool end(swWriting *w, bool ok) {
    swError *error = w->g.error;
    if (!ok && error && !error->path[0])
        snprintf(error->path, sizeof error->path, "%s", sw_body_text(w->m, w->info->file));
    sw_arena_free(&w->scratch);
    sw_arena_free(&w->g.arena);
    return ok;
}

int sw_character_find(const swModel *m) {
    const swBodyModel *b = sw_model_body(m, 0);
    return m->size.nbody == 1 && b->size.nrig == 1 && b->rig[0].own ? 0 : -1;
}

bool sw_character_check(const swModel *model, int body, const swGltfOptions *options,
                        swError *error) {
    swWriting w = start(model, NULL, body, options, error);
    return end(&w, open_file(&w, error) && can_write(&w, error) && load_buffers(&w));
}

bool sw_character_write(const swModel *model, const swClip *clip, int body, const char *path,
                        const swGltfOptions *options, swGltfReport *report, swError *error) {
    swGltfReport unread;
    report = report ? report : &unread;
    *report = (swGltfReport){0};
    if (sw_clip_count(clip) == 0)
        return sw_fail_at(error, SW_ERROR_VALUE, path, 0, 0, "no motion was recorded");
    swWriting w = start(model, clip, body, options, error);
    report->skinned = 1;
    return end(&w, open_file(&w, error) && can_write(&w, error) && load_buffers(&w) &&
                       make_keys(&w, error) && pose_bones(&w, error) && add_joints(&w, error) &&
                       (w.options->keep_weights || sw_character_add_skins(&w, report)) &&
                       sw_character_save(&w, path));
}
