// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Surfaces of voxels, and of the materials of a body.
#include "test.h"

#include "test_tools.h"

#include "geometry/surface.h"
#include "model/body.h"
#include "volume/fill_surface.h"

static const swReal h = 0.1;
static swArena arena;

static int setup(void **state) {
    (void)state;
    swConfig config = sw_default_config();
    sw_arena_init(&arena, &config.allocator);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    sw_arena_free(&arena);
    return 0;
}

// ---- grids ----

// n^3 cells of edge h with a corner at the origin. Material 0 fills a cell by `share`, which may be
// none.
static swGrid make_grid(int n, swReal (*share)(swVec3 cell, void *arg), void *arg) {
    swGrid g = {.h = h, .n = {n, n, n}};
    g.voxel = SW_NEW(&arena, n * n * n, swVoxel, NULL);
    for (int c = 0; c < n * n * n; c++) {
        swReal s = share(sw_v3(c % n, c / n % n, c / n / n), arg);
        if (s > 0)
            g.voxel[g.nvoxel++] = (swVoxel){.cell = c, .volume = s * h * h * h};
        g.volume += s * h * h * h;
    }
    return g;
}

// Of a signed distance, negative inside, by 16 x 16 x 16 points in cells that the border meets.
typedef swReal Shape(swVec3 p);
static swReal sampled(swVec3 cell, void *arg) {
    enum { N = 16 };
    Shape *shape = *(Shape **)arg;
    int inside = 0;
    swReal middle = shape(sw_scale(h, sw_add(cell, sw_v3(0.5, 0.5, 0.5))));
    if (fabs(middle) > h)
        return middle < 0;
    for (int i = 0; i < N * N * N; i++) {
        swVec3 at = sw_v3((i % N + 0.5) / N, (i / N % N + 0.5) / N, (i / N / N + 0.5) / N);
        inside += shape(sw_scale(h, sw_add(cell, at))) < 0;
    }
    return (swReal)inside / (N * N * N);
}

static swGrid grid_of(int n, Shape *shape) { return make_grid(n, sampled, &shape); }

// How much of a box lies in a cell, exactly.
typedef struct {
    swVec3 lo, hi;
} Box;
static swReal boxed(swVec3 cell, void *arg) {
    const Box *b = arg;
    swReal share = 1;
    for (int k = 0; k < 3; k++) {
        swReal lo = fmax(sw_get(b->lo, k) / h, sw_get(cell, k));
        swReal hi = fmin(sw_get(b->hi, k) / h, sw_get(cell, k) + 1);
        share *= fmax(hi - lo, 0);
    }
    return share;
}

// ---- surfaces ----

static swSurface surface_of(const swGrid *g, int material, swSurfaceFacts *facts, swReal *lost) {
    swSurface s;
    swError error = {0};
    require(sw_fill_surface(g, material, NULL, &arena, &s, lost, &error), &error);
    require(sw_surface_facts(&s, facts, &arena, &error), &error);
    return s;
}

static void assert_sound(const swSurfaceFacts *facts) {
    char text[200];
    assert_string_equal(sw_surface_defects(facts, text, sizeof text), "");
    assert_true(facts->closed);
}

// Of a closed surface in one piece.
static int holes_through(const swSurface *s) { return 1 - (s->nvertex - s->ntriangle / 2) / 2; }

// ---- shapes ----

static const swVec3 center = {1.213, 1.187, 1.21};
static swReal ball(swVec3 p) { return sw_norm(sw_sub(p, center)) - 1; }

// Largest distance of a vertex in cells, and largest angle of a triangle's normal in degrees.
static void ball_errors(const swSurface *s, swReal radius, swReal *distance, swReal *angle) {
    *distance = *angle = 0;
    for (int i = 0; i < s->nvertex; i++)
        *distance = fmax(*distance, fabs(sw_norm(sw_sub(s->X[i], center)) - radius) / h);
    for (int t = 0; t < s->ntriangle; t++) {
        const int *v = s->triangle + 3 * t;
        swVec3 a = s->X[v[0]], b = s->X[v[1]], c = s->X[v[2]];
        swVec3 N = sw_unit(sw_cross(sw_sub(b, a), sw_sub(c, a)));
        swVec3 out = sw_sub(sw_scale(1.0 / 3, sw_add(a, sw_add(b, c))), center);
        *angle = fmax(*angle, acos(fmin(sw_dot(N, sw_unit(out)), 1)) * 180 / SW_PI);
    }
}

