// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Choices about frames: kinds that mix in one body; mass, full and lumped.
#include "kinematics/points.h"
#include "test_tools.h"

// A bar along x from 0 to 1 with three frames.
static swScene *bar_scene(int kind, const char *weights) {
    static const swVec3 at[] = {{0.3, 0, 0}, {0.6, 0, 0}, {1, 0, 0}};
    swScene *s = sw_scene_create(NULL);
    s->gravity = sw_v3(0, 0, 0);
    s->solver.tolerance = 1e-12;
    sw_scene_add_material(s, "rubber")->young = 2e5;
    swBody *b = sw_scene_add_body(s, "bar");
    swShape *box = sw_body_add_shape(s, b, SW_SHAPE_BOX);
    box->size = sw_v3(1, 0.1, 0.1);
    box->center = sw_v3(0.5, 0, 0);
    b->resolution = 20;
    b->integration.every_voxel = true;
    set_kind(&b->frames, kind);
    b->frames.count = 0;
    b->frames.at = at;
    b->frames.nat = SW_COUNT(at);
    b->frames.weights.kind = weights;
    return s;
}

// A frame of each kind but points in one body: rigid motions are exact, and a bar hangs as it
// should.
static void kinds_mix_in_one_body(void **state) {
    (void)state;
    static const swNodeKind kinds[] = {SW_NODE_RIGID, SW_NODE_QUADRATIC, SW_NODE_AFFINE};
    Random r = {96};
    for (int weights = 0; placed_weights(weights); weights++) {
        swScene *s = bar_scene(SW_NODE_AFFINE, placed_weights(weights));
        s->bodies->frames.kinds = kinds;
        s->bodies->frames.nkinds = SW_COUNT(kinds);
        swHandle *wall = sw_body_add_handle(s, s->bodies, "wall", SW_SHAPE_BOX);
        wall->region->size = sw_v3(0, 1, 1);
        s->gravity = sw_v3(2, -0.2, 0.1);
        swModel *m = compile_scene(s);
        assert_int_equal(only_body(m)->size.ndof, 6 + 30 + 12);
        swState *a = make_state(m);
        solve_or_fail(m, a);
        swVec3 force, torque;
        sw_handle_wrench(a, 0, &force, &torque);
        assert_near(sw_norm(sw_madd(force, 10, s->gravity)), 0, 1e-7); // 10 kg
        swMat3 R = random_rotation(&r);
        swVec3 t = random_vec(&r, 1);
        const swBodyModel *body = only_body(m);
        swReal *q = only_state(a)->q;
        for (int64_t n = 0; n < body->size.nnode; n++) {
            const swNode *node = &body->node[n];
            swVec3 x = sw_add(sw_mul(R, node->origin), t);
            memset(q + node->q, 0, 3 * (size_t)node->width * sizeof *q);
            for (int row = 0; row < 3; row++) {
                swReal *A = q + node->q + row * node->width;
                A[0] = sw_get(x, row);
                memcpy(A + 1, R.m + 3 * row, 3 * sizeof *A);
            }
        }
        assert_near(sw_state_energy(a).elastic, 0, 1e-16);
        for (int i = 0; i < body->size.npoint; i++)
            assert_near(sw_norm(sw_sub(sw_point_position(body, q, i),
                                       sw_add(sw_mul(R, body->point[i]), t))),
                        0, 1e-12);
        sw_state_destroy(a);
        sw_model_destroy(m);
        sw_scene_destroy(s);
    }
}

