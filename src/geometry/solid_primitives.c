// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Boxes, spheres, capsules, cylinders and extruded polygons.
#include "geometry/solid_internal.h"

#include <string.h>

enum { MAX_CORNERS = 10000 };

static const swSpan nothing = {0, 0, 0};
static const swSpan everything = {-INFINITY, INFINITY, 0};

static swSpan meet(swSpan a, swSpan b) {
    return (swSpan){sw_max(a.lo, b.lo), sw_min(a.hi, b.hi), 0};
}

// The convex hull of two spans, either of which may be empty.
static swSpan hull(swSpan a, swSpan b) {
    if (!(a.lo < a.hi))
        return b;
    if (!(b.lo < b.hi))
        return a;
    return (swSpan){sw_min(a.lo, b.lo), sw_max(a.hi, b.hi), 0};
}

// Signed distance to the product of two shapes, from the distances to each.
static swReal product_distance(swReal a, swReal b) {
    return a > 0 && b > 0 ? sqrt(a * a + b * b) : sw_max(a, b);
}

// ---- box ----

static bool box_create(swSolid *solid, const swSolidSource *source) {
    swVec3 size = source->shape->size;
    swVec3 center = source->shape->center;
    if (!sw_solid_finite3(size) || size.x < 0 || size.y < 0 || size.z < 0)
        return sw_solid_bad(source, "size", "positive lengths", (swReal[]){size.x, size.y, size.z},
                            3);
    if (!sw_solid_check_point(source, "center", center))
        return false;
    solid->lo = sw_madd(center, -0.5, size);
    solid->hi = sw_madd(center, 0.5, size);
    solid->is_box = solid->flat[1] = solid->flat[2] = true;
    return true;
}

static swSpan box_span(const swSolid *solid, swReal y, swReal z) {
    swVec3 lo = solid->lo, hi = solid->hi;
    bool inside = lo.y <= y && y <= hi.y && lo.z <= z && z <= hi.z;
    return inside ? (swSpan){lo.x, hi.x, 0} : nothing;
}

static swReal box_distance(const swSolid *solid, swVec3 p) {
    swVec3 out = sw_max3(sw_sub(solid->lo, p), sw_sub(p, solid->hi));
    swReal nearest = sw_max(sw_max(out.x, out.y), out.z);
    return nearest <= 0 ? nearest : sw_norm(sw_max3(out, sw_v3(0, 0, 0)));
}

const swSolidType sw_solid_box = {
    .name = "box", .create = box_create, .span = box_span, .distance = box_distance};

// ---- sphere ----

static bool sphere_create(swSolid *solid, const swSolidSource *source) {
    const swShape *shape = source->shape;
    swReal r = shape->radius;
    if (!sw_solid_check_point(source, "center", shape->center) ||
        !sw_solid_check_positive(source, "radius", r))
        return false;
    solid->a = shape->center;
    solid->radius = r;
    solid->lo = sw_sub(solid->a, sw_v3(r, r, r));
    solid->hi = sw_add(solid->a, sw_v3(r, r, r));
    return true;
}

static swSpan ball_span(swVec3 center, swReal r, swReal y, swReal z) {
    swReal dy = y - center.y, dz = z - center.z, rest = r * r - dy * dy - dz * dz;
    if (rest <= 0)
        return nothing;
    swReal s = sqrt(rest);
    return (swSpan){center.x - s, center.x + s, 0};
}

static swSpan sphere_span(const swSolid *solid, swReal y, swReal z) {
    return ball_span(solid->a, solid->radius, y, z);
}

static swReal sphere_distance(const swSolid *solid, swVec3 p) {
    return sw_norm(sw_sub(p, solid->a)) - solid->radius;
}

const swSolidType sw_solid_sphere = {
    .name = "sphere", .create = sphere_create, .span = sphere_span, .distance = sphere_distance};

// ---- capsule and cylinder ----

