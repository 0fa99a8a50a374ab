// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew bench: time per step against the number of frames, on a bar that grows with them, so that
// every frame has the same amount of material and number of neighbours. Each step is one linear
// solve.
#include "bench/bench.h"

enum { STEPS_MOST = 200, POINTS = 12 }; // integration points per frame
#define ENOUGH 0.3                      // seconds after which no further step is timed
#define PATIENCE 20.0                   // sizes whose steps may take more seconds are skipped

static const int counts[] = {2, 5, 10, 20, 50, 100, 200, 500, 1000};
enum { REFERENCE = 50 };

static swModel *make_bar(int frames, swError *error) {
    swScene *scene = sw_scene_create(NULL);
    swBody *bar =
        scene && sw_scene_add_material(scene, "rubber") ? sw_scene_add_body(scene, "bar") : NULL;
    swShape *box = bar ? sw_body_add_shape(scene, bar, SW_SHAPE_BOX) : NULL;
    if (!box) {
        sw_fail_memory(error, 0);
        sw_scene_destroy(scene);
        return NULL;
    }
    box->size = sw_v3(0.125 * frames, 0.125, 0.125);
    bar->voxel = 0.03125; // a power of two, so that voxels are exactly full
    bar->frames.count = frames;
    bar->frames.weights.kind = "hat";
    bar->frames.weights.axis = sw_v3(1, 0, 0);
    bar->integration.points = POINTS * frames;
    bar->spin = sw_v3(0, 0, 0.1);
    scene->time.integrator = "linear-implicit";
    swModel *model = sw_compile(scene, error);
    sw_scene_destroy(scene);
    return model;
}

// The fastest step.
static bool measure(const swModel *model, double *best, double *solve, swError *error) {
    swState *state = sw_state_create(model, error);
    if (!state)
        return false;
    const double start = sw_seconds();
    *best = INFINITY;
    swStatus status = SW_OK;
    swProfile last = sw_state_profile(state);
    for (int i = 0; i < STEPS_MOST && status == SW_OK && (i < 2 || sw_seconds() < start + ENOUGH);
         i++) {
        status = sw_step(model, state);
        const swProfile now = sw_state_profile(state);
        if (now.total - last.total < *best) {
            *best = now.total - last.total;
            *solve = now.solve - last.solve;
        }
        last = now;
    }
    if (status != SW_OK)
        sw_fail(error, status, "%s", sw_state_report(state)->reason);
    sw_state_destroy(state);
    return status == SW_OK;
}

bool bench_frames(swError *error) {
    double last = 0, reference = NAN;
    printf("a bar that grows with its affine frames, \"hat\" weights, one linear solve a step\n"
           "%6s %6s %6s %10s %9s %9s | per frame, relative to %d frames\n",
           "frames", "dof", "points", "ms/step", "us/frame", "solve", REFERENCE);
    for (int i = 0; i < SW_COUNT(counts); i++) {
        const double growth = i ? pow((double)counts[i] / counts[i - 1], 3) : 0;
        if (last * growth > PATIENCE) { // if the matrix were dense
            printf("%6d: skipped, as a step may take %.0f s\n", counts[i], last * growth);
            break;
        }
        double seconds = 0, solve = 0;
        swModel *model = make_bar(counts[i], error);
        const bool ok = model && measure(model, &seconds, &solve, error);
        const swModelInfo info = ok ? sw_model_info(model) : (swModelInfo){0};
        sw_model_destroy(model);
        if (!ok)
            return false;
        const double each = seconds / counts[i];
        reference = counts[i] == REFERENCE ? each : reference;
        printf("%6d %6d %6d %10.3f %9.1f %8.0f%% |", counts[i], info.dof, info.points,
               1e3 * seconds, 1e6 * each, 100 * solve / seconds);
        if (counts[i] >= REFERENCE)
            printf(" %6.2f", each / reference);
        printf("\n");
        fflush(stdout);
        last = seconds;
    }
    return true;
}
