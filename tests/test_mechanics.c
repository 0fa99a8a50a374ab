// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Whole scenes against what mechanics says of them.
#include "kinematics/rigid.h"
#include "material/law.h"
#include "solve/work.h"
#include "test_tools.h"

// ---- a bar along x from 0 to 1, its ends held by handles without thickness ----

typedef struct {
    const char *law;
    swReal young, poisson, density;
    swVec3 size;
    int resolution;
    int kind; // swNodeKind, or TEST_DUAL
    const char *weights;
    int frames; // besides the handles, evenly along the bar
    int points; // of integration; 0: every voxel
    bool left, right;
} Bar;

static const Bar plain_bar = {.law = "stvk",
                              .young = 2e5,
                              .density = 1000,
                              .size = {1, 0.1, 0.1},
                              .resolution = 20,
                              .kind = SW_NODE_AFFINE,
                              .weights = "hat",
                              .left = true,
                              .right = true};

enum { MAX_FRAMES = 16 };

static void add_end(swScene *s, const Bar *bar, const char *name, swReal x) {
    swHandle *h = sw_body_add_handle(s, s->bodies, name, SW_SHAPE_BOX);
    h->region->size = sw_v3(0, 2 * bar->size.y, 2 * bar->size.z);
    h->region->center = sw_v3(x, 0, 0);
}

static swScene *bar_scene(const Bar *bar) {
    static swVec3 at[MAX_FRAMES];
    swScene *s = sw_scene_create(NULL);
    s->gravity = sw_v3(0, 0, 0);
    s->solver.tolerance = 1e-12;
    swMaterial *m = sw_scene_add_material(s, "rubber");
    m->law = bar->law;
    m->young = bar->young;
    m->poisson = bar->poisson;
    m->density = bar->density;
    swBody *b = sw_scene_add_body(s, "bar");
    swShape *box = sw_body_add_shape(s, b, SW_SHAPE_BOX);
    box->size = bar->size;
    box->center = sw_v3(0.5 * bar->size.x, 0, 0);
    b->resolution = bar->resolution;
    set_kind(&b->frames, bar->kind);
    b->frames.weights.kind = bar->weights;
    b->frames.count = 0;
    b->frames.nat = bar->frames;
    b->frames.at = at;
    // With handles at both ends the frames lie between; else the last one is at the free end.
    const int gaps = bar->frames + (bar->left && bar->right ? 1 : bar->left ? 0 : -1);
    for (int i = 0; i < bar->frames; i++)
        at[i] = sw_v3(bar->size.x * (bar->left ? i + 1.0 : i) / sw_max_int(gaps, 1), 0, 0);
    b->integration.every_voxel = bar->points == 0;
    b->integration.points = bar->points;
    if (bar->left)
        add_end(s, bar, "left", 0);
    if (bar->right)
        add_end(s, bar, "right", bar->size.x);
    return s;
}

static swVec3 handle_force(const swState *state, int handle) {
    swVec3 force, torque;
    sw_handle_wrench(state, handle, &force, &torque);
    return force;
}

// ---- stretching ----

// Saint Venant-Kirchhoff without lateral contraction: the reaction is E A (e + 3/2 e^2 + 1/2 e^3),
// however many frames and integration points there are.
static void check_stretch(Bar bar, bool push) {
    static const swReal strains[] = {-0.3, -0.2, -0.1, -0.01, 0.01, 0.1, 0.3, 0.6, 1};
    for (int i = 0; i < SW_COUNT(strains); i++) {
        const swReal e = strains[i];
        if (e < 0 && !push)
            continue;
        swScene *s = bar_scene(&bar);
        s->analysis = SW_ANALYSIS_STATIC;
        swHandle *right = s->bodies->handles->next;
        sw_handle_add_key(s, right, 0);
        sw_handle_add_key(s, right, 1)->pose.translate = sw_v3(e * bar.size.x, 0, 0);
        sw_scene_add_probe(s, "a", sw_v3(0.37 * bar.size.x, 0.02, -0.03));
        swModel *m = compile_scene(s);
        swState *state = make_state(m);
        solve_or_fail(m, state);
        const swReal area = bar.size.y * bar.size.z;
        const swReal expected = bar.young * area * (e + 1.5 * e * e + 0.5 * e * e * e);
        const swReal energy = bar.young * area * bar.size.x * 0.5 * pow(e + 0.5 * e * e, 2);
        swVec3 pull = handle_force(state, 1), hold = handle_force(state, 0),
               u = sw_probe_displacement(state, 0);
        if (fabs(pull.x - expected) > 1e-8 * fabs(expected))
            fail_msg("node kind %d, %d frames, %d points, resolution %d: reaction %.12g at strain "
                     "%g, expected %.12g",
                     bar.kind, bar.frames + 2, bar.points, bar.resolution, pull.x, e, expected);
        assert_near(hold.x, -expected, 1e-8 * fabs(expected));
        assert_near(sw_norm(sw_add(pull, hold)), 0, 1e-8 * fabs(expected));
        assert_near(sw_state_energy(state).elastic, energy, 1e-8 * energy);
        if (bar.points == 0) { // fewer samples leave some motions undetermined
            assert_near(u.x, 0.37 * e * bar.size.x, 1e-10);
            assert_near(u.y, 0, 1e-10);
            assert_near(u.z, 0, 1e-10);
        }
        sw_state_destroy(state);
        sw_model_destroy(m);
        sw_scene_destroy(s);
    }
}