static void test_ball(void **state) {
    (void)state;
    swSurfaceFacts facts;
    swReal lost, distance, angle;
    swGrid g = grid_of(24, ball);
    swSurface s = surface_of(&g, -1, &facts, &lost);
    assert_sound(&facts);
    assert_int_equal(facts.components, 1);
    assert_int_equal(holes_through(&s), 0);
    assert_near(lost, 0, 0);
    assert_near(facts.volume / g.volume, 1, 1e-4);
    assert_near(facts.area / (4 * SW_PI), 1, 2e-3);
    ball_errors(&s, 1, &distance, &angle);
    assert_true(distance < 0.06 && angle < 6);
}

static swReal ball_or_not(swVec3 cell, void *arg) {
    (void)arg;
    return ball(sw_scale(h, sw_add(cell, sw_v3(0.5, 0.5, 0.5)))) < 0;
}

// Labels say yes or no: steps are smoothed away, and the volume stays.
static void test_steps(void **state) {
    (void)state;
    swSurfaceFacts facts;
    swReal lost, distance, angle;
    swGrid g = make_grid(24, ball_or_not, NULL);
    swSurface s = surface_of(&g, -1, &facts, &lost);
    assert_sound(&facts);
    assert_near(facts.volume / g.volume, 1, 1e-4);
    assert_near(facts.area / (4 * SW_PI), 1, 0.02);
    ball_errors(&s, cbrt(3 * g.volume / (4 * SW_PI)), &distance, &angle);
    assert_true(distance < 0.33 && angle < 16);
}

// Faces come out flat and in place wherever they lie in their cells.
static void test_box(void **state) {
    (void)state;
    for (int k = 0; k <= 10; k++) {
        Box b = {sw_v3(0.2, 0.2 + 0.007 * k, 0.25), sw_v3(1.6 + 0.01 * k, 1.75, 1.7 + 0.003 * k)};
        swGrid g = make_grid(20, boxed, &b);
        swSurfaceFacts facts;
        swReal lost;
        swSurface s = surface_of(&g, -1, &facts, &lost);
        assert_sound(&facts);
        assert_int_equal(facts.components, 1);
        assert_near(facts.volume / g.volume, 1, 1e-4);
        int count = 0;
        for (int i = 0; i < s.nvertex; i++)
            for (int axis = 0; axis < 3; axis++) {
                swVec3 in = sw_min3(sw_sub(s.X[i], b.lo), sw_sub(b.hi, s.X[i]));
                sw_set(&in, axis, INFINITY);
                if (sw_min(in.x, sw_min(in.y, in.z)) < 4 * h)
                    continue;
                count++;
                swReal x = sw_get(s.X[i], axis), lo = sw_get(b.lo, axis), hi = sw_get(b.hi, axis);
                assert_near(fmin(fabs(x - lo), fabs(x - hi)) / h, 0, 0.06);
            }
        assert_true(count > 150);
    }
}

// A plane at any angle is met, away from its rim.
static swVec3 plane_normal;
static swReal half_ball(swVec3 p) {
    swVec3 d = sw_sub(p, center);
    return fmax(sw_norm(d) - 1, sw_dot(plane_normal, d));
}

static void test_planes(void **state) {
    (void)state;
    Random r = {5};
    for (int k = 0; k < 12; k++) {
        plane_normal = sw_unit(random_vec(&r, 1));
        swGrid g = grid_of(24, half_ball);
        swSurfaceFacts facts;
        swReal lost;
        swSurface s = surface_of(&g, -1, &facts, &lost);
        assert_sound(&facts);
        assert_near(facts.volume / g.volume, 1, 1e-4);
        int count = 0;
        for (int i = 0; i < s.nvertex; i++)
            if (sw_norm(sw_sub(s.X[i], center)) < 0.5) {
                count++;
                assert_near(sw_dot(plane_normal, sw_sub(s.X[i], center)) / h, 0, 0.06);
            }
        assert_true(count > 50);
    }
}

static swReal ring(swVec3 p) {
    swVec3 d = sw_sub(p, center);
    swReal r = hypot(d.x, 0.6 * d.y + 0.8 * d.z) - 0.8, z = 0.6 * d.z - 0.8 * d.y;
    return hypot(r, z) - 0.25;
}

static void test_ring(void **state) {
    (void)state;
    swGrid g = grid_of(24, ring);
    swSurfaceFacts facts;
    swReal lost;
    swSurface s = surface_of(&g, -1, &facts, &lost);
    assert_sound(&facts);
    assert_int_equal(facts.components, 1);
    assert_int_equal(holes_through(&s), 1);
    assert_near(facts.volume / g.volume, 1, 1e-4);
    assert_near(facts.area / (4 * SW_PI * SW_PI * 0.8 * 0.25), 1, 0.02);
}

