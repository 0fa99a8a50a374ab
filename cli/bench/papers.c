// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew bench: bodies like those in the papers on frames, with the published times. Those machines
// date from before 2011: the ratio shows what the methods cost now, not whose code is better. As in
// the papers, there are rigid frames under dual quaternions (for the steak, affine frames), Saint
// Venant-Kirchhoff material and one linear solve per step. A second table has the same bodies with
// precomputed springs, which need linear blending.
#include "bench/bench.h"

#include <stdlib.h>

enum { STEPS = 40, REPEATS = 5 };

typedef struct swPart {
    swShapeKind kind;
    swVec3 from, to; // sphere, box: from is the centre; box: to is the size
    swReal radius;
    const char *material; // NULL: flesh
} swPart;

static const swPart bunny[] = {
    {SW_SHAPE_SPHERE, {0, 0, 0}, {0, 0, 0}, 0.06, NULL},
    {SW_SHAPE_SPHERE, {0.05, 0.07, 0}, {0, 0, 0}, 0.035, NULL},
    {SW_SHAPE_CAPSULE, {0.04, 0.09, 0.02}, {0.01, 0.15, 0.03}, 0.012, NULL},
    {SW_SHAPE_CAPSULE, {0.04, 0.09, -0.02}, {0.01, 0.15, -0.03}, 0.012, NULL},
    {SW_SHAPE_SPHERE, {-0.065, -0.03, 0}, {0, 0, 0}, 0.02, NULL},
};
static const swVec3 bunny_at[] = {{-0.02, -0.01, 0}, {0.05, 0.07, 0}};

static const swPart turtle[] = {
    {SW_SHAPE_CAPSULE, {-0.22, 0, -0.12}, {0.22, 0, -0.12}, 0.12, NULL},
    {SW_SHAPE_CAPSULE, {-0.22, 0, 0.12}, {0.22, 0, 0.12}, 0.12, NULL},
    {SW_SHAPE_CAPSULE, {0.2, 0, 0.18}, {0.36, -0.14, 0.32}, 0.075, NULL},
    {SW_SHAPE_CAPSULE, {-0.22, 0, 0.16}, {-0.34, -0.14, 0.28}, 0.07, NULL},
    {SW_SHAPE_CAPSULE, {0.2, 0, -0.18}, {0.36, -0.14, -0.32}, 0.075, NULL},
    {SW_SHAPE_CAPSULE, {-0.22, 0, -0.16}, {-0.34, -0.14, -0.28}, 0.07, NULL},
    {SW_SHAPE_CAPSULE, {0.26, -0.02, 0}, {0.55, 0.13, 0}, 0.085, NULL},
    {SW_SHAPE_SPHERE, {0.605, 0.185, 0}, {0, 0, 0}, 0.12, NULL},
    {SW_SHAPE_CAPSULE, {-0.32, -0.01, 0}, {-0.56, -0.055, 0}, 0.045, NULL},
};
static const swVec3 turtle_at[] = {{0.62, 0.17, 0},      {0.4, 0.06, 0},      {0, 0, 0},
                                   {0.34, -0.12, 0.3},   {0.34, -0.12, -0.3}, {-0.33, -0.13, 0.27},
                                   {-0.33, -0.13, -0.27}};

static const swPart bar[] = {{SW_SHAPE_BOX, {0, 0, 0}, {1, 0.2, 0.2}, 0, NULL}};
static const swVec3 bar_at[] = {
    {-0.48, 0, 0}, {-0.24, 0, 0}, {0, 0, 0}, {0.24, 0, 0}, {0.48, 0, 0}};

// The bone becomes a rigid part, the third frame.
static const swPart steak[] = {
    {SW_SHAPE_CYLINDER, {-0.02, 0, -0.01}, {-0.02, 0, 0.01}, 0.085, "fat"},
    {SW_SHAPE_CYLINDER, {-0.055, -0.01, -0.01}, {-0.055, -0.01, 0.01}, 0.04, NULL},
    {SW_SHAPE_CYLINDER, {0.025, -0.01, -0.01}, {0.025, -0.01, 0.01}, 0.03, NULL},
    {SW_SHAPE_BOX, {-0.015, 0, 0}, {0.012, 0.12, 0.02}, 0, "bone"},
    {SW_SHAPE_BOX, {-0.015, 0.07, 0}, {0.1, 0.016, 0.02}, 0, "bone"},
};
static const swVec3 steak_at[] = {{-0.06, -0.01, 0}, {0.03, -0.01, 0}};

