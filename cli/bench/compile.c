// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew bench: the time of each stage of a compile. Measures processor time, not wall time, as only
// one thread works and other programs may use the machine.
#include "bench/bench.h"

#include "bodies/bodies.h"
#include "compile/bricked.h"
#include "frames/place.h"
#include "scene/scene.h"

#include <time.h>

enum { MOST_REPEATS = 20, MOST_VOXELS = 100000000, MOST_FRAMES = 10000 };
#define ENOUGH 1.5 // seconds after which nothing is repeated

// The plates of Faure et al. 2011 (100 x 40 took them less than a second, 500 x 200 ten minutes),
// bars, and blocks.
static const BenchBlock usual[] = {{{100, 40, 1}, 10}, {{500, 200, 1}, 200}, {{40, 4, 4}, 10},
                                   {{40, 4, 4}, 40},   {{20, 20, 20}, 10},   {{64, 64, 64}, 20}};
static const char *const kinds[] = {"voronoi", "smooth", "harmonic", "eigenmodes", "shepard"};

typedef enum Stage { VOXELS, PLACING, WEIGHTS, BRICKS, CUBATURE, SURFACE, STAGES } Stage;

typedef struct Times {
    double stage[STAGES], all;
    int voxels;
} Times;

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

bool bench_read_block(const char *text, BenchBlock *b) {
    int end = 0;
    if (sscanf(text, "%6dx%6dx%6d,%6d%n", &b->n[0], &b->n[1], &b->n[2], &b->frames, &end) != 4 ||
        text[end] || b->frames < 1 || b->frames > MOST_FRAMES)
        return false;
    double voxels = 1;
    for (int k = 0; k < 3; k++)
        voxels *= b->n[k] < 1 ? INFINITY : b->n[k];
    return voxels <= MOST_VOXELS;
}

static swScene *make_scene(const BenchBlock *block, const char *kind) {
    swScene *scene = sw_scene_create(NULL);
    swBody *body =
        scene && sw_scene_add_material(scene, "rubber") ? sw_scene_add_body(scene, "b") : NULL;
    swShape *box = body ? sw_body_add_shape(scene, body, SW_SHAPE_BOX) : NULL;
    if (!box) {
        sw_scene_destroy(scene);
        return NULL;
    }
    body->voxel = 0.125; // a power of two, so that voxels are exactly full
    box->size = sw_scale(body->voxel, sw_v3(block->n[0], block->n[1], block->n[2]));
    body->frames.count = block->frames;
    body->frames.weights.kind = kind;
    return scene;
}

// Places the frames and gives them to the body, so that they are not placed again.
static bool place(swBuilder *b, const swBodyBuild *body, swFrames *frames, swError *error) {
    swPlacement p = {.count = frames->count, .error = NAN};
    swVec3 *at = SW_NEW(&b->arena, p.count, swVec3, error);
    if (!at ||
        !sw_march_cost(&body->lattice, frames->weights.distance, &b->arena, &p.cost, error) ||
        !sw_frames_place(&body->lattice, &p, &b->arena, at, &frames->nat, error))
        return false;
    if (frames->nat < p.count)
        return sw_fail(error, SW_ERROR_VALUE, "%d frames do not fit; at most %d do", p.count,
                       frames->nat);
    frames->at = at;
    frames->count = 0;
    return true;
}

