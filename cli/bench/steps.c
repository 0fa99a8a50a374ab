// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew bench: where the time of a step goes. Times are the best of several repeats. The share of
// the core's peak is relative to multiply-adds timed in the same run, so that it can be compared
// between machines.
#include "bench/bench.h"

#include "core/simd.h"

enum { REPEATS = 7, STEPS = 40 };

typedef struct swCase {
    int frames, points;
    swNodeKind kind;
    swBlend blend;
} swCase;

#define AFFINE SW_NODE_AFFINE, SW_BLEND_LINEAR
#define RIGID SW_NODE_RIGID, SW_BLEND_LINEAR
#define DUAL SW_NODE_RIGID, SW_BLEND_DUAL_QUATERNION
static const swCase cases[] = {
    {2, 100, AFFINE},   {2, 1000, AFFINE}, {5, 100, AFFINE}, {5, 1000, AFFINE}, {10, 100, AFFINE},
    {10, 1000, AFFINE}, {5, 100, RIGID},   {5, 1000, RIGID}, {5, 100, DUAL},    {5, 1000, DUAL}};

// Operations per second of independent multiply-adds in registers, the best of several tries.
static double measure_peak(void) {
    enum { CHAINS = 12, ROUNDS = 200000 };
    double best = 0;
    volatile double sink = 0;
    for (int repeat = 0; repeat < 20; repeat++) {
        swWide x[CHAINS], a = sw_wide(0.999999), b = sw_wide(1e-6);
        for (int i = 0; i < CHAINS; i++)
            x[i] = sw_wide(1.0 + i);
        double start = sw_seconds();
        for (int n = 0; n < ROUNDS; n++)
            for (int i = 0; i < CHAINS; i++)
                x[i] = sw_wide_fma(x[i], a, b);
        double seconds = sw_seconds() - start, sum = 0;
        for (int i = 0; i < CHAINS; i++)
            sum += sw_wide_sum(x[i]);
        sink = sum;
        double rate = 2.0 * SW_LANES * CHAINS * ROUNDS / seconds;
        best = rate > best ? rate : best;
    }
    (void)sink;
    return best;
}

// A bar clamped at one end, every frame acting on every point, swinging under its weight.
static swModel *make_model(const swCase *c, swError *error) {
    swScene *scene = sw_scene_create(NULL);
    swMaterial *rubber = scene ? sw_scene_add_material(scene, "rubber") : NULL;
    swBody *bar = rubber ? sw_scene_add_body(scene, "bar") : NULL;
    swShape *box = bar ? sw_body_add_shape(scene, bar, SW_SHAPE_BOX) : NULL;
    swHandle *wall = box ? sw_body_add_handle(scene, bar, "wall", SW_SHAPE_BOX) : NULL;
    if (!wall) {
        sw_fail_memory(error, 0);
        sw_scene_destroy(scene);
        return NULL;
    }
    rubber->law = "neo-hookean";
    rubber->young = 1e6;
    rubber->poisson = 0.3;
    box->size = sw_v3(1, 0.2, 0.2);
    box->center = sw_v3(0.5, 0, 0);
    wall->region->size = sw_v3(0, 1, 1);
    bar->voxel = 0.0125;
    bar->frames.kind = c->kind;
    bar->frames.blend = c->blend;
    bar->frames.count = c->frames;
    bar->frames.weights.kind = "shepard";
    bar->integration.points = c->points;
    scene->time.step = 1.0 / 60;
    swModel *model = sw_compile(scene, error);
    sw_scene_destroy(scene);
    return model;
}

// The fastest of several runs of the same steps.
static bool measure(const swModel *model, swProfile *best, swError *error) {
    swState *state = sw_state_create(model, error);
    if (!state)
        return false;
    best->total = INFINITY;
    bool ok = true;
    for (int repeat = 0; repeat < REPEATS && ok; repeat++) {
        sw_state_reset(state);
        for (int i = 0; i < STEPS && ok; i++)
            ok = sw_step(model, state) == SW_OK;
        if (sw_state_profile(state).total < best->total)
            *best = sw_state_profile(state);
    }
    if (!ok)
        sw_fail(error, SW_ERROR_NOT_CONVERGED, "%s", sw_state_report(state)->reason);
    sw_state_destroy(state);
    return ok;
}

static void print_row(const swCase *c, int dof, const swProfile *p, double peak) {
    const char *name = c->blend == SW_BLEND_DUAL_QUATERNION ? "rigid, dual quat."
                       : c->kind == SW_NODE_RIGID           ? "rigid"
                                                            : "affine";
    const double us = 1e6 / (double)p->steps, rate = p->flops / (p->kinematics + p->assembly);
    printf("%-17s %6d %6d %4d %9.1f | %10.1f %9.1f %9.1f %9.1f %9.1f | %6.2f ", name, c->frames,
           c->points, dof, us * p->total, us * p->kinematics, us * p->material, us * p->assembly,
           us * p->solve, us * (p->total - p->kinematics - p->material - p->assembly - p->solve),
           (double)p->iterations / (double)p->steps);
    if (p->flops > 0)
        printf("%9.1f %7.0f%%\n", 1e-9 * rate, 100 * rate / peak);
    else
        printf("%9s %8s\n", "", "uncounted");
}

bool bench_steps(swError *error) {
    const double peak = measure_peak();
    printf("one core: %.1f GFLOP/s of multiply-adds, %d doubles wide\n\n", 1e-9 * peak,
           (int)SW_LANES);
    printf("%-17s %6s %6s %4s %9s | %10s %9s %9s %9s %9s | %6s %9s %8s\n", "frames", "number",
           "points", "dof", "us/step", "kinematics", "material", "assembly", "solve", "other",
           "Newton", "GFLOP/s", "of peak");
    for (int i = 0; i < SW_COUNT(cases); i++) {
        swProfile p = {0};
        swModel *model = make_model(&cases[i], error);
        const bool ok = model && measure(model, &p, error);
        if (ok)
            print_row(&cases[i], sw_model_info(model).dof, &p, peak);
        sw_model_destroy(model);
        if (!ok)
            return false;
    }
    printf("\nassembly: forces and stiffness from samples to frames; kinematics: deformation "
           "gradients.\n"
           "GFLOP/s and share of peak are those of kinematics and assembly together.\n");
    return true;
}
