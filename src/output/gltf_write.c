// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "output/gltf_write.h"

#include "output/gltf.h"
#include "kinematics/bed.h"
#include "kinematics/points.h"
#include "material/paint.h"

static int add_material(swGltf *g, const char *name, const double color[3], double roughness) {
    swGltfMaterial *m = SW_PUSH(&g->materials, &g->arena, g->error);
    if (!m)
        return -1;
    *m = (swGltfMaterial){name, {color[0], color[1], color[2]}, roughness};
    return g->materials.count - 1;
}

// Adds the times of the keys, relative to the first.
static bool add_times(swGltf *g, const swClip *clip, swArena *scratch) {
    swReal *t = SW_NEW(scratch, g->nkey, swReal, g->error);
    for (int k = 0; t && k < g->nkey; k++)
        t[k] = sw_clip_time(clip, k) - sw_clip_time(clip, 0);
    return t && sw_gltf_add_times(g, t);
}

// Adds the skin weights of a part to the mesh added last.
static bool add_weights(swGltf *g, const swBodyModel *m, const swBodyClip *clip,
                        const swPartInfo *part, int max_influences, swGltfReport *report) {
    swGltfMesh *mesh = &g->meshes.item[g->meshes.count - 1];
    swGltfSets sets = {.body = part->body,
                       .nvertex = part->npoint,
                       .first = part->point,
                       .njoint = m->body[part->body].nnode};
    if (!sw_gltf_add_sets(g, m, clip, &sets, max_influences, report))
        return false;
    mesh->set = sets.set;
    mesh->nset = sets.nset;
    return true;
}

// Computes unit normals, also for vertices without any triangle of nonzero area.
static void find_normals(const swSurface *s, const swVec3 *x, swVec3 *normal) {
    sw_surface_normals(s->nvertex, x, s->ntriangle, s->triangle, normal);
    for (int i = 0; i < s->nvertex; i++)
        if (!(sw_norm2(normal[i]) > 0.5))
            normal[i] = sw_v3(0, 1, 0);
}

// Adds the differences between the vertices at a key and those of an accessor of the mesh.
static bool add_morph(swGltf *g, const swVec3 *now, int rest, bool bounds) {
    int64_t n = g->accessors.item[rest].count;
    float *out = sw_gltf_add(g, SW_GLTF_FLOAT, 3, n, SW_GLTF_VERTICES);
    if (!out)
        return false;
    const float *before = g->accessors.item[rest].data;
    for (int64_t i = 0; i < n; i++, before += 3, out += 3)
        sw_gltf_put(g, out, sw_sub(now[i], sw_v3(before[0], before[1], before[2])));
    if (bounds)
        sw_gltf_bound(g, sw_gltf_last(g));
    return true;
}

// Adds the weights of `count` morph targets at all keys, for the caller to fill in. NULL if memory
// runs out.
static float *add_morph_weights(swGltf *g, int node, int count) {
    float *weight = sw_gltf_add(g, SW_GLTF_FLOAT, 1, (int64_t)g->nkey * count, 0);
    swGltfChannel *channel = weight ? SW_PUSH(&g->channels, &g->arena, g->error) : NULL;
    if (!channel)
        return NULL;
    *channel = (swGltfChannel){node, SW_GLTF_WEIGHTS, sw_gltf_last(g)};
    return weight;
}

// Adds a morph target per key to the mesh added last. At each key, one of them is on.
static bool add_morphs(swGltf *g, const swBodyClip *clip, const swPartInfo *part,
                       const swSurface *s, int node, swVec3 *x, swVec3 *normal) {
    swGltfMesh *mesh = &g->meshes.item[g->meshes.count - 1];
    mesh->morph = g->accessors.count;
    mesh->nmorph = g->nkey;
    if (!sw_gltf_has_room(g, (int64_t)g->nkey * part->npoint, 6 * sizeof(float)))
        return false; // check this before doing the work
    for (int k = 0; k < g->nkey; k++) {
        sw_body_clip_points(clip, k, part->point, part->npoint, x);
        find_normals(s, x, normal);
        if (!add_morph(g, x, mesh->position, true) || !add_morph(g, normal, mesh->normal, false))
            return false;
    }
    float *weight = g->nkey > 1 ? add_morph_weights(g, node, g->nkey) : NULL;
    for (size_t k = 0; weight && k < (size_t)g->nkey; k++)
        weight[k * (size_t)g->nkey + k] = 1;
    return weight || g->nkey == 1;
}

// The node that moves all points of a reduced body; NULL: the body is moved by frames.
static const swNode *modes_of(const swBodyModel *m) {
    const swNode *first = m->size.nweight > 0 ? &m->node[m->point_node[0]] : NULL;
    return first && sw_node_is_modes(first) ? first : NULL;
}

// The largest amplitude of a mode in the clip; 1 if it is always zero.
static swReal mode_size(const swBodyClip *clip, const swNode *node, int mode) {
    swReal size = 0;
    for (int k = 0; k < clip->keys.count; k++)
        size = sw_max(size, fabs(clip->keys.item[k].q[sw_node_ambient(node) + mode]));
    return size > 0 ? size : 1;
}

