// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Strain at samples for motions whose strain is known, and its way to the surface.
#include "kinematics/strain.h"
#include "model/model.h"
#include "test_tools.h"

// Two bars of affine frames side by side, the first with a rigid part at its left end.
static swModel *make_model(void) {
    swError error = {0};
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
    assert_non_null(sw_scene_add_material(scene, "rubber"));
    swModel *model = sw_compile(scene, &error);
    if (!model)
        print_error("%s\n", error.message);
    assert_non_null(model);
    sw_scene_destroy(scene);
    return model;
}

// x = F X for every point.
static swReal *deform(const swModel *m, swMat3 F) {
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

static void strain_is_the_largest_stretch(void **state) {
    (void)state;
    swModel *m = make_model();
    Random r = {7};
    swReal *scratch = calloc(8 * (size_t)m->size.max_columns, sizeof *scratch);
    swReal *strain = calloc((size_t)m->size.nsample, sizeof *strain);
    for (int k = 0; k < 8; k++) {
        swMat3 R = random_rotation(&r), V = random_rotation(&r), S = sw_mat_identity();
        swReal largest = k == 0 ? 1 : 1.1 + 0.1 * k;
        if (k > 0)
            S = sw_mat_mul(sw_mat_mul(V, sw_mat_diag(0.8, largest, 1.05)), sw_mat_t(V));
        swReal *q = deform(m, sw_mat_mul(R, S));
        sw_samples_strain(m, q, NULL, scratch, strain);
        for (int64_t i = 0; i < m->size.nsample; i++)
            assert_near(strain[i], largest - 1, 1e-9);
        free(q);
    }
    free(scratch);
    free(strain);
    sw_model_destroy(m);
}

static int body_of_sample(const swModel *m, int sample) {
    for (int64_t i = 0; i < m->size.ngroup; i++)
        if (sample >= m->group[i].sample &&
            sample < m->group[i].sample + m->group[i].nblock * SW_LANES)
            return m->group[i].body;
    return -1;
}

static void points_see_the_nearest_samples_of_their_body(void **state) {
    (void)state;
    swModel *m = make_model();
    swError error = {0};
    swArena arena;
    swSampleMap map;
    sw_arena_init(&arena, &m->config.allocator);
    assert_true(sw_sample_map_create(&map, m, &arena, &error));
    assert_int_equal(map.npoint, m->size.npoint);
    for (int b = 0; b < m->size.nbody; b++)
        for (int p = m->body[b].point; p < m->body[b].point + m->body[b].npoint; p++) {
            const int *near = map.sample + p * SW_NEAR_SAMPLES;
            swReal farthest = sw_norm(sw_sub(m->sample_point[near[3]], m->point[p]));
            int nearer = 0;
            for (int s = 0; s < m->size.nsample; s++)
                nearer += body_of_sample(m, s) == b && m->sample_volume[s] > 0 &&
                          sw_norm(sw_sub(m->sample_point[s], m->point[p])) < farthest;
            assert_in_range(nearer, 0, 3); // all others are as far, or farther
            for (int k = 0; k < SW_NEAR_SAMPLES; k++)
                assert_int_equal(body_of_sample(m, near[k]), b);
        }
    sw_arena_free(&arena);
    sw_model_destroy(m);
}

static void values_reach_the_surface(void **state) {
    (void)state;
    swModel *m = make_model();
    swError error = {0};
    swArena arena;
    swSampleMap map;
    sw_arena_init(&arena, &m->config.allocator);
    assert_true(sw_sample_map_create(&map, m, &arena, &error));
    swReal *value = SW_NEW(&arena, m->size.nsample, swReal, &error);
    swReal *out = SW_NEW(&arena, m->size.npoint, swReal, &error);
    for (int64_t i = 0; i < m->size.nsample; i++)
        value[i] = 2;
    sw_sample_map_values(&map, value, out);
    int rigid = 0;
    for (int p = 0; p < m->size.npoint; p++) {
        bool carried = p < m->body[1].point && m->point[p].x < 0.15; // well inside the handle
        rigid += carried;
        if (carried)
            assert_near(out[p], 0, 0);
        else if (m->point[p].x > 0.3)
            assert_near(out[p], 2, 1e-12);
    }
    assert_true(rigid > 0);
    sw_arena_free(&arena);
    sw_model_destroy(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(strain_is_the_largest_stretch),
    cmocka_unit_test(points_see_the_nearest_samples_of_their_body),
    cmocka_unit_test(values_reach_the_surface),
};

SW_SUITE(strain, tests)
