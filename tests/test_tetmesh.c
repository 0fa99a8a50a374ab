// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Meshes of tetrahedra made from voxels and from solids.
#include "test_files.h"
#include "test_tetmesh.h"

#include "volume/tets_lattice.h"
#include "volume/tets_split.h"

// The bounds that Labelle and Shewchuk prove, in degrees.
#define LEAST_ANGLE 10.78
#define LARGEST_ANGLE 164.75

// ---- from voxels ----

static swTetMesh split_body(const Body *body) {
    swError error = {0};
    swTetMesh mesh;
    require(sw_tets_split(&body->lattice, &arena, &mesh, &error), &error);
    assert_int_equal(mesh.ntet, SW_TETS_PER_CELL * body->lattice.ncell);
    return mesh;
}

static void test_split(void **state) {
    (void)state;
    const swShape shapes[] = {box(sw_v3(1, 0.7, 0.5), sw_v3(0, 0, 0)),
                              sphere(0.5, sw_v3(0.1, 0.2, 0.3)),
                              capsule(sw_v3(0, 0, 0), sw_v3(1, 0.3, 0.2), 0.04)};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            Body body;
            paint_body(&body, 1, &shapes[i]);
            fill_body(&body, k ? 0.07 : 0.1);
            const swTetMesh mesh = split_body(&body);
            assert_sound(&mesh);
            const swTetFacts f = facts_of(&mesh);
            assert_near(f.filled, body.grid.volume, 1e-12 * body.grid.volume);
            assert_near(f.angle[0], 45, 1e-9);
            assert_near(f.angle[1], 90, 1e-9);
            assert_int_equal(mesh.nvertex, body.lattice.n);
            for (int v = 0; v < mesh.nvertex; v++)
                assert_memory_equal(&mesh.X[v], &body.lattice.X[v], sizeof(swVec3));
        }
}

// A plate and a rod of single cells have tetrahedra as thick as these.
static void test_split_single_layer(void **state) {
    (void)state;
    const swVec3 size[] = {{1, 0.5, 0.1}, {1, 0.1, 0.1}, {0.1, 0.1, 0.1}};
    for (int i = 0; i < 3; i++) {
        Body body;
        const swShape shape = box(size[i], sw_v3(0, 0, 0));
        paint_body(&body, 1, &shape);
        fill_body(&body, 0.1);
        const swTetMesh mesh = split_body(&body);
        assert_sound(&mesh);
        assert_int_equal(mesh.nvertex, (i < 2 ? 11 : 2) * (i < 1 ? 6 : 2) * 2);
        assert_near(facts_of(&mesh).volume, size[i].x * size[i].y * size[i].z, 1e-14);
    }
}

// Two fingers on a palm, less than a cell apart: cells of both touch, and stay apart.
static void test_split_gap(void **state) {
    (void)state;
    const swShape shapes[] = {box(sw_v3(0.2, 1, 0.2), sw_v3(0.1, 0, 0)),
                              box(sw_v3(1, 0.49, 0.2), sw_v3(0.7, 0.255, 0)),
                              box(sw_v3(1, 0.49, 0.2), sw_v3(0.7, -0.255, 0))};
    Body body;
    paint_body(&body, 3, shapes);
    fill_body(&body, 0.1);
    const swTetMesh mesh = split_body(&body);
    assert_sound(&mesh);
    assert_int_equal(facts_of(&mesh).components, 1);
    // Along the gap there are two vertices at every place.
    int twice = 0;
    for (int i = 0; i < mesh.nvertex; i++)
        for (int j = 0; j < i; j++)
            twice += sw_norm(sw_sub(mesh.X[i], mesh.X[j])) < 1e-9;
    assert_int_equal(twice, 10 * 3);
    // Without the palm they are two bodies.
    paint_body(&body, 2, shapes + 1);
    fill_body(&body, 0.1);
    const swTetMesh fingers = split_body(&body);
    assert_int_equal(facts_of(&fingers).components, 2);
}

