// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Primitives.
#include "test_solid.h"

static const swReal star[] = {0,   0,   2,   0.3, 3,   -0.5, 2.5, 1.5,
                              3.1, 2.9, 1.6, 1.1, 0.2, 2.7,  0.9, 1.2};
static const swReal comb[] = {0, 0, 5, 0, 5, 2,   4, 2,   4, 0.5, 3, 0.5,
                              3, 2, 2, 2, 2, 0.5, 1, 0.5, 1, 3,   0, 3};

static swReal polygon_area(const swReal *p, int n) {
    swReal sum = 0;
    for (int i = 0; i < n; i++) {
        int j = (i + 1) % n;
        sum += 0.5 * (p[2 * i] * p[2 * j + 1] - p[2 * j] * p[2 * i + 1]);
    }
    return fabs(sum);
}

static swShape box(swReal x, swReal y, swReal z) {
    return (swShape){.kind = SW_SHAPE_BOX, .size = {x, y, z}, .center = {0.3, -0.2, 0.7}};
}
static swShape sphere(swVec3 c, swReal r) {
    return (swShape){.kind = SW_SHAPE_SPHERE, .center = c, .radius = r};
}
static swShape rod(swShapeKind kind, swVec3 a, swVec3 b, swReal r) {
    return (swShape){.kind = kind, .from = a, .to = b, .radius = r};
}
static swShape cone(swVec3 a, swVec3 b, swReal r, swReal top) {
    return (swShape){.kind = SW_SHAPE_CONE, .from = a, .to = b, .radius = r, .top = top};
}
static swShape extrude(const swReal *polygon, int n, swReal z0, swReal z1) {
    return (swShape){
        .kind = SW_SHAPE_EXTRUDE, .polygon = polygon, .npolygon = n, .zrange = {z0, z1}};
}

enum { CORNERS_STAR = SW_COUNT(star) / 2, CORNERS_COMB = SW_COUNT(comb) / 2, EXAMPLES = 18 };

// One of each kind, skew and along the axes.
static swShape example(int i) {
    swVec3 o = {0.1, -0.4, 0.2};
    switch (i) {
    case 0: return box(1, 0.5, 2);
    case 1: return sphere(sw_v3(0.5, 0.1, -3), 1.3);
    case 2: return rod(SW_SHAPE_CYLINDER, o, sw_v3(1.2, 0.9, 1.7), 0.5);
    case 3: return rod(SW_SHAPE_CYLINDER, o, sw_v3(-2, -0.4, 0.2), 0.5);         // along x
    case 4: return rod(SW_SHAPE_CYLINDER, o, sw_v3(0.1, 1, 0.2), 0.5);           // along y
    case 5: return rod(SW_SHAPE_CYLINDER, o, sw_v3(0.1, -0.4, 3), 0.5);          // along z
    case 6: return rod(SW_SHAPE_CYLINDER, o, sw_v3(1.1, -0.4 + 1e-9, 0.2), 0.5); // nearly x
    case 7: return rod(SW_SHAPE_CAPSULE, o, sw_v3(1.2, 0.9, -0.7), 0.4);
    case 8: return rod(SW_SHAPE_CAPSULE, o, sw_v3(0.1, 2, 0.2), 0.4);
    case 9: return rod(SW_SHAPE_CAPSULE, o, o, 0.4);
    case 10: return extrude(star, CORNERS_STAR, -1, 0.5);
    case 11: return extrude(comb, CORNERS_COMB, 2, 2.5);
    case 12: return cone(o, sw_v3(1.2, 0.9, 1.7), 0.5, 0);
    case 13: return cone(o, sw_v3(1.2, 0.9, -0.7), 0.4, 0.9);        // wider at its top
    case 14: return cone(o, sw_v3(0.5, -0.4, 0.2), 1.3, 0.1);        // flat, along x
    case 15: return cone(o, sw_v3(0.1, 1.5, 0.2), 0.3, 0);           // along y
    case 16: return cone(o, sw_v3(0.1, -0.4, 1), 0.5, 0.3);          // along z
    default: return cone(o, sw_v3(1.1, -0.4 + 1e-9, 0.2), 0.5, 0.5); // a cylinder, nearly along x
    }
}

