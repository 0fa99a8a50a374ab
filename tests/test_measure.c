// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Strain, stress and energy at samples where they are known, and their way to the surface.
#include "kinematics/sample_map.h"
#include "test_examples.h"
#include "test_law.h"

static const swReal young = 2e5, poisson = 0.3;

// Two bars of affine frames side by side, the first with a rigid part at its left end.
static swModel *make_model(const char *law) {
    swScene *scene = sw_scene_create(NULL);
    assert_non_null(scene);
    for (int b = 0; b < 2; b++) {
        swBody *bar = sw_scene_add_body(scene, b ? "second" : "first");
        swShape *box = sw_body_add_shape(scene, bar, SW_SHAPE_BOX);
        box->size = sw_v3(1, 0.2, 0.2);
        box->center = sw_v3(0.5, 0, 0.21 * b);
        bar->voxel = 0.05;
        bar->frames.count = 3;
        bar->integration.points = 40;
        if (b)
            continue;
        swHandle *handle = sw_body_add_handle(scene, bar, "rigid", SW_SHAPE_BOX);
        handle->region->size = sw_v3(0.4, 1, 1);
        handle->region->center = sw_v3(0, 0, 0);
        handle->motion = SW_MOTION_FREE;
    }
    swMaterial *rubber = sw_scene_add_material(scene, "rubber");
    rubber->law = law;
    rubber->young = young;
    rubber->poisson = poisson;
    swModel *model = compile_scene(scene);
    sw_scene_destroy(scene);
    return model;
}

// x = F X for every point.
static swReal *deform(const swBodyModel *m, swMat3 F) {
    swReal *q = calloc((size_t)m->size.nq, sizeof *q);
    assert_non_null(q);
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *n = &m->node[i];
        swVec3 x = sw_mul(F, n->origin);
        for (int r = 0; r < 3; r++) {
            q[n->q + r * n->width] = sw_get(x, r);
            memcpy(q + n->q + r * n->width + 1, F.m + 3 * r, 3 * sizeof *q);
        }
    }
    return q;
}

// All measures of the model's samples moved by F must be these.
static void expect(const swModel *m, swMat3 F, const swReal value[SW_MEASURES], swReal slack) {
    static const swReal scale[SW_MEASURES] = {1, 2e5, 2e5};
    for (int64_t b = 0; b < m->size.nbody; b++) {
        const swBodyModel *body = sw_model_body(m, b);
        swReal *q = deform(body, F), *out = calloc((size_t)body->size.nsample, sizeof *out);
        for (int k = 0; k < SW_MEASURES; k++) {
            measure_samples(body, (swMeasure)k, &(swMeasureInput){.q = q}, out);
            for (int64_t i = 0; i < body->size.nsample; i++)
                assert_near(out[i], body->sample_volume[i] > 0 ? value[k] : 0, slack * scale[k]);
        }
        free(out);
        free(q);
    }
}

// A bar along x, pulled and turned: the only stress differences are those between x and the rest.
static void bars_are_measured_as_laws_say(void **state) {
    (void)state;
    const swReal a = 1.25, b = 0.92, mu = young / (2 * (1 + poisson)),
                 lambda = 2 * mu * poisson / (1 - 2 * poisson), J = a * b * b;
    Random r = {7};
    for (int i = 0; sw_law_at(i); i++) {
        const swLaw *law = sw_law_at(i);
        const swMat3 S = sw_mat_diag(a, b, b);
        const swMat3 R = law->objective ? random_rotation(&r) : sw_mat_identity();
        const Solid solid = make_solid(law, young, poisson);
        swModel *m = make_model(law->name);
        swMat3 P;
        swReal value[SW_MEASURES] = {a - 1};
        value[SW_MEASURE_ENERGY] = evaluate(&solid, S, &P, NULL);
        value[SW_MEASURE_STRESS] = fabs(P.m[0] * a - P.m[4] * b) / J;
        if (strcmp(law->name, "neo-hookean") == 0) {
            assert_near(value[SW_MEASURE_STRESS], mu / J * (a * a - b * b), 1e-9 * mu);
            assert_near(value[SW_MEASURE_ENERGY],
                        0.5 * mu * (a * a + 2 * b * b - 3) - mu * log(J) +
                            0.5 * lambda * log(J) * log(J),
                        1e-9 * mu);
        }
        assert_true(value[SW_MEASURE_STRESS] > 0.1 * young);
        expect(m, sw_mat_mul(R, S), value, 1e-9);
        sw_model_destroy(m);
    }
}

