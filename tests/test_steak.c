// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The T-bone steak of Faure, Gilles, Bousquet and Pai 2011: three frames and about ten integration
// points, pulled at one side. The bone stays as it is, the other side at rest, and fat gives way
// more than flesh.
#include "test_examples.h"
#include "test_field.h"
#include "test_scene.h"

#include <time.h>

// Young's moduli that tell fat, flesh and bone apart.
#define FLESH 12500
#define BONE 1e7

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Largest principal strain in the cells that hold bone, by the weights there.
static swReal strain_of_bone(const char *json, swScene *scene, const swModel *m, const swReal *q) {
    (void)json;
    Field f;
    swError error = {0};
    swReal largest = 0, w[MAX_SITES], dw[3 * MAX_SITES];
    int n[2] = {0};
    require(build_field(&f, scene, &error), &error);
    assert_int_equal(f.body.nsite, m->size.nnode);
    for (int v = 0; v < f.body.grid.nvoxel; v++) {
        const swVoxel *x = &f.body.grid.voxel[v];
        if (sw_build_young(&f.builder, x) < BONE)
            continue;
        weights_at(&f, x->centroid, w, dw);
        swMat3 F = {{0}}, U, V;
        swVec3 s;
        for (int i = 0; i < f.body.nsite; i++) {
            const swNode *node = &m->node[i];
            swReal mono[SW_MAX_MONOMIALS], grad[SW_MAX_MONOMIALS][3];
            sw_monomials(node->width, sw_sub(x->centroid, node->origin), mono);
            sw_monomial_gradients(node->width, sw_sub(x->centroid, node->origin), grad);
            for (int r = 0; r < 3; r++)
                for (int a = 0; a < node->width; a++)
                    for (int d = 0; d < 3; d++)
                        F.m[3 * r + d] += q[node->q + r * node->width + a] *
                                          (w[i] * grad[a][d] + dw[3 * i + d] * mono[a]);
        }
        sw_mat_svd(F, &U, &s, &V);
        const swReal e = fmax(s.x, fmax(s.y, s.z)) - 1;
        n[e > 1e-9]++;
        largest = fmax(largest, e);
    }
    printf("bone voxels: %d at rest, %d strained\n", n[0], n[1]);
    free_field(&f);
    return largest;
}

static void check_steak(swScene *scene, const char *name) {
    swModel *m = compile_scene(scene);
    const double compiled = now();
    swModel *again = compile_scene(scene);
    printf("%s: compiled in %.3f s\n", name, now() - compiled);
    swState *a = make_state(m);
    while (sw_state_time(a) < sw_model_info(m).end - 1e-9)
        step_or_fail(m, a, 1);
    scene->bodies->integration.every_voxel = true;
    swModel *fine = compile_scene(scene);
    const Strain fat = strain_between(fine, a->q, 0, FLESH),
                 flesh = strain_between(fine, a->q, FLESH, BONE);
    const swReal pulled = sw_norm(sw_probe_displacement(a, 0)),
                 other = sw_norm(sw_probe_displacement(a, 1)), bone = strain_of_bone(NULL, scene, m, a->q);
    printf("%s: %d frames, %d points, %d voxels; moved by %.4f m, the other side by %.1e m; strain: "
           "fat %.4f (largest %.3f), flesh %.4f (%.3f), bone %.1e\n",
           name, sw_model_info(m).frames, sw_model_info(m).points, sw_model_info(m).voxels, pulled,
           other, fat.mean, fat.largest, flesh.mean, flesh.largest, bone);
    sw_state_destroy(a);
    sw_model_destroy(fine);
    sw_model_destroy(again);
    sw_model_destroy(m);
}

static void our_steak(void **state) {
    (void)state;
    check_steak(read_example("steak"), "our steak");
}

static void check_image(const char *path, swReal pixel) {
    char json[4096];
    swError error = {0};
    snprintf(json, sizeof json,
             "{'sinew': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.05, 'end': 2},"
             "'materials': {'meat': {'law': 'corotated', 'young': 20000, 'poisson': 0, 'density': 0.01}},"
             "'bodies': [{'shape': {'volume': {'file': '%s', 'pixel': %g, 'thickness': 0.8,"
             "  'map': {'young': [[1, 20000], [254, 5000], [255, 1.5e10]]}, 'translate': [-5, -3.75, 0]}},"
             " 'voxel': 0.15, 'frames': {'at': [[1.5, 2.5, 0]], 'count': 1}, 'integration': {'points': 10},"
             " 'handles': [{'region': {'sphere': {'center': [2.4, 0.45, 0], 'radius': 0.3}}}],"
             " 'loads': [{'force': [0, 3000, 0], 'on': {'box': {'size': [2, 0.8, 2], 'center': [1.3, 3.4, 0]}}}],"
             " 'damping': {'mass': 0.05, 'stiffness': 0.05}}],"
             "'probes': [{'name': 'pulled', 'point': [1.3, 3.2, 0]}, {'name': 'other', 'point': [0, -3, 0]}]}",
             path, pixel);
    swScene *s = parse_scene(json, &error);
    require(s != NULL, &error);
    check_steak(s, "the papers' steak");
}

static void their_steak(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "assets/figures/steak-seg.ppm");
    check_image(path, 0.1);
}

static void their_steak_in_fine_pixels(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "assets/figures/steak-seg-highres.ppm");
    check_image(path, 0.025);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(our_steak),
    cmocka_unit_test(their_steak),
    cmocka_unit_test(their_steak_in_fine_pixels),
};
SW_SUITE(steak, tests)
