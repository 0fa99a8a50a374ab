// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What can be asked of a mesh of tetrahedra: shape functions, quality, its boundary, places in it.
#include "test_tetmesh.h"

// ---- elements ----

// A tetrahedron with vertices of either order; quadratic ones are curved.
static void random_tet(int order, swVec3 X[10]) {
    static const swVec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 4; i++)
        X[i] = sw_madd(corner[i], 0.2, random_direction());
    for (int e = 0; order == 2 && e < 6; e++)
        X[4 + e] = sw_madd(sw_lerp(X[sw_tet_edge[e][0]], X[sw_tet_edge[e][1]], 0.5), 0.05,
                           random_direction());
}

static swVec3 map_point(int order, const swVec3 *X, const swReal bary[4]) {
    swReal N[10];
    swVec3 p = {0, 0, 0};
    sw_tet_shape(order, bary, N);
    for (int i = 0; i < sw_tet_vertices(order); i++)
        p = sw_madd(p, N[i], X[i]);
    return p;
}

static void test_shape_functions(void **state) {
    (void)state;
    for (int order = 1; order <= 2; order++)
        for (int round = 0; round < 20; round++) {
            const int n = sw_tet_vertices(order);
            swVec3 X[10], dN[10], sum = {0, 0, 0};
            swReal N[10], near[10], total = 0, bary[4];
            for (int i = 0; i < n; i++) { // one at its own vertex, zero at the others
                const int *e = i < 4 ? NULL : sw_tet_edge[i - 4];
                for (int k = 0; k < 4; k++)
                    bary[k] = e ? 0.5 * (e[0] == k || e[1] == k) : i == k;
                sw_tet_shape(order, bary, N);
                for (int j = 0; j < n; j++)
                    assert_near(N[j], i == j, 0);
            }
            random_tet(order, X);
            bary[1] = between(0, 0.4), bary[2] = between(0, 0.3), bary[3] = between(0, 0.3);
            bary[0] = 1 - bary[1] - bary[2] - bary[3];
            const swReal det = sw_tet_gradients(order, X, bary, dN);
            sw_tet_shape(order, bary, N);
            for (int i = 0; i < n; i++) {
                total += N[i];
                sum = sw_add(sum, dN[i]);
            }
            assert_near(total, 1, 1e-15);
            assert_near(sw_norm(sum), 0, 1e-13);
            if (order == 1)
                assert_near(det, sw_tet_det(X[0], X[1], X[2], X[3]), 1e-14);
            // Along the map, N changes as its gradient says.
            for (int k = 1; k < 4; k++) {
                const swReal d = 1e-6;
                swReal to[4], from[4];
                memcpy(to, bary, sizeof to), memcpy(from, bary, sizeof from);
                to[k] += d, to[0] -= d, from[k] -= d, from[0] += d;
                const swVec3 step = sw_sub(map_point(order, X, to), map_point(order, X, from));
                sw_tet_shape(order, to, N);
                sw_tet_shape(order, from, near);
                for (int i = 0; i < n; i++)
                    assert_near(sw_dot(dN[i], step) / (2 * d), (N[i] - near[i]) / (2 * d), 2e-9);
            }
        }
}

static void test_angles(void **state) {
    (void)state;
    const swVec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const swVec3 regular[4] = {{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}};
    swReal angle[6];
    sw_tet_angles(corner, angle);
    for (int e = 0; e < 6; e++) // at the edges from the origin right angles
        assert_near(angle[e], e == 0 || e == 2 || e == 3 ? SW_PI / 2 : acos(sqrt(1.0 / 3)), 1e-14);
    sw_tet_angles(regular, angle);
    for (int e = 0; e < 6; e++)
        assert_near(angle[e], acos(1.0 / 3), 1e-14);
    swVec3 X[4];
    int v[] = {0, 1, 2, 3};
    memcpy(X, regular, sizeof X);
    swTetFacts f = facts_of(&(swTetMesh){.nvertex = 4, .ntet = 1, .order = 1, .X = X, .vertex = v});
    assert_near(f.quality, 1, 1e-14);
    assert_near(f.volume, 8.0 / 3, 1e-14);
    assert_int_equal(f.outer_faces, 4);
}

