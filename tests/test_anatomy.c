// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// From scans to motion: a knee with its bones as rigid parts, an abdomen, a torso.
#include "model/body.h"
#include "test_examples.h"
#include "test_scene.h"

// Twenty lines, as a user would write them.
static const char knee[] =
    "{\n"
    "  \"sinew\": 1, \"title\": \"pulling the quadriceps lifts the lower leg\",\n"
    "  \"gravity\": [0, 0, 0], \"time\": {\"step\": 0.02, \"end\": 1},\n"
    "  \"materials\": {\n"
    "    \"bone\": {\"young\": 1e10, \"density\": 1800},\n"
    "    \"cartilage\": {\"young\": 5e4, \"poisson\": 0.45},\n"
    "    \"tendon\": {\"young\": 1e7, \"poisson\": 0.4},\n"
    "    \"muscle\": {\"young\": 5e4, \"poisson\": 0.45},\n"
    "    \"fat\": {\"young\": 5e3, \"poisson\": 0.4, \"density\": 900}\n"
    "  },\n"
    "  \"bodies\": [{\n"
    "    \"name\": \"knee\", \"voxel\": %g, \"surfaces\": \"materials\",\n"
    "    \"shape\": {\"volume\": {\"file\": \"%s\",\n"
    "      \"labels\": {\"95-98\": \"bone\", \"81-86\": \"cartilage\", \"31-48\": \"tendon\",\n"
    "                 \"12-26\": \"muscle\", \"9, 61-78\": \"fat\"},\n"
    "      \"fill\": {\"material\": \"fat\", \"reach\": 0.01}}},\n"
    "    \"frames\": {\"count\": 10},\n"
    "    \"handles\": [{\"name\": \"femur\", \"region\": {\"label\": 95}, \"motion\": "
    "\"fixed\"}],\n"
    "    \"loads\": [{\"force\": [0, 30, 150], \"on\": {\"label\": 98}},\n"
    "              {\"force\": [0, 0, 40], \"on\": {\"label\": \"12, 13\"}}],\n"
    "    \"damping\": {\"stiffness\": 0.02}\n"
    "  }]\n"
    "}\n";

// The rotation part of a handle's node, and how far its centre has come.
static swMat3 turn_of(const swBodyState *s, int node, swReal *moved) {
    const swNode *n = &s->model->node[node];
    const swReal *A = s->q + n->q;
    const swVec3 x = {A[0], A[n->width], A[2 * n->width]};
    *moved = sw_norm(sw_sub(x, n->origin));
    return (swMat3){{A[1], A[2], A[3], A[n->width + 1], A[n->width + 2], A[n->width + 3],
                     A[2 * n->width + 1], A[2 * n->width + 2], A[2 * n->width + 3]}};
}

static void a_knee_moves_as_its_bones_do(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "assets/volumes/spl_knee_seg.nrrd");
    char json[4096];
    snprintf(json, sizeof json, knee, 0.003, path);
    int lines = 0;
    for (const char *c = json; *c; c++)
        lines += *c == '\n';
    assert_true(lines <= 25);
    const double start = sw_seconds();
    swModel *m = compile_text(json, NULL);
    const double seconds = sw_seconds() - start;
    swState *s = make_state(m);
    const swBodyModel *b = only_body(m);
    int free = 0, flexible = 0;
    for (int i = 0; i < b->size.nnode; i++) {
        free += b->node[i].handle >= 0 && b->node[i].motion == SW_MOTION_FREE;
        flexible += b->node[i].handle < 0;
    }
    assert_int_equal(free, 3); // tibia, fibula and patella; the femur is held
    assert_int_equal(flexible, 10);
    assert_true(b->body[0].npart >= 5);
    step_or_fail(m, s, 50);
    swReal patella = 0, tibia = 0;
    for (int i = 0; i < b->size.nhandle; i++) {
        swReal moved;
        const swMat3 R = turn_of(only_state(s), b->handle[i].node, &moved);
        const char *name = sw_body_text(b, b->handle[i].name);
        assert_rotation(R, 1e-9);
        patella = strcmp(name, "bone 98") == 0 ? moved : patella;
        tibia = strcmp(name, "bone 96") == 0 ? moved : tibia;
        if (strcmp(name, "femur") == 0)
            assert_near(moved, 0, 1e-12);
    }
    print_message("compiled in %.2g s; the patella comes %.1f mm up and takes the tibia along by "
                  "%.1f mm\n",
                  seconds, 1000 * patella, 1000 * tibia);
    assert_true(patella > 0.005 && tibia > 0.0005 && patella < 0.15 && tibia < patella);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

