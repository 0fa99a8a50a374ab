// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Equilibria of statics are stable, or said not to be: against the natural vibrations about them.
#include "world/world.h"
#include "test_scene.h"

#include <string.h>

// A column from 0 to 1 along x, clamped at both ends, one of which comes nearer.
#define COLUMN(solver, body, push) \
    "{'sinew': 1, 'analysis': 'static', 'gravity': [0, 0, 0], 'solver': {" solver "}" \
    ", 'materials': {'m': {'law': 'stvk', 'young': 1e5, 'poisson': 0.3}}" \
    ", 'bodies': [{'shape': {'box': {'size': [1, 0.16, 0.2], 'center': [0.5, 0, 0]}}" \
    ", 'voxel': 0.04, " body ", 'handles': [" \
    "{'region': {'box': {'size': [0.02, 1, 1]}}}, {'motion': {'keys': [{'t': 0}, {'t': 1," \
    " 'translate': [-" push ", 0, 0]}]}, 'region': {'box': {'size': [0.02, 1, 1]," \
    " 'center': [1, 0, 0]}}}]}], 'probes': [{'point': [0.5, 0, 0]}]}"
#define FRAMES(kind, weights) \
    "'frames': {'kind': '" kind "', 'at': [[0.25, 0, 0], [0.5, 0, 0], [0.75, 0, 0]], 'weights':" \
    " {'kind': '" weights "'}}"
// The same, symmetric to rounding, as chosen points are not.
#define EVEN(kind, weights) FRAMES(kind, weights) ", 'integration': {'correct': false}"

typedef struct {
    swModel *model;
    swState *state;
    const swStepReport *report;
    swReal aside, force; // of the middle, of the end
} Column;

static void solve(Column *c, const char *text, const swConfig *config) {
    swVec3 force, torque;
    c->model = compile_text(text, config);
    c->state = make_state(c->model);
    c->report = sw_state_report(c->state);
    solve_or_fail(c->model, c->state);
    const swVec3 u = sw_probe_displacement(c->state, 0);
    sw_handle_wrench(c->state, 0, &force, &torque);
    c->aside = hypot(u.y, u.z);
    c->force = force.x;
}

// Motions that a state gives way along, as vibrations know them.
static int count_unstable(Column *c) {
    swError error = {0};
    swModes *modes = sw_solve_modal(c->model, c->state, 1, 4, &error);
    require(modes != NULL, &error);
    const int count = modes->unstable;
    sw_modes_destroy(modes);
    return count;
}

static void done(Column *c) {
    sw_state_destroy(c->state);
    sw_model_destroy(c->model);
}

static void pressed_columns_buckle(void **state) {
    (void)state;
    static const char *const text[] = {
        COLUMN("", FRAMES("rigid", "hat"), "0.25"), // by the distance of two frames
        COLUMN("", FRAMES("rigid", "hat") ", 'integration': {'relax': false}", "0.25"),
        COLUMN("", FRAMES("affine", "hat"), "0.25"),
        COLUMN("'increments': 5", FRAMES("affine", "spline"), "0.25"),
        COLUMN("", FRAMES("rigid", "hat") ", 'integration': {'every': 'voxel'}", "0.2"),
        COLUMN("", "'tets': {'order': 'linear'}", "0.1"),
        COLUMN("'linear': 'dense'", FRAMES("affine", "hat"), "0.25"),
        COLUMN("'linear': 'cg'", "'tets': {'order': 'linear'}", "0.1"),
    };
    for (int i = 0; i < SW_COUNT(text); i++) {
        Column c;
        solve(&c, text[i], NULL);
        if (!(c.aside > 0.05 && c.report->unstable == 0 && count_unstable(&c) == 0))
            fail_msg("column %d: %g aside, %d left, unstable %d, of %d motions", i, c.aside,
                     c.report->left, c.report->unstable, count_unstable(&c));
        assert_true(c.report->load == 1);
        done(&c);
    }
}

// The same motions, whichever way they are found: a path keeps what is unstable, and says so.
static void paths_tell_where_they_are_unstable(void **state) {
    (void)state;
    static const char *const text[] = {
        COLUMN("'path': 'arc-length'", EVEN("rigid", "hat"), "0.02"),
        COLUMN("'path': 'arc-length'", EVEN("rigid", "hat"), "0.05"),
        COLUMN("'path': 'arc-length'", EVEN("affine", "hat"), "0.03"),
        COLUMN("'path': 'arc-length', 'increments': 4", EVEN("affine", "hat"), "0.09"),
        COLUMN("'path': 'arc-length', 'increments': 4", EVEN("affine", "hat"), "0.12"),
        COLUMN("'path': 'arc-length', 'increments': 4", EVEN("affine", "hat"), "0.15"),
    };
    int unstable = 0;
    for (int i = 0; i < SW_COUNT(text); i++) {
        Column c;
        solve(&c, text[i], NULL);
        assert_int_equal(c.report->unstable, count_unstable(&c) > 0);
        assert_int_equal(c.report->left, 0);
        assert_true(c.aside < 1e-3);
        unstable += c.report->unstable;
        done(&c);
    }
    assert_true(unstable > 1 && unstable < SW_COUNT(text) - 1);
}

