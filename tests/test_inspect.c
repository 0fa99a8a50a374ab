// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Looking inside bodies: what there is at points, and pictures of it.
#include "inspect/inspect.h"
#include "formats/image.h"
#include "test_tools.h"

// A bar along x from -0.5 to 0.5, held at its left end; from 0.1 to 0.3 it is ten times as stiff.
static const char bar[] =
    "{\"sinew\": 1, \"materials\": {\"soft\": {\"young\": 1e5}, \"stiff\": {\"young\": 1e6}},"
    " \"bodies\": [{\"name\": \"ball\", \"shape\": {\"sphere\": {\"radius\": 0.5}, \"material\": "
    "\"soft\"}, \"voxel\": 0.1,"
    "   \"frames\": {\"count\": 1}},"
    " {\"name\": \"bar\", \"voxel\": 0.05, \"shape\": {\"union\": ["
    "   {\"box\": {\"size\": [1, 0.2, 0.2]}, \"material\": \"soft\"},"
    "   {\"box\": {\"size\": [0.2, 0.2, 0.2], \"center\": [0.2, 0, 0]}, \"material\": \"stiff\"}]},"
    "  \"integration\": {\"points\": 80},"
    "  \"frames\": {\"count\": 0, \"at\": [[0, 0, 0], [0.4, 0, 0]],"
    "    \"weights\": {\"kind\": \"voronoi\"}},"
    "  \"handles\": [{\"name\": \"wall\","
    "    \"region\": {\"box\": {\"size\": [0.1, 1, 1], \"center\": [-0.5, 0, 0]}}}]}]}";

enum { BALL, BAR };

static swScene *bar_scene(const swConfig *config) {
    swError error = {0};
    swScene *scene = sw_scene_parse(bar, strlen(bar), "bar.json", config, &error);
    require(scene != NULL, &error);
    return scene;
}

static void open_bar(swInspect *in, const swScene *scene) {
    swError error = {0};
    require(sw_inspect_create(in, scene, BAR, SW_INSPECT_SAMPLES, &error), &error);
}

// ---- at points ----

static void weights_are_those_of_the_compile(void **state) {
    (void)state;
    swScene *scene = bar_scene(NULL);
    swInspect in;
    open_bar(&in, scene);
    assert_int_equal(in.body.nsite, 3);
    const swVec3 p[] = {{0, 0, 0}, {0.4, 0, 0}, {-0.47, 0.05, 0.03}, {0.22, 0.07, -0.02}};
    swReal w[4 * 3], dw[4 * 9];
    int cell[4];
    for (int i = 0; i < 4; i++)
        assert_true((cell[i] = sw_inspect_cell(&in, p[i])) >= 0);
    sw_inspect_weights(&in, 4, p, cell, w, dw);
    for (int i = 0; i < 3; i++) // at the frames, and in the handle
        for (int s = 0; s < 3; s++)
            assert_near(w[3 * i + s], s == i, 1e-12);
    assert_near(w[9] + w[10] + w[11], 1, 1e-12);
    assert_true(w[9] > 0.01 && w[10] > 0.01);

    // A probe of the compiled model says the same.
    swModel *m = compile_scene(scene);
    const swBodyModel *b = sw_model_body(m, BAR);
    for (int v = 0; v < sw_body_vertex_count(m, BAR); v++) {
        const int point = b->body[0].point + v;
        const int c = sw_lattice_find(&in.body.lattice, b->point[point], 2);
        sw_weights_evaluate(&in.body.weights, 1, &b->point[point], &c, w, dw);
        for (int e = b->point_start[point]; e < b->point_start[point + 1]; e++)
            assert_true(w[b->point_node[e]] == b->point_weight[e]);
    }
    sw_model_destroy(m);
    char number[16];
    assert_string_equal(sw_inspect_site_name(&in, 1, number), "1");
    assert_string_equal(sw_inspect_site_name(&in, 2, number), "wall");
    sw_inspect_free(&in);
    sw_scene_destroy(scene);
}

