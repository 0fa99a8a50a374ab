// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Skeletons: reading them, where their bones are, and what becomes of them in a scene.
#include "test_rig.h"

#include "potentials/pull.h"
#include "formats/mesh.h"
#include "kinematics/handles.h"
#include "model/body.h"
#include "world/body.h"

typedef struct Fixture {
    swConfig config;
    swArena arena;
    swRig rig;
    swError error;
    char path[512], folder[512];
    const char *file; // the path without its folder
} Fixture;

static int setup(void **state) {
    static Fixture f;
    f = (Fixture){.config = sw_default_config()};
    sw_arena_init(&f.arena, &f.config.allocator);
    *state = &f;
    return 0;
}

static int teardown(void **state) {
    Fixture *f = *state;
    sw_arena_free(&f->arena);
    if (f->path[0])
        remove(f->path);
    return 0;
}

static const char *place_file(Fixture *f, const char *suffix) {
    if (f->path[0])
        remove(f->path);
    snprintf(f->path, sizeof f->path, "%s%s", temporary_path("rig"), suffix);
    snprintf(f->folder, sizeof f->folder, "%.*s", (int)(strrchr(f->path, '/') - f->path), f->path);
    f->file = strrchr(f->path, '/') + 1;
    return f->path;
}

static void read_bar(Fixture *f) {
    write_bar(place_file(f, ".glb"), NULL, NULL);
    require(sw_rig_read(f->path, &f->arena, &f->rig, &f->error), &f->error);
}

