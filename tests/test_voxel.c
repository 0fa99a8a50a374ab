// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// From solids to voxels and to a surface.
#include "test.h"

#include "geometry/contour.h"
#include "volume/voxelize.h"

// ---- tools ----

typedef struct Fixture {
    swConfig config;
    swArena arena;
    swError error;
    int warnings;
    char warning[256];
} Fixture;

static void count_warning(void *context, swLogLevel level, const char *message) {
    Fixture *f = context;
    if (level == SW_LOG_WARNING) {
        f->warnings++;
        snprintf(f->warning, sizeof f->warning, "%s", message);
    }
}

static int setup(void **state) {
    static Fixture f;
    f = (Fixture){.config = sw_default_config()};
    f.config.log = count_warning;
    f.config.log_context = &f;
    sw_arena_init(&f.arena, &f.config.allocator);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    sw_arena_free(&((Fixture *)*state)->arena);
    return 0;
}

static swShape box(swVec3 lo, swVec3 hi) {
    return (swShape){
        .kind = SW_SHAPE_BOX, .size = sw_sub(hi, lo), .center = sw_scale(0.5, sw_add(lo, hi))};
}

static swShape sphere(swVec3 center, swReal r) {
    return (swShape){.kind = SW_SHAPE_SPHERE, .center = center, .radius = r};
}

static swShape rod(swShapeKind kind, swVec3 from, swVec3 to, swReal r) {
    return (swShape){.kind = kind, .from = from, .to = to, .radius = r};
}

static const swReal ell[] = {0, 0, 3, 0, 3, 1, 1, 1, 1, 2, 0, 2};
static const swReal wedge[] = {0, 0, 1.5, 0.1, 1.1, 1.3};

static swShape extrude(const swReal *polygon, int n, swReal z0, swReal z1) {
    return (swShape){
        .kind = SW_SHAPE_EXTRUDE, .polygon = polygon, .npolygon = n, .zrange = {z0, z1}};
}

static const swSolid *solid_of(Fixture *f, swShape shape) {
    shape.scale = shape.scale > 0 ? shape.scale : 1;
    const swSolid *solid = sw_solid_create(&shape, NULL, "shape", &f->config, &f->arena, &f->error);
    if (!solid)
        print_error("%s\n", f->error.message);
    assert_non_null(solid);
    return solid;
}

enum { MAX_PARTS = 8 };

// Voxels of shapes, part i of material materials[i] (NULL: 0).
static swGrid voxels(Fixture *f, int n, const swShape *shapes, const int *materials, swReal h,
                     swPool *pool) {
    swPaint paint[MAX_PARTS];
    swGrid grid;
    for (int i = 0; i < n; i++)
        paint[i] = (swPaint){solid_of(f, shapes[i]), materials ? materials[i] : 0, NULL};
    bool ok = sw_voxelize(n, paint, h, "body", pool, &f->config, &f->arena, &grid, &f->error);
    if (!ok)
        print_error("%s\n", f->error.message);
    assert_true(ok);
    return grid;
}

typedef struct Integrals {
    swReal volume;
    swVec3 first, second; // integrals of p and p^2
} Integrals;

static swVec3 square(swVec3 a) { return sw_v3(a.x * a.x, a.y * a.y, a.z * a.z); }

// Of one material, or all (-1); about `origin`.
static Integrals integrals(const swGrid *g, int material, swVec3 origin) {
    Integrals s = {0};
    for (int i = 0; i < g->nvoxel; i++) {
        const swVoxel *v = &g->voxel[i];
        if (material >= 0 && v->material != material)
            continue;
        swVec3 p = sw_sub(v->centroid, origin);
        s.volume += v->volume;
        s.first = sw_madd(s.first, v->volume, p);
        s.second = sw_madd(s.second, v->volume, sw_add(square(p), v->second));
    }
    return s;
}

static void assert_near3(swVec3 a, swVec3 b, swReal tolerance) {
    assert_near(a.x, b.x, tolerance);
    assert_near(a.y, b.y, tolerance);
    assert_near(a.z, b.z, tolerance);
}

static void assert_box_integrals(Integrals s, swVec3 lo, swVec3 hi, swVec3 origin,
                                 swReal tolerance) {
    swVec3 d = sw_sub(hi, lo), m = sw_sub(sw_scale(0.5, sw_add(lo, hi)), origin);
    swReal volume = d.x * d.y * d.z;
    assert_near(s.volume, volume, tolerance * volume);
    assert_near3(sw_scale(1 / volume, s.first), m, tolerance);
    assert_near3(sw_scale(1 / volume, s.second), sw_add(square(m), sw_scale(1.0 / 12, square(d))),
                 tolerance);
}