static void distances_go_by_compliance(void **state) {
    (void)state;
    swScene *scene = bar_scene(NULL);
    for (int pass = 0; pass < 2; pass++) {
        swInspect in;
        swError error = {0};
        const swReal *d, stiff = pass ? 0.1 : 1;
        scene->bodies->next->frames.weights.distance =
            pass ? SW_DISTANCE_COMPLIANCE : SW_DISTANCE_GEODESIC;
        open_bar(&in, scene);
        require(sw_inspect_distance(&in, &d, &error), &error);
        // On the axis, from the frame at 0 through the stiff part to that at 0.4: as they spread
        // along planes about the axis the distance is that along it.
        const swReal whole = 0.2 + 0.2 * stiff;
        for (int i = 0; i < in.body.lattice.n; i++) {
            const swVec3 X = in.body.lattice.X[i];
            const swReal x = X.x, from = x < 0.1   ? x
                                         : x < 0.3 ? 0.1 + stiff * (x - 0.1)
                                                   : 0.1 + 0.2 * stiff + x - 0.3;
            if (fabs(X.y) + fabs(X.z) < 1e-9 && x >= 0 && x <= 0.4 + 1e-9)
                assert_near(d[i], sw_min(from, whole - from), 1e-9);
            if (x < -0.45 - 1e-9) // in the handle
                assert_near(d[i], 0, 1e-12);
        }
        sw_inspect_free(&in);
    }
    sw_scene_destroy(scene);
}

static void check_regions(bool relaxed) {
    swScene *scene = bar_scene(NULL);
    swInspect in;
    scene->bodies->next->integration.correct = relaxed ? SW_CORRECT_NO : SW_CORRECT_AUTO;
    open_bar(&in, scene);
    swReal volume = 0, sum = 0;
    for (int v = 0; v < in.body.grid.nvoxel; v++) {
        const bool held = in.body.grid.voxel[v].centroid.x < -0.45;
        assert_int_equal(in.body.region[v] < 0, held);
        volume += held ? 0 : in.body.grid.voxel[v].volume;
    }
    assert_near(volume, 0.95 * 0.04, 1e-12);
    for (int i = 0; i < in.npoint; i++)
        sum += in.volume[i];
    assert_near(sum, volume, relaxed ? 1e-12 : 1e-4 * volume); // chosen points have nearly all
    assert_true(in.nregion > 1 && in.npoint >= in.nregion);

    // One region has one material.
    int *material = SW_NEW(&in.builder.arena, in.nregion, int, NULL);
    assert_non_null(material);
    for (int v = 0; v < in.body.grid.nvoxel; v++)
        if (in.body.region[v] >= 0) {
            int *m = &material[in.body.region[v]];
            assert_true(*m == 0 || *m == 1 + in.body.grid.voxel[v].material);
            *m = 1 + in.body.grid.voxel[v].material;
        }
    sw_inspect_free(&in);
    sw_scene_destroy(scene);
}

// Regions of a corrected body are its materials.
static void regions_hold_all_that_deforms(void **state) {
    (void)state;
    check_regions(true);
    check_regions(false);
}

static void shapes_end_where_they_do(void **state) {
    (void)state;
    swScene *scene = bar_scene(NULL);
    swError error = {0};
    swInspect in;
    require(sw_inspect_create(&in, scene, BALL, SW_INSPECT_VOLUME, &error), &error);
    Random r = {11};
    for (int i = 0; i < 2000; i++) {
        const swVec3 p = random_vec(&r, 0.6);
        assert_int_equal(sw_inspect_cell(&in, p) >= 0, sw_norm(p) <= 0.5);
    }
    sw_inspect_free(&in);
    // A border of materials inside cells.
    scene->bodies->next->voxel = 0.08;
    require(sw_inspect_create(&in, scene, BAR, SW_INSPECT_VOLUME, &error), &error);
    for (int i = 0; i < 500; i++) {
        const swVec3 p = {random_in(&r, -0.5, 0.5), random_in(&r, -0.1, 0.1),
                          random_in(&r, -0.1, 0.1)};
        const int v = sw_inspect_voxel(&in, sw_inspect_cell(&in, p), p);
        assert_int_equal(in.body.grid.voxel[v].material, p.x > 0.1 && p.x < 0.3);
    }
    sw_inspect_free(&in);
    assert_false(sw_inspect_create(&in, scene, 2, SW_INSPECT_VOLUME, &error));
    assert_non_null(strstr(error.message, "from 0 to 1, found 2"));
    sw_inspect_free(&in);
    sw_scene_destroy(scene);
}

// ---- pictures ----

typedef struct Drawn {
    swInspect in;
    Field field;
    swPicture picture;
    int legend;
    Spot middle; // of the body
} Drawn;

static const InspectOptions small = {.size = {320, 200}};

