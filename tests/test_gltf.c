// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Motion as files. Where SINEW_TEST_FILES names a folder, the .glb files stay there with the
// positions they should show, for check_gltf.mjs.
#include "test.h"

#include "film.h"
#include "glb.h"

#include "contact/collider.h"
#include "output/gltf_write.h"
#include "formats/mesh.h"
#include "output/sequence.h"

// ---- what a file should show ----

static void put_check(swJsonWriter *w, const Made *made, const char *what, swReal limit, int n,
                      swReal first, swReal step) {
    const swModel *m = made->model;
    swReal *q = malloc((size_t)m->size.nq * sizeof *q);
    swVec3 *x = malloc(NVERTEX * sizeof *x);
    sw_json_begin(w, NULL, '{');
    sw_json_put_text(w, "what", what);
    sw_json_put_number(w, "limit", limit);
    const swBodyInfo *first_body = &sw_model_body(m, 0)->body[0];
    sw_json_put_number(w, "size", sw_norm(sw_sub(first_body->hi, first_body->lo)));
    sw_json_begin(w, "t", '[');
    for (int k = 0; k < n; k++)
        sw_json_put_number(w, NULL, first + k * step);
    sw_json_end(w);
    sw_json_begin(w, "bodies", '{');
    for (int b = 0; b < m->size.nbody; b++) {
        sw_json_begin(w, sw_body_name(m, b), '[');
        for (int k = 0; k < n; k++) {
            move(made, b, first + k * step, q);
            sw_points_positions(sw_model_body(m, b), q, 0, NVERTEX, x);
            sw_json_put_numbers(w, NULL, 3 * NVERTEX, &x[0].x);
        }
        sw_json_end(w);
    }
    sw_json_end(w);
    sw_json_end(w);
    free(q);
    free(x);
}

// Positions at the keys, and half-way between them where `between` is a limit for that.
static void write_expected(const Made *made, const char *name, int nkey, swReal step, swReal limit,
                           swReal between) {
    swFile file;
    if (!keeps_files())
        return;
    assert_true(sw_file_open(&file, path_of(name), NULL));
    swJsonWriter w = {.file = &file};
    sw_json_begin(&w, NULL, '{');
    sw_json_begin(&w, "checks", '[');
    put_check(&w, made, "at keys", limit, nkey, 0, step);
    if (between > 0)
        put_check(&w, made, "between keys", between, nkey - 1, 0.5 * step, step);
    sw_json_end(&w);
    sw_json_end(&w);
    assert_true(sw_file_close(&file, NULL));
}

// Writes nkey keys and what they should show.
static swGltfReport write_film(const Made *made, const char *name, int nkey, swReal step,
                               swReal between, const swGltfOptions *options) {
    swClip clip;
    swGltfReport report;
    swError error = {0};
    char file[128];
    record(made, &clip, nkey, step);
    snprintf(file, sizeof file, "%s.glb", name);
    bool ok = sw_gltf_write(made->model, &clip, path_of(file), options, &report, &error);
    if (!ok)
        print_error("%s\n", error.message);
    assert_true(ok);
    sw_clip_free(&clip);
    snprintf(file, sizeof file, "%s.json", name);
    write_expected(made, file, nkey, step, 1e-5 + report.largest_error, between);
    return report;
}

// ---- tests ----

static void test_rigid(void **state) {
    (void)state;
    Spec spec = {"ring", SW_NODE_RIGID, 3, 3, .motion = rigid_motion, .handle = true};
    Made made = make_one(&spec);
    swGltfReport report = write_film(&made, "rigid", 41, 0.05, 1e-3, NULL);
    assert_int_equal(report.skinned, 1);
    assert_int_equal(report.morphed, 0);
    assert_int_equal(report.max_influences_found, 3);
    assert_true(report.largest_error == 0);

    Glb glb = read_glb("rigid.glb");
    const swJson *asset = sw_json_member(glb.json, "asset");
    assert_string_equal(sw_json_member(asset, "version")->text, "2.0");
    assert_memory_equal(sw_json_member(asset, "generator")->text, "sinew ", 6);
    // The mesh, the parent of the joints, the joints.
    assert_int_equal(count(glb.json, "nodes"), 5);
    assert_int_equal(count(get(glb.json, "scenes", 0), "nodes"), 2);
    assert_int_equal(count(get(glb.json, "skins", 0), "joints"), 3);
    const swJson *node = get(glb.json, "nodes", find_node(&glb, "ring"));
    assert_int_equal(integer(node, "skin"), 0);
    assert_null(sw_json_member(node, "translation"));
    assert_true(find_node(&glb, "ring/grip") >= 0);
    assert_true(find_node(&glb, "ring/frame2") >= 0);
    // The held frame has a pose but no channel; the others have two.
    assert_int_equal(count(get(glb.json, "animations", 0), "channels"), 4);
    int items;
    assert_null(channel(&glb, find_node(&glb, "ring/grip"), "rotation", &items));
    node = get(glb.json, "nodes", find_node(&glb, "ring/grip"));
    assert_near(fabs(sw_json_at(sw_json_member(node, "rotation"), 1)->number), 1, 1e-7);
    // Bounds of the rest positions.
    const swJson *position = get(glb.json, "accessors", integer(attributes(&glb, 0), "POSITION"));
    assert_near(sw_json_at(sw_json_member(position, "max"), 0)->number, center.x + 1.3, 1e-6);
    assert_near(sw_json_at(sw_json_member(position, "min"), 1)->number, center.y - 0.3, 1e-6);
    assert_null(sw_json_member(attributes(&glb, 0), "JOINTS_1"));
    sw_arena_free(&glb.arena);
    sw_model_destroy(made.model);
}