// What is less than half a cell thick is lost, and told.
static void test_thin(void **state) {
    (void)state;
    const swReal thickness[] = {0.3, 0.49, 0.6, 0.9, 1.3, 1.8};
    for (int i = 0; i < SW_COUNT(thickness); i++) {
        Box b = {sw_v3(0.2, 0.52, 0.2), sw_v3(1.8, 0.52 + thickness[i] * h, 1.8)};
        swGrid g = make_grid(20, boxed, &b);
        swSurfaceFacts facts;
        swReal lost;
        swSurface s = surface_of(&g, -1, &facts, &lost);
        bool seen = thickness[i] > 0.5;
        assert_int_equal(s.ntriangle > 0, seen);
        assert_near(lost / g.volume, seen ? 0 : 1, 1e-6);
        if (!seen)
            continue;
        assert_sound(&facts);
        assert_int_equal(holes_through(&s), 0);
        assert_near(facts.volume / g.volume, 1, 0.02);
        swReal lo = INFINITY, hi = -INFINITY; // away from the rim
        for (int v = 0; v < s.nvertex; v++)
            if (fabs(s.X[v].x - 1) < 0.4 && fabs(s.X[v].z - 1) < 0.4) {
                lo = fmin(lo, s.X[v].y);
                hi = fmax(hi, s.X[v].y);
            }
        assert_near((hi - lo) / h, thickness[i], 0.12);
    }
    // A fin on a block: lost but for what touches the block.
    Box b = {sw_v3(0.2, 0.2, 0.2), sw_v3(0.8, 0.8, 0.8)},
        fin = {sw_v3(0.8, 0.5, 0.2), sw_v3(1.6, 0.54, 0.8)};
    swGrid g = make_grid(20, boxed, &b), f = make_grid(20, boxed, &fin);
    swVoxel *both = SW_NEW(&arena, g.nvoxel + f.nvoxel, swVoxel, NULL);
    memcpy(both, g.voxel, (size_t)g.nvoxel * sizeof *both);
    memcpy(both + g.nvoxel, f.voxel, (size_t)f.nvoxel * sizeof *both);
    g.voxel = both;
    g.nvoxel += f.nvoxel;
    swSurfaceFacts facts;
    swReal lost;
    surface_of(&g, -1, &facts, &lost);
    assert_sound(&facts);
    assert_near(lost, f.volume * 7 / 8, 1e-6 * f.volume);
}

// Every case of a cell and its neighbours: nothing but pairs of triangles along edges.
typedef struct {
    Random random;
    swReal density;
    bool partly;
} Noise;
static swReal noise(swVec3 cell, void *arg) {
    Noise *n = arg;
    (void)cell;
    swReal r = random_unit(&n->random);
    return r >= n->density ? 0 : n->partly ? random_unit(&n->random) : 1;
}

static void test_noise(void **state) {
    (void)state;
    for (int k = 0; k < 40; k++) {
        Noise n = {{(uint64_t)k}, 0.1 + 0.02 * k, k % 2};
        swGrid g = make_grid(16, noise, &n);
        swSurfaceFacts facts;
        swReal lost;
        surface_of(&g, -1, &facts, &lost);
        assert_int_equal(facts.boundary_edges, 0);
        assert_int_equal(facts.nonmanifold_edges, 0);
        assert_int_equal(facts.flipped_edges, 0);
        assert_int_equal(facts.duplicate_triangles, 0);
        assert_true(facts.closed);
        assert_true(facts.volume > 0);
    }
}

static void test_materials(void **state) {
    (void)state;
    swGrid g = grid_of(24, ball);
    swReal volume[3] = {0};
    for (int i = 0; i < g.nvoxel; i++) { // a core, two halves around it, nothing of material 3
        int c = g.voxel[i].cell;
        swVec3 p = sw_v3((c % 24 + 0.5) * h, (c / 24 % 24 + 0.5) * h, (c / 24 / 24 + 0.5) * h);
        swVec3 d = sw_sub(p, center);
        g.voxel[i].material = sw_norm(d) < 0.5 ? 0 : d.x > 0 ? 1 : 2;
        volume[g.voxel[i].material] += g.voxel[i].volume;
    }
    swSurfaceFacts facts;
    swReal lost;
    for (int m = 0; m < 3; m++) {
        surface_of(&g, m, &facts, &lost);
        assert_sound(&facts);
        assert_int_equal(facts.components, 1);
        assert_near(facts.volume / volume[m], 1, 1e-3);
        assert_near(lost, 0, 0.01 * volume[m]);
    }
    swSurface s = surface_of(&g, 3, &facts, &lost);
    assert_int_equal(s.ntriangle, 0);
    assert_near(lost, 0, 0);
    g.nvoxel = 0;
    s = surface_of(&g, -1, &facts, &lost);
    assert_int_equal(s.nvertex, 0);
}