// Pushed, a bar that can bend buckles, the slender one with five frames at a strain of -0.03, with
// three rigid ones a little later; and with a few points in each region little resists bending.
// A stout bar is pushed instead.
static void bars_stretch_by_the_formula(void **state) {
    (void)state;
    static const int frames[] = {0, 1, 3}; // 2, 3 and 5 in all
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++)
        for (int i = 0; i < SW_COUNT(frames) && kind != SW_NODE_QUADRATIC; i++)
            for (int p = 0; p < 3; p++)
                for (int stout = 0; stout < 2; stout++) {
                    const bool affine = kind == SW_NODE_AFFINE;
                    const bool bends = frames[i] >= (affine ? 3 : 1) && (!stout || p < 2);
                    Bar bar = plain_bar;
                    bar.kind = kind;
                    bar.frames = frames[i];
                    bar.points = p == 0 ? frames[i] + 1 : p == 1 ? 20 : 0;
                    if (stout)
                        bar.size = sw_v3(1, 0.4, 0.4);
                    check_stretch(bar, !bends);
                }
}

// Voxels that do not fit between the frames: one layer of them lies across the kink at a frame. For
// affine frames the mean over such a voxel is not its value in the middle, and a few 1e-4 are lost.
static void rigid_bars_stretch_whatever_the_voxels(void **state) {
    (void)state;
    for (int resolution = 10; resolution <= 15; resolution++) {
        Bar bar = plain_bar;
        bar.kind = resolution % 2 ? SW_NODE_RIGID : TEST_DUAL;
        bar.frames = 1;
        bar.resolution = resolution;
        check_stretch(bar, true);
    }
}

// ---- patch test: every kind of node and weights holds every affine state ----

static void affine_states_are_held_exactly(void **state) {
    (void)state;
    Random r = {91};
    static const swNodeKind kinds[] = {SW_NODE_AFFINE, SW_NODE_QUADRATIC, SW_NODE_QUADRATIC,
                                       SW_NODE_AFFINE};
    for (int kind = SW_NODE_AFFINE; kind <= SW_NODE_QUADRATIC + 1; kind++) // the last: both
        for (int weights = 0; placed_weights(weights); weights++)
            for (int law = 0; sw_law_name(law); law++) {
                Bar bar = plain_bar;
                bar.law = sw_law_name(law);
                bar.poisson = 0.3;
                bar.kind = sw_min_int(kind, SW_NODE_QUADRATIC);
                bar.weights = placed_weights(weights);
                bar.frames = 4;
                bar.points = 17;
                bar.left = bar.right = false;
                swScene *s = bar_scene(&bar);
                if (kind > SW_NODE_QUADRATIC) {
                    s->bodies->frames.kinds = kinds;
                    s->bodies->frames.nkinds = SW_COUNT(kinds);
                }
                swVec3 p[5];
                for (int i = 0; i < SW_COUNT(p); i++) {
                    p[i] = sw_v3(random_unit(&r), random_in(&r, -0.05, 0.05),
                                 random_in(&r, -0.05, 0.05));
                    sw_scene_add_probe(s, NULL, p[i]);
                }
                swModel *m = compile_scene(s);
                swState *a = make_state(m);
                const swBodyModel *body = only_body(m);
                swMat3 F = random_mat(&r, 0.2);
                for (int k = 0; k < 3; k++)
                    F.m[4 * k] += 1;
                swVec3 t = random_vec(&r, 1);
                for (int64_t n = 0; n < body->size.nnode; n++) { // x = F p + t
                    const swNode *node = &body->node[n];
                    swVec3 x = sw_add(sw_mul(F, node->origin), t);
                    for (int row = 0; row < 3; row++) {
                        swReal *A = only_state(a)->q + node->q + row * node->width;
                        A[0] = sw_get(x, row);
                        memcpy(A + 1, F.m + 3 * row, 3 * sizeof *A);
                    }
                }
                for (int i = 0; i < SW_COUNT(p); i++)
                    assert_near(
                        sw_norm(sw_sub(sw_probe_position(a, i), sw_add(sw_mul(F, p[i]), t))), 0,
                        1e-10);
                // all samples have that F: the energy is its density times the volume
                swReal f[9 * SW_LANES], psi[SW_LANES];
                for (int k = 0; k < 9 * SW_LANES; k++)
                    f[k] = F.m[k / SW_LANES];
                sw_law_at(law)->evaluate(body->material[0].coefficient, 1, f, psi, NULL, NULL);
                assert_near(sw_state_energy(a).elastic, psi[0] * 0.01, 1e-10 * psi[0] * 0.01);
                sw_state_destroy(a);
                sw_model_destroy(m);
                sw_scene_destroy(s);
            }
}