static swReal example_volume(const swShape *s) {
    swReal r = s->radius, L = sw_norm(sw_sub(s->to, s->from));
    swReal ball = 4 * SW_PI / 3 * r * r * r, tube = SW_PI * r * r * L;
    switch (s->kind) {
    case SW_SHAPE_BOX: return s->size.x * s->size.y * s->size.z;
    case SW_SHAPE_SPHERE: return ball;
    case SW_SHAPE_CYLINDER: return tube;
    case SW_SHAPE_CONE: return SW_PI * L / 3 * (r * r + r * s->top + s->top * s->top);
    case SW_SHAPE_CAPSULE: return tube + ball;
    default: return polygon_area(s->polygon, s->npolygon) * (s->zrange[1] - s->zrange[0]);
    }
}

static void test_volumes(void **state) {
    (void)state;
    for (int i = 0; i < EXAMPLES; i++) {
        swShape s = example(i);
        swSolid *solid = create(s);
        swVec3 moment;
        swReal exact = example_volume(&s), volume = raster(solid, 240, &moment);
        assert_near(volume, exact, 1e-3 * exact);
        swVec3 c = sw_scale(1 / volume, moment);
        swVec3 middle = s.kind == SW_SHAPE_CAPSULE || s.kind == SW_SHAPE_CYLINDER
                            ? sw_lerp(s.from, s.to, 0.5)
                            : s.center;
        if (s.kind == SW_SHAPE_CONE) {
            const swReal r = s.radius, t = s.top, sum = r * r + r * t + t * t;
            middle = sw_lerp(s.from, s.to, (r * r + 2 * r * t + 3 * t * t) / (4 * sum));
        }
        if (s.kind != SW_SHAPE_EXTRUDE)
            assert_near(sw_norm(sw_sub(c, middle)), 0, 1e-3);
    }
}

// Spans and distances are written independently: each checks the other.
static void test_spans_against_distance(void **state) {
    (void)state;
    swSpanList list = {0};
    for (int i = 0; i < EXAMPLES; i++) {
        swSolid *solid = create(example(i));
        swVec3 lo, hi;
        sw_solid_bounds(solid, &lo, &hi);
        swVec3 margin = sw_scale(0.1, sw_sub(hi, lo));
        int met = 0;
        for (int k = 0; k < 500; k++) {
            swVec3 p = random_in(sw_sub(lo, margin), sw_add(hi, margin));
            bool inside = false;
            for (int j = spans(solid, p.y, p.z, &list) - 1; j >= 0; j--) {
                swSpan s = list.item[j];
                met++;
                inside |= s.lo < p.x && p.x < s.hi;
                assert_near(sw_solid_distance(solid, sw_v3(s.lo, p.y, p.z)), 0, 1e-7);
                assert_near(sw_solid_distance(solid, sw_v3(s.hi, p.y, p.z)), 0, 1e-7);
            }
            assert_true(inside == (sw_solid_distance(solid, p) < 0));
            assert_true(inside == sw_solid_inside(solid, p));
        }
        assert_true(met > 100);
    }
}

