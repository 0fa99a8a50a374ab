// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/bvh.h"
#include "geometry/solid.h"
#include "io/mesh.h"
#include "test.h"

#include <unistd.h>

// ---- what the tests share ----

static swArena arena;
static swConfig config;
static char logged[4096];

static void keep_log(void *context, swLogLevel level, const char *message) {
    (void)context;
    assert_int_equal(level, SW_LOG_WARNING);
    size_t n = strlen(logged);
    snprintf(logged + n, sizeof logged - n, "%s\n", message);
}

static int setup(void **state) {
    (void)state;
    config = sw_default_config();
    config.log = keep_log;
    logged[0] = 0;
    sw_arena_init(&arena, &config.allocator);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    sw_arena_free(&arena);
    return 0;
}

// Deterministic numbers in [0, 1).
static swReal uniform(void) {
    static uint64_t s = 88172645463325252ull;
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return (swReal)(s >> 11) * 0x1p-53;
}

static swReal between(swReal lo, swReal hi) { return lo + (hi - lo) * uniform(); }

static swVec3 random_in(swVec3 lo, swVec3 hi) {
    return sw_v3(between(lo.x, hi.x), between(lo.y, hi.y), between(lo.z, hi.z));
}

static swVec3 random_direction(void) {
    for (;;) {
        swVec3 v = random_in(sw_v3(-1, -1, -1), sw_v3(1, 1, 1));
        if (sw_norm(v) > 0.1 && sw_norm(v) <= 1)
            return sw_unit(v);
    }
}

static swSolid *try_create(const swShape *shape, swError *error) {
    *error = (swError){0};
    return sw_solid_create(shape, NULL, "bodies[0].shape", &config, &arena, error);
}

static swSolid *create(swShape shape) {
    swError error;
    char text[600];
    swSolid *solid = try_create(&shape, &error);
    if (!solid)
        fail_msg("%s", sw_error_text(&error, text, sizeof text));
    return solid;
}

static int spans(const swSolid *solid, swReal y, swReal z, swSpanList *list) {
    swError error;
    list->count = 0;
    assert_true(sw_solid_spans(solid, y, z, list, &arena, &error));
    for (int i = 0; i < list->count; i++) {
        assert_true(list->item[i].lo < list->item[i].hi);
        assert_true(i == 0 || list->item[i - 1].hi < list->item[i].lo);
    }
    return list->count;
}

// Volume and first moment from n x n rays through the middles of cells.
static swReal raster(const swSolid *solid, int n, swVec3 *moment) {
    swVec3 lo, hi;
    swSpanList list = {0};
    swReal volume = 0;
    sw_solid_bounds(solid, &lo, &hi);
    swReal hy = (hi.y - lo.y) / n, hz = (hi.z - lo.z) / n;
    swVec3 sum = {0, 0, 0};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            swReal y = lo.y + (i + 0.5) * hy, z = lo.z + (j + 0.5) * hz;
            for (int k = spans(solid, y, z, &list) - 1; k >= 0; k--) {
                swSpan s = list.item[k];
                assert_true(s.lo >= lo.x - 1e-9 && s.hi <= hi.x + 1e-9);
                swReal v = (s.hi - s.lo) * hy * hz;
                volume += v;
                sum = sw_madd(sum, v, sw_v3(0.5 * (s.lo + s.hi), y, z));
            }
        }
    if (moment)
        *moment = sum;
    return volume;
}

// ---- primitives ----

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
static swShape extrude(const swReal *polygon, int n, swReal z0, swReal z1) {
    return (swShape){
        .kind = SW_SHAPE_EXTRUDE, .polygon = polygon, .npolygon = n, .zrange = {z0, z1}};
}

enum { CORNERS_STAR = SW_COUNT(star) / 2, CORNERS_COMB = SW_COUNT(comb) / 2, EXAMPLES = 12 };

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
    default: return extrude(comb, CORNERS_COMB, 2, 2.5);
    }
}

