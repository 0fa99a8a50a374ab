// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The T-bone steak of Faure, Gilles, Bousquet and Pai 2011: three frames and about ten integration
// points, pulled at one side. The bone stays as it is, the other side at rest, and fat gives way
// more than flesh.
#include "test_examples.h"
#include "test_scene.h"

#include <time.h>

// Young's moduli that tell fat, flesh and bone apart [Pa].
#define FLESH 12500
#define BONE 1e7

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// By how much an edge of the bone's surface has changed its length, at most.
static swReal strain_of_bone(const swModel *m, const swState *a) {
    int part = 0;
    while (part < sw_part_count(m) && strcmp(sw_part_name(m, part), "bone") != 0)
        part++;
    assert_true(part < sw_part_count(m));
    const int n = 3 * sw_part_triangle_count(m, part), nvertex = sw_part_vertex_count(m, part);
    assert_true(n > 0);
    swState *rest = make_state(m);
    swVec3 *X = calloc((size_t)nvertex, sizeof *X), *x = calloc((size_t)nvertex, sizeof *x);
    int *corner = calloc((size_t)n, sizeof *corner);
    assert_true(X && x && corner);
    sw_part_triangles(m, part, corner);
    sw_part_vertices(rest, part, X);
    sw_part_vertices(a, part, x);
    swReal largest = 0;
    for (int i = 0; i < n; i++) {
        const int b = corner[i], e = corner[i % 3 < 2 ? i + 1 : i - 2];
        const swReal length = sw_norm(sw_sub(X[b], X[e]));
        if (length > 0)
            largest = fmax(largest, fabs(sw_norm(sw_sub(x[b], x[e])) / length - 1));
    }
    free(X);
    free(x);
    free(corner);
    sw_state_destroy(rest);
    return largest;
}

// Probe 0 is on the pulled side, probe 1 on the other.
static void check_steak(swScene *scene, const char *name) {
    const double start = now();
    swModel *m = compile_scene(scene);
    const double seconds = now() - start;
    swState *a = make_state(m);
    while (sw_state_time(a) < sw_model_info(m).end - 1e-9)
        step_or_fail(m, a, 1);
    // Strain is looked at in every voxel: the same frames, the same weights.
    scene->bodies->integration.every_voxel = true;
    swModel *fine = compile_scene(scene);
    assert_int_equal(fine->size.nq, m->size.nq);
    const swBodyModel *voxels = only_body(fine);
    const swReal *q = only_state(a)->q;
    const Strain fat = strain_between(voxels, q, 0, FLESH),
                 flesh = strain_between(voxels, q, FLESH, BONE),
                 stiff = strain_between(voxels, q, BONE, INFINITY);
    const swReal bone = strain_of_bone(m, a), pulled = sw_norm(sw_probe_displacement(a, 0)),
                 other = sw_norm(sw_probe_displacement(a, 1));
    const swModelInfo info = sw_model_info(m);
    printf("%s: %d frames, %d points, %d voxels, compiled in %.3f s; moved by %.4f, the other side "
           "by %.1e m\n",
           name, info.frames, info.points, info.voxels, seconds, pulled, other);
    printf("    principal strain, mean and largest: fat %.4f, %.4f; flesh %.4f, %.4f; bone %.1e\n",
           fat.mean, fat.largest, flesh.mean, flesh.largest, bone);
    assert_int_equal(info.frames, 3);
    assert_int_equal(info.points, 10);
    const swBodyInfo *body = only_body(m)->body;
    assert_true(pulled > 0.02 * sw_norm(sw_sub(body->hi, body->lo)));
    assert_true(other < 0.1 * pulled);
    assert_int_equal(stiff.samples, 0); // carried rigidly: it has no strain to feel
    assert_true(bone < 1e-3 * flesh.largest);
    assert_true(fat.samples > 0 && flesh.samples > 0 && flesh.mean > 0);
    assert_true(fat.mean > flesh.mean);
    sw_state_destroy(a);
    sw_model_destroy(fine);
    sw_model_destroy(m);
    sw_scene_destroy(scene);
}

static void the_steak_of_the_examples(void **state) {
    (void)state;
    check_steak(read_example("steak"), "the example");
}

// Pixels, stiffness, density and places are those of the authors' scene, whose image stands on its
// head. The bone has a label of its own, so that pixels of it are not averaged with their
// neighbours.
static void check_image(const char *path, swReal pixel) {
    char json[4096];
    swError error = {0};
    snprintf(json, sizeof json,
             "{'sinew': 1, 'gravity': [0, 0, 0], 'time': {'step': 0.05, 'end': 2},"
             " 'materials': {'meat': {'law': 'corotated', 'poisson': 0, 'density': 0.01},"
             "               'bone': {'law': 'corotated', 'poisson': 0, 'density': 0.01}},"
             " 'bodies': [{'surfaces': 'materials', 'voxel': 0.15,"
             "  'shape': {'volume': {'file': '%s', 'pixel': %g, 'thickness': 0.8,"
             "   'labels': {'1-254': 'meat', '255': 'bone'},"
             "   'map': {'young': [[1, 20000], [254, 5000], [255, 1.5e10]]},"
             "   'rotate': {'axis': [1, 0, 0], 'degrees': 180}, 'translate': [-5, 3.75, 0]}},"
             "  'frames': {'at': [[1.5, 2.5, 0]], 'count': 1, 'weights': {'kind': 'voronoi'}}, "
             "'integration': {'points': 10},"
             "  'handles': [{'region': {'sphere': {'center': [2.4, 0.45, 0], 'radius': 0.3}}}],"
             "  'loads': [{'force': [0, 8000, 0],"
             "             'on': {'box': {'size': [2, 0.8, 2], 'center': [1, 3.2, 0]}}}],"
             "  'damping': {'mass': 0.05, 'stiffness': 0.05}}],"
             " 'probes': [{'name': 'pulled', 'point': [1, 3, 0]},"
             "            {'name': 'other', 'point': [-1.25, -1.75, 0]}]}",
             path, pixel);
    swScene *s = parse_scene(json, &error);
    require(s != NULL, &error);
    check_steak(s, "the papers' image");
}

static void the_steak_of_the_papers(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "assets/figures/steak-seg.ppm");
    check_image(path, 0.1);
}

static void the_steak_of_the_papers_in_fine_pixels(void **state) {
    (void)state;
    SKIP_WITHOUT_ASSET(path, "assets/figures/steak-seg-highres.ppm");
    check_image(path, 0.025);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_steak_of_the_examples),
    cmocka_unit_test(the_steak_of_the_papers),
    cmocka_unit_test(the_steak_of_the_papers_in_fine_pixels),
};
SW_SUITE(steak, tests)