// Adds the morph targets of a reduced body: the first puts it in place, the others are its modes at
// their largest amplitudes, and the weights are the amplitudes. Normals are right for each mode by
// itself.
static bool add_modes(swGltf *g, const swBodyModel *m, const swBodyClip *clip,
                      const swPartInfo *part, const swSurface *s, int node, swVec3 *x,
                      swVec3 *normal) {
    const swNode *modes = modes_of(m);
    const int at = sw_node_ambient(modes), count = 1 + modes->nu;
    const swReal *A = clip->keys.item[0].q + modes->q; // constant over the clip
    const swMat3 R = {{A[1], A[2], A[3], A[5], A[6], A[7], A[9], A[10], A[11]}};
    swGltfMesh *mesh = &g->meshes.item[g->meshes.count - 1];
    mesh->morph = g->accessors.count;
    mesh->nmorph = count;
    if (!sw_gltf_has_room(g, (int64_t)count * part->npoint, 6 * sizeof(float)))
        return false;
    float *weight = NULL;
    swVec3 *turned = SW_NEW(&g->arena, part->npoint, swVec3, g->error); // normals in place
    for (int j = -1; turned && j < modes->nu; j++) {
        const swReal size = j < 0 ? 0 : mode_size(clip, modes, j);
        for (int i = 0; i < part->npoint; i++)
            x[i] = sw_add(sw_v3(A[0], A[4], A[8]), sw_mul(R, sw_sub(s->X[i], modes->origin)));
        for (int i = 0; j >= 0 && i < part->npoint; i++)
            x[i] = sw_madd(x[i], size, sw_mul(R, m->vector[m->point_vector[part->point + i] + j]));
        find_normals(s, x, normal);
        for (int i = 0; i < part->npoint; i++)
            if (j < 0)
                turned[i] = normal[i];
            else { // the contribution of the mode alone
                x[i] = sw_madd(s->X[i], size,
                               sw_mul(R, m->vector[m->point_vector[part->point + i] + j]));
                normal[i] = sw_add(sw_mul_t(R, turned[i]), sw_sub(normal[i], turned[i]));
            }
        if (!add_morph(g, x, mesh->position, true) || !add_morph(g, normal, mesh->normal, false))
            return false;
    }
    if (!turned)
        return false;
    if (g->nkey > 1 && !(weight = add_morph_weights(g, node, count)))
        return false;
    for (int k = 0; weight && k < g->nkey; k++)
        for (int j = -1; j < modes->nu; j++)
            *weight++ =
                j < 0 ? 1
                      : sw_gltf_float(g, clip->keys.item[k].q[at + j] / mode_size(clip, modes, j));
    return true;
}

// A body of the scene that is written.
typedef struct {
    int body;
    const char *name;
    const swBodyModel *m;
    const swBodyClip *clip;
} swShown;

// The colour is given by the body's position in the list, or is that of the part's material
// everywhere.
static int add_paint(swGltf *g, const swShown *of, const swPartInfo *part) {
    const swBodyModel *m = of->m;
    static const double color[][3] = {{0.80, 0.25, 0.12}, {0.07, 0.33, 0.60}, {0.85, 0.52, 0.06},
                                      {0.13, 0.45, 0.20}, {0.42, 0.16, 0.50}, {0.04, 0.47, 0.47},
                                      {0.75, 0.27, 0.42}, {0.38, 0.24, 0.12}};
    if (part->material < 0)
        return add_material(g, of->name, color[of->body % SW_COUNT(color)], 0.55);
    const char *name = sw_body_text(m, m->material[part->material].name);
    const swVec3 paint = sw_material_paint(name, part->material);
    return add_material(g, name, (double[]){paint.x, paint.y, paint.z}, 0.55);
}

// Adds a mesh for a part, and the node that shows it. Returns the node, or -1 on failure.
static int add_part(swGltf *g, const swShown *of, const swPartInfo *part, bool skinned,
                    const swGltfOptions *options, swGltfReport *report, swArena *scratch) {
    const swBodyModel *m = of->m;
    const swBodyClip *clip = of->clip;
    swSurface s = {part->npoint, part->ntriangle, m->point + part->point, NULL};
    s.triangle = SW_NEW(scratch, 3 * (size_t)part->ntriangle, int, g->error);
    swVec3 *x = SW_NEW(scratch, part->npoint, swVec3, g->error);
    swVec3 *normal = SW_NEW(scratch, part->npoint, swVec3, g->error);
    if (!s.triangle || !x || !normal)
        return -1;
    for (int i = 0; i < 3 * part->ntriangle; i++)
        s.triangle[i] = m->triangle[3 * part->triangle + i] - part->point;
    find_normals(&s, s.X, normal);
    // Point frames do not rotate, so normals would be wrong; viewers then compute their own.
    bool turns = true;
    for (int i = 0; i < m->size.nnode; i++)
        turns = turns && m->node[i].width > 1;
    const int material = add_paint(g, of, part);
    const char *name = of->name;
    if (material >= 0 && part->material >= 0)
        name = sw_gltf_name(g, "%s/%s", name, g->materials.item[material].name);
    int mesh = material < 0 || !name
                   ? -1
                   : sw_gltf_mesh(g, name, &s, turns || !skinned ? normal : NULL, material);
    int node = mesh < 0 ? -1 : sw_gltf_nodes(g, 1);
    if (node < 0)
        return -1;
    g->nodes.item[node].name = name;
    g->nodes.item[node].mesh = mesh;
    g->nodes.item[node].root = true;
    const bool modes = modes_of(m) && !sw_body_clip_has_points(clip);
    bool ok = skinned ? add_weights(g, m, clip, part, options->max_influences, report)
              : modes ? add_modes(g, m, clip, part, &s, node, x, normal)
                      : add_morphs(g, clip, part, &s, node, x, normal);
    return ok ? node : -1;
}