static bool rod_create(swSolid *solid, const swSolidSource *source) {
    const swShape *shape = source->shape;
    swReal r = shape->radius;
    if (!sw_solid_check_point(source, "from", shape->from) ||
        !sw_solid_check_point(source, "to", shape->to) ||
        !sw_solid_check_positive(source, "radius", r))
        return false;
    solid->a = shape->from;
    solid->b = shape->to;
    solid->radius = r;
    solid->length = sw_norm(sw_sub(solid->b, solid->a));
    solid->axis = sw_solid_direction(sw_sub(solid->b, solid->a));
    swVec3 reach = sw_v3(r, r, r);
    if (solid->kind == SW_SHAPE_CYLINDER) {
        if (!(solid->length > 0))
            return sw_solid_bad(source, "to", "a point other than \"from\"",
                                (swReal[]){shape->to.x, shape->to.y, shape->to.z}, 3);
        // Flat ends normal to y or z are breaks; the discs extend by r sin(angle between normal and
        // axis).
        swVec3 u = solid->axis;
        for (int k = 0; k < 3; k++)
            solid->flat[k] = fabs(sw_get(u, k)) == 1;
        reach = sw_scale(r, sw_v3(hypot(u.y, u.z), hypot(u.z, u.x), hypot(u.x, u.y)));
    }
    solid->lo = sw_sub(sw_min3(solid->a, solid->b), reach);
    solid->hi = sw_add(sw_max3(solid->a, solid->b), reach);
    return true;
}

// With s = x - a.x, w = (0, y, z) - a and axis u, the point must lie between the planes of the
// ends, 0 <= u.x s + k <= L with k = u . w, and inside the infinite cylinder A s^2 - 2 u.x k s +
// |w|^2 - k^2 <= r^2 with A = u.y^2 + u.z^2. The form of the discriminant used below has no
// cancellation.
static swSpan cylinder_span(const swSolid *solid, swReal y, swReal z) {
    swVec3 u = solid->axis;
    swReal r = solid->radius, wy = y - solid->a.y, wz = z - solid->a.z;
    swReal k = u.y * wy + u.z * wz, A = u.y * u.y + u.z * u.z;
    swSpan slab = everything, tube = everything;
    if (u.x != 0) {
        swReal s0 = -k / u.x, s1 = (solid->length - k) / u.x;
        slab = (swSpan){sw_min(s0, s1), sw_max(s0, s1), 0};
    } else if (k < 0 || k > solid->length)
        return nothing;
    if (A > 0) {
        swReal across = u.y * wz - u.z * wy, D = A * r * r - across * across;
        if (D <= 0)
            return nothing;
        tube = (swSpan){(u.x * k - sqrt(D)) / A, (u.x * k + sqrt(D)) / A, 0};
    } else if (wy * wy + wz * wz > r * r)
        return nothing;
    swSpan s = meet(slab, tube);
    return (swSpan){solid->a.x + s.lo, solid->a.x + s.hi, 0};
}

static swReal cylinder_distance(const swSolid *solid, swVec3 p) {
    swVec3 w = sw_sub(p, solid->a);
    swReal k = sw_dot(w, solid->axis);
    swReal radial = sw_norm(sw_madd(w, -k, solid->axis)) - solid->radius;
    return product_distance(radial, sw_max(-k, k - solid->length));
}

const swSolidType sw_solid_cylinder = {
    .name = "cylinder", .create = rod_create, .span = cylinder_span, .distance = cylinder_distance};

static swSpan capsule_span(const swSolid *solid, swReal y, swReal z) {
    swSpan ends =
        hull(ball_span(solid->a, solid->radius, y, z), ball_span(solid->b, solid->radius, y, z));
    return solid->length > 0 ? hull(ends, cylinder_span(solid, y, z)) : ends;
}

static swReal capsule_distance(const swSolid *solid, swVec3 p) {
    swVec3 w = sw_sub(p, solid->a);
    swReal k = sw_clamp(sw_dot(w, solid->axis), 0, solid->length);
    return sw_norm(sw_madd(w, -k, solid->axis)) - solid->radius;
}