static void turning_is_no_strain_and_pressure_no_shear(void **state) {
    (void)state;
    Random r = {9};
    for (int i = 0; sw_law_at(i); i++) {
        const swLaw *law = sw_law_at(i);
        const swReal nothing[SW_MEASURES] = {0}, c = 0.8;
        const Solid solid = make_solid(law, young, poisson);
        const swMat3 smaller = sw_mat_diag(c, c, c);
        const swReal pressed[] = {c - 1, 0, evaluate(&solid, smaller, NULL, NULL)};
        if (!law->objective)
            continue;
        swModel *m = make_model(law->name);
        expect(m, random_rotation(&r), nothing, 1e-12);
        expect(m, sw_mat_mul(random_rotation(&r), smaller), pressed, 1e-9);
        sw_model_destroy(m);
    }
}

// Samples that are flat or inverted have numbers all the same.
static void all_numbers_are_finite(void **state) {
    (void)state;
    swModel *m = make_model("neo-hookean");
    for (int64_t b = 0; b < m->size.nbody; b++) {
        const swBodyModel *body = sw_model_body(m, b);
        swReal *out = calloc((size_t)body->size.nsample, sizeof *out);
        for (int i = 0; i < 3; i++) {
            swReal *q = deform(body, sw_mat_diag(1, 1, i - 1));
            for (int k = 0; k < SW_MEASURES; k++) {
                measure_samples(body, (swMeasure)k, &(swMeasureInput){.q = q}, out);
                for (int64_t s = 0; s < body->size.nsample; s++)
                    assert_true(isfinite(out[s]));
            }
            free(q);
        }
        free(out);
    }
    sw_model_destroy(m);
}

// ---- bodies that move ----

static swReal sum_of_energy(const swBodyModel *m, const swMeasureInput *input) {
    swReal *out = calloc((size_t)m->size.nsample, sizeof *out), sum = 0;
    measure_samples(m, SW_MEASURE_ENERGY, input, out);
    for (int64_t i = 0; i < m->size.nsample; i++)
        sum += m->sample_volume[i] * out[i];
    free(out);
    return sum;
}