static void test_split_materials(void **state) {
    (void)state;
    // The border of the second material runs at 0.3 and 0.6 of a cell.
    for (int k = 0; k < 2; k++) {
        const swReal to = k ? 0.56 : 0.53;
        const swShape shapes[] = {box(sw_v3(1, 0.2, 0.2), sw_v3(0.5, 0, 0)),
                                  box(sw_v3(to, 0.2, 0.2), sw_v3(to / 2, 0, 0))};
        Body body;
        paint_body(&body, 2, shapes);
        fill_body(&body, 0.1);
        const swTetMesh mesh = split_body(&body);
        int second = 0;
        for (int t = 0; t < mesh.ntet; t++)
            second += mesh.material[t] == 1;
        assert_int_equal(second, SW_TETS_PER_CELL * 4 * (k ? 6 : 5));
    }
}

// ---- stuffing ----

static void assert_angles(const swTetFacts *f) {
    assert_true(f->angle[0] >= LEAST_ANGLE && f->angle[1] <= LARGEST_ANGLE);
}

// Any signs, any places of the cuts: every stencil, and the worst angles.
static void test_stuff_any_surface(void **state) {
    (void)state;
    swReal least = 180, largest = 0;
    for (int round = 0; round < 12; round++) {
        swError error = {0};
        const swGrid grid = {.h = 1, .n = {9, 9, 9}};
        swStuffLattice l;
        swTetMesh mesh;
        int *deep;
        require(sw_stuff_lattice(&grid, &arena, &l, &error), &error);
        for (int i = 0; i < 2 * l.npoint; i++) {
            const swVec3 p = sw_stuff_place(&l, i);
            const bool border = p.x < 0 || p.y < 0 || p.z < 0 || p.x > 9 || p.y > 9 || p.z > 9;
            l.sign[i] = !border && uniform() < 0.1 + 0.07 * round ? 1 : -1;
        }
        require(sw_stuff_find_cuts(&l, &arena, &error), &error);
        // Extreme places are the worst: just beyond those that move points.
        static const swReal extreme[] = {0.2851,  0.28512, 0.3988,  0.39882, 0.5,
                                         0.60118, 0.6012,  0.71488, 0.7149};
        for (int i = 0; i < l.ncut; i++)
            l.cut[i].t = round % 2 ? between(0, 1) : extreme[(int)between(0, SW_COUNT(extreme))];
        sw_stuff_warp(&l);
        require(sw_stuff_tets(&l, &arena, &arena, &mesh, &deep, &error) &&
                    sw_tets_separate(&mesh, &arena, &error),
                &error);
        assert_conforming(&mesh);
        const swTetFacts f = facts_of(&mesh);
        assert_angles(&f);
        least = fmin(least, f.angle[0]);
        largest = fmax(largest, f.angle[1]);
    }
    printf("angles of any surface: %.2f .. %.2f degrees\n", least, largest);
    assert_true(least < 15 && largest > 155); // the test is one
}

static void write_torus(const char *path) {
    enum { AROUND = 60, ACROSS = 24 };
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < AROUND; i++)
        for (int j = 0; j < ACROSS; j++) {
            const double u = 2 * SW_PI * i / AROUND, v = 2 * SW_PI * j / ACROSS;
            const double r = 0.35 + 0.14 * cos(v);
            fprintf(file, "v %.17g %.17g %.17g\n", r * cos(u), r * sin(u), 0.14 * sin(v));
        }
    for (int i = 0; i < AROUND; i++)
        for (int j = 0; j < ACROSS; j++) {
            const int a = i * ACROSS, b = (i + 1) % AROUND * ACROSS, k = (j + 1) % ACROSS;
            fprintf(file, "f %d %d %d %d\n", a + j + 1, b + j + 1, b + k + 1, a + k + 1);
        }
    fclose(file);
}

