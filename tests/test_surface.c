// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The facts of small surfaces, their poses and normals. The facts of real meshes: test_mesh.c.
#include "test.h"

#include "geometry/refine.h"
#include "geometry/surface.h"

#define SURFACE(X, triangle) \
    { SW_COUNT(X), SW_COUNT(triangle) / 3, X, triangle }

static swSurfaceFacts facts_of(swSurface surface) {
    swConfig config = sw_default_config();
    swArena arena;
    sw_arena_init(&arena, &config.allocator);
    swSurfaceFacts facts;
    swError error;
    if (!sw_surface_facts(&surface, &facts, &arena, &error))
        fail_msg("%s", error.message);
    sw_arena_free(&arena);
    return facts;
}

static void assert_defects(const swSurfaceFacts *facts, const char *expected) {
    char text[200];
    assert_string_equal(sw_surface_defects(facts, text, sizeof text), expected);
}

static void test_clean(void **state) {
    (void)state;
    swVec3 X[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int triangle[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    swSurface s = SURFACE(X, triangle);
    swSurfaceFacts facts = facts_of(s);
    assert_defects(&facts, "");
    assert_true(facts.closed);
    assert_int_equal(facts.components, 1);
    assert_near(facts.volume, 1.0 / 6, 1e-15);
    assert_near(facts.area, 1.5 + sqrt(3) / 2, 1e-15);
    facts = facts_of((swSurface){0});
    assert_int_equal(facts.components, 0);
    assert_near(facts.area, 0, 0);
}

static void test_every_defect(void **state) {
    (void)state;
    // A square of which one triangle is turned round and another comes twice, with a vertex that
    // equals the first; a triangle between these two is a line; nobody uses the last vertex.
    swVec3 X[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {-0.0, 0, 0}, {9, 9, 9}};
    int triangle[] = {0, 1, 2, 0, 3, 2, 4, 2, 3, 0, 4, 1};
    swSurface s = SURFACE(X, triangle);
    swSurfaceFacts facts = facts_of(s);
    char text[200];
    assert_defects(&facts, "2 boundary edges, 1 non-manifold edge, 1 duplicate triangle, "
                           "1 degenerate triangle, 1 unused vertex");
    assert_string_equal(sw_surface_defects(&facts, text, 11), "2 boundary");
    assert_string_equal(sw_surface_defects(&facts, text, 1), "");
    assert_false(facts.closed);
    assert_int_equal(facts.components, 1);
    assert_near(facts.area, 1.5, 0);
    assert_near(facts.hi.x, 1, 0); // the unused vertex does not count
    s.ntriangle = 2;
    facts = facts_of(s);
    assert_defects(&facts, "4 boundary edges, 1 flipped edge, 1 unused vertex");
}

static void test_closed(void **state) {
    (void)state;
    // Two tetrahedra that share an edge: four triangles on it, yet every ray counts right.
    swVec3 X[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}, {0, 0, -1}};
    int triangle[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 0, 4, 1, 0, 1, 5, 0, 5, 4, 1, 4, 5};
    swSurface s = SURFACE(X, triangle);
    swSurfaceFacts facts = facts_of(s);
    assert_defects(&facts, "1 non-manifold edge");
    assert_true(facts.closed);
    assert_near(facts.volume, 2.0 / 6, 1e-15);
    assert_int_equal(facts.components, 1);
    // The second one inside out: still closed, and nothing in sum.
    for (int t = 4; t < 8; t++) {
        int keep = triangle[3 * t];
        triangle[3 * t] = triangle[3 * t + 1];
        triangle[3 * t + 1] = keep;
    }
    facts = facts_of(s);
    assert_true(facts.closed);
    assert_near(facts.volume, 0, 1e-15);
    // Touching in a vertex alone is no connection.
    int apart[] = {0, 1, 2, 0, 4, 5};
    facts = facts_of((swSurface){SW_COUNT(X), 2, X, apart});
    assert_int_equal(facts.components, 2);
}

static void test_rounding(void **state) {
    (void)state;
    // A line that rounding bends, and a thin triangle that is one.
    swVec3 X[] = {{0.1, 0.1, 0.1}, {0.2, 0.2, 0.2}, {0.3, 0.3, 0.3},
                  {0, 0, 0},       {1, 0, 0},       {0, 1e-9, 0}};
    int triangle[] = {0, 1, 2, 3, 4, 5};
    swSurface s = SURFACE(X, triangle);
    assert_int_equal(facts_of(s).degenerate_triangles, 1);
    // Numbers whose squares overflow, and no numbers.
    swConfig config = sw_default_config();
    swArena arena;
    sw_arena_init(&arena, &config.allocator);
    swSurfaceFacts facts;
    swError error;
    const swReal bad[] = {1e200, INFINITY, NAN};
    for (int i = 0; i < SW_COUNT(bad); i++) {
        X[4].x = X[5].y = bad[i];
        assert_false(sw_surface_facts(&s, &facts, &arena, &error));
        assert_int_equal(error.code, SW_ERROR_NOT_FINITE);
    }
    sw_arena_free(&arena);
}

static void test_merge(void **state) {
    (void)state;
    enum { N = 1000 };
    swVec3 X[N];
    int first[N];
    for (int i = 0; i < N; i++)
        X[i] = sw_v3(i % 7, -(i % 11) * 0.0, i % 13 * 1e-3);
    swConfig config = sw_default_config();
    swArena arena;
    sw_arena_init(&arena, &config.allocator);
    assert_true(sw_surface_merge(N, X, first, &arena, NULL));
    for (int i = 0; i < N; i++)
        assert_int_equal(first[i], i % (7 * 13));
    sw_arena_free(&arena);
}

static void test_transform(void **state) {
    (void)state;
    swVec3 X[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int triangle[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    swSurface s = SURFACE(X, triangle);
    sw_surface_transform(&s, 2, (swMat3){{0, -1, 0, 1, 0, 0, 0, 0, 1}}, sw_v3(5, 6, 7));
    assert_near(X[1].x, 5, 0);
    assert_near(X[1].y, 8, 0);
    assert_near(X[3].z, 9, 0);
    assert_near(facts_of(s).volume, 8.0 / 6, 1e-14);
    sw_surface_transform(&s, -1, sw_mat_identity(), sw_v3(0, 0, 0));
    assert_near(facts_of(s).volume, 8.0 / 6, 1e-14); // not inside out
    assert_near(X[1].y, -8, 0);
}

static void test_normals(void **state) {
    (void)state;
    // A cube; some corners have one triangle of a side and some two. By angles the normals are the
    // diagonals all the same. A triangle without area adds nothing; the last vertex has none.
    static const int quad[6][4] = {{3, 2, 1, 0}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                   {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    swVec3 X[9] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1},
                   {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {2, 2, 2}};
    int triangle[39] = {0};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++) {
            triangle[6 * i + k] = quad[i][k];
            triangle[6 * i + 3 + k] = quad[i][k ? k + 1 : 0];
        }
    triangle[38] = 1;
    swVec3 normal[9];
    sw_surface_normals(9, X, 13, triangle, normal);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            assert_near(sw_get(normal[i], k), (2 * sw_get(X[i], k) - 1) / sqrt(3), 1e-15);
    assert_near(sw_norm(normal[8]), 0, 0);
}

static swReal longest_edge(const swSurface *s) {
    swReal most = 0;
    for (int i = 0; i < 3 * s->ntriangle; i++) {
        const int a = s->triangle[i], b = s->triangle[i % 3 == 2 ? i - 2 : i + 1];
        most = sw_max(most, sw_norm(sw_sub(s->X[a], s->X[b])));
    }
    return most;
}

// The same shape of smaller triangles, also where triangles share no vertices.
static void test_refine(void **state) {
    (void)state;
    swVec3 X[] = {{0, 0, 0}, {1, 0, 0}, {0, 0.2, 0}, {0, 0, 3}}, apart[12];
    int triangle[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}, own[12];
    for (int i = 0; i < 12; i++) {
        apart[i] = X[triangle[i]];
        own[i] = i;
    }
    swConfig config = sw_default_config();
    swArena arena;
    sw_arena_init(&arena, &config.allocator);
    const swSurface given[] = {SURFACE(X, triangle), SURFACE(apart, own)};
    for (int i = 0; i < 2; i++) {
        swSurface s;
        assert_true(sw_surface_refine(&given[i], 0.15, 1 << 20, &arena, &s, NULL));
        const swSurfaceFacts facts = facts_of(s), before = facts_of(given[i]);
        assert_defects(&facts, "");
        assert_true(facts.closed);
        assert_near(facts.volume, before.volume, 1e-12);
        assert_near(facts.area, before.area, 1e-12);
        assert_true(longest_edge(&s) <= 0.15);
        assert_memory_equal(s.X, given[i].X, (size_t)given[i].nvertex * sizeof *s.X);
        // There is no room for all of it; there is nothing to do.
        assert_true(sw_surface_refine(&given[i], 0.15, 100, &arena, &s, NULL));
        assert_in_range(s.ntriangle, 26, 100);
        assert_true(sw_surface_refine(&given[i], 4, 1 << 20, &arena, &s, NULL));
        assert_ptr_equal(s.X, given[i].X);
    }
    sw_arena_free(&arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_clean),   cmocka_unit_test(test_every_defect),
    cmocka_unit_test(test_closed),  cmocka_unit_test(test_rounding),
    cmocka_unit_test(test_merge),   cmocka_unit_test(test_transform),
    cmocka_unit_test(test_normals), cmocka_unit_test(test_refine),
};

SW_SUITE(surface, tests)
