// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Colliders as meshes in local coordinates, and the nodes that place them.
#include "contact/collider.h"
#include "geometry/crease.h"
#include "output/gltf.h"

#include <string.h>

static const swReal crease = 40 * SW_PI / 180;

// A square in the plane, below the middle of the scene and well beyond its bounds.
static bool make_plane(const swColliderInfo *c, const swAffine *pose, swVec3 lo, swVec3 hi,
                       swArena *arena, swSurface *out, swError *error) {
    static const int triangles[6] = {0, 1, 2, 0, 2, 3};
    const swVec3 n = sw_unit(c->a), scene = sw_lerp(lo, hi, 0.5);
    const swVec3 u = sw_unit(sw_cross(fabs(n.x) < 0.6 ? sw_v3(1, 0, 0) : sw_v3(0, 1, 0), n));
    const swVec3 v = sw_cross(n, u);
    const swReal size = sw_norm(sw_sub(hi, lo)), half = size > 0 ? 1.5 * size : 1;
    swVec3 middle = sw_mul_t(pose->A, sw_sub(scene, pose->b));
    middle = sw_madd(middle, c->r - sw_dot(n, middle), n);
    *out = (swSurface){4, 2, SW_NEW(arena, 4, swVec3, error), SW_NEW(arena, 6, int, error)};
    if (!out->X || !out->triangle)
        return false;
    for (int k = 0; k < 4; k++)
        out->X[k] =
            sw_madd(sw_madd(middle, k == 0 || k == 3 ? -half : half, u), k < 2 ? -half : half, v);
    for (int k = 0; k < 6; k++)
        out->triangle[k] = triangles[k];
    return true;
}

// Sets the pose at rest and at all keys as a transform of the node, unless it is always the
// identity.
static bool put_pose(swGltf *g, const swClip *clip, const swColliderInfo *c, const char *name,
                     int node) {
    static const swAffine none = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0, 0, 0}};
    swAffine *track = SW_NEW(&g->arena, g->nkey + 1, swAffine, g->error);
    if (!track)
        return false;
    track[0] = sw_collider_pose(clip->model, c, sw_clip_time(clip, 0));
    bool moves = memcmp(&track[0], &none, sizeof none) != 0;
    for (int k = 0; k < g->nkey; k++) {
        track[k + 1] = sw_collider_pose(clip->model, c, sw_clip_time(clip, k));
        moves = moves || memcmp(&track[k + 1], &track[0], sizeof *track) != 0;
    }
    return !moves || sw_gltf_animate_joint(g, name, track, node, -1);
}

bool sw_gltf_add_collider(swGltf *g, const swClip *clip, int index, swVec3 lo, swVec3 hi,
                          int material) {
    const swModel *m = clip->model;
    const swColliderInfo *c = &m->collider[index];
    const swColliderKind *kind = sw_collider_kind(c->kind);
    const swAffine pose = sw_collider_pose(m, c, sw_clip_time(clip, 0));
    swSurface plain, surface;
    swVec3 *normal;
    if (!kind) // shapes of other kinds are not colliders
        return true;
    if (!(kind->surface ? kind->surface(m, c, &g->arena, &plain, g->error)
                        : make_plane(c, &pose, lo, hi, &g->arena, &plain, g->error)) ||
        !sw_surface_crease(&plain, crease, &g->arena, &surface, &normal, g->error))
        return false;
    const char *name = sw_gltf_name(g, "collider%d/%s", index, kind->name);
    const int mesh = name ? sw_gltf_mesh(g, name, &surface, normal, material) : -1;
    const int node = mesh >= 0 ? sw_gltf_nodes(g, 1) : -1;
    if (node < 0)
        return false;
    g->nodes.item[node].name = name;
    g->nodes.item[node].mesh = mesh;
    g->nodes.item[node].root = true;
    return put_pose(g, clip, c, name, node);
}