static void test_stuff_shapes(void **state) {
    (void)state;
    const swReal ring[] = {-0.4, -0.4, 0.4, -0.4, 0.4, 0.4, 0.1, 0, -0.4, 0.4};
    const char *torus = path_of("torus.obj");
    write_torus(torus);
    const struct {
        swShape shape;
        swReal volume;
        swReal error[3]; // of the volume at cells of 0.1, 0.05, 0.025, at most
    } cases[] = {
        {sphere(0.45, sw_v3(0.01, 0.02, 0.03)),
         4 * SW_PI / 3 * 0.45 * 0.45 * 0.45,
         {0.025, 0.006, 0.0015}},
        {box(sw_v3(0.83, 0.71, 0.67), sw_v3(0, 0, 0)), 0.83 * 0.71 * 0.67, {0.04, 0.012, 0.004}},
        {{.kind = SW_SHAPE_CYLINDER, .from = {-0.4, 0, 0}, .to = {0.4, 0.1, 0.2}, .radius = 0.25},
         SW_PI * 0.0625 * sqrt(0.69),
         {0.05, 0.015, 0.005}},
        {capsule(sw_v3(-0.4, 0, 0), sw_v3(0.4, 0.1, 0.2), 0.07),
         SW_PI * 0.0049 * sqrt(0.69) + 4 * SW_PI / 3 * 0.000343,
         {0.5, 0.17, 0.04}},
        {{.kind = SW_SHAPE_EXTRUDE, .polygon = ring, .npolygon = 5, .zrange = {-0.2, 0.3}},
         0.24,
         {0.05, 0.025, 0.01}},
        {{.kind = SW_SHAPE_MESH, .file = torus, .scale = 1, .pose.axis = {0, 0, 1}},
         2 * SW_PI * SW_PI * 0.35 * 0.0196,
         {0.12, 0.04, 0.025}}, // the surface itself is of chords
    };
    for (int i = 0; i < SW_COUNT(cases); i++)
        for (int k = 0; k < 3; k++) {
            Body body;
            paint_body(&body, 1, &cases[i].shape);
            const swTetMesh mesh = stuff_body(&body, 0.1 / (1 << k), NULL);
            assert_sound(&mesh);
            const swTetFacts f = facts_of(&mesh);
            assert_angles(&f);
            assert_int_equal(f.components, 1);
            assert_near(f.volume / cases[i].volume, 1, cases[i].error[k]);
        }
}

// Where the faces of a box lie on the lattice, so do its edges and corners.
static void test_stuff_box_on_lattice(void **state) {
    (void)state;
    Body body;
    const swShape shape = box(sw_v3(0.6, 0.4, 0.2), sw_v3(1, 2, 3));
    paint_body(&body, 1, &shape);
    const swTetMesh mesh = stuff_body(&body, 0.1, NULL);
    assert_sound(&mesh);
    const swTetFacts f = facts_of(&mesh);
    assert_near(f.volume, 0.048, 1e-8);
    assert_near(f.angle[0], 45, 1e-3);
    assert_near(f.angle[1], 90, 1e-3);
}

static void test_stuff_materials(void **state) {
    (void)state;
    Body body;
    const swShape shapes[] = {box(sw_v3(1, 1, 1), sw_v3(0, 0, 0)), sphere(0.35, sw_v3(0.05, 0, 0)),
                              sphere(0.2, sw_v3(0.6, 0, 0))};
    paint_body(&body, 3, shapes);
    const swTetMesh mesh = stuff_body(&body, 0.05, NULL);
    assert_sound(&mesh);
    swReal volume[3] = {0};
    for (int t = 0; t < mesh.ntet; t++)
        volume[mesh.material[t]] += sw_tets_volume(&mesh, t);
    fill_body(&body, 0.02);
    swReal expected[3] = {0};
    for (int i = 0; i < body.grid.nvoxel; i++)
        expected[body.grid.voxel[i].material] += body.grid.voxel[i].volume;
    for (int m = 0; m < 3; m++)
        assert_near(volume[m] / expected[m], 1, 0.02);
}

static void test_stuff_threads(void **state) {
    (void)state;
    Body body;
    const swShape shapes[] = {sphere(0.4, sw_v3(0, 0, 0)),
                              capsule(sw_v3(0, 0, 0), sw_v3(0.7, 0.2, 0.1), 0.15)};
    paint_body(&body, 2, shapes);
    const swTetMesh a = stuff_body(&body, 0.05, NULL);
    swPool *pool = sw_pool_create(&config.allocator, 4);
    const swTetMesh b = stuff_body(&body, 0.05, pool);
    sw_pool_destroy(pool);
    assert_int_equal(a.ntet, b.ntet);
    assert_int_equal(a.nvertex, b.nvertex);
    assert_memory_equal(a.X, b.X, (size_t)a.nvertex * sizeof *a.X);
    assert_memory_equal(a.vertex, b.vertex, 4 * (size_t)a.ntet * sizeof *a.vertex);
    assert_memory_equal(a.material, b.material, (size_t)a.ntet * sizeof *a.material);
}

