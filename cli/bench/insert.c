// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The time to insert a frame into a moving body and to remove it, compared with a step.
#include "bench/bench.h"

#include "core/core.h"
#include "math/vec.h"

enum { REPEATS = 5, STEPS = 3 };

typedef struct {
    int voxels, points, frames; // voxels: along the block; points: 0: as many as frames need
    swReal range;
} InsertCase;

static const InsertCase cases[] = {
    {20, 0, 2, 0.3},       {40, 0, 5, 0.2},       {40, 15000, 10, 0.2},
    {80, 15000, 10, 0.12}, {80, 15000, 20, 0.12},
};

// A block that flies and spins.
static swModel *make_model(const InsertCase *c, swError *error) {
    swScene *scene = sw_scene_create(NULL);
    swMaterial *gel = scene ? sw_scene_add_material(scene, NULL) : NULL;
    swBody *block = gel ? sw_scene_add_body(scene, "block") : NULL;
    swShape *box = block ? sw_body_add_shape(scene, block, SW_SHAPE_BOX) : NULL;
    if (!box) {
        sw_fail(error, SW_ERROR_MEMORY, "out of memory");
        sw_scene_destroy(scene);
        return NULL;
    }
    gel->young = 2e4;
    box->size = sw_v3(1, 0.5, 0.5);
    block->resolution = c->voxels;
    block->spin = sw_v3(0, 3, 1);
    block->frames.count = c->frames;
    block->frames.adapt.budget = 4;
    block->frames.adapt.range = c->range;
    block->integration.points = c->points;
    block->integration.degree = c->points > 0; // 1: points all over the body
    swModel *model = sw_compile(scene, error);
    sw_scene_destroy(scene);
    return model;
}

typedef struct {
    double step, first, insert, remove; // seconds
    int points, there;                  // integration points; those within the range
} Timing;

// The fastest of several; the first insertion also allocates memory.
static bool measure(const swModel *model, swState *state, Timing *t, swError *error) {
    *t = (Timing){.step = INFINITY, .insert = INFINITY, .remove = INFINITY};
    t->points = sw_model_info(model).points;
    for (int i = 0; i < REPEATS; i++) {
        double start = sw_seconds();
        for (int k = 0; k < STEPS; k++)
            if (sw_step(model, state) != SW_OK)
                return sw_fail(error, SW_ERROR_NOT_CONVERGED, "%s", sw_state_report(state)->reason);
        t->step = sw_min(t->step, (sw_seconds() - start) / STEPS);
        swInsertReport report;
        swVec3 at;
        swMat3 linear;
        sw_frame_get(state, i % sw_frame_count(model), &at, &linear);
        const swInsertion insertion = sw_default_insertion(state, 0, at);
        start = sw_seconds();
        const int slot = sw_frame_insert(state, &insertion, NULL, error);
        const double took = sw_seconds() - start;
        if (slot < 0 || sw_step(model, state) != SW_OK)
            return false;
        start = sw_seconds();
        if (!sw_frame_remove(state, slot, &report, error))
            return false;
        t->remove = sw_min(t->remove, sw_seconds() - start);
        t->first = i == 0 ? took : t->first;
        t->insert = sw_min(t->insert, took);
        t->there = report.points;
    }
    return true;
}

bool bench_insert(swError *error) {
    printf("%7s %7s %7s %7s %9s | %12s %12s %12s\n", "frames", "points", "voxels", "within",
           "ms/step", "first in, ms", "in, ms", "out, ms");
    for (int i = 0; i < SW_COUNT(cases); i++) {
        Timing t;
        swModel *model = make_model(&cases[i], error);
        swState *state = model ? sw_state_create(model, error) : NULL;
        const bool ok = state && measure(model, state, &t, error);
        if (ok)
            printf("%7d %7d %7d %7d %9.2f | %12.2f %12.2f %12.2f\n", cases[i].frames, t.points,
                   sw_model_info(model).voxels, t.there, 1e3 * t.step, 1e3 * t.first,
                   1e3 * t.insert, 1e3 * t.remove);
        sw_state_destroy(state);
        sw_model_destroy(model);
        if (!ok)
            return false;
    }
    printf(
        "\nwithin: integration points that the inserted frame moves; first in: with new memory.\n");
    return true;
}