static swReal example_volume(const swShape *s) {
    swReal r = s->radius, L = sw_norm(sw_sub(s->to, s->from));
    swReal ball = 4 * SW_PI / 3 * r * r * r, tube = SW_PI * r * r * L;
    switch (s->kind) {
    case SW_SHAPE_BOX: return s->size.x * s->size.y * s->size.z;
    case SW_SHAPE_SPHERE: return ball;
    case SW_SHAPE_CYLINDER: return tube;
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

// ---- meshes ----

typedef struct Mesh {
    SW_LIST(swVec3) X;
    SW_LIST(int) triangle;
} Mesh;

static void add_triangle(Mesh *m, swVec3 a, swVec3 b, swVec3 c, bool flip) {
    swVec3 corner[3] = {a, flip ? c : b, flip ? b : c};
    for (int k = 0; k < 3; k++) {
        *SW_PUSH(&m->triangle, &arena, NULL) = m->X.count;
        *SW_PUSH(&m->X, &arena, NULL) = corner[k];
    }
}

static void add_patch(Mesh *m, swVec3 c, swReal r, swVec3 p[3], int levels, bool flip) {
    if (levels == 0) {
        add_triangle(m, sw_madd(c, r, p[0]), sw_madd(c, r, p[1]), sw_madd(c, r, p[2]), flip);
        return;
    }
    swVec3 q[3]; // middles of the sides
    for (int k = 0; k < 3; k++)
        q[k] = sw_unit(sw_add(p[k], p[(k + 1) % 3]));
    add_patch(m, c, r, (swVec3[]){p[0], q[0], q[2]}, levels - 1, flip);
    add_patch(m, c, r, (swVec3[]){p[1], q[1], q[0]}, levels - 1, flip);
    add_patch(m, c, r, (swVec3[]){p[2], q[2], q[1]}, levels - 1, flip);
    add_patch(m, c, r, q, levels - 1, flip);
}

// 8 x 4^levels triangles, turned so that nothing lies along the axes.
static void add_sphere(Mesh *m, swVec3 c, swReal r, int levels, bool flip) {
    swMat3 R = sw_mat_rotation(sw_v3(0.4, 0.3, 0.2));
    for (int i = 0; i < 8; i++) {
        swReal x = i & 1 ? 1 : -1, y = i & 2 ? 1 : -1, z = i & 4 ? 1 : -1;
        swVec3 p[3] = {sw_mul(R, sw_v3(x, 0, 0)), sw_mul(R, sw_v3(0, y, 0)),
                       sw_mul(R, sw_v3(0, 0, z))};
        add_patch(m, c, r, p, levels, flip != (x * y * z < 0));
    }
}

static void add_torus(Mesh *m, swReal R, swReal r, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            swVec3 p[4];
            for (int k = 0; k < 4; k++) {
                swReal a = 2 * SW_PI * ((i + k / 2) % n) / n;
                swReal b = 2 * SW_PI * ((j + (k == 1 || k == 2)) % n) / n;
                swReal d = R + r * cos(b);
                p[k] = sw_v3(d * cos(a), d * sin(a), r * sin(b));
            }
            add_triangle(m, p[0], p[3], p[2], false);
            add_triangle(m, p[0], p[2], p[1], false);
        }
}

// The cube [0, n]^3 with n x n squares of two triangles on each face.
static void add_cube(Mesh *m, int n) {
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < n * n; i++) {
                swVec3 p[4];
                for (int k = 0; k < 4; k++) {
                    sw_set(&p[k], axis, side * n);
                    sw_set(&p[k], (axis + 1) % 3, i % n + (k == 1 || k == 2));
                    sw_set(&p[k], (axis + 2) % 3, i / n + k / 2);
                }
                add_triangle(m, p[0], p[1], p[2], side == 0);
                add_triangle(m, p[0], p[2], p[3], side == 0);
            }
}

static swSurface surface_of(const Mesh *m) {
    return (swSurface){m->X.count, m->triangle.count / 3, m->X.item, m->triangle.item};
}

// Written to a file and read back: the whole way that a user's mesh goes.
static swSolid *create_mesh(const Mesh *m) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/sinew_test_solid_%d.obj", (int)getpid());
    swSurface surface = surface_of(m);
    swError error = {0};
    assert_true(sw_mesh_write(path, &surface, &error));
    swShape shape = {.kind = SW_SHAPE_MESH, .file = path + 5, .scale = 1};
    logged[0] = 0;
    swSolid *solid = sw_solid_create(&shape, "/tmp", "shape", &config, &arena, &error);
    remove(path);
    if (!solid)
        fail_msg("%s", error.message);
    return solid;
}