static bool add_body(swGltf *g, const swShown *of, const swGltfOptions *options,
                     swGltfReport *report, swArena *scratch) {
    const swBodyModel *m = of->m;
    const char *reason = NULL;
    const int count = sw_body_shown_count(&m->body[0]);
    int *node = SW_NEW(scratch, count, int, g->error);
    if (!node)
        return false;
    if (sw_body_clip_has_points(of->clip))
        reason = "had frames inserted";
    for (int i = 0; i < count && !reason; i++) {
        const swPartInfo part = sw_body_shown(m, 0, i);
        sw_gltf_can_skin(m, &part, &reason);
    }
    for (int i = 0; i < count; i++) {
        const swPartInfo part = sw_body_shown(m, 0, i);
        node[i] = add_part(g, of, &part, !reason, options, report, scratch);
        if (node[i] < 0)
            return false;
    }
    if (reason) {
        sw_info(&m->config, "glTF: body '%s' %s: a morph target per %s instead of a skin", of->name,
                reason, modes_of(m) ? "mode" : "key");
        report->morphed++;
        return true;
    }
    const int skin = sw_gltf_add_skin(g, of->name, m, of->clip);
    for (int i = 0; i < count; i++)
        g->nodes.item[node[i]].skin = skin;
    report->skinned++;
    return skin >= 0;
}

// The bounds of all surfaces at the first and last key.
static bool scene_bounds(const swClip *clip, swVec3 *lo, swVec3 *hi, swArena *scratch,
                         swError *error) {
    bool any = false;
    for (int end = 0; end < 2; end++)
        for (int b = 0; b < clip->model->size.nbody; b++) {
            const swBodyInfo *body = &clip->body[b].model->body[0];
            swVec3 *x = SW_NEW(scratch, body->npoint, swVec3, error);
            if (!x)
                return false;
            sw_body_clip_points(&clip->body[b], end ? sw_clip_count(clip) - 1 : 0, body->point,
                                body->npoint, x);
            for (int i = 0; i < body->npoint; i++, any = true) {
                *lo = any ? sw_min3(*lo, x[i]) : x[i];
                *hi = any ? sw_max3(*hi, x[i]) : x[i];
            }
        }
    return true;
}

static bool add_scene(swGltf *g, const swModel *m, const swClip *clip, const swGltfOptions *options,
                      swGltfReport *report, swArena *scratch) {
    static const double grey[3] = {0.4, 0.4, 0.4};
    swVec3 lo = {0, 0, 0}, hi = lo;
    if (!scene_bounds(clip, &lo, &hi, scratch, g->error))
        return false;
    for (int b = 0; b < m->size.nbody; b++) {
        const swShown of = {b, sw_model_text(m, m->place[b].name), sw_model_body(m, b),
                            &clip->body[b]};
        if (of.m->body[0].ntriangle > 0 && !add_body(g, &of, options, report, scratch))
            return false;
    }
    if (g->meshes.count == 0)
        return sw_fail(g->error, SW_ERROR_GEOMETRY, "no body has a surface to write");
    int material = m->size.ncollider > 0 ? add_material(g, "collider", grey, 0.9) : 0;
    for (int i = 0; i < m->size.ncollider; i++)
        if (material < 0 || !sw_gltf_add_collider(g, clip, i, lo, hi, material))
            return false;
    return g->channels.count == 0 || add_times(g, clip, scratch);
}

bool sw_gltf_write(const swModel *model, const swClip *clip, const char *path,
                   const swGltfOptions *options, swGltfReport *report, swError *error) {
    static const swGltfOptions defaults = {0};
    swGltfReport unread;
    report = report ? report : &unread;
    *report = (swGltfReport){0};
    if (sw_clip_count(clip) == 0)
        return sw_fail_at(error, SW_ERROR_VALUE, path, 0, 0, "no motion was recorded");
    swGltf g = {.error = error, .nkey = sw_clip_count(clip)};
    swArena scratch;
    sw_arena_init(&g.arena, &model->config.allocator);
    sw_arena_init(&scratch, &model->config.allocator);
    bool ok = add_scene(&g, model, clip, options ? options : &defaults, report, &scratch) &&
              sw_gltf_save(&g, path);
    sw_arena_free(&scratch);
    sw_arena_free(&g.arena);
    return ok;
}
