// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Colliders that move, and bodies that meet colliders.
#include "contact/collider.h"
#include "kinematics/handles.h"
#include "test_blocks.h"

// A soft cube of edge 0.2 above the origin.
static swScene *cube_scene(swReal height) {
    swScene *s = sw_scene_create(NULL);
    swMaterial *m = sw_scene_add_material(s, NULL);
    m->young = 3e4;
    m->law = "stvk";
    swBody *b = sw_scene_add_body(s, "cube");
    sw_body_add_shape(s, b, SW_SHAPE_BOX)->size = sw_v3(0.2, 0.2, 0.2);
    b->place.translate = sw_v3(0, height, 0);
    b->resolution = 6;
    b->frames.count = 2;
    b->damping_stiffness = 0.02;
    s->time.step = 0.01;
    return s;
}

// ---- motion ----

static const swAffine identity = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0, 0, 0}};
static swAffine random_pose(Random *r) { return (swAffine){random_rotation(r), random_vec(r, 2)}; }

static void keys_move_colliders_as_they_move_handles(void **state) {
    (void)state;
    swScene *s = cube_scene(100);
    swHandle *h = sw_body_add_handle(s, s->bodies, NULL, SW_SHAPE_SPHERE);
    h->region->radius = 1;
    s->bodies->frames.count = 0;
    s->bodies->place = (swPose){{1, 0, 2}, 0.7, {0, 99, 0}, {1, 2, 3}};
    swCollider *c = sw_scene_add_collider(s, SW_SHAPE_BOX);
    c->shape->size = sw_v3(1, 2, 3);
    c->place = s->bodies->place;
    for (int i = 0; i < 3; i++) {
        swKey *key[2] = {sw_handle_add_key(s, h, 0.5 * i + 0.2),
                         sw_collider_add_key(s, c, 0.5 * i + 0.2)};
        for (int k = 0; k < 2; k++)
            key[k]->pose = (swPose){{1, i, 2}, 1.5 * i, {i, 0, 1}, {0, 3 - i, 1}};
    }
    assert_int_equal(c->motion, SW_COLLIDER_KEYS);
    swModel *m = compile_scene(s);
    swState *now = make_state(m);
    assert_int_equal(m->collider[0].nkey, 3);
    assert_near(sw_handles_end(only_body(m)), 1.2, 1e-15);
    const swBodyModel *body = only_body(m);
    const swNode *node = &body->node[body->handle[0].node];
    swReal *q = calloc((size_t)m->size.nq, sizeof *q);
    for (int i = 0; i < 30; i++) {
        const swReal t = 0.05 * i;
        memcpy(q, m->q0, (size_t)m->size.nq * sizeof *q);
        sw_handles_pose(body, only_state(now), t, 1, q);
        const swReal *A = q + node->q;
        const swAffine pose = sw_collider_pose(m, &m->collider[0], t);
        const swVec3 x = sw_affine_at(pose, node->origin);
        assert_rotation(pose.A, 1e-14);
        assert_near(sw_norm(sw_sub(x, sw_v3(A[0], A[4], A[8]))), 0, 1e-12);
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < 3; k++)
                assert_near(pose.A.m[3 * r + k], A[4 * r + 1 + k], 1e-14);
    }
    free(q);
    sw_state_destroy(now);
    sw_model_destroy(m);
    sw_scene_destroy(s);
}

// How far what is at x on a collider goes between two poses.
static void colliders_carry_along(void **state) {
    (void)state;
    Random r = {76};
    for (int i = 0; i < 100; i++) {
        const swAffine a = random_pose(&r), b = random_pose(&r);
        const swVec3 X = random_vec(&r, 2), x = sw_affine_at(a, X);
        const swVec3 moved = sw_collider_moved(&a, &b, x);
        assert_near(sw_norm(sw_sub(sw_add(x, moved), sw_affine_at(b, X))), 0, 1e-14);
        assert_near(sw_norm(sw_collider_moved(&a, &a, x)), 0, 1e-14);
    }
    // A small turn: w x r.
    const swVec3 spin = {1e-5, -2e-5, 3e-5}, x = {3, 1, 2};
    const swAffine to = {sw_mat_rotation(spin), {1e-5, 0, 0}};
    const swVec3 expected = sw_add(sw_cross(spin, x), sw_v3(1e-5, 0, 0));
    assert_near(sw_norm(sw_sub(sw_collider_moved(&identity, &to, x), expected)), 0, 3e-9);
}

// ---- bodies that meet them ----

static swVec3 center_of(const swState *s) {
    swVec3 x[4096], sum = {0, 0, 0};
    const int n = sw_body_vertex_count(s->model, 0);
    assert_true(n <= SW_COUNT(x));
    sw_body_vertices(s, 0, x);
    for (int i = 0; i < n; i++)
        sum = sw_madd(sum, 1.0 / n, x[i]);
    return sum;
}

typedef struct {
    swModel *model;
    swState *state;
} Sim;