static swReal mesh_volume(const Mesh *m) {
    swSurface surface = surface_of(m);
    swSurfaceFacts facts;
    assert_true(sw_surface_facts(&surface, &facts, &arena, NULL));
    return facts.volume;
}

static void test_mesh_volumes(void **state) {
    (void)state;
    swVec3 c = {0.3, 0.1, -0.2};
    Mesh m = {0};
    add_sphere(&m, c, 1, 4, false);
    swSolid *solid = create_mesh(&m);
    swReal ball = mesh_volume(&m);
    assert_string_equal(logged, "");
    assert_near(ball, 4 * SW_PI / 3, 0.03);
    assert_near(raster(solid, 200, NULL), ball, 1e-3);
    assert_int_equal(sw_solid_surface(solid)->ntriangle, 2048);

    m = (Mesh){0};
    add_torus(&m, 2, 0.7, 60);
    solid = create_mesh(&m);
    assert_string_equal(logged, "");
    assert_near(mesh_volume(&m), 2 * SW_PI * SW_PI * 2 * 0.49, 0.2);
    assert_near(raster(solid, 200, NULL), mesh_volume(&m), 1e-2);

    m = (Mesh){0}; // a cavity stays empty
    add_sphere(&m, c, 1, 4, false);
    add_sphere(&m, sw_v3(0.4, 0.2, -0.2), 0.5, 4, true);
    solid = create_mesh(&m);
    assert_string_equal(logged, "");
    assert_near(raster(solid, 200, NULL), ball * (1 - 0.125), 2e-3);
    assert_false(sw_solid_inside(solid, sw_v3(0.4, 0.2, -0.2)));

    m = (Mesh){0}; // turned inside out
    add_sphere(&m, c, 1, 4, true);
    solid = create_mesh(&m);
    assert_non_null(strstr(logged, "face inward"));
    assert_near(raster(solid, 200, NULL), ball, 1e-3);

    m = (Mesh){0}; // two that overlap count once, even where one is turned inside out
    add_sphere(&m, sw_v3(0, 0, 0), 1, 4, false);
    add_sphere(&m, sw_v3(1, 0, 0), 1, 4, false);
    swReal lens = SW_PI / 12 * 5; // (4 r + d) (2 r - d)^2 pi / 12
    assert_near(raster(create_mesh(&m), 200, NULL), 8 * SW_PI / 3 - lens, 0.04);
}

static void test_mesh_doubled(void **state) {
    (void)state;
    Mesh m = {0};
    add_sphere(&m, sw_v3(0, 0, 0), 1, 3, false);
    add_sphere(&m, sw_v3(0, 0, 0), 1, 3, true);
    swSolid *solid = create_mesh(&m);
    assert_non_null(strstr(logged, "doubled by an opposite one; nothing is inside"));
    assert_near(raster(solid, 100, NULL), 0, 0);
    assert_false(sw_solid_inside(solid, sw_v3(0, 0, 0)));
}

// Drops the triangles of a mesh that lie beyond a plane.
static Mesh cut(const Mesh *m, swVec3 n, swReal offset) {
    Mesh left = {0};
    for (int i = 0; i < m->X.count; i += 3) {
        const swVec3 *p = &m->X.item[i];
        if (sw_dot(n, p[0]) < offset || sw_dot(n, p[1]) < offset || sw_dot(n, p[2]) < offset)
            add_triangle(&left, p[0], p[1], p[2], false);
    }
    return left;
}

// A hole is capped about flat, whichever way it looks.
static void test_mesh_hole(void **state) {
    (void)state;
    const swVec3 normal[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}, {0.6, 0.64, -0.48}};
    Mesh ball = {0};
    add_sphere(&ball, sw_v3(0, 0, 0), 1, 5, false);
    for (int i = 0; i < SW_COUNT(normal); i++) {
        swVec3 n = normal[i];
        Mesh m = cut(&ball, n, 0.5);
        swSolid *solid = create_mesh(&m);
        assert_non_null(strstr(logged, "boundary edges: not closed; inside decided by winding"));
        // The rim is about 0.02 farther out than the plane: a ball less a cap of height 0.48.
        swReal height = 0.48, cap = SW_PI * height * height * (1 - height / 3);
        assert_near(raster(solid, 100, NULL), 4 * SW_PI / 3 - cap, 0.05);
        assert_true(sw_solid_inside(solid, sw_scale(0.42, n)));
        assert_false(sw_solid_inside(solid, sw_scale(0.62, n)));
        // Spans and the inside test agree.
        swSpanList list = {0};
        int differ = 0;
        for (int k = 0; k < 300; k++) {
            swVec3 p = random_in(sw_v3(-1, -1, -1), sw_v3(1, 1, 1));
            bool inside = false;
            for (int j = spans(solid, p.y, p.z, &list) - 1; j >= 0; j--)
                inside |= list.item[j].lo < p.x && p.x < list.item[j].hi;
            differ += inside != sw_solid_inside(solid, p);
        }
        assert_true(differ <= 1);
    }
}

