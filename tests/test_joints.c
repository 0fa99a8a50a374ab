// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies that joints hold together are solved for together: derivatives, balance, momentum, sleep,
// failure, and couplings that change from step to step.
#include "kinematics/rigid.h"
#include "test_scene.h"
#include "test_tools.h"
#include "world/world.h"

#include <string.h>

#define HEAD \
    "{'sinew': 1, 'gravity': [0, %g, 0], 'time': {'step': 0.01, 'integrator': '%s'}," \
    " 'materials': {'m': {'young': 5e4, 'density': 1000}}, 'bodies': ["
#define BOX "'shape': {'box': {'size': [0.2, 0.2, 0.2]}}, 'resolution': 4"
#define JOINT(name, a, b, x) \
    "{'name': '" name "', 'body': '" a "', 'to': '" b "', 'at': [" x ", 0, 0], 'stiffness': 2000}"

// Of two boxes side by side, how each moves.
static const char *const kinds[] = {
    "'frames': {'count': 3}",
    "'frames': {'kind': 'rigid', 'count': 3}",
    "'frames': {'kind': 'rigid', 'count': 3, 'blend': 'dual-quaternion'}",
    "'frames': {'kind': 'quadratic', 'count': 2}",
    "'tets': {'order': 'quadratic'}",
    "'springs': {}",
    "'rigid': {}",
    "'frames': {'count': 2}, 'handles': [{'region': {'box': {'size': [0, 1, 1], 'center': [0.1, 0,"
    " 0]}}, 'motion': 'free'}]",
    "'tets': {}, 'handles': [{'region': {'box': {'size': [0, 1, 1], 'center': [0.1, 0, 0]}},"
    " 'motion': 'free'}]",
};

static swModel *pair_of(const char *one, const char *other, swReal gravity, const char *integrator,
                        const swConfig *config) {
    char text[2048];
    snprintf(text, sizeof text,
             HEAD "{'name': 'a', " BOX ", %s}, {'name': 'b', " BOX ", %s, 'place': {'rotate':"
                  " {'degrees': 180}, 'translate': [0.2, 0, 0]}}], 'joints': [" JOINT(
                      "hinge", "a", "b", "0.1") "]}",
             gravity, integrator, one, other);
    return compile_text(text, config);
}

// ---- derivatives ----

// work->residual := how the energy between bodies changes with the unknowns.
static void gradients(const swIsland *is, bool hessian) {
    swValue value = {0};
    for (int i = 0; i < is->n; i++) {
        swWork *w = is->body[i]->work;
        memset(w->g, 0, (size_t)is->body[i]->model->size.nq * sizeof *w->g);
        sw_blocks_clear(&w->H);
    }
    sw_joined_add(is, false, hessian, SW_PROJECT_NONE, &value);
    for (int i = 0; i < is->n; i++) {
        swWork *w = is->body[i]->work;
        sw_nodes_fold_gradient(is->body[i]->model, is->q[i], w->g, w->residual);
    }
}

static void shake(const swIsland *is, Random *r) {
    for (int i = 0; i < is->n; i++) {
        const swBodyModel *m = is->body[i]->model;
        swWork *w = is->body[i]->work;
        memcpy(is->q[i], is->body[i]->q, (size_t)m->size.nq * sizeof *is->q[i]);
        for (int64_t k = 0; k < m->size.ndof; k++)
            w->step[k] = random_in(r, -0.2, 0.2) / w->length[k];
        sw_nodes_move(m, w->step, 1, is->q[i]);
    }
}

// Of a body's unknowns.
static void move(const swIsland *is, int body, int64_t k, swReal way) {
    const swBodyModel *m = is->body[body]->model;
    swWork *w = is->body[body]->work;
    memset(w->step, 0, (size_t)m->size.ndof * sizeof *w->step);
    w->step[k] = 1;
    sw_nodes_move(m, w->step, way, is->q[body]);
}

static swReal energy_of(const swIsland *is) {
    swValue value = {0};
    sw_joined_add(is, false, false, SW_PROJECT_NONE, &value);
    return value.energy;
}