// A random point of the border, all parts of it with positive density.
static swVec3 border_point(const swShape *s) {
    swVec3 n = random_direction(), u = sw_unit(sw_sub(s->to, s->from));
    swVec3 across = sw_unit(sw_madd(n, -sw_dot(n, u), u)), at = sw_lerp(s->from, s->to, uniform());
    bool start = uniform() < 0.5;
    if (s->kind == SW_SHAPE_BOX) {
        swVec3 p = random_in(sw_madd(s->center, -0.5, s->size), sw_madd(s->center, 0.5, s->size));
        int k = (int)(3 * uniform());
        sw_set(&p, k, sw_get(s->center, k) + (start ? -0.5 : 0.5) * sw_get(s->size, k));
        return p;
    }
    if (s->kind == SW_SHAPE_SPHERE)
        return sw_madd(s->center, s->radius, n);
    if (s->kind == SW_SHAPE_CYLINDER && uniform() < 0.6)
        return sw_madd(start ? s->from : s->to, s->radius * sqrt(uniform()), across);
    if (s->kind == SW_SHAPE_CYLINDER)
        return sw_madd(at, s->radius, across);
    if (s->kind == SW_SHAPE_CONE) {
        const swReal t = uniform();
        if (uniform() < 0.6)
            return sw_madd(start ? s->from : s->to, (start ? s->radius : s->top) * sqrt(t), across);
        return sw_madd(sw_lerp(s->from, s->to, t), s->radius + t * (s->top - s->radius), across);
    }
    if (s->kind == SW_SHAPE_CAPSULE) {
        bool end = uniform() < 0.5 || sw_norm(u) == 0;
        swVec3 out = sw_dot(n, u) > 0 ? n : sw_scale(-1, n); // away from the other end
        return end ? sw_madd(start ? s->from : s->to, start ? -s->radius : s->radius, out)
                   : sw_madd(at, s->radius, across);
    }
    const swReal *p = s->polygon;
    int i = (int)(s->npolygon * uniform()), j = (i + 1) % s->npolygon;
    swReal t = uniform();
    if (uniform() < 0.5)
        return sw_v3(p[2 * i] + t * (p[2 * j] - p[2 * i]),
                     p[2 * i + 1] + t * (p[2 * j + 1] - p[2 * i + 1]),
                     between(s->zrange[0], s->zrange[1]));
    for (;;) { // the ends: by crossings
        swReal x = between(-1, 6), y = between(-1, 4);
        bool inside = false;
        for (i = 0; i < s->npolygon; i++) {
            j = (i + 1) % s->npolygon;
            if ((p[2 * i + 1] > y) != (p[2 * j + 1] > y))
                inside ^= x < p[2 * i] + (y - p[2 * i + 1]) / (p[2 * j + 1] - p[2 * i + 1]) *
                                             (p[2 * j] - p[2 * i]);
        }
        if (inside)
            return sw_v3(x, y, s->zrange[start]);
    }
}

static void test_distance_against_samples(void **state) {
    (void)state;
    enum { N = 20000 };
    swVec3 *sample = SW_NEW(&arena, N, swVec3, NULL);
    for (int i = 0; i < EXAMPLES; i++) {
        swShape shape = example(i);
        swSolid *solid = create(shape);
        swVec3 lo, hi;
        sw_solid_bounds(solid, &lo, &hi);
        swReal size = sw_norm(sw_sub(hi, lo));
        for (int k = 0; k < N; k++) {
            sample[k] = border_point(&shape);
            assert_near(sw_solid_distance(solid, sample[k]), 0, 1e-12);
            assert_true(sw_solid_inside(solid, sample[k]));
        }
        for (int k = 0; k < 100; k++) {
            swVec3 p = random_in(sw_sub(lo, sw_v3(1, 1, 1)), sw_add(hi, sw_v3(1, 1, 1)));
            swReal nearest = INFINITY, d = fabs(sw_solid_distance(solid, p));
            for (int j = 0; j < N; j++)
                nearest = sw_min(nearest, sw_norm(sw_sub(p, sample[j])));
            assert_true(nearest >= d - 1e-12);
            assert_true(nearest <= d + 0.02 * size); // the gap between samples
        }
    }
}

static swVec3 gradient(const swSolid *solid, swVec3 p, swReal e) {
    swVec3 g;
    for (int k = 0; k < 3; k++) {
        swVec3 a = p, b = p;
        sw_set(&a, k, sw_get(p, k) - e);
        sw_set(&b, k, sw_get(p, k) + e);
        sw_set(&g, k, (sw_solid_distance(solid, b) - sw_solid_distance(solid, a)) / (2 * e));
    }
    return g;
}

