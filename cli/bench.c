// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew bench: where the time of a step goes, and what each law costs. Times are the best of
// several repeats; the share of the core's peak is measured against multiply-adds timed in the same
// run, so it means the same on any machine.
#include "bench.h"

#include "core/simd.h"
#include "material/law.h"
#include "model/model.h"

enum { REPEATS = 7, STEPS = 40 };

typedef struct swCase {
    int frames, points;
    swNodeKind kind;
    swBlend blend;
} swCase;

#define AFFINE SW_NODE_AFFINE, SW_BLEND_LINEAR
static const swCase cases[] = {{2, 100, AFFINE},  {2, 1000, AFFINE}, {5, 100, AFFINE},
                               {5, 1000, AFFINE}, {10, 100, AFFINE}, {10, 1000, AFFINE}};
// In pairs: rigid frames under linear and dual-quaternion blending.
static const swCase blends[] = {{5, 100, SW_NODE_RIGID, SW_BLEND_LINEAR},
                                {5, 100, SW_NODE_RIGID, SW_BLEND_DUAL_QUATERNION},
                                {5, 1000, SW_NODE_RIGID, SW_BLEND_LINEAR},
                                {5, 1000, SW_NODE_RIGID, SW_BLEND_DUAL_QUATERNION}};

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

// Rigid frames: dual quaternions against linear blending.
static bool print_blends(swError *error) {
    printf("\nrigid frames\n%-16s %6s %6s %4s %9s | %10s %9s %9s %9s %9s | %6s %6s\n", "blending",
           "frames", "points", "dof", "us/step", "kinematics", "material", "assembly", "solve",
           "other", "Newton", "ratio");
    double linear = 0;
    for (int i = 0; i < SW_COUNT(blends); i++) {
        swProfile p = {0};
        swModel *model = make_model(&blends[i], error);
        const bool ok = model && measure(model, &p, error);
        if (ok) {
            const double us = 1e6 / (double)p.steps;
            const bool dual = blends[i].blend == SW_BLEND_DUAL_QUATERNION;
            linear = dual ? linear : us * p.total;
            printf("%-16s %6d %6d %4d %9.1f | %10.1f %9.1f %9.1f %9.1f %9.1f | %6.2f ",
                   dual ? "dual-quaternion" : "linear", blends[i].frames, blends[i].points,
                   sw_model_info(model).dof, us * p.total, us * p.kinematics, us * p.material,
                   us * p.assembly, us * p.solve,
                   us * (p.total - p.kinematics - p.material - p.assembly - p.solve),
                   (double)p.iterations / (double)p.steps);
            printf(dual ? "%6.2f\n" : "\n", us * p.total / linear);
        }
        sw_model_destroy(model);
        if (!ok)
            return false;
    }
    return true;
}

enum { BLOCKS = 16 }; // as many as the library evaluates at once

