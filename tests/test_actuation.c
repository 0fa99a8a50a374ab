// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Muscles, rest shapes over time, and shapes that a body follows. Derivatives of whole objectives
// with them are checked in test_kinematics.c.
#include "potentials/measure.h"
#include "potentials/muscle.h"
#include "output/sequence.h"
#include "material/plasticity.h"
#include "material/rest.h"
#include "solve/work.h"
#include "test_law.h"
#include "test_scene.h"

// ---- rest shapes of single samples ----

static swReal shares_energy(const Solid *solid, const swReal *F, const swReal *stretch, int n,
                            const swReal *z, swReal *P, swReal *C, swReal *inverse) {
    swReal Fe[9 * SW_LANES], psi[SW_LANES], sum = 0;
    sw_rest_inverse(1, n, z, stretch, inverse);
    sw_plastic_split(1, inverse, F, Fe);
    solid->law->evaluate(solid->coefficient, 1, Fe, psi, P, C);
    sw_plastic_pull(1, inverse, P, C);
    for (int lane = 0; lane < SW_LANES; lane++)
        sum += (lane + 1) * psi[lane];
    return sum;
}

static void the_inverse_is_that_of_the_mix(void **state) {
    (void)state;
    Random r = {5};
    swReal stretch[3 * SW_STRETCH * SW_LANES], inverse[SW_PLASTIC * SW_LANES];
    const swReal z[3] = {0.3, 0, 1};
    for (int i = 0; i < SW_COUNT(stretch); i++)
        stretch[i] = random_in(&r, -0.2, 0.2);
    sw_rest_inverse(1, 3, z, stretch, inverse);
    for (int lane = 0; lane < SW_LANES; lane++) {
        static const int at[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
        swMat3 G = sw_mat_identity(), A;
        for (int i = 0; i < 9; i++) {
            A.m[i] = inverse[i * SW_LANES + lane];
            for (int k = 0; k < 3; k++)
                G.m[i] += z[k] * stretch[(k * SW_STRETCH + at[i]) * SW_LANES + lane];
        }
        assert_near(mat_distance(sw_mat_mul(G, A), sw_mat_identity()), 0, 1e-14);
    }
}

static void energy_has_its_derivatives_in_shares(void **state) {
    (void)state;
    enum { N = 2 };
    const int shape[N] = {2, 0};
    const swReal d = 1e-5, weight[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    Random r = {6};
    for (int law = 0; sw_law_name(law); law++) {
        const Solid solid = make_solid(sw_law_at(law), 3, 0.3);
        swReal F[9 * SW_LANES], stretch[3 * SW_STRETCH * SW_LANES], inverse[SW_PLASTIC * SW_LANES],
            P[9 * SW_LANES], C[SW_TANGENT * SW_LANES], z[3] = {0.4, 0.7, 0.2};
        for (int i = 0; i < 9 * SW_LANES; i++)
            F[i] = (i / SW_LANES % 4 == 0) + random_in(&r, -0.1, 0.1);
        for (int i = 0; i < SW_COUNT(stretch); i++)
            stretch[i] = random_in(&r, -0.15, 0.15);
        const swRestBlock block = {F, P, C, inverse, weight, stretch};
        swReal g[N] = {0}, H[N * N] = {0};
        shares_energy(&solid, F, stretch, 3, z, P, C, inverse);
        sw_rest_derive(&block, N, shape, g, H);
        for (int k = 0; k < N; k++) {
            swReal e[2], slope[2][N] = {{0}}, unused[N * N];
            for (int side = 0; side < 2; side++) {
                swReal y[3];
                memcpy(y, z, sizeof y);
                y[shape[k]] += side ? d : -d;
                e[side] = shares_energy(&solid, F, stretch, 3, y, P, C, inverse);
                sw_rest_derive(&block, N, shape, slope[side], unused);
            }
            assert_near(g[k], (e[1] - e[0]) / (2 * d), 1e-7 * (1 + fabs(g[k])));
            for (int l = 0; l < N; l++)
                assert_near(H[k * N + l], (slope[1][l] - slope[0][l]) / (2 * d),
                            1e-6 * (1 + fabs(H[0]) + fabs(H[3])));
        }
    }
}

// ---- bodies at rest in another shape ----

#define BLOCK(scene, kind, material, body) \
    "{'sinew': 1, 'gravity': [0, 0, 0], 'solver': {'tolerance': 1e-12}" scene \
    ", 'materials': {'m': {'young': 1e4, 'poisson': 0.3" material "}}" \
    ", 'bodies': [{'shape': {'box': {'size': [1, 0.5, 0.4]}}, 'resolution': 8, 'frames': {'kind':" \
    " '" kind "', 'at': [[-0.4, 0, 0], [0.1, 0.1, 0], [0.4, -0.1, 0.1]]}, 'integration':" \
    " {'points': 60}" body "}]}"
#define LONGER "{'name': 'longer', 'parts': [{'stretch': [1.2, 0.9, 0.95]}]}"

// Distances of surface points are those of the stretched block.
static void assert_stretched(const swModel *m, const swState *s, swVec3 by, swReal tolerance) {
    const swBodyModel *b = only_body(m);
    const int n = sw_body_vertex_count(m, 0);
    swVec3 *x = calloc((size_t)n, sizeof *x);
    sw_body_vertices(s, 0, x);
    for (int i = 1; i < n; i++) {
        const swVec3 d = sw_sub(b->point[i], b->point[0]);
        assert_near(sw_norm(sw_sub(x[i], x[0])), sw_norm(sw_v3(by.x * d.x, by.y * d.y, by.z * d.z)),
                    tolerance);
    }
    free(x);
}

static void a_free_body_comes_to_rest_in_its_rest_shape(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++)
        for (int law = 0; sw_law_name(law); law++) {
            if (!sw_law_at(law)->objective) // free to grow by what it takes for a rotation
                continue;
            swError error = {0};
            const char *text =
                kind ? BLOCK(", 'time': {'step': 0.5}", "quadratic", "",
                             ", 'damping': {'mass': 1, 'stiffness': 0.2}, 'shapes': [" LONGER "]")
                     : BLOCK(", 'time': {'step': 0.5}", "affine", "",
                             ", 'damping': {'mass': 1, 'stiffness': 0.2}, 'shapes': [" LONGER "]");
            swScene *scene = parse_scene(text, &error);
            require(scene != NULL, &error);
            scene->materials->law = sw_law_name(law);
            swModel *m = compile_scene(scene);
            swState *s = make_state(m);
            sw_state_set_shape(s, 0, 1);
            step_or_fail(m, s, 120);
            assert_stretched(m, s, sw_v3(1.2, 0.9, 0.95), 1e-9);
            assert_near(sw_state_energy(s).elastic, 0, 1e-14);
            sw_state_destroy(s);
            sw_model_destroy(m);
            sw_scene_destroy(scene);
        }
}

// Strain is shown relative to the present rest shape.
static void measured_strain_is_elastic(void **state) {
    (void)state;
    swModel *m = compile_text(
        BLOCK("", "affine", "", ", 'shapes': [{'value': 1, 'parts': [{'stretch': [1.2, 1, 1]}]}]"),
        NULL);
    const swBodyModel *b = only_body(m);
    swState *s = make_state(m);
    swBodyState *x = only_state(s);
    swArena arena;
    swMeasureWork work;
    swError error = {0};
    swReal *value = calloc((size_t)b->size.nsample, sizeof *value);
    sw_arena_init(&arena, &m->config.allocator);
    require(sw_measure_create(&work, b, 1, &arena, &error), &error);
    const swMeasureInput input = sw_measure_input(x);
    sw_measure(b, &work, s->pool, SW_MEASURE_STRAIN, &input, value);
    for (int64_t i = 0; i < b->size.nsample; i++)
        assert_near(value[i], 0, 1e-12); // pressed along x, not strained across
    for (int64_t i = 0; i < b->size.nnode; i++)
        x->q[b->node[i].q] *= 1.2, x->q[b->node[i].q + 1] = 1.2;
    sw_measure(b, &work, s->pool, SW_MEASURE_ENERGY, &input, value);
    for (int64_t i = 0; i < b->size.nsample; i++)
        assert_near(value[i], 0, 1e-12);
    sw_arena_free(&arena);
    free(value);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// A held bar whose rest shape is an arc of 90 degrees becomes that arc.
static void a_bent_rest_shape_is_an_arc(void **state) {
    (void)state;
    static const char *const correct[] = {"", ", 'correct': false"};
    for (int k = 0; k < 2; k++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "{'sinew': 1, 'analysis': 'static', 'gravity': [0, 0, 0], 'solver': {'increments': 4},"
            " 'bodies': [{'shape': {'box': {'size': [1, 0.1, 0.1], 'center': [0.5, 0, 0]}}, "
            "'voxel':"
            " 0.0125, 'frames': {'kind': 'affine', 'weights': {'kind': 'spline'}, 'at': [[0.125, "
            "0, 0],"
            " [0.25, 0, 0], [0.375, 0, 0], [0.5, 0, 0], [0.625, 0, 0], [0.75, 0, 0], [0.875, 0, 0],"
            " [1, 0, 0]]}, 'integration': {'points': 600%s}, 'handles': [{'name': 'wall', 'region':"
            " {'box': {'size': [0, 1, 1]}}}], 'shapes': [{'value': {'keys': [{'t': 0, 'value': 0},"
            " {'t': 1, 'value': 1}]}, 'parts': [{'bend': 90, 'to': [1, 0, 0]}]}]}],"
            " 'probes': [{'name': 'tip', 'point': [1, 0, 0]}]}",
            correct[k]);
        swModel *m = compile_text(text, NULL);
        swState *s = make_state(m);
        solve_or_fail(m, s);
        const swVec3 tip = sw_probe_position(s, 0);
        assert_near(tip.x, 2 / SW_PI, 0.02);
        assert_near(tip.y, 2 / SW_PI, 0.02);
        if (k == 1) // points that are chosen are not symmetric
            assert_near(tip.z, 0, 1e-6);
        sw_state_destroy(s);
        sw_model_destroy(m);
    }
}

// ---- momentum, energy, threads, files ----

#define CRAWLS \
    ", 'spin': [0.3, 1, 0.2], 'muscles': [{'name': 'flexor', 'from': {'point': [-0.4, 0.2, 0]}," \
    " 'to': {'point': [0.4, 0.2, 0.1]}, 'strength': 30, 'stiffness': 300, 'length': 0.5," \
    " 'activation': {'keys': [{'t': 0, 'value': 0}, {'t': 0.1, 'value': 1}, {'t': 0.2, 'value':" \
    " 0}], 'repeat': 0.25}}], 'shapes': [{'name': 'longer', 'value': {'keys': [{'t': 0, 'value':" \
    " 0}, {'t': 0.2, 'value': 1}], 'repeat': 0.4}, 'parts': [{'stretch': [1.2, 0.9, 0.95], 'on':" \
    " {'halfspace': {'normal': [1, 0, 0]}}}]}, {'name': 'bent', 'follow': 0.1, 'parts':" \
    " [{'bend': 40, 'from': [-0.5, 0, 0], 'to': [0.5, 0, 0]}]}]"

// Forces of muscles and rest shapes have neither resultant nor moment.
static void internal_forces_keep_momentum(void **state) {
    (void)state;
    swModel *m = compile_text(BLOCK(", 'time': {'step': 0.01}", "affine", "", CRAWLS), NULL);
    const swBodyModel *b = only_body(m);
    swState *s = make_state(m);
    swBodyState *x = only_state(s);
    swVec3 before, after, unused;
    sw_state_momentum(s, &before, &unused);
    step_or_fail(m, s, 30);
    sw_state_momentum(s, &after, &unused);
    assert_near(sw_norm(sw_sub(after, before)), 0, 1e-10);
    const swObjective here = {0};
    sw_objective_evaluate(b, x, &here, x->q, true, false, SW_PROJECT_NONE);
    swVec3 force = {0, 0, 0}, moment = {0, 0, 0};
    swReal size = 0;
    for (int64_t i = 0; i < b->size.nnode; i++)
        for (int c = 0; c < 4; c++) {
            const swReal *A = x->q + b->node[i].q + c, *g = x->work->g + b->node[i].q + c;
            const swVec3 f = {g[0], g[4], g[8]};
            force = c == 0 ? sw_add(force, f) : force;
            moment = sw_add(moment, sw_cross(sw_v3(A[0], A[4], A[8]), f));
            size += sw_norm(f);
        }
    assert_true(size > 1);
    assert_near(sw_norm(force), 0, 1e-12 * size);
    assert_near(sw_norm(moment), 0, 1e-12 * size);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

static swReal total(const swState *s) {
    const swEnergy e = sw_state_energy(s);
    return e.elastic + e.kinetic + e.potential + e.contact + e.pull + e.muscle;
}

// The report accounts for all that the energy of a step rises by; and followed shares only give.
static void the_balance_knows_what_actuation_brings(void **state) {
    (void)state;
    swModel *m = compile_text(BLOCK(", 'time': {'step': 0.01}", "affine", "", CRAWLS), NULL);
    swState *s = make_state(m);
    swReal brought = 0, least = INFINITY;
    for (int i = 0; i < 60; i++) {
        const swReal before = total(s);
        step_or_fail(m, s, 1);
        const swStepReport *r = sw_state_report(s);
        assert_near(total(s) - before, r->work + r->actuated - r->dissipated + r->drift, 1e-9);
        assert_true(r->drift <= 1e-9); // implicit Euler loses alone
        brought = fmax(brought, r->actuated);
        least = fmin(least, sw_state_energy(s).muscle);
    }
    assert_true(brought > 0.1);
    assert_true(least >= 0);
    sw_state_set_muscle(s, 0, 0);
    sw_state_set_shape(s, 0, sw_rest_shape_value(s, 0));
    step_or_fail(m, s, 1);
    for (int i = 0; i < 40; i++) {
        step_or_fail(m, s, 1);
        assert_true(sw_state_report(s)->actuated <= 1e-12);
    }
    sw_state_destroy(s);
    sw_model_destroy(m);
}

static void threads_do_not_matter_and_nothing_is_allocated(void **state) {
    (void)state;
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        Counter counter = {0};
        swConfig config = counting_config(&counter);
        config.threads = i ? 3 : 1;
        swModel *m = compile_text(BLOCK(", 'time': {'step': 0.01}", "affine", "", CRAWLS), &config);
        swState *s = make_state(m);
        const int calls = counter.calls;
        step_or_fail(m, s, 20);
        assert_int_equal(counter.calls, calls);
        hash[i] = sw_state_hash(s);
        sw_state_destroy(s);
        sw_model_destroy(m);
        assert_int_equal(counter.held, 0);
    }
    assert_true(hash[0] == hash[1]);
}

static void states_and_models_go_through_files(void **state) {
    (void)state;
    swError error = {0};
    const char *model = temporary_path("actuated.swm"), *kept = temporary_path("actuated.sws");
    swModel *a = compile_text(BLOCK(", 'time': {'step': 0.01}", "affine", "", CRAWLS), NULL);
    swState *s = make_state(a);
    step_or_fail(a, s, 10);
    sw_state_set_muscle(s, 0, 0.7);
    require(sw_model_save(a, model, &error) && sw_state_save(s, kept, &error), &error);
    swModel *b = sw_model_load(model, NULL, &error);
    require(b != NULL, &error);
    swState *t = make_state(b), *u = make_state(b);
    require(sw_state_load(t, kept, &error), &error);
    assert_true(sw_state_carry(u, s));
    step_or_fail(a, s, 10);
    step_or_fail(b, t, 10);
    step_or_fail(b, u, 10);
    assert_true(sw_state_hash(s) == sw_state_hash(t));
    assert_true(sw_rest_shape_value(u, 0) == sw_rest_shape_value(s, 0));
    assert_near(sw_rest_shape_value(u, 1), sw_rest_shape_value(s, 1), 1e-9);
    assert_true(sw_muscle_activation(u, 0) == 0.7 && sw_rest_shape_value(s, 1) > 0);
    sw_state_reset(t);
    sw_state_reset(s);
    assert_true(sw_state_hash(s) == sw_state_hash(t));
    assert_true(isnan(only_state(t)->activation_set[1]) && sw_rest_shape_value(t, 1) == 0);
    remove(model);
    remove(kept);
    sw_state_destroy(s);
    sw_state_destroy(t);
    sw_state_destroy(u);
    sw_model_destroy(a);
    sw_model_destroy(b);
}

// ---- muscles ----

// A bar from 0 to 1 along x, held at 0, its other end a free handle.
#define BAR(body) \
    "{'sinew': 1, 'analysis': 'static', 'gravity': [0, 0, 0], 'solver': {'tolerance': 1e-10}" \
    ", 'materials': {'m': {'law': 'stvk', 'young': 1e5, 'poisson': 0}}" \
    ", 'bodies': [{'shape': {'box': {'size': [1, 0.2, 0.2], 'center': [0.5, 0, 0]}}" \
    ", 'resolution': 10, 'frames': {'count': 0, 'weights': {'kind': 'hat'}}" \
    ", 'integration': {'every': 'voxel'}, 'handles': [" \
    "{'name': 'wall', 'region': {'box': {'size': [0, 1, 1]}}}, {'name': 'tip', 'motion': 'free'," \
    " 'region': {'box': {'size': [0, 1, 1], 'center': [1, 0, 0]}}}]" body "}]}"
#define ENDS "'from': {'handle': 'wall'}, 'to': {'handle': 'tip'}"

// E (l^2 - 1)/2 l + force/area = 0. A muscle of 40 N would bend it.
static void a_muscle_shortens_a_bar_by_the_formula(void **state) {
    (void)state;
    swModel *m =
        compile_text(BAR(", 'muscles': [{" ENDS ", 'strength': 30, 'activation': 0.5}]"), NULL);
    swState *s = make_state(m);
    assert_int_equal(sw_muscle_count(m), 1);
    assert_string_equal(sw_muscle_name(m, 0), "muscle1");
    assert_int_equal(sw_muscle_find(m, "muscle1"), 0);
    assert_int_equal(sw_muscle_find(m, "other"), -1);
    assert_near(only_body(m)->muscle[0].length, 1, 1e-12);
    for (int way = 0; way < 2; way++) {
        const swReal a = way ? 1 : 0.5;
        solve_or_fail(m, s);
        const swReal l = sw_muscle_length(s, 0);
        swVec3 from, to, force, torque;
        sw_muscle_ends(s, 0, &from, &to);
        sw_handle_wrench(s, 0, &force, &torque);
        assert_near(to.x - from.x, l, 1e-12);
        assert_near(0.5e5 * (l * l * l - l) + a * 30 / 0.04, 0, 2e-2);
        assert_near(sw_muscle_force(s, 0), a * 30, 1e-3); // rounded off by (L/1000 l)^2 / 2
        assert_near(sw_state_energy(s).muscle, a * 30 * l, 1e-3);
        assert_near(sw_norm(force), 0, 1e-4); // nothing outside pulls
        sw_state_set_muscle(s, 0, 3);         // cut to 1
    }
    sw_state_destroy(s);
    sw_model_destroy(m);
}

static void a_muscle_resists_where_it_is_stretched_alone(void **state) {
    (void)state;
    for (int way = 0; way < 2; way++) {
        swError error = {0};
        swScene *scene = parse_scene(
            BAR(", 'muscles': [{" ENDS ", 'stiffness': 2000}], 'loads': [{'traction': [2e4, 0, 0],"
                " 'on': {'box': {'size': [0, 1, 1], 'center': [1, 0, 0]}}}]"),
            &error);
        require(scene != NULL, &error);
        scene->bodies->loads->traction.x *= way ? -0.015 : 1; // it buckles under 400 Pa
        swModel *m = compile_scene(scene);
        swState *s = make_state(m);
        solve_or_fail(m, s);
        const swReal l = sw_muscle_length(s, 0), k = way ? 0 : 2000;
        assert_true(way ? l < 0.998 : l > 1.05);
        assert_near(0.5e5 * (l * l * l - l) + k * (l - 1) / 0.04, way ? -300 : 2e4, 1e-1);
        assert_near(sw_muscle_force(s, 0), k * (l - 1), 1e-3);
        sw_state_destroy(s);
        sw_model_destroy(m);
        sw_scene_destroy(scene);
    }
}

// Energy to gradient, to nothing where the ends meet.
static void a_muscle_is_smooth_where_its_ends_meet(void **state) {
    (void)state;
    const swMuscleInfo muscle = {.length = 2, .stiffness = 5, .strength = 3};
    assert_true(sw_muscle_tension(&muscle, 1, sw_v3(0, 0, 0)) == 0);
    assert_near(sw_muscle_tension(&muscle, 1, sw_v3(0, 1e-9, 0)), 3 * 1e-9 / 2e-3, 1e-12);
    assert_near(sw_muscle_tension(&muscle, 1, sw_v3(0, 1, 0)), 3, 1e-5);
    assert_near(sw_muscle_tension(&muscle, 0, sw_v3(0, 1.5, 0)), 0, 0);
    assert_near(sw_muscle_tension(&muscle, 0, sw_v3(0, 3, 0)), 5, 1e-5);
    swModel *m =
        compile_text(BAR(", 'muscles': [{" ENDS ", 'strength': 600, 'activation': 1}]"), NULL);
    const swBodyModel *b = only_body(m);
    swState *s = make_state(m);
    swBodyState *x = only_state(s);
    x->q[b->node[b->handle[1].node].q] = 0; // the bar folded into its wall
    swReal *g = calloc((size_t)m->size.nq, sizeof *g);
    swSystem sys = {.g = g};
    sw_muscles_add(b, x->activation, x->q, &sys);
    assert_near(sys.energy, 600 * 1e-3, 1e-12);
    for (int64_t i = 0; i < m->size.nq; i++)
        assert_near(g[i], 0, 1e-9);
    free(g);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

static void keys_repeat(void **state) {
    (void)state;
    swModel *m = compile_text(BLOCK(", 'time': {'step': 0.01}", "affine", "", CRAWLS), NULL);
    swState *s = make_state(m);
    static const swReal expected[] = {0, 0.5, 1, 0.5, 0, 0, 0.5, 1};
    for (int i = 1; i < SW_COUNT(expected); i++) {
        step_or_fail(m, s, 5);
        assert_near(sw_muscle_activation(s, 0), i == 5 ? 0 : expected[i], 1e-9);
    }
    assert_near(sw_rest_shape_value(s, 0), 1,
                1e-9); // at 0.35: held from 0.2 to the end of the round
    step_or_fail(m, s, 10);
    assert_near(sw_rest_shape_value(s, 0), 0.25, 1e-9);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// ---- shapes that are followed ----

#define TWO_SHAPES \
    ", 'shapes': [{'name': 'long', 'follow': 0.001, 'parts': [{'stretch': [1.3, 0.9, 0.9]}]}," \
    " {'name': 'flat', 'follow': 0.001, 'parts': [{'stretch': [1.1, 0.7, 1.2]}]}]"

// Posed in a shape, the body finds it, and what is left of its energy is what holds the share.
static void a_posed_body_finds_the_shape(void **state) {
    (void)state;
    swModel *m = compile_text(BLOCK(", 'time': {'step': 1e-6}", "affine", "", TWO_SHAPES), NULL);
    const swBodyModel *b = only_body(m);
    static const swReal by[2][3] = {{1.3, 0.9, 0.9}, {1.1, 0.7, 1.2}};
    for (int k = 0; k < 2; k++) {
        swState *s = make_state(m);
        swBodyState *x = only_state(s);
        for (int64_t i = 0; i < b->size.nnode; i++)
            for (int r = 0; r < 3; r++) {
                x->q[b->node[i].q + 5 * r + 1] = by[k][r];
                x->q[b->node[i].q + 4 * r] *= by[k][r];
            }
        const swReal before = sw_state_energy(s).elastic;
        step_or_fail(m, s, 1);
        assert_near(sw_rest_shape_value(s, k), 1, 0.01);
        assert_near(sw_rest_shape_value(s, 1 - k), 0, 0.01);
        assert_true(sw_state_energy(s).elastic < 0.01 * before);
        assert_near(sw_state_report(s)->actuated, -before, 0.01 * before);
        sw_state_destroy(s);
    }
    sw_model_destroy(m);
}

// Pulled along a shape, a body that follows it gives way more, as if its stiffness k there had a
// spring of `follow` k in series; across, as before.
static void following_softens_along_the_shape_alone(void **state) {
    (void)state;
    swReal gone[3];
    for (int i = 0; i < 3; i++) {
        swError error = {0};
        swScene *scene = parse_scene(
            BAR(", 'loads': [{'force': [8, 0, 0], 'on': {'box': {'size': [0, 1, 1], 'center':"
                " [1, 0, 0]}}}], 'shapes': [{'follow': 0.5, 'parts': [{'stretch': [1.1, 1, 1]}]}]"),
            &error);
        require(scene != NULL, &error);
        if (i == 0)
            scene->bodies->shapes = NULL;
        if (i == 2)
            scene->bodies->shapes->parts->stretch = sw_v3(1, 1.1, 1);
        swModel *m = compile_scene(scene);
        swState *s = make_state(m);
        solve_or_fail(m, s);
        swVec3 x;
        swMat3 A;
        sw_frame_get(s, only_body(m)->handle[1].node, &x, &A);
        gone[i] = x.x - 1;
        sw_state_destroy(s);
        sw_model_destroy(m);
        sw_scene_destroy(scene);
    }
    assert_near(gone[0], 8 / 0.04 / 1e5, 0.01 * gone[0]);
    assert_near(gone[1] / gone[0], 1 + 1 / 0.5, 0.02);
    assert_near(gone[2], gone[0], 1e-6 * gone[0]);
}

// A pose of the surface, as files of motions have it, is a shape: in it there is no stress.
static void a_pose_from_a_file_is_a_shape(void **state) {
    (void)state;
    swError error = {0};
    char text[2048];
    const char *path = temporary_path("pose.obj"), *first = temporary_path("pose_0000.obj");
    Random r = {9};
    for (int kind = 0; kind < 2; kind++) {
        swModel *m = kind ? compile_text(BLOCK("", "quadratic", "", ""), NULL)
                          : compile_text(BLOCK("", "affine", "", ""), NULL);
        const swBodyModel *b = only_body(m);
        swState *s = make_state(m);
        const swMat3 R = random_rotation(&r);
        for (int64_t i = 0; i < b->size.nnode; i++)
            for (int c = 0; c < b->node[i].width; c++) {
                swReal *A = only_state(s)->q + b->node[i].q + c;
                const int d = b->node[i].width;
                const swVec3 v = sw_add(sw_v3(A[0], A[d], A[2 * d]), random_vec(&r, 0.1)),
                             x = sw_mul(R, v);
                A[0] = x.x, A[d] = x.y, A[2 * d] = x.z;
            }
        swClip clip;
        sw_clip_init(&clip, m);
        require(sw_clip_add(&clip, s, &error) && sw_sequence_write(m, &clip, path, &error), &error);
        snprintf(text, sizeof text,
                 kind ? BLOCK(", 'time': {'step': 1e-6}", "quadratic", "",
                              ", 'shapes': [{'follow': 0.001, 'parts': [{'file': '%s'}]}]")
                      : BLOCK(", 'time': {'step': 1e-6}", "affine", "",
                              ", 'shapes': [{'follow': 0.001, 'parts': [{'file': '%s'}]}]"),
                 first);
        swModel *n = compile_text(text, NULL);
        swState *t = make_state(n);
        memcpy(only_state(t)->q, only_state(s)->q, (size_t)m->size.nq * sizeof *only_state(s)->q);
        const swReal before = sw_state_energy(t).elastic;
        sw_state_set_shape(t, 0, 1);
        step_or_fail(n, t, 1);
        const swReal left = sw_state_energy(t).elastic - 0.5 * only_body(n)->shape[0].follow;
        assert_near(left, 0, 1e-7 * before);
        sw_state_set_shape(t, 0, NAN);
        step_or_fail(n, t, 1);
        assert_near(sw_rest_shape_value(t, 0), 1, 0.01);
        sw_clip_free(&clip);
        remove(first);
        sw_state_destroy(s);
        sw_state_destroy(t);
        sw_model_destroy(m);
        sw_model_destroy(n);
    }
}

// Stiff pieces are handles, by the name of their material.
static void muscles_pull_at_rigid_parts(void **state) {
    (void)state;
    swModel *m =
        compile_text("{'sinew': 1, 'materials': {'gel': {}, 'bone': {'rigid': 'always'}},"
                     " 'bodies': [{'shape': {'union': [{'box': {'size': [1, 0.2, 0.2]}, 'material':"
                     " 'gel'}, {'box': {'size': [0.2, 0.1, 0.1], 'center': [0.3, 0, 0]},"
                     " 'material': 'bone'}]}, 'resolution': 20, 'muscles': [{'from':"
                     " {'handle': 'bone'}, 'to': {'point': [-0.4, 0, 0]}}]}]}",
                     NULL);
    const swBodyModel *b = only_body(m);
    assert_int_equal(b->size.nhandle, 1);
    assert_near(b->muscle[0].length, 0.7, 1e-6);
    assert_int_equal(b->point_node[b->point_start[b->muscle[0].point[0]]], b->handle[0].node);
    sw_model_destroy(m);
}

// Energies of frames that are inserted and removed are those of everything, muscles too.
static void muscles_are_in_all_books(void **state) {
    (void)state;
    swModel *m = compile_text(
        "{'sinew': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.005}, 'materials': {'gel': {'young':"
        " 2e4}}, 'bodies': [{'shape': {'box': {'size': [1, 0.5, 0.5]}}, 'resolution': 20, 'frames':"
        " {'count': 2, 'adapt': {'budget': 2, 'range': 0.3}}, 'muscles': [{'from': {'point':"
        " [0.1, 0.2, 0]}, 'to': {'point': [-0.4, 0.1, 0]}, 'strength': 200, 'stiffness': 1000,"
        " 'activation': 0.8}]}]}",
        NULL);
    swState *s = make_state(m);
    swError error = {0};
    swInsertReport report;
    const swInsertion in = sw_default_insertion(s, 0, sw_v3(0.1, 0.2, 0));
    const int slot = sw_frame_insert(s, &in, &report, &error);
    require(slot >= 0, &error);
    assert_near(report.energy_jump, 0, 1e-12);
    step_or_fail(m, s, 20);
    const swEnergy a = sw_state_energy(s);
    require(sw_frame_remove(s, slot, &report, &error), &error);
    const swEnergy b = sw_state_energy(s);
    assert_true(fabs(b.muscle - a.muscle) > 1e-4 * a.muscle);
    assert_near(report.energy_jump,
                b.elastic - a.elastic + b.kinetic - a.kinetic + b.muscle - a.muscle,
                1e-9 * a.muscle);
    sw_state_destroy(s);
    sw_model_destroy(m);
}

// ---- refused ----

static void refusals_say_why(void **state) {
    (void)state;
    static const struct {
        const char *json, *message;
    } table[] = {
        {BODY(", 'muscles': [{'from': {'handle': 'arm'}, 'to': {'point': [0, 0, 0]}}]"),
         "bodies[0].muscles[0].from.handle: expected the name of a handle, a bone or a rigid part"},
        {BODY(", 'muscles': [{'from': {'point': [0, 0, 0]}}]"),
         "bodies[0].muscles[0].to: expected \"handle\" or \"point\", found neither"},
        {BODY(", 'muscles': [{'from': {'point': [0, 0, 0]}, 'to': {'point': [0, 5, 0]}}]"),
         "bodies[0].muscles[0].to.point: (0, 5, 0) is outside the body"},
        {BODY(", 'muscles': [{'from': {'point': [0, 0, 0]}, 'to': {'point': [0, 0, 0]}}]"),
         "bodies[0].muscles[0]: expected two ends apart"},
        {BODY(", 'muscles': [{'from': {'point': [0, 0, 0]}, 'to': {'point': [0, 1, 0]},"
              " 'activation': 2}]"),
         "bodies[0].muscles[0].activation: expected a number from 0 to 1"},
        {BODY(", 'muscles': [{'from': {'point': [0, 0, 0]}, 'to': {'point': [0, 1, 0]},"
              " 'activation': {'keys': [{'t': 3, 'value': 0}], 'repeat': 2}}]"),
         "bodies[0].muscles[0].activation.repeat: expected at least the time of the last key, 3,"},
        {BODY(", 'shapes': [{'parts': []}]"),
         "bodies[0].shapes[0].parts: expected a list of 1 to 1000 objects, found 0"},
        {BODY(", 'shapes': [{'parts': [{'twist': 5}]}]"),
         "bodies[0].shapes[0].parts[0].to: expected a point other than \"from\""},
        {BODY(", 'shapes': [{'parts': [{'bend': 5, 'to': [0, 0, 2]}]}]"),
         "bodies[0].shapes[0].parts[0].axis: expected an axis across the line"},
        {BODY(", 'shapes': [{'parts': [{'stretch': [1, 0, 1]}]}]"),
         "bodies[0].shapes[0].parts[0].stretch: expected three numbers"},
        {BODY(", 'shapes': [{'parts': [{'to': [0, 0, 2]}]}]"),
         "bodies[0].shapes[0]: changes nothing"},
        {BODY(", 'shapes': [{'parts': [{'bend': 5, 'twist': 5, 'to': [1, 0, 0]}]}]"),
         "expected only one of \"bend\", \"twist\""},
        {BODY(", 'shapes': [{'follow': 1, 'value': 1, 'parts': [{'stretch': [1, 2, 1]}]}]"),
         "expected only one of \"follow\", \"value\""},
        {BODY(", 'shapes': [{'parts': [{'stretch': [1, 2, 1], 'on': {'sphere': {'radius': 1,"
              " 'center': [9, 0, 0]}}}]}]"),
         "bodies[0].shapes[0]: changes nothing"},
        {BODY(", 'shapes': [{'parts': [{'stretch': [1, 0.4, 1]}]}, {'parts': [{'stretch': [0.5, 1,"
              " 1]}]}]"),
         "bodies[0].shapes: expected shapes that together leave at least 0.02 of every length"},
        {BODY(", 'shapes': [{'parts': [{'bend': 350, 'from': [-1, 0, 0], 'to': [1, 0, 0]}]}]"),
         "bodies[0].shapes: expected shapes that together leave"},
        {BODY(", 'shapes': [{'parts': [{'file': 'none.obj'}]}]"), "none.obj: "},
        {BODY(", 'shapes': [{'parts': [{'file': 'none.obj', 'stretch': [1, 2, 1]}]}]"),
         "bodies[0].shapes[0].parts[0]: expected a \"file\" alone"},
        {BODY(", 'frames': {'kind': 'rigid', 'blend': 'dual-quaternion'}, 'shapes': [{'parts':"
              " [{'file': 'none.obj'}]}]"),
         "bodies[0].shapes[0].parts[0].file: expected a body of linear blending"},
        {"{'sinew': 1, 'materials': {'clay': {'yield': 100}}, 'bodies': [{'shape': {'sphere':"
         " {'radius': 1}}, 'shapes': [{'parts': [{'stretch': [1, 2, 1]}]}]}]}",
         "bodies[0].shapes: expected a body of materials that do not yield, found \"clay\""},
    };
    for (int i = 0; i < SW_COUNT(table); i++) {
        swError error = {0};
        char text[1024];
        swScene *scene = parse_scene(table[i].json, &error);
        if (scene) // muscles and shapes come after it: it would take most of the time
            scene->bodies->integration.correct = SW_CORRECT_NO;
        swModel *m = scene ? sw_compile(scene, &error) : NULL;
        if (m || !strstr(sw_error_text(&error, text, sizeof text), table[i].message))
            fail_msg("%d: expected \"%s\", found \"%s\"", i, table[i].message, m ? "" : text);
        sw_model_destroy(m);
        sw_scene_destroy(scene);
    }
}

// What is written is read again as the same.
static void scenes_are_written_and_read(void **state) {
    (void)state;
    swError error = {0};
    const char *path = temporary_path("actuated.json");
    swScene *scene = parse_scene(BLOCK("", "affine", "", CRAWLS), &error);
    require(scene != NULL, &error);
    require(sw_scene_write(scene, path, &error), &error);
    swScene *again = sw_scene_read(path, NULL, &error);
    require(again != NULL, &error);
    swModel *a = compile_scene(scene), *b = compile_scene(again);
    assert_true(sw_model_hash(a) == sw_model_hash(b));
    remove(path);
    sw_model_destroy(a);
    sw_model_destroy(b);
    sw_scene_destroy(scene);
    sw_scene_destroy(again);
}

// The same scene built in C.
static void scenes_can_be_built(void **state) {
    (void)state;
    swError error = {0};
    swScene *read = parse_scene(BLOCK("", "affine", "", CRAWLS), &error),
            *built = parse_scene(BLOCK("", "affine", "", ", 'spin': [0.3, 1, 0.2]"), &error);
    require(read && built, &error);
    swBody *body = built->bodies;
    swMuscle *muscle = sw_body_add_muscle(built, body, "flexor");
    muscle->from.point = sw_v3(-0.4, 0.2, 0);
    muscle->to.point = sw_v3(0.4, 0.2, 0.1);
    muscle->strength = 30;
    muscle->stiffness = 300;
    muscle->length = 0.5;
    muscle->repeat = 0.25;
    for (int i = 0; i < 3; i++)
        sw_muscle_add_activation(built, muscle, (swReal[]){0, 0.1, 0.2}[i], i == 1);
    swRestShape *shape = sw_body_add_rest_shape(built, body, "longer");
    sw_rest_shape_add_value(built, shape, 0, 0);
    sw_rest_shape_add_value(built, shape, 0.2, 1);
    shape->repeat = 0.4;
    swDeform *part = sw_rest_shape_add_part(built, shape);
    part->stretch = sw_v3(1.2, 0.9, 0.95);
    sw_deform_on(built, part, SW_SHAPE_HALFSPACE)->normal = sw_v3(1, 0, 0);
    shape = sw_body_add_rest_shape(built, body, "bent");
    shape->follow = 0.1;
    part = sw_rest_shape_add_part(built, shape);
    part->bend = read->bodies->shapes->next->parts->bend;
    part->from = sw_v3(-0.5, 0, 0);
    part->to = sw_v3(0.5, 0, 0);
    swModel *a = compile_scene(read), *b = compile_scene(built);
    assert_true(sw_model_hash(a) == sw_model_hash(b));
    assert_int_equal(sw_rest_shape_count(b), 2);
    assert_int_equal(sw_rest_shape_find(b, "bent"), 1);
    assert_string_equal(sw_rest_shape_name(b, 0), "longer");
    sw_model_destroy(a);
    sw_model_destroy(b);
    sw_scene_destroy(read);
    sw_scene_destroy(built);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_inverse_is_that_of_the_mix),
    cmocka_unit_test(energy_has_its_derivatives_in_shares),
    cmocka_unit_test(a_free_body_comes_to_rest_in_its_rest_shape),
    cmocka_unit_test(measured_strain_is_elastic),
    cmocka_unit_test(a_bent_rest_shape_is_an_arc),
    cmocka_unit_test(internal_forces_keep_momentum),
    cmocka_unit_test(the_balance_knows_what_actuation_brings),
    cmocka_unit_test(threads_do_not_matter_and_nothing_is_allocated),
    cmocka_unit_test(states_and_models_go_through_files),
    cmocka_unit_test(a_muscle_shortens_a_bar_by_the_formula),
    cmocka_unit_test(a_muscle_resists_where_it_is_stretched_alone),
    cmocka_unit_test(a_muscle_is_smooth_where_its_ends_meet),
    cmocka_unit_test(keys_repeat),
    cmocka_unit_test(a_posed_body_finds_the_shape),
    cmocka_unit_test(following_softens_along_the_shape_alone),
    cmocka_unit_test(a_pose_from_a_file_is_a_shape),
    cmocka_unit_test(muscles_pull_at_rigid_parts),
    cmocka_unit_test(muscles_are_in_all_books),
    cmocka_unit_test(refusals_say_why),
    cmocka_unit_test(scenes_are_written_and_read),
    cmocka_unit_test(scenes_can_be_built),
};

SW_SUITE(actuation, tests)
