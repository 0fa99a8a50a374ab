// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "compare.h"

#include <math.h>

static bool set_frames(swBody *body, int count) {
    sw_body_clear_model(body);
    body->frames.count = count;
    body->frames.nat = 0;
    body->frames.nkinds = 0;
    body->frames.error = NAN;
    return true;
}

static bool five_frames(swScene *scene, swBody *body, swReal fine, swReal coarse) {
    (void)scene, (void)fine, (void)coarse;
    return set_frames(body, 5);
}

static bool nine_frames(swScene *scene, swBody *body, swReal fine, swReal coarse) {
    (void)scene, (void)fine, (void)coarse;
    return set_frames(body, 9);
}

static bool set_tets(swScene *scene, swBody *body, swReal voxel, swTetOrder order) {
    swTets *tets = sw_body_add_tets(scene, body);
    if (tets) {
        tets->voxel = voxel;
        tets->order = order;
    }
    return tets != NULL;
}

static bool fine_tets(swScene *scene, swBody *body, swReal fine, swReal coarse) {
    (void)coarse;
    return set_tets(scene, body, fine, SW_TETS_QUADRATIC);
}

static bool rough_tets(swScene *scene, swBody *body, swReal fine, swReal coarse) {
    return fine_tets(scene, body, 2 * fine, coarse);
}

static bool coarse_tets(swScene *scene, swBody *body, swReal fine, swReal coarse) {
    (void)fine;
    return set_tets(scene, body, coarse, SW_TETS_LINEAR);
}

static bool coarse_quadratic(swScene *scene, swBody *body, swReal fine, swReal coarse) {
    (void)fine;
    return set_tets(scene, body, coarse, SW_TETS_QUADRATIC);
}

static bool set_springs(swScene *scene, swBody *body, swReal fine, swReal coarse) {
    (void)coarse;
    swSpringNet *springs = sw_body_add_springs(scene, body);
    if (springs)
        springs->voxel = fine;
    return springs != NULL;
}

static bool set_particles(swScene *scene, swBody *body, swReal fine, swReal coarse) {
    (void)fine, (void)coarse;
    swParticles *particles = sw_body_add_particles(scene, body);
    if (particles) // does not need handles that form a skeleton
        particles->rotations = SW_ROTATIONS_POLAR;
    for (swMaterial *m = scene->materials; m; m = m->next)
        m->law = "corotated"; // the stiffness of particles is precomputed
    return particles != NULL;
}

static bool set_modes(swScene *scene, swBody *body, swReal fine, swReal coarse) {
    (void)coarse;
    swModeBasis *modes = sw_body_add_modes(scene, body);
    if (modes) { // the cost of a step does not depend on the mesh
        modes->tets.voxel = fine;
        modes->tets.order = SW_TETS_QUADRATIC;
    }
    return modes != NULL;
}

static const CompareModel models[] = {
    {"tets fine", fine_tets},
    {"frames 5", five_frames},
    {"frames 9", nine_frames},
    {"tets coarse", coarse_tets},
    {"tets quadratic", coarse_quadratic},
    {"springs", set_springs},
    {"particles", set_particles},
    {"modes", set_modes},
};
_Static_assert(SW_COUNT(models) <= COMPARE_MODELS, "all of them fit");

const CompareModel compare_rough = {"tets rough", rough_tets};

const CompareModel *compare_model(int index) {
    return index < SW_COUNT(models) ? &models[index] : NULL;
}

// Doubles the voxel until the volume has at most `cells` cells: boundaries of bodies that coincide
// with boundaries of voxels often coincide with those of cells as well.
static swReal cell_of(swReal voxel, swReal volume, int cells) {
    while (volume > cells * voxel * voxel * voxel)
        voxel *= 2;
    return voxel;
}

bool compare_set(const CompareModel *model, swScene *scene, swBody *body, swReal voxel,
                 swReal volume, int cells) {
    const swReal fine = cell_of(voxel, volume, cells), coarse = cell_of(voxel, volume, cells / 10);
    return model->set(scene, body, fine, coarse);
}