// Normals in the file point away from the torus's circle.
static void test_normals(void **state) {
    (void)state;
    Spec spec = {"ring", SW_NODE_RIGID, 1, 1, .motion = rigid_motion};
    Made made = make_one(&spec);
    write_film(&made, "still", 3, 0.1, 0, NULL);
    Glb glb = read_glb("still.glb");
    int n;
    const float *x = accessor(&glb, integer(attributes(&glb, 0), "POSITION"), &n);
    const float *normal = accessor(&glb, integer(attributes(&glb, 0), "NORMAL"), &n);
    assert_int_equal(n, NVERTEX);
    for (int i = 0; i < n; i++, x += 3, normal += 3) {
        swVec3 p = sw_sub(sw_v3(x[0], x[1], x[2]), center);
        swVec3 out = sw_sub(p, sw_unit(sw_v3(p.x, 0, p.z)));
        assert_true(sw_dot(sw_unit(out), sw_v3(normal[0], normal[1], normal[2])) > 0.8);
    }
    assert_null(sw_json_member(glb.json, "animations")); // nothing moves
    sw_arena_free(&glb.arena);
    sw_model_destroy(made.model);
}

static void test_affine(void **state) {
    (void)state;
    Spec spec = {"ring", SW_NODE_AFFINE, 4, 4, .motion = affine_motion};
    Made made = make_one(&spec);
    swGltfReport report = write_film(&made, "affine", 41, 0.05, 1e-3, NULL);
    assert_int_equal(report.skinned, 1);
    Glb glb = read_glb("affine.glb");
    assert_int_equal(count(glb.json, "nodes"), 2 + 3 * 4);
    // Rotations and axes of stretch go on smoothly: 22.5 degrees a key for the rotations.
    for (int i = 0; i < 4; i++) {
        const char *part[] = {"", "/stretch", "/joint"};
        for (int k = 0; k < 3; k++) {
            char name[64];
            snprintf(name, sizeof name, "ring/frame%d%s", i, part[k]);
            int n;
            const float *q = channel(&glb, find_node(&glb, name), "rotation", &n);
            assert_non_null(q);
            assert_int_equal(n, 41);
            for (int t = 0; t + 1 < n; t++, q += 4) {
                double dot = q[0] * q[4] + q[1] * q[5] + q[2] * q[6] + q[3] * q[7];
                assert_true(dot > cos(0.5 * 23 * SW_PI / 180));
            }
        }
    }
    sw_arena_free(&glb.arena);
    sw_model_destroy(made.model);
}

// Trembling hardly shows between keys either.
static void test_trembling(void **state) {
    (void)state;
    Spec spec = {"ring", SW_NODE_AFFINE, 2, 2, .motion = trembling_motion};
    Made made = make_one(&spec);
    write_film(&made, "trembling", 41, 0.05, 2e-3, NULL);
    sw_model_destroy(made.model);
}

// Axes stay where they are when stretches are equal, noise or not.
static void turning_motion(int frame, swReal t, swVec3 origin, int d, swReal *A) {
    set_affine(A, d, origin, turn(frame, t));
    A[1] *= 1 + 1e-13 * sin(1000 * t);
}

static void test_equal_stretches(void **state) {
    (void)state;
    Spec spec = {"ring", SW_NODE_AFFINE, 2, 2, .motion = turning_motion};
    Made made = make_one(&spec);
    write_film(&made, "turning", 21, 0.05, 1e-5, NULL);
    Glb glb = read_glb("turning.glb");
    int n;
    assert_non_null(channel(&glb, find_node(&glb, "ring/frame1"), "rotation", &n));
    assert_null(channel(&glb, find_node(&glb, "ring/frame1/stretch"), "rotation", &n));
    assert_null(channel(&glb, find_node(&glb, "ring/frame1/joint"), "rotation", &n));
    sw_arena_free(&glb.arena);
    sw_model_destroy(made.model);
}

