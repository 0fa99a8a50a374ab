// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What a program does to a running simulation: pulls, the ball, moved handles, settings, another
// model.
#include "potentials/pull.h"
#include "kinematics/points.h"
#include "kinematics/rigid.h"
#include "world/body.h"
#include "test_scene.h"
#include "test_tools.h"

#include <sys/wait.h>

static const char *const frames_of[TEST_KINDS] = {
    [SW_NODE_RIGID] = "{'count': 4, 'kind': 'rigid'}",
    [SW_NODE_AFFINE] = "{'count': 4}",
    [SW_NODE_QUADRATIC] = "{'count': 3, 'kind': 'quadratic'}",
    [TEST_DUAL] = "{'count': 4, 'kind': 'rigid', 'blend': 'dual-quaternion'}"};

// A bar along x, held at its left end by one handle, with another that keys or nothing moves.
typedef struct {
    const char *frames, *integrator, *gravity, *motion;
    swReal young;
} Bar;
static const Bar plain = {.frames = "{'count': 4}",
                          .integrator = "implicit-euler",
                          .gravity = "[0, -9.81, 0]",
                          .motion = "'fixed'",
                          .young = 1e5};

static swScene *bar_scene(const Bar *bar, const swConfig *config) {
    char text[2048];
    swError error = {0};
    snprintf(text, sizeof text,
             "{'sinew': 1, 'time': {'step': 0.01, 'end': 1, 'integrator': '%s'}, 'gravity': %s,"
             " 'materials': {'rubber': {'young': %g}}, 'bodies': [{'name': 'bar',"
             "  'shape': {'box': {'size': [1, 0.2, 0.2]}}, 'resolution': 12, 'frames': %s,"
             "  'integration': {'points': 40}, 'place': {'translate': [0.1, 1, 0.2],"
             "   'rotate': {'axis': [1, 0, 0], 'degrees': 20}},"
             "  'damping': {'mass': 0.5, 'stiffness': 0.005}, 'handles': [{'name': 'wall',"
             "   'region': {'box': {'size': [0.1, 1, 1], 'center': [-0.5, 0, 0]}}, 'motion': %s},"
             "  {'name': 'free', 'region': {'box': {'size': [0.1, 1, 1], 'center': [0.4, 0, 0]}},"
             "   'motion': 'free'}]}]}",
             bar->integrator, bar->gravity, bar->young, bar->frames, bar->motion);
    swScene *scene = parse_with(text, config, &error);
    require(scene != NULL, &error);
    return scene;
}

static swModel *bar_model(const Bar *bar, const swConfig *config) {
    swScene *scene = bar_scene(bar, config);
    swModel *m = compile_scene(scene);
    sw_scene_destroy(scene);
    return m;
}

// The vertex farthest along a direction.
static int extreme_vertex(const swState *s, int body, swVec3 direction) {
    const int n = sw_body_vertex_count(s->model, body);
    swVec3 *x = malloc((size_t)n * sizeof *x);
    int best = 0;
    sw_body_vertices(s, body, x);
    for (int i = 1; i < n; i++)
        if (sw_dot(x[i], direction) > sw_dot(x[best], direction))
            best = i;
    free(x);
    return best;
}

static swPull pull_at(const swState *s, int pull) {
    swPull p;
    assert_true(sw_pull_get(s, pull, &p));
    return p;
}

// Every kind of thing at once: two pulls, a drawn frame, the ball, a moved handle.
static void meddle(swState *s) {
    const int tip = extreme_vertex(s, 0, sw_v3(1, 0, 0)),
              top = extreme_vertex(s, 0, sw_v3(0, 1, 0));
    const swReal k = sw_pull_stiffness(s->model, 0);
    const int a = sw_pull_body(s, 0, tip, sw_v3(0.7, 1.1, 0.2), k);
    sw_pull_body(s, 0, top, sw_v3(0, 1.3, 0.1), 0.5 * k);
    sw_pull_frame(s, 1, sw_v3(0.1, 1.05, 0.25), sw_mat_rotation(sw_v3(0.2, 0.1, 0.4)), k);
    sw_pull_move(s, a, sw_v3(0.65, 1.15, 0.2));
    sw_state_set_ball(s, sw_v3(0.35, 0.88, 0.2), 0.15);
    assert_true(sw_handle_move(s, 0, sw_v3(-0.35, 1.02, 0.2), sw_mat_rotation(sw_v3(0.1, 0, 0.1))));
}

// ---- pulls ----