// Muscles, grey values, plastic flow, relaxed strains: it all adds up to the energy of the state.
// So do amplitudes of the last evaluation of a step, which was next to its end.
static void check_energy(swScene *scene, int steps) {
    swModel *m = compile_scene(scene);
    swState *s = make_state(m);
    if (steps)
        step_or_fail(m, s, steps);
    else
        solve_or_fail(m, s);
    const swReal energy = sw_state_energy(s).elastic;
    swReal given = 0, found = 0;
    int64_t cells = 0;
    for (int64_t b = 0; b < m->size.nbody; b++) {
        const swBodyModel *body = sw_model_body(m, b);
        swMeasureInput input = sw_measure_input(s->body[b]);
        given += sum_of_energy(body, &input);
        input.relax = NULL;
        found += sum_of_energy(body, &input);
        cells += body->size.nzone;
    }
    print_message("%lld cells, energy %g J, given %.1e, found %.1e\n", (long long)cells, energy,
                  given / energy - 1, found / energy - 1);
    assert_true(energy > 0);
    assert_near(given, energy, 1e-9 * energy);
    assert_near(found, energy, 1e-12 * energy);
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

static void densities_add_up_to_the_energy(void **state) {
    (void)state;
    static const char *const names[] = {"arm", "beam", "plate-gradient", "twist", "jack"};
    for (int i = 0; i < SW_COUNT(names); i++) {
        swScene *scene = read_example(names[i]);
        check_energy(scene, scene->analysis == SW_ANALYSIS_STATIC ? 0 : 40);
    }
    swScene *twist = read_example("twist"); // corrected, its volume that of regions
    twist->materials->poisson = 0.47;
    twist->bodies->integration.correct = SW_CORRECT_YES;
    check_energy(twist, 10);
    swScene *lead = read_example("beam");
    lead->materials->yield = 2e3;
    check_energy(lead, 40);
}

// A bar that has flowed has hardly more than its yield stress; the same bar, had it not, far more.
static void flow_takes_stress_away(void **state) {
    (void)state;
    swScene *scene = read_example("beam");
    scene->materials->yield = 2e3;
    swModel *m = compile_scene(scene);
    swState *s = make_state(m);
    step_or_fail(m, s, 40);
    const swBodyModel *body = only_body(m);
    swReal largest_stress[2] = {0}, *out = calloc((size_t)body->size.nsample, sizeof *out);
    for (int elastic = 0; elastic < 2; elastic++) {
        swMeasureInput input = sw_measure_input(only_state(s));
        input.plastic = elastic ? NULL : only_state(s)->plastic;
        measure_samples(body, SW_MEASURE_STRESS, &input, out);
        for (const swGroup *g = body->group; g < body->group + body->size.ngroup; g++)
            for (int i = g->sample; g->plastic >= 0 && i < g->sample + g->nblock * SW_LANES; i++)
                largest_stress[elastic] = fmax(largest_stress[elastic], out[i]);
    }
    print_message("stress %g Pa, %g Pa without flow\n", largest_stress[0], largest_stress[1]);
    assert_true(largest_stress[0] < 1.25 * 2e3 && largest_stress[1] > 20 * 2e3);
    free(out);
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

// The same bits for any number of threads, and no memory is taken.
static void threads_do_not_matter(void **state) {
    (void)state;
    swScene *scene = read_example("turtle");
    swModel *m = compile_scene(scene);
    swState *s = make_state(m);
    step_or_fail(m, s, 25);
    const swBodyModel *body = only_body(m);
    const size_t size = (size_t)body->size.nsample * sizeof(swReal);
    const swMeasureInput input = {.q = only_state(s)->q};
    swReal *one = malloc(size), *four = malloc(size);
    swPool *pool = sw_pool_create(&m->config.allocator, 4);
    swArena arena;
    swMeasureWork work;
    swError error = {0};
    sw_arena_init(&arena, &m->config.allocator);
    require(sw_measure_create(&work, body, 4, &arena, &error), &error);
    const size_t held = arena.total;
    for (int k = 0; k < SW_MEASURES; k++) {
        sw_measure(body, &work, NULL, (swMeasure)k, &input, one);
        sw_measure(body, &work, pool, (swMeasure)k, &input, four);
        assert_memory_equal(one, four, size);
    }
    assert_true(arena.total == held && one[0] > 0);
    sw_arena_free(&arena);
    sw_pool_destroy(pool);
    free(one);
    free(four);
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

// ---- a cantilever of few frames, against M y / I ----

static swScene *cantilever(int frames, bool relax) {
    static swVec3 at[16];
    swScene *s = sw_scene_create(NULL);
    swMaterial *rubber = sw_scene_add_material(s, "rubber");
    rubber->law = "neo-hookean";
    rubber->young = young;
    rubber->poisson = 0.45;
    rubber->density = 1000;
    swBody *b = sw_scene_add_body(s, "bar");
    swShape *box = sw_body_add_shape(s, b, SW_SHAPE_BOX);
    box->size = sw_v3(1, 0.1, 0.1);
    box->center = sw_v3(0.5, 0, 0);
    b->voxel = 0.025;
    b->integration.correct = SW_CORRECT_NO; // knows that sections at a wall cannot breathe
    b->integration.relax = relax;
    b->frames.weights.kind = "hat";
    b->frames.count = 0;
    b->frames.at = at;
    for (int i = 1; i < frames; i++)
        at[b->frames.nat++] = sw_v3(i / (frames - 1.0), 0, 0);
    sw_body_add_handle(s, b, "wall", SW_SHAPE_BOX)->region->size = sw_v3(0, 1, 1);
    s->analysis = SW_ANALYSIS_STATIC;
    s->gravity = sw_v3(0, -0.01, 0);
    return s;
}

// Mean over the samples between two places of the stress over that of a beam, weighted by the
// latter.
static swReal share_of_beam(int frames, bool relax, swReal from, swReal to) {
    swScene *scene = cantilever(frames, relax);
    swModel *m = compile_scene(scene);
    swState *s = make_state(m);
    solve_or_fail(m, s);
    const swBodyModel *body = only_body(m);
    swReal *out = calloc((size_t)body->size.nsample, sizeof *out), sum = 0, beam = 0;
    const swMeasureInput input = sw_measure_input(only_state(s));
    measure_samples(body, SW_MEASURE_STRESS, &input, out);
    for (int64_t i = 0; i < body->size.nsample; i++) {
        const swVec3 p = body->sample_point[i];
        const swReal moment = 0.01 * 1000 * 1e-2 * pow(1 - p.x, 2) / 2,
                     fibre = moment * fabs(p.y) / (1e-4 / 12);
        if (p.x < from || p.x > to)
            continue;
        sum += body->sample_volume[i] * out[i] * fibre;
        beam += body->sample_volume[i] * fibre * fibre;
    }
    free(out);
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
    return sum / beam;
}

static void bending_stress_is_that_of_a_beam(void **state) {
    (void)state;
    for (int frames = 5; frames <= 9; frames += 4) {
        const swReal clamp = share_of_beam(frames, true, 0, 0.25),
                     whole = share_of_beam(frames, true, 0, 1);
        print_message("%d frames: at the clamp %.3f, all along %.3f\n", frames, clamp, whole);
        assert_near(clamp, 1, frames == 5 ? 0.04 : 0.02);
        assert_near(whole, 1, frames == 5 ? 0.04 : 0.02);
        assert_true(share_of_beam(frames, false, 0, 0.25) < 0.3);
    }
}

// ---- from samples to the surface ----

static int body_of_sample(const swBodyModel *m, int sample) {
    for (int64_t i = 0; i < m->size.ngroup; i++)
        if (sample >= m->group[i].sample &&
            sample < m->group[i].sample + m->group[i].nblock * SW_LANES)
            return m->group[i].body;
    return -1;
}

static void points_see_the_nearest_samples_of_their_body(void **state) {
    (void)state;
    swModel *model = make_model("neo-hookean");
    swError error = {0};
    for (int b = 0; b < model->size.nbody; b++) {
        const swBodyModel *m = sw_model_body(model, b);
        swArena arena;
        swSampleMap map;
        sw_arena_init(&arena, &m->config.allocator);
        assert_true(sw_sample_map_create(&map, m, &arena, &error));
        assert_int_equal(map.npoint, m->size.npoint);
        for (int p = m->body[0].point; p < m->body[0].point + m->body[0].npoint; p++) {
            const int *near = map.sample + p * SW_NEAR_SAMPLES;
            swReal farthest = sw_norm(sw_sub(m->sample_point[near[3]], m->point[p]));
            int nearer = 0;
            for (int s = 0; s < m->size.nsample; s++)
                nearer += body_of_sample(m, s) == 0 && m->sample_volume[s] > 0 &&
                          sw_norm(sw_sub(m->sample_point[s], m->point[p])) < farthest;
            assert_in_range(nearer, 0, 3); // all others are as far, or farther
            for (int k = 0; k < SW_NEAR_SAMPLES; k++)
                assert_int_equal(body_of_sample(m, near[k]), 0);
        }
        sw_arena_free(&arena);
    }
    sw_model_destroy(model);
}

// The skin of a beam shows rubber, not the steel below it.
static void points_see_their_own_material(void **state) {
    (void)state;
    swScene *scene = read_example("beam");
    swModel *m = compile_scene(scene);
    const swBodyModel *body = only_body(m);
    swError error = {0};
    swArena arena;
    swSampleMap map;
    int others = 0;
    sw_arena_init(&arena, &m->config.allocator);
    assert_true(sw_sample_map_create(&map, body, &arena, &error));
    for (const swGroup *g = body->group; g < body->group + body->size.ngroup; g++)
        others += g->material != 0;
    assert_true(others > 0);
    for (int p = 0; p < body->body[0].npoint; p++)
        for (const swGroup *g = body->group; g < body->group + body->size.ngroup; g++)
            for (int k = 0; k < SW_NEAR_SAMPLES; k++) {
                const int s = map.sample[p * SW_NEAR_SAMPLES + k] - g->sample;
                if (s >= 0 && s < g->nblock * SW_LANES)
                    assert_string_equal( // a corrected body's law may be a softer one
                        sw_body_text(body, body->material[g->material].name),
                        sw_body_text(body, body->material[body->point_material[p]].name));
            }
    sw_arena_free(&arena);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

static void values_reach_the_surface(void **state) {
    (void)state;
    swModel *model = make_model("neo-hookean");
    swError error = {0};
    int rigid = 0;
    for (int b = 0; b < model->size.nbody; b++) {
        const swBodyModel *m = sw_model_body(model, b);
        swArena arena;
        swSampleMap map;
        sw_arena_init(&arena, &m->config.allocator);
        assert_true(sw_sample_map_create(&map, m, &arena, &error));
        swReal *value = SW_NEW(&arena, m->size.nsample, swReal, &error);
        swReal *out = SW_NEW(&arena, m->size.npoint, swReal, &error);
        for (int64_t i = 0; i < m->size.nsample; i++)
            value[i] = 2;
        sw_sample_map_values(&map, value, out);
        for (int p = 0; p < m->size.npoint; p++) {
            bool carried = b == 0 && m->point[p].x < 0.15; // well inside the handle
            rigid += carried;
            if (carried)
                assert_near(out[p], 0, 0);
            else if (m->point[p].x > 0.3)
                assert_near(out[p], 2, 1e-12);
        }
        sw_arena_free(&arena);
    }
    assert_true(rigid > 0);
    sw_model_destroy(model);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bars_are_measured_as_laws_say),
    cmocka_unit_test(turning_is_no_strain_and_pressure_no_shear),
    cmocka_unit_test(all_numbers_are_finite),
    cmocka_unit_test(densities_add_up_to_the_energy),
    cmocka_unit_test(flow_takes_stress_away),
    cmocka_unit_test(threads_do_not_matter),
    cmocka_unit_test(bending_stress_is_that_of_a_beam),
    cmocka_unit_test(points_see_the_nearest_samples_of_their_body),
    cmocka_unit_test(points_see_their_own_material),
    cmocka_unit_test(values_reach_the_surface),
};

SW_SUITE(measure, tests)