static void test_singular(void **state) {
    (void)state;
    Spec spec = {"ring", SW_NODE_AFFINE, 3, 3, .motion = singular_motion};
    Made made = make_one(&spec);
    assert_int_equal(write_film(&made, "singular", 17, 0.1, 0, NULL).skinned, 1);
    sw_model_destroy(made.model);
}

static void test_points(void **state) {
    (void)state;
    Spec enclosed = {"ring", SW_NODE_POINT, 4, 4, .motion = point_motion, .enclosed = true};
    Made made = make_one(&enclosed);
    swGltfReport report = write_film(&made, "points", 11, 0.05, 0.1, NULL);
    assert_int_equal(report.skinned, 1);
    Glb glb = read_glb("points.glb");
    assert_null(sw_json_member(attributes(&glb, 0), "NORMAL"));
    sw_arena_free(&glb.arena);
    sw_model_destroy(made.model);

    // Weights that do not bring the rest shape back: no skin says that.
    Spec near = {"ring", SW_NODE_POINT, 4, 3, .motion = point_motion};
    made = make_one(&near);
    report = write_film(&made, "points_morphed", 11, 0.05, 0.1, NULL);
    assert_int_equal(report.skinned, 0);
    assert_int_equal(report.morphed, 1);
    sw_model_destroy(made.model);
}

// The same motion with a limit on the frames of a vertex.
static void test_influences(void **state) {
    (void)state;
    Spec spec = {"ring", SW_NODE_AFFINE, 12, 9, .motion = affine_motion};
    Made made = make_one(&spec);
    swGltfReport report = write_film(&made, "nine", 11, 0.05, 0, NULL);
    assert_int_equal(report.max_influences_found, 9);
    assert_true(report.largest_error == 0);
    Glb glb = read_glb("nine.glb");
    const swJson *a = attributes(&glb, 0);
    assert_non_null(sw_json_member(a, "WEIGHTS_2"));
    assert_null(sw_json_member(a, "WEIGHTS_3"));
    int n;
    const float *first = accessor(&glb, integer(a, "WEIGHTS_0"), &n);
    const float *last = accessor(&glb, integer(a, "WEIGHTS_2"), &n);
    for (int i = 0; i < n; i++) {
        assert_true(first[4 * i] >= first[4 * i + 1] && first[4 * i + 3] >= last[4 * i]);
        assert_true(last[4 * i] > 0 && last[4 * i + 1] == 0);
    }
    sw_arena_free(&glb.arena);

    swReal before = 1;
    for (int most = 1; most <= 9; most += 4) {
        swGltfOptions options = {.max_influences = most};
        report = write_film(&made, "limited", 11, 0.05, 0, &options);
        assert_true(report.largest_error < before);
        before = report.largest_error;
        glb = read_glb("limited.glb");
        assert_int_equal(sw_json_member(attributes(&glb, 0), "WEIGHTS_1") != NULL, most > 4);
        sw_arena_free(&glb.arena);
    }
    assert_true(before == 0);
    swGltfOptions options = {.max_influences = 4};
    report = write_film(&made, "limited", 11, 0.05, 0, &options);
    assert_int_equal(report.max_influences_found, 9);
    assert_true(report.largest_error > 1e-3 && report.largest_error < 1);
    sw_model_destroy(made.model);
}

static void test_many_frames(void **state) {
    (void)state;
    Spec spec = {"ring", SW_NODE_RIGID, 300, 5, .motion = rigid_motion};
    Made made = make_one(&spec);
    assert_int_equal(write_film(&made, "many", 3, 0.01, 0, NULL).skinned, 1);
    Glb glb = read_glb("many.glb");
    const swJson *joints = get(glb.json, "accessors", integer(attributes(&glb, 0), "JOINTS_0"));
    assert_int_equal(integer(joints, "componentType"), 5123);
    sw_arena_free(&glb.arena);
    sw_model_destroy(made.model);
}