static void check_derivatives(swIsland *is, void *arg) {
    static const swReal d = 1e-6;
    Random *r = arg;
    shake(is, r);
    gradients(is, true);
    const swJoined *j = is->joined;
    const int n = sw_blocks_rows(&j->A), other = (int)is->body[1]->model->size.ndof;
    assert_int_equal(n, is->body[0]->model->size.ndof + other);
    swReal *A = malloc((size_t)n * (size_t)n * sizeof *A), *slope = malloc(sizeof *slope * n),
           *keep = malloc((size_t)is->body[0]->model->size.nq * sizeof *keep);
    sw_blocks_unpack(&j->A, A, n);
    for (int i = 0; i < 2; i++)
        memcpy(slope + j->dof[i], is->body[i]->work->residual,
               (size_t)is->body[i]->model->size.ndof * sizeof *slope);
    swReal largest = 0, coupled = 0;
    for (int i = 0; i < n; i++)
        largest = sw_max(largest, fabs(slope[i]));
    memcpy(keep, is->q[0], (size_t)is->body[0]->model->size.nq * sizeof *keep);
    for (int64_t k = 0; k < is->body[0]->model->size.ndof; k++) {
        swReal energy[2], force[2][4096];
        assert_true(other <= 4096);
        for (int side = 0; side < 2; side++) {
            move(is, 0, k, side ? d : -d);
            energy[side] = energy_of(is);
            gradients(is, false);
            memcpy(force[side], is->body[1]->work->residual, (size_t)other * sizeof(swReal));
            memcpy(is->q[0], keep, (size_t)is->body[0]->model->size.nq * sizeof *keep);
            sw_nodes_sync(is->body[0]->model, is->q[0]);
        }
        assert_near((energy[1] - energy[0]) / (2 * d), slope[k], 1e-6 * largest + 1e-8);
        for (int c = 0; c < other; c++) {
            assert_near((force[1][c] - force[0][c]) / (2 * d), A[(j->dof[1] + c) * n + k],
                        1e-6 * 2000);
            coupled = sw_max(coupled, fabs(A[(j->dof[1] + c) * n + k]));
        }
    }
    assert_true(coupled > 1); // there is something to compare
    free(A);
    free(slope);
    free(keep);
}

static void check_pair(swIsland *is, void *arg) {
    if (is->n > 1)
        check_derivatives(is, arg);
}

// A row of pairs of all kinds, each an island: every kind is compiled once.
static swModel *all_pairs(int n) {
    static char text[60000];
    char *to = text;
    to += sprintf(to, HEAD, 0.0, "implicit-euler");
    for (int i = 0; i < n; i++)
        to += sprintf(to, "{'name': 'kind %d', " BOX ", %s, 'place': {'translate': [9, %d, 0]}}, ",
                      i, kinds[i], i);
    for (int i = 0; i < n * n; i++)
        to += sprintf(to,
                      "%s{'name': 'a%d', 'like': 'kind %d', 'place': {'translate': [0, %d, 0]}},"
                      " {'name': 'b%d', 'like': 'kind %d', 'place': {'rotate': {'degrees': 180},"
                      " 'translate': [0.2, %d, 0]}}",
                      i ? ", " : "", i, i / n, i, i, i % n, i);
    to += sprintf(to, "], 'joints': [");
    for (int i = 0; i < n * n; i++)
        to += sprintf(to,
                      "%s{'name': 'j%d', 'body': 'a%d', 'to': 'b%d', 'at': [0.1, %d, 0],"
                      " 'stiffness': 2000}",
                      i ? ", " : "", i, i, i, i);
    to += sprintf(to, "]}");
    assert_true(to < text + sizeof text);
    return compile_text(text, NULL);
}