static void test_same_bits(void **state) {
    (void)state;
    swConfig config = sw_default_config();
    swGrid g = grid_of(24, ring);
    swSurface s[3];
    swReal lost;
    for (int i = 0; i < 3; i++) {
        swPool *pool = sw_pool_create(&config.allocator, 1 << i);
        assert_true(sw_fill_surface(&g, -1, pool, &arena, &s[i], &lost, NULL));
        sw_pool_destroy(pool);
        assert_int_equal(s[i].nvertex, s[0].nvertex);
        assert_memory_equal(s[i].X, s[0].X, (size_t)s[0].nvertex * sizeof(swVec3));
        assert_memory_equal(s[i].triangle, s[0].triangle, 3 * (size_t)s[0].ntriangle * sizeof(int));
    }
}

static void test_memory(void **state) {
    (void)state;
    swGrid g = grid_of(12, ball);
    bool done = false;
    for (int k = 1; !done; k++) {
        Counter counter = {.fail_at = k};
        swConfig config = counting_config(&counter);
        swArena own;
        swSurface s;
        swReal lost;
        swError error = {0};
        sw_arena_init(&own, &config.allocator);
        done = sw_fill_surface(&g, -1, NULL, &own, &s, &lost, &error);
        assert_int_equal(error.code, done ? SW_OK : SW_ERROR_MEMORY);
        sw_arena_free(&own);
        assert_int_equal(counter.held, 0);
        assert_true(k > 2 || !done);
    }
}

// ---- materials of a body ----

// Two blocks side by side along x, of edge 1, that meet at x = `middle`; `film` thick at the end a
// third material.
static swScene *blocks(const swConfig *config, swReal middle, swReal film) {
    swScene *scene = sw_scene_create(config);
    const char *const names[] = {"muscle", "bone", "film"};
    const swReal at[] = {0, middle, 1 - film};
    swBody *b = sw_scene_add_body(scene, "joint");
    for (int i = 0; i < 3; i++) {
        sw_scene_add_material(scene, names[i]);
        if (at[i] == 1)
            continue;
        swShape *box = sw_body_add_shape(scene, b, SW_SHAPE_BOX);
        box->size = sw_v3(1 - at[i], 1, 1);
        box->center = sw_v3(0.5 * (1 + at[i]), 0, 0);
        box->material = names[i];
    }
    b->voxel = 0.06;
    b->surfaces = SW_SURFACES_MATERIALS;
    b->place.translate = sw_v3(0, 5, 0);
    b->frames.count = 2;
    return scene;
}

static swSurfaceFacts part_facts(const swModel *m, int part, swSurface *s) {
    swSurfaceFacts facts;
    s->nvertex = sw_part_vertex_count(m, part);
    s->ntriangle = sw_part_triangle_count(m, part);
    s->X = only_body(m)->point + only_body(m)->part[part].point;
    s->triangle = SW_NEW(&arena, 3 * (size_t)s->ntriangle, int, NULL);
    sw_part_triangles(m, part, s->triangle);
    assert_true(sw_surface_facts(s, &facts, &arena, NULL));
    return facts;
}