// |gradient| = 1, and following it leads to the border, but on the medial axis.
static void test_eikonal(void **state) {
    (void)state;
    for (int i = 0; i < EXAMPLES; i++) {
        swSolid *solid = create(example(i));
        swVec3 lo, hi;
        sw_solid_bounds(solid, &lo, &hi);
        int good = 0;
        for (int k = 0; k < 400; k++) {
            swVec3 p = random_in(sw_sub(lo, sw_v3(1, 1, 1)), sw_add(hi, sw_v3(1, 1, 1)));
            swVec3 q = random_in(sw_sub(lo, sw_v3(1, 1, 1)), sw_add(hi, sw_v3(1, 1, 1)));
            swReal d = sw_solid_distance(solid, p);
            assert_true(fabs(d - sw_solid_distance(solid, q)) <= sw_norm(sw_sub(p, q)) + 1e-12);
            swVec3 g = gradient(solid, p, 1e-6);
            good += fabs(sw_norm(g) - 1) < 1e-6 &&
                    fabs(sw_solid_distance(solid, sw_madd(p, -d, g))) < 1e-5;
        }
        assert_true(good > 390);
    }
}

// One ray per slab between breaks gives the volume to the last digits.
static void test_boxes_are_exact(void **state) {
    (void)state;
    const int index[] = {0, 11};
    for (int i = 0; i < 2; i++) {
        swShape shape = example(index[i]);
        swSolid *solid = create(shape);
        assert_true(sw_solid_is_box(solid));
        swSpanList cut[3] = {{0}, {0}, {0}}, list = {0};
        swError error;
        for (int k = 1; k < 3; k++) {
            assert_true(sw_solid_breaks(solid, k, &cut[k], &arena, &error));
            for (int a = 1; a < cut[k].count; a++) // insertion sort
                for (int b = a; b > 0 && cut[k].item[b].lo < cut[k].item[b - 1].lo; b--) {
                    swSpan keep = cut[k].item[b];
                    cut[k].item[b] = cut[k].item[b - 1];
                    cut[k].item[b - 1] = keep;
                }
        }
        swReal volume = 0;
        for (int a = 1; a < cut[1].count; a++)
            for (int b = 1; b < cut[2].count; b++) {
                swReal y0 = cut[1].item[a - 1].lo, y1 = cut[1].item[a].hi;
                swReal z0 = cut[2].item[b - 1].lo, z1 = cut[2].item[b].hi;
                for (int k = spans(solid, (y0 + y1) / 2, (z0 + z1) / 2, &list) - 1; k >= 0; k--)
                    volume += (list.item[k].hi - list.item[k].lo) * (y1 - y0) * (z1 - z0);
            }
        assert_near(volume, example_volume(&shape), 1e-14);
    }
    assert_false(sw_solid_is_box(create(example(10))));
    assert_false(sw_solid_is_box(create(example(1))));
}

static int count_breaks(swShape shape, int axis) {
    swSpanList list = {0};
    assert_true(sw_solid_breaks(create(shape), axis, &list, &arena, NULL));
    return list.count;
}

static void test_breaks(void **state) {
    (void)state;
    assert_int_equal(count_breaks(example(0), 1), 2);
    assert_int_equal(count_breaks(example(1), 1), 0);
    assert_int_equal(count_breaks(example(2), 2), 0);
    assert_int_equal(count_breaks(example(4), 1), 2); // the ends of a cylinder along y
    assert_int_equal(count_breaks(example(4), 2), 0);
    assert_int_equal(count_breaks(example(5), 2), 2);
    assert_int_equal(count_breaks(example(15), 1), 2);
    assert_int_equal(count_breaks(example(12), 1), 0);
    assert_int_equal(count_breaks(example(10), 1), CORNERS_STAR);
    assert_int_equal(count_breaks(example(10), 2), 2);
}

