// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Relaxation: what it cures, and what it must leave alone. That energies have their derivatives is
// checked with all others, in test_kinematics.c.
#include "test.h"
#include "test_tools.h"

#include "kinematics/relax.h"
#include "kinematics/rigid.h"
#include "math/eigen.h"
#include "solve/work.h"

#include <string.h>

typedef struct {
    int kind; // as set_kind()
    const char *weights;
    swVec3 size;
    int frames; // in all, along x; 0: placed by themselves, six of them
    swReal poisson;
    bool held, every_voxel, stiff;
} Body;

static swScene *body_scene(const Body *d) {
    swScene *s = sw_scene_create(NULL);
    swMaterial *material = sw_scene_add_material(s, "m");
    material->law = "neo-hookean";
    material->young = 2e5;
    material->poisson = d->poisson;
    material->density = 1000;
    swBody *b = sw_scene_add_body(s, "b");
    swShape *box = sw_body_add_shape(s, b, SW_SHAPE_BOX);
    box->size = d->size;
    box->center = sw_v3(0.5 * d->size.x, 0, 0);
    b->voxel = d->size.x / 40;
    b->integration.correct = SW_CORRECT_NO;
    b->integration.relax = !d->stiff;
    b->integration.every_voxel = d->every_voxel;
    set_kind(&b->frames, d->kind);
    b->frames.weights.kind = d->weights;
    b->frames.count = d->frames ? 0 : 6;
    static swVec3 at[16];
    b->frames.at = at;
    for (int i = d->held; i < d->frames; i++)
        at[b->frames.nat++] = sw_v3(d->size.x * i / (d->frames - 1), 0, 0);
    if (d->held) {
        swShape *wall = sw_body_add_handle(s, b, "wall", SW_SHAPE_BOX)->region;
        wall->size = sw_v3(0, 1, 1);
    }
    s->analysis = SW_ANALYSIS_STATIC;
    s->gravity = sw_v3(0, -0.01, 0);
    sw_scene_add_probe(s, "tip", sw_v3(d->size.x, 0, 0));
    return s;
}

static const Body bar = {
    .kind = SW_NODE_AFFINE, .weights = "hat", .size = {1, 0.1, 0.1}, .frames = 5, .poisson = 0.3};

// ---- bending ----

// The tip of a cantilever under its own weight, over that of a beam with shear.
static swReal deflection(Body d) {
    d.held = true;
    swScene *scene = body_scene(&d);
    swModel *m = compile_scene(scene);
    swState *s = make_state(m);
    solve_or_fail(m, s);
    const swReal beam = 0.01 * 1000 * 1e-2 / (8 * 2e5 * 1e-4 / 12) * (1 + 0.0067 * (1 + d.poisson));
    const swReal tip = -sw_probe_displacement(s, 0).y / beam;
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
    return tip;
}

static void bars_do_not_lock(void **state) {
    (void)state;
    static const swReal poisson[] = {0, 0.3, 0.45, 0.49, 0.499};
    for (int i = 0; i < SW_COUNT(poisson); i++) {
        Body d = bar;
        d.poisson = poisson[i];
        const swReal affine = deflection(d);
        d.frames = 9;
        const swReal more = deflection(d);
        d.kind = SW_NODE_RIGID;
        const swReal rigid = deflection(d);
        d.kind = TEST_DUAL;
        const swReal dual = deflection(d);
        print_message("poisson %g: 5 affine %.3f, 9 affine %.3f, 9 rigid %.3f, dual %.3f\n",
                      poisson[i], affine, more, rigid, dual);
        assert_near(affine, 1, 0.03);
        assert_near(more, 1, 0.015);
        assert_near(rigid, 1, 0.03);
        assert_near(dual, rigid, 1e-3);
    }
}

// Without it they do, so that the test above is about relaxation; and points in every voxel, or
// weights that are placed by themselves, relax as well.
static void every_rule_relaxes(void **state) {
    (void)state;
    Body d = bar;
    d.poisson = 0.45;
    d.stiff = true;
    assert_true(deflection(d) < 0.3);
    d.stiff = false;
    d.every_voxel = true; // 4 voxels across: 1/16 too soft
    assert_near(deflection(d), 16.0 / 15, 0.03);
    d.every_voxel = false;
    d.weights = "smooth";
    d.frames = 0;
    assert_near(deflection(d), 1, 0.02);
    d.weights = "eigenmodes";
    assert_near(deflection(d), 1, 0.02);
}