static void draw(Drawn *d, const swScene *scene, const char *of, int axis, swReal at) {
    swError error = {0};
    const swReal size = mark_text_size(small.size[0], small.size[1]);
    require(field_parse(&d->field, of, &error) &&
                sw_inspect_create(&d->in, scene, BAR, field_depth(&d->field), &error) &&
                field_open(&d->field, &d->in, &error),
            &error);
    d->legend = mark_legend_width(&d->field, size);
    const Slice slice = {axis, at};
    require(inspect_draw(&d->field, &slice, &small, d->legend, &d->in.builder.arena, &d->picture,
                         &error),
            &error);
    assert_int_equal(d->picture.width, 320);
    assert_int_equal(d->picture.height, 200);
    d->middle = (Spot){(320 - d->legend) / 2.0, (4 * size + 200 - 4.5 * size) / 2};
}

static const unsigned char *pixel(const Drawn *d, swReal x, swReal y) {
    return d->picture.rgb + 3 * (320 * (size_t)y + (size_t)x);
}

static void assert_color(const unsigned char *rgb, swColor color, int tolerance) {
    unsigned char c[3];
    sw_color_bytes(color, c);
    for (int k = 0; k < 3; k++)
        assert_true(abs(rgb[k] - c[k]) <= tolerance);
}

// The bar fills the picture from left to right: a pixel for each centimetre or so.
static swReal pixels_per_metre(const Drawn *d) {
    return 320 - d->legend - 3.2 * mark_text_size(320, 200);
}

static void colours_are_those_of_the_weight(void **state) {
    (void)state;
    swScene *scene = bar_scene(NULL);
    for (int site = 0; site < 3; site++) {
        static const char *const of[] = {"weight:0", "weight:1", "weight:wall"};
        static const swReal at[] = {0, 0.4, -0.49};
        Drawn d;
        draw(&d, scene, of[site], 2, 0);
        for (int k = 0; k < 3; k++) {
            const swReal x = d.middle.x + at[k] * pixels_per_metre(&d);
            // Rings around frames leave their middle free; in the handle, away from its ring.
            const swReal y = d.middle.y + (k == 2 ? 0.07 : 0) * pixels_per_metre(&d);
            assert_color(pixel(&d, x, y), sw_map_color(SW_MAP_SEQUENTIAL, k == site),
                         k == 2 ? 0 : 24);
        }
        const swColor white = {1, 1, 1};
        assert_color(pixel(&d, 2, 100), white, 0);
        assert_color(pixel(&d, d.middle.x, d.middle.y - 0.13 * pixels_per_metre(&d)), white, 0);
        sw_inspect_free(&d.in);
    }
    sw_scene_destroy(scene);
}

static void materials_have_their_colours(void **state) {
    (void)state;
    swScene *scene = bar_scene(NULL);
    for (int axis = 0; axis < 3; axis++) {
        Drawn d;
        draw(&d, scene, "material", axis, axis == 0 ? 0.2 : 0.05);
        assert_int_equal(d.field.legend.count, 2);
        const swReal x = axis == 0 ? 0 : 0.2 * pixels_per_metre(&d);
        assert_color(pixel(&d, d.middle.x + x, d.middle.y), d.field.paint[1], 0);
        if (axis > 0)
            assert_color(pixel(&d, d.middle.x - x, d.middle.y), d.field.paint[0], 0);
        sw_inspect_free(&d.in);
    }
    sw_scene_destroy(scene);
}

static void pictures_do_not_depend_on_threads(void **state) {
    (void)state;
    static const char *const of[] = {"weights",   "weight:1", "distance", "material",
                                     "stiffness", "label",    "regions",  "points"};
    for (int i = 0; i < 2 * SW_COUNT(of); i++) {
        unsigned char *first = NULL;
        for (int threads = 1; threads <= 3; threads += 2) {
            swConfig config = sw_default_config();
            config.threads = threads;
            swScene *scene = bar_scene(&config);
            Drawn d;
            draw(&d, scene, of[i / 2], i % 2 ? 1 : -1, 0);
            const size_t size = 3 * 320 * 200;
            int ink = 0;
            for (size_t k = 0; k < size; k++)
                ink += d.picture.rgb[k] != 255;
            assert_true(ink > 10000);
            if (threads == 1) {
                assert_non_null(first = malloc(size));
                memcpy(first, d.picture.rgb, size);
            } else
                assert_memory_equal(first, d.picture.rgb, size);
            sw_inspect_free(&d.in);
            sw_scene_destroy(scene);
        }
        free(first);
    }
}

