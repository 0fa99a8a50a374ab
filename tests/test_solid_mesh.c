// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/bvh.h"
#include "formats/mesh.h"
#include "test_solid.h"

#include <unistd.h>

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
    snprintf(path, sizeof path, "%s/sinew_solid_%d.obj", P_tmpdir, (int)getpid());
    swSurface surface = surface_of(m);
    swError error = {0};
    assert_true(sw_mesh_write(path, &surface, &error));
    swShape shape = {.kind = SW_SHAPE_MESH, .file = path + 5, .scale = 1};
    logged[0] = 0;
    swSolid *solid = sw_solid_create(&shape, P_tmpdir, "shape", &config, &arena, &error);
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
    assert_true(sw_solid_inside(solid, c));
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
    assert_non_null(strstr(logged, "coincides with an opposite one; nothing is inside"));
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

// A surface without an inside gives no spans, not even hairs between it and its caps.
static void test_mesh_sheet(void **state) {
    (void)state;
    enum { N = 20 };
    Mesh m = {0};
    swVec3 u = {1.0 / N, -0.2 / N, 0.5 / N}, v = {0.3 / N, 1.0 / N, 0.3 / N};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            swVec3 p[4];
            for (int k = 0; k < 4; k++)
                p[k] = sw_add(sw_scale(i + k / 2, u), sw_scale(j + (k == 1 || k == 2), v));
            add_triangle(&m, p[0], p[3], p[2], false);
            add_triangle(&m, p[0], p[2], p[1], false);
        }
    assert_near(raster(create_mesh(&m), 100, NULL), 0, 0);
    assert_non_null(strstr(logged, "80 boundary edges: not closed"));
}

// Spans and the inside test against the exact winding number, where that is not a close call.
static void check_winding(const Mesh *m, const swSolid *solid, int allowed) {
    swSurface s = surface_of(m);
    swBvh *bvh = sw_bvh_create(&s, &arena, NULL);
    swSpanList list = {0};
    int met = 0, missed = 0;
    for (int i = 0; i < 300; i++) {
        swVec3 p = random_in(sw_v3(-0.9, -0.9, -0.9), sw_v3(0.9, 0.9, 0.9));
        swReal w = fabs(sw_bvh_winding(bvh, p, INFINITY));
        if (fabs(w - 0.5) < 0.05)
            continue;
        bool inside = false;
        for (int j = spans(solid, p.y, p.z, &list) - 1; j >= 0; j--)
            inside |= list.item[j].lo < p.x && p.x < list.item[j].hi;
        assert_true(sw_solid_inside(solid, p) == (w > 0.5));
        missed += inside != (w > 0.5); // a dent beside a hole that the ray did not see
        met += w > 0.5;
    }
    assert_true(met > 20);
    assert_true(missed <= allowed);
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
        assert_non_null(strstr(logged, "boundary edges: not closed; the winding number decides"));
        // The rim is about 0.02 farther out than the plane: a ball less a cap of height 0.48.
        swReal height = 0.48, cap = SW_PI * height * height * (1 - height / 3);
        assert_near(raster(solid, 100, NULL), 4 * SW_PI / 3 - cap, 0.05);
        assert_true(sw_solid_inside(solid, sw_scale(0.42, n)));
        assert_false(sw_solid_inside(solid, sw_scale(0.62, n)));
        check_winding(&m, solid, 0);
    }
    // A slot around most of the ball, where flat caps would not do.
    Mesh slot = {0};
    for (int i = 0; i < ball.X.count; i += 3) {
        const swVec3 *p = &ball.X.item[i];
        if (fabs(p[0].x - 0.2) > 0.15 || p[0].y > 0.6)
            add_triangle(&slot, p[0], p[1], p[2], false);
    }
    check_winding(&slot, create_mesh(&slot), 0);
    // One side turned round: nothing is left beside it.
    Mesh turned = {0};
    for (int i = 0; i < ball.X.count; i += 3) {
        const swVec3 *p = &ball.X.item[i];
        add_triangle(&turned, p[0], p[1], p[2], p[0].x > 0.3);
    }
    swSolid *solid = create_mesh(&turned);
    check_winding(&turned, solid, 0);
    assert_false(sw_solid_inside(solid, sw_v3(0.3, 0, 0)));
}

// Triangles dropped at random, or turned round, or torn apart: still the sphere.
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
        check_winding(&m, solid, 2);
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

// The same triangles as numbers of vertices, as files keep them.
static swBvh numbered(const swBvh *bvh, const swSurface *s) {
    int *index = SW_NEW(&arena, 3 * bvh->ntriangle, int, NULL);
    for (int i = 0; i < 3 * bvh->ntriangle; i++)
        index[i] = s->triangle[3 * bvh->triangle[i / 3] + i % 3];
    return (swBvh){bvh->nnode, bvh->ntriangle, bvh->node, .X = s->X, .index = index};
}

