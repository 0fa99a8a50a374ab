// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Many equal cubes that lie on a floor: time per step on one thread, on two, and while all of them
// sleep.
#include "bench/bench.h"

#include "core/core.h"
#include "math/vec.h"

enum { REPEATS = 5, STEPS = 1000, THREADS = 2, SETTLE = 60, PATIENCE = 1000 };

static const int counts[] = {1, 100, 1000};

// A scene, its compiled model, and a state.
typedef struct {
    swScene *scene;
    swModel *model;
    swState *state;
    double compile; // [s]
} Crowd;

static bool add_cubes(swScene *scene, int count) {
    static const swReal size = 0.2, height = 0.05;
    const int side = (int)ceil(sqrt(count));
    for (int i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "cube%d", i);
        swBody *cube = sw_scene_add_body(scene, name);
        if (!cube)
            return false;
        cube->place.translate =
            sw_v3(1.5 * size * (i % side), 1.5 * size * (i / side), 0.5 * size + height);
        if (i > 0) {
            cube->like = "cube0";
            continue;
        }
        swShape *box = sw_body_add_shape(scene, cube, SW_SHAPE_BOX);
        if (!box)
            return false;
        box->size = sw_v3(size, size, size);
        cube->resolution = 10;
        cube->frames.count = 5;
    }
    return true;
}

static bool make_scene(Crowd *crowd, int count, int threads) {
    swConfig config = sw_default_config();
    config.threads = threads;
    swScene *scene = crowd->scene = sw_scene_create(&config);
    swMaterial *rubber = scene ? sw_scene_add_material(scene, "rubber") : NULL;
    swCollider *ground = rubber ? sw_scene_add_collider(scene, SW_SHAPE_HALFSPACE) : NULL;
    if (!ground || !add_cubes(scene, count))
        return false;
    rubber->law = "stable-neo-hookean";
    rubber->young = 5e4;
    ground->shape->normal = sw_v3(0, 0, 1);
    scene->gravity = sw_v3(0, 0, -9.81);
    scene->time.step = 0.01;
    scene->solver.sleep = false;
    return true;
}

static bool begin(Crowd *crowd, int count, int threads, swError *error) {
    *crowd = (Crowd){0};
    if (!make_scene(crowd, count, threads))
        return sw_fail_memory(error, sizeof(swBody));
    const double start = sw_seconds();
    crowd->model = sw_compile(crowd->scene, error);
    crowd->compile = sw_seconds() - start;
    crowd->state = crowd->model ? sw_state_create(crowd->model, error) : NULL;
    return crowd->state != NULL;
}

static void end(Crowd *crowd) {
    sw_state_destroy(crowd->state);
    sw_model_destroy(crowd->model);
    sw_scene_destroy(crowd->scene);
}

static bool go(const Crowd *c, int steps, swError *error) {
    for (int i = 0; i < steps; i++)
        if (sw_step(c->model, c->state) != SW_OK)
            return sw_fail(error, SW_ERROR_NOT_CONVERGED, "%s", sw_state_report(c->state)->reason);
    return true;
}

// Seconds per step in the fastest of several runs.
static bool measure(const Crowd *c, int steps, double *seconds, swError *error) {
    *seconds = INFINITY;
    for (int i = 0; i < REPEATS; i++) {
        const double start = sw_seconds();
        if (!go(c, steps, error))
            return false;
        *seconds = sw_min(*seconds, (sw_seconds() - start) / steps);
    }
    return true;
}

static bool fall_asleep(const Crowd *c, int count, swError *error) {
    c->scene->solver.sleep = true;
    if (!sw_model_adjust(c->model, c->scene, error))
        return false;
    for (int i = 0; i < PATIENCE && sw_state_report(c->state)->asleep < count; i++)
        if (!go(c, 1, error))
            return false;
    return sw_state_report(c->state)->asleep == count ||
           sw_fail(error, SW_ERROR_NOT_CONVERGED, "the cubes do not come to rest");
}

static bool bench(const Crowd *one, const Crowd *more, int count, swError *error) {
    const int steps = sw_max_int(1, STEPS / count);
    double alone, together, asleep;
    if (!go(more, SETTLE, error) || !sw_state_carry(one->state, more->state) ||
        !measure(one, steps, &alone, error) || !measure(more, steps, &together, error) ||
        !fall_asleep(more, count, error) || !measure(more, STEPS, &asleep, error))
        return false;
    printf("%6d %9.0f %9.2f %9.2f | %9.2f %9.2f %6.2f | %9.4f %8.0f\n", count, 1e3 * one->compile,
           1e-6 * (double)sw_model_info(one->model).memory,
           1e-6 * (double)sw_state_solver(one->state).memory, 1e3 * alone, 1e3 * together,
           alone / together, 1e3 * asleep, 1e9 * asleep / count);
    fflush(stdout);
    return true;
}

bool bench_bodies(swError *error) {
    printf("%6s %9s %9s %9s | %9s %9s %6s | %9s %8s\n", "cubes", "compile", "model", "state",
           "1 thread", "2 threads", "ratio", "asleep", "each");
    printf("%6s %9s %9s %9s | %9s %9s %6s | %9s %8s\n", "", "ms", "MB", "MB", "ms/step", "ms/step",
           "", "ms/step", "ns/step");
    bool ok = true;
    for (int i = 0; ok && i < SW_COUNT(counts); i++) {
        Crowd one, more = {0};
        ok = begin(&one, counts[i], 1, error) && begin(&more, counts[i], THREADS, error) &&
             bench(&one, &more, counts[i], error);
        end(&one);
        end(&more);
    }
    if (ok)
        printf("\ncubes with 5 affine frames that lie on a floor; solver.sleep is off except for "
               "the last columns\n");
    return ok;
}