static void test_stuff_refusals(void **state) {
    (void)state;
    Body body;
    swError error = {0};
    swTetMesh mesh;
    swShape shape = sphere(0.01, sw_v3(0, 0, 0));
    paint_body(&body, 1, &shape);
    // Between the points of the lattice: the bounds' middle is one where the cells are even.
    shape = box(sw_v3(1, 0.004, 1), sw_v3(0, 0, 0));
    paint_body(&body, 1, &shape);
    assert_false(sw_tets_stuff(1, body.paint, 0.5, "b", NULL, &arena, &mesh, &error));
    assert_int_equal(error.code, SW_ERROR_GEOMETRY);
    assert_non_null(strstr(error.message, "b: nothing is as thick as the tetrahedra"));
    assert_false(sw_tets_stuff(1, body.paint, 0, "b", NULL, &arena, &mesh, &error));
    assert_int_equal(error.code, SW_ERROR_VALUE);
    assert_false(sw_tets_stuff(1, body.paint, 1e-4, "b", NULL, &arena, &mesh, &error));
    assert_int_equal(error.code, SW_ERROR_LIMIT);
    assert_false(sw_tets_stuff(0, NULL, 0.1, "b", NULL, &arena, &mesh, &error));
    assert_int_equal(error.code, SW_ERROR_GEOMETRY);
}

static swStuffLoss tidy_body(Body *body, swReal h, swTetMesh *mesh) {
    swError error = {0};
    swStuffLoss loss;
    fill_body(body, h / 2);
    *mesh = stuff_body(body, h, NULL);
    require(sw_tets_tidy(mesh, h, &body->lattice, "b", &config, &arena, &loss, &error), &error);
    return loss;
}

static void test_tidy(void **state) {
    (void)state;
    Body body;
    swTetMesh mesh;
    // A neck too thin for the lattice between two balls.
    swShape shapes[] = {sphere(0.3, sw_v3(0, 0, 0)), sphere(0.3, sw_v3(1.2, 0, 0)),
                        capsule(sw_v3(0, 0.05, 0.03), sw_v3(1.2, 0.05, 0.03), 0.02)};
    paint_body(&body, 3, shapes);
    swStuffLoss loss = tidy_body(&body, 0.15, &mesh);
    assert_sound(&mesh);
    assert_int_equal(loss.parts, 1);
    assert_int_equal(loss.pieces, 2);
    assert_near(loss.lost, 0.6 * SW_PI * 0.0004, 0.15 * SW_PI * 0.0004);
    assert_near(loss.volume, facts_of(&mesh).volume, 1e-12);
    assert_non_null(strstr(logged,
                           "b: tetrahedra of 0.15 m are too coarse; they fall into 2 pieces "
                           "where the solid has 1"));
    // A small ball at the end of the neck is a crumb.
    logged[0] = 0;
    shapes[0].radius = 0.5;
    shapes[1] = sphere(0.08, sw_v3(1, 0.05, 0.03));
    shapes[2].to.x = 1;
    paint_body(&body, 3, shapes);
    loss = tidy_body(&body, 0.1, &mesh);
    assert_sound(&mesh);
    assert_int_equal(loss.crumbs, 1);
    assert_int_equal(loss.pieces, 1);
    assert_int_equal(facts_of(&mesh).components, 1);
    assert_true(loss.lost > 4 * SW_PI / 3 * 0.000512);
    assert_string_equal(logged, ""); // it is not much
    // A whisker is.
    shapes[0].radius = 0.2;
    shapes[1] = capsule(sw_v3(0, 0.05, 0.03), sw_v3(2, 0.05, 0.03), 0.03);
    paint_body(&body, 2, shapes);
    loss = tidy_body(&body, 0.15, &mesh);
    assert_near(loss.lost, 1.8 * SW_PI * 0.0009, 0.3 * SW_PI * 0.0009);
    assert_non_null(strstr(logged, "% of the volume is too thin for them and lost"));
    // Two balls without a neck are two bodies, and neither is a crumb.
    logged[0] = 0;
    shapes[1] = sphere(0.08, sw_v3(1, 0, 0));
    paint_body(&body, 2, shapes);
    loss = tidy_body(&body, 0.1, &mesh);
    assert_int_equal(loss.parts, 2);
    assert_int_equal(loss.pieces, 2);
    assert_int_equal(loss.crumbs, 0);
    assert_string_equal(logged, "");
}