static void test_quadratic(void **state) {
    (void)state;
    Spec spec = {"ring", SW_NODE_QUADRATIC, 2, 2, .motion = quadratic_motion};
    Made made = make_one(&spec);
    swGltfReport report = write_film(&made, "quadratic", 21, 0.05, 0.05, NULL);
    assert_int_equal(report.skinned, 0);
    assert_int_equal(report.morphed, 1);
    Glb glb = read_glb("quadratic.glb");
    const swJson *mesh = get(glb.json, "meshes", 0);
    assert_int_equal(count(get(mesh, "primitives", 0), "targets"), 21);
    assert_int_equal(count(mesh, "weights"), 21);
    assert_null(sw_json_member(glb.json, "skins"));
    int n;
    assert_non_null(channel(&glb, find_node(&glb, "ring"), "weights", &n));
    assert_int_equal(n, 21 * 21);
    sw_arena_free(&glb.arena);
    sw_model_destroy(made.model);

    // Affine frames whose weights sum up to more than one.
    Spec excess = {"ring", SW_NODE_AFFINE, 2, 2, .motion = affine_motion, .excess = 0.1};
    made = make_one(&excess);
    assert_int_equal(write_film(&made, "excess", 5, 0.05, 0, NULL).morphed, 1);
    sw_model_destroy(made.model);
}

static void test_scene(void **state) {
    (void)state;
    swConfig config = sw_default_config();
    Spec spec[2] = {{"ring", SW_NODE_AFFINE, 3, 3, .motion = affine_motion},
                    {"soft \"ring\"", SW_NODE_QUADRATIC, 2, 2, .motion = quadratic_motion}};
    enum { COLLIDERS = 8 };
    Made made = make(&config, 2, spec, COLLIDERS);
    swColliderInfo collider[] = {
        {.kind = SW_SHAPE_HALFSPACE, .a = {0, 1, 0}, .r = -1},
        {.kind = SW_SHAPE_SPHERE, .a = {1, 2, 3}, .r = 0.5},
        {.kind = SW_SHAPE_BOX, .a = {0, 1, 0}, .b = {1, 2, 3}},
        {.kind = SW_SHAPE_CAPSULE, .a = {0, 1, 0}, .b = {1, 2, 3}, .r = 0.2},
        {.kind = SW_SHAPE_CAPSULE, .a = {0, 1, 0}, .b = {0, 1, 0}, .r = 0.2},
        {.kind = SW_SHAPE_CYLINDER, .a = {0, 1, 0}, .b = {1, 2, 3}, .r = 0.2, .top = 0.2},
        {.kind = SW_SHAPE_CONE, .a = {0, 1, 0}, .b = {1, 2, 3}, .r = 0.6, .top = 0.3},
        {.kind = SW_SHAPE_CONE, .a = {0, 1, 0}, .b = {1, 2, 3}, .r = 0.6}};
    for (int c = 0; c < COLLIDERS; c++) {
        collider[c].place.A = sw_mat_identity();
        made.model->collider[c] = collider[c];
    }
    swGltfReport report = write_film(&made, "scene", 11, 0.05, 0, NULL);
    assert_int_equal(report.skinned, 1);
    assert_int_equal(report.morphed, 1);
    Glb glb = read_glb("scene.glb");
    assert_int_equal(count(glb.json, "meshes"), 2 + COLLIDERS);
    assert_int_equal(count(glb.json, "materials"), 3);
    for (int c = 0; c < COLLIDERS; c++) {
        int n, nindex;
        const float *x = accessor(&glb, integer(attributes(&glb, 2 + c), "POSITION"), &n);
        const float *normal = accessor(&glb, integer(attributes(&glb, 2 + c), "NORMAL"), &n);
        const swJson *primitive = get(get(glb.json, "meshes", 2 + c), "primitives", 0);
        const uint32_t *index = accessor(&glb, integer(primitive, "indices"), &nindex);
        double volume = 0;
        for (int i = 0; i < nindex; i += 3) {
            swVec3 p[3], side = {0, 0, 0};
            for (int k = 0; k < 3; k++) {
                const float *v = x + 3 * index[i + k], *w = normal + 3 * index[i + k];
                p[k] = sw_v3(v[0], v[1], v[2]);
                side = sw_add(side, sw_v3(w[0], w[1], w[2]));
            }
            swVec3 area = sw_cross(sw_sub(p[1], p[0]), sw_sub(p[2], p[0]));
            assert_true(sw_dot(area, side) > 0); // winding and normals agree
            volume += sw_dot(p[0], sw_cross(p[1], p[2])) / 6;
            if (c == 0)
                assert_near(p[0].y, -1, 1e-6);
        }
        const double expected[] = {0,
                                   SW_PI / 6,
                                   48,
                                   0.04 * SW_PI * (sqrt(11) + 0.8 / 3),
                                   0.032 * SW_PI / 3,
                                   0.04 * SW_PI * sqrt(11),
                                   0.21 * SW_PI * sqrt(11),
                                   0.12 * SW_PI * sqrt(11)};
        if (c > 0)
            assert_near(volume, expected[c], 0.03 * expected[c]);
    }
    sw_arena_free(&glb.arena);
    sw_model_destroy(made.model);
}

