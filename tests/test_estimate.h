// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the suites of estimates share.
#pragma once

#include "test_scene.h"

static const swReal young = 2e5, density = 1000, gravity = 0.02, thick = 0.1;

// A bar 1 m long from the wall on, turned about z, and what moves it.
static inline swModel *bar_model(swReal degrees, swReal poisson, swReal weight, bool estimate,
                                 const char *more) {
    const swReal c = cos(degrees * SW_PI / 180), s = sin(degrees * SW_PI / 180);
    swReal x[8];
    for (int i = 0; i < 4; i++) {
        const swReal along = i == 1 || i == 2 ? 1 : -0.07, across = (i < 2 ? -0.5 : 0.5) * thick;
        x[2 * i] = c * along - s * across;
        x[2 * i + 1] = s * along + c * across;
    }
    char text[2048];
    snprintf(text, sizeof text,
             "{'sinew': 1, 'analysis': 'static', 'gravity': [%.16g, %.16g, 0], 'materials': {'a': "
             "{'law': 'neo-hookean', 'young': %g, 'poisson': %g, 'density': %g}}, 'bodies': [{"
             "'name': 'b', 'shape': {'extrude': {'polygon': [[%.16g, %.16g], [%.16g, %.16g], "
             "[%.16g, %.16g], [%.16g, %.16g]], 'z': [-0.05, 0.05]}}, 'resolution': 32, 'handles': "
             "[{'region': {'halfspace': {'normal': [%.16g, %.16g, 0]}}}], 'estimate': %s, %s}], "
             "'probes': [{'name': 'tip', 'body': 'b', 'point': [%.16g, %.16g, 0]}]}",
             weight * s, -weight * c, young, poisson, density, x[0], x[1], x[2], x[3], x[4], x[5],
             x[6], x[7], c, s, estimate ? "true" : "false", more, c, s);
    return compile_text(text, NULL);
}

static inline swReal tip_of(const swModel *m) {
    swState *s = make_state(m);
    solve_or_fail(m, s);
    const swReal way = sw_norm(sw_probe_displacement(s, 0));
    sw_state_destroy(s);
    return way;
}

static inline swEstimate estimate_of(const swModel *m) {
    swEstimate e = {0};
    swError error = {0};
    require(sw_body_estimate(m, 0, &e, &error), &error);
    return e;
}
