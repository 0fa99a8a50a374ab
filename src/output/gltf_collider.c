// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Colliders as meshes.
#include "output/gltf.h"

enum { SIDES = 32, HALF = 8, RINGS = 2 * (HALF + 1) }; // of a capsule: around, per half sphere

typedef struct Shape {
    swSurface surface;
    swVec3 X[RINGS * (SIDES + 1)], normal[RINGS * (SIDES + 1)];
    int triangle[6 * RINGS * SIDES];
} Shape;

static void add_triangle(swSurface *s, int a, int b, int c) {
    int *out = s->triangle + 3 * s->ntriangle++;
    out[0] = a;
    out[1] = b;
    out[2] = c;
}

// A flat face about c with the half sides u, v; seen from u x v.
static void add_quad(Shape *shape, swVec3 c, swVec3 u, swVec3 v) {
    swSurface *s = &shape->surface;
    int first = s->nvertex;
    for (int k = 0; k < 4; k++) {
        shape->normal[s->nvertex] = sw_unit(sw_cross(u, v));
        s->X[s->nvertex++] = sw_madd(sw_madd(c, k == 0 || k == 3 ? -1 : 1, u), k < 2 ? -1 : 1, v);
    }
    add_triangle(s, first, first + 1, first + 2);
    add_triangle(s, first, first + 2, first + 3);
}

// Two unit vectors that make a right-handed system with the unit vector n.
static void complete(swVec3 n, swVec3 *u, swVec3 *v) {
    *u = sw_unit(sw_cross(fabs(n.x) < 0.6 ? sw_v3(1, 0, 0) : sw_v3(0, 1, 0), n));
    *v = sw_cross(n, *u);
}

// A square at the height of the plane, under the middle of the scene and well beyond its bounds.
static void make_plane(Shape *shape, swVec3 normal, swReal offset, swVec3 lo, swVec3 hi) {
    swVec3 n = sw_unit(normal), u, v, middle = sw_lerp(lo, hi, 0.5);
    swReal half = 1.5 * sw_norm(sw_sub(hi, lo));
    complete(n, &u, &v);
    middle = sw_madd(middle, offset - sw_dot(n, middle), n);
    add_quad(shape, middle, sw_scale(half > 0 ? half : 1, u), sw_scale(half > 0 ? half : 1, v));
}

static void make_box(Shape *shape, swVec3 c, swVec3 half) {
    for (int k = 0; k < 6; k++) {
        swVec3 n = {0, 0, 0}, u = n, v = n;
        swReal side = k < 3 ? 1 : -1;
        int x = k % 3, y = (x + 1) % 3, z = (x + 2) % 3;
        sw_set(&n, x, side * sw_get(half, x));
        sw_set(&u, y, side * sw_get(half, y));
        sw_set(&v, z, sw_get(half, z));
        add_quad(shape, sw_add(c, n), u, v);
    }
}

// Rings from the pole at a to the pole at b; a sphere where these are the same.
static void make_capsule(Shape *shape, swVec3 a, swVec3 b, swReal r) {
    swSurface *s = &shape->surface;
    swVec3 axis = sw_unit(sw_sub(b, a)), u, v;
    bool sphere = sw_norm2(axis) == 0;
    if (sphere)
        axis = sw_v3(0, 1, 0);
    complete(axis, &u, &v);
    for (int ring = 0; ring < RINGS; ring++) {
        bool upper = ring > HALF;
        swReal angle = 0.5 * SW_PI * (ring - upper - HALF) / HALF;
        for (int k = 0; k <= SIDES; k++) {
            swReal turn = 2 * SW_PI * (k % SIDES) / SIDES;
            swVec3 n = sw_add(sw_scale(cos(turn), u), sw_scale(sin(turn), v));
            n = sw_unit(sw_add(sw_scale(cos(angle), n), sw_scale(sin(angle), axis)));
            shape->normal[s->nvertex] = n;
            s->X[s->nvertex++] = sw_madd(upper ? b : a, r, n);
        }
        bool band = ring > 0 && !(sphere && ring == HALF + 1); // one of some height
        for (int k = 0; k < SIDES && band; k++) {
            int top = ring * (SIDES + 1) + k, below = top - SIDES - 1;
            if (ring > 1)
                add_triangle(s, below, below + 1, top + 1);
            if (ring < RINGS - 1)
                add_triangle(s, below, top + 1, top);
        }
    }
}

bool sw_gltf_add_collider(swGltf *g, const swColliderInfo *collider, int index, swVec3 lo,
                          swVec3 hi, int material) {
    Shape *shape = SW_NEW(&g->arena, 1, Shape, g->error);
    if (!shape)
        return false;
    shape->surface.X = shape->X;
    shape->surface.triangle = shape->triangle;
    const char *kind = "plane";
    switch (collider->kind) {
    case SW_SHAPE_HALFSPACE: make_plane(shape, collider->a, collider->r, lo, hi); break;
    case SW_SHAPE_BOX:
        kind = "box";
        make_box(shape, collider->a, collider->b);
        break;
    case SW_SHAPE_SPHERE:
        kind = "sphere";
        make_capsule(shape, collider->a, collider->a, collider->r);
        break;
    case SW_SHAPE_CAPSULE:
        kind = "capsule";
        make_capsule(shape, collider->a, collider->b, collider->r);
        break;
    default: return true; // no other kind is a collider
    }
    const char *name = sw_gltf_name(g, "collider%d/%s", index, kind);
    int mesh = name ? sw_gltf_mesh(g, name, &shape->surface, shape->normal, material) : -1;
    int node = mesh >= 0 ? sw_gltf_nodes(g, 1) : -1;
    if (node < 0)
        return false;
    g->nodes.item[node].name = name;
    g->nodes.item[node].mesh = mesh;
    g->nodes.item[node].root = true;
    return true;
}
