// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The results of a run as numbers: --json and --csv.
#include "estimate.h"
#include "run.h"

#include "core/json.h"

#include <string.h>

double results_step_seconds(const Run *run) {
    swProfile p = sw_state_profile(run->state);
    return p.steps > 0 ? p.total / (double)p.steps : 0;
}

double results_real_time(const Run *run) {
    swProfile p = sw_state_profile(run->state);
    swModelInfo info = sw_model_info(run->model);
    return info.analysis == SW_ANALYSIS_DYNAMIC && p.total > 0
               ? info.step * (double)p.steps / p.total
               : 0;
}

// ---- JSON ----

static void put_energy(swJsonWriter *w, const swState *state) {
    swEnergy e = sw_state_energy(state);
    sw_json_begin_line(w, "energy", '{');
    sw_json_put_number(w, "elastic", e.elastic);
    sw_json_put_number(w, "kinetic", e.kinetic);
    sw_json_put_number(w, "potential", e.potential);
    sw_json_put_number(w, "contact", e.contact);
    sw_json_put_number(w, "muscle", e.muscle);
    sw_json_end(w);
}

// Muscles and rest shapes, if there are any.
static void put_actuation(swJsonWriter *w, const Run *run) {
    const swState *s = run->state;
    if (sw_muscle_count(run->model) > 0) {
        sw_json_begin(w, "muscles", '{');
        for (int i = 0; i < sw_muscle_count(run->model); i++) {
            sw_json_begin_line(w, sw_muscle_name(run->model, i), '{');
            sw_json_put_number(w, "length", sw_muscle_length(s, i));
            sw_json_put_number(w, "force", sw_muscle_force(s, i));
            sw_json_put_number(w, "activation", sw_muscle_activation(s, i));
            sw_json_end(w);
        }
        sw_json_end(w);
    }
    if (sw_rest_shape_count(run->model) > 0) {
        sw_json_begin(w, "shapes", '{');
        for (int i = 0; i < sw_rest_shape_count(run->model); i++)
            sw_json_put_number(w, sw_rest_shape_name(run->model, i), sw_rest_shape_value(s, i));
        sw_json_end(w);
    }
}

static void put_probes(swJsonWriter *w, const Run *run) {
    sw_json_begin(w, "probes", '{');
    for (int i = 0; i < sw_probe_count(run->model); i++) {
        sw_json_begin_line(w, sw_probe_name(run->model, i), '{');
        sw_json_put_vector(w, "point", sw_probe_position(run->state, i));
        sw_json_put_vector(w, "displacement", sw_probe_displacement(run->state, i));
        sw_json_end(w);
    }
    sw_json_end(w);
}

// Error estimates of bodies, if there are any.
static void put_estimates(swJsonWriter *w, const swModel *m) {
    bool begun = false;
    for (int i = 0; i < sw_model_info(m).bodies; i++) {
        swEstimate e;
        if (!sw_body_estimate(m, i, &e, NULL))
            continue;
        if (!begun)
            sw_json_begin(w, "estimates", '{');
        begun = true;
        sw_json_begin(w, sw_body_name(m, i), '{');
        estimate_put(m, i, &e, w);
        sw_json_end(w);
    }
    if (begun)
        sw_json_end(w);
}

// The handle's name, or "body.handle" if handles of other bodies have the same name.
static void plain_key(const swModel *m, int handle, char *key, size_t size) {
    const char *name = sw_handle_name(m, handle);
    bool alone = true;
    for (int i = 0; i < sw_handle_count(m); i++)
        alone = alone && (i == handle || strcmp(sw_handle_name(m, i), name) != 0);
    snprintf(key, size, "%s%s%s", alone ? "" : sw_body_name(m, sw_handle_body(m, handle)),
             alone ? "" : ".", name);
}

// Names with dots may still collide, and long ones are truncated: a number makes keys unique.
static void handle_key(const swModel *m, int handle, char *key, size_t size) {
    int same = 0;
    plain_key(m, handle, key, size - 16);
    for (int i = 0; i < handle; i++) {
        char other[512];
        plain_key(m, i, other, size - 16);
        same += strcmp(key, other) == 0;
    }
    if (same)
        snprintf(key + strlen(key), 16, "#%d", same + 1);
}

static void put_handles(swJsonWriter *w, const Run *run) {
    sw_json_begin(w, "handles", '{');
    for (int i = 0; i < sw_handle_count(run->model); i++) {
        char key[512];
        swVec3 force, torque;
        handle_key(run->model, i, key, sizeof key);
        sw_handle_wrench(run->state, i, &force, &torque);
        sw_json_begin_line(w, key, '{');
        sw_json_put_vector(w, "force", force);
        sw_json_put_vector(w, "torque", torque);
        sw_json_end(w);
    }
    sw_json_end(w);
}

