// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "compare.h"

#include <math.h>

static bool set_frames(swBody *body, int count) {
    body->tets = NULL;
    body->springs = NULL;
    body->particles = NULL;
    body->modes = NULL;
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

static bool coarse_tets(swScene *scene, swBody *body, swReal fine, swReal coarse) {
    (void)fine;
    return set_tets(scene, body, coarse, SW_TETS_LINEAR);
}

static bool coarse_quadratic(swScene *scene, swBody *body, swReal fine, swReal coarse) {
    (void)fine;
    return set_tets(scene, body, coarse, SW_TETS_QUADRATIC);
}

static const CompareModel models[] = {
    {"tets fine", fine_tets},
    {"frames 5", five_frames},
    {"frames 9", nine_frames},
    {"tets coarse", coarse_tets},
    {"tets quadratic", coarse_quadratic},
};
_Static_assert(SW_COUNT(models) <= COMPARE_MODELS, "all of them fit");

const CompareModel *compare_model(int index) {
    return index < SW_COUNT(models) ? &models[index] : NULL;
}

// The smallest whole multiple of the voxel with at most so many cells in the volume: borders of
// bodies that fit their voxels then fit the cells as well, where their sides are such multiples.
static swReal cell_of(swReal voxel, swReal volume, int cells) {
    int times = 1;
    while (volume > cells * pow(times * voxel, 3) && times < 1000)
        times++;
    return times * voxel;
}

bool compare_set(const CompareModel *model, swScene *scene, swBody *body, swReal voxel,
                 swReal volume, int cells) {
    const swReal fine = cell_of(voxel, volume, cells), coarse = cell_of(voxel, volume, cells / 10);
    return model->set(scene, body, fine, coarse);
}
