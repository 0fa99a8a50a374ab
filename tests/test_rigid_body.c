// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Rigid bodies: mass and inertia, flight, sliding, rolling, rest, and what goes with them.
#include "test_files.h"
#include "test_scene.h"

#define RIGID(top, shape, more) \
    "{'sinew': 1, " top "'bodies': [{'name': 'it', 'shape': " shape ", 'rigid': {}" more "}]}"
#define WEIGHTLESS "'gravity': [0, 0, 0], "
#define BRICK "{'box': {'size': [0.4, 0.2, 0.1]}}"

// ---- mass and inertia ----

// The moments of inertia about the axes through the centre of mass, from the mass matrix.
static swVec3 inertia(const swBodyModel *m) {
    const swReal *M = m->mass + m->pair[0].mass;
    const swReal xx = M[5], yy = M[10], zz = M[15];
    return sw_v3(yy + zz, zz + xx, xx + yy);
}

static void primitives_have_the_mass_and_inertia_of_formulas(void **state) {
    (void)state;
    // Boxes are exact; what is round is as good as the voxels.
    static const struct {
        const char *shape;
        swReal volume, per_mass[3], tolerance;
    } cases[] = {
        {BRICK, 0.008, {0.05 / 12, 0.17 / 12, 0.2 / 12}, 1e-12},
        {"{'sphere': {'radius': 0.5}}", SW_PI / 6, {0.1, 0.1, 0.1}, 2e-3},
        {"{'cylinder': {'from': [0, 0, -0.3], 'to': [0, 0, 0.3], 'radius': 0.5}}",
         0.15 * SW_PI,
         {0.25 / 4 + 0.03, 0.25 / 4 + 0.03, 0.125},
         2e-3},
    };
    for (int i = 0; i < SW_COUNT(cases); i++) {
        char json[512];
        snprintf(json, sizeof json,
                 "{'sinew': 1, 'materials': {'m': {'density': 500}}, 'bodies': "
                 "[{'shape': %s, 'rigid': {}}]}",
                 cases[i].shape);
        swModel *model = compile_text(json, NULL);
        const swBodyModel *m = only_body(model);
        const swReal mass = 500 * cases[i].volume, tolerance = cases[i].tolerance;
        const swVec3 J = inertia(m);
        assert_int_equal(m->size.ndof, 6);
        assert_int_equal(m->size.nnode, 1);
        assert_int_equal(m->size.nsample, 0);
        assert_near(m->body[0].mass, mass, tolerance * mass);
        assert_near(m->mass[m->pair[0].mass], mass, tolerance * mass);
        for (int k = 0; k < 3; k++) {
            const swReal own = mass * cases[i].per_mass[k];
            assert_near(sw_get(J, k), own, tolerance * own);
            assert_near(m->mass[m->pair[0].mass + 1 + k], 0, 1e-9 * mass);
        }
        sw_model_destroy(model);
    }
}

// ---- flight ----

// d(R)/dt = W R and d(L)/dt = 0, L = R J R^T w: Euler's equations, by Runge and Kutta's method with
// steps so small that its error does not show.
static swVec3 spin_of(swMat3 R, swVec3 J, swVec3 L) {
    const swVec3 l = sw_mul_t(R, L);
    return sw_mul(R, sw_v3(l.x / J.x, l.y / J.y, l.z / J.z));
}

static swMat3 turned(swMat3 R, swVec3 J, swVec3 L, swReal t, int steps) {
    const swReal h = t / steps;
    for (int i = 0; i < steps; i++) {
        swMat3 slope[4], at = R;
        for (int k = 0; k < 4; k++) {
            const swVec3 w = spin_of(at, J, L);
            const swMat3 W = {{0, -w.z, w.y, w.z, 0, -w.x, -w.y, w.x, 0}};
            slope[k] = sw_mat_mul(W, at);
            for (int e = 0; e < 9; e++)
                at.m[e] = R.m[e] + (k < 2 ? 0.5 : 1) * h * slope[k].m[e];
        }
        for (int e = 0; e < 9; e++)
            R.m[e] +=
                h / 6 * (slope[0].m[e] + 2 * slope[1].m[e] + 2 * slope[2].m[e] + slope[3].m[e]);
    }
    return R;
}