static bool build(swBuilder *b, swFrames *frames, Times *t, swError *error) {
    swBodyBuild body = sw_body_begin(b->scene->bodies, 0);
    const bool everywhere = sw_weights_find(frames->weights.kind)->everywhere;
    double at[STAGES + 1];
    at[VOXELS] = seconds();
    if (!SW_EXTEND(&b->point_start, 1, &b->arena, error) || !sw_build_materials(b, error) ||
        !SW_EXTEND(&b->body, 1, &b->arena, error) || !sw_build_volume(b, &body, error))
        return false;
    at[PLACING] = seconds();
    if (!everywhere && !place(b, &body, frames, error))
        return false;
    at[WEIGHTS] = seconds();
    if (!sw_build_sites(b, &body, error) || !sw_build_start(b, &body, error))
        return false;
    at[BRICKS] = seconds();
    if (body.strains == SW_STRAINS_CORRECTED && !sw_build_bricks(b, &body, error))
        return false;
    at[CUBATURE] = seconds();
    if (!sw_build_samples(b, &body, error))
        return false;
    at[SURFACE] = seconds();
    if (!sw_build_surface(b, &body, error) || !sw_build_parts(b, &body, error))
        return false;
    at[STAGES] = seconds();
    for (int i = 0; i < STAGES; i++)
        t->stage[i] = sw_min(t->stage[i], at[i + 1] - at[i]);
    t->all = sw_min(t->all, at[STAGES] - at[0]);
    t->voxels = body.grid.nvoxel;
    return true;
}

// The best of several compiles.
static bool measure(const BenchBlock *block, const char *kind, Times *t, swError *error) {
    const double start = seconds();
    *t = (Times){.all = INFINITY};
    for (int i = 0; i < STAGES; i++)
        t->stage[i] = INFINITY;
    bool ok = true;
    for (int i = 0; ok && i < MOST_REPEATS && (i == 0 || seconds() < start + ENOUGH); i++) {
        swScene *scene = make_scene(block, kind);
        if (!scene)
            return sw_fail_memory(error, 0);
        swBuilder builder = {.scene = scene, .config = sw_scene_config(scene)};
        sw_arena_init(&builder.arena, &builder.config->allocator);
        ok = build(&builder, &scene->bodies->frames, t, error);
        sw_arena_free(&builder.arena);
        sw_scene_destroy(scene);
    }
    return ok;
}

static void print_row(const BenchBlock *b, const Times *t) {
    char size[32];
    snprintf(size, sizeof size, "%d x %d x %d", b->n[0], b->n[1], b->n[2]);
    printf("%-15s %6d |", size, b->frames);
    for (int i = 0; i < STAGES; i++)
        printf(" %8.2f", 1e3 * t->stage[i]);
    printf(" | %8.2f %8.0f %8.0f\n", 1e3 * t->all, 1e9 * t->all / t->voxels,
           1e9 * (t->stage[PLACING] + t->stage[WEIGHTS]) / t->voxels);
}

// Compares the kinds of weights on the first of the blocks.
static bool print_kinds(swError *error) {
    double voronoi = 0;
    printf("\n%d x %d x %d, %d frames\n%-15s %8s %8s\n", usual[0].n[0], usual[0].n[1],
           usual[0].n[2], usual[0].frames, "weights", "ms", "ratio");
    for (int i = 0; i < SW_COUNT(kinds); i++) {
        Times t;
        if (!measure(&usual[0], kinds[i], &t, error))
            return false;
        voronoi = i == 0 ? t.stage[WEIGHTS] : voronoi;
        printf("%-15s %8.2f %8.2f\n", kinds[i], 1e3 * t.stage[WEIGHTS], t.stage[WEIGHTS] / voronoi);
    }
    return true;
}

bool bench_compile(int count, const BenchBlock *block, swError *error) {
    printf("precomputation on one core [ms]; at the end [ns/voxel], for all stages and for placing "
           "+ weights; bricks only where strains are corrected\n"
           "%-15s %6s | %8s %8s %8s %8s %8s %8s | %8s %8s %8s\n",
           "block", "frames", "voxels", "placing", "weights", "bricks", "cubature", "surface",
           "all", "/voxel", "p + w");
    const int n = count ? count : SW_COUNT(usual);
    for (int i = 0; i < n; i++) {
        const BenchBlock *b = count ? &block[i] : &usual[i];
        Times t;
        if (!measure(b, kinds[0], &t, error))
            return false;
        print_row(b, &t);
        fflush(stdout);
    }
    return count || print_kinds(error);
}