// ---- rigid motions ----

// A block with all that a body can have, placed anywhere.
static swScene *block_scene(int kind, const char *weights, const char *law) {
    swScene *s = sw_scene_create(NULL);
    s->gravity = sw_v3(0, 0, 0);
    s->solver.tolerance = 1e-12;
    swMaterial *m = sw_scene_add_material(s, "rubber");
    m->law = law;
    m->young = 5e4;
    m->poisson = 0.35;
    swBody *b = sw_scene_add_body(s, "block");
    sw_body_add_shape(s, b, SW_SHAPE_BOX)->size = sw_v3(0.5, 0.2, 0.3);
    b->resolution = 10;
    set_kind(&b->frames, kind);
    b->frames.count = 4;
    b->frames.weights.kind = weights;
    b->integration.points = 40;
    return s;
}

// Every kind of frames is free of strain at rest, or refused.
static void rest_is_rest(void **state) {
    (void)state;
    for (int kind = 0; kind < TEST_KINDS; kind++)
        for (int weights = 0; placed_weights(weights); weights++) {
            swScene *s = block_scene(kind, placed_weights(weights), "neo-hookean");
            swError error = {0};
            swModel *m = sw_compile(s, &error);
            if (m) {
                swState *a = make_state(m);
                assert_near(sw_state_energy(a).elastic, 0, 1e-18);
                step_or_fail(m, a, 3);
                assert_near(sw_state_energy(a).elastic, 0, 1e-18);
                sw_state_destroy(a);
            } else {
                assert_int_equal(kind, SW_NODE_POINT);
                assert_non_null(strstr(error.message, "bodies[0].frames"));
            }
            sw_model_destroy(m);
            sw_scene_destroy(s);
        }
}

// Forces of b are those of a, turned.
static void assert_forces_turned(const swBodyModel *m, swBodyState *a, swBodyState *b, swMat3 R) {
    const swObjective elastic = {0};
    sw_objective_evaluate(m, a, &elastic, a->q, true, false, SW_PROJECT_NONE);
    sw_objective_evaluate(m, b, &elastic, b->q, true, false, SW_PROJECT_NONE);
    const swReal *ga = a->work->g, *gb = b->work->g;
    swReal size = 0, worst = 0;
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const int d = m->node[i].width, q = m->node[i].q;
        if (sw_node_is_dual(&m->node[i])) { // has a force and a torque instead
            swVec3 fa, ta, fb, tb;
            sw_node_wrench(&m->node[i], a->q, ga, sw_v3(a->q[q], a->q[q + 4], a->q[q + 8]), &fa,
                           &ta);
            sw_node_wrench(&m->node[i], b->q, gb, sw_v3(b->q[q], b->q[q + 4], b->q[q + 8]), &fb,
                           &tb);
            size = fmax(size, sw_norm(fa));
            worst = fmax(worst, sw_norm(sw_sub(sw_mul(R, fa), fb)));
            worst = fmax(worst, sw_norm(sw_sub(sw_mul(R, ta), tb)));
            continue;
        }
        for (int c = q; c < q + d; c++) {
            swVec3 f = sw_mul(R, sw_v3(ga[c], ga[c + d], ga[c + 2 * d]));
            size = fmax(size, sw_norm(f));
            worst = fmax(worst, sw_norm(sw_sub(f, sw_v3(gb[c], gb[c + d], gb[c + 2 * d]))));
        }
    }
    assert_true(size > 1e-2);
    assert_near(worst, 0, 1e-10 * size);
}