static void a_brick_tumbles_as_eulers_equations_say(void **state) {
    (void)state;
    // About its middle axis, and a little off: it turns over. Errors after 2 s, of rotations and of
    // angular momentum; those of the second order are a quarter with half the step.
    static const struct {
        const char *integrator;
        swReal step, turn, momentum;
    } cases[] = {
        {"midpoint", 0.005, 1.5e-4, 1e-8},
        {"midpoint", 0.0025, 4e-5, 1e-8},
        {"bdf2", 0.005, 3e-3, 4e-4},
        {"bdf2", 0.0025, 7.5e-4, 1e-4},
        {"symplectic-euler", 0.0025, 8e-5, 1e-8},
        {"implicit-euler", 0.001, 0.06, 0.02},
        {"linear-implicit", 0.001, 0.03, 0.01},
    };
    for (int i = 0; i < SW_COUNT(cases); i++) {
        char json[512];
        snprintf(json, sizeof json,
                 RIGID(WEIGHTLESS "'time': {'step': %g, 'integrator': '%s'}, ", BRICK,
                       ", 'velocity': [1, 2, -1], 'spin': [0.1, 3, 0]"),
                 cases[i].step, cases[i].integrator);
        swModel *model = compile_text(json, NULL);
        swState *s = make_state(model);
        const swReal mass = only_body(model)->body[0].mass;
        const swVec3 J = inertia(only_body(model)), L0 = {0.1 * J.x, 3 * J.y, 0};
        swVec3 P, L, x;
        swMat3 R;
        step_or_fail(model, s, (int)lround(2 / cases[i].step));
        sw_state_momentum(s, &P, &L);
        sw_frame_get(s, 0, &x, &R);
        const swReal off = mat_distance(R, turned(sw_mat_identity(), J, L0, 2, 20000)),
                     lost = sw_norm(sw_sub(L, L0)) / sw_norm(L0);
        assert_near(sw_norm(sw_sub(P, sw_v3(mass, 2 * mass, -mass))), 0, 1e-9 * mass);
        assert_near(sw_norm(sw_sub(x, sw_v3(2, 4, -2))), 0, 1e-9);
        assert_rotation(R, 1e-9);
        if (off > cases[i].turn || lost > cases[i].momentum)
            fail_msg("%s, steps of %g s: turned by %g, momentum by %g off", cases[i].integrator,
                     cases[i].step, off, lost);
        sw_state_destroy(s);
        sw_model_destroy(model);
    }
}

// ---- on a plane ----

// A flat box on a plane, under gravity that is tilted by an angle. It starts as deep in the plane
// as it comes to rest.
static const char slope[] =
    RIGID("'gravity': [%.17g, %.17g, 0], 'solver': {'sleep': false}, 'time': {'step': %g, "
          "'integrator': '%s'}, 'colliders': [{'plane': {'normal': [0, 1, 0], 'offset': 0}, "
          "'friction': 0.4}], 'probes': [{'name': 'p', 'point': [0, 0.05, 0]}], ",
          "{'box': {'size': [0.4, 0.1, 0.4], 'center': [0, 0.05, 0]}}",
          ", 'place': {'translate': [0, %.17g, 0]}");

static void boxes_stick_or_slide_as_coulomb_says(void **state) {
    (void)state;
    // `tolerance`: of the acceleration; forces that are linear in the step have friction's bend
    // late.
    static const struct {
        const char *integrator;
        swReal step, tolerance;
    } cases[] = {{"implicit-euler", 0.005, 1e-3},
                 {"bdf2", 0.005, 1e-3},
                 {"linear-implicit", 0.005, 0.01},
                 {"midpoint", 0.001, 1e-3},
                 {"symplectic-euler", 0.00025, 1e-3}};
    static const swReal g = 9.81, friction = 0.4;
    for (int i = 0; i < SW_COUNT(cases); i++)
        for (int way = 0; way < 2; way++) { // 0.4 is the tangent of 0.38
            const swReal angle = way ? 0.6 : 0.3, depth = g * cos(angle) * 0.1 / 1e4;
            const int steps = (int)lround(0.5 / cases[i].step);
            char json[1024];
            snprintf(json, sizeof json, slope, g * sin(angle), -g * cos(angle), cases[i].step,
                     cases[i].integrator, -depth);
            swModel *model = compile_text(json, NULL);
            swState *s = make_state(model);
            swVec3 x[3];
            for (int k = 0; k < 3; k++) {
                step_or_fail(model, s, steps);
                x[k] = sw_probe_position(s, 0);
            }
            const swReal found = (x[2].x - 2 * x[1].x + x[0].x) / 0.25,
                         own = g * (sin(angle) - friction * cos(angle)),
                         creep = 0.005 * sw_norm(sw_v3(0.4, 0.1, 0.4)) * 0.5; // docs/contact.md
            if (way)
                assert_near(found, own, cases[i].tolerance * own);
            else
                assert_true(x[2].x - x[1].x > 0 && x[2].x - x[1].x < creep);
            sw_state_destroy(s);
            sw_model_destroy(model);
        }
}