// Kinetic energy and momentum of a body that turns about its centre are those of its inertia.
static void check_inertia(swShapeKind shape, swReal volume, swVec3 second, swReal tolerance) {
    Random r = {93};
    for (int i = 2 * SW_NODE_RIGID; i < 2 * TEST_KINDS - 1; i++) { // in turn full and lumped
        const int kind = i / 2;
        swScene *s = sw_scene_create(NULL);
        sw_scene_add_material(s, "rubber");
        swBody *b = sw_scene_add_body(s, "block");
        sw_body_add_shape(s, b, SW_SHAPE_BOX)->size = sw_v3(0.5, 0.2, 0.3);
        set_kind(&b->frames, kind);
        b->frames.count = 4;
        b->integration.points = 40;
        b->mass = i % 2 ? SW_MASS_LUMPED : SW_MASS_FULL;
        b->shape->kind = shape;
        b->shape->radius = 0.3;
        b->shape->center = sw_v3(0.2, -0.1, 0.4);
        b->resolution = 24;
        b->velocity = random_vec(&r, 2);
        b->spin = random_vec(&r, 3);
        swModel *m = compile_scene(s);
        swState *a = make_state(m);
        const swReal mass = 1000 * volume;
        const swVec3 w = b->spin, I = sw_scale(mass, sw_v3(second.y + second.z, second.x + second.z,
                                                           second.x + second.y));
        swVec3 p, L, spin = {I.x * w.x, I.y * w.y, I.z * w.z};
        swVec3 orbit = sw_cross(b->shape->center, sw_scale(mass, b->velocity));
        sw_state_momentum(a, &p, &L);
        assert_near(sw_model_info(m).mass, mass, tolerance * mass);
        assert_near(sw_norm(sw_sub(only_body(m)->body[0].center, b->shape->center)), 0, tolerance);
        assert_near(sw_norm(sw_sub(p, sw_scale(mass, b->velocity))), 0,
                    tolerance * mass * sw_norm(b->velocity));
        assert_near(sw_norm(sw_sub(L, sw_add(spin, orbit))), 0,
                    tolerance * (sw_norm(spin) + sw_norm(orbit)));
        swReal kinetic = 0.5 * (mass * sw_norm2(b->velocity) + sw_dot(w, spin));
        assert_near(sw_state_energy(a).kinetic, kinetic, tolerance * kinetic);
        sw_state_destroy(a);
        sw_model_destroy(m);
        sw_scene_destroy(s);
    }
}

static void inertia_is_that_of_the_shape(void **state) {
    (void)state;
    check_inertia(SW_SHAPE_BOX, 0.03, sw_v3(0.25 / 12, 0.04 / 12, 0.09 / 12), 1e-9);
    const swReal R = 0.3, V = 4 * SW_PI / 3 * R * R * R;
    check_inertia(SW_SHAPE_SPHERE, V, sw_v3(R * R / 5, R * R / 5, R * R / 5), 2e-3);
}

// Lumped, a frame has a mass of its own that is positive in every motion, and nothing in common
// with others; they still keep their momentum together.
static void lumped_masses_are_positive(void **state) {
    (void)state;
    for (int kind = SW_NODE_RIGID; kind <= SW_NODE_QUADRATIC; kind++)
        for (int weights = 0; placed_weights(weights); weights++) {
            if (strcmp(placed_weights(weights), "spline") == 0) // may be negative: refused
                continue;
            swScene *s = bar_scene(kind, placed_weights(weights));
            s->bodies->mass = SW_MASS_LUMPED;
            s->bodies->velocity = sw_v3(0.3, -0.2, 0.5);
            s->bodies->spin = sw_v3(1, 4, -2);
            swModel *m = compile_scene(s);
            const swBodyModel *body = only_body(m);
            swReal total = 0;
            for (int64_t p = 0; p < body->size.npair; p++) {
                const swNodePair *pair = &body->pair[p];
                assert_true((pair->mass >= 0) == (pair->i == pair->j));
                if (pair->mass < 0)
                    continue;
                const int d = body->node[pair->i].width;
                long double A[100], w[10];
                for (int k = 0; k < d * d; k++)
                    A[k] = body->mass[pair->mass + k];
                total += (swReal)A[0];
                symmetric_eigen(d, A, w, NULL);
                for (int k = 0; k < d; k++)
                    assert_true(w[k] > 0);
            }
            assert_near(total, 10, 1e-9);
            swState *a = make_state(m);
            swVec3 p0, L0, p, L;
            sw_state_momentum(a, &p0, &L0);
            step_or_fail(m, a, 20);
            sw_state_momentum(a, &p, &L);
            assert_near(sw_norm(sw_sub(p, p0)), 0, 1e-10 * sw_norm(p0));
            sw_state_destroy(a);
            sw_model_destroy(m);
            sw_scene_destroy(s);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(kinds_mix_in_one_body),
    cmocka_unit_test(inertia_is_that_of_the_shape),
    cmocka_unit_test(lumped_masses_are_positive),
};
SW_SUITE(frames, tests)
