// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A mirrored body moves as the mirror image of the body, with default settings. So a body that is
// its own mirror image stays so: frames, weights, samples and surface have no preferred side.
#include "test_scene.h"

enum { PROBES = 2 };

// Boxes, or a ball where the second is empty: sizes and centers. A flat or solid handle at `held`.
typedef struct {
    const char *name;
    swVec3 size[2], center[2], held_size, held, gravity, probe[PROBES];
    swReal ball, poisson;
    int frames;
    const char *kind;
    swVec3 traction, patch; // on what a cube of a tenth around the patch holds of the surface
} Body;

// clang-format off
static const Body bodies[] = {
    {"a bar pulled obliquely", {{1, 0.1, 0.1}}, {{0.5, 0, 0}}, {0, 1, 1}, {0, 0, 0}, {2, -3, 1.7},
     {{1, 0.05, 0.05}, {0.6, -0.05, 0}}, 0, 0.45, 10, "affine", {0, 0, 0}, {0, 0, 0}},
    {"a T", {{0.6, 0.15, 0.15}, {0.15, 0.6, 0.15}}, {{0.3, 0, 0}, {0.6, 0, 0}}, {0, 1, 1},
     {0, 0, 0}, {0, -1, 0}, {{0.6, 0.3, 0.07}, {0.6, -0.3, 0}}, 0, 0.45, 8, "affine", {0, 0, 0}, {0, 0, 0}},
    {"an L of rigid frames", {{0.6, 0.15, 0.15}, {0.15, 0.4, 0.15}}, {{0.3, 0, 0}, {0.525, 0.2, 0}},
     {0, 1, 1}, {0, 0, 0}, {0.3, -2, 0.5}, {{0.6, 0.4, 0.07}, {0.3, 0, 0.07}}, 0, 0.3, 6, "rigid", {0, 0, 0}, {0, 0, 0}},
    {"a block", {{0.4, 0.3, 0.2}}, {{0, 0, 0}}, {2, 0, 2}, {0, -0.15, 0}, {0, -20, 0},
     {{0.2, 0.15, 0.1}, {0.2, 0, 0}}, 0, 0.49, 10, "affine", {0, 0, 0}, {0, 0, 0}},
    {"a ball", {{0, 0, 0}}, {{0, 0, 0}}, {1, 0.02, 1}, {0, 0.09, 0}, {0, -10, 0},
     {{0, -0.1, 0}, {0.1, 0, 0}}, 0.1, 0.4, 5, "affine", {0, 0, 0}, {0, 0, 0}},
    {"a bar with a load", {{1, 0.1, 0.1}}, {{0.5, 0, 0}}, {0, 1, 1}, {0, 0, 0}, {0, 0, 0},
     {{1, 0.05, 0.05}, {0.6, -0.05, 0}}, 0, 0.3, 6, "affine", {20, -30, 17}, {0.7, 0.07, 0.03}},
};
// clang-format on

static swVec3 flipped(swVec3 v, int axis) {
    if (axis < 3)
        sw_set(&v, axis, -sw_get(v, axis));
    return v;
}

// Displacements of the probes, as those of the body itself. Axis 3: it is not mirrored.
static void solve_mirrored(const Body *b, int axis, swVec3 out[PROBES]) {
    char shape[512], load[256] = "", text[2048];
    const swVec3 f = flipped(b->traction, axis), on = flipped(b->patch, axis);
    swVec3 c[2], held = flipped(b->held, axis), g = flipped(b->gravity, axis), p[PROBES];
    for (int i = 0; i < 2; i++)
        c[i] = flipped(b->center[i], axis);
    for (int i = 0; i < PROBES; i++)
        p[i] = flipped(b->probe[i], axis);
    const swVec3 *s = b->size;
    static const char *const box =
        "{'box': {'size': [%g, %g, %g], 'center': [%.17g, %.17g, %.17g]}}";
    int n = 0;
    if (b->ball > 0)
        snprintf(shape, sizeof shape, "{'sphere': {'radius': %g}}", b->ball);
    else if (s[1].x == 0)
        snprintf(shape, sizeof shape, box, s[0].x, s[0].y, s[0].z, c[0].x, c[0].y, c[0].z);
    else {
        n = snprintf(shape, sizeof shape, "{'union': [");
        n += snprintf(shape + n, sizeof shape - (size_t)n, box, s[0].x, s[0].y, s[0].z, c[0].x,
                      c[0].y, c[0].z);
        n += snprintf(shape + n, sizeof shape - (size_t)n, ", ");
        n += snprintf(shape + n, sizeof shape - (size_t)n, box, s[1].x, s[1].y, s[1].z, c[1].x,
                      c[1].y, c[1].z);
        snprintf(shape + n, sizeof shape - (size_t)n, "]}");
    }
    if (sw_norm(f) > 0)
        snprintf(load, sizeof load,
                 ", 'loads': [{'traction': [%g, %g, %g], 'on': {'box': {'size': [0.1, 0.1, 0.1], "
                 "'center': [%g, %g, %g]}}}]",
                 f.x, f.y, f.z, on.x, on.y, on.z);
    snprintf(
        text, sizeof text,
        "{'sinew': 1, 'analysis': 'static', 'gravity': [%g, %g, %g], 'materials': {'m': {'law': "
        "'neo-hookean', 'young': 5e4, 'poisson': %g, 'density': 1000}}, 'bodies': [{'name': "
        "'b', 'shape': %s, 'handles': [{'region': {'box': {'size': [%g, %g, %g], 'center': "
        "[%.17g, %.17g, %.17g]}}}], 'frames': {'count': %d, 'kind': '%s'}%s}], 'probes': "
        "[{'body': 'b', 'point': [%.17g, %.17g, %.17g]}, {'body': 'b', 'point': [%.17g, "
        "%.17g, %.17g]}]}",
        g.x, g.y, g.z, b->poisson, shape, b->held_size.x, b->held_size.y, b->held_size.z, held.x,
        held.y, held.z, b->frames, b->kind, load, p[0].x, p[0].y, p[0].z, p[1].x, p[1].y, p[1].z);
    swModel *m = compile_text(text, NULL);
    assert_int_equal(only_body(m)->body[0].strains, SW_STRAINS_CORRECTED);
    swState *state = make_state(m);
    solve_or_fail(m, state);
    for (int i = 0; i < PROBES; i++)
        out[i] = flipped(sw_probe_displacement(state, i), axis);
    sw_state_destroy(state);
    sw_model_destroy(m);
}

static void mirrored_bodies_move_as_mirror_images(void **state) {
    (void)state;
    for (int i = 0; i < SW_COUNT(bodies); i++) {
        swVec3 own[PROBES], other[PROBES];
        solve_mirrored(&bodies[i], 3, own);
        for (int axis = 0; axis < 3; axis++) {
            solve_mirrored(&bodies[i], axis, other);
            for (int k = 0; k < PROBES; k++) {
                const swReal off = sw_norm(sw_sub(other[k], own[k])) / sw_norm(own[0]);
                if (!(off <= 1e-6))
                    fail_msg("%s, mirrored along %c: probe %d is %g of its way off", bodies[i].name,
                             "xyz"[axis], k, off);
            }
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(mirrored_bodies_move_as_mirror_images),
};
SW_SUITE(mirror, tests)
