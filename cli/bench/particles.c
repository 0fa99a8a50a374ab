// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew bench: particles around a skeleton. Measures processor time, the best of several steps.
#include "bench/bench.h"

#include "model/model.h"

#include <time.h>

enum { STEPS = 20 };

// A part of the animal, with a bone inside that swings about the beginning of the part.
typedef struct {
    const char *name;
    swVec3 from, to;
    swReal radius, degrees;
    swVec3 axis;
} Limb;

static const Limb limbs[] = {
    {"torso", {-0.35, 0.55, 0}, {0.25, 0.5, 0}, 0.2, 0, {0, 1, 0}},
    {"neck", {0.3, 0.55, 0}, {0.6, 0.85, 0}, 0.1, 25, {0, 1, 0}},
    {"head", {0.6, 0.85, 0}, {0.8, 0.85, 0}, 0.11, 40, {0, 1, 0}},
    {"tail", {-0.4, 0.5, 0}, {-0.8, 0.35, 0}, 0.11, -25, {0, 1, 0}},
    {"tip", {-0.8, 0.35, 0}, {-1.25, 0.25, 0.05}, 0.07, -50, {0, 1, 0}},
    {"left arm", {0.2, 0.4, 0.15}, {0.25, 0.05, 0.2}, 0.075, 30, {0, 0, 1}},
    {"right arm", {0.2, 0.4, -0.15}, {0.25, 0.05, -0.2}, 0.075, -30, {0, 0, 1}},
    {"left leg", {-0.35, 0.4, 0.15}, {-0.35, 0.05, 0.2}, 0.085, -30, {0, 0, 1}},
    {"right leg", {-0.35, 0.4, -0.15}, {-0.35, 0.05, -0.2}, 0.085, 30, {0, 0, 1}}};

static double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static swScene *make_scene(swReal young, swReal step) {
    swScene *s = sw_scene_create(NULL);
    swMaterial *m = s ? sw_scene_add_material(s, "flesh") : NULL;
    if (!m) {
        sw_scene_destroy(s);
        return NULL;
    }
    m->law = "corotated";
    m->young = young;
    m->poisson = 0.4;
    m->density = 1000;
    s->time.step = step;
    s->time.integrator = "linear-implicit";
    return s;
}

// Adds a thin bone, which stays, or reaches one side after a quarter of a second and then swings
// from side to side.
static bool add_bone(swScene *s, swBody *b, const Limb *limb, swReal radius, swVec3 about,
                     swReal swing) {
    enum { SWINGS = 6 };
    swHandle *bone = sw_body_add_handle(s, b, limb->name, SW_SHAPE_CAPSULE);
    if (!bone)
        return false;
    bone->region->from = limb->from;
    bone->region->to = limb->to;
    bone->region->radius = radius;
    bone->motion = limb->degrees == 0 ? SW_MOTION_FIXED : SW_MOTION_KEYS;
    for (int i = 0; limb->degrees != 0 && i <= SWINGS; i++) {
        const swReal degrees = i == 0 ? 0 : i % 2 ? limb->degrees : -limb->degrees;
        swKey *key = sw_handle_add_key(s, bone, i == 0 ? 0 : 0.25 + (i - 1) * swing);
        if (!key)
            return false;
        key->pose = (swPose){.axis = limb->axis, .angle = degrees * SW_PI / 180, .about = about};
    }
    return true;
}

// An animal of capsules with a bone in each; NULL if out of memory.
static swScene *make_animal(int count, int samples, swReal voxel) {
    swScene *s = make_scene(5e4, 0.01);
    swBody *b = s ? sw_scene_add_body(s, "animal") : NULL;
    swParticles *particles = b ? sw_body_add_particles(s, b) : NULL;
    bool ok = particles;
    for (int i = 0; ok && i < SW_COUNT(limbs); i++) {
        swShape *part = sw_body_add_shape(s, b, SW_SHAPE_CAPSULE);
        ok = part;
        if (!ok)
            break;
        part->from = limbs[i].from;
        part->to = limbs[i].to;
        part->radius = limbs[i].radius;
    }
    for (int i = 0; ok && i < SW_COUNT(limbs); i++) {
        Limb bone = limbs[i];
        const swVec3 along = sw_sub(bone.to, bone.from);
        bone.from = sw_madd(limbs[i].from, 0.15, along);
        bone.to = sw_madd(limbs[i].from, 0.85, along);
        ok = add_bone(s, b, &bone, 0.012, limbs[i].from, 0.25);
    }
    if (!ok) {
        sw_scene_destroy(s);
        return NULL;
    }
    particles->count = count;
    particles->samples = samples;
    b->voxel = voxel;
    return s;
}