static void test_facts_count(void **state) {
    (void)state;
    // Two that share a face, one of them the wrong way around, a third at the same face, a flat one
    // apart and a vertex of none.
    swVec3 X[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {5, 0, 0},
                  {6, 0, 0}, {5, 1, 0}, {6, 1, 0}, {9, 9, 9}, {0, 0, -2}};
    int v[] = {0, 1, 2, 3, 0, 1, 2, 4, 0, 2, 1, 10, 5, 6, 7, 8};
    swReal fill[] = {1, 0.5, 0, 1};
    swTetMesh mesh = {.nvertex = 11, .ntet = 4, .order = 1, .X = X, .vertex = v, .fill = fill};
    const swTetFacts f = facts_of(&mesh);
    assert_int_equal(f.left_handed, 1);
    assert_int_equal(f.flat, 1);
    assert_int_equal(f.crowded_faces, 1);
    assert_int_equal(f.unused_vertices, 1);
    assert_int_equal(f.components, 3);
    assert_near(f.volume, 4.0 / 6, 1e-15);
    assert_near(f.filled, 1.5 / 6, 1e-15);
    assert_near(f.quality, 0, 0);
    assert_near(f.edge[1], sqrt(5), 1e-15);
    assert_near(f.hi.x, 6, 0); // the unused vertex does not count
}

// ---- quadratic, separate, boundary ----

static swTetMesh quadratic_ball(swReal cell, swTetMesh *linear) {
    Body body;
    swError error = {0};
    swTetMesh mesh;
    const swShape shape = sphere(0.5, sw_v3(0, 0, 0));
    paint_body(&body, 1, &shape);
    *linear = stuff_body(&body, cell, NULL);
    require(sw_tets_quadratic(linear, &arena, &mesh, &error), &error);
    return mesh;
}

static void test_quadratic(void **state) {
    (void)state;
    swTetMesh linear;
    const swTetMesh mesh = quadratic_ball(0.2, &linear);
    // Euler: V - E + F - T = 1 for a ball, F = (4 T + outer) / 2.
    const swTetFacts f = facts_of(&mesh);
    const int faces = (4 * mesh.ntet + f.outer_faces) / 2;
    assert_int_equal(mesh.nvertex - linear.nvertex, linear.nvertex + faces - mesh.ntet - 1);
    for (int t = 0; t < mesh.ntet; t++) {
        const int *v = sw_tets_at(&mesh, t);
        assert_memory_equal(v, sw_tets_at(&linear, t), 4 * sizeof *v);
        for (int e = 0; e < 6; e++) {
            const swVec3 middle =
                sw_lerp(mesh.X[v[sw_tet_edge[e][0]]], mesh.X[v[sw_tet_edge[e][1]]], 0.5);
            assert_near(sw_norm(sw_sub(mesh.X[v[4 + e]], middle)), 0, 1e-15);
        }
    }
    assert_sound(&mesh);
    const swTetBoundary fine = boundary_of(&mesh), coarse = boundary_of(&linear);
    assert_int_equal(fine.surface.ntriangle, 4 * coarse.surface.ntriangle);
    assert_int_equal(coarse.surface.ntriangle, f.outer_faces);
    assert_near(surface_volume(&fine.surface), surface_volume(&coarse.surface), 1e-12);
}

// Four that share an edge in two pairs: a hinge.
static void test_separate(void **state) {
    (void)state;
    swVec3 X[] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    int v[] = {0, 2, 3, 1, 0, 4, 5, 1};
    swError error = {0};
    swTetMesh mesh = {.nvertex = 6, .ntet = 2, .order = 1, .X = X, .vertex = v};
    assert_sound(&mesh); // its surface has the edge twice
    assert_int_equal(boundary_of(&mesh).surface.nvertex, 8);
    require(sw_tets_separate(&mesh, &arena, &error), &error);
    assert_int_equal(mesh.nvertex, 8);
    assert_sound(&mesh);
    for (int i = 0; i < 4; i++)
        for (int j = 4; j < 8; j++)
            assert_int_not_equal(v[i], v[j]);
    // A ring of tetrahedra around an edge that is open in two places stays as it is.
    int around[] = {0, 2, 3, 1, 0, 3, 4, 1, 0, 4, 5, 1};
    mesh = (swTetMesh){.nvertex = 6, .ntet = 3, .order = 1, .X = X, .vertex = around};
    require(sw_tets_separate(&mesh, &arena, &error), &error);
    assert_int_equal(mesh.nvertex, 6);
}

// ---- places ----

static void assert_at(const swTetMesh *mesh, int tet, const swReal bary[4], swVec3 p, swReal near) {
    const int *v = sw_tets_at(mesh, tet);
    swVec3 X[10];
    for (int i = 0; i < sw_tet_vertices(mesh->order); i++)
        X[i] = mesh->X[v[i]];
    assert_near(sw_norm(sw_sub(map_point(mesh->order, X, bary), p)), 0, near);
}

