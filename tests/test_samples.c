// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Integration: samples have the moments of their body, and kinks of the weights cut voxels.
#include "test.h"

#include "model/body.h"
#include "test_tools.h"
#include "volume/grid.h"

// A bar held at both ends; frames of one kind between them, hat weights.
static swScene *bar_scene(swNodeKind kind, const swVec3 *at, int nat) {
    swScene *s = sw_scene_create(NULL);
    swMaterial *m = sw_scene_add_material(s, "rubber");
    m->law = "stvk";
    m->young = 2e5;
    m->poisson = 0;
    swBody *b = sw_scene_add_body(s, "bar");
    swShape *box = sw_body_add_shape(s, b, SW_SHAPE_BOX);
    box->size = sw_v3(1, 0.1, 0.1);
    box->center = sw_v3(0.5, 0, 0);
    b->resolution = 13;
    b->integration.correct = SW_CORRECT_NO; // regions are looked at
    b->frames.kind = kind;
    b->frames.count = 0;
    b->frames.at = at;
    b->frames.nat = nat;
    b->frames.weights.kind = "hat";
    for (int end = 0; end < 2; end++) {
        swHandle *h = sw_body_add_handle(s, b, end ? "end" : "wall", SW_SHAPE_BOX);
        h->region->size = sw_v3(0, 1, 1);
        h->region->center = sw_v3(end, 0, 0);
        if (end) {
            h->motion = SW_MOTION_KEYS;
            sw_handle_add_key(s, h, 0);
            sw_handle_add_key(s, h, 1)->pose.translate = sw_v3(0.5, 0, 0);
        }
    }
    s->analysis = SW_ANALYSIS_STATIC;
    s->gravity = sw_v3(0, 0, 0);
    s->solver.tolerance = 1e-11;
    return s;
}

// Frames anywhere between the voxels' faces: the voxels are cut at the kinks of the weights.
static void a_bar_does_not_see_where_voxels_end(void **state) {
    (void)state;
    static const swVec3 at[] = {{0.31, 0, 0}, {0.5, 0, 0}, {0.77, 0, 0}};
    static const int points[] = {0, 4, 40, 200}; // 0: every voxel
    for (int kind = SW_NODE_RIGID; kind <= SW_NODE_AFFINE; kind++)
        for (int p = 0; p < SW_COUNT(points); p++)
            for (int back = 0; back < 2; back++) {
                swScene *s = bar_scene((swNodeKind)kind, at, SW_COUNT(at));
                s->bodies->integration.every_voxel = points[p] == 0;
                s->bodies->integration.points = points[p];
                s->bodies->frames.weights.axis = sw_v3(back ? -2 : 0, 0, 0);
                swModel *m = compile_scene(s);
                swState *a = make_state(m);
                solve_or_fail(m, a);
                swVec3 force, torque;
                sw_handle_wrench(a, 1, &force, &torque);
                assert_near(force.x, 1875, 1875e-8); // E A (e + 3/2 e^2 + 1/2 e^3) at e = 1/2
                sw_state_destroy(a);
                sw_model_destroy(m);
                sw_scene_destroy(s);
            }
}

// Whatever their number, samples have the volume, centroid and second moments of the body.
static void samples_have_the_moments_of_the_body(void **state) {
    (void)state;
    static const swVec3 at[] = {{0.31, 0, 0}, {0.5, 0, 0}, {0.77, 0, 0}};
    for (int turn = 0; turn < 46; turn++) {
        const int points = 32 + turn / 2 * 8;
        swScene *s = bar_scene(SW_NODE_AFFINE, at, SW_COUNT(at));
        s->bodies->integration.points = points;
        s->bodies->integration.relax = turn % 2;
        s->bodies->resolution = 41;
        swModel *m = compile_scene(s);
        const swBodyModel *body = only_body(m);
        swReal volume = 0;
        swVec3 first = {0, 0, 0}, second = {0, 0, 0};
        for (int64_t i = 0; i < body->size.nsample; i++) {
            const swVec3 p = body->sample_point[i];
            volume += body->sample_volume[i];
            first = sw_madd(first, body->sample_volume[i], p);
            second =
                sw_madd(second, body->sample_volume[i], sw_v3(p.x * p.x, p.y * p.y, p.z * p.z));
        }
        if (turn % 2) // regions are at least two layers long then
            assert_in_range(sw_model_info(m).points, 32, points);
        else
            assert_int_equal(sw_model_info(m).points, points);
        assert_near(volume, 0.01, 1e-14);
        assert_near(first.x, 0.005, 1e-14);
        assert_near(first.y, 0, 1e-15);
        assert_near(second.x, 0.01 / 3, 1e-14);
        assert_near(second.y, 0.01 * 0.01 / 12, 1e-16);
        assert_near(second.z, 0.01 * 0.01 / 12, 1e-16);
        sw_model_destroy(m);
        sw_scene_destroy(s);
    }
}

