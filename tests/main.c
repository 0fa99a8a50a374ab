// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "test.h"

#include <unistd.h>

#define SUITES(X) \
    X(core) \
    X(math) \
    X(json) \
    X(scene) \
    X(scene_errors) \
    X(mesh) \
    X(tetio) \
    X(tetio_forms) \
    X(rig) \
    X(image) \
    X(pictures) \
    X(surface) \
    X(intersect) \
    X(solid) \
    X(solid_mesh) \
    X(voxel) \
    X(tetmesh) \
    X(tetcells) \
    X(tetquery) \
    X(fill) \
    X(volume) \
    X(volume_scene) \
    X(march) \
    X(voronoi) \
    X(weights) \
    X(laplace) \
    X(linear) \
    X(chain) \
    X(samples) \
    X(cubature) \
    X(material) \
    X(laws) \
    X(terms) \
    X(plastic) \
    X(cut) \
    X(fracture) \
    X(actuation) \
    X(kinematics) \
    X(collide) \
    X(push) \
    X(world) \
    X(joints) \
    X(rigid_body) \
    X(elements) \
    X(cells) \
    X(dual) \
    X(frames) \
    X(mechanics) \
    X(relax) \
    X(links) \
    X(particles) \
    X(beams) \
    X(springs) \
    X(state) \
    X(recovery) \
    X(robust) \
    X(limits) \
    X(damage) \
    X(integrate) \
    X(modal) \
    X(modes) \
    X(statics) \
    X(saddle) \
    X(bricks) \
    X(choose) \
    X(mirror) \
    X(pressed) \
    X(correct) \
    X(free) \
    X(large) \
    X(estimate) \
    X(estimate_frames) \
    X(estimate_large) \
    X(stop) \
    X(live) \
    X(insert) \
    X(gltf) \
    X(character) \
    X(assets) \
    X(anatomy) \
    X(render) \
    X(inspect) \
    X(measure) \
    X(recording) \
    X(examples) \
    X(steak) \
    X(energy) \
    X(plates) \
    X(verify)

#define DECLARE(name) int suite_##name(void);
SUITES(DECLARE)

const char *test_asset(const char *name) {
    static char path[1024];
    const char *root = getenv("SINEW_SHARED");
    snprintf(path, sizeof path, "%s/%s", root ? root : SW_TEST_SHARED, name);
    if (access(path, R_OK) == 0)
        return path;
    printf("SKIPPED: no %s\n", path);
    return NULL;
}

// Runs every suite, or those whose names are given.
int main(int argc, char **argv) {
    int failed = 0, run = 0;
    const char *only = getenv("SINEW_TEST_FILTER"); // "*threads*"
    if (only)
        cmocka_set_test_filter(only);
#define RUN(name) \
    for (int i = 1; i < (argc > 1 ? argc : 2); i++) \
        if (argc <= 1 || strcmp(argv[i], #name) == 0) { \
            failed += suite_##name() != 0; \
            run++; \
        }
    SUITES(RUN)
    if (run == 0) {
        fprintf(stderr, "no such suite\n");
        return 2;
    }
    return failed != 0;
}