// ---- twisting and pulling ----

// Force and torque along x that turn the far end by a small angle, or pull it by a small share of
// the length.
static void drive(Body d, swReal angle, swReal pull, swReal *force, swReal *torque) {
    d.held = true;
    swScene *scene = body_scene(&d);
    scene->gravity = sw_v3(0, 0, 0);
    scene->bodies->frames.nat--; // the last one is the handle
    swHandle *end = sw_body_add_handle(scene, scene->bodies, "end", SW_SHAPE_BOX);
    end->region->size = sw_v3(0, 1, 1);
    end->region->center = sw_v3(d.size.x, 0, 0);
    sw_handle_add_key(scene, end, 0);
    swPose *pose = &sw_handle_add_key(scene, end, 1)->pose;
    pose->axis = sw_v3(1, 0, 0);
    pose->angle = angle;
    pose->translate = sw_v3(pull * d.size.x, 0, 0);
    swModel *m = compile_scene(scene);
    swState *s = make_state(m);
    swVec3 f, t;
    solve_or_fail(m, s);
    sw_handle_wrench(s, 1, &f, &t);
    *force = f.x;
    *torque = t.x;
    sw_state_destroy(s);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

// A strip five times as wide as thick: 0.291 G b t^3 (Timoshenko); sections that stay plane would
// make it 7.4 times as stiff.
static void strips_twist(void **state) {
    (void)state;
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++) {
        if (kind == SW_NODE_QUADRATIC)
            continue;
        Body d = bar;
        d.kind = kind;
        d.size = sw_v3(1, 0.2, 0.04);
        swReal force, torque;
        drive(d, 1e-4, 0, &force, &torque);
        const swReal right = 0.291 * 2e5 / 2.6 * 0.2 * 0.04 * 0.04 * 0.04 * 1e-4;
        print_message("kind %d: torque of a strip %.3f\n", kind, torque / right);
        assert_in_range(1000 * torque / right, 950, 1150);
    }
}

// Rigid frames cannot get thinner, but what lies between them can.
static void pulled_bars_get_thinner(void **state) {
    (void)state;
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++) {
        Body d = bar;
        d.kind = kind;
        swReal force, torque;
        drive(d, 0, 1e-4, &force, &torque);
        const swReal right = 2e5 * 0.01 * 1e-4;
        print_message("kind %d: force of a bar %.3f\n", kind, force / right);
        assert_near(force, right, 0.05 * right); // affine frames next to a held end only gradually
    }
}

// ---- motions that cost nothing ----

// How many eigenvalues of w->A, in units of forces and lengths, are rounding; the least other one,
// over the largest, goes to `gap`.
static int count_zero(const swBodyModel *m, const swWork *w, swReal *gap) {
    const int n = (int)m->size.ndof;
    double *A = calloc((size_t)(n * n), sizeof *A), *V = calloc((size_t)(n * n), sizeof *V),
           *value = calloc((size_t)n, sizeof *value), *work = calloc(2 * (size_t)n, sizeof *work);
    int zero = 0;
    sw_blocks_unpack(&w->A, A, n);
    for (int i = 0; i < n * n; i++)
        A[i] /= w->length[i / n] * w->length[i % n];
    assert_true(sw_eigen_symmetric(n, A, value, V, work));
    while (zero < n && value[zero] < 1e-10 * value[n - 1])
        zero++;
    assert_true(value[0] > -1e-10 * value[n - 1]);
    *gap = zero < n ? value[zero] / value[n - 1] : 0;
    free(A);
    free(V);
    free(value);
    free(work);
    return zero;
}