static void put_modes(swJsonWriter *w, const Run *run) {
    const swModes *modes = run->modes;
    sw_json_begin(w, "modes", '{');
    sw_json_put_numbers(w, "frequencies", modes->count, modes->frequency);
    sw_json_begin_line(w, "bodies", '[');
    for (int i = 0; i < modes->count; i++)
        sw_json_put_text(w, NULL, sw_body_name(run->model, modes->body[i]));
    sw_json_end(w);
    sw_json_put_int(w, "rigid", modes->rigid);
    sw_json_put_int(w, "unstable", modes->unstable);
    sw_json_end(w);
}

static void put_model(swJsonWriter *w, const swModelInfo *info) {
    sw_json_begin_line(w, "model", '{');
    sw_json_put_int(w, "dof", info->dof);
    sw_json_put_int(w, "frames", info->frames);
    sw_json_put_int(w, "points", info->points);
    sw_json_put_int(w, "voxels", info->voxels);
    sw_json_put_int(w, "contact_points", info->contact_points);
    sw_json_put_number(w, "mass", info->mass);
    sw_json_end(w);
}

static void put_timing(swJsonWriter *w, const Run *run) {
    swProfile p = sw_state_profile(run->state);
    sw_json_begin(w, "timing", '{');
    sw_json_put_number(w, "compile_s", run->open_seconds);
    sw_json_put_bool(w, "cached", run->cached);
    sw_json_put_number(w, "step_us", 1e6 * results_step_seconds(run));
    if (results_real_time(run) > 0)
        sw_json_put_number(w, "times_real_time", results_real_time(run));
    sw_json_put_int(w, "newton_iterations", p.iterations);
    if (p.linear_iterations > 0)
        sw_json_put_int(w, "linear_iterations", p.linear_iterations);
    sw_json_put_int(w, "threads", run->options.threads);
    sw_json_put_number(w, "total_s", p.total);
    sw_json_put_number(w, "kinematics_s", p.kinematics);
    sw_json_put_number(w, "material_s", p.material);
    sw_json_put_number(w, "assembly_s", p.assembly);
    sw_json_put_number(w, "contact_s", p.contact);
    sw_json_put_number(w, "solve_s", p.solve);
    sw_json_end(w);
}

static void put_report(swJsonWriter *w, const Run *run, const swModelInfo *info) {
    const swStepReport *report = sw_state_report(run->state);
    const bool is_static = info->analysis != SW_ANALYSIS_DYNAMIC;
    if (is_static)
        sw_json_put_number(w, "load", report->load);
    sw_json_begin_line(w, "report", '{');
    sw_json_put_int(w, "iterations", report->iterations);
    sw_json_put_int(w, "line_search_cuts", report->line_search_cuts);
    sw_json_put_int(w, "projections", report->projections);
    sw_json_put_int(w, "contacts", report->contacts);
    sw_json_put_number(w, "residual", report->residual);
    sw_json_put_number(w, "scale", report->scale);
    sw_json_put_number(w, "work", report->work);
    sw_json_put_number(w, "dissipated", report->dissipated);
    sw_json_put_number(w, "drift", report->drift);
    sw_json_put_number(w, "actuated", report->actuated);
    sw_json_put_int(w, "replaced", report->replaced);
    sw_json_put_int(w, "substeps", report->substeps);
    sw_json_put_int(w, "leapt", report->leapt);
    sw_json_put_int(w, "rough", report->rough);
    sw_json_put_int(w, "islands", report->islands);
    sw_json_put_int(w, "asleep", report->asleep);
    sw_json_put_int(w, "stopped", report->stopped);
    sw_json_put_number(w, "damping", report->damping);
    if (is_static) {
        sw_json_put_int(w, "increments", report->increments);
        sw_json_put_int(w, "cuts", report->cuts);
        sw_json_put_int(w, "left", report->left);
        sw_json_put_int(w, "unstable", report->unstable);
    }
    sw_json_end(w);
    if (run->status == SW_OK)
        return;
    sw_json_begin_line(w, "failure", '{');
    sw_json_put_text(w, "reason", report->reason);
    sw_json_put_number(w, "residual", report->residual);
    sw_json_put_number(w, "scale", report->scale);
    sw_json_end(w);
}

