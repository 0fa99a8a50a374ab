// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Planes and boxes.
#include "contact/collider.h"

#include <string.h>

// ---- planes: solid where a . X <= r ----

static bool plane_read(swColliderSource *source, swColliderInfo *c) {
    c->a = sw_unit(source->shape->normal);
    c->r = source->shape->offset;
    return true;
}

static swDepth plane_depth(const swModel *m, const swColliderInfo *c, swVec3 X) {
    (void)m;
    return (swDepth){.depth = c->r - sw_dot(c->a, X), .normal = c->a};
}

static bool plane_sane(const swModel *m, const swColliderInfo *c) {
    (void)m;
    return fabs(sw_norm(c->a) - 1) < 1e-6 && isfinite(c->r);
}

const swColliderKind sw_collider_plane = {
    .name = "plane", .read = plane_read, .depth = plane_depth, .sane = plane_sane};

// ---- boxes: center a, half the size b ----

static bool box_read(swColliderSource *source, swColliderInfo *c) {
    c->a = source->shape->center;
    c->b = sw_scale(0.5, source->shape->size);
    return true;
}

// Inside, the nearest face pushes out. Outside, the nearest point is on as many faces as X is
// beyond.
static swDepth box_depth(const swModel *m, const swColliderInfo *c, swVec3 X) {
    (void)m;
    const swVec3 d = sw_sub(X, c->a);
    swVec3 beyond = {0, 0, 0}, flat = {0, 0, 0};
    swDepth out = {.depth = INFINITY};
    int faces = 0;
    for (int k = 0; k < 3; k++) {
        const swReal side = sw_get(d, k) < 0 ? -1 : 1, depth = sw_get(c->b, k) - fabs(sw_get(d, k));
        if (depth < out.depth) {
            out.depth = depth;
            out.normal = sw_v3(0, 0, 0);
            sw_set(&out.normal, k, side);
        }
        sw_set(&beyond, k, depth < 0 ? -side * depth : 0);
        sw_set(&flat, k, depth < 0 ? 0 : 1);
        faces += depth < 0;
    }
    if (faces < 2)
        return out;
    const swReal distance = sw_norm(beyond);
    out.depth = -distance;
    out.normal = sw_scale(1 / distance, beyond);
    out.bend = sw_collider_bend(1 / distance, out.normal, flat);
    out.curved = true;
    return out;
}

static void box_bounds(const swModel *m, const swColliderInfo *c, swVec3 *lo, swVec3 *hi) {
    (void)m;
    *lo = sw_sub(c->a, c->b);
    *hi = sw_add(c->a, c->b);
}

static bool box_sane(const swModel *m, const swColliderInfo *c) {
    (void)m;
    return sw_finite3(c->a) && sw_finite3(c->b) && c->b.x >= 0 && c->b.y >= 0 && c->b.z >= 0;
}

static bool box_surface(const swModel *m, const swColliderInfo *c, swArena *arena, swSurface *out,
                        swError *error) {
    static const int faces[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                  2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    (void)m;
    *out = (swSurface){8, 12, SW_NEW(arena, 8, swVec3, error), SW_NEW(arena, 36, int, error)};
    if (!out->X || !out->triangle)
        return false;
    for (int i = 0; i < 8; i++) // corner i: bit k set for the upper end of axis k
        out->X[i] = sw_add(c->a, sw_v3(i & 1 ? c->b.x : -c->b.x, i & 2 ? c->b.y : -c->b.y,
                                       i & 4 ? c->b.z : -c->b.z));
    memcpy(out->triangle, faces, sizeof faces);
    return true;
}

const swColliderKind sw_collider_box = {.name = "box",
                                        .read = box_read,
                                        .depth = box_depth,
                                        .bounds = box_bounds,
                                        .sane = box_sane,
                                        .surface = box_surface};
