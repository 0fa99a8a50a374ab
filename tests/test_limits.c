// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Scenes at the limits of what numbers can do: parts smaller and softer than others by many orders,
// stuff that hardly changes its volume, blows and leaps.
#include "test_scene.h"

static void run(const char *text, int steps) {
    swModel *m = compile_text(text, NULL);
    swState *s = make_state(m);
    for (int i = 0; i < steps; i++) {
        if (sw_step(m, s) != SW_OK)
            fail_msg("step %d: %s (residual %g of %g)", i, sw_state_report(s)->reason,
                     sw_state_report(s)->residual, sw_state_report(s)->scale);
        assert_true(isfinite(sw_state_energy(s).elastic));
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_chip_beside_a_cube_comes_to_rest),
};
SW_SUITE(limits, tests)