typedef struct swPaper {
    const char *name;
    const swPart *part;
    int npart;
    const swVec3 *at;
    int nat;
    bool affine;
    swReal voxel;
    int points;            // as published
    double ms;             // published
    const char *published; // as the paper states it
    bool linear;           // linear blending, whatever the frames
    bool precompute;
} swPaper;

#define BODY(shape) shape, SW_COUNT(shape), shape##_at, SW_COUNT(shape##_at)
static const swPaper papers[] = {
    {"steak", BODY(steak), true, 0.004, 10, 1e3 / 500, "500 Hz, 3 frames", 0, 0},
    {"bunny", BODY(bunny), false, 0.005, 2323, 51, "51 ms", 0, 0},
    {"bunny", BODY(bunny), false, 0.004, 15526, 250, "250 ms", 0, 0},
    {"turtle", BODY(turtle), false, 0.02, 2313, 106, "106 ms", 0, 0},
    {"turtle", BODY(turtle), false, 0.015, 15452, 648, "648 ms", 0, 0},
    {"bar", BODY(bar), false, 0.025, 900, 1e3 / 88, "88 or 38 fps, hard to read", 0, 0},
};

static bool add_material(swScene *scene, const char *name, const char *law, swReal young) {
    swMaterial *m = sw_scene_add_material(scene, name);
    if (!m)
        return false;
    m->law = law;
    m->young = young;
    m->poisson = 0.3;
    return true;
}

static bool add_parts(swScene *scene, swBody *body, const swPaper *p) {
    for (int i = 0; i < p->npart; i++) {
        swShape *shape = sw_body_add_shape(scene, body, p->part[i].kind);
        if (!shape)
            return false;
        shape->center = shape->from = p->part[i].from;
        shape->size = shape->to = p->part[i].to;
        shape->radius = p->part[i].radius;
        shape->material = p->part[i].material ? p->part[i].material : "flesh";
    }
    return true;
}