static Sim simulate(swScene *scene, swReal time) {
    Sim sim = {.model = compile_scene(scene)};
    sim.state = make_state(sim.model);
    while (sw_state_time(sim.state) < time - 1e-9)
        step_or_fail(sim.model, sim.state, 1);
    return sim;
}

static void end_sim(Sim *sim, swScene *scene) {
    sw_state_destroy(sim->state);
    sw_model_destroy(sim->model);
    sw_scene_destroy(scene);
}

// A block as a box, as a mesh, as a box turned by its place and as a cylinder much wider than the
// cube: all of them hold it up alike.
static void the_same_floor_in_other_words(void **state) {
    (void)state;
    swVec3 rest[5];
    const char *file = blocks_path("floor.obj", 0xff, -1);
    for (int i = 0; i < 5; i++) {
        static const swShapeKind kind[] = {SW_SHAPE_BOX, SW_SHAPE_MESH, SW_SHAPE_BOX,
                                           SW_SHAPE_CYLINDER, SW_SHAPE_HALFSPACE};
        swScene *s = cube_scene(0.11);
        swCollider *c = sw_scene_add_collider(s, kind[i]);
        swShape *shape = c->shape;
        shape->size = i == 2 ? sw_v3(1, 2, 2) : sw_v3(2, 1, 2);
        shape->center = i == 2 ? sw_v3(-0.5, 0, 0) : sw_v3(0, -0.5, 0);
        shape->from = sw_v3(0, -1, 0);
        shape->to = sw_v3(0, 0, 0);
        shape->radius = 3;
        if (i == 1) {
            shape->file = file;
            shape->scale = 0.5;
            shape->pose.translate = sw_v3(-0.5, -1, -0.5);
        }
        if (i == 2)
            c->place = (swPose){{0, 0, 1}, SW_PI / 2, {0, 0, 0}, {0, 0, 0}};
        if (i == 4) {
            shape->normal = sw_v3(1, 0, 0);
            c->place = (swPose){{0, 0, 1}, SW_PI / 2, {0, 0, 0}, {0, 0, 0}};
        }
        Sim sim = simulate(s, 1);
        rest[i] = center_of(sim.state);
        assert_true(sw_state_report(sim.state)->contacts >= 4);
        assert_near(rest[i].y, 0.094, 2e-3);
        assert_near(sw_norm(sw_sub(rest[i], rest[0])), 0, 1e-9);
        end_sim(&sim, s);
    }
    remove(file);
}

// A ball in the notch of a mesh, a cube on a cylinder's side and on a cone that is cut off.
static void bodies_lie_on_colliders(void **state) {
    (void)state;
    const char *file = blocks_path("notch.obj", 0x7f, -1);
    for (int i = 0; i < 3; i++) {
        static const swShapeKind kind[] = {SW_SHAPE_MESH, SW_SHAPE_CYLINDER, SW_SHAPE_CONE};
        swScene *s = cube_scene(i == 0 ? 0.23 : 0.2);
        swCollider *c = sw_scene_add_collider(s, kind[i]);
        c->friction = 1;
        swShape *shape = c->shape;
        shape->from = i == 1 ? sw_v3(0, -0.3, -1) : sw_v3(0, -1, 0);
        shape->to = i == 1 ? sw_v3(0, -0.3, 1) : sw_v3(0, 0.08, 0);
        shape->radius = i == 1 ? 0.35 : 1;
        shape->top = 0.5;
        if (i == 0) { // its concave corner is at the origin, turned so that it looks up
            s->bodies->shape->kind = SW_SHAPE_SPHERE;
            s->bodies->shape->radius = 0.12;
            shape->file = file;
            shape->scale = 0.5;
            shape->pose.translate = sw_v3(-0.5, -0.5, -0.5);
            const swVec3 way = sw_unit(sw_v3(1, 1, 1));
            c->place = (swPose){sw_cross(way, sw_v3(0, 1, 0)), acos(way.y), {0, 0, 0}, {0, 0, 0}};
        }
        Sim sim = simulate(s, 1.5);
        const swVec3 x = center_of(sim.state);
        const swEnergy energy = sw_state_energy(sim.state);
        assert_true(sw_state_report(sim.state)->contacts > 0);
        assert_true(hypot(x.x, x.z) < 0.02);
        assert_near(x.y, i == 0 ? 0.12 * sqrt(3) : i == 1 ? 0.15 : 0.18, 0.03);
        assert_true(energy.kinetic < 1e-3 * energy.elastic); // sticking is a creep
        end_sim(&sim, s);
    }
    remove(file);
}