// What every grid promises.
static void assert_sound(const swGrid *g) {
    int ncell = g->n[0] * g->n[1] * g->n[2];
    const int step[3] = {1, g->n[0], g->n[0] * g->n[1]};
    swReal cell = g->h * g->h * g->h, total = 0, near = 1e-12;
    assert_int_equal(g->first[0], 0);
    assert_int_equal(g->first[ncell], g->nvoxel);
    for (int c = 0; c < ncell; c++) {
        swReal filled = 0;
        int i[3] = {c % g->n[0], c / g->n[0] % g->n[1], c / step[2]};
        for (int n = g->first[c]; n < g->first[c + 1]; n++) {
            const swVoxel *v = &g->voxel[n];
            assert_int_equal(v->cell, c);
            if (n > g->first[c])
                assert_true(v[-1].material < v->material);
            filled += v->volume;
            for (int k = 0; k < 3; k++) {
                swReal lo = sw_get(v->lo, k), hi = sw_get(v->hi, k), m = sw_get(v->centroid, k);
                swReal x = sw_get(g->origin, k) + i[k] * g->h;
                assert_true(lo > x - near && hi < x + g->h + near && lo < hi);
                assert_true(m > lo - near && m < hi + near);
                assert_true(sw_get(v->second, k) >= 0);
                assert_true(sw_get(v->second, k) <= (hi - lo) * (hi - lo) / 4 + near);
            }
        }
        assert_true(filled <= cell * (1 + 1e-9));
        total += filled;
        for (int k = 0; k < 3; k++)
            if (g->open[c] & SW_OPEN_X << k) {
                assert_true(i[k] + 1 < g->n[k]);
                assert_true(g->first[c] < g->first[c + 1]);
                assert_true(g->first[c + step[k]] < g->first[c + step[k] + 1]);
            }
    }
    assert_near(total, g->volume, 1e-12 * total);
}

// How many groups of connected cells there are.
static int find_root(int *parent, int c) {
    while (parent[c] != c)
        c = parent[c] = parent[parent[c]];
    return c;
}

static int components(Fixture *f, const swGrid *g) {
    int ncell = g->n[0] * g->n[1] * g->n[2], count = 0;
    const int step[3] = {1, g->n[0], g->n[0] * g->n[1]};
    int *parent = SW_NEW(&f->arena, ncell, int, NULL);
    assert_non_null(parent);
    for (int c = 0; c < ncell; c++)
        parent[c] = c;
    for (int c = 0; c < ncell; c++)
        for (int k = 0; k < 3; k++)
            if (g->open[c] & SW_OPEN_X << k)
                parent[find_root(parent, c)] = find_root(parent, c + step[k]);
    for (int c = 0; c < ncell; c++)
        count += g->first[c] < g->first[c + 1] && parent[c] == c;
    return count;
}

// ---- voxels ----

static void test_box_alone(void **state) {
    Fixture *f = *state;
    for (int i = 0; i < 40; i++) {
        swVec3 lo = {0.13 * i - 1, -0.71 * i, 0.37}, size = {0.5 + 0.011 * i, 0.31, 0.23};
        swVec3 hi = sw_add(lo, size);
        swShape shape = box(lo, hi);
        swReal h = i % 4 == 0 ? size.x / 7 : 0.03 + 0.0037 * i;
        swGrid g = voxels(f, 1, &shape, NULL, h, NULL);
        assert_sound(&g);
        swVec3 middle = sw_lerp(lo, hi, 0.5);
        assert_box_integrals(integrals(&g, 0, middle), lo, hi, middle, 1e-12);
        assert_near3(g.lo, lo, 1e-12);
        assert_near3(g.hi, hi, 1e-12);
        assert_int_equal(components(f, &g), 1);
    }
    assert_int_equal(f->warnings, 0);
}

// A second box shifts the grid against the first one.
static void test_boxes_off_grid(void **state) {
    Fixture *f = *state;
    for (int i = 0; i < 40; i++) {
        swReal s = 0.0173 * i;
        swVec3 lo[2] = {{0.1, 0.2, 0.3}, {-0.5 - s, 1.1 + 2 * s, 1 - s}};
        swVec3 hi[2] = {{0.83, 0.71, 0.55}, {0.31 - s, 1.3 + 3 * s, 1.7 + s}};
        swShape shapes[2] = {box(lo[0], hi[0]), box(lo[1], hi[1])};
        swGrid g = voxels(f, 2, shapes, (int[]){4, 2}, 0.05 + 0.006 * i, NULL);
        assert_sound(&g);
        swVec3 origin = {0, 0.5, 0};
        assert_box_integrals(integrals(&g, 4, origin), lo[0], hi[0], origin, 1e-12);
        assert_box_integrals(integrals(&g, 2, origin), lo[1], hi[1], origin, 1e-12);
    }
}

static void test_tee(void **state) {
    Fixture *f = *state;
    swShape shapes[2] = {box(sw_v3(-1, 0, 0), sw_v3(1, 0.4, 0.5)),
                         box(sw_v3(-0.2, -1, 0), sw_v3(0.2, 0.1, 0.5))}; // they overlap
    for (int i = 0; i < 10; i++) {
        swGrid g = voxels(f, 2, shapes, NULL, 0.07 + 0.013 * i, NULL);
        assert_sound(&g);
        assert_near(g.volume, 0.5 * (2 * 0.4 + 0.4), 1e-12);
        assert_int_equal(components(f, &g), 1);
    }
}