static void test_parts(void **state) {
    (void)state;
    const swReal middle[] = {0.5, 0.437, 0.61};
    for (int k = 0; k < SW_COUNT(middle); k++) {
        swScene *scene = blocks(NULL, middle[k], 0);
        swModel *m = compile_scene(scene);
        assert_int_equal(sw_part_count(m), 2);
        const swBodyModel *body = only_body(m);
        const swReal h1 = scene->bodies->voxel;
        for (int i = 0; i < 2; i++) {
            swSurface s;
            swSurfaceFacts facts = part_facts(m, i, &s);
            assert_string_equal(sw_part_name(m, i), i ? "bone" : "muscle");
            assert_int_equal(sw_part_body(m, i), 0);
            assert_sound(&facts);
            assert_near(facts.volume / (i ? 1 - middle[k] : middle[k]), 1, 1e-3);
            // Both reach the plane between them.
            assert_near(i ? facts.lo.x : facts.hi.x, middle[k], 0.2 * h1);
            const swPartInfo *part = &body->part[i];
            for (int p = part->point; p < part->point + part->npoint; p++)
                if (fabs(body->point[p].x - middle[k]) > h1)
                    assert_int_equal(body->point_material[p], i);
        }
        // Vertices go where the body goes.
        swState *st = make_state(m);
        swVec3 *x = SW_NEW(&arena, sw_part_vertex_count(m, 1), swVec3, NULL);
        sw_part_vertices(st, 1, x);
        for (int i = 0; i < sw_part_vertex_count(m, 1); i++) {
            swVec3 rest = body->point[body->part[1].point + i];
            assert_near(sw_norm(sw_sub(x[i], sw_add(rest, sw_v3(0, 5, 0)))), 0, 1e-9);
        }
        // The body's own surface is what it is without parts, and what loads and contacts see.
        int triangles = sw_model_info(m).triangles, contacts = sw_model_info(m).contact_points;
        sw_state_destroy(st);
        sw_model_destroy(m);
        scene->bodies->surfaces = SW_SURFACES_OUTER;
        m = compile_scene(scene);
        assert_int_equal(sw_part_count(m), 0);
        assert_int_equal(sw_model_info(m).triangles, triangles);
        assert_int_equal(sw_model_info(m).contact_points, contacts);
        sw_model_destroy(m);
        sw_scene_destroy(scene);
    }
}

static char logged[1024];
static void keep_log(void *context, swLogLevel level, const char *message) {
    (void)context;
    if (level == SW_LOG_WARNING)
        snprintf(logged, sizeof logged, "%s", message);
}

static void test_lost_part(void **state) {
    (void)state;
    swConfig config = sw_default_config();
    config.log = keep_log;
    swScene *scene = blocks(&config, 0.5, 0.01);
    swModel *m = compile_scene(scene);
    assert_int_equal(sw_part_count(m), 2);
    assert_non_null(strstr(logged, "bodies[0]: 100% of its \"film\""));
    sw_model_destroy(m);
    // One material alone is its body.
    scene->bodies->shape = scene->bodies->shape->parts;
    scene->bodies->shape->next = NULL;
    m = compile_scene(scene);
    assert_int_equal(sw_part_count(m), 0);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

static void test_saved_parts(void **state) {
    (void)state;
    swScene *scene = blocks(NULL, 0.5, 0);
    swModel *m = compile_scene(scene);
    const char *path = temporary_path("parts.model");
    swError error = {0};
    require(sw_model_save(m, path, &error), &error);
    swModel *again = sw_model_load(path, NULL, &error);
    require(again != NULL, &error);
    assert_int_equal(sw_model_hash(again), sw_model_hash(m));
    assert_string_equal(sw_part_name(again, 1), "bone");
    sw_model_destroy(again);
    // Indices that lead elsewhere are refused.
    swBodyModel *b = m->compiled[0];
    int *const index[] = {&b->part[1].body,      &b->part[1].material,
                          &b->part[0].point,     &b->part[0].npoint,
                          &b->part[1].ntriangle, &b->body[0].npart,
                          &b->point_material[7], &b->triangle[3 * b->part[1].triangle]};
    for (int i = 0; i < SW_COUNT(index); i++) {
        int keep = *index[i];
        *index[i] = keep + 1000000;
        require(sw_model_save(m, path, &error), &error);
        assert_null(sw_model_load(path, NULL, &error));
        assert_int_equal(error.code, SW_ERROR_FORMAT);
        *index[i] = keep;
    }
    remove(path);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

static void test_scene_key(void **state) {
    (void)state;
    const char *json = "{\"sinew\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, "
                       "\"surfaces\": \"materials\"}]}";
    swError error = {0};
    swScene *scene = sw_scene_parse(json, strlen(json), "x", NULL, &error);
    require(scene != NULL, &error);
    assert_int_equal(scene->bodies->surfaces, SW_SURFACES_MATERIALS);
    sw_scene_destroy(scene);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest tests[] = {
    TEST(test_ball),        TEST(test_steps),     TEST(test_box),   TEST(test_planes),
    TEST(test_ring),        TEST(test_thin),      TEST(test_noise), TEST(test_materials),
    TEST(test_same_bits),   TEST(test_memory),    TEST(test_parts), TEST(test_lost_part),
    TEST(test_saved_parts), TEST(test_scene_key),
};

SW_SUITE(fill, tests)