// Bending of one region: four affine frames resist it with 32 samples as with one per voxel of a
// fine grid.
static void few_samples_feel_bending(void **state) {
    (void)state;
    static const swVec3 at[] = {{0.25, 0, 0}, {0.5, 0, 0}, {0.75, 0, 0}, {1, 0, 0}};
    swReal drop[2];
    for (int k = 0; k < 2; k++) {
        swScene *s = bar_scene(SW_NODE_AFFINE, at, SW_COUNT(at));
        s->bodies->handles->next = NULL; // a cantilever
        s->gravity = sw_v3(0, -0.01, 0);
        s->bodies->resolution = 80;
        s->bodies->integration.points = k ? 2000 : 32;
        sw_scene_add_probe(s, "tip", sw_v3(1, 0, 0));
        swModel *m = compile_scene(s);
        swState *a = make_state(m);
        solve_or_fail(m, a);
        drop[k] = sw_probe_displacement(a, 0).y;
        sw_state_destroy(a);
        sw_model_destroy(m);
        sw_scene_destroy(s);
    }
    assert_true(drop[1] < -0.005);
    assert_near(drop[0], drop[1], 0.02 * fabs(drop[1]));
}

// Splitting keeps volume and moments of every cell, and the order of voxels.
static void split_voxels_keep_their_moments(void **state) {
    (void)state;
    swArena arena;
    swConfig config = sw_default_config();
    swError error = {0};
    sw_arena_init(&arena, &config.allocator);
    swVoxel voxel[2] = {{.cell = 0,
                         .volume = 0.5,
                         .centroid = {0.5, 0.5, 0.4},
                         .second = {1.0 / 12, 1.0 / 12, 0.1},
                         .lo = {0, 0, 0},
                         .hi = {1, 1, 1}},
                        {.cell = 1,
                         .volume = 1,
                         .centroid = {1.5, 0.5, 0.5},
                         .second = {1.0 / 12, 1.0 / 12, 1.0 / 12},
                         .lo = {1, 0, 0},
                         .hi = {2, 1, 1}}};
    int first[3] = {0, 1, 2};
    swGrid g = {.h = 1, .n = {2, 1, 1}, .nvoxel = 2, .voxel = voxel, .first = first};
    const swReal plane[] = {-1, 0, 0.25, 0.75, 1.5, 2};
    assert_true(sw_grid_split(&g, 0, SW_COUNT(plane), plane, &arena, &error));
    assert_int_equal(g.nvoxel, 5);
    assert_int_equal(g.first[1], 3);
    assert_int_equal(g.first[2], 5);
    for (int c = 0; c < 2; c++) {
        swReal volume = 0, x = 0, xx = 0;
        for (int i = g.first[c]; i < g.first[c + 1]; i++) {
            const swVoxel *v = &g.voxel[i];
            assert_int_equal(v->cell, c);
            volume += v->volume;
            x += v->volume * v->centroid.x;
            xx += v->volume * (v->second.x + v->centroid.x * v->centroid.x);
        }
        const swReal middle = 0.5 + c;
        assert_near(volume, voxel[c].volume, 1e-15);
        assert_near(x, volume * middle, 1e-15);
        assert_near(xx, volume * (1.0 / 12 + middle * middle), 1e-15);
    }
    sw_arena_free(&arena);
}

// A ball inside a block, its border inside cells: many points give what all voxels do.
static swReal sink(swReal young, int points) {
    swScene *s = sw_scene_create(NULL);
    s->analysis = SW_ANALYSIS_STATIC;
    s->gravity = sw_v3(0, -1, 0);
    sw_scene_add_material(s, "a")->young = 1000;
    sw_scene_add_material(s, "b")->young = young;
    swBody *b = sw_scene_add_body(s, "block");
    swShape *box = sw_body_add_shape(s, b, SW_SHAPE_BOX);
    box->size = sw_v3(0.4, 0.4, 0.4);
    box->material = "a";
    swShape *ball = sw_body_add_shape(s, b, SW_SHAPE_SPHERE);
    ball->radius = 0.13;
    ball->material = "b";
    b->voxel = 0.02;
    b->frames.count = 4;
    b->integration.correct = SW_CORRECT_NO;
    b->integration.points = points;
    b->integration.every_voxel = points == 0;
    swHandle *h = sw_body_add_handle(s, b, "floor", SW_SHAPE_BOX);
    h->region->size = sw_v3(1, 0, 1);
    h->region->center = sw_v3(0, -0.2, 0);
    sw_scene_add_probe(s, "top", sw_v3(0.1, 0.2, 0.1));
    swModel *m = compile_scene(s);
    swState *a = make_state(m);
    solve_or_fail(m, a);
    const swReal y = -sw_probe_displacement(a, 0).y;
    sw_state_destroy(a);
    sw_model_destroy(m);
    sw_scene_destroy(s);
    return y;
}

static void more_points_do_not_stiffen(void **state) {
    (void)state;
    static const swReal young[] = {1e3, 1e4, 1e6};
    static const int points[] = {1000, 4000, 7000};
    for (int i = 0; i < SW_COUNT(young); i++) {
        const swReal all = sink(young[i], 0);
        for (int k = 0; k < SW_COUNT(points); k++)
            assert_near(sink(young[i], points[k]), all, 0.03 * all);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(more_points_do_not_stiffen),
    cmocka_unit_test(a_bar_does_not_see_where_voxels_end),
    cmocka_unit_test(samples_have_the_moments_of_the_body),
    cmocka_unit_test(few_samples_feel_bending),
    cmocka_unit_test(split_voxels_keep_their_moments),
};
SW_SUITE(samples, tests)