// A collider with a place and keys is a node that moves; in the file's coordinates it is where it
// was met.
static void test_moving_collider(void **state) {
    (void)state;
    swConfig config = sw_default_config();
    Spec spec = {"ring", SW_NODE_AFFINE, 3, 3, .motion = affine_motion};
    Made made = make(&config, 1, &spec, 2);
    swModel *m = made.model;
    const swAffine place = {sw_mat_rotation(sw_v3(0.3, 0, 0.4)), {1, 2, 3}};
    m->key[0] = (swPoseKey){.t = 0};
    m->key[1] =
        (swPoseKey){.t = 0.5, .rotation = {0, 2, 0}, .about = {1, 0, 0}, .translate = {0, 3, 0}};
    for (int c = 0; c < 2; c++)
        m->collider[c] = (swColliderInfo){.kind = c ? SW_SHAPE_HALFSPACE : SW_SHAPE_BOX,
                                          .a = {0, c, 0},
                                          .b = {1, 1, 1},
                                          .motion = SW_COLLIDER_KEYS,
                                          .nkey = 2,
                                          .place = place};
    write_film(&made, "moving", 11, 0.05, 0, NULL);
    Glb glb = read_glb("moving.glb");
    for (int c = 0; c < 2; c++) {
        int n;
        const char *name = c ? "collider1/plane" : "collider0/box";
        const int node = find_node(&glb, name);
        const float *T = channel(&glb, node, "translation", &n);
        assert_int_equal(n, 11);
        const float *R = channel(&glb, node, "rotation", &n);
        assert_int_equal(n, 11);
        for (int k = 0; k < 11; k++) {
            const swAffine pose = sw_collider_pose(m, &m->collider[c], 0.05 * k);
            const float *q = R + 4 * k;
            const swReal w2 = 1 - 2 * (q[1] * q[1] + q[2] * q[2]); // the first of its matrix
            assert_near(w2, pose.A.m[0], 1e-6);
            assert_near(2 * (q[0] * q[1] + q[2] * q[3]), pose.A.m[3], 1e-6);
            assert_near(2 * (q[0] * q[2] - q[1] * q[3]), pose.A.m[6], 1e-6);
            for (int i = 0; i < 3; i++)
                assert_near(T[3 * k + i], sw_get(pose.b, i), 1e-6);
        }
    }
    sw_arena_free(&glb.arena);
    sw_model_destroy(m);
}

static void test_clip(void **state) {
    (void)state;
    Spec spec = {"ring", SW_NODE_RIGID, 2, 2, .motion = rigid_motion};
    Made made = make_one(&spec);
    swClip clip;
    swError error;
    swReal q[24];
    move(&made, 0, 0, q);
    sw_clip_init(&clip, made.model);
    assert_false(sw_gltf_write(made.model, &clip, path_of("none.glb"), NULL, NULL, &error));
    assert_int_equal(error.code, SW_ERROR_VALUE);
    assert_false(sw_sequence_write(made.model, &clip, path_of("none.obj"), &error));

    swBodyState body = {.model = only_body(made.model), .base = only_body(made.model), .q = q};
    swState now = {.model = made.model, .t = 5, .body = (swBodyState *[]){&body}};
    assert_true(sw_clip_add(&clip, &now, &error));
    assert_false(sw_clip_add(&clip, &now, &error)); // not later
    assert_int_equal(error.code, SW_ERROR_VALUE);
    now.t = 6;
    q[3] = NAN;
    assert_false(sw_clip_add(&clip, &now, &error));
    assert_int_equal(error.code, SW_ERROR_NOT_FINITE);
    q[3] = 0.25;
    assert_true(sw_clip_add(&clip, &now, &error));
    assert_int_equal(sw_clip_count(&clip), 2);
    const swClipKey *key = clip.body[0].keys.item;
    assert_true(key[1].q[3] == 0.25 && key[0].q[3] != 0.25);
    sw_clip_free(&clip);
    sw_model_destroy(made.model);
}

// Times begin at zero and increase in single precision too.
static void test_times(void **state) {
    (void)state;
    Spec spec = {"ring", SW_NODE_RIGID, 2, 2, .motion = rigid_motion};
    Made made = make_one(&spec);
    const swReal t[4] = {-3, 1, 1 + 1e-9, 1 + 2e-9};
    swClip clip;
    sw_clip_init(&clip, made.model);
    for (int k = 0; k < 4; k++)
        assert_true(record_at(&made, &clip, t[k], NULL));
    assert_true(sw_gltf_write(made.model, &clip, path_of("times.glb"), NULL, NULL, NULL));
    Glb glb = read_glb("times.glb");
    int n;
    const swJson *sampler = get(get(glb.json, "animations", 0), "samplers", 0);
    const float *time = accessor(&glb, integer(sampler, "input"), &n);
    assert_int_equal(n, 4);
    assert_true(time[0] == 0 && time[1] == 4 && time[2] > 4 && time[3] > time[2] &&
                time[3] < 4.001);
    sw_arena_free(&glb.arena);
    sw_clip_free(&clip);
    sw_model_destroy(made.model);
}