static void rigid_motions_cost_nothing(void **state) {
    (void)state;
    Random r = {92};
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++)
        for (int weights = 0; placed_weights(weights); weights++)
            for (int law = 0; sw_law_name(law); law++) {
                if (!sw_law_at(law)->objective)
                    continue;
                swScene *s = block_scene(kind, placed_weights(weights), sw_law_name(law));
                // the same block at rest, bent in itself, and turned as a whole
                swModel *m = compile_scene(s);
                swState *a = make_state(m), *b = make_state(m);
                const swBodyModel *body = only_body(m);
                swReal *qa = only_state(a)->q, *qb = only_state(b)->q;
                assert_near(sw_state_energy(a).elastic, 0, 1e-18);
                for (int64_t i = 0; i < body->size.nnode; i++) {
                    const swNode *node = &body->node[i];
                    swReal *A = qa + node->q;
                    if (node->kind == SW_NODE_RIGID) {
                        A[0] += random_in(&r, -0.005, 0.005); // hats may be close together
                        continue;
                    }
                    for (int k = 0; k < 3 * node->width; k++)
                        A[k] += random_in(&r, -0.02, 0.02) * (k % node->width ? 1 : 0.25);
                }
                swMat3 R = random_rotation(&r);
                swVec3 t = random_vec(&r, 3);
                for (int64_t i = 0; i < body->size.nnode; i++) {
                    const swNode *node = &body->node[i];
                    const swReal *A = qa + node->q;
                    for (int c = 0; c < node->width; c++) {
                        const int d = node->width;
                        swVec3 x = sw_mul(R, sw_v3(A[c], A[d + c], A[2 * d + c]));
                        x = c == 0 ? sw_add(x, t) : x;
                        for (int k = 0; k < 3; k++)
                            qb[node->q + k * d + c] = sw_get(x, k);
                    }
                }
                sw_nodes_sync(body, qa);
                sw_nodes_sync(body, qb);
                swReal bent = sw_state_energy(a).elastic;
                assert_true(bent > 1e-4);
                assert_near(sw_state_energy(b).elastic, bent, 1e-10 * bent);
                assert_forces_turned(body, only_state(a), only_state(b), R);
                sw_state_destroy(a);
                sw_state_destroy(b);
                sw_model_destroy(m);
                sw_scene_destroy(s);
            }
}

// A scene placed elsewhere, turned, with gravity and loads turned along, does the same there.
static void check_placed(bool dynamic, int kind) {
    const swPose place = {sw_v3(0.3, -1, 0.6), 2.1, sw_v3(0.1, 0.2, 0), sw_v3(1.5, -2, 0.7)};
    const swMat3 R = sw_mat_rotation(sw_scale(place.angle, sw_unit(place.axis)));
    swVec3 u[2], force[2];
    swReal energy[2];
    for (int placed = 0; placed < 2; placed++) {
        Bar bar = plain_bar;
        bar.law = "neo-hookean";
        bar.poisson = 0.3;
        bar.kind = kind;
        bar.frames = 3;
        bar.right = false;
        swScene *s = bar_scene(&bar);
        const swVec3 gravity = {0.2, -2, 0.4}, traction = {30, 50, -20};
        s->gravity = placed ? sw_mul(R, gravity) : gravity;
        swLoad *load = sw_body_add_load(s, s->bodies, SW_SHAPE_BOX);
        load->on->size = sw_v3(0, 1, 1);
        load->on->center = sw_v3(1, 0, 0);
        load->traction = placed ? sw_mul(R, traction) : traction;
        load = sw_body_add_load(s, s->bodies, SW_SHAPE_BOX); // goes with the surface by itself
        load->on->size = sw_v3(1, 0, 1);
        load->on->center = sw_v3(0.5, 0.05, 0);
        load->pressure = 20;
        if (placed)
            s->bodies->place = place;
        sw_scene_add_probe(s, "tip", sw_v3(1, 0, 0));
        swModel *m = compile_scene(s);
        swState *state = make_state(m);
        if (dynamic)
            step_or_fail(m, state, 20);
        else
            solve_or_fail(m, state);
        u[placed] = sw_probe_displacement(state, 0);
        force[placed] = handle_force(state, 0);
        energy[placed] = sw_state_energy(state).elastic;
        sw_state_destroy(state);
        sw_model_destroy(m);
        sw_scene_destroy(s);
    }
    assert_true(sw_norm(u[0]) > 1e-3);
    assert_near(sw_norm(sw_sub(sw_mul(R, u[0]), u[1])), 0, 1e-6 * sw_norm(u[0]));
    assert_near(sw_norm(sw_sub(sw_mul(R, force[0]), force[1])), 0, 1e-6 * sw_norm(force[0]));
    assert_near(energy[1], energy[0], 1e-6 * energy[0]);
}