// A ray through a corner sees what a ray just above it sees.
static void test_polygon_corners(void **state) {
    (void)state;
    const struct {
        const swReal *p;
        int n;
    } polygon[] = {{star, CORNERS_STAR}, {comb, CORNERS_COMB}};
    swSpanList at = {0}, above = {0};
    for (int i = 0; i < 2; i++) {
        swSolid *solid = create(extrude(polygon[i].p, polygon[i].n, 0, 1));
        for (int k = 0; k < polygon[i].n; k++) {
            swReal y = polygon[i].p[2 * k + 1];
            int n = spans(solid, y, 0.5, &at);
            swReal length = 0;
            for (int j = spans(solid, y + 1e-11, 0.5, &above) - 1; j >= 0; j--)
                length += above.item[j].hi - above.item[j].lo;
            for (int j = 0; j < n; j++)
                length -= at.item[j].hi - at.item[j].lo;
            assert_near(length, 0, 1e-9);
        }
    }
    // Either winding is the same solid.
    swReal reversed[2 * CORNERS_STAR];
    for (int i = 0; i < 2 * CORNERS_STAR; i++)
        reversed[i] = star[2 * (CORNERS_STAR - 1 - i / 2) + i % 2];
    swSolid *a = create(extrude(star, CORNERS_STAR, 0, 1));
    swSolid *b = create(extrude(reversed, CORNERS_STAR, 0, 1));
    for (int i = 0; i < 200; i++) {
        swVec3 p = random_in(sw_v3(-1, -1, -1), sw_v3(4, 4, 2));
        assert_near(sw_solid_distance(a, p), sw_solid_distance(b, p), 1e-14);
    }
}

static void test_halfspace(void **state) {
    (void)state;
    swSpanList list = {0};
    swShape shape = {.kind = SW_SHAPE_HALFSPACE, .normal = {3, 0, 4}, .offset = 2};
    swSolid *solid = create(shape);
    swVec3 lo, hi;
    sw_solid_bounds(solid, &lo, &hi);
    assert_true(isinf(lo.x) && isinf(hi.z) && !sw_solid_is_box(solid));
    assert_near(sw_solid_distance(solid, sw_v3(1.2, 7, 1.6)), 0, 1e-15); // 2 along (0.6, 0, 0.8)
    assert_near(sw_solid_distance(solid, sw_v3(0, 0, 0)), -2, 1e-15);
    assert_int_equal(spans(solid, 5, 1, &list), 1);
    assert_true(isinf(list.item[0].lo));
    assert_near(list.item[0].hi, 2, 1e-15); // 0.6 x + 0.8 = 2
    solid =
        create((swShape){.kind = SW_SHAPE_HALFSPACE, .normal = {0, -2, 0}, .offset = 3}); // y >= -3
    assert_true(sw_solid_is_box(solid));
    assert_int_equal(spans(solid, -3.1, 0, &list), 0);
    assert_int_equal(spans(solid, -2.9, 0, &list), 1);
    assert_true(isinf(list.item[0].lo) && isinf(list.item[0].hi));
    list.count = 0;
    assert_true(sw_solid_breaks(solid, 1, &list, &arena, NULL));
    assert_int_equal(list.count, 1);
    assert_near(list.item[0].lo, -3, 0);
}

static void test_no_thickness(void **state) {
    (void)state;
    swSolid *face = create(box(0, 1, 1)); // x = 0.3
    assert_true(sw_solid_inside(face, sw_v3(0.3, 0, 0.5)));
    assert_false(sw_solid_inside(face, sw_v3(0.3 + 1e-9, 0, 0.5)));
    assert_near(sw_solid_distance(face, sw_v3(0.8, 0, 0.5)), 0.5, 1e-15);
    swSolid *sheet = create(extrude(comb, CORNERS_COMB, 1, 1));
    assert_true(sw_solid_inside(sheet, sw_v3(0.5, 2.5, 1)));
    assert_false(sw_solid_inside(sheet, sw_v3(1.5, 2.5, 1)));
    swSolid *point = create(rod(SW_SHAPE_CAPSULE, sw_v3(1, 2, 3), sw_v3(1, 2, 3), 0.5));
    assert_true(sw_solid_inside(point, sw_v3(1.5, 2, 3)));
    assert_near(sw_solid_distance(point, sw_v3(1, 2, 3)), -0.5, 0);
    // The border is inside, whichever way its distance was rounded.
    swSolid *ball = create(sphere(sw_v3(0.1, 0.2, 0.2), 0.3));
    assert_true(sw_solid_distance(ball, sw_v3(0, 0, 0)) > 0);
    assert_true(sw_solid_inside(ball, sw_v3(0, 0, 0)));
}