static void huge_motion(int frame, swReal t, swVec3 origin, int d, swReal *A) {
    rigid_motion(frame, t, origin, d, A);
    A[0] = 1e40 * t;
}

static void test_refusals(void **state) {
    (void)state;
    Spec spec = {"ring", SW_NODE_RIGID, 2, 2, .motion = huge_motion};
    Made made = make_one(&spec);
    swClip clip;
    swError error;
    record(&made, &clip, 3, 0.1);
    remove(path_of("huge.glb"));
    assert_false(sw_gltf_write(made.model, &clip, path_of("huge.glb"), NULL, NULL, &error));
    assert_int_equal(error.code, SW_ERROR_NOT_FINITE);
    assert_int_equal(access(path_of("huge.glb"), F_OK), -1); // nothing is left behind
    sw_clip_free(&clip);
    sw_model_destroy(made.model);

    spec.motion = rigid_motion;
    made = make_one(&spec);
    record(&made, &clip, 3, 0.1);
    assert_false(sw_gltf_write(made.model, &clip, path_of("no/such.glb"), NULL, NULL, &error));
    assert_int_equal(error.code, SW_ERROR_FILE);
    assert_false(sw_sequence_write(made.model, &clip, path_of("film.xyz"), &error));
    assert_int_equal(error.code, SW_ERROR_UNSUPPORTED);
    made.model->compiled[0]->body[0].ntriangle = 0;
    assert_false(sw_gltf_write(made.model, &clip, path_of("empty.glb"), NULL, NULL, &error));
    assert_int_equal(error.code, SW_ERROR_GEOMETRY);
    assert_false(sw_sequence_write(made.model, &clip, path_of("empty.obj"), &error));
    assert_int_equal(error.code, SW_ERROR_GEOMETRY);
    sw_clip_free(&clip);
    sw_model_destroy(made.model);
}

// Too many keys for one file are refused before any work.
static void test_too_long(void **state) {
    (void)state;
    Spec spec = {"ring", SW_NODE_QUADRATIC, 1, 1, .motion = quadratic_motion};
    Made made = make_one(&spec);
    swClip clip;
    swError error;
    record(&made, &clip, 1, 1);
    int nkey = (int)((3LL << 30) / 24 / NVERTEX) + 1;
    swClipKey *keys = malloc((size_t)nkey * sizeof *keys);
    for (int k = 0; k < nkey; k++)
        keys[k] = (swClipKey){.t = k, .q = clip.body[0].keys.item[0].q};
    swBodyClip body = {.model = only_body(made.model), .keys = {keys, nkey, nkey}};
    swClip copy = {.model = made.model, .body = &body};
    assert_false(sw_gltf_write(made.model, &copy, path_of("long.glb"), NULL, NULL, &error));
    assert_int_equal(error.code, SW_ERROR_LIMIT);
    free(keys);
    sw_clip_free(&clip);
    sw_model_destroy(made.model);
}

// Fails at the k-th allocation, for every k.
typedef struct Scarce {
    int left;
    size_t held;
} Scarce;

static void *scarce_resize(void *context, void *old, size_t old_size, size_t new_size) {
    Scarce *s = context;
    if (new_size > 0 && s->left-- <= 0)
        return NULL;
    s->held += new_size - old_size;
    if (new_size > 0)
        return realloc(old, new_size);
    free(old);
    return NULL;
}

static void test_memory(void **state) {
    (void)state;
    Scarce scarce = {.left = 1000};
    swConfig config = sw_default_config();
    config.allocator = (swAllocator){scarce_resize, &scarce};
    Spec spec[2] = {{"ring", SW_NODE_AFFINE, 3, 3, .motion = affine_motion},
                    {"soft", SW_NODE_QUADRATIC, 2, 2, .motion = quadratic_motion}};
    Made made = make(&config, 2, spec, 1);
    made.model->collider[0] =
        (swColliderInfo){.kind = SW_SHAPE_SPHERE, .r = 1, .place.A = sw_mat_identity()};
    size_t before = scarce.held;
    for (int k = 0, done = 0; !done; k++) {
        swClip clip;
        swError error = {0};
        scarce.left = k;
        sw_clip_init(&clip, made.model);
        bool ok = true;
        for (int i = 0; ok && i < 150; i++)
            ok = record_at(&made, &clip, 0.01 * i, &error);
        ok = ok && sw_gltf_write(made.model, &clip, path_of("scarce.glb"), NULL, NULL, &error);
        sw_clip_cut(&clip, 1);
        ok = ok && sw_sequence_write(made.model, &clip, path_of("scarce.obj"), &error);
        if (ok)
            assert_true(k > 10);
        else
            assert_int_equal(error.code, SW_ERROR_MEMORY);
        sw_clip_free(&clip);
        assert_int_equal(scarce.held, before);
        done = ok;
    }
    sw_model_destroy(made.model);
    assert_int_equal(scarce.held, 0);
}