// On a slope a ball rolls with 5/7 of the acceleration that it would slide with.
static void balls_roll(void **state) {
    (void)state;
    const swReal g = 9.81, angle = 0.2;
    char json[1024];
    snprintf(json, sizeof json,
             RIGID("'gravity': [%.17g, %.17g, 0], 'time': {'step': 0.005, 'integrator': 'bdf2'}, "
                   "'colliders': [{'plane': {'normal': [0, 1, 0], 'offset': 0}, 'friction': 0.6}], "
                   "'probes': [{'name': 'p', 'point': [0, 0.2, 0]}], ",
                   "{'sphere': {'radius': 0.2, 'center': [0, 0.2, 0]}}",
                   ", 'contact': {'points': 5000}"),
             g * sin(angle), -g * cos(angle));
    swModel *model = compile_text(json, NULL);
    swState *s = make_state(model);
    step_or_fail(model, s, 200);
    const swVec3 x = sw_probe_position(s, 0);
    swVec3 at, P, L;
    swMat3 R;
    sw_frame_get(s, 0, &at, &R);
    sw_state_momentum(s, &P, &L);
    const swReal mass = only_body(model)->body[0].mass, v = P.x / mass,
                 J = inertia(only_body(model)).z,
                 spin = (L.z - (at.x * P.y - at.y * P.x)) / J; // about its centre
    assert_near(x.x, 0.5 * g * sin(angle) * 5 / 7, 0.03);
    assert_near(spin, -v / 0.2, 0.03 * v / 0.2);
    sw_state_destroy(s);
    sw_model_destroy(model);
}

static void bodies_stand_still_and_sleep(void **state) {
    (void)state;
    swModel *model = compile_text(
        RIGID("'time': {'step': 0.01}, 'colliders': [{'plane': {'normal': [0, 1, 0], 'offset': "
              "0}}], 'probes': [{'name': 'p', 'point': [0, 0.2, 0]}], ",
              "{'box': {'size': [0.2, 0.2, 0.2], 'center': [0, 0.1, 0]}}", ""),
        NULL);
    swState *s = make_state(model);
    step_or_fail(model, s, 300);
    const swVec3 x = sw_probe_displacement(s, 0);
    assert_true(only_state(s)->rest->asleep);
    // A thousandth of its height, and what the edges of its patches tilt it by.
    assert_near(x.y, -0.2e-3, 0.1e-3);
    assert_near(sqrt(x.x * x.x + x.z * x.z), 0, 0.5e-3);
    // A pull wakes it, and lifts it.
    const int pull = sw_pull_body(s, 0, 0, sw_v3(0, 2, 0), sw_pull_stiffness(model, 0));
    assert_true(pull >= 0);
    step_or_fail(model, s, 100);
    assert_false(only_state(s)->rest->asleep);
    assert_true(sw_probe_displacement(s, 0).y > 0.5);
    sw_state_destroy(s);
    sw_model_destroy(model);
}

// ---- with others ----

