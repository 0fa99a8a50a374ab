// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Extruded polygons: they become meshes when they are read.
#include "contact/collider.h"
#include "geometry/solid.h"

#include <string.h>

// Corners of a polygon in a ring, of which ears are cut off.
typedef struct Ears {
    const swReal *p; // x0 y0 x1 y1 ...
    int *before, *after;
    int left; // corners
} Ears;

// Twice the signed area of corners a, b, c.
static swReal turn(const Ears *r, int a, int b, int c) {
    const swReal *p = r->p;
    return (p[2 * b] - p[2 * a]) * (p[2 * c + 1] - p[2 * a + 1]) -
           (p[2 * b + 1] - p[2 * a + 1]) * (p[2 * c] - p[2 * a]);
}

// Whether the triangle at a corner that sticks out holds no other corner.
static bool is_ear(const Ears *r, int i) {
    const int a = r->before[i], c = r->after[i];
    if (!(turn(r, a, i, c) > 0))
        return false;
    for (int k = r->after[c]; k != a; k = r->after[k])
        if (turn(r, a, i, k) >= 0 && turn(r, i, c, k) >= 0 && turn(r, c, a, k) >= 0)
            return false;
    return true;
}

// The next corner to be cut off from i on: an ear, or one on a straight line; rounding may hide
// both.
static int find_ear(const Ears *r, int i) {
    int k = i, n = 0;
    for (; n < r->left; n++, k = r->after[k])
        if (is_ear(r, k))
            return k;
    for (n = 0; n < r->left; n++, k = r->after[k])
        if (turn(r, r->before[k], k, r->after[k]) >= 0)
            return k;
    return i;
}

// n - 2 triangles, counter-clockwise.
static bool triangulate(const swReal *polygon, int n, int *triangle, swArena *arena,
                        swError *error) {
    Ears r = {polygon, SW_NEW(arena, n, int, error), SW_NEW(arena, n, int, error), n};
    if (!r.before || !r.after)
        return false;
    for (int i = 0; i < n; i++) {
        r.before[i] = (i + n - 1) % n;
        r.after[i] = (i + 1) % n;
    }
    for (int i = 0; r.left > 2; r.left--, triangle += 3) {
        const int ear = find_ear(&r, i), a = r.before[ear], c = r.after[ear];
        memcpy(triangle, (int[]){a, ear, c}, 3 * sizeof *triangle);
        r.after[a] = c;
        r.before[c] = a;
        i = c;
    }
    return true;
}

// Corner i below and n + i above.
static bool make_surface(const swColliderSource *source, swSurface *s) {
    const swShape *shape = source->shape;
    const int n = shape->npolygon;
    swReal *polygon = SW_NEW(source->arena, 2 * n, swReal, source->error), area = 0;
    *s = (swSurface){2 * n, 4 * n - 4, SW_NEW(source->arena, 2 * n, swVec3, source->error),
                     SW_NEW(source->arena, 12 * (n - 1), int, source->error)};
    if (!polygon || !s->X || !s->triangle)
        return false;
    const swReal *from = shape->polygon;
    for (int i = 0, k = n - 1; i < n; k = i++)
        area += from[2 * k] * from[2 * i + 1] - from[2 * k + 1] * from[2 * i];
    for (int i = 0; i < n; i++) // counter-clockwise
        memcpy(polygon + 2 * i, from + 2 * (area > 0 ? i : n - 1 - i), 2 * sizeof *polygon);
    for (int i = 0; i < 2 * n; i++)
        s->X[i] = sw_v3(polygon[2 * (i % n)], polygon[2 * (i % n) + 1], shape->zrange[i / n]);
    int *top = s->triangle, *bottom = top + 3 * (n - 2), *side = bottom + 3 * (n - 2);
    if (!triangulate(polygon, n, top, source->arena, source->error))
        return false;
    for (int i = 0; i < 3 * (n - 2); i++)
        bottom[i] = top[i - i % 3 + (3 - i % 3) % 3];
    for (int i = 0; i < 3 * (n - 2); i++)
        top[i] += n;
    for (int i = 0; i < n; i++, side += 6) {
        const int j = (i + 1) % n;
        memcpy(side, (int[]){i, j, n + j, i, n + j, n + i}, 6 * sizeof *side);
    }
    return true;
}

static bool extrude_read(swColliderSource *source, swColliderInfo *c) {
    swSurface s;
    // As a solid it is checked.
    if (!sw_solid_create(source->shape, NULL, source->key, source->config, source->arena,
                         source->error) ||
        !make_surface(source, &s))
        return false;
    c->kind = SW_SHAPE_MESH;
    return sw_collider_take_surface(source, &s, false);
}

const swColliderKind sw_collider_extrude = {.name = "extrude", .read = extrude_read};