static void stiffness_between_bodies_is_the_derivative(void **state) {
    (void)state;
    Random r = {171};
    const int n = SW_COUNT(kinds);
    swModel *m = all_pairs(n);
    assert_int_equal(m->size.ncompiled, n);
    swState *s = make_state(m);
    sw_islands_find(s);
    assert_int_equal(s->islands->n, n + n * n);
    sw_islands_run(s, check_pair, &r);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// ---- motion ----

// A box that hangs at another, which is held, draws the joint apart by its weight over the
// stiffness.
static void what_hangs_draws_the_joint_apart(void **state) {
    (void)state;
    static const char text[] = HEAD
        "{'name': 'a', " BOX
        ", %s, 'damping': {'mass': 20}, 'handles': [{'region': {'box': {'size':"
        " [1, 0, 1], 'center': [0, 0.1, 0]}}, 'motion': 'fixed'}]},"
        " {'name': 'b', " BOX ", 'damping': {'mass': 20}, 'place': {'translate': [0, -0.2, 0]}}],"
        " 'joints': [{'name': 'j', 'body': 'a', 'to': 'b', 'at': [0, -0.1, 0], 'stiffness': 2000}],"
        " 'probes': [{'name': 'low', 'body': 'a', 'point': [0, -0.1, 0]},"
        " {'name': 'high', 'body': 'b', 'point': [0, 0.1, 0]}]}";
    static const char *const all[] = {"implicit-euler", "bdf2", "midpoint", "linear-implicit"};
    for (int i = 0; i < SW_COUNT(all); i++) {
        char buffer[2048];
        snprintf(buffer, sizeof buffer, text, -9.81, all[i], kinds[0]);
        swModel *m = compile_text(buffer, NULL);
        swState *s = make_state(m);
        step_or_fail(m, s, 400);
        const swReal gap = sw_probe_position(s, 0).y - sw_probe_position(s, 1).y;
        assert_near(gap, 8 * 9.81 / 2000, 1e-4);
        assert_int_equal(sw_state_report(s)->islands + sw_state_report(s)->asleep / 2, 1);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

// The same in equilibrium, found for both at once.
static void equilibria_are_found_together(void **state) {
    (void)state;
    for (int i = 0; i < SW_COUNT(kinds); i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 HEAD
                 "{'name': 'a', " BOX ", %s, 'handles': [{'region': {'box': {'size': [1, 0, 1],"
                 " 'center': [0, 0.1, 0]}}, 'motion': 'fixed'}]},"
                 " {'name': 'b', " BOX ", %s, 'place': {'translate': [0, -0.2, 0]}}],"
                 " 'joints': [{'name': 'j', 'body': 'a', 'to': 'b', 'at': [0, -0.1, 0],"
                 " 'stiffness': 2000}, {'name': 'k', 'body': 'a', 'to': 'b', 'at': [0.1, -0.1, 0],"
                 " 'stiffness': 1000}, {'name': 'l', 'body': 'a', 'to': 'b', 'at': [-0.1, -0.1, 0],"
                 " 'stiffness': 1000}, {'name': 'm', 'body': 'a', 'to': 'b', 'at': [0, -0.1, 0.1],"
                 " 'stiffness': 1000}]}",
                 -9.81, "bdf2", kinds[0], kinds[i]);
        swError error;
        swScene *scene = parse_scene(text, &error);
        require(scene != NULL, &error);
        scene->analysis = SW_ANALYSIS_STATIC;
        scene->solver.increments = 2;
        swModel *m = compile_scene(scene);
        swState *s = make_state(m);
        solve_or_fail(m, s);
        assert_int_equal(sw_state_report(s)->increments, 2);
        swVec3 force, torque;
        sw_handle_wrench(s, 0, &force, &torque);
        assert_near(force.y, 16 * 9.81, 1e-3);
        sw_state_destroy(s);
        sw_model_destroy(m);
        sw_scene_destroy(scene);
    }
}

// Nothing outside acts on two bodies that tumble about each other.
static void momentum_stays(void **state) {
    (void)state;
    for (int i = 0; i < SW_COUNT(kinds); i++) {
        char one[512];
        snprintf(one, sizeof one, "%s, 'spin': [1, 2, 3], 'velocity': [0, 0, 1]", kinds[i]);
        swModel *m = pair_of(one, kinds[(i + 1) % SW_COUNT(kinds)], 0, "midpoint", NULL);
        swState *s = make_state(m);
        swVec3 p[2], L[2];
        sw_state_momentum(s, &p[0], &L[0]);
        const swEnergy e = sw_state_energy(s);
        step_or_fail(m, s, 50);
        sw_state_momentum(s, &p[1], &L[1]);
        const swEnergy f = sw_state_energy(s);
        const swReal before = e.kinetic + e.elastic + e.pull,
                     after = f.kinetic + f.elastic + f.pull;
        assert_near(sw_norm(sw_sub(p[1], p[0])) / sw_norm(p[0]), 0, 1e-5);
        assert_near(sw_norm(sw_sub(L[1], L[0])) / sw_norm(L[0]), 0, 2e-2);
        assert_true(f.pull > 1e-9);
        assert_true(after < 1.02 * before);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

// ---- islands ----

#define ROW(more) \
    HEAD "{'name': 'a', " BOX \
         "}, {'name': 'b', 'like': 'a', 'place': {'translate': [0.2, 0, 0]}}," \
         " {'name': 'c', 'like': 'a', 'place': {'translate': [0.4, 0, 0]}}," \
         " {'name': 'd', 'like': 'a', 'place': {'translate': [9, 0, 0]}, 'spin': [1, 0, 0]}]" more \
         "}"

static swModel *row_of(const char *text, const swConfig *config) {
    char buffer[2048];
    snprintf(buffer, sizeof buffer, text, -9.81, "implicit-euler");
    return compile_text(buffer, config);
}

static void islands_are_what_joints_hold_and_threads_agree(void **state) {
    (void)state;
    static const char text[] = ROW(", 'joints': [" JOINT("j", "a", "b", "0.1") "]");
    uint64_t hash[2];
    for (int threads = 1; threads <= 2; threads++) {
        swConfig config = sw_default_config();
        config.threads = threads;
        swModel *m = row_of(text, &config);
        assert_int_equal(m->size.ncompiled, 1);
        swState *s = make_state(m);
        step_or_fail(m, s, 20);
        assert_int_equal(sw_state_report(s)->islands, 3);
        hash[threads - 1] = sw_state_hash(s);
        // Those that nothing holds move as they do without joints.
        swModel *alone = row_of(ROW(""), &config);
        swState *t = make_state(alone);
        step_or_fail(alone, t, 20);
        for (int b = 2; b < 4; b++)
            assert_memory_equal(s->body[b]->q, t->body[b]->q,
                                (size_t)s->body[b]->model->size.nq * sizeof(swReal));
        sw_state_destroy(t);
        sw_model_destroy(alone);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
    assert_true(hash[0] == hash[1]);
}

// What holds which bodies together, and by which frames, is asked at every step.
static void couplings_may_change(void **state) {
    (void)state;
    static const char text[] =
        ROW(", 'joints': [" JOINT("j", "a", "b", "0.1") ", " JOINT("k", "b", "c", "0.3") "]");
    swModel *m = row_of(text, NULL);
    swState *s = make_state(m);
    step_or_fail(m, s, 1);
    assert_int_equal(sw_state_report(s)->islands, 2);
    swJointInfo *joint = m->joint;
    const swJointInfo j = joint[0], k = joint[1];
    const swJointInfo turn[][2] = {{j, j}, {k, k}, {j, k}, {k, j}};
    static const int islands[] = {3, 3, 2, 2};
    for (int i = 0; i < 12; i++) {
        memcpy(joint, turn[i % 4], sizeof turn[0]);
        step_or_fail(m, s, 1);
        assert_int_equal(sw_state_report(s)->islands, islands[i % 4]);
    }
    sw_state_destroy(s);
    sw_model_destroy(m);
}

static void islands_sleep_wake_and_stop_as_one(void **state) {
    (void)state;
    static const char text[] = HEAD
        "{'name': 'a', " BOX ", 'damping': {'mass': 20}, 'handles': [{'region': {'box': {'size':"
        " [1, 0, 1], 'center': [0, 0.1, 0]}}, 'motion': 'fixed'}]},"
        " {'name': 'b', " BOX ", 'damping': {'mass': 20}, 'place': {'translate': [0, -0.2, 0]}}],"
        " 'colliders': [{'plane': {'normal': [0, 1, 0], 'offset': -0.33}}],"
        " 'joints': [{'name': 'j', 'body': 'a', 'to': 'b', 'at': [0, -0.1, 0], 'stiffness': "
        "2000}]}";
    swModel *m = row_of(text, NULL);
    swState *s = make_state(m);
    for (int i = 0; i < 3000 && sw_state_report(s)->asleep == 0; i++) {
        step_or_fail(m, s, 1);
        assert_true(sw_state_report(s)->asleep != 1);
    }
    assert_int_equal(sw_state_report(s)->asleep, 2);
    swVec3 x[4096];
    sw_body_vertices(s, 1, x);
    sw_pull_body(s, 1, 0, sw_add(x[0], sw_v3(0.1, 0, 0)), 100);
    step_or_fail(m, s, 1);
    assert_int_equal(sw_state_report(s)->asleep, 0);
    assert_int_equal(sw_state_report(s)->islands, 1);
    const swReal before = s->body[0]->q[0];
    s->body[1]->q[0] = NAN; // nothing can be made of this
    assert_true(sw_step(m, s) != SW_OK);
    assert_int_equal(sw_state_report(s)->stopped, 2);
    assert_non_null(strstr(sw_state_report(s)->reason, "\"a\""));
    assert_non_null(strstr(sw_state_report(s)->reason, "\"b\""));
    assert_true(s->body[0]->q[0] == before);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

static void joints_are_kept_in_files(void **state) {
    (void)state;
    swModel *m = pair_of(kinds[0], kinds[6], -9.81, "implicit-euler", NULL);
    const char *path = temporary_path("joints.swm");
    swError error;
    require(sw_model_save(m, path, &error), &error);
    swModel *again = sw_model_load(path, NULL, &error);
    require(again != NULL, &error);
    swState *s = make_state(m), *t = make_state(again);
    step_or_fail(m, s, 10);
    step_or_fail(again, t, 10);
    assert_true(sw_state_hash(s) == sw_state_hash(t));
    sw_state_destroy(s);
    sw_state_destroy(t);
    sw_model_destroy(m);
    sw_model_destroy(again);
    remove(path);
}

static void want_of_memory_is_reported(void **state) {
    (void)state;
    Counter counter = {0};
    swConfig config = counting_config(&counter);
    swModel *m = pair_of(kinds[0], kinds[0], 0, "implicit-euler", &config);
    swState *s = make_state(m);
    int failures = 0;
    for (int call = 1;; call++, failures++) { // of the first step, each in turn
        counter.calls = 0;
        counter.fail_at = call;
        const swStatus status = sw_step(m, s);
        if (status == SW_OK)
            break;
        assert_int_equal(status, SW_ERROR_MEMORY);
    }
    assert_true(failures > 3);
    counter.fail_at = 0;
    step_or_fail(m, s, 1);
    sw_state_destroy(s);
    sw_model_destroy(m);
    assert_int_equal(counter.held, 0);
}

static void what_makes_no_sense_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *joint, *message;
    } bad[] = {
        {JOINT("j", "a", "a", "0.1"), "a body other than"},
        {JOINT("j", "a", "x", "0.1"), "joints[0].to"},
        {JOINT("j", "a", "c", "0.1"), "outside the body \"c\""},
        {"{'name': 'j', 'body': 'a', 'to': 'b', 'at': [0.1, 0, 0], 'stiffness': 0}", "stiffness"},
    };
    for (int i = 0; i < SW_COUNT(bad); i++) {
        char text[2048], head[2048];
        snprintf(text, sizeof text, ROW(", 'joints': [%s]"), 0.0, "bdf2", bad[i].joint);
        swError error;
        swScene *scene = parse_scene(text, &error);
        swModel *m = scene ? sw_compile(scene, &error) : NULL;
        assert_null(m);
        snprintf(head, sizeof head, "%s", error.message);
        if (!strstr(head, bad[i].message))
            fail_msg("expected \"%s\", found \"%s\"", bad[i].message, head);
        sw_scene_destroy(scene);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(stiffness_between_bodies_is_the_derivative),
    cmocka_unit_test(what_hangs_draws_the_joint_apart),
    cmocka_unit_test(equilibria_are_found_together),
    cmocka_unit_test(momentum_stays),
    cmocka_unit_test(islands_are_what_joints_hold_and_threads_agree),
    cmocka_unit_test(couplings_may_change),
    cmocka_unit_test(islands_sleep_wake_and_stop_as_one),
    cmocka_unit_test(joints_are_kept_in_files),
    cmocka_unit_test(want_of_memory_is_reported),
    cmocka_unit_test(what_makes_no_sense_is_refused),
};

SW_SUITE(joints, tests)
