// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What is free of bodies with computed strains: the body itself, far from rest, whose six rigid
// motions cost nothing; stiff parts in it; parts without connection.
#include "test_derivatives.h"
#include "test_scene.h"

// One of the six rigid motions, along axis k or about it, in the solver's unknowns.
static void rigid_step(const swBodyModel *m, const swReal *q, int k, swReal *step) {
    const swVec3 axis = {k % 3 == 0, k % 3 == 1, k % 3 == 2};
    memset(step, 0, (size_t)m->size.ndof * sizeof *step);
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *n = &m->node[i];
        const swReal *A = q + n->q;
        const bool rigid = n->kind == SW_NODE_RIGID;
        for (int a = 0; a < (rigid ? 1 : n->width) && !sw_node_is_modes(n); a++) {
            const swVec3 column = {A[a], A[n->width + a], A[2 * n->width + a]},
                         turned = sw_cross(axis, column), zero = {0, 0, 0};
            for (int r = 0; r < 3; r++)
                step[n->dof + r * (rigid ? 1 : n->width) + a] =
                    sw_get(k < 3 ? (a == 0 ? axis : zero) : turned, r);
        }
        for (int r = 0; rigid && k >= 3 && r < 3; r++)
            step[n->dof + 3 + r] = sw_get(axis, r);
    }
}

// x -> R x + t after all that the body does already.
static void move_on(const swBodyModel *m, swMat3 R, swVec3 t, swReal *q) {
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *n = &m->node[i];
        for (int a = 0; a < n->width && !sw_node_is_modes(n); a++) {
            swReal *A = q + n->q + a;
            const swVec3 to = sw_add(sw_mul(R, sw_v3(A[0], A[n->width], A[2 * n->width])),
                                     a == 0 ? t : sw_v3(0, 0, 0));
            for (int r = 0; r < 3; r++)
                A[r * n->width] = sw_get(to, r);
        }
    }
    sw_nodes_follow(m, q); // dual quaternions
}

// However a free body is deformed, its energy does not change where all of it moves and turns, and
// forces and torques have no sum.
static void check_free_motions(const swModel *model, const char *what) {
    Random r = {11};
    swState *state = make_state(model);
    const swBodyModel *m = only_body(model);
    swBodyState *s = only_state(state);
    const swObjective o = {.load = 1};
    const int64_t n = m->size.ndof;
    swReal *g = calloc((size_t)n, sizeof *g), *step = calloc((size_t)n, sizeof *step);
    shake(m, s, 0.01, &r);
    const swReal energy =
        sw_objective_evaluate(m, s, &o, s->q, true, false, SW_PROJECT_NONE).energy;
    sw_nodes_fold_gradient(m, s->q, s->work->g, g);
    assert_true(energy > 0.1);
    for (int k = 0; k < 6; k++) {
        swReal sum = 0, size = 0;
        rigid_step(m, s->q, k, step);
        for (int64_t i = 0; i < n; i++) {
            sum += g[i] * step[i];
            size += fabs(g[i] * step[i]);
        }
        if (!(fabs(sum) <= 1e-10 * size))
            fail_msg("%s: %g of %g along rigid motion %d", what, sum, size, k);
    }
    for (int k = 0; k < 3; k++) {
        move_on(m, random_rotation(&r), random_vec(&r, 1), s->q);
        const swReal moved =
            sw_objective_evaluate(m, s, &o, s->q, false, false, SW_PROJECT_NONE).energy;
        if (!(fabs(moved - energy) <= 1e-12 * energy))
            fail_msg("%s: %.17g J, moved %.17g", what, energy, moved);
    }
    free(g);
    free(step);
    sw_state_destroy(state);
}

// A muscle bends the body, in balance with itself: after long steps, in which nothing swings.
#define BENT(frames, poisson) \
    "{'sinew': 1, 'gravity': [0, 0, 0], 'time': {'step': 10, 'integrator': 'implicit-euler'}, " \
    "'materials': {'a': {'law': 'neo-hookean', 'young': 2e5, 'poisson': " poisson \
    ", 'density': 1000}}, 'bodies': [{'name': 'b', 'shape': {'extrude': {'polygon': [[0, 0], " \
    "[0.9, 0.3], [0.87, 0.39], [-0.03, 0.09]], 'z': [-0.05, 0.05]}}, 'resolution': 24, " \
    "'frames': {'count': 2, 'kind': " frames "}, 'integration': {'correct': true}, 'muscles': " \
    "[{'name': 'm', 'from': {'point': [0.2, 0.14, 0.02]}, 'to': {'point': [0.7, 0.3, 0.03]}, " \
    "'stiffness': 100, 'strength': 20, 'activation': 1}]}]}"