static void test_nearest(void **state) {
    (void)state;
    Mesh m = {0};
    add_cube(&m, 2);
    swSurface s = surface_of(&m);
    swBvh *bvh = sw_bvh_create(&s, &arena, NULL), copy = numbered(bvh, &s);
    int part[3] = {0};
    for (int i = 0; i < 2000; i++) {
        const swVec3 p = random_in(sw_v3(-1, -1, -1), sw_v3(3, 3, 3));
        swBvhNearest a, b;
        assert_true(sw_bvh_nearest(bvh, p, INFINITY, &a) && sw_bvh_nearest(&copy, p, 10, &b));
        assert_memory_equal(&a, &b, sizeof a);
        int triangle;
        const swVec3 q = sw_bvh_closest(bvh, p, &triangle);
        assert_memory_equal(&q, &a.point, sizeof q);
        assert_int_equal(triangle, bvh->triangle[a.triangle]);
        const swReal d = sw_norm(sw_sub(p, q));
        assert_true(sw_bvh_nearest(bvh, p, d * (1 + 1e-9), &b));
        assert_false(sw_bvh_nearest(bvh, p, d * (1 - 1e-9), &b));
        // Across a face, at a right angle to an edge.
        const swVec3 u = sw_unit(sw_sub(p, q));
        if (a.part == SW_BVH_FACE)
            assert_near(fabs(sw_dot(u, a.normal)), 1, 1e-9);
        if (a.part == SW_BVH_EDGE)
            assert_near(sw_dot(u, a.along), 0, 1e-9);
        assert_near(sw_norm(a.along), a.part == SW_BVH_EDGE, 1e-12);
        int beyond = 0; // sides of the cube
        for (int k = 0; k < 3; k++)
            beyond += sw_get(p, k) < 0 || sw_get(p, k) > 2;
        assert_int_equal(a.part, sw_max_int(beyond - 1, 0));
        part[a.part]++;
    }
    assert_true(part[0] > 300 && part[1] > 300 && part[2] > 100);
}

// Trees of files: what was built is one, and nothing that would lead a search astray.
static void test_trees(void **state) {
    (void)state;
    Mesh m = {0};
    add_sphere(&m, sw_v3(0, 0, 0), 1, 3, false);
    swSurface s = surface_of(&m);
    swBvh *bvh = sw_bvh_create(&s, &arena, NULL), copy = numbered(bvh, &s);
    assert_true(sw_bvh_sane(bvh) && sw_bvh_sane(&copy));
    swBoxNode *node = SW_NEW(&arena, bvh->nnode, swBoxNode, NULL);
    copy.node = node;
    int refused = 0;
    for (int i = 0; i < 2000; i++) {
        memcpy(node, bvh->node, (size_t)bvh->nnode * sizeof *node);
        swBoxNode *n = &node[(int)(bvh->nnode * uniform())];
        int *number[3] = {&n->right, &n->first, &n->count}, *changed = number[i % 3];
        const int old = *changed;
        *changed += (int)between(-5, 5) * (uniform() < 0.5 ? 1 : 100);
        if (*changed == old ||
            (n->count > 0 && changed == &n->right && n->count == bvh->node[n - node].count))
            continue; // nothing, or what leaves do not look at
        assert_false(sw_bvh_sane(&copy));
        refused++;
    }
    assert_true(refused > 800);
    copy.node = bvh->node;
    copy.nnode--;
    assert_false(sw_bvh_sane(&copy));
    copy.nnode = 0;
    assert_false(sw_bvh_sane(&copy));
    // As deep as it has nodes: a search would need more room than there is.
    enum { DEEP = 200 };
    swBoxNode *line = SW_NEW(&arena, 2 * DEEP + 1, swBoxNode, NULL);
    for (int i = 0; i < DEEP; i++) { // a leaf on the left of every node
        line[2 * i].right = 2 * i + 2;
        line[2 * i + 1].first = i;
        line[2 * i + 1].count = 1;
    }
    line[2 * DEEP] = (swBoxNode){.first = DEEP, .count = 1};
    swBvh right = {.nnode = 2 * DEEP + 1, .ntriangle = DEEP + 1, .node = line};
    assert_true(sw_bvh_sane(&right)); // a stack has few of these
    memset(line, 0, (2 * DEEP + 1) * sizeof *line);
    for (int i = 0; i <= DEEP; i++) // a leaf on the right of every node
        if (i < DEEP) {
            line[i].right = 2 * DEEP - i;
            line[2 * DEEP - i] = (swBoxNode){.first = DEEP - i, .count = 1};
        } else
            line[i] = (swBoxNode){.first = 0, .count = 1};
    for (int i = 0; i < DEEP; i++)
        line[2 * DEEP - i].first = DEEP - i;
    assert_false(sw_bvh_sane(&right));
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
    snprintf(path, sizeof path, "%s/sinew_solid_%d.obj", P_tmpdir, (int)getpid());
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

static const struct CMUnitTest tests[] = {
    TEST(test_mesh_volumes),      TEST(test_mesh_doubled),
    TEST(test_mesh_sheet),        TEST(test_mesh_hole),
    TEST(test_mesh_torn),         TEST(test_rays_through_corners),
    TEST(test_winding),           TEST(test_closest),
    TEST(test_nearest),           TEST(test_trees),
    TEST(test_mesh_distance),     TEST(test_mesh_asset),
    TEST(test_mesh_file_missing), TEST(test_threads),
    TEST(test_no_memory),
};

SW_SUITE(solid_mesh, tests)
