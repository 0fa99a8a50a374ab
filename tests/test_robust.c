// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Steps that are hard to take: handles that leap, frames that turn far. random_scenes.c has more of
// them, of every kind.
#include "model/body.h"
#include "test_scene.h"

// A bar from -0.5 to 0.5 along x, held at the left; at the right a hand that keys move.
#define BAR(material, frames, step, integrator, keys) \
    "{'sinew': 1, 'time': {'step': " step ", 'integrator': '" integrator "'}," \
    " 'gravity': [0, 0, 0], 'materials': {'a': {" material "}}, 'bodies': [{" \
    " 'shape': {'box': {'size': [1, 0.2, 0.2]}}, 'resolution': 10, 'frames': {" frames "}," \
    " 'handles': [" \
    "  {'name': 'wall', 'region': {'box': {'size': [0, 1, 1], 'center': [-0.5, 0, 0]}}}," \
    "  {'name': 'hand', 'region': {'box': {'size': [0, 1, 1], 'center': [0.5, 0, 0]}}," \
    "   'motion': {'keys': [{'t': 0}, " keys "]}}]}]," \
    " 'probes': [{'name': 'middle', 'point': [0, 0.1, 0]}]}"

#define HAT(kind, count) "'kind': '" kind "', 'count': " count ", 'weights': {'kind': 'hat'}"
#define DUAL(count) HAT("rigid", count) ", 'blend': 'dual-quaternion'"
#define RUBBER "'law': 'neo-hookean', 'young': 1e5"

// The hand alone moved to its new place would turn the material beside it inside out.
static void a_handle_may_leap(void **state) {
    (void)state;
    static const char *const scenes[] = {
        BAR(RUBBER, HAT("affine", "3"), "0.02", "implicit-euler",
            "{'t': 0.02, 'translate': [-0.4, 0, 0]}"),
        BAR(RUBBER, HAT("affine", "3"), "0.02", "linear-implicit",
            "{'t': 0.02, 'translate': [-0.4, 0.1, 0]}"),
        BAR(RUBBER, HAT("rigid", "3"), "0.02", "bdf2", "{'t': 0.02, 'translate': [-0.3, 0, 0]}"),
        BAR(RUBBER, DUAL("3"), "0.02", "implicit-euler",
            "{'t': 0.02, 'translate': [-0.3, 0, 0], 'rotate': {'axis': [0, 0, 1], 'degrees': 40, "
            "'about': [0.5, 0, 0]}}"),
    };
    for (int i = 0; i < SW_COUNT(scenes); i++) {
        swModel *m = compile_text(scenes[i], NULL);
        swState *s = make_state(m);
        step_or_fail(m, s, 1);
        const swBodyModel *body = only_body(m);
        const swNode *hand = &body->node[body->handle[1].node];
        assert_near(only_state(s)->q[hand->q], i < 2 ? 0.1 : 0.2, 1e-12); // where its key says
        assert_true(isfinite(sw_state_energy(s).elastic));
        step_or_fail(m, s, 20);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

// Without a free frame nothing can follow.
static void a_leap_that_nothing_can_follow_fails(void **state) {
    (void)state;
    swModel *m = compile_text(BAR(RUBBER, HAT("affine", "0"), "0.02", "implicit-euler",
                                  "{'t': 0.02, 'translate': [-1.2, 0, 0]}"),
                              NULL);
    swState *s = make_state(m);
    const uint64_t before = sw_state_hash(s);
    assert_int_equal(sw_step(m, s), SW_ERROR_NOT_CONVERGED);
    assert_true(sw_state_hash(s) == before);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// Dual quaternions of a bar twisted by 300 degrees: the middle has turned by 150, not back by 30.
static void a_bar_is_twisted_beyond_half_a_turn(void **state) {
    (void)state;
    swModel *m = compile_text(
        BAR("'law': 'corotated'", DUAL("0"), "0.02", "implicit-euler",
            "{'t': 0.6, 'rotate': {'axis': [1, 0, 0], 'degrees': 300, 'about': [0, 0, 0]}}"),
        NULL);
    swState *s = make_state(m);
    swReal last = 0;
    for (int i = 0; i < 30; i++) {
        step_or_fail(m, s, 1);
        const swVec3 x = sw_probe_position(s, 0);
        const swReal angle = atan2(x.z, x.y);
        assert_near(angle, last + SW_PI / 180 * 5, 1e-6); // half of what the hand turns
        last = angle;
    }
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// A rigid frame that turns by radians in a step has no end under the midpoint rule.
static void midpoint_gives_way(void **state) {
    (void)state;
    static const swReal step[] = {0.02, 0.001};
    for (int i = 0; i < SW_COUNT(step); i++) {
        swScene *scene = sw_scene_create(NULL);
        scene->gravity = sw_v3(0, 0, 0);
        scene->time.integrator = "midpoint";
        scene->time.step = step[i];
        sw_scene_add_material(scene, "rubber")->young = 1e6;
        swBody *bar = sw_scene_add_body(scene, "bar");
        sw_body_add_shape(scene, bar, SW_SHAPE_BOX)->size = sw_v3(0.2, 0.1, 0.05);
        set_kind(&bar->frames, TEST_DUAL);
        bar->frames.count = 2;
        bar->resolution = 8;
        bar->spin = sw_v3(100, 60, 120); // 3.3 and 0.17 rad in a step
        swModel *m = compile_scene(scene);
        swState *s = make_state(m);
        int replaced = 0;
        for (int k = 0; k < 5; k++) {
            step_or_fail(m, s, 1);
            replaced += sw_state_report(s)->replaced;
            assert_true(isfinite(sw_state_energy(s).elastic));
        }
        assert_true(i == 0 ? replaced > 0 : replaced == 0);
        sw_state_destroy(s);
        sw_model_destroy(m);
        sw_scene_destroy(scene);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_handle_may_leap),
    cmocka_unit_test(a_leap_that_nothing_can_follow_fails),
    cmocka_unit_test(a_bar_is_twisted_beyond_half_a_turn),
    cmocka_unit_test(midpoint_gives_way),
};
SW_SUITE(robust, tests)
