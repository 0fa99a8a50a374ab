// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Balls, capsules, cylinders and cones: what turns about an axis from a to b.
#include "contact/collider.h"
#include "geometry/section.h"

#include <stdlib.h>

enum { SECTORS = 48, ARC = 12 }; // of surfaces to be shown: around, and for a quarter of a circle

// A unit vector at a right angle to the unit vector u.
static swVec3 across(swVec3 u) {
    const swVec3 v = fabs(u.x) < 0.6 ? sw_v3(1, 0, 0) : sw_v3(0, 1, 0);
    return sw_unit(sw_madd(v, -sw_dot(u, v), u));
}

static bool positive(swReal x) { return x > 0 && isfinite(x); }

// ---- surfaces of revolution ----

typedef struct Circle {
    swReal rho, k; // distance from the axis and height along it
} Circle;

// Rings from the end at a to the other one, both of radius 0.
static bool revolve(const swColliderInfo *c, const Circle *ring, int n, swArena *arena,
                    swSurface *out, swError *error) {
    swVec3 u = sw_unit(sw_sub(c->b, c->a));
    u = sw_norm2(u) > 0 ? u : sw_v3(0, 1, 0);
    const swVec3 e = across(u), f = sw_cross(u, e);
    *out = (swSurface){.X = SW_NEW(arena, n * SECTORS, swVec3, error),
                       .triangle = SW_NEW(arena, 6 * (n - 1) * SECTORS, int, error)};
    if (!out->X || !out->triangle)
        return false;
    int before = 0, nbefore = 0, *t = out->triangle; // vertices of the ring before
    for (int i = 0; i < n; i++) {
        const int first = out->nvertex, count = ring[i].rho > 0 ? SECTORS : 1;
        for (int s = 0; s < count; s++) {
            const swReal angle = 2 * SW_PI * s / SECTORS;
            const swVec3 way = sw_madd(sw_scale(cos(angle), e), sin(angle), f);
            out->X[out->nvertex++] =
                sw_madd(sw_madd(c->a, ring[i].k, u), count > 1 ? ring[i].rho : 0, way);
        }
        for (int s = 0; s < SECTORS && nbefore > 0; s++) {
            const int next = (s + 1) % SECTORS;
            const int low = before + s % nbefore, low_next = before + next % nbefore,
                      high = first + s % count, high_next = first + next % count;
            if (nbefore > 1)
                *t++ = low, *t++ = low_next, *t++ = high_next, out->ntriangle++;
            if (count > 1)
                *t++ = low, *t++ = high_next, *t++ = high, out->ntriangle++;
        }
        before = first;
        nbefore = count;
    }
    return true;
}

// ---- balls: center a; capsules ----

static bool ball_read(swColliderSource *source, swColliderInfo *c) {
    c->a = source->shape->center;
    c->r = source->shape->radius;
    return true;
}

// A ball as a capsule of no length.
static swColliderInfo short_capsule(const swColliderInfo *c) {
    swColliderInfo out = *c;
    out.b = c->a;
    return out;
}

static bool rod_read(swColliderSource *source, swColliderInfo *c) {
    c->a = source->shape->from;
    c->b = source->shape->to;
    c->r = c->top = source->shape->radius;
    return true;
}

// Normals do not turn along `flat`.
static swDepth ball(swVec3 center, swReal r, swVec3 flat, swVec3 X) {
    const swVec3 d = sw_sub(X, center);
    const swReal n = sw_norm(d);
    if (n < 1e-12 * r) // no direction is better than another
        return (swDepth){.depth = r, .normal = sw_norm2(flat) > 0 ? across(flat) : sw_v3(0, 1, 0)};
    swDepth out = {.depth = r - n, .normal = sw_scale(1 / n, d), .curved = true};
    out.bend = sw_collider_bend(1 / n, out.normal, flat);
    return out;
}

static swDepth ball_depth(const swModel *m, const swColliderInfo *c, swVec3 X) {
    (void)m;
    return ball(c->a, c->r, sw_v3(0, 0, 0), X);
}

static swDepth capsule_depth(const swModel *m, const swColliderInfo *c, swVec3 X) {
    (void)m;
    const swVec3 axis = sw_sub(c->b, c->a);
    const swReal length2 = sw_norm2(axis),
                 t = length2 > 0 ? sw_dot(sw_sub(X, c->a), axis) / length2 : 0;
    return ball(sw_madd(c->a, sw_clamp(t, 0, 1), axis), c->r,
                t > 0 && t < 1 ? sw_unit(axis) : sw_v3(0, 0, 0), X);
}

static void capsule_bounds(const swModel *m, const swColliderInfo *c, swVec3 *lo, swVec3 *hi) {
    (void)m;
    const swVec3 r = {c->r, c->r, c->r};
    *lo = sw_sub(sw_min3(c->a, c->b), r);
    *hi = sw_add(sw_max3(c->a, c->b), r);
}

static bool capsule_sane(const swModel *m, const swColliderInfo *c) {
    (void)m;
    return sw_finite3(c->a) && sw_finite3(c->b) && positive(c->r);
}

