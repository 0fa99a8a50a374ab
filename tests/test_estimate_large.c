// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies that say how wrong they are at large displacements.
#include "test_estimate.h"

// Under next to no weight, equilibrium is what linear theory says, with a border of materials
// inside of bricks as well.
static void little_loads_are_linear(void **state) {
    (void)state;
    static const struct { swReal poisson, stiff; } bars[] = {{0.49, 1}, {0.4, 1}, {0.3, 20}};
    for (int i = 0; i < SW_COUNT(bars); i++) {
        swEstimate e[2];
        for (int k = 0; k < 2; k++) {
            char text[1024];
            snprintf(
                text, sizeof text,
                "{'sinew': 1, 'gravity': [0, -1e-4, 1e-4], 'materials': {'a': {'law': "
                "'neo-hookean', 'young': 1e5, 'poisson': %g}, 'c': {'law': 'neo-hookean', 'young': "
                "%g, 'poisson': %g}}, 'bodies': [{'name': 'b', 'shape': {'union': [{'box': "
                "{'size': [0.4, 0.1, 0.1]}, 'material': 'a'}, {'box': {'size': [0.4, 0.037, 0.1], "
                "'center': [0, 0.0315, 0]}, 'material': 'c'}]}, 'resolution': 16, 'frames': "
                "{'count': 2}, 'estimate': %s, 'handles': [{'region': {'halfspace': {'normal': "
                "[0.8, 0.6, 0], 'offset': -0.13}}}]}]}",
                bars[i].poisson, 1e5 * bars[i].stiff, bars[i].poisson, k ? "'large'" : "true");
            swModel *m = compile_text(text, NULL);
            e[k] = estimate_of(m);
            assert_int_equal(e[k].large, k);
            sw_model_destroy(m);
        }
        assert_near(e[0].largest, e[1].largest, 1e-3 * e[0].largest);
        assert_near(e[0].error, e[1].error, 0.05 * e[0].error);
        assert_near(e[0].doubt, e[1].doubt, 1e-3 * e[0].doubt);
    }
}

enum { SEEN = 40 };

// Bars 1 m long that bend by a quarter of that and more, with too few frames.
static const struct {
    const char *name, *materials, *shape, *model;
    swReal weight, width, height, tets; // section, edge of cells
} known[] = {
    {"layers", "'a': {'young': 1e6, 'density': 1000}, 'c': {'young': 1e5, 'density': 1000}",
     "{'union': [{'box': {'size': [1.08, 0.08, 0.12], 'center': [0.46, 0.04, 0]}, 'material': "
     "'a'}, {'box': {'size': [1.08, 0.08, 0.12], 'center': [0.46, -0.04, 0]}, 'material': 'c'}]}",
     "'frames': {'count': 6}, 'integration': {'correct': false}", 1.4, 0.12, 0.16, 0.04},
    {"affine", "'a': {'young': 2e5, 'poisson': 0.45, 'density': 1000}",
     "{'box': {'size': [1.08, 0.12, 0.12], 'center': [0.46, 0, 0]}}", "'frames': {'count': 2}", 1.6,
     0.12, 0.12, 0.04},
    {"rigid", "'a': {'young': 2e5, 'poisson': 0.45, 'density': 1000}",
     "{'box': {'size': [1.08, 0.12, 0.12], 'center': [0.46, 0, 0]}}",
     "'frames': {'count': 2, 'kind': 'rigid'}", 1.6, 0.12, 0.12, 0.04},
};

static void move_probes(int body, const char *model, swVec3 *move, swEstimate *e) {
    char text[16000], probes[12000] = "";
    int n = 0;
    for (int i = 0; i < SEEN; i++) {
        const swReal x = (i / 4 + 1) / 10.0, y = 0.499 * (i % 2 ? 1 : -1) * known[body].height,
                     z = 0.499 * (i % 4 < 2 ? 1 : -1) * known[body].width;
        n += snprintf(probes + n, sizeof probes - (size_t)n,
                      "%s{'name': 'p%d', 'point': [%.16g, %.16g, %.16g]}", i ? ", " : "", i,
                      0.999 * x, y, z);
    }
    snprintf(text, sizeof text,
             "{'sinew': 1, 'analysis': 'static', 'gravity': [0, -%g, 0], 'materials': {%s}, "
             "'bodies': [{'name': 'b', 'shape': %s, %s, 'handles': [{'region': {'halfspace': "
             "{'normal': [1, 0, 0]}}}]}], 'probes': [%s]}",
             known[body].weight, known[body].materials, known[body].shape, model, probes);
    swModel *m = compile_text(text, NULL);
    swState *s = make_state(m);
    solve_or_fail(m, s);
    for (int i = 0; i < SEEN; i++)
        move[i] = sw_probe_displacement(s, i);
    if (e)
        *e = estimate_of(m);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// Estimates at large displacements are within a factor of two of what quadratic tetrahedra say.
static void estimates_are_true(void **state) {
    (void)state;
    swVec3 truth[SEEN], move[SEEN];
    for (int i = 0; i < SW_COUNT(known); i++) {
        char model[512];
        swEstimate e;
        swReal sum = 0, largest = 0;
        snprintf(model, sizeof model,
                 "'voxel': %g, 'tets': {'order': 'quadratic', 'volume': 'mean'}", known[i].tets);
        if (i == 0 || strcmp(known[i].shape, known[i - 1].shape) != 0)
            move_probes(i, model, truth, NULL);
        snprintf(model, sizeof model, "'resolution': 28, 'estimate': 'large', %s", known[i].model);
        move_probes(i, model, move, &e);
        for (int k = 0; k < SEEN; k++) {
            sum += sw_norm2(sw_sub(move[k], truth[k]));
            largest = sw_max(largest, sw_norm(truth[k]));
        }
        const swReal error = sqrt(sum / SEEN) / largest;
        assert_true(e.large && largest > 0.25);
        assert_near(e.largest, largest, 0.03 * largest);
        if (!(e.error > 0.5 * error && e.error < 2 * error))
            fail_msg("%s: estimated %g, true %g", known[i].name, e.error, error);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(little_loads_are_linear),
    cmocka_unit_test(estimates_are_true),
};
SW_SUITE(estimate_large, tests)