bool results_json(const Run *run, const char *path, swError *error) {
    swFile file;
    char hash[32];
    if (!cli_output_open(&file, path, error))
        return false;
    swModelInfo info = sw_model_info(run->model);
    swJsonWriter w = {.file = &file, .indent = 2};
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)sw_state_hash(run->state));
    sw_json_begin(&w, NULL, '{');
    sw_json_put_text(&w, "analysis", cli_analysis_name(info.analysis));
    sw_json_put_bool(&w, "converged", run->status == SW_OK);
    sw_json_put_bool(&w, "complete", run->status == SW_OK && !run->stopped);
    put_report(&w, run, &info);
    sw_json_put_number(&w, "time", sw_state_time(run->state));
    sw_json_put_int(&w, "steps", sw_state_steps(run->state));
    sw_json_put_text(&w, "hash", hash);
    put_energy(&w, run->state);
    put_probes(&w, run);
    put_estimates(&w, run->model);
    put_handles(&w, run);
    put_actuation(&w, run);
    if (run->modes)
        put_modes(&w, run);
    put_model(&w, &info);
    put_timing(&w, run);
    sw_json_end(&w);
    return cli_output_close(&file, error);
}

// ---- CSV (RFC 4180): one row per step ----

static void put_name(swFile *file, const char *name, const char *suffix) {
    sw_file_print(file, ",");
    if (!strpbrk(name, ",\"\r\n")) {
        sw_file_print(file, "%s%s", name, suffix);
        return;
    }
    sw_file_write(file, "\"", 1);
    for (const char *c = name; *c; c++)
        sw_file_write(file, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    sw_file_print(file, "%s\"", suffix);
}

bool results_csv_head(const Run *run, swFile *file, swError *error) {
    if (!cli_output_open(file, run->options.csv, error))
        return false;
    sw_file_print(file, "time");
    for (int i = 0; i < sw_probe_count(run->model); i++) {
        put_name(file, sw_probe_name(run->model, i), ".x");
        put_name(file, sw_probe_name(run->model, i), ".y");
        put_name(file, sw_probe_name(run->model, i), ".z");
    }
    sw_file_print(
        file,
        ",elastic,kinetic,potential,contact,iterations,work,dissipated,drift,"
        "residual,scale,line_search_cuts,projections,contacts,replaced,damping,muscle,actuated,"
        "substeps,leapt,rough,asleep,stopped");
    const bool is_static = sw_model_info(run->model).analysis == SW_ANALYSIS_STATIC;
    sw_file_print(file, is_static ? ",load,unstable\n" : "\n");
    return true;
}

static void put_value(swFile *file, double value) {
    sw_file_write(file, ",", 1);
    sw_file_number(file, value);
}

void results_csv_row(const Run *run, const swStepReport *before, swFile *file) {
    static const swStepReport none = {0};
    const swStepReport *r = sw_state_report(run->state), *b = before ? before : &none;
    swEnergy e = sw_state_energy(run->state);
    sw_file_number(file, sw_state_time(run->state));
    for (int i = 0; i < sw_probe_count(run->model); i++) {
        swVec3 x = sw_probe_position(run->state, i);
        put_value(file, x.x);
        put_value(file, x.y);
        put_value(file, x.z);
    }
    put_value(file, e.elastic);
    put_value(file, e.kinetic);
    put_value(file, e.potential);
    put_value(file, e.contact);
    sw_file_print(file, ",%d", r->iterations - b->iterations);
    put_value(file, r->work);
    put_value(file, r->dissipated);
    put_value(file, r->drift);
    put_value(file, r->residual);
    put_value(file, r->scale);
    sw_file_print(file, ",%d,%d,%d", r->line_search_cuts - b->line_search_cuts,
                  r->projections - b->projections, r->contacts);
    sw_file_print(file, ",%d", r->replaced);
    put_value(file, r->damping);
    put_value(file, e.muscle);
    put_value(file, r->actuated);
    sw_file_print(file, ",%d,%d,%d,%d,%d", r->substeps, r->leapt, r->rough, r->asleep, r->stopped);
    if (before) {
        put_value(file, r->load);
        sw_file_print(file, ",%d", r->unstable);
    }
    sw_file_write(file, "\n", 1);
}

bool results_csv_modes(const Run *run, swError *error) {
    swFile file;
    if (!cli_output_open(&file, run->options.csv, error))
        return false;
    sw_file_print(&file, "mode,frequency,body\n");
    for (int i = 0; run->modes && i < run->modes->count; i++) {
        sw_file_print(&file, "%d", i + 1);
        put_value(&file, run->modes->frequency[i]);
        put_name(&file, sw_body_name(run->model, run->modes->body[i]), "");
        sw_file_write(&file, "\n", 1);
    }
    return cli_output_close(&file, error);
}