// Half of a sphere's triangles dropped at random, or turned round, or torn apart: still the sphere.
static void test_mesh_torn(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        Mesh ball = {0}, m = {0};
        add_sphere(&ball, sw_v3(0, 0, 0), 1, 4, false);
        for (int i = 0; i < ball.X.count; i += 3) {
            const swVec3 *p = &ball.X.item[i];
            if (kind == 0 && uniform() < 0.2)
                continue;
            swVec3 shift = kind == 2 ? sw_scale(1e-3, random_direction()) : sw_v3(0, 0, 0);
            add_triangle(&m, sw_add(p[0], shift), sw_add(p[1], shift), sw_add(p[2], shift),
                         kind == 1 && uniform() < 0.1);
        }
        swSolid *solid = create_mesh(&m);
        assert_non_null(strstr(logged, "not closed"));
        assert_near(raster(solid, 50, NULL), 4 * SW_PI / 3, 0.15);
        assert_true(sw_solid_inside(solid, sw_v3(0, 0, 0)));
        assert_false(sw_solid_inside(solid, sw_v3(1.1, 0, 0)));
    }
}

typedef struct Signs {
    int sum, count;
} Signs;

static bool add_sign(void *arg, swReal x, int sign) {
    Signs *signs = arg;
    assert_true(isfinite(x));
    signs->sum += sign;
    signs->count++;
    return true;
}

// Rays through corners and edges of triangles balance on every closed surface.
static void test_rays_through_corners(void **state) {
    (void)state;
    Mesh m[3] = {{{0}, {0}}, {{0}, {0}}, {{0}, {0}}};
    add_sphere(&m[0], sw_v3(0.1, 0.2, 0.3), 1, 3, false);
    add_torus(&m[1], 2, 0.7, 24);
    add_cube(&m[2], 4);
    for (int i = 0; i < 3; i++) {
        swSurface s = surface_of(&m[i]);
        swBvh *bvh = sw_bvh_create(&s, &arena, NULL);
        int hit = 0;
        for (int t = 0; t < s.ntriangle; t++)
            for (int k = 0; k < 6; k++) {
                swVec3 a = s.X[3 * t + k % 3], b = s.X[3 * t + (k + 1) % 3];
                swVec3 p = k < 3 ? a : sw_lerp(a, b, uniform());
                Signs signs = {0, 0};
                assert_true(sw_bvh_pierce(bvh, p.y, p.z, add_sign, &signs));
                assert_int_equal(signs.sum, 0);
                hit += signs.count > 0;
            }
        assert_true(hit > s.ntriangle);
    }
    // On the lattice of a cube's corners a ray sees all of the cube or nothing.
    swSolid *cube = create_mesh(&m[2]);
    swSpanList list = {0};
    for (int y = -2; y <= 10; y++)
        for (int z = -2; z <= 10; z++) {
            int n = spans(cube, 0.5 * y, 0.5 * z, &list);
            bool within = y > 0 && y < 8 && z > 0 && z < 8;
            bool outside = y < 0 || y > 8 || z < 0 || z > 8;
            assert_true(within ? n == 1 : outside ? n == 0 : n <= 1);
            if (n) {
                assert_near(list.item[0].lo, 0, 0);
                assert_near(list.item[0].hi, 4, 0);
            }
        }
}