// The body spins in free flight.
static swModel *make_model(const swPaper *p, swError *error) {
    swScene *scene = sw_scene_create(NULL);
    swBody *body = NULL;
    if (scene && add_material(scene, "flesh", "stvk", p->affine ? 2e4 : 7e5) &&
        add_material(scene, "fat", "stvk", 5e3) && add_material(scene, "bone", "stvk", 1.5e10))
        body = sw_scene_add_body(scene, p->name);
    if (!body || !add_parts(scene, body, p)) {
        sw_fail_memory(error, 0);
        sw_scene_destroy(scene);
        return NULL;
    }
    body->voxel = p->voxel;
    body->frames.count = 0;
    body->frames.at = p->at;
    body->frames.nat = p->nat;
    if (!p->affine) {
        body->frames.kind = SW_NODE_RIGID;
        body->frames.blend = p->linear ? SW_BLEND_LINEAR : SW_BLEND_DUAL_QUATERNION;
        body->frames.weights.kind = "harmonic";
    }
    body->frames.precompute = p->precompute;
    body->integration.points = p->points;
    body->integration.degree = 1; // a point for each region
    body->spin = sw_v3(1, 2, 3);
    scene->gravity = sw_v3(0, 0, 0);
    scene->time.integrator = "linear-implicit";
    swModel *model = sw_compile(scene, error);
    sw_scene_destroy(scene);
    return model;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The mean time of a step, of several repeats the median [s].
static bool measure(const swModel *model, double *median, swError *error) {
    swState *state = sw_state_create(model, error);
    if (!state)
        return false;
    double seconds[REPEATS] = {0};
    swStatus status = SW_OK;
    for (int repeat = 0; repeat < REPEATS && status == SW_OK; repeat++) {
        sw_state_reset(state);
        for (int i = 0; i < STEPS && status == SW_OK; i++)
            status = sw_step(model, state);
        seconds[repeat] = sw_state_profile(state).total / STEPS;
    }
    qsort(seconds, REPEATS, sizeof *seconds, compare);
    *median = seconds[REPEATS / 2];
    if (status != SW_OK)
        sw_fail(error, status, "%s", sw_state_report(state)->reason);
    sw_state_destroy(state);
    return status == SW_OK;
}

bool bench_papers(swError *error) {
    printf("bodies like those in Gilles et al. 2011 and Faure et al. 2011\n"
           "%-8s %6s %7s %9s %9s | %9s %7s  %s\n",
           "body", "frames", "points", "ms/step", "Hz", "published", "ratio", "as published");
    for (int i = 0; i < SW_COUNT(papers); i++) {
        double seconds = 0;
        swModel *model = make_model(&papers[i], error);
        const bool ok = model && measure(model, &seconds, error);
        if (ok)
            printf("%-8s %6d %7d %9.3f %9.0f | %6.1f ms %7.0f  %s\n", papers[i].name,
                   sw_model_info(model).frames, sw_model_info(model).points, 1e3 * seconds,
                   1 / seconds, papers[i].ms, 1e-3 * papers[i].ms / seconds, papers[i].published);
        sw_model_destroy(model);
        if (!ok)
            return false;
    }
    return true;
}

// ---- precomputed ----

typedef struct swPair {
    const char *body;
    bool affine;
    int points;
    double full, precomputed; // published [ms]; 0: not published
} swPair;
static const swPair pairs[] = {
    {"bar", false, 900, 1e3 / 88, 1e3 / 700},
    {"bar", true, 150, 0, 0},
    {"bar", true, 900, 0, 0},
    {"bar", true, 4000, 0, 0},
    {"bar", true, 15000, 0, 0},
    {"turtle", false, 2313, 106, 10},
    {"turtle", false, 15452, 648, 10},
    {"turtle", true, 15452, 0, 0},
};

static const swPaper *paper_of(const char *name) {
    int i = 0;
    while (!sw_text_equal(papers[i].name, name))
        i++;
    return &papers[i];
}

static void print_published(double ms) {
    char text[32] = "-";
    if (ms > 0)
        snprintf(text, sizeof text, "%.1f", ms);
    printf(" %9s", text);
}

static bool bench_pair(const swPair *pair, swError *error) {
    double seconds[2] = {0};
    swModel *model[2] = {NULL};
    bool ok = true;
    for (int i = 0; i < 2 && ok; i++) {
        swPaper p = *paper_of(pair->body);
        p.affine = pair->affine;
        p.linear = true;
        p.points = pair->points;
        p.voxel = pair->points > 2000 ? sw_min(p.voxel, 0.0125) : p.voxel;
        p.precompute = i == 1;
        model[i] = make_model(&p, error);
        ok = model[i] && measure(model[i], &seconds[i], error);
    }
    if (ok) {
        printf("%-8s %-6s %6d %7d %8d %9.1f %11.1f %7.1f |", pair->body,
               pair->affine ? "affine" : "rigid", sw_model_info(model[0]).frames,
               sw_model_info(model[0]).points, sw_model_info(model[1]).springs, 1e6 * seconds[0],
               1e6 * seconds[1], seconds[0] / seconds[1]);
        print_published(pair->full);
        print_published(pair->precomputed);
        printf("\n");
    }
    for (int i = 0; i < 2; i++)
        sw_model_destroy(model[i]);
    return ok;
}

bool bench_springs(swError *error) {
    printf("precomputed springs and integration points, both with linear blending\n"
           "%-8s %-6s %6s %7s %8s %9s %11s %7s | %9s %9s\n"
           "%-8s %-6s %6s %7s %8s %9s %11s %7s | %9s %9s\n",
           "body", "frames", "number", "points", "springs", "points", "springs", "ratio",
           "published", "springs", "", "", "", "", "", "us/step", "us/step", "", "ms/step",
           "ms/step");
    for (int i = 0; i < SW_COUNT(pairs); i++)
        if (!bench_pair(&pairs[i], error))
            return false;
    return true;
}