static void test_core(void **state) {
    Fixture *f = *state;
    swVec3 lo = {0.21, 0.33, 0.12}, hi = {0.74, 0.58, 0.61};
    swShape shapes[2] = {box(sw_v3(0, 0, 0), sw_v3(1, 1, 1)), box(lo, hi)};
    swGrid g = voxels(f, 2, shapes, (int[]){1, 0}, 0.09, NULL);
    assert_sound(&g);
    swReal core = (hi.x - lo.x) * (hi.y - lo.y) * (hi.z - lo.z);
    assert_near(g.volume, 1, 1e-12);
    assert_near(integrals(&g, 1, lo).volume, 1 - core, 1e-12);
    assert_box_integrals(integrals(&g, 0, lo), lo, hi, lo, 1e-12);
    assert_int_equal(components(f, &g), 1);
    // The other order: the core is painted over, and that is said.
    swShape other[2] = {shapes[1], shapes[0]};
    f->warnings = 0;
    g = voxels(f, 2, other, (int[]){0, 1}, 0.09, NULL);
    assert_near(integrals(&g, 1, lo).volume, 1, 1e-12);
    assert_near(integrals(&g, 0, lo).volume, 0, 0);
    assert_int_equal(f->warnings, 1);
    assert_non_null(strstr(f->warning, "part 1 of 2"));
    // A curved core: what it takes from the block, it has itself.
    swShape round[2] = {shapes[0], sphere(sw_v3(0.5, 0.5, 0.5), 0.3)};
    g = voxels(f, 2, round, (int[]){1, 0}, 1.0 / 12, NULL);
    assert_sound(&g);
    assert_near(g.volume, 1, 1e-12);
    assert_near(integrals(&g, 0, lo).volume, 4.0 / 3 * SW_PI * 0.027, 3e-3 * 0.113);
}

// A staircase polygon is a union of boxes; a wedge is exact in volume and centroid across y.
static void test_extrudes(void **state) {
    Fixture *f = *state;
    for (int i = 0; i < 8; i++) {
        swReal h = 0.083 + 0.031 * i;
        swShape shape = extrude(ell, 6, -0.3, 0.7);
        swGrid g = voxels(f, 1, &shape, NULL, h, NULL);
        assert_sound(&g);
        Integrals s = integrals(&g, 0, sw_v3(0, 0, 0));
        assert_near(s.volume, 4, 4e-12);
        assert_near3(s.first, sw_v3(4.5 + 0.5, 1.5 + 1.5, 0.8), 1e-11);
        assert_near3(s.second, sw_v3(9 + 1.0 / 3, 1 + 7.0 / 3, 4 * 0.37 / 3), 1e-11);
        shape = extrude(wedge, 3, 0, 1);
        g = voxels(f, 1, &shape, NULL, h, NULL);
        assert_sound(&g);
        assert_near(g.volume, 0.5 * (1.5 * 1.3 - 1.1 * 0.1), 1e-12);
    }
}

// A circle of many corners, more than rays can follow one by one.
static void test_dense_polygon(void **state) {
    Fixture *f = *state;
    enum { CORNERS = 3000 };
    static swReal circle[2 * CORNERS];
    for (int i = 0; i < CORNERS; i++) {
        circle[2 * i] = cos(2 * SW_PI * i / CORNERS);
        circle[2 * i + 1] = sin(2 * SW_PI * i / CORNERS);
    }
    swShape shapes[2] = {extrude(circle, CORNERS, 0, 0.2),
                         box(sw_v3(2, 0.123, 0.0123), sw_v3(2.1, 0.456, 0.2))};
    swGrid g = voxels(f, 2, shapes, (int[]){0, 1}, 0.1, NULL);
    assert_sound(&g);
    assert_near(integrals(&g, 0, sw_v3(0, 0, 0)).volume, 0.2 * SW_PI, 2e-4);
    assert_near(integrals(&g, 1, sw_v3(0, 0, 0)).volume, 0.1 * 0.333 * 0.1877, 1e-15);
}

static void test_round_solids(void **state) {
    Fixture *f = *state;
    // Errors at 12 and at 24 cells across: of the volume, and of the inertia about the centre.
    static const swReal tolerance[2][2] = {{4e-3, 8e-3}, {1e-3, 2e-3}};
    for (int fine = 0; fine < 2; fine++) {
        swVec3 center = {0.3, -0.2, 1};
        swReal r = 0.5, h = 2 * r / (fine ? 24 : 12), eps = tolerance[fine][0];
        swReal eps2 = tolerance[fine][1];
        swShape shape = sphere(center, r);
        swGrid g = voxels(f, 1, &shape, NULL, h, NULL);
        assert_sound(&g);
        Integrals s = integrals(&g, 0, center);
        swReal volume = 4.0 / 3 * SW_PI * r * r * r, second = volume * r * r / 5;
        assert_near(s.volume, volume, eps * volume);
        assert_near3(s.first, sw_v3(0, 0, 0), 1e-12);
        assert_near3(s.second, sw_v3(second, second, second), eps2 * second);
        assert_int_equal(components(f, &g), 1);

        // A cylinder along each axis: r^2/4 across, L^2/12 along.
        for (int axis = 0; axis < 3; axis++) {
            swVec3 half = {0, 0, 0}, across = sw_v3(r * r / 4, r * r / 4, r * r / 4);
            sw_set(&half, axis, 0.6);
            sw_set(&across, axis, 1.2 * 1.2 / 12);
            shape = rod(SW_SHAPE_CYLINDER, sw_sub(center, half), sw_add(center, half), r);
            g = voxels(f, 1, &shape, NULL, h, NULL);
            assert_sound(&g);
            s = integrals(&g, 0, center);
            volume = SW_PI * r * r * 1.2;
            assert_near(s.volume, volume, eps * volume);
            assert_near3(s.first, sw_v3(0, 0, 0), 1e-12);
            assert_near3(s.second, sw_scale(volume, across), eps2 * volume * 0.12);
        }
        // A slanted capsule.
        swVec3 d = {0.4, 0.3, -0.5};
        shape = rod(SW_SHAPE_CAPSULE, sw_sub(center, d), sw_add(center, d), 0.3);
        g = voxels(f, 1, &shape, NULL, h, NULL);
        assert_sound(&g);
        volume = SW_PI * 0.09 * (2 * sw_norm(d) + 0.4);
        assert_near(g.volume, volume, eps * volume);
        assert_int_equal(components(f, &g), 1);
    }
}