// Straight up to where vibrations see it give way, bent beyond.
static void columns_buckle_no_earlier_than_they_give_way(void **state) {
    (void)state;
    static const swReal push[] = {0.03, 0.05, 0.07, 0.09, 0.11, 0.13};
    int bent = 0;
    for (int i = 0; i < SW_COUNT(push); i++) {
        char path[4096], load[4096], number[32];
        snprintf(number, sizeof number, "%.17g", push[i]);
        snprintf(path, sizeof path,
                 COLUMN("'path': 'arc-length', 'increments': 4", EVEN("affine", "hat"), "%s"),
                 number);
        snprintf(load, sizeof load, COLUMN("'path': 'load'", EVEN("affine", "hat"), "%s"), number);
        Column straight, c;
        solve(&straight, path, NULL);
        solve(&c, load, NULL);
        assert_int_equal(c.aside > 1e-3, straight.report->unstable);
        assert_int_equal(c.report->unstable, 0);
        bent += c.aside > 1e-3;
        if (c.aside > 1e-3)
            assert_true(c.force < straight.force);
        else
            assert_near(c.force, straight.force, 1e-5 * c.force);
        done(&straight);
        done(&c);
    }
    assert_true(bent > 1 && bent < SW_COUNT(push) - 1);
}

// A slender column 1 x 0.05 x 0.05 m, clamped at its foot, with a dead load on top.
#define MAST(solver, body, force) \
    "{'sinew': 1, 'analysis': 'static', 'gravity': [0, 0, 0], 'solver': {" solver "}" \
    ", 'materials': {'m': {'young': 1e6, 'poisson': 0}}" \
    ", 'bodies': [{'shape': {'box': {'size': [0.05, 1, 0.05], 'center': [0, 0.5, 0]}}, " body \
    ", 'handles': [{'region': {'box': {'size': [1, 0.001, 1]}}}], 'loads': [{'force': [0, -" force \
    ", 0], 'on': {'box': {'size': [1, 0.01, 1], 'center': [0, 1, 0]}}}]}]" \
    ", 'probes': [{'point': [0, 1, 0]}]}"

// Euler's elastica beyond the critical load pi^2 E I / 4 = 1.28510 N: where the top is for
// loads of 1.152 and 1.518 times that (Timoshenko and Gere, "Theory of elastic stability", 2.7).
static void masts_bend_like_the_elastica(void **state) {
    (void)state;
    static const char *const text[] = {
        MAST("'increments': 4", "'voxel': 0.025, 'tets': {'order': 'quadratic'}", "1.22"),
        MAST("'increments': 4", "'voxel': 0.025, 'tets': {'order': 'quadratic'}", "1.48043"),
        MAST("'increments': 4", "'voxel': 0.025, 'tets': {'order': 'quadratic'}", "1.95078"),
    };
    static const swReal x[] = {0, 0.593, 0.792}, y[] = {1, 0.741, 0.349};
    for (int i = 0; i < SW_COUNT(text); i++) {
        Column c;
        solve(&c, text[i], NULL);
        const swVec3 top = sw_probe_position(c.state, 0);
        assert_near(hypot(top.x, top.z), x[i], 0.003);
        assert_near(top.y, y[i], 0.003);
        assert_int_equal(c.report->left, i > 0);
        assert_int_equal(c.report->unstable, 0);
        assert_true(c.report->iterations < 150);
        done(&c);
    }
}

// The way down takes more iterations than there are: then it is the straight mast that is found.
static void what_cannot_be_left_is_said_to_be_unstable(void **state) {
    (void)state;
    Column c;
    solve(
        &c,
        MAST("'iterations': 2, 'increments': 4",
             "'voxel': 0.0125, 'integration': {'correct': false}, 'frames': {'count': 5, 'weights':"
             " {'kind': 'hat'}}",
             "2.5"),
        NULL);
    assert_int_equal(c.report->unstable, 1);
    assert_int_equal(c.report->left, 0);
    assert_int_equal(c.report->status, SW_OK);
    assert_string_equal(c.report->reason, "");
    assert_true(c.report->load == 1 && c.aside < 1e-3 && count_unstable(&c) > 0);
    assert_true(c.report->residual <= 1e-6 * c.report->scale + 1e-9);
    done(&c);
}