static void assert_refused(swShape shape, const char *expected) {
    swError error;
    assert_null(try_create(&shape, &error));
    if (!strstr(error.message, expected))
        fail_msg("\"%s\" does not hold \"%s\"", error.message, expected);
}

static void test_refusals(void **state) {
    (void)state;
    swVec3 o = {0, 0, 0}, e = {1, 0, 0};
    static const swReal bow[] = {0, 0, 2, 2, 2, 0, 0, 2}, closed[] = {0, 0, 1, 0, 1, 1, 0, 0};
    static const swReal fold[] = {0, 0, 2, 0, 1, 0}, touch[] = {0, 0, 4, 0, 4, 2, 2, 0, 0, 2};
    static const swReal infinite[] = {0, 0, 1, 0, INFINITY, 1};
    assert_refused(box(0.1, -1, 0.1), "bodies[0].shape.box.size: expected positive lengths, found "
                                      "[0.1, -1, 0.1]");
    assert_refused(box(0.1, NAN, 1), "found [0.1, none, 1]");
    assert_refused(box(INFINITY, 1, 1), "box.size");
    assert_refused(sphere(o, 0),
                   "bodies[0].shape.sphere.radius: expected a positive number, found 0");
    assert_refused(sphere(sw_v3(0, NAN, 0), 1), "sphere.center: expected finite coordinates");
    assert_refused(rod(SW_SHAPE_CAPSULE, o, e, -1), "capsule.radius");
    assert_refused(rod(SW_SHAPE_CAPSULE, o, sw_v3(0, 1e200, 0), 1), "capsule.to");
    assert_refused(rod(SW_SHAPE_CYLINDER, o, o, 1), "cylinder.to: expected a point other than");
    assert_refused(cone(o, o, 1, 1), "cone.to: expected a point other than");
    assert_refused(cone(o, e, 0, 1), "cone.radius: expected a positive number, found 0");
    assert_refused(cone(o, e, 1, -1), "cone.top: expected a number of at least 0, found -1");
    assert_refused(extrude(bow, 2, 0, 1), "extrude.polygon: expected at least 3 corners, found 2");
    assert_refused(extrude(NULL, 0, 0, 1), "found 0");
    assert_refused(extrude(bow, 4, 0, 1), "from corner 0 to 1 meets the edge from corner 2 to 3");
    assert_refused(extrude(touch, 5, 0, 1), "from corner 0 to 1 meets the edge from corner 2 to 3");
    assert_refused(extrude(closed, 4, 0, 1), "found corners 3 and 0 at the same place");
    assert_refused(extrude(fold, 3, 0, 1), "from corner 0 to 1 meets the edge from corner 1 to 2");
    assert_refused(extrude(infinite, 3, 0, 1), "extrude.polygon: expected finite coordinates");
    assert_refused(extrude(comb, CORNERS_COMB, 1, 0), "extrude.z: expected two ascending numbers");
    assert_refused((swShape){.kind = SW_SHAPE_HALFSPACE}, "halfspace.normal: expected a direction");
    assert_refused((swShape){.kind = SW_SHAPE_UNION}, "bodies[0].shape: expected one solid");
    assert_refused((swShape){.kind = SW_SHAPE_MESH, .scale = 1}, "mesh.file");
    assert_refused((swShape){.kind = SW_SHAPE_MESH, .file = "a.obj"}, "mesh.scale");
    assert_refused((swShape){.kind = SW_SHAPE_MESH, .file = "a.obj", .scale = 1, .pose.angle = 1},
                   "mesh.rotate.axis: expected a direction");
}

static const struct CMUnitTest tests[] = {
    TEST(test_volumes),
    TEST(test_spans_against_distance),
    TEST(test_distance_against_samples),
    TEST(test_eikonal),
    TEST(test_boxes_are_exact),
    TEST(test_breaks),
    TEST(test_polygon_corners),
    TEST(test_halfspace),
    TEST(test_no_thickness),
    TEST(test_refusals),
};

SW_SUITE(solid, tests)