// The grid follows its solids: moving all changes nothing but rounding.
static void test_translation(void **state) {
    Fixture *f = *state;
    swShape shapes[2] = {rod(SW_SHAPE_CAPSULE, sw_v3(0, 0, 0), sw_v3(1, 0.3, 0.2), 0.25),
                         box(sw_v3(0.4, -0.5, -0.1), sw_v3(0.6, 0.9, 0.3))};
    swGrid a = voxels(f, 2, shapes, (int[]){0, 1}, 0.061, NULL);
    swVec3 t = {3.7, -11.3, 0.91};
    shapes[0].from = sw_add(shapes[0].from, t);
    shapes[0].to = sw_add(shapes[0].to, t);
    shapes[1].center = sw_add(shapes[1].center, t);
    swGrid b = voxels(f, 2, shapes, (int[]){0, 1}, 0.061, NULL);
    assert_memory_equal(a.n, b.n, sizeof a.n);
    assert_int_equal(a.nvoxel, b.nvoxel);
    assert_near(a.volume, b.volume, 1e-12);
    for (int i = 0; i < a.nvoxel; i++) {
        assert_int_equal(a.voxel[i].cell, b.voxel[i].cell);
        assert_int_equal(a.voxel[i].material, b.voxel[i].material);
        assert_near(a.voxel[i].volume, b.voxel[i].volume, 1e-12);
        assert_near3(sw_add(a.voxel[i].centroid, t), b.voxel[i].centroid, 1e-9);
    }
    assert_memory_equal(a.open, b.open, (size_t)(a.n[0] * a.n[1] * a.n[2]));
}

static void test_connections(void **state) {
    Fixture *f = *state;
    const swReal h = 0.1, gaps[] = {0, 0.5, 1};
    for (int axis = 0; axis < 3; axis++)
        for (int n = 0; n < 3; n++) {
            // Two boxes with a gap about the face between cells 4 and 5, and a long one under both
            // to hold the grid in place, one empty layer apart.
            swVec3 lo[2] = {{0, 0, 0}, {0, 0, 0}}, hi[2] = {{0.2, 0.2, 0.2}, {0.2, 0.2, 0.2}};
            swVec3 base = {0.2, 0.2, 0.2}, lift = {0, 0, 0};
            sw_set(&hi[0], axis, 0.5 - 0.5 * gaps[n] * h);
            sw_set(&lo[1], axis, 0.5 + 0.5 * gaps[n] * h);
            sw_set(&hi[1], axis, 1);
            sw_set(&base, axis, 1);
            sw_set(&lift, (axis + 1) % 3, 0.3);
            swShape shapes[3] = {box(lo[0], hi[0]), box(lo[1], hi[1]),
                                 box(lift, sw_add(lift, base))};
            swGrid g = voxels(f, 3, shapes, (int[]){0, 1, 0}, h, NULL);
            assert_sound(&g);
            assert_int_equal(components(f, &g), gaps[n] > 0 ? 3 : 2);
        }
    // Touching at an edge or a corner alone is not a connection.
    swShape edge[2] = {box(sw_v3(0, 0, 0), sw_v3(0.5, 0.5, 1)),
                       box(sw_v3(0.5, 0.5, 0), sw_v3(1, 1, 1))};
    swGrid g = voxels(f, 2, edge, NULL, h, NULL);
    assert_int_equal(components(f, &g), 2);
    // Two fingers side by side, joined at one end: the way from tip to tip leads around.
    swShape hand[3] = {rod(SW_SHAPE_CAPSULE, sw_v3(0, 0, 0), sw_v3(1, 0, 0), 0.11),
                       rod(SW_SHAPE_CAPSULE, sw_v3(0, 0.25, 0), sw_v3(1, 0.25, 0), 0.11),
                       box(sw_v3(-0.2, -0.1, -0.1), sw_v3(0, 0.35, 0.1))};
    g = voxels(f, 3, hand, NULL, 0.04, NULL);
    assert_int_equal(components(f, &g), 1);
    int row = 0;
    for (int c = 0; c < g.n[0] * g.n[1] * g.n[2]; c++) {
        swReal x = g.origin.x + (c % g.n[0] + 0.5) * g.h;
        int j = c / g.n[0] % g.n[1];
        swReal face = g.origin.y + (j + 1) * g.h;
        if (x > 0.1 && fabs(face - 0.125) < 0.5 * g.h)
            row |= g.open[c] & SW_OPEN_Y;
    }
    assert_int_equal(row, 0);
}

