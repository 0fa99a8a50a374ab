// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew bench: a swinging bar reduced to its modes. Times are the best of several repeats.
#include "bench/bench.h"

#include "model/model.h"

enum { REPEATS = 20, STEPS = 50 };

typedef struct {
    const char *law;
    int across; // voxels
    int count;  // modes
} Bar;

static swModel *compile_bar(const Bar *bar, double *seconds, swError *error) {
    swScene *s = sw_scene_create(NULL);
    swMaterial *m = s ? sw_scene_add_material(s, "rubber") : NULL;
    swBody *b = m ? sw_scene_add_body(s, "bar") : NULL;
    swShape *box = b ? sw_body_add_shape(s, b, SW_SHAPE_BOX) : NULL;
    swModeBasis *modes = box ? sw_body_add_modes(s, b) : NULL;
    swHandle *wall = modes ? sw_body_add_handle(s, b, "wall", SW_SHAPE_BOX) : NULL;
    if (!wall) {
        sw_fail(error, SW_ERROR_MEMORY, "out of memory");
        sw_scene_destroy(s);
        return NULL;
    }
    s->gravity = sw_v3(0, -1, 0);
    s->time.step = 0.01;
    m->law = bar->law;
    m->young = 2e5;
    m->poisson = 0.3;
    m->density = 1000;
    box->size = sw_v3(1, 0.1, 0.1);
    box->center = sw_v3(0.5, 0, 0);
    b->voxel = 0.1 / bar->across;
    modes->count = bar->count;
    wall->region->size = sw_v3(0, 1, 1);
    wall->motion = SW_MOTION_FIXED;
    const double start = sw_seconds();
    swModel *model = sw_compile(s, error);
    *seconds = sw_seconds() - start;
    sw_scene_destroy(s);
    return model;
}

static bool measure(const Bar *bar, swError *error) {
    double compile, best = INFINITY;
    int64_t iterations = 0;
    swModel *m = compile_bar(bar, &compile, error);
    swState *state = m ? sw_state_create(m, error) : NULL;
    bool ok = state;
    for (int repeat = 0; ok && repeat < REPEATS; repeat++) {
        const double start = sw_seconds();
        for (int i = 0; ok && i < STEPS; i++)
            ok = sw_step(m, state) == SW_OK || sw_fail(error, SW_ERROR_NOT_CONVERGED, "the bar: %s",
                                                       sw_state_report(state)->reason);
        best = sw_min(best, (sw_seconds() - start) / STEPS);
    }
    if (ok) {
        iterations = sw_state_profile(state).iterations;
        const int tets = 6 * 10 * bar->across * bar->across * bar->across;
        char points[16] = "";
        const swReducedInfo *reduced = sw_model_body(m, 0)->reduced;
        if (reduced->points > 0)
            snprintf(points, sizeof points, "%d", reduced->points);
        printf("%-12s %8d %6d %7s %9.1f %10.1f %10.2f\n", bar->law, tets, bar->count, points,
               compile, 1e6 * best, (double)iterations / (REPEATS * STEPS));
    }
    sw_state_destroy(state);
    sw_model_destroy(m);
    return ok;
}

bool bench_modes(swError *error) {
    static const Bar bars[] = {
        {"stvk", 2, 20},        {"stvk", 4, 20},        {"stvk", 8, 20},
        {"stvk", 12, 20},       {"stvk", 4, 10},        {"stvk", 4, 30},
        {"stvk", 4, 40},        {"stvk", 4, 60},        {"neo-hookean", 4, 10},
        {"neo-hookean", 4, 20}, {"neo-hookean", 8, 20}, {"neo-hookean", 4, 40}};
    printf("a bar that swings, on one core\n%-12s %8s %6s %7s %9s %10s %10s\n", "law", "tets",
           "modes", "points", "compile s", "us a step", "iterations");
    for (int i = 0; i < SW_COUNT(bars); i++)
        if (!measure(&bars[i], error))
            return false;
    return true;
}