// Strain rates at q: the Hessian of viscosity, next to which elasticity is nothing. Stress has no
// part in it, so that its zero motions are those without strain, in any state.
static int count_free_motions(const swBodyModel *m, swBodyState *s, swReal *gap) {
    swWork *w = s->work;
    swReal least;
    const swObjective o = {.q_last = s->q, .h = 1e-12};
    memcpy(w->relax, s->relax, (size_t)m->size.nrelax * sizeof *w->relax);
    sw_bulk_positions(m, s->q, w->bulk_last);
    sw_objective_evaluate(m, s, &o, s->q, true, true, SW_PROJECT_NONE);
    memset(w->g, 0, (size_t)m->size.nq * sizeof *w->g);
    if (w->folded)
        sw_nodes_fold_hessian(m, s->q, w->g, &w->H, &w->A);
    const int zero = count_zero(m, w, gap);
    sw_inertia_matrix(m, s, s->q, 1);
    return zero - count_zero(m, w, &least); // of these, what moves nothing
}

static void check_free_motions(const Body *d) {
    Random r = {5};
    swScene *scene = body_scene(d);
    scene->bodies->damping_stiffness = 1;
    swModel *m = compile_scene(scene);
    const swBodyModel *body = only_body(m);
    for (int deformed = 0; deformed < 4; deformed++) {
        swState *s = make_state(m);
        swReal *step = calloc((size_t)body->size.ndof, sizeof *step), gap;
        for (int64_t i = 0; i < body->size.ndof; i++)
            step[i] = random_in(&r, -1, 1) / only_state(s)->work->length[i];
        sw_nodes_move(body, step, deformed * 0.02 * d->size.y, only_state(s)->q);
        const int count = count_free_motions(body, only_state(s), &gap);
        if (count != 6 || gap < 1e-9)
            fail_msg("kind %d, %s, %d frames, state %d: %d motions cost nothing, the next %g",
                     d->kind, d->weights, d->frames, deformed, count, gap);
        assert_true(sw_state_energy(s).elastic >= 0);
        free(step);
        sw_state_destroy(s);
    }
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

static void only_rigid_motions_are_free(void **state) {
    (void)state;
    static const swVec3 size[] = {{1, 0.1, 0.1}, {1, 0.8, 0.1}, {1, 0.9, 0.8}};
    static const int frames[] = {2, 3, 6};
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++)
        for (int i = 0; placed_weights(i); i++)
            for (int k = 0; k < SW_COUNT(size); k++) {
                Body d = bar;
                d.kind = kind;
                d.weights = placed_weights(i);
                d.size = size[k];
                d.frames = 0;
                if (strcmp(d.weights, "hat") != 0 && strcmp(d.weights, "spline") != 0)
                    check_free_motions(&d);
                for (int f = 0; f < SW_COUNT(frames) && k == 0; f++) {
                    d.frames = frames[f];
                    check_free_motions(&d);
                }
            }
}

// ---- what is left alone ----

static int relaxed_cells(const swBodyModel *m) {
    int count = 0;
    for (int64_t i = 0; i < m->size.nzone; i++)
        count += m->zone[i].nstrain > 0;
    return count;
}

static void compact_bodies_are_left_alone(void **state) {
    (void)state;
    Body d = bar;
    swScene *scene = body_scene(&d);
    swModel *m = compile_scene(scene);
    assert_int_equal(relaxed_cells(only_body(m)), only_body(m)->size.nzone);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
    d.stiff = true;
    scene = body_scene(&d);
    m = compile_scene(scene);
    assert_int_equal(only_body(m)->size.nzone, 0);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
    d = bar;
    d.size = sw_v3(1, 0.9, 0.8);
    d.weights = "smooth";
    d.frames = 0;
    scene = body_scene(&d);
    scene->bodies->frames.count = 12;
    m = compile_scene(scene);
    print_message("%d of %d cells of a block with 12 frames are relaxed\n",
                  relaxed_cells(only_body(m)), (int)only_body(m)->size.nzone);
    assert_true(5 * relaxed_cells(only_body(m)) < only_body(m)->size.nzone);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bars_do_not_lock),
    cmocka_unit_test(every_rule_relaxes),
    cmocka_unit_test(strips_twist),
    cmocka_unit_test(pulled_bars_get_thinner),
    cmocka_unit_test(only_rigid_motions_are_free),
    cmocka_unit_test(compact_bodies_are_left_alone),
};
SW_SUITE(relax, tests)