static void test_same_bits(void **state) {
    Fixture *f = *state;
    swShape shapes[3] = {rod(SW_SHAPE_CYLINDER, sw_v3(0, 0, 0), sw_v3(1, 0.3, 0.2), 0.25),
                         sphere(sw_v3(0.9, 0.3, 0.2), 0.4),
                         box(sw_v3(0.4, -0.5, -0.1), sw_v3(0.6, 0.9, 0.3))};
    swGrid g[3];
    swSurface s[3];
    for (int i = 0; i < 3; i++) {
        swPool *pool = sw_pool_create(&f->config.allocator, 1 << i);
        const swSolid *solid[3];
        g[i] = voxels(f, 3, shapes, (int[]){0, 1, 2}, 0.031, pool);
        for (int k = 0; k < 3; k++)
            solid[k] = solid_of(f, shapes[k]);
        assert_true(sw_contour(3, solid, 0, 0.031, pool, &f->arena, &s[i], &f->error));
        sw_pool_destroy(pool);
    }
    size_t ncell = (size_t)(g[0].n[0] * g[0].n[1] * g[0].n[2]);
    for (int i = 1; i < 3; i++) {
        assert_int_equal(g[i].nvoxel, g[0].nvoxel);
        assert_memory_equal(g[i].voxel, g[0].voxel, (size_t)g[0].nvoxel * sizeof(swVoxel));
        assert_memory_equal(g[i].first, g[0].first, (ncell + 1) * sizeof(int));
        assert_memory_equal(g[i].open, g[0].open, ncell);
        assert_int_equal(s[i].nvertex, s[0].nvertex);
        assert_memory_equal(s[i].X, s[0].X, (size_t)s[0].nvertex * sizeof(swVec3));
        assert_memory_equal(s[i].triangle, s[0].triangle, 3 * (size_t)s[0].ntriangle * sizeof(int));
    }
}

static swStatus refused(Fixture *f, const swShape *shape, swReal h) {
    swGrid grid;
    f->error = (swError){0};
    assert_false(sw_voxelize(1, &(swPaint){.solid = solid_of(f, *shape)}, h, "bodies[3]", NULL,
                             &f->config, &f->arena, &grid, &f->error));
    assert_non_null(strstr(f->error.message, "bodies[3]"));
    return f->error.code;
}

static swStatus not_drawn(Fixture *f, const swShape *shape, swReal h) {
    swSurface surface;
    const swSolid *solid = solid_of(f, *shape);
    f->error = (swError){0};
    assert_false(sw_contour(1, &solid, 0, h, NULL, &f->arena, &surface, &f->error));
    return f->error.code;
}

static void test_refusals(void **state) {
    Fixture *f = *state;
    swShape shape = box(sw_v3(0, 0, 0), sw_v3(1, 1, 1));
    assert_int_equal(refused(f, &shape, 1e-4), SW_ERROR_LIMIT);
    assert_non_null(strstr(f->error.message, "1e+12 cells"));
    assert_non_null(strstr(f->error.message, "400000000"));
    // What it proposes fits, and is not far from the smallest.
    double fits = atof(strstr(f->error.message, "fits is ") + 8);
    assert_true(pow(ceil(1 / fits), 3) <= SW_GRID_MAX_CELLS);
    assert_true(pow(ceil(1 / (0.98 * fits)), 3) > SW_GRID_MAX_CELLS);
    assert_int_equal(refused(f, &shape, 1e-300), SW_ERROR_LIMIT);
    assert_int_equal(refused(f, &shape, 0), SW_ERROR_VALUE);
    assert_int_equal(refused(f, &shape, -1), SW_ERROR_VALUE);
    assert_int_equal(refused(f, &shape, NAN), SW_ERROR_VALUE);
    assert_int_equal(refused(f, &shape, INFINITY), SW_ERROR_VALUE);
    assert_int_equal(not_drawn(f, &shape, 1e-4), SW_ERROR_LIMIT);
    assert_int_equal(not_drawn(f, &shape, 1e-300), SW_ERROR_LIMIT);
    assert_int_equal(not_drawn(f, &shape, 0), SW_ERROR_VALUE);
    assert_int_equal(not_drawn(f, &shape, NAN), SW_ERROR_VALUE);
    shape = (swShape){.kind = SW_SHAPE_HALFSPACE, .normal = {0, 1, 0}};
    assert_int_equal(refused(f, &shape, 0.1), SW_ERROR_GEOMETRY);
    assert_int_equal(not_drawn(f, &shape, 0.1), SW_ERROR_GEOMETRY);
    shape = box(sw_v3(0, 0, 0), sw_v3(1, 1, 0)); // a plane
    assert_int_equal(refused(f, &shape, 0.1), SW_ERROR_GEOMETRY);
    shape = box(sw_v3(1, 1, 0), sw_v3(1, 1, 0)); // a point
    assert_int_equal(refused(f, &shape, 0.1), SW_ERROR_GEOMETRY);
    assert_int_equal(not_drawn(f, &shape, 0.1), SW_ERROR_GEOMETRY);
    shape = box(sw_v3(1e14, 0, 0), sw_v3(1e14 + 1, 1, 1));
    assert_int_equal(refused(f, &shape, 0.1), SW_ERROR_VALUE);
    shape = box(sw_v3(0, 0, 0), sw_v3(1e55, 1e55, 1e55));
    assert_int_equal(refused(f, &shape, 1e54), SW_ERROR_VALUE);
    shape = box(sw_v3(0, 0, 0), sw_v3(1e-120, 1e-120, 1e-120)); // its volume is below any number
    assert_int_equal(refused(f, &shape, 1e-121), SW_ERROR_GEOMETRY);
    swGrid grid;
    assert_false(sw_voxelize(0, NULL, 0.1, "body", NULL, &f->config, &f->arena, &grid, &f->error));
    swSurface surface;
    assert_false(sw_contour(0, NULL, 0, 0.1, NULL, &f->arena, &surface, &f->error));
}