// A wall that keys move pushes a cube over a smooth floor; it goes as far as the wall does.
static void keyed_colliders_push(void **state) {
    (void)state;
    static const char *const integrator[] = {"implicit-euler", "bdf2", "midpoint"};
    for (int i = 0; i < SW_COUNT(integrator); i++) {
        swScene *s = cube_scene(0.1);
        s->time.integrator = integrator[i];
        s->bodies->damping_mass = 5;
        sw_scene_add_collider(s, SW_SHAPE_HALFSPACE)->friction = 0;
        swCollider *wall = sw_scene_add_collider(s, SW_SHAPE_BOX);
        wall->friction = 0;
        wall->shape->size = sw_v3(0.2, 1, 1);
        wall->place.translate = sw_v3(-0.25, 0.6, 0);
        sw_collider_add_key(s, wall, 0.1);
        sw_collider_add_key(s, wall, 1.1)->pose.translate = sw_v3(0.5, 0, 0);
        Sim sim = simulate(s, 0);
        swReal drift = 0, brought = 0;
        for (int k = 0; k < 80; k++) {
            step_or_fail(sim.model, sim.state, 1);
            drift += sw_state_report(sim.state)->drift;
            brought += sw_state_report(sim.state)->work;
        }
        // What it does is what the cube has, but for what the integrator loses. Where the wall hits
        // it bdf2 and midpoint would gain more than a hundredth, and implicit Euler takes the step.
        static const swReal loss[] = {0.1, 0.1, 0.01};
        assert_near(brought, 8, 0.2);
        assert_true(fabs(drift) < loss[i] * brought);
        // At 0.8 s the wall has gone 0.35 and pushes at half a metre per second.
        const swVec3 x = center_of(sim.state);
        assert_near(x.x, -0.25 + 0.35 + 0.1 + 0.1, 0.03);
        end_sim(&sim, s);
    }
}

// A belt under a cube and a turntable take it along by friction, each at its own speed.
static void moving_colliders_rub(void **state) {
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        swScene *s = cube_scene(0.1);
        swCollider *belt = sw_scene_add_collider(s, turn ? SW_SHAPE_CYLINDER : SW_SHAPE_BOX);
        s->bodies->place.translate.x = turn ? 0.5 : 0;
        belt->friction = 1;
        belt->shape->size = sw_v3(10, 1, 2);
        belt->shape->center = sw_v3(0, -0.5, 0);
        belt->shape->from = sw_v3(0, -0.5, 0);
        belt->shape->to = sw_v3(0, 0, 0);
        belt->shape->radius = 1;
        sw_collider_add_key(s, belt, 0);
        swKey *end = sw_collider_add_key(s, belt, 2);
        if (turn)
            end->pose = (swPose){{0, 1, 0}, 1.6, {0, 0, 0}, {0, 0, 0}}; // 0.8 rad/s
        else
            end->pose.translate = sw_v3(0.6, 0, 0.8); // 0.5 m/s
        Sim sim = simulate(s, 1);
        const swVec3 before = center_of(sim.state);
        step_or_fail(sim.model, sim.state, 50);
        const swVec3 after = center_of(sim.state), v = sw_scale(2, sw_sub(after, before));
        if (turn) {
            const swReal angle = atan2(-after.z, after.x) - atan2(-before.z, before.x);
            assert_near(angle, 0.4, 0.01);
            assert_near(hypot(after.x, after.z), 0.5, 0.03);
        } else
            assert_near(sw_norm(sw_sub(v, sw_v3(0.3, 0, 0.4))), 0, 0.01);
        end_sim(&sim, s);
    }
}

// Statics walk colliders along their keys: pressed in by keys or there from the start, it is the
// same equilibrium.
static void statics_press_colliders_in(void **state) {
    (void)state;
    swVec3 x[2];
    for (int i = 0; i < 2; i++) {
        swScene *s = cube_scene(0);
        s->analysis = SW_ANALYSIS_STATIC;
        s->solver.increments = 4;
        swHandle *h = sw_body_add_handle(s, s->bodies, NULL, SW_SHAPE_BOX);
        h->region->size = sw_v3(1, 0, 1);
        h->region->center = sw_v3(0, -0.1, 0);
        swCollider *punch = sw_scene_add_collider(s, SW_SHAPE_CYLINDER);
        punch->shape->from = sw_v3(0, 0.6, 0);
        punch->shape->to = sw_v3(0, 0.1, 0);
        punch->shape->radius = 0.4;
        if (i == 0) {
            sw_collider_add_key(s, punch, 0);
            sw_collider_add_key(s, punch, 2)->pose.translate = sw_v3(0, -0.05, 0);
        } else
            punch->place.translate = sw_v3(0, -0.05, 0);
        swModel *m = compile_scene(s);
        swState *now = make_state(m);
        assert_int_equal(sw_solve_static(m, now), SW_OK);
        assert_true(sw_state_report(now)->contacts > 0);
        assert_true(sw_state_energy(now).elastic > 0);
        x[i] = center_of(now);
        sw_state_destroy(now);
        sw_model_destroy(m);
        sw_scene_destroy(s);
    }
    assert_near(sw_norm(sw_sub(x[0], x[1])), 0, 1e-6);
    assert_true(x[0].y < -2e-3);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(keys_move_colliders_as_they_move_handles),
    cmocka_unit_test(colliders_carry_along),
    cmocka_unit_test(the_same_floor_in_other_words),
    cmocka_unit_test(bodies_lie_on_colliders),
    cmocka_unit_test(keyed_colliders_push),
    cmocka_unit_test(moving_colliders_rub),
    cmocka_unit_test(statics_press_colliders_in),
};
SW_SUITE(push, tests)