static swModel *compile(swScene *s, swError *error) {
    swModel *m = s ? sw_compile(s, error) : NULL;
    if (!s)
        sw_fail_memory(error, 0);
    sw_scene_destroy(s);
    return m;
}

static bool step(const swModel *m, swState *s, swError *error) {
    return sw_step(m, s) == SW_OK ||
           sw_fail(error, SW_ERROR_NOT_CONVERGED, "particles: %s", sw_state_report(s)->reason);
}

static bool measure(int count, int samples, swReal voxel, double paper, swError *error) {
    double start = processor_seconds(), best = INFINITY, first = 0;
    swModel *m = compile(make_animal(count, samples, voxel), error);
    const double ready = processor_seconds() - start;
    swState *s = m ? sw_state_create(m, error) : NULL;
    bool ok = s;
    int64_t iterations = 0;
    double solve = 0, total = 0; // wall time
    for (int i = 0; ok && i <= STEPS; i++) {
        const swProfile before = sw_state_profile(s);
        start = processor_seconds();
        ok = step(m, s, error);
        const double seconds = processor_seconds() - start;
        const swProfile after = sw_state_profile(s);
        if (i == 0) {
            first = seconds;
            continue;
        }
        solve += after.solve - before.solve;
        total += after.total - before.total;
        iterations += after.linear_iterations - before.linear_iterations;
        best = sw_min(best, seconds);
    }
    if (ok)
        printf("%9d %8d %8lld %9.1f %8.2f %8.1f %7.0f%% %10.1f %7.0f %9.0f\n", count, samples,
               (long long)sw_model_body(m, 0)->size.ngauss, ready, first, 1e3 * best,
               100 * solve / total, (double)iterations / STEPS,
               1e-6 * (double)sw_state_solver(s).memory, paper);
    sw_state_destroy(s);
    sw_model_destroy(m);
    return ok;
}

// The largest elastic energy of a bar with two bones, one of which swings by 90 degrees; infinity
// if a step fails.
static bool swing(swRotations rotations, swReal h, swReal *most, swError *error) {
    static const Limb bones[] = {{"still", {-0.45, 0, 0}, {-0.1, 0, 0}, 0, 0, {0, 0, 1}},
                                 {"swings", {0.1, 0, 0}, {0.45, 0, 0}, 0, 90, {0, 0, 1}}};
    swScene *scene = make_scene(1e5, h);
    swBody *b = scene ? sw_scene_add_body(scene, "bar") : NULL;
    swShape *box = b ? sw_body_add_shape(scene, b, SW_SHAPE_BOX) : NULL;
    swParticles *particles = box ? sw_body_add_particles(scene, b) : NULL;
    if (!particles || !add_bone(scene, b, &bones[0], 0.02, sw_v3(0, 0, 0), 0.5) ||
        !add_bone(scene, b, &bones[1], 0.02, sw_v3(0, 0, 0), 0.5)) {
        sw_scene_destroy(scene);
        return sw_fail_memory(error, 0);
    }
    scene->gravity = sw_v3(0, 0, 0);
    box->size = sw_v3(1, 0.25, 0.25);
    b->voxel = 0.05;
    particles->count = 200;
    particles->rotations = rotations;
    swModel *m = compile(scene, error);
    swState *s = m ? sw_state_create(m, error) : NULL;
    *most = 0;
    for (int i = 0; s && i * h < 3 && isfinite(*most); i++)
        *most = sw_step(m, s) == SW_OK ? sw_max(*most, sw_state_energy(s).elastic) : INFINITY;
    const bool ok = s;
    sw_state_destroy(s);
    sw_model_destroy(m);
    return ok;
}

bool bench_particles(swError *error) {
    static const swReal step_of[] = {0.01, 0.02, 0.04, 0.07, 0.12, 0.2, 0.3};
    printf("an animal of capsules with a bone in each, steps of 10 ms; processor time\n"
           "%9s %8s %8s %9s %8s %8s %8s %10s %7s %9s\n",
           "particles", "samples", "points", "compile s", "first s", "ms", "solving", "gradients",
           "MB", "paper ms");
    if (!measure(2949, 64, 0.0245, 55, error) || !measure(21943, 89, 0.0135, 1450, error))
        return false;
    printf("\na bar with two bones, one of which swings by 90 degrees: largest elastic "
           "energy [J] against the step [s]\n%-10s",
           "");
    for (int i = 0; i < SW_COUNT(step_of); i++)
        printf(" %8g", step_of[i]);
    for (int way = 0; way < 2; way++) {
        printf("\n%-10s", way == SW_ROTATIONS_DIFFUSION ? "diffusion" : "polar");
        for (int i = 0; i < SW_COUNT(step_of); i++) {
            swReal most = 0;
            if (!swing((swRotations)way, step_of[i], &most, error))
                return false;
            printf(" %8.0f", most);
        }
    }
    printf("\n");
    return true;
}