static bool capsule_surface(const swModel *m, const swColliderInfo *c, swArena *arena,
                            swSurface *out, swError *error) {
    (void)m;
    const swReal L = sw_norm(sw_sub(c->b, c->a));
    Circle ring[2 * ARC + 2];
    int n = 0;
    for (int i = -ARC; i <= ARC; i++) {
        const swReal angle = 0.5 * SW_PI * i / ARC;
        const Circle at = {abs(i) < ARC ? c->r * cos(angle) : 0, c->r * sin(angle)};
        if (i <= 0)
            ring[n++] = at;
        if (i > 0 || (i == 0 && L > 0))
            ring[n++] = (Circle){at.rho, L + at.k};
    }
    return revolve(c, ring, n, arena, out, error);
}

const swColliderKind sw_collider_capsule = {.name = "capsule",
                                            .read = rod_read,
                                            .depth = capsule_depth,
                                            .bounds = capsule_bounds,
                                            .sane = capsule_sane,
                                            .surface = capsule_surface};

static void ball_bounds(const swModel *m, const swColliderInfo *c, swVec3 *lo, swVec3 *hi) {
    const swColliderInfo capsule = short_capsule(c);
    capsule_bounds(m, &capsule, lo, hi);
}

static bool ball_sane(const swModel *m, const swColliderInfo *c) {
    const swColliderInfo capsule = short_capsule(c);
    return capsule_sane(m, &capsule);
}

static bool ball_surface(const swModel *m, const swColliderInfo *c, swArena *arena, swSurface *out,
                         swError *error) {
    const swColliderInfo capsule = short_capsule(c);
    return capsule_surface(m, &capsule, arena, out, error);
}

const swColliderKind sw_collider_sphere = {.name = "sphere",
                                           .read = ball_read,
                                           .depth = ball_depth,
                                           .bounds = ball_bounds,
                                           .sane = ball_sane,
                                           .surface = ball_surface};
// ---- cones; cylinders are those with two equal ends ----

static bool cone_read(swColliderSource *source, swColliderInfo *c) {
    rod_read(source, c);
    c->top = source->shape->top;
    return true;
}

// From the half-plane of the axis and X: normals turn as those in the half-plane do, and about the
// axis.
static swDepth cone_depth(const swModel *m, const swColliderInfo *c, swVec3 X) {
    (void)m;
    const swVec3 u = sw_unit(sw_sub(c->b, c->a)), w = sw_sub(X, c->a);
    const swReal L = sw_norm(sw_sub(c->b, c->a)), k = sw_dot(w, u);
    const swVec3 out = sw_madd(w, -k, u);
    const swReal rho = sw_norm(out);
    const bool axis = rho < 1e-12 * (c->r + c->top + L); // all directions across are alike
    const swVec3 e = axis ? across(u) : sw_scale(1 / rho, out), f = sw_cross(u, e);
    const swSection p = sw_section_cone(L, c->r, c->top, rho, k);
    swDepth d = {.depth = -p.distance};
    d.normal = sw_unit(sw_madd(sw_scale(p.across, e), p.along, u));
    const swVec3 t = sw_madd(sw_scale(p.along, e), -p.across, u);
    const swReal plane = p.corner > 0 ? 1 / p.corner : 0, around = axis ? plane : p.across / rho;
    d.curved = plane != 0 || around != 0;
    for (int i = 0; i < 9 && d.curved; i++)
        d.bend.m[i] = plane * sw_get(t, i / 3) * sw_get(t, i % 3) +
                      around * sw_get(f, i / 3) * sw_get(f, i % 3);
    return d;
}

// Discs reach r sin(angle between their normal and an axis).
static void cone_bounds(const swModel *m, const swColliderInfo *c, swVec3 *lo, swVec3 *hi) {
    (void)m;
    const swVec3 u = sw_unit(sw_sub(c->b, c->a)),
                 reach = sw_v3(hypot(u.y, u.z), hypot(u.z, u.x), hypot(u.x, u.y));
    *lo = sw_min3(sw_madd(c->a, -c->r, reach), sw_madd(c->b, -c->top, reach));
    *hi = sw_max3(sw_madd(c->a, c->r, reach), sw_madd(c->b, c->top, reach));
}

static bool cone_sane(const swModel *m, const swColliderInfo *c) {
    return capsule_sane(m, c) && c->top >= 0 && isfinite(c->top) &&
           positive(sw_norm(sw_sub(c->b, c->a)));
}

static bool cone_surface(const swModel *m, const swColliderInfo *c, swArena *arena, swSurface *out,
                         swError *error) {
    (void)m;
    const swReal L = sw_norm(sw_sub(c->b, c->a));
    const Circle ring[4] = {{0, 0}, {c->r, 0}, {c->top, L}, {0, L}};
    return revolve(c, ring, c->top > 0 ? 4 : 3, arena, out, error);
}

const swColliderKind sw_collider_cylinder = {.name = "cylinder",
                                             .read = rod_read,
                                             .depth = cone_depth,
                                             .bounds = cone_bounds,
                                             .sane = cone_sane,
                                             .surface = cone_surface};

const swColliderKind sw_collider_cone = {.name = "cone",
                                         .read = cone_read,
                                         .depth = cone_depth,
                                         .bounds = cone_bounds,
                                         .sane = cone_sane,
                                         .surface = cone_surface};
