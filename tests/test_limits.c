// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Scenes at the limits of what numbers can do: parts smaller and softer than others by many orders,
// stuff that hardly changes its volume, blows and leaps.
#include "test_scene.h"

// Every step ends in balance: what rounding may leave of the forces is little as well.
static void run(const char *text, int steps) {
    swModel *m = compile_text(text, NULL);
    swState *s = make_state(m);
    for (int i = 0; i < steps; i++) {
        if (sw_step(m, s) != SW_OK)
            fail_msg("step %d: %s (residual %g of %g)", i, sw_state_report(s)->reason,
                     sw_state_report(s)->residual, sw_state_report(s)->scale);
        assert_true(isfinite(sw_state_energy(s).elastic));
        assert_true(sw_state_report(s)->residual <= 1e-4 * sw_state_report(s)->scale);
    }
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// A cube and, apart from it, a chip of eight cubic millimetres or more, with two frames in it: what
// these can do alone is softer than the cube by twelve orders. Both come to rest on a floor.
#define CHIP(law, size, height) \
    "{'sinew': 1, 'materials': {'a': {'law': '" law "', 'young': 1e5}}, 'bodies': [{" \
    " 'voxel': 0.002, 'shape': {'union': [{'box': {'size': [0.08, 0.08, 0.08]}}," \
    "  {'box': {'size': " size ", 'center': [0.06, " height ", 0]}}]}," \
    " 'frames': {'kind': 'affine', 'at': [[0, 0.02, 0], [0, -0.02, 0], [0.06, " height \
    ", -0.002], [0.06, " height ", 0.002]]}," \
    " 'place': {'translate': [0, 0.06, 0], 'rotate': {'axis': [1, 0.3, 0.2], 'degrees': 20}}}]," \
    " 'colliders': [{'plane': {'normal': [0, 1, 0]}, 'friction': 0.5}]}"

static void a_chip_beside_a_cube_comes_to_rest(void **state) {
    (void)state;
    run(CHIP("neo-hookean", "[0.004, 0.002, 0.01]", "-0.02"), 25);
    run(CHIP("stvk", "[0.002, 0.002, 0.008]", "-0.02"), 25);
}

// A bar held at one end, which hangs down, of stuff that keeps its volume: that is stiffer than its
// shape by six orders.
#define BAR(law, frames) \
    "{'sinew': 1, 'materials': {'a': {'law': '" law "', 'young': 1e5, 'poisson': 0.499999}}," \
    " 'bodies': [{'shape': {'box': {'size': [0.4, 0.1, 0.1]}}, 'resolution': 16, 'frames': " \
    "{" frames \
    "}, 'handles': [{'region': {'box': {'size': [0, 1, 1], 'center': [-0.2, 0, 0]}}}]}]}"

// Where the tangent is not positive definite, what is added to it must be little to the shape.
static void a_bar_that_keeps_its_volume_does_not_creep(void **state) {
    (void)state;
    run(BAR("neo-hookean", "'kind': 'quadratic', 'count': 3"), 12);
    run(BAR("corotated", "'kind': 'quadratic', 'count': 3"), 12);
}

// Pressures round energies by more than the last steps to balance bring: forces tell.
static void the_end_of_a_search_is_not_lost_in_rounding(void **state) {
    (void)state;
    run(BAR("stvk", "'kind': 'quadratic', 'count': 3"), 15);
    run(BAR("stvk", "'count': 4"), 22);
}

// Elements that keep their volume to seven digits, in free fall: positions are rounded, and so are
// pressures, by more than the tolerance.
#define FALL(law, young, order, resolution) \
    "{'sinew': 1, 'materials': {'a': {'law': '" law "', 'young': " young \
    ", 'poisson': 0.4999999}}, 'bodies': [{'shape': {'box': {'size': [0.4, 0.1, 0.1]}}," \
    " 'resolution': " resolution ", 'tets': {'order': '" order "'}, 'spin': [1, 2, 3]}]}"

static void rounding_of_pressures_is_no_failure(void **state) {
    (void)state;
    run(FALL("neo-hookean", "2e6", "linear", "8"), 5);
    run(FALL("corotated", "1e7", "quadratic", "4"), 5);
}

// A handle at one end of a bar goes ten times its length in each of five steps, through it or
// aside.
#define LEAP(law, frames, way) \
    "{'sinew': 1, 'materials': {'a': {'law': '" law "', 'young': 1e5}}, 'bodies': [{" \
    " 'shape': {'box': {'size': [0.4, 0.1, 0.1]}}, 'resolution': 8, 'frames': {" frames "}," \
    " 'handles': [{'region': {'box': {'size': [0, 1, 1], 'center': [-0.2, 0, 0]}}," \
    "  'motion': {'keys': [{'t': 0}, {'t': 0.05, 'translate': " way "}]}}]}]}"

static void a_body_follows_a_handle_that_leaps(void **state) {
    (void)state;
    run(LEAP("fung", "'count': 3", "[20, 0, 0]"), 12);
    run(LEAP("fung", "'count': 3", "[0, 20, 0]"), 12);
    run(LEAP("mooney-rivlin", "'kind': 'rigid', 'count': 4", "[20, 0, 0]"), 12);
    run(LEAP("neo-hookean", "'kind': 'rigid', 'count': 4", "[20, 0, 0]"), 12);
}

// One that goes ten kilometres in five steps takes the body along, whatever the law and the kind of
// frames: it is to the handle as it was, and goes on from there.
static void a_handle_that_goes_far_takes_its_body_along(void **state) {
    (void)state;
    static const char *const text[] = {
        LEAP("stable-neo-hookean", "'count': 3", "[10000, 0, 0]"),
        LEAP("neo-hookean", "'kind': 'rigid', 'count': 4", "[0, 10000, 0]"),
        LEAP("corotated", "'count': 3", "[-10000, 0, 1]"),
        LEAP("stvk", "'kind': 'quadratic', 'count': 3", "[10000, 10000, 0]"),
        LEAP("fung", "'kind': 'rigid', 'count': 4, 'blend': 'dual-quaternion'", "[0, 0, 10000]"),
    };
    for (int i = 0; i < SW_COUNT(text); i++) {
        swModel *m = compile_text(text[i], NULL);
        swState *s = make_state(m);
        for (int k = 0; k < 20; k++) {
            step_or_fail(m, s, 1);
            assert_int_equal(sw_state_report(s)->leapt, k < 5);
        }
        swMat3 linear;
        swVec3 far, *x = calloc((size_t)sw_body_vertex_count(m, 0), sizeof *x);
        sw_frame_get(s, sw_handle_frame(m, 0), &far, &linear);
        assert_true(sw_norm(far) > 9999);
        assert_true(sw_state_energy(s).elastic + sw_state_energy(s).kinetic < 10); // it hangs
        sw_body_vertices(s, 0, x);
        for (int v = 0; v < sw_body_vertex_count(m, 0); v++)
            assert_true(sw_norm(sw_sub(x[v], far)) < 0.6);
        free(x);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

// A ball that begins deep inside the rim of a cylinder: forces leap there, and no search finds them
// in balance. It ends where energy hardly falls, says so, and leads on.
static void at_a_rim_energy_decides(void **state) {
    (void)state;
    swModel *m = compile_text(
        "{'sinew': 1, 'gravity': [-9.6, 2.4, 6.5], 'time': {'step': 0.024, 'integrator': "
        "'midpoint'}, 'materials': {'a': {'law': 'corotated', 'young': 6e7, 'poisson': 0.464,"
        " 'density': 1687}}, 'bodies': [{'shape': {'sphere': {'radius': 0.3047}}, 'voxel': 0.1219,"
        " 'particles': {'count': 43, 'rotations': 'polar', 'points': 5}, 'contact': {'points': 60},"
        " 'velocity': [2.444, -3.397, -1.282], 'spin': [-0.192, -0.009, -0.254],"
        " 'damping': {'mass': 3.2, 'stiffness': 2.86e-05}}], 'colliders': [{'cylinder': {"
        " 'from': [-0.36936, 0, 0], 'to': [0.36936, 0.11081, 0], 'radius': 0.36936}, 'place': {"
        " 'rotate': {'axis': [-0.21777, -0.71949, -0.65948], 'degrees': 79.32146},"
        " 'translate': [-0.11938, -0.65573, -0.17655]}, 'friction': 0.7311}]}",
        NULL);
    swState *s = make_state(m);
    int rough = 0;
    for (int i = 0; i < 8; i++) {
        step_or_fail(m, s, 1);
        rough += sw_state_report(s)->rough;
    }
    assert_true(rough > 0);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// Rotations of particles that a handle turns do work. A part of a step that is tried again books
// the same: it is not asked for again in ever shorter parts.
static void what_turns_particles_is_booked_once(void **state) {
    (void)state;
    swModel *m = compile_text(
        "{'sinew': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.005, 'integrator': 'midpoint'},"
        " 'materials': {'a': {'law': 'corotated', 'young': 2.8e7, 'poisson': 0.32,"
        " 'density': 1264}}, 'bodies': [{'shape': {'cylinder': {'from': [-0.13, 0, 0],"
        " 'to': [0.13, 0, 0], 'radius': 0.045}}, 'voxel': 0.032, 'particles': {'count': 77,"
        " 'rotations': 'diffusion', 'points': 5}, 'handles': [{'region': {'box': {"
        " 'size': [0.052, 1, 1], 'center': [-0.13, 0, 0]}}}, {'region': {'box': {"
        " 'size': [0.052, 1, 1], 'center': [0.13, 0, 0]}}, 'motion': {'keys': [{'t': 0},"
        " {'t': 0.0257, 'translate': [-0.057, -0.128, 0.041], 'rotate': {'degrees': -106.4,"
        "  'axis': [0.527, 0.831, 0.179], 'about': [0.13, 0, 0]}},"
        " {'t': 0.0463, 'translate': [0.099, 0.102, -0.004], 'rotate': {'degrees': -125.3,"
        "  'axis': [0.568, 0.589, -0.574], 'about': [0.13, 0, 0]}}]}}]}]}",
        NULL);
    swState *s = make_state(m);
    for (int i = 0; i < 20; i++) {
        step_or_fail(m, s, 1);
        assert_int_equal(sw_state_report(s)->substeps, 1);
    }
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// Vertices that one point of the surface has in common, and no Gauss point: where a free handle
// carries one of them, it and the other need a block.
static void points_couple_what_handles_carry(void **state) {
    (void)state;
    static const char *const text[] = {"0.025, 'particles': {'count': 40",
                                       "0.02, 'particles': {'count': 120"};
    for (int i = 0; i < SW_COUNT(text); i++) {
        char scene[1024];
        snprintf(scene, sizeof scene,
                 "{'sinew': 1, 'materials': {'a': {'law': 'corotated', 'young': 1.4e7}}, 'bodies': "
                 "[{'shape': {'box': {'size': [0.4, 0.1, 0.1]}}, 'voxel': %s, 'rotations': "
                 "'polar'}, 'handles': [{'region': {'box': {'size': [0.08, 1, 1], 'center': [-0.2, "
                 "0, 0]}}, 'motion': 'free'}, {'region': {'box': {'size': [0.08, 1, 1], 'center': "
                 "[0.2, 0, 0]}}}]}]}",
                 text[i]);
        run(scene, 3);
    }
}

// Bars that hit the floor at 200 m/s.
#define HIT(law, frames, step) \
    "{'sinew': 1, 'time': {'step': " step "}, 'materials': {'a': {'law': '" law \
    "', 'young': 1e5}}, 'bodies': [{'shape': {'box': {'size': [0.4, 0.1, 0.1]}}," \
    " 'resolution': 8, 'frames': {" frames "}, 'velocity': [0, -200, 0], 'place': {" \
    "'translate': [0, 1, 0], 'rotate': {'axis': [0, 0.3, 1], 'degrees': 30}}}]," \
    " 'colliders': [{'plane': {'normal': [0, 1, 0]}, 'friction': 0.5}]}"

static void a_blow_is_survived(void **state) {
    (void)state;
    run(HIT("mooney-rivlin", "'count': 4", "0.005"), 20);
    run(HIT("neo-hookean", "'kind': 'quadratic', 'count': 4", "0.02"), 8);
    run(HIT("stvk", "'kind': 'quadratic', 'count': 4", "0.005"), 20);
}

// Explicit steps too long for the fastest vibration, or for damping, which then gives instead of
// taking: they are divided, and energy stays what it was.
#define SHAKEN(body, damping, step) \
    "{'sinew': 1, 'gravity': [0, 0, 0], 'time': {'step': " step ", 'integrator': " \
    "'symplectic-euler'}, 'materials': {'a': {'law': 'corotated', 'young': 1e5}}, 'bodies': [{" \
    "'shape': {'box': {'size': [0.4, 0.1, 0.1]}}, 'resolution': 8, " body ", 'velocity': " \
    "[0, 2, 0], 'spin': [0, 0, 5], 'damping': {'stiffness': " damping "}, 'handles': [{" \
    "'region': {'box': {'size': [0.01, 1, 1], 'center': [-0.2, 0, 0]}}}]}]}"

static void explicit_steps_that_are_too_long_gain_nothing(void **state) {
    (void)state;
    static const char *const text[] = {
        SHAKEN("'tets': {}", "0", "0.004"),
        SHAKEN("'tets': {}", "0.001", "0.001"),
        SHAKEN("'tets': {}", "0.001", "0.004"),
        SHAKEN("'frames': {'count': 4}", "0.01", "0.004"),
    };
    for (int i = 0; i < SW_COUNT(text); i++) {
        swModel *m = compile_text(text[i], NULL);
        swState *s = make_state(m);
        const swReal start = sw_state_energy(s).kinetic;
        int parts = 0;
        for (int k = 0; k < 30; k++) {
            step_or_fail(m, s, 1);
            const swEnergy e = sw_state_energy(s);
            parts += sw_state_report(s)->substeps;
            assert_true(sw_state_report(s)->dissipated >= 0);
            if (!(e.kinetic + e.elastic <= 1.25 * start)) // velocities lag by half a step
                fail_msg("scene %d, step %d: %g J of %g", i, k, e.kinetic + e.elastic, start);
        }
        assert_true(parts > 30);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

// A bar between a handle and a free one: what turns its particles is not known before a step, and
// must not do work.
static void a_free_handle_does_no_work(void **state) {
    (void)state;
    swModel *m = compile_text(
        "{'sinew': 1, 'time': {'step': 0.002}, 'materials': {'a': {'law': 'corotated', 'young': "
        "2e5}}, 'bodies': [{'shape': {'box': {'size': [1, 0.25, 0.25]}}, 'voxel': 0.05, "
        "'particles': {'count': 100}, 'handles': [{'region': {'capsule': {'from': [-0.48, 0, 0], "
        "'to': [-0.1, 0, 0], 'radius': 0.02}}}, {'region': {'capsule': {'from': [0.1, 0, 0], "
        "'to': [0.48, 0, 0], 'radius': 0.02}}, 'motion': 'free'}]}]}",
        NULL);
    swState *s = make_state(m);
    for (int i = 0; i < 150; i++) {
        step_or_fail(m, s, 1);
        assert_int_equal(sw_state_report(s)->substeps, 1);
        assert_true(sw_state_report(s)->drift <= 0);
    }
    sw_state_destroy(s);
    sw_model_destroy(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(explicit_steps_that_are_too_long_gain_nothing),
    cmocka_unit_test(a_free_handle_does_no_work),
    cmocka_unit_test(a_chip_beside_a_cube_comes_to_rest),
    cmocka_unit_test(a_bar_that_keeps_its_volume_does_not_creep),
    cmocka_unit_test(the_end_of_a_search_is_not_lost_in_rounding),
    cmocka_unit_test(rounding_of_pressures_is_no_failure),
    cmocka_unit_test(a_blow_is_survived),
    cmocka_unit_test(points_couple_what_handles_carry),
    cmocka_unit_test(at_a_rim_energy_decides),
    cmocka_unit_test(what_turns_particles_is_booked_once),
    cmocka_unit_test(a_body_follows_a_handle_that_leaps),
    cmocka_unit_test(a_handle_that_goes_far_takes_its_body_along),
};
SW_SUITE(limits, tests)