// A block that rests on a plane may go anywhere on it. A gas stiffens what would give way without.
static void neutral_motions_are_not_unstable(void **state) {
    (void)state;
    static const char *const text[] = {
        "{'sinew': 1, 'analysis': 'static', 'bodies': [{'shape': {'box': {'size': [1, 0.4, 1],"
        " 'center': [0, 0.2, 0]}}, 'voxel': 0.1, 'frames': {'count': 4}}],"
        " 'colliders': [{'plane': {'normal': [0, 1, 0]}}], 'probes': [{'point': [0, 0.4, 0]}]}",
        "{'sinew': 1, 'analysis': 'static', 'bodies': [{'shape': {'box': {'size': [1, 0.4, 1],"
        " 'center': [0, 0.2, 0]}}, 'voxel': 0.1, 'frames': {'kind': 'rigid', 'count': 4}}],"
        " 'colliders': [{'plane': {'normal': [0, 1, 0]}}], 'probes': [{'point': [0, 0.4, 0]}]}",
        "{'sinew': 1, 'analysis': 'static', 'gravity': [0, 0, 0], 'bodies': [{'shape': {'sphere':"
        " {'radius': 1}}, 'voxel': 0.1, 'springs': {'over': 'surface', 'thickness': 0.01,"
        " 'pressure': 500, 'gas': true}, 'handles': [{'region': {'sphere': {'radius': 0.3,"
        " 'center': [0, 1, 0]}}}]}], 'probes': [{'point': [0, -1, 0]}]}",
    };
    for (int i = 0; i < SW_COUNT(text); i++) {
        swModel *m = compile_text(text[i], NULL);
        swState *s = make_state(m);
        solve_or_fail(m, s);
        if (sw_state_report(s)->unstable || sw_state_report(s)->left)
            fail_msg("scene %d: unstable %d, left %d", i, sw_state_report(s)->unstable,
                     sw_state_report(s)->left);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

// A bar on a pull at its lowest point stands on it, or hangs from it; there it may turn.
static void what_stands_on_a_point_comes_to_hang(void **state) {
    (void)state;
    static const char *const kind[] = {"rigid", "affine"};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "{'sinew': 1, 'analysis': 'static', 'materials': {'m': {'young': 1e6}}, 'bodies':"
                 " [{'shape': {'box': {'size': [0.2, 1, 0.2]}}, 'voxel': 0.05, 'frames': {'kind':"
                 " '%s', 'at': [[0, -0.4, 0], [0, 0.4, 0]], 'weights': {'kind': 'hat'}}}],"
                 " 'probes': [{'point': [0, 0.5, 0]}, {'point': [0, -0.5, 0]}]}",
                 kind[i]);
        swModel *m = compile_text(text, NULL);
        swState *s = make_state(m);
        swVec3 *x = calloc((size_t)sw_body_vertex_count(m, 0), sizeof *x);
        int lowest = 0;
        sw_body_vertices(s, 0, x);
        for (int k = 0; k < sw_body_vertex_count(m, 0); k++)
            if (sw_norm(sw_sub(x[k], sw_v3(0, -0.5, 0))) <
                sw_norm(sw_sub(x[lowest], sw_v3(0, -0.5, 0))))
                lowest = k;
        assert_true(sw_pull_body(s, 0, lowest, x[lowest], 1e5) >= 0);
        solve_or_fail(m, s);
        assert_true(sw_probe_position(s, 0).y < sw_probe_position(s, 1).y - 0.9);
        assert_int_equal(sw_state_report(s)->unstable, 0);
        solve_or_fail(m, s); // and stays
        assert_int_equal(sw_state_report(s)->unstable + sw_state_report(s)->left, 0);
        free(x);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

// Which way a symmetric column goes depends on nothing but the scene.
static void threads_find_the_same_way_out(void **state) {
    (void)state;
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        swConfig config = sw_default_config();
        config.threads = i == 1 ? 3 : 1;
        Column c;
        solve(&c, COLUMN("", EVEN("affine", "hat"), "0.2"), &config);
        assert_true(c.report->left > 0);
        if (i == 2) { // once more from the start
            sw_state_reset(c.state);
            solve_or_fail(c.model, c.state);
        }
        hash[i] = sw_state_hash(c.state);
        done(&c);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(pressed_columns_buckle),
    cmocka_unit_test(paths_tell_where_they_are_unstable),
    cmocka_unit_test(columns_buckle_no_earlier_than_they_give_way),
    cmocka_unit_test(masts_bend_like_the_elastica),
    cmocka_unit_test(what_cannot_be_left_is_said_to_be_unstable),
    cmocka_unit_test(neutral_motions_are_not_unstable),
    cmocka_unit_test(what_stands_on_a_point_comes_to_hang),
    cmocka_unit_test(threads_find_the_same_way_out),
};

SW_SUITE(saddle, tests)
