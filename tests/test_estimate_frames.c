// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// As many frames as an estimate asks for.
#include "test_estimate.h"

static void an_error_is_met(void **state) {
    (void)state;
    const swReal asked = 0.02, weight = 8 * gravity; // a drop of an eighth of its length
    swModel *m = bar_model(25, 0.3, weight, false, "'frames': {'count': 14}");
    const swReal truth = tip_of(m);
    sw_model_destroy(m);
    m = bar_model(25, 0.3, weight, false, "'frames': {'error': 0.02}");
    const int count = sw_frame_count(m) - 1;
    // The tip is farther off than the mean square over the surface, which is asked for.
    assert_near(tip_of(m), truth, 2 * asked * truth);
    assert_true(count >= 2 && count < 10);
    sw_model_destroy(m);
}

static void keep_warning(void *context, swLogLevel level, const char *message) {
    if (level == SW_LOG_WARNING && strstr(message, "frames.error"))
        snprintf(context, 256, "%s", message);
}

// A bar that locks never comes there: it says so, and how far off it is.
static void what_cannot_be_met_is_said(void **state) {
    (void)state;
    char heard[256] = "";
    swConfig config = sw_default_config();
    config.log = keep_warning;
    config.log_context = heard;
    swModel *m = compile_text("{'sinew': 1, 'materials': {'a': {'young': 1e5, 'poisson': 0.49}}, "
                              "'gravity': [0, -0.1, 0], 'bodies': [{'name': 'b', 'shape': {'box': "
                              "{'size': [0.4, 0.1, 0.1]}}, 'resolution': 16, 'frames': {'error': "
                              "0.001}, 'integration': {'relax': false}, 'handles': [{'region': {"
                              "'box': {'size': [0.02, 1, 1], 'center': [-0.2, 0, 0]}}}]}]}",
                              &config);
    assert_non_null(strstr(heard, "body \"b\": frames.error: 0.001 was not reached"));
    sw_model_destroy(m);
}

// Seven tongues on a bar, of which each bends by itself: five frames are not enough.
static void few_frames_become_more(void **state) {
    (void)state;
    char text[4096];
    int n =
        snprintf(text, sizeof text,
                 "{'sinew': 1, 'analysis': 'static', 'gravity': [0, -0.1, 0], 'materials': {'a': "
                 "{'young': 1e5}}, 'bodies': [{'name': 'b', 'resolution': 28, 'shape': {'union': "
                 "[{'box': {'size': [0.7, 0.1, 0.1], 'center': [0.3, 0, 0]}}");
    for (int i = 0; i < 7; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      ", {'box': {'size': [0.05, 0.05, 0.4], 'center': [%g, 0, 0.2]}}", 0.1 * i);
    snprintf(text + n, sizeof text - (size_t)n,
             "]}, 'handles': [{'region': {'halfspace': {'normal': [0, 0, 1], 'offset': 0}}}]}]}");
    swModel *m = compile_text(text, NULL);
    const int count = sw_frame_count(m) - 1;
    swEstimate e;
    assert_false(sw_body_estimate(m, 0, &e, NULL)); // it was not asked for
    sw_model_destroy(m);
    assert_true(count > 5);
    m = bar_model(20, 0.3, gravity, false, "'frames': {}");
    assert_int_equal(sw_frame_count(m) - 1, 5);
    sw_model_destroy(m);
    // A few large voxels that are held at their border: 3 % off, and more frames do not help.
    m = compile_text(
        "{'sinew': 1, 'materials': {'a': {'young': 5e4}}, 'bodies': [{'shape': {'box': "
        "{'size': [0.2, 0.2, 0.2]}}, 'resolution': 4, 'handles': [{'region': {'box': "
        "{'size': [1, 0, 1], 'center': [0, 0.1, 0]}}}]}]}",
        NULL);
    assert_int_equal(sw_frame_count(m) - 1, 5);
    sw_model_destroy(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_error_is_met),
    cmocka_unit_test(what_cannot_be_met_is_said),
    cmocka_unit_test(few_frames_become_more),
};
SW_SUITE(estimate_frames, tests)