// One voxel for all, and solids far thinner than a voxel: rays see boxes of any size.
static void test_coarse(void **state) {
    Fixture *f = *state;
    swShape shape = box(sw_v3(0, 0, 0), sw_v3(1, 0.3, 1e-4));
    swGrid g = voxels(f, 1, &shape, NULL, 5, NULL);
    assert_sound(&g);
    assert_int_equal(g.nvoxel, 1);
    assert_near(g.volume, 3e-5, 1e-17);
    shape = sphere(sw_v3(0, 0, 0), 0.1);
    g = voxels(f, 1, &shape, NULL, 1, NULL);
    assert_int_equal(g.nvoxel, 1);
    assert_near(g.volume, 4e-3 / 3 * SW_PI, 0.1 * 4e-3);
}

// ---- memory ----

typedef struct Meter {
    swAllocator allocator;
    int left;    // calls until one fails; negative: never
    size_t held; // bytes
} Meter;

static void *metered(void *context, void *old, size_t old_size, size_t new_size) {
    Meter *m = context;
    if (new_size > 0 && m->left-- == 0) {
        m->left = 0;
        return NULL;
    }
    m->held += new_size - old_size;
    return m->allocator.resize(m->allocator.context, old, old_size, new_size);
}

static void test_no_memory(void **state) {
    Fixture *f = *state;
    const swSolid *solid[2] = {solid_of(f, sphere(sw_v3(0, 0, 0), 1)),
                               solid_of(f, box(sw_v3(0, 0, 0), sw_v3(1, 1, 3)))};
    swPaint paint[2] = {{solid[0], 0, NULL}, {solid[1], 1, NULL}};
    for (int surface = 0; surface < 2; surface++) {
        bool ok = false;
        for (int k = 0; !ok && k < 1000; k++) {
            Meter meter = {f->config.allocator, k, 0};
            swArena arena;
            sw_arena_init(&arena, &(swAllocator){metered, &meter});
            swGrid grid;
            swSurface s;
            swError error = {0};
            ok = surface
                     ? sw_contour(2, solid, 0, 0.03, NULL, &arena, &s, &error)
                     : sw_voxelize(2, paint, 0.03, "body", NULL, &f->config, &arena, &grid, &error);
            if (!ok)
                assert_int_equal(error.code, SW_ERROR_MEMORY);
            sw_arena_free(&arena);
            assert_int_equal(meter.held, 0);
        }
        assert_true(ok);
    }
}

// ---- surfaces ----

static swSurface contour_of(Fixture *f, int n, const swShape *shapes, swReal h,
                            swSurfaceFacts *facts) {
    const swSolid *solid[MAX_PARTS];
    swSurface s;
    for (int i = 0; i < n; i++)
        solid[i] = solid_of(f, shapes[i]);
    bool ok = sw_contour(n, solid, 0, h, NULL, &f->arena, &s, &f->error);
    if (!ok)
        print_error("%s\n", f->error.message);
    assert_true(ok);
    assert_true(sw_surface_facts(&s, facts, &f->arena, &f->error));
    assert_true(facts->closed);
    assert_int_equal(facts->boundary_edges, 0);
    assert_int_equal(facts->unused_vertices, 0);
    return s;
}

// Every vertex on the border, to `tolerance`.
static void assert_on_border(Fixture *f, const swSurface *s, swShape shape, swReal tolerance) {
    const swSolid *solid = solid_of(f, shape);
    for (int i = 0; i < s->nvertex; i++)
        assert_near(sw_solid_distance(solid, s->X[i]), 0, tolerance);
}

static void assert_has_corner(const swSurface *s, swVec3 corner, swReal tolerance) {
    swReal best = INFINITY;
    for (int i = 0; i < s->nvertex; i++)
        best = sw_min(best, sw_norm(sw_sub(s->X[i], corner)));
    assert_near(best, 0, tolerance);
}

static void test_contour_box(void **state) {
    Fixture *f = *state;
    for (int i = 0; i < 20; i++) {
        swVec3 lo = {0.13 * i - 1, -0.7, 0.37}, d = {0.5 + 0.011 * i, 0.31, 0.23};
        swVec3 hi = sw_add(lo, d);
        swShape shape = box(lo, hi);
        swSurfaceFacts facts;
        swSurface s = contour_of(f, 1, &shape, i % 4 ? 0.02 + 0.009 * i : d.x / (3 + i), &facts);
        assert_on_border(f, &s, shape, 1e-10);
        for (int c = 0; c < 8; c++)
            assert_has_corner(
                &s, sw_v3(c & 1 ? lo.x : hi.x, c & 2 ? lo.y : hi.y, c & 4 ? lo.z : hi.z), 1e-10);
        assert_near(facts.volume, d.x * d.y * d.z, 1e-10);
        assert_near(facts.area, 2 * (d.x * d.y + d.y * d.z + d.z * d.x), 1e-9);
        assert_int_equal(facts.components, 1);
        assert_int_equal(facts.flipped_edges + facts.nonmanifold_edges, 0);
        assert_int_equal(facts.degenerate_triangles, 0);
    }
}