static void fall(const char *path) {
    swError error = {0};
    swScene *scene = sw_scene_read(path, NULL, &error);
    require(scene != NULL, &error);
    swModel *m = compile_scene(scene);
    swState *s = make_state(m);
    step_or_fail(m, s, 20);
    assert_true(sw_state_energy(s).kinetic > 0);
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

static void an_abdomen_runs(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "assets/volumes/spl_abdomen_seg.nrrd");
    fall(path);
}

// Specks of it have frames of their own.
static void a_knee_falls(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "assets/volumes/spl_knee_seg.nrrd");
    fall(path);
}

static void a_torso_runs(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "assets/volumes/ts_torso_seg.nii.gz");
    fall(path);
}

// Bones, organs, muscle and fat of a slice of a torso, with what was not labelled filled.
static void a_torso_of_five_materials_runs(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "assets/volumes/ts_slab_merged_labels.nii.gz");
    char json[2048];
    snprintf(json, sizeof json,
             "{\"sinew\": 1, \"gravity\": [0, -9.81, 0], \"materials\": {"
             "\"bone\": {\"young\": 1e10, \"density\": 1800}, \"organ\": {\"young\": 1e4},"
             "\"muscle\": {\"young\": 3e4}, \"fat\": {\"young\": 5e3, \"density\": 900}},"
             "\"bodies\": [{\"name\": \"slab\", \"voxel\": 0.006, \"frames\": {\"count\": 8},"
             "\"shape\": {\"volume\": {\"file\": \"%s\", \"scale\": 0.001, \"labels\": {\"25-57, "
             "69-70, 91-116\": "
             "\"bone\", \"1-24, 58-68, 71-90\": \"organ\", \"201\": \"muscle\", \"202, 203\": "
             "\"fat\"}, \"fill\": {\"material\": \"fat\", \"reach\": 0.006}}}}],"
             "\"colliders\": [{\"plane\": {\"normal\": [0, 1, 0], \"offset\": -1}}]}",
             path);
    swModel *m = compile_text(json, NULL);
    swState *s = make_state(m);
    step_or_fail(m, s, 10);
    assert_true(only_body(m)->size.nhandle > 1); // bones
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// The example does what its title says: the foot comes forward and up, the patella stays in front.
static void the_example_lifts_the_lower_leg(void **state) {
    (void)state;
    swScene *scene = read_example("knee");
    swModel *m = compile_scene(scene);
    swState *s = make_state(m);
    step_or_fail(m, s, 130);
    const swVec3 ankle = sw_probe_displacement(s, sw_probe_find(m, "ankle")),
                 patella = sw_probe_displacement(s, sw_probe_find(m, "patella"));
    print_message("the ankle moves by (%.3f, %.3f, %.3f) m\n", ankle.x, ankle.y, ankle.z);
    assert_true(ankle.x > 0.08 && ankle.y > 0.015 && fabs(patella.z) < 0.015);
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_example_lifts_the_lower_leg),
    cmocka_unit_test(a_knee_moves_as_its_bones_do),
    cmocka_unit_test(an_abdomen_runs),
    cmocka_unit_test(a_knee_falls),
    cmocka_unit_test(a_torso_runs),
    cmocka_unit_test(a_torso_of_five_materials_runs),
};

SW_SUITE(anatomy, tests)
