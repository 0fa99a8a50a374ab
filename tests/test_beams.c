// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Beams between handles: against the elastica, rigid motion, derivatives, mass.
#include "test_scene.h"

#include "kinematics/rigid.h"
#include "world/body.h"
#include "solve/work.h"

enum { BEAMS = 8 };
#define YOUNG 1e7
#define RADIUS 0.01
static const swReal length = 0.8;

static swReal bending(void) { return YOUNG * SW_PI * RADIUS * RADIUS * RADIUS * RADIUS / 4; } // EI

// A bar of next to nothing with a handle every 0.1 m, joined by beams; the first is fixed. `more`
// are further keys of the body, `head` gravity and those of the scene, each with a
// comma.
static void write_bar(size_t size, char *text, const char *head, const char *kind,
                      const char *first, const char *beam, const char *more) {
    size_t n = (size_t)snprintf(
        text, size,
        "{'sinew': 1, 'gravity': %s 'materials': {'m': {'law': 'corotated', 'young': "
        "0.1, 'poisson': 0.3, 'density': 1}}, 'bodies': [{'shape': {'box': {'size': [0.9, 0.1, "
        "0.1], 'center': [0.4, 0, 0]}}, 'voxel': 0.025, %s, %s 'handles': [",
        head, kind, more);
    for (int i = 0; i <= BEAMS; i++)
        n +=
            (size_t)snprintf(text + n, size - n,
                             "%s{'name': 'h%d', 'motion': %s, 'region': {'box': {'center': [%g, 0, "
                             "0], 'size': [0.02, 0.2, 0.2]}}}",
                             i > 0 ? ", " : "", i, i > 0 ? "'free'" : first, 0.1 * i);
    n += (size_t)snprintf(text + n, size - n, "], 'beams': [");
    for (int i = 0; i < BEAMS; i++)
        n += (size_t)snprintf(text + n, size - n,
                              "%s{'from': {'handle': 'h%d'}, 'to': {'handle': 'h%d'}, 'young': "
                              "1e7, 'radius': 0.01%s}",
                              i > 0 ? ", " : "", i + i % 2, i + 1 - i % 2, beam);
    snprintf(text + n, size - n, "]}], 'probes': [{'name': 'tip', 'point': [0.8, 0, 0]}]}");
}