static void test_winding(void **state) {
    (void)state;
    Mesh m = {0};
    add_torus(&m, 2, 0.7, 40);
    Mesh open = cut(&m, sw_v3(1, 0, 0), 1.5);
    swSurface s = surface_of(&m), o = surface_of(&open);
    swBvh *closed = sw_bvh_create(&s, &arena, NULL), *bvh = sw_bvh_create(&o, &arena, NULL);
    swReal worst = 0;
    for (int i = 0; i < 300; i++) {
        swVec3 p = random_in(sw_v3(-3, -3, -1), sw_v3(3, 3, 1));
        swReal r = sqrt(p.x * p.x + p.y * p.y) - 2, d = sqrt(r * r + p.z * p.z) - 0.7;
        if (fabs(d) > 0.01)
            assert_near(sw_bvh_winding(closed, p, INFINITY), d < 0, 1e-12);
        swReal exact = sw_bvh_winding(bvh, p, INFINITY), sum = 0;
        for (int t = 0; t < o.ntriangle; t++) { // each triangle alone
            swVec3 a = sw_sub(o.X[3 * t], p), b = sw_sub(o.X[3 * t + 1], p);
            swVec3 c = sw_sub(o.X[3 * t + 2], p);
            swReal A = sw_norm(a), B = sw_norm(b), C = sw_norm(c);
            sum += atan2(sw_dot(a, sw_cross(b, c)),
                         A * B * C + sw_dot(a, b) * C + sw_dot(b, c) * A + sw_dot(c, a) * B);
        }
        assert_near(exact, sum / (2 * SW_PI), 1e-12);
        worst = sw_max(worst, fabs(sw_bvh_winding(bvh, p, 2) - exact));
        assert_near(sw_bvh_winding(bvh, p, 6), exact, 0.01);
    }
    assert_true(worst < 0.06 && worst > 0);
}

static void test_closest(void **state) {
    (void)state;
    Mesh m = {0};
    add_torus(&m, 2, 0.7, 30);
    add_triangle(&m, sw_v3(3, 0, 0), sw_v3(4, 0, 0), sw_v3(3.5, 0, 0), false); // a needle
    add_triangle(&m, sw_v3(0, 0, 2), sw_v3(0, 0, 2), sw_v3(0, 0, 2), false);   // a point
    swSurface s = surface_of(&m);
    swBvh *bvh = sw_bvh_create(&s, &arena, NULL);
    for (int i = 0; i < 200; i++) {
        swVec3 p = random_in(sw_v3(-4, -4, -2), sw_v3(4.5, 4, 3));
        int triangle;
        swVec3 q = sw_bvh_closest(bvh, p, &triangle);
        swReal d = sw_norm(sw_sub(p, q)), sampled = INFINITY;
        for (int t = 0; t < s.ntriangle; t++)
            for (int k = 0; k <= 10; k++)
                for (int l = 0; k + l <= 10; l++) {
                    const swVec3 *c = &s.X[3 * t];
                    swVec3 x = sw_madd(sw_madd(c[0], k / 10.0, sw_sub(c[1], c[0])), l / 10.0,
                                       sw_sub(c[2], c[0]));
                    sampled = sw_min(sampled, sw_norm(sw_sub(p, x)));
                }
        assert_true(d <= sampled + 1e-12);
        assert_true(d >= sampled - 0.04);
        // q lies on the triangle that was named.
        swSurface one = {3, 1, &s.X[3 * triangle], (int[]){0, 1, 2}};
        swBvh *alone = sw_bvh_create(&one, &arena, NULL);
        assert_near(sw_norm(sw_sub(q, sw_bvh_closest(alone, q, NULL))), 0, 1e-12);
        assert_near(sw_norm(sw_sub(p, sw_bvh_closest(alone, p, NULL))), d, 1e-12);
    }
}

static void test_mesh_distance(void **state) {
    (void)state;
    Mesh m = {0};
    add_torus(&m, 2, 0.7, 100);
    swSolid *solid = create_mesh(&m);
    for (int i = 0; i < 1000; i++) {
        swVec3 p = random_in(sw_v3(-4, -4, -2), sw_v3(4, 4, 2));
        swReal r = sqrt(p.x * p.x + p.y * p.y) - 2;
        assert_near(sw_solid_distance(solid, p), sqrt(r * r + p.z * p.z) - 0.7, 5e-3);
    }
    for (int i = 0; i < m.X.count; i += 97)
        assert_true(sw_solid_inside(solid, m.X.item[i]));
}

