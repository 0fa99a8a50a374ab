// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/intersect.h"
#include "formats/mesh.h"
#include "test_solid.h"

#include <unistd.h>

static int count(int nvertex, const swVec3 *X, int ntriangle, const int *triangle) {
    swSurface surface = {nvertex, ntriangle, (swVec3 *)X, (int *)triangle};
    swCrossings crossings;
    swError error = {0};
    if (!sw_surface_crossings(&surface, &crossings, &arena, &error))
        fail_msg("%s", error.message);
    assert_true(crossings.all);
    return crossings.pairs;
}

// Of a surface whose triangles share no index.
static int count_corners(int ntriangle, const swVec3 *X) {
    int *triangle = SW_NEW(&arena, 3 * (size_t)ntriangle, int, NULL);
    for (int i = 0; i < 3 * ntriangle; i++)
        triangle[i] = i;
    return count(3 * ntriangle, X, ntriangle, triangle);
}

// ---- two bodies ----

static const int tetrahedron[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
static const int cube[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                           2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static int count_two(int nvertex, const swVec3 *a, const swVec3 *b, int ntriangle,
                     const int *triangle) {
    swVec3 X[16];
    int both[72];
    for (int i = 0; i < nvertex; i++) {
        X[i] = a[i];
        X[nvertex + i] = b[i];
    }
    for (int i = 0; i < 3 * ntriangle; i++) {
        both[i] = triangle[i];
        both[3 * ntriangle + i] = triangle[i] + nvertex;
    }
    return count(2 * nvertex, X, 2 * ntriangle, both);
}

static void make_cube(swVec3 lo, swVec3 hi, swVec3 X[8]) {
    for (int i = 0; i < 8; i++)
        X[i] = sw_v3(i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y, i & 4 ? hi.z : lo.z);
}

static void test_tetrahedra(void **state) {
    (void)state;
    const swVec3 a[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    swVec3 b[4] = {{0.1, 0.1, -1}, {0.3, 0.1, -1}, {0.1, 0.3, -1}, {0.2, 0.2, 0.25}};
    // One corner pokes through a face; its three faces cross it.
    assert_int_equal(count_two(4, a, b, 4, tetrahedron), 3);
    b[3].z = 0; // it touches the face
    assert_int_equal(count_two(4, a, b, 4, tetrahedron), 0);
    b[3].z = 0x1p-1074;
    assert_int_equal(count_two(4, a, b, 4, tetrahedron), 0); // too little to count
    b[3].z = 0x1p-200;
    assert_int_equal(count_two(4, a, b, 4, tetrahedron), 3);
    for (int i = 0; i < 4; i++)
        b[i] = sw_madd(sw_v3(0.05, 0.05, 0.05), 0.2, a[i]);
    assert_int_equal(count_two(4, a, b, 4, tetrahedron), 0); // nested
    assert_int_equal(count_two(4, a, a, 4, tetrahedron), 0); // the same again
}

static void test_cubes(void **state) {
    (void)state;
    swVec3 a[8], b[8];
    make_cube(sw_v3(0, 0, 0), sw_v3(1, 1, 1), a);
    const swVec3 touching[] = {{1, 0, 0},      {1, 0.3, 0.4}, {1, 1, 0},    {1, 1, 1},
                               {1, 0.25, 0.5}, {1, 1, 0.3},   {0.3, 1, 0.6}};
    for (int i = 0; i < SW_COUNT(touching); i++) {
        make_cube(touching[i], sw_add(touching[i], sw_v3(1, 1, 1)), b);
        assert_int_equal(count_two(8, a, b, 12, cube), 0);
    }
    // Faces in one plane: moved by the least amount they cross.
    make_cube(sw_v3(1, 0.3, 0.4), sw_v3(2, 1.3, 1.4), b);
    for (int i = 0; i < 8; i += 2)
        b[i].x = nextafter(1, 0);
    assert_true(count_two(8, a, b, 12, cube) > 0);
}

// A pose rounds; only the file counts.
static void test_warning(void **state) {
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "%s/sinew_intersect_%d.obj", P_tmpdir, (int)getpid());
    const swReal begin[] = {1, 0.875};
    for (int i = 0; i < 2; i++) {
        swVec3 X[16];
        int triangle[72];
        make_cube(sw_v3(0, 0, 0), sw_v3(1, 1, 1), X);
        make_cube(sw_v3(begin[i], 0.3, 0.4), sw_v3(2, 0.7, 0.8), X + 8);
        for (int k = 0; k < 72; k++)
            triangle[k] = cube[k % 36] + (k < 36 ? 0 : 8);
        swSurface surface = {16, 24, X, triangle};
        assert_true(sw_mesh_write(path, &surface, NULL));
        swShape shape = {.kind = SW_SHAPE_MESH, .file = path, .scale = 0.001};
        shape.pose = (swPose){{1, 2, 0}, 1, {0, 0, 0}, {3, 0, 0}};
        create(shape);
        remove(path);
        if (i == 0) {
            assert_string_equal(logged, "");
            continue;
        }
        char expected[256];
        snprintf(expected, sizeof expected,
                 "%s: %d pairs of triangles cross each other; overlapping parts are one solid\n",
                 path, count(16, X, 24, triangle));
        assert_string_equal(logged, expected);
    }
}

// ---- two triangles ----

static void test_touching(void **state) {
    (void)state;
    const struct {
        swVec3 b[3];
        int crossing;
    } cases[] = {
        {{{0, 0, 0}, {1, 1, 1}, {1, 1, -1}}, 1},      // at a shared corner and beyond
        {{{0, 0, 0}, {4, 0, 1}, {4, 0, -1}}, 0},      // along an edge
        {{{0, 0, 0}, {-1, -1, 1}, {-1, -1, -1}}, 0},  // only at the shared corner
        {{{-0.0, -0.0, 0}, {1, 1, 1}, {1, 2, 1}}, 0}, // likewise
        {{{0, 0, 0}, {4, 0, 0}, {1, 1, 1}}, 0},       // a shared edge
        {{{0, 0, 0}, {4, 0, 0}, {1, 1, 0}}, 0},       // folded over: one plane
        {{{0, 0, 0}, {0, 4, 0}, {4, 0, 0}}, 0},       // the same triangle
        {{{1, 1, 0}, {1, 1, 1}, {2, 2, 1}}, 0},       // a corner in the inside
        {{{2, 0, 0}, {2, 0, 1}, {1, -1, 1}}, 0},      // a corner on an edge
        {{{2, 0, 1}, {2, 0, -1}, {2, -1, 0}}, 0},     // an edge across an edge
        {{{1, 1, 0}, {2, 1, 0}, {1, 1, 1}}, 0},       // an edge in the inside
        {{{1, 1, 1}, {1, 1, -1}, {2, 1, 1}}, 1},      // through the inside
        {{{0, 1, 1}, {3, 1, 1}, {1, 1, -1}}, 1},
        {{{0, 1, 2}, {0, 1, -2}, {3, 1, 0}}, 1}, // from edge to edge, no edge in the inside
        {{{0, 0, 2}, {0, 0, -2}, {2, 2, 0}}, 1}, // from corner to edge
        {{{5, 5, 1}, {5, 5, -1}, {6, 6, 0}}, 0}, // beside it
        {{{3, 3, 1}, {3, 3, -1}, {2, 2, 0}}, 0}, // up to an edge
        {{{1, 1, 1}, {1, 1, -1}, {1, 1, 3}}, 0}, // a needle
        {{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}, 0},  // a point
    };
    for (int i = 0; i < SW_COUNT(cases); i++)
        for (int turn = 0; turn < 12;
             turn++) { // either order, every corner first, either way round
            swVec3 X[6] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, Y[6];
            memcpy(X + 3, cases[i].b, sizeof cases[i].b);
            for (int k = 0; k < 3; k++) {
                int from = (turn % 6 < 3 ? k + turn : 5 - k + turn) % 3;
                Y[k] = X[turn < 6 ? from : 3 + k];
                Y[3 + k] = X[turn < 6 ? 3 + k : from];
            }
            if (count_corners(2, Y) != cases[i].crossing)
                fail_msg("case %d, turn %d: expected %d", i, turn, cases[i].crossing);
        }
}

// Sticks through a sheet in the plane x = y whose ends are one digit off that plane, or on it.
static void test_one_digit(void **state) {
    (void)state;
    int crossing = 0;
    for (int i = 0; i < 3000; i++) {
        swVec3 X[6] = {{-100, -100, -100}, {300, 300, -100}, {-100, -100, 300}};
        bool above = false, below = false;
        for (int k = 3; k < 6; k++) {
            swReal y = ldexp(between(-1, 1), -(int)between(0, 60));
            int side = (int)between(0, 3) - 1;
            X[k] = sw_v3(side ? nextafter(y, side * INFINITY) : y, y, between(-1, 1));
            above |= side > 0;
            below |= side < 0;
        }
        assert_int_equal(count_corners(2, X), above && below);
        crossing += above && below;
    }
    assert_true(crossing > 1000 && crossing < 2000);
}

// Triangles all over each other in the plane x = y, whatever their digits.
static void test_coplanar(void **state) {
    (void)state;
    swVec3 X[600];
    for (int i = 0; i < 600; i++) {
        swReal y = ldexp(between(-1, 1), -(int)between(0, 60));
        X[i] = sw_v3(y, y, ldexp(between(-1, 1), -(int)between(0, 60)));
    }
    assert_int_equal(count_corners(200, X), 0);
}

// ---- all pairs, in fractions ----

typedef struct Int3 {
    int64_t k[3];
} Int3;

typedef struct Fraction {
    int64_t n, d; // d > 0
} Fraction;

static int64_t int_dot(Int3 a, Int3 b) {
    return a.k[0] * b.k[0] + a.k[1] * b.k[1] + a.k[2] * b.k[2];
}

static Int3 int_cross(Int3 a, Int3 b) {
    Int3 c;
    for (int k = 0; k < 3; k++)
        c.k[k] = a.k[(k + 1) % 3] * b.k[(k + 2) % 3] - a.k[(k + 2) % 3] * b.k[(k + 1) % 3];
    return c;
}

static Int3 int_normal(const Int3 t[3]) {
    Int3 e[2];
    for (int k = 0; k < 6; k++)
        e[k / 3].k[k % 3] = t[1 + k / 3].k[k % 3] - t[0].k[k % 3];
    return int_cross(e[0], e[1]);
}

static bool less(Fraction a, Fraction b) { return a.n * b.d < b.n * a.d; }

// Where along D the inside of triangle t meets the plane through p across N.
static bool stretch(const Int3 t[3], Int3 p, Int3 N, Int3 D, Fraction *lo, Fraction *hi) {
    int64_t h[3];
    int above = 0, below = 0, n = 0;
    Fraction at[3];
    for (int k = 0; k < 3; k++) {
        h[k] = int_dot(N, t[k]) - int_dot(N, p);
        above += h[k] > 0;
        below += h[k] < 0;
        if (h[k] == 0)
            at[n++] = (Fraction){int_dot(D, t[k]), 1};
    }
    if (!above || !below)
        return false;
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3;
        if ((h[k] < 0 && h[l] > 0) || (h[k] > 0 && h[l] < 0)) {
            int sign = h[k] > 0 ? 1 : -1;
            at[n++] = (Fraction){sign * (h[k] * int_dot(D, t[l]) - h[l] * int_dot(D, t[k])),
                                 sign * (h[k] - h[l])};
        }
    }
    assert_int_equal(n, 2);
    *lo = at[less(at[1], at[0])];
    *hi = at[!less(at[1], at[0])];
    return true;
}

static bool interiors_meet(const Int3 a[3], const Int3 b[3]) {
    Int3 A = int_normal(a), B = int_normal(b), D = int_cross(A, B);
    Fraction lo[2], hi[2];
    return stretch(a, b[0], B, D, &lo[0], &hi[0]) && stretch(b, a[0], A, D, &lo[1], &hi[1]) &&
           less(lo[0], hi[1]) && less(lo[1], hi[0]);
}

enum { NVERTEX = 60, NTRIANGLE = 150 };

// Images under maps that need no rounding cross as often, however flat they are.
static int count_image(const Int3 *x, const int *triangle, int kind) {
    swVec3 X[NVERTEX];
    for (int i = 0; i < NVERTEX; i++) {
        swReal a = (swReal)x[i].k[0], b = (swReal)x[i].k[1], c = (swReal)x[i].k[2];
        X[i] = sw_v3(a, b, c);
        if (kind == 1) // sheared
            X[i] = sw_v3(a, b + 7654321 * a, c + 1234567 * b - 54321 * a);
        if (kind == 2) // far away
            X[i] = sw_v3(a + 0x1p40, b - 0x1p45, a + b + 0x1p-5 * c);
        if (kind >= 3) // very large, very small
            X[i] = sw_scale(kind == 3 ? 0x1p1019 : 0x1p-1070, X[i]);
    }
    return count(NVERTEX, X, NTRIANGLE, triangle);
}

static void test_all_pairs(void **state) {
    (void)state;
    const int size[] = {1, 2, 4, 10}; // small: mostly degenerate; larger overflows the fractions
    for (int round = 0; round < 24; round++) {
        Int3 x[NVERTEX];
        int triangle[3 * NTRIANGLE], expected = 0, range = 2 * size[round % 4] + 1;
        for (int i = 0; i < NVERTEX; i++)
            for (int k = 0; k < 3; k++)
                x[i].k[k] = (int)between(0, range) - size[round % 4];
        for (int i = 0; i < 3 * NTRIANGLE; i++)
            triangle[i] = (int)between(0, NVERTEX);
        for (int i = 0; i < NTRIANGLE; i++)
            for (int j = 0; j < i; j++) {
                Int3 a[3], b[3];
                for (int k = 0; k < 3; k++) {
                    a[k] = x[triangle[3 * i + k]];
                    b[k] = x[triangle[3 * j + k]];
                }
                expected += interiors_meet(a, b);
            }
        assert_true(expected > 100);
        for (int kind = 0; kind < 5; kind++)
            assert_int_equal(count_image(x, triangle, kind), expected);
    }
}

// ---- counting ----

// n blades along y through n blades along z.
static void test_limit(void **state) {
    (void)state;
    const int sizes[] = {40, 1001};
    for (int i = 0; i < 2; i++) {
        int n = sizes[i];
        swVec3 *X = SW_NEW(&arena, 6 * (size_t)n, swVec3, NULL);
        int *triangle = SW_NEW(&arena, 6 * (size_t)n, int, NULL);
        for (int k = 0; k < n; k++) {
            swReal at = 2 * k, end = 2 * n, edge = 0.5 / n;
            const swVec3 blades[6] = {{0, -1, at},  {0, end, at},   {1, -1, at},
                                      {-1, at, -1}, {edge, at, -1}, {edge, at, end}};
            memcpy(&X[6 * k], blades, sizeof blades);
        }
        for (int k = 0; k < 6 * n; k++)
            triangle[k] = k;
        swSurface surface = {6 * n, 2 * n, X, triangle};
        swCrossings crossings;
        assert_true(sw_surface_crossings(&surface, &crossings, &arena, NULL));
        assert_int_equal(crossings.pairs, sw_min_int(n * n, SW_CROSSINGS_MAX));
        assert_int_equal(crossings.all, n * n < SW_CROSSINGS_MAX);
    }
}

static void *failing_resize(void *context, void *old, size_t old_size, size_t new_size) {
    int *left = context;
    (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return (*left)-- > 0 ? realloc(old, new_size) : NULL;
}

static void test_bad_input(void **state) {
    (void)state;
    swVec3 X[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, NAN}};
    assert_int_equal(count(4, X, 0, tetrahedron), 0);
    assert_int_equal(count(4, X, 1, tetrahedron), 0); // the fourth vertex is not in use
    swSurface surface = {4, 4, X, (int *)tetrahedron};
    swCrossings crossings;
    swError error = {0};
    assert_false(sw_surface_crossings(&surface, &crossings, &arena, &error));
    assert_int_equal(error.code, SW_ERROR_NOT_FINITE);
    X[3].z = 1;
    bool done = false;
    int k = 0;
    for (; !done && k < 100; k++) {
        int left = k;
        swAllocator allocator = {failing_resize, &left};
        swArena small;
        sw_arena_init(&small, &allocator);
        done = sw_surface_crossings(&surface, &crossings, &small, &error);
        if (!done)
            assert_int_equal(error.code, SW_ERROR_MEMORY);
        sw_arena_free(&small);
    }
    assert_true(done && k > 2);
}

static void count_asset(const char *name, int expected) {
    SKIP_WITHOUT_ASSET(path, name);
    swSurface surface;
    swError error = {0};
    if (!sw_mesh_read(path, &arena, &surface, &error))
        fail_msg("%s: %s", name, error.message);
    int found = count(surface.nvertex, surface.X, surface.ntriangle, surface.triangle);
    if (found != expected)
        fail_msg("%s: %d pairs found, %d expected", name, found, expected);
}

static void test_clean_assets(void **state) {
    (void)state;
    const char *names[] = {"bunny.obj",        "bunny_hr.obj",  "armadillo.obj",
                           "boot.obj",         "comb.obj",      "mug.obj",
                           "plate_holes.STL",  "pneunet.stl",   "tray_bottom.STL",
                           "bp3d_liver.stl",   "knee_PCL.ply",  "menger_sponge3.glb",
                           "scorpion_low.obj", "liver_sofa.obj"};
    char path[64];
    for (int i = 0; i < SW_COUNT(names); i++) {
        snprintf(path, sizeof path, "assets/meshes/%s", names[i]);
        count_asset(path, 0);
    }
}

static void test_crossing_assets(void **state) {
    (void)state;
    count_asset("assets/meshes/human_man.obj", 76);
    count_asset("assets/meshes/stanford_dragon_100k.ply", 25);
    count_asset("assets/meshes/liver_smooth_sofa.obj", 7);
    count_asset("assets/meshes/leg_tibfib.stl", 267);
    count_asset("assets/broken/quintuple_torus_selfint.obj", 8017);
    count_asset("assets/broken/gear0_interpenetrating.obj", 288);
    count_asset("assets/broken/self_intersectA.obj", 338);
    count_asset("assets/broken/dragon_vrip_res3.ply", 115);
    count_asset("assets/broken/knee_lat_meniscus.ply", 20);
    count_asset("assets/broken/spider.obj", 317);
    count_asset("assets/broken/soup.stl", 1248);
    // 2384 where an edge runs through the inside of the other triangle; 8 from corner to edge.
    count_asset("assets/broken/chair_doubled.obj", 2392);
}

static const struct CMUnitTest tests[] = {
    TEST(test_tetrahedra), TEST(test_cubes),        TEST(test_warning),        TEST(test_touching),
    TEST(test_one_digit),  TEST(test_coplanar),     TEST(test_all_pairs),      TEST(test_limit),
    TEST(test_bad_input),  TEST(test_clean_assets), TEST(test_crossing_assets)};

SW_SUITE(intersect, tests)
