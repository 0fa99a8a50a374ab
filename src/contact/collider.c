// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "contact/contact.h"

static swDepth plane(const swColliderInfo *c, swVec3 p) {
    return (swDepth){.depth = c->r - sw_dot(c->a, p), .normal = c->a};
}

// A ball of radius r about `center`.
static swDepth ball(swVec3 center, swReal r, swVec3 p) {
    swVec3 d = sw_sub(p, center);
    swReal n = sw_norm(d);
    if (n < 1e-12 * r) // no direction is better than another
        return (swDepth){.depth = r, .normal = {0, 1, 0}};
    return (swDepth){.depth = r - n, .normal = sw_scale(1 / n, d), .curvature = 1 / n};
}

static swDepth sphere(const swColliderInfo *c, swVec3 p) { return ball(c->a, c->r, p); }

static swDepth capsule(const swColliderInfo *c, swVec3 p) {
    swVec3 axis = sw_sub(c->b, c->a);
    swReal length2 = sw_norm2(axis), t = length2 > 0 ? sw_dot(sw_sub(p, c->a), axis) / length2 : 0;
    bool side = t > 0 && t < 1;
    swDepth d = ball(sw_madd(c->a, sw_clamp(t, 0, 1), axis), c->r, p);
    if (side)
        d.flat = sw_unit(axis);
    return d;
}

// Inside, the nearest face pushes out.
static swDepth box(const swColliderInfo *c, swVec3 p) {
    swVec3 d = sw_sub(p, c->a);
    swDepth out = {.depth = INFINITY};
    for (int k = 0; k < 3; k++) {
        swReal depth = sw_get(c->b, k) - fabs(sw_get(d, k));
        if (depth < out.depth) {
            out.depth = depth;
            out.normal = sw_v3(0, 0, 0);
            sw_set(&out.normal, k, sw_get(d, k) < 0 ? -1 : 1);
        }
    }
    return out;
}

typedef swDepth swDepthFunction(const swColliderInfo *, swVec3);
static swDepthFunction *const table[SW_SHAPE_KINDS] = {[SW_SHAPE_HALFSPACE] = plane,
                                                       [SW_SHAPE_SPHERE] = sphere,
                                                       [SW_SHAPE_BOX] = box,
                                                       [SW_SHAPE_CAPSULE] = capsule};

bool sw_collider_known(int kind) { return kind >= 0 && kind < SW_SHAPE_KINDS && table[kind]; }

swDepth sw_collider_depth(const swColliderInfo *c, swVec3 p) { return table[c->kind](c, p); }