// ---- no memory, and what is lying about ----

static int calls_left;
static void *scarce_resize(void *context, void *old, size_t old_size, size_t new_size) {
    (void)context, (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return calls_left-- > 0 ? realloc(old, new_size) : NULL;
}

static bool make_everything(const Body *body, swArena *scarce, swError *error) {
    swTetMesh mesh, quadratic, regular;
    swTetFacts facts;
    swStuffLoss loss;
    return sw_tets_split(&body->lattice, scarce, &regular, error) &&
           sw_tets_stuff(body->n, body->paint, 0.2, "b", NULL, scarce, &mesh, error) &&
           sw_tets_tidy(&mesh, 0.2, &body->lattice, "b", &config, scarce, &loss, error) &&
           sw_tets_quadratic(&mesh, scarce, &quadratic, error) &&
           sw_tets_facts(&quadratic, &facts, scarce, error) &&
           sw_tets_locator(&quadratic, scarce, error);
}

static void test_no_memory(void **state) {
    (void)state;
    Body body;
    const swShape shape = sphere(0.5, sw_v3(0, 0, 0));
    paint_body(&body, 1, &shape);
    fill_body(&body, 0.2);
    bool done = false;
    int k = 0;
    for (; !done; k++) {
        swError error = {0};
        swArena scarce;
        const swAllocator allocator = {scarce_resize, NULL};
        calls_left = k;
        sw_arena_init(&scarce, &allocator);
        done = make_everything(&body, &scarce, &error);
        assert_true(done || error.code == SW_ERROR_MEMORY);
        sw_arena_free(&scarce);
    }
    assert_true(k > 8);
}

static void ignore_log(void *context, swLogLevel level, const char *message) {
    (void)context, (void)level, (void)message;
}

// Every mesh of a folder is stuffed, or refused with a reason.
static int stuff_folder(const char *name, int cells) {
    const char *folder = test_asset(name);
    DIR *dir = folder ? opendir(folder) : NULL;
    int stuffed = 0;
    config.log = ignore_log;
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        char path[1024];
        swError error = {0};
        swTetMesh mesh;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        const swShape shape = {
            .kind = SW_SHAPE_MESH, .file = path, .scale = 1, .pose.axis = {0, 0, 1}};
        swArena keep = arena;
        sw_arena_init(&arena, &config.allocator);
        const swSolid *solid = entry->d_name[0] == '.' ? NULL : try_create(&shape, &error);
        if (solid) {
            swVec3 lo, hi;
            sw_solid_bounds(solid, &lo, &hi);
            const swVec3 d = sw_sub(hi, lo);
            const swPaint paint = {solid, 0, NULL};
            const swReal h = fmax(d.x, fmax(d.y, d.z)) / cells;
            if (sw_tets_stuff(1, &paint, h, name, NULL, &arena, &mesh, &error)) {
                const swTetFacts f = facts_of(&mesh);
                assert_angles(&f);
                assert_conforming(&mesh);
                stuffed++;
            } else {
                assert_true(error.code != SW_OK && error.message[0]);
            }
        }
        sw_arena_free(&arena);
        arena = keep;
    }
    if (dir)
        closedir(dir);
    return stuffed;
}

static void test_assets(void **state) {
    (void)state;
    if (!test_asset("assets/meshes"))
        skip();
    assert_true(stuff_folder("assets/meshes", 12) > 30);
    stuff_folder("assets/broken", 12);
}

static const struct CMUnitTest tests[] = {
    TEST(test_split),
    TEST(test_split_single_layer),
    TEST(test_split_gap),
    TEST(test_split_materials),
    TEST(test_stuff_any_surface),
    TEST(test_stuff_shapes),
    TEST(test_stuff_box_on_lattice),
    TEST(test_stuff_materials),
    TEST(test_stuff_threads),
    TEST(test_stuff_refusals),
    TEST(test_tidy),
    TEST(test_no_memory),
    TEST(test_assets),
};

SW_SUITE(tetmesh, tests)