static bool holds(const swTetMesh *mesh, int tet, swVec3 p) {
    const int *v = sw_tets_at(mesh, tet);
    for (int f = 0; f < 4; f++) {
        const int *c = sw_tet_face[f];
        if (sw_tet_det(mesh->X[v[c[0]]], mesh->X[v[c[1]]], mesh->X[v[c[2]]], p) > 0)
            return false;
    }
    return true;
}

static void test_locate(void **state) {
    (void)state;
    Body body;
    swError error = {0};
    const swShape shapes[] = {sphere(0.3, sw_v3(0, 0, 0)),
                              capsule(sw_v3(0, 0, 0), sw_v3(0.7, 0.2, 0.1), 0.12)};
    paint_body(&body, 2, shapes);
    const swTetMesh mesh = stuff_body(&body, 0.1, NULL);
    const swTetBoundary b = boundary_of(&mesh);
    const swTetLocator *locator = sw_tets_locator(&mesh, &arena, &error);
    require(locator != NULL, &error);
    int inside = 0;
    for (int i = 0; i < 2000; i++) {
        const swVec3 p = random_in(sw_v3(-0.5, -0.5, -0.5), sw_v3(1, 0.5, 0.5));
        swReal bary[4], distance, least = INFINITY;
        int tet, expected = -1;
        for (int t = mesh.ntet - 1; t >= 0; t--)
            expected = holds(&mesh, t, p) ? t : expected;
        const bool found = sw_tets_locate(locator, p, &tet, bary, &distance);
        assert_int_equal(found, expected >= 0);
        assert_at(&mesh, tet, bary, p, 1e-12);
        inside += found;
        if (found) {
            assert_int_equal(tet, expected);
            assert_near(distance, 0, 0);
            continue;
        }
        for (int v = 0; v < b.surface.nvertex; v++)
            least = fmin(least, sw_norm(sw_sub(b.surface.X[v], p)));
        assert_true(distance > 0 && distance <= least * (1 + 1e-12) && distance > least - 0.1);
    }
    assert_true(inside > 100 && inside < 1900);
    // Vertices are inside, whatever rounding says.
    for (int v = 0; v < mesh.nvertex; v++) {
        swReal bary[4];
        int tet;
        assert_true(sw_tets_locate(locator, mesh.X[v], &tet, bary, NULL));
    }
}

static void test_locate_curved(void **state) {
    (void)state;
    swError error = {0};
    swTetMesh linear, mesh = quadratic_ball(0.25, &linear);
    // Middles of outer edges go to the sphere.
    const swTetBoundary b = boundary_of(&mesh);
    for (int i = 0; i < b.surface.nvertex; i++)
        mesh.X[b.vertex[i]] = sw_scale(0.5, sw_unit(mesh.X[b.vertex[i]]));
    const swTetLocator *locator = sw_tets_locator(&mesh, &arena, &error);
    require(locator != NULL, &error);
    for (int i = 0; i < 2000; i++) {
        const swVec3 p = sw_scale(0.495 * cbrt(uniform()), random_direction());
        swReal bary[4];
        int tet;
        assert_true(sw_tets_locate(locator, p, &tet, bary, NULL));
        assert_at(&mesh, tet, bary, p, 1e-8);
    }
}

// A mesh of bad elements gives places all the same.
static void test_locate_flat(void **state) {
    (void)state;
    swVec3 X[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    int v[] = {0, 1, 2, 3};
    swError error = {0};
    const swTetMesh mesh = {.nvertex = 4, .ntet = 1, .order = 1, .X = X, .vertex = v};
    const swTetLocator *locator = sw_tets_locator(&mesh, &arena, &error);
    swReal bary[4], distance;
    int tet;
    assert_non_null(locator);
    assert_false(sw_tets_locate(locator, sw_v3(0.2, 0.2, 1), &tet, bary, &distance));
    assert_near(distance, 1, 1e-15);
    assert_near(bary[0] + bary[1] + bary[2] + bary[3], 1, 1e-15);
}

static const struct CMUnitTest tests[] = {
    TEST(test_shape_functions), TEST(test_angles), TEST(test_facts_count),   TEST(test_quadratic),
    TEST(test_separate),        TEST(test_locate), TEST(test_locate_curved), TEST(test_locate_flat),
};

SW_SUITE(tetquery, tests)