static void handles_loads_and_keys_move_the_whole(void **state) {
    (void)state;
    // A force off the centre of a brick: it flies and turns.
    swModel *model =
        compile_text(RIGID(WEIGHTLESS "'time': {'step': 0.001, 'integrator': 'bdf2'}, ", BRICK,
                           ", 'loads': [{'force': [0, 16, 0], 'on': {'box': {'size': [0, 0.2, "
                           "0.1], 'center': [0.2, "
                           "0, 0]}}}]"),
                     NULL);
    swState *s = make_state(model);
    const swReal mass = only_body(model)->body[0].mass;
    swVec3 P, L;
    step_or_fail(model, s, 10);
    sw_state_momentum(s, &P, &L);
    assert_near(P.y, 16 * 0.01, 1e-6);
    assert_near(L.z, 0.2 * 16 * 0.01, 1e-5 * mass);
    sw_state_destroy(s);
    sw_model_destroy(model);
    // A handle anywhere on it turns all of it by a right angle.
    model = compile_text(
        RIGID("'time': {'step': 0.05}, 'probes': [{'name': 'p', 'point': [0.2, 0, 0]}], ", BRICK,
              ", 'handles': [{'name': 'end', 'region': {'box': {'size': [0.1, 1, 1], 'center': "
              "[-0.2, 0, "
              "0]}}, 'motion': {'keys': [{'t': 0}, {'t': 1, 'rotate': {'axis': [0, 0, "
              "1], 'degrees': 90}}]}}]"),
        NULL);
    s = make_state(model);
    step_or_fail(model, s, 20);
    assert_near(sw_norm(sw_sub(sw_probe_position(s, 0), sw_v3(0, 0.2, 0))), 0, 1e-9);
    sw_state_destroy(s);
    sw_model_destroy(model);
}

// A free handle is the frame of the body, somewhere else: all moves as without it.
static void free_handles_change_nothing(void **state) {
    (void)state;
    static const char plain[] =
        RIGID("'time': {'step': 0.005, 'integrator': 'bdf2'}, 'probes': [{'name': 'p', 'point': "
              "[0.2, 0.1, 0.05]}], ",
              BRICK, ", 'spin': [1, 3, 2]");
    static const char held[] =
        RIGID("'time': {'step': 0.005, 'integrator': 'bdf2'}, 'probes': [{'name': 'p', 'point': "
              "[0.2, 0.1, 0.05]}], ",
              BRICK,
              ", 'spin': [1, 3, 2], 'handles': [{'name': 'end', 'motion': 'free', 'region': "
              "{'box': {'size': [0.1, 1, 1], 'center': [-0.2, 0, 0]}}}]");
    swModel *model[2] = {compile_text(plain, NULL), compile_text(held, NULL)};
    swState *s[2];
    for (int i = 0; i < 2; i++) {
        s[i] = make_state(model[i]);
        assert_int_equal(only_body(model[i])->size.ndof, 6);
        step_or_fail(model[i], s[i], 100);
    }
    assert_near(sw_norm(sw_sub(sw_probe_position(s[0], 0), sw_probe_position(s[1], 0))), 0, 1e-6);
    for (int i = 0; i < 2; i++) {
        sw_state_destroy(s[i]);
        sw_model_destroy(model[i]);
    }
}

#define MIXED \
    "{'sinew': 1, 'time': {'step': 0.01}, 'materials': {'soft': {'young': 2e4}, 'steel': " \
    "{'density': 7800, 'rigid': 'always'}}, 'bodies': [{'name': 'a', 'shape': {'box': {'size': " \
    "[0.2, 0.2, 0.2], 'center': [0, 0.3, 0]}, 'material': 'steel'}, 'rigid': {}, 'spin': [1, 2, " \
    "3]}, {'name': 'b', 'like': 'a', 'place': {'translate': [1, 0, 0]}, 'velocity': [1, 0, 0]}, " \
    "{'name': 'c', 'shape': {'box': {'size': [0.2, 0.2, 0.2], 'center': [2, 0.3, 0]}, " \
    "'material': 'soft'}, 'voxel': 0.05, 'frames': {'count': 2}}], 'colliders': [{'plane': " \
    "{'normal': [0, 1, 0], 'offset': 0}}], 'probes': [{'name': 'p', 'body': 'b', 'point': [0.1, " \
    "0.4, 0]}]}"

static void they_share_scenes_with_soft_ones_and_are_saved(void **state) {
    (void)state;
    swModel *model = compile_text(MIXED, NULL);
    swError error = {0};
    assert_int_equal(model->size.ncompiled, 2);
    swState *s = make_state(model);
    step_or_fail(model, s, 30);
    char path[2][512];
    snprintf(path[0], sizeof path[0], "%s", temporary_path("rigid.swm"));
    snprintf(path[1], sizeof path[1], "%s", temporary_path("rigid.sws"));
    require(sw_model_save(model, path[0], &error) && sw_state_save(s, path[1], &error), &error);
    swModel *again = sw_model_load(path[0], NULL, &error);
    require(again != NULL, &error);
    swState *other = make_state(again);
    require(sw_state_load(other, path[1], &error), &error);
    step_or_fail(model, s, 30);
    step_or_fail(again, other, 30);
    assert_true(sw_state_hash(s) == sw_state_hash(other));
    assert_near(sw_probe_position(s, 0).x - sw_probe_position(other, 0).x, 0, 0);
    assert_true(sw_probe_displacement(s, 0).x > 0.1);
    remove(path[0]);
    remove(path[1]);
    sw_state_destroy(other);
    sw_model_destroy(again);
    sw_state_destroy(s);
    sw_model_destroy(model);
}