static bool read_text(Fixture *f, const char *suffix, const char *text) {
    FILE *file = fopen(place_file(f, suffix), "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    f->error = (swError){0};
    return sw_rig_read(f->path, &f->arena, &f->rig, &f->error);
}

static void assert_affine(swAffine f, swMat3 A, swVec3 b, swReal tolerance) {
    assert_near(mat_distance(f.A, A), 0, tolerance);
    assert_near(sw_norm(sw_sub(f.b, b)), 0, tolerance);
}

static swMat3 turned(swReal degrees, swReal scale) { // about z
    swMat3 R = sw_mat_rotation(sw_v3(0, 0, degrees * SW_PI / 180));
    for (int k = 0; k < 9; k++)
        R.m[k] *= scale;
    return R;
}

// ---- mathematics ----

static void test_turn(void **state) {
    (void)state;
    Random r = {7};
    for (int i = 0; i < 2000; i++) {
        const swVec3 axis = sw_unit(random_vec(&r, 1));
        const swReal angle = i < 1000   ? random_in(&r, 0, SW_PI)
                             : i < 1500 ? SW_PI - pow(10, random_in(&r, -16, -1))
                                        : pow(10, random_in(&r, -12, -1));
        const swVec3 w = sw_mat_turn(sw_mat_rotation(sw_scale(angle, axis)));
        assert_near(mat_distance(sw_mat_rotation(w), sw_mat_rotation(sw_scale(angle, axis))), 0,
                    1e-14);
        assert_near(sw_norm(w), angle, 1e-7 * (angle > 3) + 1e-13);
        const swMat3 A = random_mat(&r, 1);
        if (fabs(sw_mat_det(A)) > 1e-3)
            assert_near(mat_distance(sw_mat_mul(A, sw_mat_inverse(A)), sw_mat_identity()), 0,
                        1e-11);
    }
    assert_near(sw_norm(sw_mat_turn(sw_mat_identity())), 0, 0);
}

static void test_patterns(void **state) {
    (void)state;
    assert_true(sw_text_matches("b_Tail01", "*tail*"));
    assert_true(sw_text_matches("Ear1.L", "ear?.l"));
    assert_true(sw_text_matches("aXbXXc", "a*x?c"));
    assert_true(sw_text_matches("", "*"));
    assert_false(sw_text_matches("", "?"));
    assert_false(sw_text_matches("tai", "*tail*"));
    assert_false(sw_text_matches("tails", "tail"));
    assert_true(sw_text_matches("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "*a*a*a*a*a*a*b"));
}

// ---- glTF ----

static void test_bar(void **state) {
    Fixture *f = *state;
    read_bar(f);
    const swRig *r = &f->rig;
    assert_int_equal(r->nnode, 4);
    assert_int_equal(r->njoint, 2);
    assert_int_equal(r->nbind, 2);
    assert_int_equal(r->nclip, 4);
    assert_int_equal(r->npart, 1);
    assert_int_equal(r->part[0].nstored, 20);
    assert_int_equal(r->surface.nvertex, 20);
    // As the mesh reader has them, each with its weights.
    swSurface mesh;
    require(sw_mesh_read(f->path, &f->arena, &mesh, &f->error), &f->error);
    assert_int_equal(mesh.nvertex, r->surface.nvertex);
    for (int i = 0; i < mesh.nvertex; i++) {
        assert_near(sw_norm(sw_sub(mesh.X[i], r->surface.X[i])), 0, 0);
        swReal sum = 0, arm = 0;
        for (int k = r->start[i]; k < r->start[i + 1]; k++) {
            sum += r->influence[k].weight;
            if (strcmp(r->node[r->bind[r->influence[k].bind].node].name, "Arm") == 0)
                arm = r->influence[k].weight;
        }
        const swReal x = mesh.X[i].x;
        assert_near(sum, 1, 1e-12);
        assert_near(arm, x < 1.5 ? 0 : x < 2.5 ? 0.5 : 1, 1e-6);
    }
    for (int i = 0; i < 20; i++) // stored at the place where it is
        assert_near(mesh.X[r->part[0].vertex[i]].x, i / 4, 1e-6);
    assert_int_equal(sw_rig_find_clip(r, "Rig|Bend"), 0);
    assert_int_equal(sw_rig_find_clip(r, "bend"), 0);
    assert_int_equal(sw_rig_find_clip(r, "1"), 1);
    const char *name = f->rig.clip[1].name;
    f->rig.clip[1].name = "Rig|Fox_Bend"; // a shorter one goes before
    assert_int_equal(sw_rig_find_clip(r, "bend"), 0);
    f->rig.clip[0].name = "Rig|Fox_Walk";
    assert_int_equal(sw_rig_find_clip(r, "bend"), 1);
    f->rig.clip[0].name = "Idle_1"; // numbers are numbers
    assert_int_equal(sw_rig_find_clip(r, "1"), 1);
    f->rig.clip[0].name = "Rig|Bend";
    f->rig.clip[1].name = name;
    assert_int_equal(sw_rig_find_clip(r, "4"), -1);
    assert_int_equal(sw_rig_find_clip(r, "Jump"), -1);
    assert_near(r->clip[0].duration, 1, 0);
}

static void test_poses(void **state) {
    Fixture *f = *state;
    read_bar(f);
    swAffine g[4];
    int root = 0, arm = 0;
    for (int i = 0; i < 4; i++) {
        root = strcmp(f->rig.node[i].name, "Root") == 0 ? i : root;
        arm = strcmp(f->rig.node[i].name, "Arm") == 0 ? i : arm;
    }
    assert_true(root < arm);
    sw_rig_pose(&f->rig, -1, 0, g);
    assert_affine(g[root], turned(0, 2), sw_v3(0, 1, 0), 1e-12);
    assert_affine(g[arm], turned(0, 2), sw_v3(2, 1, 0), 1e-12);
    sw_rig_pose(&f->rig, 0, 0.25, g); // a quarter of the way, the step not yet
    assert_affine(g[arm], turned(22.5, 2), sw_v3(2, 1, 0), 1e-7);
    sw_rig_pose(&f->rig, 0, 0.5, g);
    assert_affine(g[arm], turned(45, 2), sw_v3(2, 3, 0), 1e-7);
    sw_rig_pose(&f->rig, 0, 9, g); // held
    assert_affine(g[arm], turned(90, 2), sw_v3(2, 3, 0), 1e-7);
    sw_rig_pose(&f->rig, 0, -9, g);
    assert_affine(g[arm], turned(0, 2), sw_v3(2, 1, 0), 1e-12);
    sw_rig_pose(&f->rig, 1, 0.25, g); // 3 u^2 - 2 u^3, twice as long above
    assert_affine(g[root], turned(0, 2), sw_v3(2 * 0.15625, 1, 0), 1e-12);
    assert_affine(g[arm], turned(0, 2), sw_v3(2 + 2 * 0.15625, 1, 0), 1e-12);
    // Quaternions of opposite sign are the same rotation: each quarter goes the short way.
    for (int i = 0; i < 12; i++) {
        sw_rig_pose(&f->rig, 2, i / 16.0, g);
        assert_affine(g[root], turned(22.5 * i, 2), sw_v3(0, 1, 0), 1e-6);
    }
    sw_rig_blend(&f->rig, 0, 1, 0.5, g); // half the way from rest
    assert_affine(g[arm], turned(45, 2), sw_v3(2, 2, 0), 1e-7);
}

static void test_bad_gltf(void **state) {
    static const struct {
        const char *find, *put, *message;
    } cases[] = {
        {"'path':'rotation'", "'path':'spin'", "path: expected translation"},
        {"'interpolation':'STEP'", "'interpolation':'FAST'", "interpolation: expected LINEAR"},
        {"{'sampler':0,'target':{'node':2", "{'sampler':7,'target':{'node':2", "sampler"},
        {"'node':2,'path'", "'node':9,'path'", "node: expected the number of a node"},
        {"'joints':[1,2]", "'joints':[1,8]", "joints: expected the number of a node"},
        {"'joints':[1,2]", "'joints':[1,2,0]", "as many as there are joints"},
        {"'joints':[1,2]", "'joints':[1]", "joint 1, but there are 1 joints"},
        {"'JOINTS_0':1,", "", "expected JOINTS_0"},
        {"'path':'translation'}}],'samplers'",
         "'path':'translation'}},{'sampler':0,'target':{'node':2,'path':'rotation'}}],'samplers'",
         "two channels for the same property"},
        {"'children':[2]", "'children':[0]", "cycle"},
    };
    Fixture *f = *state;
    for (int i = 0; i < SW_COUNT(cases); i++) {
        write_bar(place_file(f, ".glb"), cases[i].find, cases[i].put);
        f->error = (swError){0};
        if (sw_rig_read(f->path, &f->arena, &f->rig, &f->error))
            fail_msg("case %d was read", i);
        if (!strstr(f->error.message, cases[i].message))
            fail_msg("case %d: %s", i, f->error.message);
        assert_string_equal(f->error.path, f->path);
    }
}

// ---- BVH ----

static void test_bvh(void **state) {
    Fixture *f = *state;
    assert_true(read_text(f, ".bvh", BVH_HEAD BVH_MOTION));
    const swRig *r = &f->rig;
    swAffine g[2];
    assert_int_equal(r->nnode, 2);
    assert_string_equal(r->node[1].name, "Upper arm");
    assert_near(r->node[1].tip.y, 1, 0);
    assert_near(r->clip[0].duration, 1, 1e-15);
    sw_rig_pose(r, -1, 0, g);
    assert_affine(g[1], sw_mat_identity(), sw_v3(1, 4, 3), 1e-15);
    sw_rig_pose(r, 0, 0.5, g);
    const swReal d = SW_PI / 180;
    const swMat3 X = sw_mat_rotation(sw_v3(50 * d, 0, 0)), Y = sw_mat_rotation(sw_v3(0, 40 * d, 0)),
                 Z = sw_mat_rotation(sw_v3(0, 0, 30 * d)), x = sw_mat_rotation(sw_v3(60 * d, 0, 0)),
                 y = sw_mat_rotation(sw_v3(0, 80 * d, 0)), z = sw_mat_rotation(sw_v3(0, 0, 70 * d));
    const swMat3 R = sw_mat_mul(Z, sw_mat_mul(Y, X)); // in the order of the channels
    assert_affine(g[0], R, sw_v3(2, 2, 3), 1e-14);
    assert_affine(g[1], sw_mat_mul(R, sw_mat_mul(x, sw_mat_mul(z, y))),
                  sw_add(sw_v3(2, 2, 3), sw_mul(R, sw_v3(0, 2, 0))), 1e-14);
}

static void test_bad_bvh(void **state) {
    static const struct {
        const char *text, *message;
        int line;
    } cases[] = {
        {"", "HIERARCHY, found the end of the file", 1},
        {"HIERARCHY\nJOINT a", "expected ROOT, found 'JOINT'", 2},
        {"HIERARCHY\nROOT a\n{\n OFFSET 0 0\n}", "a number", 4},
        {"HIERARCHY\nROOT a\n{\n CHANNELS 2 Xrotation Wrotation\n}", "a channel", 4},
        {"HIERARCHY\nROOT a\n{\n CHANNELS 9 Xrotation\n}", "from 0 to 6", 4},
        {"HIERARCHY\nROOT a\n{\n BONE b\n}", "OFFSET, CHANNELS, JOINT, End Site or }", 4},
        {BVH_HEAD, "MOTION, found the end of the file", 15},
        {BVH_HEAD "MOTION\nFrames: 3000000000\nFrame Time: 1\n", "frames that fits", 16},
        {BVH_HEAD "MOTION\nFrames: 1\nFrame Time: 0\n", "a time above 0", 17},
        {BVH_HEAD "MOTION\nFrames: 1\nFrame Time: 1\n1 2 3 4 5 6 7 8\n", "a number", 19},
        {BVH_HEAD "MOTION\nFrames: 1\nFrame Time: 1\n1 2 3 4 5 6 7 8 x\n", "found 'x'", 18},
        {BVH_HEAD "MOTION\nFrames: 1\nFrame Time: 1\n1 2 3 4 5 6 7 8 1e300\n", "up to 1e12", 18},
    };
    Fixture *f = *state;
    for (int i = 0; i < SW_COUNT(cases); i++) {
        if (read_text(f, ".bvh", cases[i].text))
            fail_msg("case %d was read", i);
        if (!strstr(f->error.message, cases[i].message) || f->error.line != cases[i].line)
            fail_msg("case %d: line %d: %s", i, f->error.line, f->error.message);
    }
}

// ---- scenes ----

static swModel *compile_bar(Fixture *f, const char *skeleton) {
    char text[1024];
    snprintf(text, sizeof text,
             "{'sinew': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.01, 'end': 1}, 'bodies': "
             "[{'shape': {'mesh': {'file': '%s', 'scale': 0.5, 'translate': [0, 0, 7]}}, "
             "'resolution': 24, 'frames': {'count': 4, 'weights': {'kind': 'voronoi'}}, "
             "'place': {'rotate': {'axis': [0, 1, 0], 'degrees': 90}, 'translate': [0, 0, 5]}, "
             "'skeleton': {'file': '%s'%s}}]}",
             f->file, f->file, skeleton);
    swScene *scene = parse_scene(text, &f->error);
    require(scene != NULL, &f->error);
    scene->folder = f->folder;
    swModel *model = sw_compile(scene, &f->error);
    sw_scene_destroy(scene);
    return model;
}

static int find_handle(const swBodyModel *m, const char *name) {
    for (int i = 0; i < m->size.nhandle; i++)
        if (strcmp(sw_body_text(m, m->handle[i].name), name) == 0)
            return i;
    fail_msg("no handle %s", name);
    return -1;
}

// Where the file says that a point is, in the world.
static swVec3 expected_place(Fixture *f, int node, int clip, swReal t, swVec3 rest) {
    swAffine g0[4], g[4];
    sw_rig_pose(&f->rig, -1, 0, g0);
    sw_rig_pose(&f->rig, clip, t, g);
    const swMat3 Q = sw_mat_rotation(sw_v3(0, SW_PI / 2, 0)); // place of the body
    const swVec3 moved = {0, 0, 5}, shift = {0, 0, 7};
    swVec3 x = sw_mul_t(Q, sw_sub(rest, moved)); // to the body, to the file, as it moves, and back
    x = sw_scale(2, sw_sub(x, shift));
    x = sw_affine_at(g[node], sw_mul(sw_mat_inverse(g0[node].A), sw_sub(x, g0[node].b)));
    return sw_add(sw_mul(Q, sw_add(sw_scale(0.5, x), shift)), moved);
}

static swVec3 node_point(const swReal *A, swVec3 p) {
    return sw_v3(A[0] + A[1] * p.x + A[2] * p.y + A[3] * p.z,
                 A[4] + A[5] * p.x + A[6] * p.y + A[7] * p.z,
                 A[8] + A[9] * p.x + A[10] * p.y + A[11] * p.z);
}

static void test_handles(void **state) {
    Fixture *f = *state;
    read_bar(f);
    swModel *model = compile_bar(f, ", 'clip': 'bend', 'lead': 0.5, 'repeat': 2");
    require(model != NULL, &f->error);
    const swBodyModel *m = only_body(model);
    swState *s = make_state(model);
    swReal *q = calloc((size_t)m->size.nq, sizeof *q);
    assert_int_equal(m->size.nhandle, 2);
    assert_int_equal(m->size.nrig, 1);
    const char *names[] = {"Root", "Arm"};
    for (int i = 0; i < 2; i++) {
        const swHandleInfo *h = &m->handle[find_handle(m, names[i])];
        const int at = m->node[h->node].q, node = h->joint == 1 ? 2 : 3;
        assert_int_equal(h->joint, i + 1);
        assert_string_equal(f->rig.node[node].name, names[i]);
        assert_int_equal(h->motion, SW_MOTION_KEYS);
        sw_handles_pose(m, only_state(s), 0, 1, q); // the lead begins at rest
        assert_near(sw_norm(sw_sub(node_point(q + at, sw_v3(0, 0, 0)), h->center)), 0, 1e-12);
        for (int k = 50; k <= 300; k += 10) { // at the ends of steps
            const swReal t = 0.01 * k, since = t < 2.5 ? fmod(t - 0.5, 1) : 1;
            if (fabs(since) < 1e-9 || fabs(since - 1) < 1e-9)
                continue; // the moment at which it starts again
            sw_handles_pose(m, only_state(s), t, 1, q);
            for (int c = 0; c < 4; c++) {
                const swVec3 arm = {c == 1, c == 2, c == 3};
                const swVec3 rest = node_point(m->q0 + at, arm);
                assert_near(sw_norm(sw_sub(node_point(q + at, arm),
                                           expected_place(f, node, 0, since, rest))),
                            0, 1e-9);
            }
        }
    }
    step_or_fail(model, s, 60);
    free(q);
    sw_state_destroy(s);
    sw_model_destroy(model);
}

// Bones that are simulated are drawn to where the clip has them.
static void test_follow(void **state) {
    Fixture *f = *state;
    read_bar(f);
    swModel *model = compile_bar(f, ", 'clip': 'bend', 'soft': ['Arm'], 'follow': 3");
    require(model != NULL, &f->error);
    const swBodyModel *m = only_body(model);
    const swHandleInfo *h = &m->handle[find_handle(m, "Arm")];
    assert_int_equal(h->motion, SW_MOTION_FREE);
    assert_true(m->handle[find_handle(m, "Root")].hold == 0);
    const int at = m->node[h->node].q;
    // Alone it would swing three times a second: k = (2 pi f)^2 times the mass that it moves.
    assert_near(h->hold / (36 * SW_PI * SW_PI * m->weight_load[at / 3]), 1, 1e-12);
    swState *s = make_state(model);
    swReal *q = calloc((size_t)m->size.nq, sizeof *q), *g = calloc((size_t)m->size.nq, sizeof *g);
    memcpy(q, m->q0, (size_t)m->size.nq * sizeof *q);
    const swReal t = 0.5 + 0.3; // after the lead
    swVec3 to[4];
    for (int c = 0; c < 4; c++) {
        const swVec3 rest = node_point(m->q0 + at, sw_v3(c == 1, c == 2, c == 3));
        to[c] = expected_place(f, 3, 0, 0.3, rest);
        for (int r = 0; r < 3; r++)
            q[at + 4 * r + c] = sw_get(to[c], r) - (c ? sw_get(to[0], r) : 0);
    }
    swSystem there = {0}, rest = {0};
    sw_holds_add(m, t, q, &there);
    sw_holds_add(m, t, m->q0, &rest);
    assert_true(there.energy < 1e-12 * rest.energy);
    for (int i = 0; i < 12; i++)
        q[at + i] += 0.1 * sin(3 * i + 1);
    swSystem sys = {.g = g};
    sw_holds_add(m, t, q, &sys);
    for (int i = 0; i < 12; i++) {
        swReal e[2];
        for (int k = 0; k < 2; k++) {
            swSystem side = {0};
            const swReal keep = q[at + i];
            q[at + i] += k ? 1e-4 : -1e-4;
            sw_holds_add(m, t, q, &side);
            e[k] = side.energy;
            q[at + i] = keep;
        }
        assert_near(g[at + i], (e[1] - e[0]) / 2e-4, 1e-6 * h->hold);
    }
    // What moving springs bring in is told apart from drift.
    swReal most = 0, drift = 0, actuated = 0;
    for (int i = 0; i < 80; i++) {
        step_or_fail(model, s, 1);
        most = sw_max(most, sw_body_total(only_state(s)));
        drift = sw_max(drift, sw_state_report(s)->drift);
        actuated += fabs(sw_state_report(s)->actuated);
    }
    assert_true(actuated > 0.1 * most && drift < 0.05 * most);
    free(q);
    free(g);
    sw_state_destroy(s);
    sw_model_destroy(model);
}

// Under its weight a soft arm hangs; drawn to the pose at rest it nearly keeps it.
static void test_sag(void **state) {
    Fixture *f = *state;
    read_bar(f);
    swReal sag[2];
    for (int k = 0; k < 2; k++) {
        swModel *m = compile_bar(f, k ? ", 'clip': 'none', 'soft': ['Arm'], 'follow': 4"
                                      : ", 'clip': 'none', 'soft': ['Arm']");
        require(m != NULL, &f->error);
        m->settings.gravity = sw_v3(0, -9.81, 0);
        swState *s = make_state(m);
        const swBodyModel *body = only_body(m);
        const int at = body->node[body->handle[find_handle(body, "Arm")].node].q;
        step_or_fail(m, s, 200);
        sag[k] = m->q0[at + 4] - only_state(s)->q[at + 4];
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
    assert_true(sag[0] > 0 && sag[1] > 0 && sag[1] < 0.5 * sag[0]);
}

// Between keys a handle turns along the shortest arc, also where rotation vectors jump.
static void test_arc(void **state) {
    Fixture *f = *state;
    read_bar(f);
    swModel *model = compile_bar(f, ", 'clip': 'spin', 'lead': 0");
    require(model != NULL, &f->error);
    const swBodyModel *m = only_body(model);
    swState *s = make_state(model);
    swReal *q = calloc((size_t)m->size.nq, sizeof *q);
    const swHandleInfo *h = &m->handle[find_handle(m, "Root")];
    const int at = m->node[h->node].q;
    for (int k = 1; k < 150; k++) {
        const swReal t = 0.005 * k; // half of them between keys; the clip turns evenly
        sw_handles_pose(m, only_state(s), t, 1, q);
        const swVec3 arm = {0.3, 0.4, 0.5}, rest = node_point(m->q0 + at, arm);
        assert_near(sw_norm(sw_sub(node_point(q + at, arm), expected_place(f, 2, 2, t, rest))), 0,
                    k % 2 ? 2e-3 : 1e-9); // its place goes straight between keys
    }
    free(q);
    sw_state_destroy(s);
    sw_model_destroy(model);
}

static void test_start(void **state) {
    Fixture *f = *state;
    read_bar(f);
    swModel *m = compile_bar(f, ", 'clip': 'slide', 'lead': 0.2");
    require(m != NULL, &f->error);
    for (int i = 0; i < m->size.nq; i++)
        assert_near(m->v0[i], 0, 0);
    sw_model_destroy(m);
    // Without a lead it starts in the clip's first pose, as fast: a quarter turn in a second.
    m = compile_bar(f, ", 'clip': 'bend', 'lead': 0, 'soft': ['ARM']");
    require(m != NULL, &f->error);
    const swBodyModel *body = only_body(m);
    const swHandleInfo *h = &body->handle[find_handle(body, "Arm")];
    const swNode *node = &body->node[h->node];
    assert_int_equal(h->motion, SW_MOTION_FREE);
    assert_int_equal(node->ndof, 6);
    const swReal *v = m->v0 + node->q, dt = 1e-5;
    const swVec3 next = expected_place(f, 3, 0, dt, h->center);
    const swVec3 rate = sw_scale(1 / dt, sw_sub(next, h->center));
    assert_true(sw_norm(rate) > 0.1);
    assert_near(sw_norm(sw_sub(sw_v3(v[0], v[4], v[8]), rate)), 0, 1e-3);
    int moving = 0;
    for (int i = 0; i < body->size.nnode; i++)
        moving += body->node[i].handle < 0 &&
                  sw_norm(sw_v3(m->v0[body->node[i].q], m->v0[body->node[i].q + 4],
                                m->v0[body->node[i].q + 8])) > 0.05;
    assert_true(moving > 0); // frames near the arm
    swState *s = make_state(m);
    step_or_fail(m, s, 20);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

static int warnings;
static char last_warning[400];
static void count_warning(void *context, swLogLevel level, const char *message) {
    (void)context;
    if (level == SW_LOG_WARNING) {
        warnings++;
        snprintf(last_warning, sizeof last_warning, "%s", message);
    }
}

static void test_choices(void **state) {
    Fixture *f = *state;
    read_bar(f);
    swModel *m = compile_bar(f, ", 'clip': 'none', 'bones': ['Roo?']");
    require(m != NULL, &f->error);
    assert_int_equal(only_body(m)->size.nhandle, 1);
    assert_int_equal(only_body(m)->handle[0].motion, SW_MOTION_FIXED);
    assert_int_equal(only_body(m)->rig[0].clip, -1);
    sw_model_destroy(m);
    // Muscles between bones.
    m = compile_bar(f, "}, 'muscles': [{'from': {'handle': 'Root'}, 'to': {'handle': 'Arm'}}],"
                       " 'damping': {'mass': 0");
    require(m != NULL, &f->error);
    const swBodyModel *body = only_body(m);
    for (int end = 0; end < 2; end++) {
        const int first = body->point_start[body->muscle[0].point[end]];
        assert_int_equal(body->point_start[body->muscle[0].point[end] + 1], first + 1);
        assert_int_equal(body->point_node[first],
                         body->handle[find_handle(body, end ? "Arm" : "Root")].node);
    }
    sw_model_destroy(m);
    static const struct {
        const char *skeleton, *message;
    } cases[] = {
        {"}, 'muscles': [{'from': {'handle': 'Root'}, 'to': {'handle': 'Arms'}}], 'damping': {",
         "bodies[0].muscles[0].to.handle: expected the name of a handle, a bone or a rigid part of "
         "the body, found \"Arms\", did you mean \"Arm\"?"},
        {", 'clip': 'Jump'", "bodies[0].skeleton.clip: expected one of \"Rig|Bend\", \"Slide\""},
        {", 'bones': ['x*']", "skeleton.bones: no bone is named like \"x*\"; there are"},
        {", 'soft': ['tial*']", "skeleton.soft: no bone is named like \"tial*\"; there are"},
        {", 'scale': 2", "bodies[0].skeleton.scale: expected 1"},
    };
    for (int i = 0; i < SW_COUNT(cases); i++) {
        assert_null(compile_bar(f, cases[i].skeleton));
        if (!strstr(f->error.message, cases[i].message))
            fail_msg("case %d: %s", i, f->error.message);
    }
    swScene *row = parse_scene(BODY(", 'skeleton': {'file': 'a.bvh'}, 'frames': {'weights': "
                                    "{'kind': 'hat'}}"),
                               &f->error);
    assert_null(row);
    assert_non_null(
        strstr(f->error.message, "bodies[0].skeleton: expected another kind of weights"));
    // Bones do not change their size: said once.
    f->config.log = count_warning;
    swCharacter wish = sw_default_character();
    wish.clip = "Swell";
    swScene *scene = sw_scene_read_character(f->path, &wish, &f->config, &f->error);
    require(scene != NULL, &f->error);
    scene->bodies->resolution = 20;
    warnings = 0;
    m = compile_scene(scene);
    assert_int_equal(warnings, 1);
    assert_non_null(strstr(last_warning, "0.5 of \"Arm\" is left out"));
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

// The longest side stands for the given length: time runs as it would there.
static void test_character(void **state) {
    Fixture *f = *state;
    read_bar(f);
    swCharacter wish = sw_default_character();
    wish.length = 2; // of a bar 4 units long: 2 units in a metre
    wish.repeat = 3;
    swScene *scene = sw_scene_read_character(f->path, &wish, &f->config, &f->error);
    require(scene != NULL, &f->error);
    const swMaterial *flesh = scene->materials;
    assert_near(scene->gravity.y, -2 * 9.81, 1e-12);
    assert_near(flesh->density, 1000.0 / 8, 1e-9);
    assert_near(scene->time.end, 0.5 + 3, 1e-9);
    assert_int_equal(scene->bodies->skeleton->nsoft, 0);
    sw_scene_destroy(scene);
    // Twice where the end is the beginning.
    for (int i = 0; i < 2; i++) {
        wish.repeat = 0;
        wish.clip = i ? "swell" : "bend";
        scene = sw_scene_read_character(f->path, &wish, &f->config, &f->error);
        require(scene != NULL, &f->error);
        assert_int_equal(scene->bodies->skeleton->repeat, 1 + i);
        sw_scene_destroy(scene);
    }
    // With a clip that cannot be read it is no mesh that falls down, but an error.
    write_bar(place_file(f, ".glb"), "'interpolation':'STEP'", "'interpolation':'FAST'");
    assert_null(sw_scene_read(f->path, &f->config, &f->error));
    assert_non_null(strstr(f->error.message, "interpolation: expected LINEAR"));
    // A mesh without a skin is as it was.
    write_bar(place_file(f, ".glb"), ",'skin':0", "");
    scene = sw_scene_read(f->path, &f->config, &f->error);
    require(scene != NULL, &f->error);
    assert_null(scene->bodies->skeleton);
    assert_non_null(scene->colliders);
    sw_scene_destroy(scene);
    assert_null(sw_scene_read_character(f->path, NULL, &f->config, &f->error));
    assert_non_null(strstr(f->error.message, "no skeleton"));
}

static void test_capture(void **state) {
    Fixture *f = *state;
    assert_true(read_text(f, ".bvh", BVH_HEAD BVH_MOTION));
    swScene *scene = sw_scene_read(f->path, &f->config, &f->error);
    require(scene != NULL, &f->error);
    assert_int_equal(scene->bodies->shape->kind, SW_SHAPE_UNION);
    scene->bodies->resolution = 20;
    scene->bodies->frames.count = 4;
    swModel *m = compile_scene(scene);
    swState *s = make_state(m);
    assert_int_equal(only_body(m)->size.nhandle, 2);
    step_or_fail(m, s, 40);
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

// Soft bones by default are tails and ears, not forearms.
static void test_soft(void **state) {
    static const struct {
        const char *name;
        bool soft;
    } cases[] = {{"b_Tail01_012", true}, {"TailFin", true},    {"Ear1.L", true},
                 {"left_ear", true},     {"RightEar", true},   {"ears", true},
                 {"EarTip", true},       {"ForeArm", false},   {"Forearm.L", false},
                 {"Rear", false},        {"SpearHead", false}, {"early", false}};
    Fixture *f = *state;
    for (int i = 0; i < SW_COUNT(cases); i++) {
        char put[64];
        snprintf(put, sizeof put, "'%s'", cases[i].name);
        write_bar(place_file(f, ".glb"), "'Arm'", put);
        swScene *scene = sw_scene_read(f->path, &f->config, &f->error);
        require(scene != NULL, &f->error);
        if (scene->bodies->skeleton->nsoft != cases[i].soft)
            fail_msg("%s", cases[i].name);
        sw_scene_destroy(scene);
    }
}

// Without memory at any moment: an error, and nothing is left behind.
static void test_memory(void **state) {
    Fixture *f = *state;
    const char *suffix[] = {".glb", ".bvh"};
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            write_bar(place_file(f, suffix[i]), NULL, NULL);
        else
            assert_true(read_text(f, suffix[i], BVH_HEAD BVH_MOTION));
        for (int k = 1, done = 0; !done; k++) {
            Counter counter = {.fail_at = k};
            const swConfig config = counting_config(&counter);
            swError error = {0};
            swScene *scene = sw_scene_read_character(f->path, NULL, &config, &error);
            if (scene) {
                scene->bodies->resolution = 12;
                scene->bodies->frames.count = 2;
            }
            swModel *model = scene ? sw_compile(scene, &error) : NULL;
            done = model != NULL;
            if (!done)
                assert_int_equal(error.code, SW_ERROR_MEMORY);
            sw_model_destroy(model);
            sw_scene_destroy(scene);
            assert_int_equal(counter.held, 0);
            assert_true(k < 2000);
        }
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest tests[] = {
    TEST(test_turn),     TEST(test_patterns),  TEST(test_bar),     TEST(test_poses),
    TEST(test_bad_gltf), TEST(test_bvh),       TEST(test_bad_bvh), TEST(test_handles),
    TEST(test_arc),      TEST(test_follow),    TEST(test_sag),     TEST(test_start),
    TEST(test_choices),  TEST(test_character), TEST(test_capture), TEST(test_soft),
    TEST(test_memory),
};

SW_SUITE(rig, tests)