const swSolidType sw_solid_capsule = {
    .name = "capsule", .create = rod_create, .span = capsule_span, .distance = capsule_distance};

// ---- extrude: a polygon in x, y from lo.z to hi.z ----

typedef struct Point {
    swReal x, y;
} Point;

// Corner i of the polygon, cyclically.
static Point corner(const swReal *polygon, int n, int i) {
    i = i < n ? i : i - n;
    return (Point){polygon[2 * i], polygon[2 * i + 1]};
}

// Twice the signed area of triangle a, b, c.
static swReal turn(Point a, Point b, Point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool apart(swReal a, swReal b, swReal c, swReal d) {
    return sw_max(a, b) < sw_min(c, d) || sw_max(c, d) < sw_min(a, b);
}

static bool segments_meet(Point a, Point b, Point c, Point d) {
    if (apart(a.x, b.x, c.x, d.x) || apart(a.y, b.y, c.y, d.y))
        return false;
    swReal ca = turn(c, d, a), cb = turn(c, d, b), ac = turn(a, b, c), ad = turn(a, b, d);
    return !(ca > 0 && cb > 0) && !(ca < 0 && cb < 0) && !(ac > 0 && ad > 0) && !(ac < 0 && ad < 0);
}

// Whether the path a, b, c reverses direction at b.
static bool folds(Point a, Point b, Point c) {
    return turn(a, b, c) == 0 && (a.x - b.x) * (c.x - b.x) + (a.y - b.y) * (c.y - b.y) > 0;
}

// Edge i runs from corner i to corner i + 1. No two edges may share more than a common corner.
static bool check_simple(const swSolidSource *source) {
    const swReal *polygon = source->shape->polygon;
    int n = source->shape->npolygon;
    for (int i = 0; i < n; i++) {
        Point a = corner(polygon, n, i), b = corner(polygon, n, i + 1);
        if (a.x == b.x && a.y == b.y)
            return sw_fail(source->error, SW_ERROR_VALUE,
                           "%s.extrude.polygon: expected distinct corners (it closes by itself), "
                           "found corners %d and %d at the same place",
                           source->key, i, (i + 1) % n);
    }
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            Point a = corner(polygon, n, i), b = corner(polygon, n, i + 1);
            Point c = corner(polygon, n, j), d = corner(polygon, n, j + 1);
            bool last = i == 0 && j == n - 1; // j is the other neighbour of edge 0, at corner 0
            bool bad = j == i + 1 ? folds(a, b, d)
                       : last     ? folds(c, a, b)
                                  : segments_meet(a, b, c, d);
            if (bad)
                return sw_fail(source->error, SW_ERROR_VALUE,
                               "%s.extrude.polygon: expected a simple polygon, found that the edge "
                               "from corner %d to %d meets the edge from corner %d to %d",
                               source->key, i, i + 1, j, (j + 1) % n);
        }
    return true;
}

static bool extrude_check(const swSolidSource *source) {
    const swShape *shape = source->shape;
    int n = shape->npolygon;
    const swReal *z = shape->zrange;
    if (!shape->polygon || n < 3)
        return sw_solid_bad(source, "polygon", "at least 3 corners",
                            &(swReal){shape->polygon ? n : 0}, 1);
    if (n > MAX_CORNERS)
        return sw_fail(source->error, SW_ERROR_LIMIT,
                       "%s.extrude.polygon: expected at most %d corners, found %d", source->key,
                       MAX_CORNERS, n);
    for (int i = 0; i < n; i++)
        if (!sw_solid_finite(shape->polygon[2 * i]) || !sw_solid_finite(shape->polygon[2 * i + 1]))
            return sw_solid_bad(source, "polygon", "finite coordinates", &shape->polygon[2 * i], 2);
    if (!sw_solid_finite(z[0]) || !sw_solid_finite(z[1]) || z[0] > z[1])
        return sw_solid_bad(source, "z", "two ascending numbers", z, 2);
    if (!check_simple(source))
        return false;
    swReal area = 0;
    for (int i = 1; i < n - 1; i++)
        area += turn(corner(shape->polygon, n, 0), corner(shape->polygon, n, i),
                     corner(shape->polygon, n, i + 1));
    return area != 0 || sw_solid_bad(source, "polygon", "an area above 0", &area, 1);
}