static void test_contour_round(void **state) {
    Fixture *f = *state;
    const swReal r = 0.5, h = 2 * r / 24, L = 0.9;
    swVec3 a = {0.1, 0.2, 0.3}, u = sw_unit(sw_v3(1, 2, -1.5)), b = sw_madd(a, L, u);
    swVec3 along[4] = {sw_v3(a.x + L, a.y, a.z), sw_v3(a.x, a.y + L, a.z), sw_v3(a.x, a.y, a.z + L),
                       b};
    swSurfaceFacts facts;
    swShape shape = sphere(a, r);
    swSurface s = contour_of(f, 1, &shape, h, &facts);
    assert_on_border(f, &s, shape, 0.03 * h);
    assert_near(facts.volume, 4.0 / 3 * SW_PI * r * r * r, 5e-3 * facts.volume);
    assert_near(facts.area, 4 * SW_PI * r * r, 5e-3 * facts.area);
    assert_int_equal(facts.components, 1);
    for (int i = 0; i < 4; i++) {
        shape = rod(SW_SHAPE_CAPSULE, a, along[i], r);
        s = contour_of(f, 1, &shape, h, &facts);
        assert_on_border(f, &s, shape, 0.03 * h);
        assert_near(facts.volume, SW_PI * r * r * (L + 4.0 / 3 * r), 5e-3 * facts.volume);
        shape = rod(SW_SHAPE_CYLINDER, a, along[i], r);
        s = contour_of(f, 1, &shape, h, &facts);
        assert_on_border(f, &s, shape, 0.05 * h); // the rims are sharp, too
        assert_near(facts.volume, SW_PI * r * r * L, 5e-3 * facts.volume);
        assert_near(facts.area, 2 * SW_PI * r * (L + r), 5e-3 * facts.area);
        assert_int_equal(facts.components, 1);
        assert_int_equal(facts.flipped_edges + facts.nonmanifold_edges, 0);
        shape.kind = SW_SHAPE_CONE, shape.top = 0.3;
        s = contour_of(f, 1, &shape, h, &facts);
        assert_on_border(f, &s, shape, 0.05 * h);
    }
}

// Flat faces and sharp edges, convex and concave; some of them on lattice points.
static void test_contour_extrude(void **state) {
    Fixture *f = *state;
    for (int i = 0; i < 12; i++) {
        swReal h = i % 2 ? 1.0 / (2 + i) : 0.061 + 0.017 * i;
        swShape shape = extrude(ell, 6, -0.3, 0.7);
        swSurfaceFacts facts;
        swSurface s = contour_of(f, 1, &shape, h, &facts);
        assert_on_border(f, &s, shape, 1e-9);
        for (int c = 0; c < 12; c++)
            assert_has_corner(&s, sw_v3(ell[c / 2 * 2], ell[c / 2 * 2 + 1], c % 2 ? -0.3 : 0.7),
                              1e-9);
        assert_near(facts.volume, 4, 1e-8);
        assert_near(facts.area, 2 * 4 + 10, 1e-8);
        shape = extrude(wedge, 3, 0, 1);
        s = contour_of(f, 1, &shape, h / 4, &facts);
        assert_on_border(f, &s, shape, 1e-9);
        assert_near(facts.volume, 0.5 * (1.5 * 1.3 - 1.1 * 0.1), 1e-8);
    }
}

// Parts that share a face are one body, without a wall between them.
static void test_contour_abutting(void **state) {
    Fixture *f = *state;
    for (int i = 0; i < 12; i++)
        for (int axis = 0; axis < 3; axis++) {
            swVec3 middle_hi = {1, 1, 1}, middle_lo = {0, 0, 0};
            swReal cut = 0.1 + 0.0731 * i;
            sw_set(&middle_hi, axis, cut);
            sw_set(&middle_lo, axis, cut);
            swShape shapes[2] = {box(sw_v3(0, 0, 0), middle_hi), box(middle_lo, sw_v3(1, 1, 1))};
            swSurfaceFacts facts;
            swSurface s = contour_of(f, 2, shapes, 0.1, &facts);
            assert_on_border(f, &s, box(sw_v3(0, 0, 0), sw_v3(1, 1, 1)), 1e-9);
            assert_near(facts.volume, 1, 1e-9);
            assert_near(facts.area, 6, 1e-9);
            assert_int_equal(facts.components, 1);
        }
    // The shared face on lattice points.
    swReal at = (0.47 + 3) / 11.94;
    swShape shapes[2] = {box(sw_v3(0, 0, 0), sw_v3(1, at, 1)),
                         box(sw_v3(0, at, 0), sw_v3(1, 1, 1))};
    swSurfaceFacts facts;
    contour_of(f, 2, shapes, 0.1, &facts);
    assert_near(facts.volume, 1, 1e-9);
    assert_near(facts.area, 6, 1e-9);
    assert_int_equal(facts.components, 1);
}

