// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Runs whose bodies are cut or tear: each cut or tear ends a stage, and the next stage has a model
// of its own.
#include "run.h"

#include <string.h>

int stage_keys(const Run *run) {
    return sw_clip_count(&run->clip) + (run->before ? stage_keys(run->before) : 0);
}

const Run *stage_of(const Run *run, int *key) {
    const int before = run->before ? stage_keys(run->before) : 0;
    if (*key < before)
        return stage_of(run->before, key);
    *key -= before;
    return run;
}

void stage_free(Run *run) {
    if (run->before) {
        stage_free(run->before);
        sw_free(&run->arena.allocator, run->before, sizeof *run->before);
    }
    sw_clip_free(&run->clip);
    sw_state_destroy(run->state);
    sw_model_destroy(run->model);
}

static void add_report(swFitReport *sum, const swFitReport *cut) {
    sum->bodies += cut->bodies;
    sum->mass += cut->mass;
    sum->momentum = sw_add(sum->momentum, cut->momentum);
    sum->energy_before += cut->energy_before;
    sum->energy += cut->energy;
    sum->miss = sw_max(sum->miss, cut->miss);
    sum->calmed += cut->calmed;
}

// Continues with the next model and takes ownership of it.
static bool advance(Run *run, swModel *model, swRecorder *recorder, swFitReport *report,
                    swError *error) {
    const swAllocator *a = &run->arena.allocator;
    swState *state = sw_state_create(model, error);
    Run *before = sw_alloc(a, sizeof *before);
    if (!state || !before || !sw_state_fit(state, run->state, report, error)) {
        if (!before && state)
            sw_fail_memory(error, sizeof *before);
        if (before)
            sw_free(a, before, sizeof *before);
        sw_state_destroy(state);
        sw_model_destroy(model);
        return false;
    }
    run->steps += sw_state_profile(run->state).steps;
    sw_state_destroy(run->state);
    run->state = NULL;
    if (sw_clip_count(&run->clip) > 0) {
        *before = *run;
        run->before = before;
    } else { // no key of it was recorded
        sw_free(a, before, sizeof *before);
        sw_clip_free(&run->clip);
        sw_model_destroy(run->model);
    }
    run->model = model;
    run->state = state;
    sw_clip_init(&run->clip, model);
    add_report(&run->cut, report);
    return sw_recorder_switch(recorder, &run->clip, state, &run->arena, error);
}

bool stage_cut(Run *run, swRecorder *recorder, swError *error) {
    const swReal t = sw_state_time(run->state), slack = 1e-6 * run->step;
    swFitReport report;
    if (!(sw_model_next_cut(run->model) <= t + slack))
        return true;
    swModel *model = sw_state_cut(run->state, run->scene, t + slack, error);
    if (!model || !advance(run, model, recorder, &report, error))
        return false;
    cli_progress(NULL);
    if (report.bodies > 0 && !run->options.quiet)
        cli_say("cut at t = %g s: removed %.4g kg, elastic and kinetic energy went from %.4g to "
                "%.4g J",
                t, report.mass, report.energy_before, report.energy);
    return true;
}

bool stage_tear(Run *run, swRecorder *recorder, swError *error) {
    swTearReport torn;
    swFitReport report;
    if (!sw_model_tears(run->model))
        return true;
    swModel *model = sw_state_tear(run->state, run->scene, &torn, error);
    if (!model)
        return error->code == SW_OK;
    if (run->splits == 0 && !run->options.quiet) {
        cli_progress(NULL);
        cli_say("a body begins to tear at t = %g s", sw_state_time(run->state));
    }
    run->splits += torn.splits;
    return advance(run, model, recorder, &report, error);
}