static bool extrude_create(swSolid *solid, const swSolidSource *source) {
    if (!extrude_check(source))
        return false;
    const swShape *shape = source->shape;
    int n = shape->npolygon;
    swReal *polygon = SW_NEW(source->arena, 2 * n, swReal, source->error);
    if (!polygon)
        return false;
    memcpy(polygon, shape->polygon, 2 * (size_t)n * sizeof(swReal));
    solid->polygon = polygon;
    solid->npolygon = n;
    solid->lo = sw_v3(INFINITY, INFINITY, shape->zrange[0]);
    solid->hi = sw_v3(-INFINITY, -INFINITY, shape->zrange[1]);
    solid->flat[2] = solid->is_box = true;
    for (int i = 0; i < n; i++) {
        Point a = corner(polygon, n, i), b = corner(polygon, n, i + 1);
        solid->lo = sw_min3(solid->lo, sw_v3(a.x, a.y, solid->lo.z));
        solid->hi = sw_max3(solid->hi, sw_v3(a.x, a.y, solid->hi.z));
        solid->is_box &= a.x == b.x || a.y == b.y;
    }
    return true;
}

static bool extrude_spans(const swSolid *solid, swReal y, swReal z, swSpanList *list,
                          swArena *arena, swError *error) {
    if (z < solid->lo.z || z > solid->hi.z)
        return true;
    // The crossings are kept at the end of the list until they are sorted and paired. An edge
    // includes its lower corner but not its upper one, so that a corner on the ray counts once.
    int first = list->count, n = solid->npolygon;
    for (int i = 0; i < n; i++) {
        Point a = corner(solid->polygon, n, i), b = corner(solid->polygon, n, i + 1);
        if ((a.y <= y) == (b.y <= y))
            continue;
        swSpan *crossing = SW_PUSH(list, arena, error);
        if (!crossing)
            return false;
        swReal t = (y - a.y) / (b.y - a.y);
        crossing->lo = sw_clamp(a.x + t * (b.x - a.x), sw_min(a.x, b.x), sw_max(a.x, b.x));
    }
    int count = list->count - first;
    list->count = first;
    if (count == 0) // there may be no list yet
        return true;
    swSpan *s = list->item + first;
    sw_span_sort(s, count);
    for (int i = 0; i + 1 < count; i += 2) {
        swSpan span = {s[i].lo, s[i + 1].lo, 0};
        if (list->count > first && list->item[list->count - 1].hi == span.lo)
            list->item[list->count - 1].hi = span.hi;
        else if (span.lo < span.hi)
            list->item[list->count++] = span;
    }
    return true;
}

static swReal extrude_distance(const swSolid *solid, swVec3 p) {
    swReal nearest = INFINITY;
    bool inside = false;
    for (int i = 0, n = solid->npolygon; i < n; i++) {
        Point a = corner(solid->polygon, n, i), b = corner(solid->polygon, n, i + 1);
        swReal ex = b.x - a.x, ey = b.y - a.y, wx = p.x - a.x, wy = p.y - a.y;
        swReal t = sw_clamp((wx * ex + wy * ey) / (ex * ex + ey * ey), 0, 1);
        swReal dx = wx - t * ex, dy = wy - t * ey;
        nearest = sw_min(nearest, dx * dx + dy * dy);
        if ((a.y <= p.y) != (b.y <= p.y) && (wx * ey < wy * ex) == (ey > 0))
            inside = !inside;
    }
    swReal across = inside ? -sqrt(nearest) : sqrt(nearest);
    return product_distance(across, sw_max(solid->lo.z - p.z, p.z - solid->hi.z));
}

const swSolidType sw_solid_extrude = {.name = "extrude",
                                      .create = extrude_create,
                                      .spans = extrude_spans,
                                      .distance = extrude_distance};