static void turned_scenes_do_the_same(void **state) {
    (void)state;
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++)
        for (int dynamic = 0; dynamic < 2 && kind != SW_NODE_QUADRATIC; dynamic++)
            check_placed(dynamic, kind);
}

// The same problem in other units: lengths a tenth, densities tenfold, with the stiffness, gravity
// and time step that keep rho g L / E and t sqrt(g / L). Gravity stays, or, with contact, the
// second: friction sticks below a creep per second.
static void check_scaled(int kind, bool dynamic, bool contact) {
    swVec3 u[2];
    swReal energy[2];
    for (int small = 0; small < 2; small++) {
        const swReal L = small ? 0.1 : 1, rho = small ? 10 : 1, T = contact ? 1 : sqrt(L);
        const swReal g = L / (T * T), E = rho * g * L;
        Bar bar = plain_bar;
        bar.kind = kind;
        bar.law = "neo-hookean";
        bar.poisson = 0.3;
        bar.young = 2e5 * E;
        bar.density = 1000 * rho;
        bar.size = sw_v3(L, 0.1 * L, 0.1 * L);
        bar.frames = 3;
        bar.right = false;
        swScene *s = bar_scene(&bar);
        s->gravity = sw_v3(0, -2 * g, 0);
        s->time.step = 0.01 * T;
        s->bodies->damping_stiffness = 0.002 * T;
        s->bodies->damping_mass = 0.1 / T;
        if (contact)
            sw_scene_add_collider(s, SW_SHAPE_HALFSPACE)->shape->offset = -0.1 * L;
        sw_scene_add_probe(s, "tip", sw_v3(L, 0, 0));
        swModel *m = compile_scene(s);
        swState *state = make_state(m);
        if (dynamic)
            step_or_fail(m, state, 40);
        else
            solve_or_fail(m, state);
        if (contact)
            assert_true(sw_state_report(state)->contacts > 0);
        u[small] = sw_scale(1 / L, sw_probe_displacement(state, 0));
        energy[small] = sw_state_energy(state).elastic / (E * L * L * L);
        sw_state_destroy(state);
        sw_model_destroy(m);
        sw_scene_destroy(s);
    }
    assert_true(sw_norm(u[0]) > 1e-2);
    assert_near(sw_norm(sw_sub(u[0], u[1])), 0, 1e-6 * sw_norm(u[0]));
    assert_near(energy[1], energy[0], 1e-6 * energy[0]);
}

static void small_scenes_do_the_same(void **state) {
    (void)state;
    for (int dual = 0; dual < 2; dual++) {
        const int kind = dual ? TEST_DUAL : SW_NODE_AFFINE;
        check_scaled(kind, false, false);
        check_scaled(kind, true, false);
        check_scaled(kind, true, true);
    }
}

// ---- motion ----

static void free_bodies_keep_their_momentum(void **state) {
    (void)state;
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++) {
        swScene *s = block_scene(kind, "shepard", "neo-hookean");
        s->time.step = 0.005;
        s->bodies->velocity = sw_v3(0.3, -0.2, 0.5);
        s->bodies->spin = sw_v3(1, 4, -2);
        s->bodies->damping_stiffness = 0.001; // acts within the body alone
        swModel *m = compile_scene(s);
        swState *a = make_state(m);
        swVec3 p0, L0, p, L;
        sw_state_momentum(a, &p0, &L0);
        const swReal mass = 1000 * 0.5 * 0.2 * 0.3;
        assert_near(sw_norm(sw_sub(p0, sw_scale(mass, s->bodies->velocity))), 0, 1e-10 * mass);
        for (int i = 0; i < 100; i++) {
            step_or_fail(m, a, 1);
            sw_state_momentum(a, &p, &L);
            assert_near(sw_norm(sw_sub(p, p0)), 0, 1e-10 * sw_norm(p0));
        }
        print_message("node kind %d: angular momentum changed by %.2g in 100 steps, spinning %.2g "
                      "rad in each\n",
                      kind, sw_norm(sw_sub(L, L0)) / sw_norm(L0),
                      sw_norm(s->bodies->spin) * s->time.step);
        assert_true(sw_norm(sw_sub(L, L0)) < 0.2 * sw_norm(L0)); // first order in the step
        sw_state_destroy(a);
        sw_model_destroy(m);
        sw_scene_destroy(s);
    }
}