static void test_contour_unions(void **state) {
    Fixture *f = *state;
    swSurfaceFacts facts;
    // A tee: its concave edges are sharp as well.
    swShape tee[2] = {box(sw_v3(-1, 0, 0), sw_v3(1, 0.4, 0.5)),
                      box(sw_v3(-0.2, -1, 0), sw_v3(0.2, 0.1, 0.5))};
    for (int i = 0; i < 6; i++) {
        contour_of(f, 2, tee, 0.05 + 0.011 * i, &facts);
        assert_near(facts.volume, 0.5 * (2 * 0.4 + 0.4), 1e-9);
        assert_near(facts.area, 2 * 1.2 + 0.5 * (2 * 2 + 2 * 1.4), 1e-8);
    }
    // Two spheres: a lens is counted once.
    swShape pair[2] = {sphere(sw_v3(0, 0, 0), 0.5), sphere(sw_v3(0.5, 0, 0), 0.5)};
    contour_of(f, 2, pair, 1.0 / 24, &facts);
    swReal lens = SW_PI * 5.0 / 12 * 0.125;
    assert_near(facts.volume, 2 * SW_PI / 6 - lens, 5e-3);
    assert_int_equal(facts.components, 1);
    // Apart.
    pair[1].center.x = 2;
    contour_of(f, 2, pair, 1.0 / 24, &facts);
    assert_near(facts.volume, SW_PI / 3, 5e-3);
    assert_int_equal(facts.components, 2);
    // A ball on a rod through a block, and a plate thinner than the lattice.
    swShape mix[3] = {box(sw_v3(0, 0, 0), sw_v3(1, 1, 1)),
                      rod(SW_SHAPE_CYLINDER, sw_v3(0.5, 0.5, 0.5), sw_v3(2, 0.5, 0.5), 0.2),
                      sphere(sw_v3(2.2, 0.5, 0.5), 0.4)};
    contour_of(f, 3, mix, 0.05, &facts);
    swReal cap = SW_PI / 3 * (0.4 - sqrt(0.12)) * (0.4 - sqrt(0.12)) * (0.8 + sqrt(0.12));
    swReal volume = 1 + SW_PI * 0.04 * (1.2 - sqrt(0.12)) + 4.0 / 3 * SW_PI * 0.064 - cap;
    assert_near(facts.volume, volume, 5e-3 * volume);
    assert_int_equal(facts.components, 1);
    swShape plate = box(sw_v3(0, 0, 0), sw_v3(1, 0.7, 1e-3));
    contour_of(f, 1, &plate, 0.1, &facts);
    assert_near(facts.volume, 7e-4, 1e-10);
    plate = box(sw_v3(0, 0, 0), sw_v3(1, 0.7, 0)); // nothing but a surface
    contour_of(f, 1, &plate, 0.1, &facts);
    assert_near(facts.volume, 0, 1e-8);
}

// ---- meshes ----

static void check_mesh(Fixture *f, const char *path, const char *name) {
    for (int turned = 0; turned < 2; turned++) {
        swShape shape = {.kind = SW_SHAPE_MESH, .file = path, .scale = 1};
        if (turned)
            shape.pose = (swPose){.axis = {1, 2, -0.7}, .angle = 0.83, .translate = {3, -2, 1}};
        const swSolid *solid = solid_of(f, shape);
        swVec3 lo, hi;
        sw_solid_bounds(solid, &lo, &hi);
        swVec3 d = sw_sub(hi, lo);
        swReal h = sw_max(sw_max(d.x, d.y), d.z) / 96;
        swSurfaceFacts facts;
        assert_true(sw_surface_facts(sw_solid_surface(solid), &facts, &f->arena, &f->error));
        swGrid g;
        assert_true(sw_voxelize(1, &(swPaint){.solid = solid}, h, name, NULL, &f->config, &f->arena,
                                &g, &f->error));
        assert_sound(&g);
        assert_near(g.volume, facts.volume, 0.02 * fabs(facts.volume));
        assert_int_equal(components(f, &g), 1);
    }
}

static void test_mesh_voxels(void **state) {
    static const char *const names[] = {"bunny.obj",    "armadillo.obj", "pneunet.stl",
                                        "quadknot.obj", "spot_low.obj",  "screw.ply"};
    for (int i = 0; i < SW_COUNT(names); i++) {
        char name[64];
        snprintf(name, sizeof name, "assets/meshes/%s", names[i]);
        SKIP_WITHOUT_ASSET(path, name);
        check_mesh(*state, path, names[i]);
    }
}

static void test_mesh_same_bits(void **state) {
    Fixture *f = *state;
    SKIP_WITHOUT_ASSET(path, "assets/meshes/spot_low.obj");
    const swSolid *solid = solid_of(f, (swShape){.kind = SW_SHAPE_MESH, .file = path});
    swPool *pool = sw_pool_create(&f->config.allocator, 3);
    swGrid g[2];
    swSurface s[2];
    for (int i = 0; i < 2; i++) {
        assert_true(sw_voxelize(1, &(swPaint){.solid = solid}, 0.04, "spot", i ? pool : NULL,
                                &f->config, &f->arena, &g[i], &f->error));
        assert_true(sw_contour(1, &solid, 0, 0.04, i ? pool : NULL, &f->arena, &s[i], &f->error));
    }
    sw_pool_destroy(pool);
    assert_int_equal(g[0].nvoxel, g[1].nvoxel);
    assert_memory_equal(g[0].voxel, g[1].voxel, (size_t)g[0].nvoxel * sizeof(swVoxel));
    assert_int_equal(s[0].nvertex, s[1].nvertex);
    assert_memory_equal(s[0].X, s[1].X, (size_t)s[0].nvertex * sizeof(swVec3));
    swSurfaceFacts facts, drawn;
    assert_true(sw_surface_facts(sw_solid_surface(solid), &facts, &f->arena, &f->error));
    assert_true(sw_surface_facts(&s[0], &drawn, &f->arena, &f->error));
    assert_true(drawn.closed);
    assert_near(drawn.volume, facts.volume, 0.01 * facts.volume);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest tests[] = {
    TEST(test_box_alone),
    TEST(test_boxes_off_grid),
    TEST(test_tee),
    TEST(test_core),
    TEST(test_extrudes),
    TEST(test_dense_polygon),
    TEST(test_round_solids),
    TEST(test_translation),
    TEST(test_connections),
    TEST(test_same_bits),
    TEST(test_refusals),
    TEST(test_coarse),
    TEST(test_no_memory),
    TEST(test_contour_box),
    TEST(test_contour_round),
    TEST(test_contour_extrude),
    TEST(test_contour_abutting),
    TEST(test_contour_unions),
    TEST(test_mesh_voxels),
    TEST(test_mesh_same_bits),
};
SW_SUITE(voxel, tests)