// Nanoseconds per sample; `outputs`: 1 psi, 2 P too, 3 C too.
static double measure_law(const swLaw *law, const swReal *coefficient, int outputs,
                          const swReal *F) {
    static swReal psi[BLOCKS * SW_LANES], P[BLOCKS * 9 * SW_LANES],
        C[BLOCKS * SW_TANGENT * SW_LANES];
    double best = INFINITY;
    for (int repeat = 0; repeat < 10 * REPEATS; repeat++) {
        const double start = sw_seconds();
        for (int i = 0; i < STEPS; i++)
            law->evaluate(coefficient, BLOCKS, F, psi, outputs > 1 ? P : NULL,
                          outputs > 2 ? C : NULL);
        const double seconds = sw_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    return 1e9 * best / (STEPS * BLOCKS * SW_LANES);
}

static void print_laws(void) {
    static swReal F[BLOCKS * 9 * SW_LANES]; // strains up to some tenths
    uint64_t random = 1;
    for (int i = 0; i < SW_COUNT(F); i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        F[i] = (i / SW_LANES % 9 % 4 == 0) + 0.3 * ((double)(random >> 11) * 0x1p-53 - 0.5);
    }
    printf("nanoseconds per sample on one core, %d samples at a time\n%-20s %8s %8s %9s\n",
           (int)SW_LANES, "law", "energy", "+ stress", "+ tangent");
    for (int i = 0; sw_law_at(i); i++) {
        const swLaw *law = sw_law_at(i);
        swMaterial material = {.law = law->name, .young = 1e5, .poisson = 0.3, .density = 1000};
        for (int k = 0; k < SW_MATERIAL_PARAMS; k++)
            material.param[k] = NAN;
        swReal coefficient[SW_LAW_COEFFICIENTS];
        law->prepare(&material, coefficient);
        printf("%-20s %8.1f %8.1f %9.1f\n", law->name, measure_law(law, coefficient, 1, F),
               measure_law(law, coefficient, 2, F), measure_law(law, coefficient, 3, F));
    }
    if (SW_LANES > 1)
        printf("\nOne sample at a time: cmake --preset scalar && cmake --build --preset scalar,\n"
               "then build-scalar/sinew bench --laws\n");
}

// Steps of affine frames, then of rigid ones.
static bool print_steps(swError *error) {
    const double peak = measure_peak();
    printf("one core: %.1f GFLOP/s of multiply-adds, %d doubles wide\n\n", 1e-9 * peak,
           (int)SW_LANES);
    printf("%6s %6s %4s %9s | %10s %9s %9s %9s %9s | %6s %9s %8s\n", "frames", "points", "dof",
           "us/step", "kinematics", "material", "assembly", "solve", "other", "Newton", "GFLOP/s",
           "of peak");
    for (int i = 0; i < SW_COUNT(cases); i++) {
        swProfile p = {0};
        swModel *model = make_model(&cases[i], error);
        if (!model || !measure(model, &p, error)) {
            sw_model_destroy(model);
            return false;
        }
        const double us = 1e6 / (double)p.steps, rate = p.flops / (p.kinematics + p.assembly);
        printf("%6d %6d %4d %9.1f | %10.1f %9.1f %9.1f %9.1f %9.1f | %6.2f %9.1f %7.0f%%\n",
               cases[i].frames, cases[i].points, sw_model_info(model).dof, us * p.total,
               us * p.kinematics, us * p.material, us * p.assembly, us * p.solve,
               us * (p.total - p.kinematics - p.material - p.assembly - p.solve),
               (double)p.iterations / (double)p.steps, 1e-9 * rate, 100 * rate / peak);
        sw_model_destroy(model);
    }
    printf("\nassembly: forces and stiffness from samples to frames; kinematics: deformation "
           "gradients.\n"
           "GFLOP/s and share of peak are those of kinematics and assembly together.\n");
    return print_blends(error);
}

static int print_help(int status) {
    printf("usage: sinew bench [--laws | --compile [NXxNYxNZ,FRAMES]...]\n\n"
           "Times a swinging bar with 2, 5 and 10 affine frames and 100 and 1000 integration "
           "points:\n"
           "microseconds per step and per stage, and the floating-point operations of the "
           "assembly\n"
           "as a share of this core's peak of multiply-adds, measured in the same run; then "
           "rigid\n"
           "frames under linear and dual-quaternion blending; then what compiling takes, stage "
           "by\n"
           "stage; then every law: nanoseconds per sample for its energy, stress and tangent.\n\n"
           "  --laws     only the laws\n"
           "  --compile  only compiling; with sizes, of blocks of so many voxels: "
           "500x200x1,200\n");
    return status;
}

int cmd_bench(int argc, char **argv) {
    enum { BLOCKS_MOST = 64 };
    BenchBlock block[BLOCKS_MOST];
    const bool laws = argc == 2 && sw_text_equal(argv[1], "--laws"),
               compile = argc > 1 && sw_text_equal(argv[1], "--compile"), all = argc == 1;
    if (argc == 2 && (sw_text_equal(argv[1], "--help") || sw_text_equal(argv[1], "-h")))
        return print_help(CLI_OK);
    if (!(laws || compile || all) || argc - 2 > BLOCKS_MOST)
        return print_help(CLI_USAGE);
    const int nblock = compile ? argc - 2 : 0;
    for (int i = 0; i < nblock; i++)
        if (!bench_read_block(argv[i + 2], &block[i]))
            return cli_usage("bench", "expected voxels and frames like 500x200x1,200, found \"%s\"",
                             argv[i + 2]);
    swError error = {0};
    bool ok = !all || print_steps(&error);
    if (ok && all)
        printf("\n");
    ok = ok && (laws || bench_compile(nblock, block, &error));
    if (!ok)
        return cli_fail(&error);
    if (all)
        printf("\n");
    if (!compile)
        print_laws();
    return CLI_OK;
}