// Energy, gradient and Hessian of the pulls alone, over the unknowns.
static swReal evaluate_pulls(swState *s, const swReal *q, swReal *g, swReal *H) {
    const swBodyModel *m = only_body(s->model);
    swWork *w = only_state(s)->work;
    swSystem sys = {.g = w->g, .H = &w->H};
    memset(w->g, 0, (size_t)m->size.nq * sizeof *w->g);
    sw_blocks_clear(&w->H);
    sw_pulls_add(m, s, 0, q, &sys);
    sw_nodes_fold_gradient(m, q, w->g, g);
    if (w->folded)
        sw_nodes_fold_hessian(m, q, w->g, &w->H, &w->A);
    if (H)
        sw_blocks_unpack(&w->A, H, (int)m->size.ndof);
    return sys.energy;
}

static void derivatives_are_those_of_the_energy(void **state) {
    (void)state;
    const swReal d = 1e-6;
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++) {
        Bar bar = plain;
        bar.frames = frames_of[kind];
        swModel *m = bar_model(&bar, NULL);
        swState *s = make_state(m);
        const swBodyModel *body = only_body(m);
        Random r = {(uint64_t)kind};
        meddle(s);
        sw_pull_frame(s, (int)body->handle[1].node, sw_v3(0.3, 1, 0),
                      sw_mat_rotation(sw_v3(1, -0.4, 0.3)), 300);
        const int n = (int)body->size.ndof;
        const size_t bytes = (size_t)body->size.nq * sizeof(swReal);
        swReal *step = calloc((size_t)n, sizeof *step), *q = malloc(bytes), *trial = malloc(bytes),
               *g = calloc((size_t)n, sizeof *g), *low = calloc((size_t)n, sizeof *g),
               *high = calloc((size_t)n, sizeof *g), *H = calloc((size_t)(n * n), sizeof *H),
               *fd = calloc((size_t)(n * n), sizeof *H);
        for (int i = 0; i < n; i++)
            step[i] = random_in(&r, -0.05, 0.05);
        memcpy(q, only_state(s)->q, bytes);
        sw_nodes_move(body, step, 1, q);
        evaluate_pulls(s, q, g, H);
        swReal gsize = 0, hsize = 0;
        for (int i = 0; i < n * n; i++)
            hsize = fmax(hsize, fabs(H[i]));
        for (int i = 0; i < n; i++)
            gsize = fmax(gsize, fabs(g[i]));
        assert_true(gsize > 1 && hsize > 1);
        for (int i = 0; i < n; i++) {
            swReal energy[2];
            for (int side = 0; side < 2; side++) {
                memset(step, 0, (size_t)n * sizeof *step);
                step[i] = side ? d : -d;
                memcpy(trial, q, bytes);
                sw_nodes_move(body, step, 1, trial);
                energy[side] = evaluate_pulls(s, trial, side ? high : low, NULL);
            }
            assert_near((energy[1] - energy[0]) / (2 * d), g[i], 1e-6 * gsize);
            for (int j = 0; j < n; j++)
                fd[i * n + j] = (high[j] - low[j]) / (2 * d);
        }
        for (int i = 0; i < n; i++) // the gradient of a rigid node turns with it: of both orders
            for (int j = 0; j <= i; j++)
                assert_near(0.5 * (fd[i * n + j] + fd[j * n + i]), H[i * n + j], 1e-6 * hsize);
        free(step), free(q), free(trial), free(g), free(low), free(high), free(H), free(fd);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

#define CUBE \
    "{'sinew': 1, 'time': {'step': 0.02, 'end': 1}, 'materials': {'rubber': {'young': 1e5}," \
    "  'core': {'young': 2e5}}, 'bodies': [{'shape': {'union': [" \
    "  {'box': {'size': [0.2, 0.2, 0.2]}, 'material': 'rubber'}," \
    "  {'box': {'size': [0.1, 0.1, 0.1]}, 'material': 'core'}]}, 'resolution': 8," \
    "  'surfaces': 'materials', 'frames': {'count': 2}, 'damping': {'mass': 5," \
    "  'stiffness': 0.01}}]}"

// A free cube on one spring comes to rest where the spring carries its weight.
static void a_cube_hangs_by_its_weight(void **state) {
    (void)state;
    swModel *m = compile_text(CUBE, NULL);
    for (int analysis = 0; analysis < 2; analysis++) {
        swState *s = make_state(m);
        const int v = extreme_vertex(s, 0, sw_v3(1, 10, 1));
        const swReal weight = 9.81 * sw_model_info(m).mass, k = 50 * weight;
        swVec3 *x = malloc((size_t)sw_body_vertex_count(m, 0) * sizeof *x);
        sw_body_vertices(s, 0, x);
        const int p = sw_pull_body(s, 0, v, x[v], k);
        assert_near(sw_norm(sw_sub(pull_at(s, p).at, x[v])), 0, 0);
        assert_int_equal(pull_at(s, p).frame, -1);
        if (analysis == 0)
            step_or_fail(m, s, 400);
        else
            solve_or_fail(m, s);
        const swPull pull = pull_at(s, p);
        assert_near(pull.to.y - pull.at.y, weight / k, 1e-5 * weight / k);
        assert_near(pull.force.y, weight, 1e-5 * weight);
        assert_near(hypot(pull.force.x, pull.force.z), 0, 1e-5 * weight);
        assert_near(sw_state_energy(s).pull, 0.5 * weight * weight / k, 1e-4 * weight * weight / k);
        free(x);
        sw_state_destroy(s);
    }
    sw_model_destroy(m);
}

static void parts_can_be_pulled(void **state) {
    (void)state;
    swModel *m = compile_text(CUBE, NULL);
    swState *s = make_state(m);
    assert_int_equal(sw_part_count(m), 2);
    const int part = 1, n = sw_part_vertex_count(m, part), v = n / 3;
    swVec3 *x = malloc((size_t)n * sizeof *x);
    sw_part_vertices(s, part, x);
    const swVec3 to = sw_add(x[v], sw_v3(0, 0.5, 0));
    const int p = sw_pull_part(s, part, v, to, 1e3);
    assert_near(sw_norm(sw_sub(pull_at(s, p).at, x[v])), 0, 0);
    step_or_fail(m, s, 200);
    sw_part_vertices(s, part, x);
    assert_near(sw_norm(sw_sub(pull_at(s, p).at, x[v])), 0, 0);
    assert_near(sw_norm(sw_sub(x[v], to)), 9.81 * sw_model_info(m).mass / 1e3, 1e-4);
    free(x);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// In equilibrium the wall bears what pulls do; a drawn frame comes near to where it is drawn.
static void statics_feel_pulls(void **state) {
    (void)state;
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++) {
        Bar bar = plain;
        bar.frames = frames_of[kind];
        bar.gravity = "[0, 0, 0]";
        swModel *m = bar_model(&bar, NULL);
        swState *s = make_state(m);
        swVec3 x, force, torque;
        swMat3 A;
        const swMat3 R = sw_mat_rotation(sw_v3(0.3, 0.1, 0.4));
        const int v = extreme_vertex(s, 0, sw_v3(1, 1, 0)),
                  frame = (int)only_body(m)->handle[1].node;
        const int p = sw_pull_body(s, 0, v, sw_v3(0.7, 1.3, 0.1), 200);
        solve_or_fail(m, s);
        const swPull pull = pull_at(s, p);
        sw_handle_wrench(s, 0, &force, &torque);
        assert_true(sw_norm(pull.force) > 5);
        assert_near(sw_norm(sw_add(force, pull.force)), 0, 1e-4 * sw_norm(pull.force));
        sw_pull_release(s, p);
        sw_frame_get(s, frame, &x, &A);
        const swVec3 to = sw_add(x, sw_v3(-0.02, 0.05, 0.03));
        const int drawn = sw_pull_frame(s, frame, x, A, 1e8);
        sw_pull_turn(s, drawn, to, sw_mat_mul(R, A));
        solve_or_fail(m, s);
        sw_frame_get(s, frame, &x, &A);
        assert_near(sw_norm(sw_sub(x, to)), 0, 1e-5);
        assert_near(mat_distance(A, pull_at(s, drawn).rotation), 0, 1e-4);
        assert_int_equal(pull_at(s, drawn).frame, frame);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

// What a spring at rest stores and gives is in the balance; what its user adds is not.
static void energy_is_balanced(void **state) {
    (void)state;
    static const char *const integrators[] = {"midpoint", "bdf2"};
    static const swReal allowed[] = {0.002, 0.1};
    for (int i = 0; i < SW_COUNT(integrators); i++) {
        Bar bar = plain;
        bar.integrator = integrators[i];
        swModel *m = bar_model(&bar, NULL);
        swState *s = make_state(m);
        const int p =
            sw_pull_body(s, 0, extreme_vertex(s, 0, sw_v3(1, 0, 0)), sw_v3(0.7, 1.2, 0.2), 300);
        swReal drift = 0, stored = 0;
        for (int n = 0; n < 60; n++) {
            if (n % 10 == 0)
                sw_pull_move(s, p, sw_v3(0.7, n % 20 ? 0.8 : 1.3, 0.2));
            step_or_fail(m, s, 1);
            drift += fabs(sw_state_report(s)->drift);
            stored = fmax(stored, sw_state_energy(s).pull);
        }
        assert_true(stored > 5);
        if (!(drift < allowed[i] * stored))
            fail_msg("%s: drift %g of %g J", integrators[i], drift, stored);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

static void all_pulls_can_be_used(void **state) {
    (void)state;
    swModel *m = bar_model(&plain, NULL);
    swState *s = make_state(m);
    const uint64_t start = sw_state_hash(s);
    swPull p;
    for (int i = 0; i < SW_PULLS; i++)
        assert_int_equal(sw_pull_body(s, 0, i, sw_v3(0.01 * i, 1, 0), 1 + i), i);
    assert_int_equal(sw_pull_body(s, 0, 1, sw_v3(0, 1, 0), 1), -1);
    assert_int_equal(sw_pull_frame(s, 1, sw_v3(0, 1, 0), sw_mat_identity(), 1), -1);
    step_or_fail(m, s, 1);
    for (int i = 0; i < SW_PULLS; i += 3)
        sw_pull_release(s, i);
    assert_false(sw_pull_get(s, 3, &p));
    assert_false(sw_pull_get(s, -1, &p));
    assert_false(sw_pull_get(s, SW_PULLS, &p));
    assert_near(pull_at(s, 4).stiffness, 5, 0);
    for (int i = 0; i < SW_PULLS; i += 3) // the places that are free
        assert_int_equal(sw_pull_body(s, 0, i, sw_v3(0, 1, 0), 1), i);
    for (int i = 0; i < SW_PULLS; i++)
        sw_pull_release(s, (i * 29 + 5) % SW_PULLS);
    for (int i = 0; i < SW_PULLS; i++)
        assert_false(sw_pull_get(s, i, &p));
    sw_state_reset(s);
    assert_true(sw_state_hash(s) == start);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// ---- the ball ----

// How deep the worst contact point is in the ball.
static swReal deepest(const swState *s) {
    const swBodyModel *m = only_body(s->model);
    const swReal *q = only_state(s)->q;
    swVec3 center;
    const swReal radius = sw_state_ball(s, &center);
    swReal depth = 0;
    for (int i = 0; i < m->size.ncontact; i++)
        depth = fmax(
            depth, radius - sw_norm(sw_sub(sw_point_position(m, q, m->contact[i].point), center)));
    return depth;
}

#define BLOCK \
    "{'sinew': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.01, 'end': 1}," \
    " 'materials': {'rubber': {'young': 5e4}}, 'bodies': [{'shape': {'box':" \
    "  {'size': [0.4, 0.4, 0.4]}}, 'resolution': 16, 'frames': {'count': 6}," \
    "  'damping': {'mass': 1, 'stiffness': 0.01}, 'handles': [{'name': 'ground'," \
    "  'region': {'box': {'size': [1, 0.05, 1], 'center': [0, -0.2, 0]}}}]}]," \
    " 'probes': [{'name': 'top', 'point': [0, 0.199, 0]}]}"

// Pressed into a block from above, then dragged along it: nothing else touches the block.
static void a_ball_pushes_and_drags(void **state) {
    (void)state;
    swModel *m = compile_text(BLOCK, NULL);
    swState *s = make_state(m);
    const swReal radius = 0.15, voxel = 0.4 / 16;
    swReal work = 0, dissipated = 0;
    const uint64_t start = sw_state_hash(s);
    swVec3 center;
    assert_near(sw_state_ball(s, &center), 0, 0);
    for (int i = 0; i < 60; i++) {
        sw_state_set_ball(s, sw_v3(0, 0.36 - 0.002 * sw_min_int(i, 35), 0), radius);
        step_or_fail(m, s, 1);
        assert_true(deepest(s) < 0.25 * voxel);
        work += sw_state_report(s)->work;
        dissipated += sw_state_report(s)->dissipated;
    }
    // It is a collider: what it does is work, which is stored or lost.
    const swEnergy e = sw_state_energy(s);
    assert_true(work > 0);
    assert_near(e.elastic + e.contact + e.kinetic + dissipated, work, 0.05 * work);
    assert_near(sw_state_ball(s, &center), radius, 0);
    assert_true(deepest(s) > 0 && sw_state_report(s)->contacts > 4);
    assert_true(sw_state_energy(s).contact > 0);
    assert_near(sw_probe_displacement(s, 0).y, -0.06, 0.25 * voxel);
    for (int i = 1; i <= 20; i++) {
        sw_state_set_ball(s, sw_v3(0, 0.29, 0.001 * i), radius);
        step_or_fail(m, s, 1);
    }
    assert_true(sw_probe_displacement(s, 0).z > 0.01); // by friction
    sw_state_set_ball(s, sw_v3(0, 0, 0), 0);
    step_or_fail(m, s, 150);
    assert_int_equal(sw_state_report(s)->contacts, 0);
    assert_near(sw_norm(sw_probe_displacement(s, 0)), 0, 1e-3);
    sw_state_reset(s);
    assert_true(sw_state_hash(s) == start);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// ---- handles ----

static void moved_handles_arrive(void **state) {
    (void)state;
    static const char *const motion[] = {"'fixed'", "{'keys': [{'t': 0}, {'t': 5}]}"};
    const swVec3 to = {-0.3, 1.03, 0.22};
    const swMat3 R = sw_mat_rotation(sw_v3(0.1, -0.05, 0.2));
    for (int i = 0; sw_integrator_name(i); i++)
        for (int way = 0; way < 2; way++) {
            Bar bar = plain;
            bar.integrator = sw_integrator_name(i);
            bar.motion = motion[way];
            swModel *m = bar_model(&bar, NULL);
            if (strcmp(bar.integrator, "symplectic-euler") == 0)
                m->settings.step = 1e-4;
            swState *s = make_state(m);
            const swBodyModel *body = only_body(m);
            const int node = body->handle[0].node;
            swVec3 x;
            swMat3 A0, A;
            sw_frame_get(s, node, &x, &A0);
            assert_false(sw_handle_move(s, 1, to, R)); // nothing outside holds it
            for (int k = 1; k <= 10; k++) {
                const swMat3 part = sw_mat_rotation(sw_scale(0.1 * k, sw_v3(0.1, -0.05, 0.2)));
                assert_true(sw_handle_move(s, 0, sw_lerp(x, to, 0.1 * k), part));
                step_or_fail(m, s, 1);
            }
            step_or_fail(m, s, 3);
            sw_frame_get(s, node, &x, &A);
            assert_near(sw_norm(sw_sub(x, to)), 0, 1e-15);
            assert_near(mat_distance(A, sw_mat_mul(R, A0)), 0, 1e-15);
            swReal speed = 0;
            for (int k = 0; k < 12; k++)
                speed = fmax(speed, fabs(only_state(s)->v[body->node[node].q + k]));
            assert_near(speed, 0, 1e-9);
            sw_state_destroy(s);
            sw_model_destroy(m);
        }
}

// A handle told step by step where its keys would bring it moves as by keys.
static void moved_handles_move_as_by_keys(void **state) {
    (void)state;
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++)
        for (int i = 0; sw_integrator_name(i); i++) {
            Bar bar = plain;
            bar.integrator = sw_integrator_name(i);
            bar.frames = frames_of[kind];
            if (strcmp(bar.integrator, "symplectic-euler") == 0)
                continue; // at its end alone, as those that are asked below
            swModel *told = bar_model(&bar, NULL);
            bar.motion = "{'keys': [{'t': 0}, {'t': 0.2, 'translate': [0.1, 0.1, 0]}]}";
            swModel *keyed = bar_model(&bar, NULL);
            swState *a = make_state(told), *b = make_state(keyed);
            const swVec3 from = only_body(told)->handle[0].center;
            swReal work[2] = {0, 0};
            for (int k = 1; k <= 15; k++) {
                sw_handle_move(a, 0, sw_madd(from, 0.05 * k, sw_v3(0.1, 0.1, 0)),
                               sw_mat_identity());
                step_or_fail(told, a, 1);
                step_or_fail(keyed, b, 1);
                work[0] += sw_state_report(a)->work;
                work[1] += sw_state_report(b)->work;
            }
            swReal apart = 0;
            for (int64_t k = 0; k < told->size.nq; k++)
                apart = fmax(apart, fabs(only_state(a)->q[k] - only_state(b)->q[k]));
            assert_near(apart, 0, 1e-6);
            assert_true(fabs(work[0]) > 0.01);
            assert_near(work[0], work[1], 1e-4 * fabs(work[0]));
            sw_state_destroy(a);
            sw_state_destroy(b);
            sw_model_destroy(told);
            sw_model_destroy(keyed);
        }
}

// ---- all of it as part of the state ----

static void threads_do_not_matter(void **state) {
    (void)state;
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        swConfig config = sw_default_config();
        config.threads = 1 << i;
        swModel *m = bar_model(&plain, &config);
        swState *s = make_state(m);
        meddle(s);
        int touched = 0;
        for (int k = 0; k < 20; k++) {
            step_or_fail(m, s, 1);
            touched += sw_state_report(s)->contacts > 0;
        }
        assert_true(touched > 0);
        hash[i] = sw_state_hash(s);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

static void states_keep_what_was_done(void **state) {
    (void)state;
    swError error = {0};
    swModel *m = bar_model(&plain, NULL);
    swState *s = make_state(m), *t = make_state(m), *u = make_state(m);
    const uint64_t start = sw_state_hash(s);
    char path[512];
    snprintf(path, sizeof path, "%s", temporary_path("live.sws"));
    step_or_fail(m, s, 3);
    meddle(s);
    step_or_fail(m, s, 5);
    require(sw_state_save(s, path, &error), &error);
    require(sw_state_load(t, path, &error), &error);
    sw_state_copy(u, s);
    assert_true(sw_state_hash(s) == sw_state_hash(t) && sw_state_hash(s) == sw_state_hash(u));
    sw_pull_move(s, 0, sw_v3(0.6, 1, 0.3));
    sw_pull_move(t, 0, sw_v3(0.6, 1, 0.3));
    assert_true(sw_state_hash(s) != sw_state_hash(u));
    step_or_fail(m, s, 5);
    step_or_fail(m, t, 5);
    assert_true(sw_state_hash(s) == sw_state_hash(t));
    sw_state_reset(s);
    assert_true(sw_state_hash(s) == start);
    // A file that pulls at what is not there.
    u->pull[1].point = (int)only_body(m)->size.npoint;
    require(sw_state_save(u, path, &error), &error);
    assert_false(sw_state_load(t, path, &error));
    assert_int_equal(error.code, SW_ERROR_FORMAT);
    remove(path);
    sw_state_destroy(s);
    sw_state_destroy(t);
    sw_state_destroy(u);
    sw_model_destroy(m);
}

static void steps_still_allocate_nothing(void **state) {
    (void)state;
    Counter counter = {0};
    swConfig config = counting_config(&counter);
    swModel *m = bar_model(&plain, &config);
    swState *s = make_state(m);
    step_or_fail(m, s, 1);
    const int calls = counter.calls;
    meddle(s);
    step_or_fail(m, s, 5);
    sw_state_hash(s);
    sw_state_energy(s);
    sw_pull_release(s, 1);
    step_or_fail(m, s, 5);
    sw_state_reset(s);
    assert_int_equal(counter.calls, calls);
    sw_state_destroy(s);
    sw_model_destroy(m);
    assert_int_equal(counter.held, 0);
}

// Asserts stop the process, or do nothing where they are left out.
static void expect_refused(swState *s, int (*attempt)(swState *)) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(2);
        const uint64_t before = sw_state_hash(s);
        _exit(attempt(s) > 0 || sw_state_hash(s) != before);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
}

static int no_such_vertex(swState *s) { return sw_pull_body(s, 0, 1 << 20, sw_v3(0, 0, 0), 1); }
static int no_such_body(swState *s) { return sw_pull_body(s, 1, 0, sw_v3(0, 0, 0), 1); }
static int no_such_part(swState *s) { return sw_pull_part(s, 0, 0, sw_v3(0, 0, 0), 1); }
static int no_place(swState *s) { return sw_pull_body(s, 0, 0, sw_v3(0, NAN, 0), 1); }
static int no_stiffness(swState *s) { return sw_pull_body(s, 0, 0, sw_v3(0, 0, 0), 0); }
static int no_rotation(swState *s) {
    return sw_pull_frame(s, 0, sw_v3(0, 0, 0), (swMat3){{1, 0.1, 0, 0, 1, 0, 0, 0, 1}}, 1);
}
static int no_pull(swState *s) {
    sw_pull_release(s, 3);
    return 0;
}
static int no_ball(swState *s) {
    sw_state_set_ball(s, sw_v3(0, 0, 0), NAN);
    return 0;
}
static int no_handle(swState *s) { return sw_handle_move(s, 2, sw_v3(0, 0, 0), sw_mat_identity()); }

static void bad_arguments_are_refused(void **state) {
    (void)state;
    static int (*const attempts[])(swState *) = {no_such_vertex, no_such_body, no_such_part,
                                                 no_place,       no_stiffness, no_rotation,
                                                 no_pull,        no_ball,      no_handle};
    swModel *m = bar_model(&plain, NULL);
    swState *s = make_state(m);
    for (int i = 0; i < SW_COUNT(attempts); i++)
        expect_refused(s, attempts[i]);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// ---- other settings, other models ----

static void adjusted_models_are_as_compiled(void **state) {
    (void)state;
    for (int kind = SW_NODE_AFFINE; kind < TEST_KINDS; kind++) {
        Bar bar = plain;
        bar.frames = frames_of[kind];
        swError error = {0};
        swModel *a = bar_model(&bar, NULL);
        swScene *scene = bar_scene(&bar, NULL);
        scene->gravity = sw_v3(3, 2, -1);
        scene->time.step = 0.005;
        scene->bodies->damping_stiffness = 0.02;
        scene->bodies->damping_mass = 0;
        swState *s = make_state(a), *old = make_state(a);
        step_or_fail(a, old, 3);
        require(sw_model_adjust(a, scene, &error), &error);
        swModel *b = compile_scene(scene);
        assert_true(sw_model_hash(a) == sw_model_hash(b));
        swState *t = make_state(b);
        sw_state_reset(s);
        step_or_fail(a, s, 10);
        step_or_fail(b, t, 10);
        assert_true(sw_state_hash(s) == sw_state_hash(t));
        step_or_fail(a, old, 1); // weight has changed, which is not the integrator's doing
        assert_near(sw_state_report(old)->drift, 0, 2);
        step_or_fail(a, old, 1); // the clock goes on from where it was
        assert_near(sw_state_time(old), 3 * 0.01 + 2 * 0.005, 1e-12);

        const uint64_t hash = sw_model_hash(a);
        scene->gravity.x = NAN;
        assert_false(sw_model_adjust(a, scene, &error));
        assert_int_equal(error.code, SW_ERROR_VALUE);
        scene->gravity.x = 1;
        sw_body_add_shape(scene, sw_scene_add_body(scene, "more"), SW_SHAPE_SPHERE);
        assert_false(sw_model_adjust(a, scene, &error));
        assert_int_equal(error.code, SW_ERROR_VALUE);
        assert_true(sw_model_hash(a) == hash);
        sw_scene_destroy(scene);
        sw_state_destroy(s);
        sw_state_destroy(old);
        sw_state_destroy(t);
        sw_model_destroy(a);
        sw_model_destroy(b);
    }
}

static swReal vertices_apart(const swState *a, const swState *b) {
    const int n = sw_body_vertex_count(a->model, 0);
    swVec3 *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    swReal apart = 0;
    sw_body_vertices(a, 0, x);
    sw_body_vertices(b, 0, y);
    for (int i = 0; i < n; i++)
        apart = fmax(apart, sw_norm(sw_sub(x[i], y[i])));
    free(x);
    free(y);
    return apart;
}

static void states_are_carried_over(void **state) {
    (void)state;
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++) {
        Bar bar = plain;
        bar.frames = frames_of[kind];
        swModel *m = bar_model(&bar, NULL), *same = bar_model(&bar, NULL);
        bar.young *= 3;
        swModel *stiffer = bar_model(&bar, NULL);
        bar.frames = "{'count': 5}";
        swModel *other = bar_model(&bar, NULL);
        swState *s = make_state(m), *t = make_state(same), *u = make_state(stiffer),
                *v = make_state(other);
        meddle(s);
        step_or_fail(m, s, 12);
        assert_true(sw_state_carry(t, s) && sw_state_carry(u, s));
        assert_int_equal(sw_state_steps(u), 12);
        assert_near(sw_state_time(u), 0.12, 1e-12);
        assert_near(vertices_apart(s, t), 0, 0);
        assert_near(vertices_apart(s, u), 0, 1e-12);
        assert_near(pull_at(u, 2).stiffness, pull_at(s, 2).stiffness, 0);
        assert_true(sw_state_energy(u).elastic > 1.5 * sw_state_energy(s).elastic);
        assert_near(sw_state_energy(u).kinetic, sw_state_energy(s).kinetic,
                    1e-9 * sw_state_energy(s).kinetic);
        step_or_fail(m, s, 10);
        step_or_fail(same, t, 10);
        step_or_fail(stiffer, u, 10);
        assert_near(vertices_apart(s, t), 0, 1e-6);
        assert_true(vertices_apart(s, u) > 1e-3);
        const uint64_t before = sw_state_hash(v);
        assert_false(sw_state_carry(v, s));
        assert_true(sw_state_hash(v) == before);
        sw_state_destroy(s);
        sw_state_destroy(t);
        sw_state_destroy(u);
        sw_state_destroy(v);
        sw_model_destroy(m);
        sw_model_destroy(same);
        sw_model_destroy(stiffer);
        sw_model_destroy(other);
    }
}

// Frames are placed by compliance: they stand elsewhere in the second model, but move alike.
static void frames_may_have_moved(void **state) {
    (void)state;
    static const char *const bar =
        "{'sinew': 1, 'materials': {'soft': {'young': 1e4}, 'other': {'young': %s}},"
        " 'bodies': [{'shape': {'union': [{'box': {'size': [1, 0.2, 0.2]}, 'material': 'soft'},"
        "  {'box': {'size': [0.5, 0.2, 0.2], 'center': [0.25, 0, 0]}, 'material': 'other'}]},"
        "  'resolution': 20, 'spin': [0, 0, 5], 'frames': %s}]}";
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++) {
        swModel *m[2];
        for (int i = 0; i < 2; i++) {
            char frames[256], text[1024];
            snprintf(frames, sizeof frames, "%.*s, 'weights': {'distance': 'compliance'}}",
                     (int)strlen(frames_of[kind]) - 1, frames_of[kind]);
            snprintf(text, sizeof text, bar, i ? "5e5" : "1e4", frames);
            m[i] = compile_text(text, NULL);
        }
        swState *s = make_state(m[0]), *t = make_state(m[1]);
        const swBodyModel *one = only_body(m[0]), *two = only_body(m[1]);
        Random r = {5};
        swReal moved = 0;
        static const swReal whole = 1;
        step_or_fail(m[0], s, 10);
        assert_true(sw_state_carry(t, s));
        for (int i = 0; i < one->size.nnode; i++) {
            moved = fmax(moved, sw_norm(sw_sub(one->node[i].origin, two->node[i].origin)));
            const swAnchor at = {.n = 1, .node = &i, .weight = &whole, .p = random_vec(&r, 0.5)};
            assert_near(sw_norm(sw_sub(sw_anchor_position(one, only_state(s)->q, &at),
                                       sw_anchor_position(two, only_state(t)->q, &at))),
                        0, 1e-12);
        }
        assert_true(moved > 0.05);
        step_or_fail(m[1], t, 10);
        sw_state_destroy(s);
        sw_state_destroy(t);
        sw_model_destroy(m[0]);
        sw_model_destroy(m[1]);
    }
}

// Modes of another material move the surface nearly as those did that it had, and of a relaxed body
// the frames go on.
static void amplitudes_are_carried_over(void **state) {
    (void)state;
    static const char *const bar =
        "{'sinew': 1, 'materials': {'m': {'young': 1e5, 'poisson': %s}}, 'bodies': [{'shape': "
        "{'box': {'size': [1, 0.2, 0.2]}}, 'resolution': 20, 'frames': {'count': 3}, "
        "'integration': {'correct': %s}, 'handles': [{'region': {'halfspace': {'normal': [1, 0, "
        "0], 'offset': -0.45}}}]}]}";
    static const char *const poisson[] = {"0.3", "0.4", "0.3"}, *const correct[] = {"true", "true",
                                                                                    "false"};
    swModel *m[3];
    swState *s[3];
    for (int i = 0; i < 3; i++) {
        char text[1024];
        snprintf(text, sizeof text, bar, poisson[i], correct[i]);
        m[i] = compile_text(text, NULL);
        s[i] = make_state(m[i]);
        assert_int_equal(only_body(m[i])->body[0].strains == SW_STRAINS_CORRECTED, i < 2);
    }
    step_or_fail(m[0], s[0], 10);
    for (int i = 1; i < 3; i++)
        assert_true(sw_state_carry(s[i], s[0]));
    const swReal modes = vertices_apart(s[0], s[2]);
    assert_true(modes > 1e-4);
    assert_true(vertices_apart(s[0], s[1]) < 0.2 * modes);
    for (int i = 1; i < 3; i++)
        step_or_fail(m[i], s[i], 10);
    assert_true(sw_state_carry(s[0], s[2]));
    step_or_fail(m[0], s[0], 10);
    for (int i = 0; i < 3; i++) {
        sw_state_destroy(s[i]);
        sw_model_destroy(m[i]);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(amplitudes_are_carried_over),
    cmocka_unit_test(derivatives_are_those_of_the_energy),
    cmocka_unit_test(a_cube_hangs_by_its_weight),
    cmocka_unit_test(parts_can_be_pulled),
    cmocka_unit_test(statics_feel_pulls),
    cmocka_unit_test(energy_is_balanced),
    cmocka_unit_test(all_pulls_can_be_used),
    cmocka_unit_test(a_ball_pushes_and_drags),
    cmocka_unit_test(moved_handles_arrive),
    cmocka_unit_test(moved_handles_move_as_by_keys),
    cmocka_unit_test(threads_do_not_matter),
    cmocka_unit_test(states_keep_what_was_done),
    cmocka_unit_test(steps_still_allocate_nothing),
    cmocka_unit_test(bad_arguments_are_refused),
    cmocka_unit_test(adjusted_models_are_as_compiled),
    cmocka_unit_test(states_are_carried_over),
    cmocka_unit_test(frames_may_have_moved),
};

SW_SUITE(live, tests)