static void check_sequence(const Made *made, const char *file, const char *last, swReal tolerance) {
    swClip clip;
    swError error;
    record(made, &clip, 3, 0.1);
    assert_true(sw_sequence_write(made->model, &clip, path_of(file), &error));
    swSurface s;
    assert_true(sw_mesh_read(path_of(last), &clip.arena, &s, &error));
    assert_int_equal(s.nvertex, 2 * NVERTEX);
    assert_int_equal(s.ntriangle, 2 * NTRIANGLE);
    swVec3 x[2 * NVERTEX];
    for (int b = 0; b < 2; b++)
        sw_body_clip_points(&clip.body[b], 2, 0, NVERTEX, x + b * NVERTEX);
    for (int i = 0; i < 2 * NVERTEX; i++)
        assert_near(sw_norm(sw_sub(x[i], s.X[i])), 0, tolerance);
    for (int b = 0; b < 2; b++)
        for (int i = 0; i < 3 * NTRIANGLE; i++)
            assert_int_equal(s.triangle[3 * NTRIANGLE * b + i],
                             NVERTEX * b + sw_model_body(made->model, b)->triangle[i]);
    sw_clip_free(&clip);
}

static void test_sequence(void **state) {
    (void)state;
    swConfig config = sw_default_config();
    Spec spec[2] = {{"ring", SW_NODE_AFFINE, 3, 3, .motion = affine_motion},
                    {"soft", SW_NODE_QUADRATIC, 2, 2, .motion = quadratic_motion}};
    Made made = make(&config, 2, spec, 0);
    check_sequence(&made, "film.obj", "film_0002.obj", 1e-6);
    check_sequence(&made, "my.film.PLY", "my.film_0002.PLY", 1e-6);
    sw_model_destroy(made.model);
}

// A body whose materials have surfaces: a mesh for each, one skin; or morph targets for each.
static swModel *layered_model(swNodeKind kind) {
    swScene *scene = sw_scene_create(NULL);
    sw_scene_add_material(scene, "rubber");
    sw_scene_add_material(scene, "steel");
    swBody *b = sw_scene_add_body(scene, "bar");
    for (int i = 0; i < 2; i++) {
        swShape *box = sw_body_add_shape(scene, b, SW_SHAPE_BOX);
        box->size = i ? sw_v3(0.6, 0.3, 0.4) : sw_v3(2, 0.5, 0.4);
        box->material = i ? "steel" : "rubber";
    }
    b->resolution = 20;
    b->surfaces = SW_SURFACES_MATERIALS;
    b->integration.correct = SW_CORRECT_NO; // modes are no skin
    b->frames.kind = kind;
    b->frames.count = 3;
    swModel *m = sw_compile(scene, NULL);
    assert_non_null(m);
    sw_scene_destroy(scene);
    return m;
}

// Frames move as those of rings do.
static void record_parts(const swModel *world, swClip *clip, int nkey, swReal step) {
    const swBodyModel *m = only_body(world);
    swReal *q = malloc((size_t)m->size.nq * sizeof *q);
    sw_clip_init(clip, world);
    assert_true(sw_clip_open(clip, NULL));
    for (int k = 0; k < nkey; k++) {
        for (int i = 0; i < m->size.nnode; i++)
            (m->node[i].width > 4 ? quadratic_motion : affine_motion)(
                i, k * step, m->node[i].origin, m->node[i].width, q + m->node[i].q);
        assert_true(sw_body_clip_add(&clip->body[0], k * step, q, NULL, NULL, NULL));
    }
    free(q);
}