// A force across at the end: deflection and shortening over length, from elliptic integrals
// (Mattiasson 1981).
static void elastica(void **state) {
    (void)state;
    static const struct {
        swReal load, down, back; // load: P L^2 / EI
    } cases[] = {{1, 0.30172, 0.05643}, {5, 0.71379, 0.38763}, {10, 0.81061, 0.55500}};
    for (int i = 0; i < SW_COUNT(cases); i++) {
        char text[8192], load[256];
        snprintf(load, sizeof load,
                 "'loads': [{'force': [0, %.9g, 0], 'on': {'box': {'center': [0.8, 0, 0], "
                 "'size': [0.02, 0.2, 0.2]}}}], ",
                 -cases[i].load * bending() / (length * length));
        write_bar(sizeof text, text,
                  "[0, 0, 0], 'analysis': 'static', 'solver': {'increments': 4},",
                  "'frames': {'count': 0}", "'fixed'", "", load);
        swModel *m = compile_text(text, NULL);
        swState *s = make_state(m);
        solve_or_fail(m, s);
        const swVec3 tip = sw_probe_position(s, 0);
        assert_near(-tip.y / length, cases[i].down, 0.002);
        assert_near(1 - tip.x / length, cases[i].back, 0.006);
        assert_near(tip.z, 0, 1e-6);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

// Under their own weight, beams take a handle as far whatever the flesh around them is made of.
static void kinds_agree(void **state) {
    (void)state;
    static const char *const kinds[] = {"'frames': {'count': 0}",
                                        "'particles': {'count': 150, 'samples': 45}",
                                        "'springs': {}", "'tets': {}"};
    swVec3 tip[SW_COUNT(kinds)];
    for (int k = 0; k < SW_COUNT(kinds); k++) {
        char text[8192];
        write_bar(sizeof text, text, "[0, -0.3, 0], 'analysis': 'static',", kinds[k], "'fixed'",
                  ", 'density': 1000", "");
        swModel *m = compile_text(text, NULL);
        swState *s = make_state(m);
        solve_or_fail(m, s);
        const swBodyModel *b = only_body(m);
        const swReal *A = only_state(s)->q + b->node[b->handle[BEAMS].node].q;
        tip[k] = sw_v3(A[0], A[4], A[8]);
        assert_true(tip[k].y < -0.05);
        assert_near(sw_norm(sw_sub(tip[k], tip[0])), 0, 0.002);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

static swReal evaluate(swBodyState *s, const swReal *q, swReal *g, const swBlocks *H) {
    const swElasticInput input = {.q = q, .activation = s->activation, .relax = s->work->relax};
    swSystem sys = {.g = g, .H = H};
    memset(g, 0, (size_t)s->model->size.nq * sizeof *g);
    sw_elastic_add(s->model, &s->work->elastic, NULL, &input, &sys);
    return sys.energy;
}

// Forces are the derivatives of the energy, and none are left by a rigid motion.
static void derivatives(void **state) {
    (void)state;
    char text[8192];
    Random r = {7};
    write_bar(sizeof text, text, "[0, 0, 0],", "'frames': {'count': 0}", "'free'", "", "");
    swModel *model = compile_text(text, NULL);
    swState *world = make_state(model);
    const swBodyModel *m = only_body(model);
    swBodyState *s = only_state(world);
    const int n = (int)m->size.nq;
    swReal *g = test_calloc((size_t)n, sizeof *g), *hi = test_calloc((size_t)n, sizeof *hi),
           *q = test_calloc((size_t)n, sizeof *q);
    assert_int_equal(m->size.nlink, BEAMS);
    const swMat3 R = random_rotation(&r);
    const swVec3 t = random_vec(&r, 2);
    for (int i = 0; i < m->size.nnode; i++) {
        const swVec3 x = sw_add(sw_mul(R, m->node[i].origin), t);
        for (int k = 0; k < 3; k++) {
            q[m->node[i].q + 4 * k] = sw_get(x, k);
            memcpy(q + m->node[i].q + 4 * k + 1, R.m + 3 * k, 3 * sizeof *q);
        }
    }
    assert_near(evaluate(s, q, g, NULL), 0, 1e-12);
    for (int i = 0; i < n; i++)
        assert_near(g[i], 0, 1e-7); // of 1e4 N
    for (int i = 0; i < n; i++)
        q[i] += random_in(&r, -0.02, 0.02);
    sw_nodes_make_rigid(m, q);
    evaluate(s, q, g, NULL);
    const swReal h = 1e-6;
    for (int k = 0; k < 30; k++) {
        const int i = (int)random_in(&r, 0, n - 1e-9);
        const swReal at = q[i];
        q[i] = at + h;
        const swReal up = evaluate(s, q, hi, NULL);
        q[i] = at - h;
        const swReal down = evaluate(s, q, hi, NULL);
        q[i] = at;
        assert_near((up - down) / (2 * h), g[i], 1e-5 * fmax(fabs(g[i]), 100));
    }
    test_free(g);
    test_free(hi);
    test_free(q);
    sw_state_destroy(world);
    sw_model_destroy(model);
}

// Thrown and spinning, it goes on as it was: mass, momentum and angular momentum are those of
// flesh and beams together.
static void mass_of_beams(void **state) {
    (void)state;
    static const char *const kinds[] = {"'frames': {'count': 0}",
                                        "'particles': {'count': 150, 'samples': 45}"};
    for (int k = 0; k < 2; k++) {
        char text[8192];
        write_bar(sizeof text, text,
                  "[0, 0, 0], 'time': {'step': 0.002, 'integrator': 'midpoint'},", kinds[k],
                  "'free'", ", 'density': 1000", "'velocity': [1, 2, 0], 'spin': [0, 0, 3],");
        swModel *m = compile_text(text, NULL);
        swState *s = make_state(m);
        const swReal own = 1000 * SW_PI * RADIUS * RADIUS * length;
        const swBodyModel *b = only_body(m);
        assert_near(b->body[0].mass, own + 0.009, 1e-9);
        assert_near(b->body[0].center.x, 0.4, 1e-6);
        swReal weight = 0;
        for (int i = 0; i < b->size.nnode; i++)
            weight += b->weight_load[b->node[i].q / 3];
        assert_near(weight, b->body[0].mass, 1e-9);
        // 1/2 m v^2 + 1/2 J w^2
        const swReal inertia = own * (length * length / 12 + RADIUS * RADIUS / 4);
        assert_near(sw_state_energy(s).kinetic, 0.5 * own * 5 + 0.5 * inertia * 9, 0.06);
        step_or_fail(m, s, 20);
        const swVec3 c = sw_rigid_motion_of(b, only_state(s)).center;
        assert_near(sw_norm(sw_sub(c, sw_v3(0.4 + 0.04, 0.08, 0))), 0, 1e-6);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

static void refuses(const char *body, const char *why) {
    char text[8192];
    swError error = {0};
    snprintf(text, sizeof text,
             "{'sinew': 1, 'materials': {'m': {'young': 1e4, 'density': 1}}, 'bodies': [{'shape': "
             "{'box': {'size': [1, 0.1, 0.1]}}, 'voxel': 0.05, 'handles': [{'name': 'a', 'region': "
             "{'box': {'center': [-0.4, 0, 0], 'size': [0.1, 1, 1]}}, 'motion': 'fixed'}, {'name': "
             "'b', 'region': {'box': {'center': [0.4, 0, 0], 'size': [0.1, 1, 1]}}, 'motion': "
             "'fixed'}], %s}]}",
             body);
    swScene *scene = parse_scene(text, &error);
    swModel *m = scene ? sw_compile(scene, &error) : NULL;
    assert_null(m);
    if (!strstr(error.message, why))
        fail_msg("expected \"%s\" in \"%s\"", why, error.message);
    sw_scene_destroy(scene);
}

#define BEAM(from, to) \
    "'beams': [{'from': {'handle': '" from "'}, 'to': {'handle': '" to \
    "'}, 'young': 1, 'radius': 1}]"

static void refusals(void **state) {
    (void)state;
    refuses("'frames': {'count': 2}, " BEAM("a", "c"), "found \"c\"");
    refuses("'frames': {'count': 2}, " BEAM("a", "a"), "not the same one");
    refuses("'frames': {'count': 2, 'kind': 'rigid', 'blend': 'dual-quaternion'}, " BEAM("a", "b"),
            "dual quaternions");
    refuses("'modes': {}, " BEAM("a", "b"), "modes");
    refuses("'frames': {'count': 2}, 'beams': [{'from': {'handle': 'a'}, 'to': {'point': [0, 0, "
            "0]}, 'young': 1, 'radius': 1}]",
            "\"handle\" each");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(elastica),      cmocka_unit_test(kinds_agree), cmocka_unit_test(derivatives),
    cmocka_unit_test(mass_of_beams), cmocka_unit_test(refusals),
};

SW_SUITE(beams, tests)