// Implicit Euler falls by g h^2 n (n + 1) / 2 in n steps, and does not deform.
static void free_fall_is_exact(void **state) {
    (void)state;
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++)
        for (int weights = 0; placed_weights(weights); weights++) {
            swScene *s = block_scene(kind, placed_weights(weights), "neo-hookean");
            const swReal h = 0.01, g = 9.81;
            s->gravity = sw_v3(0, -g, 0);
            s->time.step = h;
            s->bodies->velocity = sw_v3(1, 2, 3);
            sw_scene_add_probe(s, "corner", sw_v3(0.25, 0.1, 0.15));
            swModel *m = compile_scene(s);
            swState *a = make_state(m);
            for (int n = 1; n <= 50; n++) {
                step_or_fail(m, a, 1);
                swVec3 fall = {n * h, 2 * n * h - g * h * h * n * (n + 1) / 2, 3 * n * h};
                assert_near(sw_norm(sw_sub(sw_probe_displacement(a, 0), fall)), 0, 1e-10);
            }
            assert_near(sw_state_time(a), 0.5, 1e-15);
            assert_int_equal(sw_state_steps(a), 50);
            assert_near(sw_state_energy(a).elastic, 0, 1e-12);
            sw_state_destroy(a);
            sw_model_destroy(m);
            sw_scene_destroy(s);
        }
}

// Without work from outside, implicit Euler only loses energy.
static void energy_only_falls(void **state) {
    (void)state;
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++)
        for (int law = 0; sw_law_name(law); law++) {
            Bar bar = plain_bar;
            bar.law = sw_law_name(law);
            bar.poisson = 0.3;
            bar.kind = kind;
            bar.frames = 4;
            bar.right = false;
            swScene *s = bar_scene(&bar);
            s->gravity = sw_v3(0, -1, 0.5);
            s->time.step = 0.02;
            swModel *m = compile_scene(s);
            swState *a = make_state(m);
            swEnergy e = sw_state_energy(a);
            swReal last = e.elastic + e.kinetic + e.potential, lowest = 0;
            for (int i = 0; i < 60; i++) {
                step_or_fail(m, a, 1);
                e = sw_state_energy(a);
                swReal now = e.elastic + e.kinetic + e.potential;
                assert_true(now <= last + 1e-10);
                last = now;
                lowest = fmin(lowest, e.potential);
            }
            assert_true(lowest < -0.1); // it did swing
            sw_state_destroy(a);
            sw_model_destroy(m);
            sw_scene_destroy(s);
        }
}

// ---- statics ----

static void a_hanging_body_weighs_on_its_handle(void **state) {
    (void)state;
    for (int kind = SW_NODE_RIGID; kind < TEST_KINDS; kind++)
        for (int weights = 0; placed_weights(weights); weights++) {
            Bar bar = plain_bar;
            bar.law = "neo-hookean";
            bar.poisson = 0.3;
            bar.kind = kind;
            bar.weights = placed_weights(weights);
            bar.frames = 2;
            bar.right = false;
            swScene *s = bar_scene(&bar);
            s->gravity = sw_v3(3, -0.2, 0.1);
            swModel *m = compile_scene(s);
            swState *a = make_state(m);
            solve_or_fail(m, a);
            const swVec3 weight = sw_scale(10, s->gravity); // 10 kg
            swVec3 force, torque, moment = {0, 0, 0};
            sw_handle_wrench(a, 0, &force, &torque);
            assert_near(sw_norm(sw_add(force, weight)), 0, 1e-8 * sw_norm(weight));
            const swBodyModel *body = only_body(m);
            const swReal *q = only_state(a)->q;
            swVec3 *bulk = only_state(a)->work->bulk_last;
            // and its torque balances the weight where it now hangs
            for (int64_t i = 0; i < body->size.nnode && kind != TEST_DUAL; i++) {
                const swNode *n = &body->node[i];
                for (int c = 0; c < n->width; c++) {
                    const swReal *A = q + n->q;
                    swVec3 x = sw_v3(A[c], A[n->width + c], A[2 * n->width + c]);
                    moment = sw_madd(moment, body->weight_load[n->q / 3 + c], x);
                }
            }
            sw_bulk_positions(body, q, bulk);
            for (int k = 0; k < body->size.nbulk_point; k++)
                moment = sw_madd(moment, sw_bulk_mass(body, 0, k), bulk[k]);
            moment = sw_cross(moment, s->gravity); // about the handle's centre, the origin
            assert_near(sw_norm(sw_add(torque, moment)), 0, 1e-7 * sw_norm(moment));
            sw_state_destroy(a);
            sw_model_destroy(m);
            sw_scene_destroy(s);
        }
}