static void expect_parts(const swClip *clip, const char *name) {
    const swBodyModel *m = only_body(clip->model);
    swFile file;
    if (!keeps_files())
        return;
    assert_true(sw_file_open(&file, path_of(name), NULL));
    swJsonWriter w = {.file = &file};
    sw_json_begin(&w, NULL, '{');
    sw_json_begin(&w, "checks", '[');
    sw_json_begin(&w, NULL, '{');
    sw_json_put_text(&w, "what", "parts at keys");
    sw_json_put_number(&w, "limit", 1e-5);
    sw_json_put_number(&w, "size", sw_norm(sw_sub(m->body[0].hi, m->body[0].lo)));
    sw_json_begin(&w, "t", '[');
    for (int k = 0; k < sw_clip_count(clip); k++)
        sw_json_put_number(&w, NULL, sw_clip_time(clip, k));
    sw_json_end(&w);
    sw_json_begin(&w, "bodies", '{');
    for (int i = 0; i < sw_part_count(clip->model); i++) {
        const swPartInfo *part = &m->part[i];
        swVec3 *x = malloc((size_t)part->npoint * sizeof *x);
        sw_json_begin(&w, i ? "bar/steel" : "bar/rubber", '[');
        for (int k = 0; k < sw_clip_count(clip); k++) {
            sw_body_clip_points(&clip->body[0], k, part->point, part->npoint, x);
            sw_json_put_numbers(&w, NULL, 3 * part->npoint, &x[0].x);
        }
        sw_json_end(&w);
        free(x);
    }
    for (int i = 0; i < 4; i++)
        sw_json_end(&w);
    assert_true(sw_file_close(&file, NULL));
}

static void test_parts(void **state) {
    (void)state;
    const swNodeKind kind[] = {SW_NODE_AFFINE, SW_NODE_QUADRATIC};
    for (int i = 0; i < 2; i++) {
        swModel *m = layered_model(kind[i]);
        swClip clip;
        swGltfReport report;
        const swPartInfo *part = only_body(m)->part;
        record_parts(m, &clip, 5, 0.1);
        const char *name = i ? "parts_morphed.glb" : "parts.glb";
        assert_true(sw_gltf_write(m, &clip, path_of(name), NULL, &report, NULL));
        expect_parts(&clip, i ? "parts_morphed.json" : "parts.json");
        assert_int_equal(report.skinned, i == 0);
        assert_int_equal(report.morphed, i == 1);
        Glb glb = read_glb(name);
        assert_int_equal(count(glb.json, "meshes"), 2);
        assert_int_equal(count(glb.json, "skins"), i == 0);
        assert_string_equal(sw_json_member(get(glb.json, "materials", 0), "name")->text, "rubber");
        assert_string_equal(sw_json_member(get(glb.json, "materials", 1), "name")->text, "steel");
        for (int p = 0; p < 2; p++) {
            const swJson *node =
                get(glb.json, "nodes", find_node(&glb, p ? "bar/steel" : "bar/rubber"));
            int mesh = integer(node, "mesh"), n;
            assert_int_equal(integer(node, "skin"), i ? -1 : 0);
            assert_int_equal(
                integer(get(get(glb.json, "meshes", mesh), "primitives", 0), "material"), p);
            accessor(&glb, integer(attributes(&glb, mesh), "POSITION"), &n);
            assert_int_equal(n, part[p].npoint);
        }
        sw_arena_free(&glb.arena);
        // A mesh per key with a group for each.
        swError error = {0};
        swSurface s;
        assert_true(sw_sequence_write(m, &clip, path_of("parts.obj"), &error));
        assert_true(sw_mesh_read(path_of("parts_0004.obj"), &clip.arena, &s, &error));
        assert_int_equal(s.nvertex, part[0].npoint + part[1].npoint);
        assert_int_equal(s.ntriangle, part[0].ntriangle + part[1].ntriangle);
        char *text;
        size_t size;
        assert_true(sw_file_read(path_of("parts_0004.obj"), &clip.arena, &text, &size, &error));
        assert_non_null(strstr(text, "\ng bar/rubber\nf "));
        assert_non_null(strstr(text, "\ng bar/steel\nf "));
        sw_clip_free(&clip);
        sw_model_destroy(m);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_rigid),
    cmocka_unit_test(test_normals),
    cmocka_unit_test(test_affine),
    cmocka_unit_test(test_trembling),
    cmocka_unit_test(test_equal_stretches),
    cmocka_unit_test(test_singular),
    cmocka_unit_test(test_points),
    cmocka_unit_test(test_influences),
    cmocka_unit_test(test_many_frames),
    cmocka_unit_test(test_quadratic),
    cmocka_unit_test(test_scene),
    cmocka_unit_test(test_moving_collider),
    cmocka_unit_test(test_clip),
    cmocka_unit_test(test_times),
    cmocka_unit_test(test_refusals),
    cmocka_unit_test(test_too_long),
    cmocka_unit_test(test_memory),
    cmocka_unit_test(test_sequence),
    cmocka_unit_test(test_parts),
};

SW_SUITE(gltf, tests)