static void test_mesh_asset(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "assets/meshes/bunny.obj");
    swShape shape = {.kind = SW_SHAPE_MESH, .file = path, .scale = 1};
    swSolid *plain = create(shape);
    shape.scale = 0.5;
    shape.pose = (swPose){{0, 0, 2}, SW_PI / 2, {1, 0, 0}, {0, 0, 3}};
    swSolid *posed = create(shape);
    swReal volume = raster(plain, 100, NULL);
    assert_near(raster(posed, 100, NULL), volume / 8, 1e-3 * volume);
    // (x, y, z) goes to (1 - y / 2, x / 2 - 1, z / 2 + 3).
    swVec3 lo, hi, min, max;
    sw_solid_bounds(plain, &lo, &hi);
    sw_solid_bounds(posed, &min, &max);
    assert_near(min.x, 1 - hi.y / 2, 1e-12);
    assert_near(max.y, hi.x / 2 - 1, 1e-12);
    assert_near(min.z, lo.z / 2 + 3, 1e-12);
}

static void test_mesh_file_missing(void **state) {
    (void)state;
    swError error;
    swShape shape = {.kind = SW_SHAPE_MESH, .file = "no/such/file.obj", .scale = 1};
    assert_null(try_create(&shape, &error));
    assert_int_equal(error.code, SW_ERROR_FILE);
    assert_non_null(strstr(error.path, "no/such/file.obj"));
}

typedef struct Rows {
    const swSolid *solid;
    swReal length[64];
} Rows;

static void measure_rows(int start, int end, int worker, void *arg) {
    (void)worker;
    Rows *rows = arg;
    swArena own;
    swSpanList list = {0};
    sw_arena_init(&own, &config.allocator);
    for (int i = start; i < end; i++)
        for (int j = 0; j < 64; j++) {
            list.count = 0;
            sw_solid_spans(rows->solid, -1 + i / 32.0, -1 + j / 32.0, &list, &own, NULL);
            for (int k = 0; k < list.count; k++)
                rows->length[i] += list.item[k].hi - list.item[k].lo;
        }
    sw_arena_free(&own);
}

static void test_threads(void **state) {
    (void)state;
    Mesh ball = {0};
    add_sphere(&ball, sw_v3(0, 0, 0), 1, 4, false);
    Mesh m = cut(&ball, sw_v3(0, 0, 1), 0.5);
    Rows one = {create_mesh(&m), {0}}, four = {one.solid, {0}};
    sw_parallel_for(NULL, 64, 4, measure_rows, &one);
    swPool *pool = sw_pool_create(&config.allocator, 4);
    sw_parallel_for(pool, 64, 4, measure_rows, &four);
    sw_pool_destroy(pool);
    assert_memory_equal(one.length, four.length, sizeof one.length);
    assert_true(one.length[32] > 1);
}

typedef struct Budget {
    int left;
} Budget;

static void *failing_resize(void *context, void *old, size_t old_size, size_t new_size) {
    Budget *budget = context;
    (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return budget->left-- > 0 ? realloc(old, new_size) : NULL;
}

// Every allocation fails once; none is leaked or used.
static void test_no_memory(void **state) {
    (void)state;
    Mesh ball = {0};
    add_sphere(&ball, sw_v3(0, 0, 0), 1, 4, false);
    Mesh m = cut(&ball, sw_v3(0, 0, 1), 0.5);
    swSurface surface = surface_of(&m);
    char path[64];
    snprintf(path, sizeof path, "/tmp/sinew_test_solid_%d.obj", (int)getpid());
    assert_true(sw_mesh_write(path, &surface, NULL));
    swShape shape = {.kind = SW_SHAPE_MESH, .file = path, .scale = 1};
    bool done = false;
    int k = 0;
    for (; !done && k < 1000; k++) {
        Budget budget = {k};
        swAllocator allocator = {failing_resize, &budget};
        swArena small;
        swError error = {0};
        sw_arena_init(&small, &allocator);
        done = sw_solid_create(&shape, NULL, "shape", &config, &small, &error) != NULL;
        if (!done)
            assert_int_equal(error.code, SW_ERROR_MEMORY);
        sw_arena_free(&small);
    }
    remove(path);
    assert_true(done && k > 10);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
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
    TEST(test_mesh_volumes),
    TEST(test_mesh_doubled),
    TEST(test_mesh_hole),
    TEST(test_mesh_torn),
    TEST(test_rays_through_corners),
    TEST(test_winding),
    TEST(test_closest),
    TEST(test_mesh_distance),
    TEST(test_mesh_asset),
    TEST(test_mesh_file_missing),
    TEST(test_threads),
    TEST(test_no_memory),
};

SW_SUITE(solid, tests)