// ---- files and mistakes ----

static void pictures_stand_side_by_side(void **state) {
    (void)state;
    swScene *scene = bar_scene(NULL);
    const char *path = temporary_path("inside.png");
    const InspectOptions o = {.picture = path,
                              .slice = "z=0.03",
                              .body = "bar",
                              .of = {{"weight:wall", "points"}, 2},
                              .size = {160, 120}};
    swError error = {0};
    swArena arena;
    swImage image;
    const swAllocator allocator = sw_default_config().allocator;
    sw_arena_init(&arena, &allocator);
    require(inspect_write(&o, scene, &error), &error);
    require(sw_image_read(path, &arena, &image, &error), &error);
    assert_int_equal(image.n[0], 160 + 4 + 160);
    assert_int_equal(image.n[1], 120);
    remove(path);
    sw_arena_free(&arena);
    sw_scene_destroy(scene);
}

static void memory_may_end_anywhere(void **state) {
    (void)state;
    Counter counter = {0};
    const swConfig config = counting_config(&counter);
    const char *path = temporary_path("memory.png");
    const InspectOptions slice = {.picture = path,
                                  .slice = "z",
                                  .body = "bar",
                                  .of = {{"weights", "distance", "label", "regions"}, 4},
                                  .size = {64, 64}},
                         surface = {.picture = path,
                                    .body = "bar",
                                    .of = {{"weight:0", "material", "points"}, 3},
                                    .size = {64, 64}};
    for (int pass = 0; pass < 2; pass++) {
        bool ok = false;
        for (int k = 1; !ok; k += 1 + k / 20) {
            swScene *scene = bar_scene(&config);
            swError error = {0};
            counter.calls = 0;
            counter.fail_at = k;
            ok = inspect_write(pass ? &surface : &slice, scene, &error);
            assert_int_equal(error.code, ok ? SW_OK : SW_ERROR_MEMORY);
            assert_int_equal(access(path, F_OK) == 0, ok);
            counter.fail_at = 0;
            sw_scene_destroy(scene);
            assert_int_equal(counter.held, 0);
        }
        remove(path);
    }
}

static void mistakes_name_the_choices(void **state) {
    (void)state;
    const struct {
        InspectOptions o;
        const char *said;
    } cases[] = {
        {{.of = {{"wieghts"}, 1}}, "weight:FRAME, weights, distance"},
        {{.of = {{"weight:"}, 1}}, "weight:FRAME, weights, distance"},
        {{.of = {{"weight:3"}, 1}, .body = "bar"}, "from 0 to 2, \"wall\", found \"3\""},
        {{.of = {{"weight:0.5"}, 1}}, "from 0 to 0, found \"0.5\""},
        {{.slice = "w"}, "expected x, y or z"},
        {{.slice = "z="}, "expected x, y or z"},
        {{.slice = "z=1e999"}, "expected x, y or z"},
        {{.slice = "zz"}, "expected x, y or z"},
        {{.slice = "y=0.2", .body = "bar"}, "y from -0.1 to 0.1"},
        {{.body = "foot"}, "one of \"ball\", \"bar\", found \"foot\""},
        {{.picture = "inside.jpg"}, ".png"},
    };
    swScene *scene = bar_scene(NULL);
    for (int i = 0; i < SW_COUNT(cases); i++) {
        InspectOptions o = cases[i].o;
        swError error = {0};
        const char *path = temporary_path("none.png");
        if (!o.picture)
            o.picture = path;
        assert_false(inspect_write(&o, scene, &error));
        if (!strstr(error.message, cases[i].said))
            fail_msg("no \"%s\" in \"%s\"", cases[i].said, error.message);
        assert_int_not_equal(access(o.picture, F_OK), 0);
    }
    sw_scene_destroy(scene);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(weights_are_those_of_the_compile),
    cmocka_unit_test(distances_go_by_compliance),
    cmocka_unit_test(regions_hold_all_that_deforms),
    cmocka_unit_test(shapes_end_where_they_do),
    cmocka_unit_test(colours_are_those_of_the_weight),
    cmocka_unit_test(materials_have_their_colours),
    cmocka_unit_test(pictures_do_not_depend_on_threads),
    cmocka_unit_test(pictures_stand_side_by_side),
    cmocka_unit_test(memory_may_end_anywhere),
    cmocka_unit_test(mistakes_name_the_choices),
};
SW_SUITE(inspect, tests)
