// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// sinew run: from a scene to a motion, and from the motion to files.
#include "estimate.h"
#include "cache/cache.h"
#include "inspect/picture.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void interrupt(int signal) {
    (void)signal;
    interrupted = 1;
}

// Ctrl-C ends the run after the current step, or in the middle of a static analysis; a second one
// ends the program.
static void catch_interrupt(void) {
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

// ---- the model ----

// Long computations call this now and then; false stops them.
static bool go_on(void *context, const char *stage, double share) {
    enum { WIDTH = 24 };
    static const char full[] = "########################", empty[] = "........................";
    const RunOptions *o = context;
    const int n = (int)(WIDTH * sw_clamp(share, 0, 1));
    if (strcmp(stage, "step") == 0) // the simulation shows its own progress
        return !interrupted;
    if (!o->quiet && share < 1)
        cli_progress("%-18s [%.*s%.*s]", stage, n, full, WIDTH - n, empty);
    else
        cli_progress(NULL);
    return !interrupted;
}

// *keep is set to the scene if bodies will be cut or can tear.
static swModel *compile(const RunOptions *o, const swConfig *config, swScene **keep, bool *cached,
                        swError *error) {
    swScene *scene = character_read(o->scene, &o->character, config, error);
    if (scene && !isnan(o->step))
        scene->time.step = o->step;
    if (scene)
        estimate_ask(scene, o->estimate, o->estimate_large);
    bool ok = scene && output_prepare(o, error);
    swModel *model = ok ? cache_compile(scene, o->no_cache, cached, error) : NULL;
    if (model && (isfinite(sw_model_next_cut(model)) || sw_model_tears(model)))
        *keep = scene;
    else
        sw_scene_destroy(scene);
    if (ok && !model && !error->path[0])
        snprintf(error->path, sizeof error->path, "%s", o->scene);
    return model;
}

// Refuses, before simulating, outputs that do not support inserted frames.
static bool check_adapting(const RunOptions *o, const swModel *m, const Coloring *coloring,
                           swError *error) {
    if (!sw_model_adapts(m))
        return true;
    if (coloring->kind >= COLOR_STRAIN && coloring->kind <= COLOR_ENERGY)
        return sw_fail(error, SW_ERROR_UNSUPPORTED,
                       "--color: expected plain, material or weight:FRAME, as the scene inserts "
                       "frames (frames.adapt), whose strain pictures cannot show");
    for (int i = 0; i < o->outputs.count; i++)
        if (sw_text_has_suffix(o->outputs.item[i], ".swr"))
            return sw_fail_at(error, SW_ERROR_UNSUPPORTED, o->outputs.item[i], 0, 0,
                              "a recording cannot hold frames that come and go, and the scene "
                              "inserts some (frames.adapt): write .glb, .obj, .ply, .png or .mp4");
    return true;
}

// Cuts and cracks change surfaces and frames: refuses outputs that need them to stay the same.
static bool check_cuts(const RunOptions *o, const Run *run, swError *error) {
    const char *why = isfinite(sw_model_next_cut(run->model)) ? "is cut"
                      : sw_model_tears(run->model)            ? "can tear"
                                                              : NULL;
    if (!why)
        return true;
    if (!run->scene)
        return sw_fail_at(error, SW_ERROR_UNSUPPORTED, o->scene, 0, 0,
                          "a saved model with a body that %s: give its scene instead", why);
    if (o->load || o->save)
        return sw_fail(error, SW_ERROR_UNSUPPORTED,
                       "--load, --save: a body %s, after which states belong to another model",
                       why);
    for (int i = 0; i < o->outputs.count; i++)
        if (sw_text_has_suffix(o->outputs.item[i], ".swr") ||
            sw_text_has_suffix(o->outputs.item[i], ".glb"))
            return sw_fail_at(error, SW_ERROR_UNSUPPORTED, o->outputs.item[i], 0, 0,
                              "this format needs a surface that stays the same, and a body %s: "
                              "write .obj, .ply, .png or .mp4",
                              why);
    return true;
}

static bool open_model(Run *run, swError *error) {
    const RunOptions *o = &run->options;
    // Information is shown only on a terminal; warnings always are.
    swConfig config = cli_config(o->threads, o->quiet || !isatty(STDERR_FILENO));
    config.progress = go_on;
    config.progress_context = (void *)o;
    catch_interrupt();
    const InputKind kind = cli_input_kind(o->scene);
    const double start = sw_seconds();
    if (kind == INPUT_STATE)
        return sw_fail_at(error, SW_ERROR_VALUE, o->scene, 0, 0,
                          "this is a saved state: give its scene, and this file with --load");
    if (kind == INPUT_RECORDING)
        return sw_fail_at(error, SW_ERROR_VALUE, o->scene, 0, 0,
                          "this is a recording of a finished run: show it with sinew view %s",
                          o->scene);
    if (kind == INPUT_MODEL && !isnan(o->step))
        return sw_fail_at(error, SW_ERROR_VALUE, o->scene, 0, 0,
                          "a saved model keeps its time step: --step needs the scene");
    if (kind == INPUT_MODEL && !output_prepare(o, error))
        return false;
    run->model = kind == INPUT_MODEL ? sw_model_load(o->scene, &config, error)
                                     : compile(o, &config, &run->scene, &run->cached, error);
    if (!run->model)
        return false;
    run->open_seconds = sw_seconds() - start;
    const swModelInfo info = sw_model_info(run->model);
    run->step = info.step;
    run->end = isnan(o->end) ? info.end : o->end;
    if (o->mode && info.analysis != SW_ANALYSIS_MODAL)
        return sw_fail(error, SW_ERROR_VALUE, "--mode needs a scene with \"analysis\": \"modal\"");
    Coloring coloring; // mistakes in --color and --hide are reported before simulating
    return coloring_parse(o->color, run->model, &coloring, error) &&
           check_adapting(o, run->model, &coloring, error) && check_cuts(o, run, error) &&
           picture_check(o, run->model, error) && output_check_model(o, run->model, error) &&
           (!o->save_model || sw_model_save(run->model, o->save_model, error));
}

static bool open_state(Run *run, swError *error) {
    run->state = sw_state_create(run->model, error);
    if (!run->state || (run->options.load && !sw_state_load(run->state, run->options.load, error)))
        return false;
    run->first_step = sw_state_steps(run->state);
    if (sw_model_info(run->model).analysis == SW_ANALYSIS_MODAL &&
        sw_state_model(run->state) != run->model)
        return sw_fail_at(error, SW_ERROR_UNSUPPORTED, run->options.load, 0, 0,
                          "this state has inserted frames, so its vibrations cannot be shown");
    return true;
}

// ---- simulation ----

static void show_progress(const Run *run, double start, int64_t total) {
    if (run->options.quiet)
        return;
    const int64_t done = sw_state_steps(run->state);
    cli_progress("%3.0f%%  t = %.2f s  %.3g x real time", 100.0 * (double)done / (double)total,
                 sw_state_time(run->state),
                 run->step * (double)(done - run->first_step) / (sw_seconds() - start));
}

// What happened in steps that the user should know of.
typedef struct {
    int64_t replaced, divided, rough, leapt;
    int parts, stopped; // most parts of a step; bodies that have stopped
} Watch;

static void watch_step(const Run *run, Watch *w) {
    const swStepReport *r = sw_state_report(run->state);
    w->replaced += r->replaced;
    w->divided += r->substeps > 1;
    w->rough += r->rough > 0;
    w->leapt += r->leapt;
    w->parts = r->substeps > w->parts ? r->substeps : w->parts;
    if (r->stopped > w->stopped) {
        cli_progress(NULL);
        cli_say("stopped at t = %g s: %d of %d bodies (the others go on): %s",
                sw_state_time(run->state) - sw_model_info(run->model).step, r->stopped,
                sw_model_info(run->model).bodies, r->reason);
    }
    w->stopped = r->stopped;
}

static void say_watched(const Run *run, const Watch *w) {
    const long long steps = (long long)(sw_state_steps(run->state) - run->first_step);
    if (w->replaced > 0)
        cli_say("warning: implicit-euler took over for parts of %lld of %lld steps, in which %s "
                "fails or gains energy",
                (long long)w->replaced, steps, sw_integrator_name(run->model->settings.integrator));
    if (w->divided > 0)
        cli_say("%lld of %lld steps were subdivided, into at most %d parts", (long long)w->divided,
                steps, w->parts);
    if (w->rough > 0)
        cli_say("warning: %lld of %lld steps ended near equilibrium without reaching it, because "
                "forces jump there, as they do at the edge of a collider",
                (long long)w->rough, steps);
    if (w->leapt > 0)
        cli_say(
            "warning: %lld times a handle moved too far in one step for its body to follow; the "
            "body was moved along with it, at rest",
            (long long)w->leapt);
}

static bool simulate_dynamic(Run *run, swFile *csv, swError *error) {
    const double steps = ceil(run->end / run->step - 1e-6);
    const int64_t total = steps < 9e15 ? (int64_t)steps : (int64_t)9e15;
    const double start = sw_seconds();
    swRecorder recorder;
    swClip *clip = run->options.outputs.count > 0 ? &run->clip : NULL;
    if (!sw_recorder_start(&recorder, clip, run->options.fps, run->state, &run->arena, error))
        return false;
    if (run->options.load && sw_state_steps(run->state) >= total)
        cli_say("warning: %s is already at t = %g s and the end is %g s: nothing to simulate",
                run->options.load, sw_state_time(run->state), run->end);
    Watch watch = {0};
    while (sw_state_steps(run->state) < total && !interrupted) {
        if (!stage_cut(run, &recorder, error))
            return false;
        const int64_t before = sw_state_steps(run->state);
        run->status = sw_step(run->model, run->state);
        if (sw_state_steps(run->state) == before)
            break; // no body can go on
        watch_step(run, &watch);
        const int changes = sw_state_adapt(run->state, error);
        if (changes < 0)
            return false;
        run->adapted += changes;
        if (csv)
            results_csv_row(run, NULL, csv);
        if (!sw_recorder_step(&recorder, run->state, error) || !stage_tear(run, &recorder, error))
            return false;
        show_progress(run, start, total);
    }
    cli_progress(NULL);
    say_watched(run, &watch);
    run->stopped = sw_state_steps(run->state) < total && interrupted;
    return sw_recorder_end(&recorder, run->state, error);
}

static bool warn_of_step(const swModel *m, swError *error) {
    const swModelInfo info = sw_model_info(m);
    const swReal stable = info.direct ? sw_stable_step(m, error) : INFINITY;
    if (info.step > stable && stable >= 0)
        cli_say("warning: the time step of %g s is longer than the longest stable one of %s, "
                "%.3g s",
                info.step, info.integrator, stable);
    return stable >= 0;
}

typedef struct Rows {
    const Run *run;
    swFile *csv;
    swStepReport last;
} Rows;

static void write_row(void *context) {
    Rows *rows = context;
    if (!rows->csv)
        return;
    results_csv_row(rows->run, &rows->last, rows->csv);
    rows->last = *sw_state_report(rows->run->state);
}

// The motion of a static analysis goes from rest at 0 s to the result at 1 s.
static bool simulate_static(Run *run, swFile *csv, swError *error) {
    Rows rows = {.run = run, .csv = csv};
    if (!sw_clip_add_state(&run->clip, 0, run->state, error))
        return false;
    run->status = sw_solve_static_each(run->model, run->state, write_row, &rows);
    run->stopped = run->status == SW_ERROR_STOPPED;
    return sw_clip_add_state(&run->clip, 1, run->state, error);
}

static bool simulate(Run *run, swError *error) {
    if (sw_model_info(run->model).analysis == SW_ANALYSIS_MODAL)
        return vibrate_solve(run, error) && (!run->options.csv || results_csv_modes(run, error));
    swFile file = {0}, *csv = run->options.csv ? &file : NULL;
    if (csv && !results_csv_head(run, csv, error))
        return false;
    bool is_static = sw_model_info(run->model).analysis == SW_ANALYSIS_STATIC;
    bool ok = is_static ? simulate_static(run, csv, error)
                        : warn_of_step(run->model, error) && simulate_dynamic(run, csv, error);
    if (!csv)
        return ok;
    if (!ok)
        cli_output_abandon(csv);
    return ok && cli_output_close(csv, error);
}

// ---- messages and the summary ----

static void say_failure(const Run *run) {
    const swStepReport *r = sw_state_report(run->state);
    swModelInfo info = sw_model_info(run->model);
    if (run->stopped && info.analysis != SW_ANALYSIS_DYNAMIC)
        cli_say("stopped at %.4g%% of the load: the output shows the last equilibrium",
                100 * r->load);
    else if (run->stopped)
        cli_say("stopped at t = %g s of %g s", sw_state_time(run->state), run->end);
    if (run->status == SW_OK || run->stopped)
        return;
    const bool is_static = info.analysis != SW_ANALYSIS_DYNAMIC;
    if (is_static)
        cli_say("no equilibrium beyond %.4g%% of the load: %s", 100 * r->load, r->reason);
    else if (r->stopped < info.bodies)
        return; // it was reported when they stopped
    else
        cli_say("the step from t = %g s failed: %s", sw_state_time(run->state), r->reason);
    if (r->scale > 0)
        cli_say("the largest unbalanced force is %.3g N, the largest acting force %.3g N",
                r->residual, r->scale);
    if (!is_static)
        cli_say("a smaller step often helps: --step %g", info.step / 2);
    cli_say("the output shows the last good state");
}

// Warns if the equilibrium that a static analysis ended in is unstable.
static void say_unstable(const Run *run) {
    if (sw_state_report(run->state)->unstable && !run->modes)
        cli_say("warning: the equilibrium is unstable, and no stable one was found near it: any "
                "disturbance would make the body give way");
}

static void print_statics(const Run *run) {
    const swStepReport *r = sw_state_report(run->state);
    swProfile p = sw_state_profile(run->state);
    printf("  statics %d load increment%s, %d cut%s, %lld Newton iterations, %.3g s\n",
           r->increments, r->increments == 1 ? "" : "s", r->cuts, r->cuts == 1 ? "" : "s",
           (long long)p.iterations, p.total);
    if (r->left > 0)
        printf("  saddles %d, unstable, from which the search went on\n", r->left);
    if (r->unstable)
        printf("  unstable: the body gives way along some motion\n");
}

static void print_summary(const Run *run) {
    const RunOptions *o = &run->options;
    swModelInfo info = sw_model_info(run->model);
    swProfile p = sw_state_profile(run->state);
    printf("%s%s%s\n", o->scene, *info.title ? ": " : "", info.title);
    printf("  model   ");
    if (info.frames > 0 || info.net == 0)
        printf("%d frame%s, ", info.frames, info.frames == 1 ? "" : "s");
    if (info.net > 0)
        printf("%d moving vertices, ", info.net);
    printf("%d degrees of freedom, %d integration points, %d voxels, %.4g kg; ready in %.2g s%s\n",
           info.dof, info.points, info.voxels, info.mass, run->open_seconds,
           run->cached ? ", from the cache" : "");
    for (int i = 0; i < info.bodies; i++) {
        char head[160];
        snprintf(head, sizeof head, "  error   body \"%s\": ", sw_body_name(run->model, i));
        estimate_print(run->model, i, head);
        estimate_print_probes(run->model, i, "          ");
    }
    if (info.analysis == SW_ANALYSIS_STATIC)
        print_statics(run);
    else if (info.analysis == SW_ANALYSIS_MODAL)
        vibrate_print(run);
    else if (p.steps > 0)
        printf("  motion  %lld steps of %g s to t = %g s: %.0f us per step, %.3g x real time, %.2g "
               "Newton iterations per %sstep\n",
               (long long)(run->steps + p.steps), info.step, sw_state_time(run->state),
               1e6 * results_step_seconds(run), results_real_time(run),
               (double)p.iterations / (double)p.steps / info.bodies,
               info.bodies > 1 ? "body and " : "");
    if (run->cut.bodies > 0)
        printf("  cuts    removed %.4g kg; the rest was displaced by %.2g m at most\n",
               run->cut.mass, run->cut.miss);
    if (run->splits > 0)
        printf("  cracks  %lld vertices were split\n", (long long)run->splits);
    if (run->adapted > 0)
        printf("  frames  %lld inserted or removed, %d left at the end\n", (long long)run->adapted,
               sw_frame_count(sw_state_model(run->state)) - sw_frame_count(run->model));
    printf("  state   %016llx\n", (unsigned long long)sw_state_hash(run->state));
    const char *rest[] = {o->json, o->csv, o->save, o->save_model};
    char name[1200];
    for (int i = 0; i < o->outputs.count; i++)
        printf("  wrote   %s\n", output_name(run, o->outputs.item[i], name, sizeof name));
    for (int i = 0; i < SW_COUNT(rest); i++)
        if (rest[i])
            printf("  wrote   %s\n", rest[i]);
}

// ---- the command ----

// Tries every output, even if others fail.
static bool write_outputs(const Run *run, swError *error) {
    const RunOptions *o = &run->options;
    bool ok = true;
    for (int i = 0; i < o->outputs.count; i++)
        if (!output_write(run, o->outputs.item[i], error)) {
            cli_fail(error);
            ok = false;
        }
    if (o->save && !sw_state_save(run->state, o->save, error)) {
        cli_fail(error);
        ok = false;
    }
    if (o->json && !results_json(run, o->json, error)) {
        cli_fail(error);
        ok = false;
    }
    return ok;
}

static int perform(Run *run) {
    const RunOptions *o = &run->options;
    swError error;
    sw_error_clear(&error);
    if (!output_check(o, &error) || !open_model(run, &error) || !open_state(run, &error))
        return cli_fail(&error);
    sw_clip_init(&run->clip, run->model);
    bool ok = simulate(run, &error);
    if (!ok)
        return cli_fail(&error);
    ok = write_outputs(run, &error);
    if (ok && !o->quiet && !sw_text_equal(o->json, "-") && !sw_text_equal(o->csv, "-"))
        print_summary(run);
    say_failure(run);
    say_unstable(run);
    return !ok ? CLI_USAGE : run->status != SW_OK || run->stopped ? CLI_FAILED : CLI_OK;
}

static bool parse(RunOptions *o, int argc, char **argv, int *status) {
    const Option options[] = {
        {"o", "FILE", OPTION_LIST, &o->outputs,
         .help = "write the motion; the extension selects the format; may be repeated:\n"
                 ".glb   an animation for Blender, browsers, game engines; for a\n"
                 "       character, its own file with simulated joints added\n"
                 ".obj, .ply   one mesh per moment: name_0000.obj, ...\n"
                 ".png   a strip of pictures\n"
                 ".swr   a recording for sinew view\n"
                 ".mp4   a film (needs ffmpeg)\n"
                 "Missing folders are created."},
        {"json", "FILE", OPTION_TEXT, &o->json,
         .help = "write results: energies, probes, forces of handles, timing; - for\n"
                 "standard output"},
        {"csv", "FILE", OPTION_TEXT, &o->csv,
         .help = "write one row per step or load increment: time, probes, energies,\n"
                 "Newton iterations; or one row per vibration; - for standard output"},
        {"end", "T", OPTION_REAL, &o->end, 0, INFINITY,
         .help = "simulate up to this time [s] (default: the scene's)"},
        {"step", "H", OPTION_REAL, &o->step, 1e-12, INFINITY,
         .help = "time step [s] (default: the scene's)"},
        {"estimate", NULL, OPTION_FLAG, &o->estimate,
         .help = "estimate the error of bodies under their weight and loads, by linear\n"
                 "theory"},
        {"estimate-large", NULL, OPTION_FLAG, &o->estimate_large,
         .help = "the same in equilibrium at large displacements (takes longer)"},
        {"threads", "N", OPTION_INT, &o->threads, 1, 256,
         .help = "worker threads (default 1); results do not depend on them"},
        {"fps", "N", OPTION_INT, &o->fps, 1, 10000,
         .help = "moments per second of recorded motion (default 30)"},
        {"influences", "N", OPTION_INT, &o->influences, 0, 64,
         .help = "most joints that move a vertex in a .glb; 0: all (default: 4 for\n"
                 "characters, else all)"},
        {"keep-weights", NULL, OPTION_FLAG, &o->keep_weights,
         .help = "character: keep the file's own weights in the .glb; only the motion of\n"
                 "simulated bones changes"},
        {"moments", "N", OPTION_INT, &o->moments, 1, 100,
         .help = "pictures in a .png strip (default 5)"},
        {"mode", "N", OPTION_INT, &o->mode, 1, 1e6,
         .help = "modal analysis: show the Nth vibration (default 1)"},
        {"size", "WxH", OPTION_SIZE, &o->size, 16, 8192,
         .help = "pixels of each picture (default 480x400; film: 960x540)"},
        {"view", "X,Y,Z", OPTION_VEC3, &o->view, -1e6, 1e6,
         .help = "look from this direction (default 0.5,0.42,1)"},
        {"color", "WHAT", OPTION_TEXT, &o->color,
         .help = "what colours in pictures show: plain, material, strain (largest\n"
                 "principal), stress (von Mises), energy (elastic, per volume),\n"
                 "weight:FRAME (a number from 0, or the name of a handle)"},
        {"hide", "MATERIAL", OPTION_LIST, &o->hide,
         .help = "leave a material out of pictures; needs a body whose materials have\n"
                 "their own surfaces (\"surfaces\": \"materials\"); may be repeated"},
        {"outer", NULL, OPTION_FLAG, &o->outer,
         .help = "in pictures, draw the outer surface of such bodies instead"},
        {"frames", NULL, OPTION_FLAG, &o->frames, .help = "draw the frames' axes in pictures"},
        {"bare", NULL, OPTION_FLAG, &o->bare, .help = "draw no captions and legends in pictures"},
        {"save", "FILE", OPTION_TEXT, &o->save, .help = "save the final state"},
        {"load", "FILE", OPTION_TEXT, &o->load, .help = "continue from a saved state"},
        {"save-model", "FILE", OPTION_TEXT, &o->save_model,
         .help = "save the compiled model, which can be given instead of a scene"},
        {"no-cache", NULL, OPTION_FLAG, &o->no_cache,
         .help = "always compile, and keep nothing in the cache"},
        CHARACTER_OPTIONS(&o->character),
        {"quiet", NULL, OPTION_FLAG, &o->quiet,
         .help = "no progress and no summary, only warnings and errors"},
    };
    const Usage usage = {
        "run",
        "SCENE [-o FILE]... [options]",
        "Simulates SCENE: a scene file (.json); a surface mesh, a tetrahedral mesh or a volume,\n"
        "which falls onto a plane; a character (.glb, .gltf) or motion capture (.bvh), whose\n"
        "flesh follows its bones; or a model saved with --save-model. Ctrl-C stops after the\n"
        "current step, or in the middle of other analyses; the results so far are written.\n",
        "SCENE: a scene, a mesh, a volume, a character or a saved model",
        options,
        SW_COUNT(options),
        "  sinew run examples/turtle.json -o out/turtle.glb -o out/turtle.png\n"
        "  sinew run examples/beam.json --json -\n"
        "  sinew run fox.glb --clip Run -o out/fox-soft.glb\n"
        "  sinew run examples/twist.json -o out/twist.mp4 --color strain --frames\n",
    };
    return cli_options(&usage, argc, argv, &o->scene, status);
}

int cmd_run(int argc, char **argv) {
    Run run = {.options = {.threads = 1,
                           .fps = 30,
                           .moments = 5,
                           .influences = -1,
                           .step = NAN,
                           .end = NAN,
                           .character.follow = NAN}};
    int status;
    if (!parse(&run.options, argc, argv, &status))
        return status;
    swConfig config = sw_default_config();
    sw_arena_init(&run.arena, &config.allocator);
    status = perform(&run);
    sw_modes_destroy(run.modes);
    stage_free(&run);
    sw_scene_destroy(run.scene);
    sw_arena_free(&run.arena);
    return status;
}