static void deformed_bodies_have_six_motions_without_energy(void **state) {
    (void)state;
    static const char *const scene[] = {
        BENT("'affine'", "0.3"),
        BENT("'affine'", "0.49"),
        BENT("'rigid'", "0.3"),
        BENT("'rigid', 'blend': 'dual-quaternion'", "0.3"),
        BENT("'rigid', 'blend': 'dual-quaternion'", "0.49"),
        BENT("'quadratic'", "0.49"),
    };
    for (int i = 0; i < SW_COUNT(scene); i++) {
        swModel *m = compile_text(scene[i], NULL);
        swError error = {0};
        check_free_motions(m, scene[i]);
        swState *s = make_state(m);
        for (int step = 0; step < 4; step++)
            assert_int_equal(sw_step(m, s), SW_OK);
        assert_true(sw_state_energy(s).elastic > 0.01);
        swModes *modes = sw_solve_modal(m, s, 1, 4, &error);
        require(modes != NULL, &error);
        assert_int_equal(modes->rigid, 6);
        assert_int_equal(modes->unstable, 0);
        assert_true(modes->frequency[0] > 0.5);
        sw_modes_destroy(modes);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

// ---- parts ----

#define PARTS(gravity, poisson, shape, probes) \
    "{'sinew': 1, 'analysis': 'static', 'gravity': " gravity \
    ", 'materials': {'a': {'young': 2e5, 'poisson': " poisson \
    ", 'density': 1000}, 's': {'young': 2e9, 'poisson': 0.3, 'density': 1000}}, 'bodies': " \
    "[{'name': 'b', 'shape': {'union': [" shape "]}, 'resolution': 30, 'handles': [{'region': " \
    "{'halfspace': {'normal': [1, 0, 0], 'offset': 0.05}}}], 'frames': {'count': 8}}], " \
    "'probes': [" probes "]}"
#define BOX(center, material) "{'box': {'center': " center "}, 'material': '" material "'}"
#define BOX_TOO(center, material) ", " BOX(center, material)
#define PROBE(name, point) "{'name': '" name "', 'body': 'b', 'point': " point "}"

// Where quadratic tetrahedra of 0.03 have probes; aim: 3 %. Relaxed, two bars are 6 and 10 % off,
// and the one with blocks 45 %.
static void parts_move_as_they_should(void **state) {
    (void)state;
    static const struct {
        const char *scene;
        swVec3 right[2];
    } row[] = {
        {PARTS("[0, -1, 0.3]", "0.49",
               BOX("[0.5, 0, 0], 'size': [1, 0.2, 0.2]", "a")
                   BOX_TOO("[0.35, 0, 0], 'size': [0.1, 0.12, 0.1]", "s")
                       BOX_TOO("[0.7, 0.02, 0], 'size': [0.12, 0.1, 0.1]", "s"),
               PROBE("tip", "[0.999, 0, 0]")),
         {{-0.01021727, -0.12899605, 0.03931148}}},
        {PARTS("[0, -0.4, 0.1]", "0.3",
               BOX("[0.5, 0, 0], 'size': [1, 0.12, 0.12]", "a")
                   BOX_TOO("[0.4, 0.4, 0.1], 'size': [0.8, 0.1, 0.1]", "a"),
               PROBE("one", "[0.999, 0, 0]") ", " PROBE("other", "[0.799, 0.4, 0.1]")),
         {{-0.017401, -0.165943, 0.041458}, {-0.007018, -0.093949, 0.023397}}},
    };
    for (int i = 0; i < SW_COUNT(row); i++) {
        swModel *m = compile_text(row[i].scene, NULL);
        assert_int_equal(only_body(m)->body[0].strains, SW_STRAINS_CORRECTED);
        swState *s = make_state(m);
        solve_or_fail(m, s);
        for (int k = 0; k < sw_probe_count(m); k++) {
            const swVec3 right = row[i].right[k];
            const swReal off = sw_norm(sw_sub(sw_probe_displacement(s, k), right)) / sw_norm(right);
            if (!(off <= 0.03))
                fail_msg("scene %d, probe %d: %.2f %% off", i, k, 100 * off);
        }
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(deformed_bodies_have_six_motions_without_energy),
    cmocka_unit_test(parts_move_as_they_should),
};
SW_SUITE(free, tests)