static void a_step_allocates_nothing(void **state) {
    (void)state;
    Counter counter = {0};
    const swConfig config = counting_config(&counter);
    swModel *model = compile_text(MIXED, &config);
    swState *s = make_state(model);
    const int64_t before = counter.calls;
    step_or_fail(model, s, 50);
    assert_int_equal(counter.calls, before);
    sw_state_destroy(s);
    sw_model_destroy(model);
}

static void compiles_survive_want_of_memory(void **state) {
    (void)state;
    Counter counter = {0};
    const swConfig config = counting_config(&counter);
    swError error = {0};
    swScene *scene = parse_with(RIGID("", BRICK, ", 'resolution': 4"), &config, &error);
    require(scene != NULL, &error);
    const int64_t held = counter.held;
    int failures = 0;
    for (bool done = false; !done; failures++) {
        counter.calls = 0;
        counter.fail_at = failures + 1;
        swModel *model = sw_compile(scene, &error);
        done = model != NULL;
        if (!done)
            assert_int_equal(error.code, SW_ERROR_MEMORY);
        sw_model_destroy(model);
        assert_int_equal(counter.held, held);
    }
    assert_true(failures > 8);
    sw_scene_destroy(scene);
}

static void what_makes_no_sense_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *json, *message;
    } cases[] = {
        {RIGID("", BRICK,
               ", 'muscles': [{'name': 'm', 'from': {'point': [0, 0, 0]}, 'to': "
               "{'point': [0.1, 0, 0]}}]"),
         "bodies[0].muscles: expected none: a rigid body does not deform"},
        {RIGID("", BRICK, ", 'integration': {'relax': false}"),
         "bodies[0].integration: expected none: a rigid body does not deform"},
        {RIGID("", BRICK, ", 'damping': {'stiffness': 0.1}"),
         "bodies[0].damping.stiffness: expected 0: a rigid body has none"},
        {RIGID("", BRICK,
               ", 'handles': [{'region': {'sphere': {'radius': 1}}}, {'region': "
               "{'sphere': {'radius': 1}}}]"),
         "bodies[0].handles: expected at most one: a rigid body moves as a whole"},
        {RIGID("", BRICK, ", 'cuts': [{'region': {'sphere': {'radius': 0.1}}}]"),
         "bodies[0].cuts: expected a body of frames"},
        {RIGID("", BRICK, ", 'tets': {}"), "\"modes\", \"rigid\", found \"rigid\" as well"},
    };
    for (int i = 0; i < SW_COUNT(cases); i++) {
        swError error = {0};
        swScene *scene = parse_scene(cases[i].json, &error);
        if (scene || !strstr(error.message, cases[i].message))
            fail_msg("expected \"%s\", found \"%s\"", cases[i].message, error.message);
    }
    swModel *model = compile_text(RIGID("'analysis': 'static', ", BRICK, ""), NULL);
    swState *s = make_state(model);
    assert_int_equal(sw_solve_static(model, s), SW_ERROR_NOT_CONVERGED);
    assert_non_null(strstr(sw_state_report(s)->reason, "nothing holds it"));
    sw_state_destroy(s);
    sw_model_destroy(model);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(primitives_have_the_mass_and_inertia_of_formulas),
    cmocka_unit_test(a_brick_tumbles_as_eulers_equations_say),
    cmocka_unit_test(boxes_stick_or_slide_as_coulomb_says),
    cmocka_unit_test(balls_roll),
    cmocka_unit_test(bodies_stand_still_and_sleep),
    cmocka_unit_test(handles_loads_and_keys_move_the_whole),
    cmocka_unit_test(free_handles_change_nothing),
    cmocka_unit_test(they_share_scenes_with_soft_ones_and_are_saved),
    cmocka_unit_test(a_step_allocates_nothing),
    cmocka_unit_test(compiles_survive_want_of_memory),
    cmocka_unit_test(what_makes_no_sense_is_refused),
};
SW_SUITE(rigid_body, tests)