// Loads are handed on whole: what the handle holds is what was put on.
static void loads_arrive_whole(void **state) {
    (void)state;
    static const struct {
        swVec3 force, traction;
        swReal pressure;
        swVec3 size, center, total;
    } cases[] = {
        {.force = {1, 2, -3}, .size = {0, 1, 1}, .center = {1, 0, 0}, .total = {1, 2, -3}},
        {.force = {1, 2, -3},
         .size = {0.1, 0.06, 0.06},
         .center = {0.7, 0, 0},
         .total = {1, 2, -3}},
        {.traction = {10, 20, 5},
         .size = {0, 1, 1},
         .center = {1, 0, 0},
         .total = {0.1, 0.2, 0.05}},
        {.pressure = 50, .size = {0, 1, 1}, .center = {1, 0, 0}, .total = {-0.5, 0, 0}},
        {.pressure = 50, .size = {1, 0, 1}, .center = {0.5, 0.05, 0}, .total = {0, -5, 0}},
        {.pressure = 50, .size = {3, 1, 1}, .center = {0.5, 0, 0}, .total = {0, 0, 0}},
    };
    for (int i = 0; i < 2 * SW_COUNT(cases); i++) {
        Bar bar = plain_bar;
        bar.kind = i % 2 ? TEST_DUAL : SW_NODE_AFFINE;
        bar.young = 1e7;
        bar.frames = 3;
        bar.right = false;
        swScene *s = bar_scene(&bar);
        swLoad *load = sw_body_add_load(s, s->bodies, SW_SHAPE_BOX);
        load->force = cases[i / 2].force;
        load->traction = cases[i / 2].traction;
        load->pressure = cases[i / 2].pressure;
        load->on->size = cases[i / 2].size;
        load->on->center = cases[i / 2].center;
        swModel *m = compile_scene(s);
        swState *a = make_state(m);
        solve_or_fail(m, a);
        assert_near(sw_norm(sw_add(handle_force(a, 0), cases[i / 2].total)), 0, 1e-7);
        sw_state_destroy(a);
        sw_model_destroy(m);
        sw_scene_destroy(s);
    }
}

// Small deflections of a slender cantilever: w L^4 / (8 E I), and F L^3 / (3 E I) under a load at
// the end.
static void cantilevers_bend_like_beams(void **state) {
    (void)state;
    for (int tip = 0; tip < 2; tip++) {
        Bar bar = plain_bar;
        bar.frames = 4; // five in all
        bar.resolution = 80;
        bar.right = false;
        swScene *s = bar_scene(&bar);
        const swReal EI = bar.young * 0.1 * 0.1 * 0.1 * 0.1 / 12;
        swReal expected = 10 * 0.001 / (8 * EI);
        if (tip) {
            swLoad *load = sw_body_add_load(s, s->bodies, SW_SHAPE_BOX);
            load->on->size = sw_v3(0, 1, 1);
            load->on->center = sw_v3(1, 0, 0);
            load->force = sw_v3(0, -0.005, 0);
            expected = 0.005 / (3 * EI);
        } else
            s->gravity = sw_v3(0, -0.001, 0);
        sw_scene_add_probe(s, "tip", sw_v3(1, 0, 0));
        swModel *m = compile_scene(s);
        swState *a = make_state(m);
        solve_or_fail(m, a);
        swReal sag = -sw_probe_displacement(a, 0).y;
        print_message("%s: sag %.6g, of a beam %.6g: %+.2f %%\n",
                      tip ? "load at the end" : "own weight", sag, expected,
                      100 * (sag / expected - 1));
        assert_near(sag, expected, 0.05 * expected);
        sw_state_destroy(a);
        sw_model_destroy(m);
        sw_scene_destroy(s);
    }
}

// Increments are a way, not a result; and a static solution is where damped motion comes to rest.
static void statics_do_not_depend_on_the_way(void **state) {
    (void)state;
    swVec3 tip[3];
    for (int way = 0; way < 3; way++) {
        Bar bar = plain_bar;
        bar.law = "neo-hookean";
        bar.poisson = 0.3;
        bar.frames = 3;
        bar.right = false;
        swScene *s = bar_scene(&bar);
        s->gravity = sw_v3(0, -1, 0.3);
        s->solver.increments = way == 1 ? 7 : 1;
        s->time.step = 0.2;
        s->bodies->damping_mass = 3;
        sw_scene_add_probe(s, "tip", sw_v3(1, 0, 0));
        swModel *m = compile_scene(s);
        swState *a = make_state(m);
        if (way == 2)
            step_or_fail(m, a, 200);
        else
            solve_or_fail(m, a);
        if (way == 1)
            assert_true(sw_state_report(a)->increments >= 7);
        tip[way] = sw_probe_position(a, 0);
        sw_state_destroy(a);
        sw_model_destroy(m);
        sw_scene_destroy(s);
    }
    assert_near(sw_norm(sw_sub(tip[1], tip[0])), 0, 1e-9);
    assert_near(sw_norm(sw_sub(tip[2], tip[0])), 0, 1e-7);
}

// A block on a slope stays where friction holds it, and slides where it does not.
static void friction_holds_up_to_its_coefficient(void **state) {
    (void)state;
    for (int slippery = 0; slippery < 2; slippery++) {
        const swReal slope = 0.3, g = 9.81, mu = slippery ? 0.15 : 0.6; // tan 0.3 = 0.309
        swScene *s = block_scene(SW_NODE_RIGID, "shepard", "stvk");
        s->gravity = sw_v3(g * sin(slope), -g * cos(slope), 0);
        s->bodies->frames.count = 1;
        s->bodies->place.translate = sw_v3(0, 0.1, 0);
        s->solver.tolerance = 1e-8;
        s->time.step = 0.01;
        swCollider *c = sw_scene_add_collider(s, SW_SHAPE_HALFSPACE);
        c->friction = mu;
        sw_scene_add_probe(s, "middle", sw_v3(0, 0, 0));
        swModel *m = compile_scene(s);
        swState *a = make_state(m);
        const swReal *v = only_state(a)->v + only_body(m)->node[0].q;
        step_or_fail(m, a, 50); // settles
        swReal before = sw_probe_position(a, 0).x, v0 = v[0];
        step_or_fail(m, a, 50);
        swReal moved = sw_probe_position(a, 0).x - before, v1 = v[0];
        if (slippery) {
            swReal expected = g * (sin(slope) - mu * cos(slope));
            assert_near((v1 - v0) / 0.5, expected, 0.03 * expected);
        } else
            assert_near(moved, 0, 0.5 * 0.01 * sw_norm(sw_v3(0.5, 0.2, 0.3))); // creep at most
        sw_state_destroy(a);
        sw_model_destroy(m);
        sw_scene_destroy(s);
    }
}

// Contact points stand for all of the surface, wherever the body is at rest and however few they
// are.
static void contact_points_share_the_surface(void **state) {
    (void)state;
    static const int points[] = {1, 3, 7, 30, 500, 100000};
    for (int i = 0; i < SW_COUNT(points); i++) {
        int count[2];
        for (int far = 0; far < 2; far++) {
            swScene *s = block_scene(SW_NODE_AFFINE, "shepard", "stvk");
            s->bodies->shape->kind = SW_SHAPE_SPHERE;
            s->bodies->shape->radius = 0.3;
            s->bodies->shape->center = far ? sw_v3(4096, -512, 1024) : sw_v3(0, 0, 0);
            s->bodies->contact_points = points[i];
            sw_scene_add_collider(s, SW_SHAPE_HALFSPACE);
            swModel *m = compile_scene(s);
            const swBodyModel *body = only_body(m);
            swReal area = 0;
            for (int64_t k = 0; k < body->size.ncontact; k++)
                area += body->contact[k].area;
            assert_near(area, 4 * SW_PI * 0.09, 0.05);
            count[far] = sw_model_info(m).contact_points;
            assert_true(count[far] >= 1 && count[far] <= points[i]);
            assert_true(4 * count[far] >= points[i] || points[i] == 100000);
            sw_model_destroy(m);
            sw_scene_destroy(s);
        }
        assert_true(abs(count[1] - count[0]) <= 1 + count[0] / 5);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bars_stretch_by_the_formula),
    cmocka_unit_test(rigid_bars_stretch_whatever_the_voxels),
    cmocka_unit_test(affine_states_are_held_exactly),
    cmocka_unit_test(rest_is_rest),
    cmocka_unit_test(rigid_motions_cost_nothing),
    cmocka_unit_test(turned_scenes_do_the_same),
    cmocka_unit_test(small_scenes_do_the_same),
    cmocka_unit_test(free_bodies_keep_their_momentum),
    cmocka_unit_test(free_fall_is_exact),
    cmocka_unit_test(energy_only_falls),
    cmocka_unit_test(a_hanging_body_weighs_on_its_handle),
    cmocka_unit_test(loads_arrive_whole),
    cmocka_unit_test(cantilevers_bend_like_beams),
    cmocka_unit_test(statics_do_not_depend_on_the_way),
    cmocka_unit_test(friction_holds_up_to_its_coefficient),
    cmocka_unit_test(contact_points_share_the_surface),
};
SW_SUITE(mechanics, tests)
