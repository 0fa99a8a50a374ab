// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A run: its options, its model, state and motion, and the files written about it.
#pragma once

#include "character.h"
#include "output/recorder.h"

typedef struct RunOptions {
    const char *scene;
    TextList outputs, hide;
    const char *json, *csv, *load, *save, *save_model, *color; // NULL: not given
    int threads, fps, moments, size[2];
    int influences;   // most joints per vertex in .glb files; 0: all; -1: not given
    int mode;         // number of a vibration, from 1; 0: not given
    swReal step, end; // NaN: the scene's
    swVec3 view;      // where to look from; zero: from the front, right and above
    bool frames, outer, bare, quiet, keep_weights, estimate, estimate_large, no_cache;
    CharacterOptions character;
} RunOptions;

typedef struct Run {
    RunOptions options;
    swArena arena;
    swModel *model;
    swState *state;
    swModes *modes;      // of a modal analysis; NULL for others
    swClip clip;         // recorded if there are outputs
    double open_seconds; // spent compiling or loading the model
    bool cached;         // the model came from the cache
    swReal step, end;    // [s]
    swStatus status;     // of the simulation
    bool stopped;        // by the user
    int64_t first_step;  // step number of the loaded state
    int64_t adapted;     // frames inserted and removed
    swScene *scene;      // kept if bodies will be cut or can tear; else NULL
    struct Run *before;  // the stage before the last cut, with its own model; NULL: there is none
    swFitReport cut;     // sum over all cuts
    int64_t splits;      // vertices split by tearing
    int64_t steps;       // of earlier stages
} Run;

// ---- stage.c: a motion in stages, which cuts and tears separate ----

// If a cut is due, makes it and continues with the next stage.
bool stage_cut(Run *run, swRecorder *recorder, swError *error);
// The same if something tears.
bool stage_tear(Run *run, swRecorder *recorder, swError *error);
void stage_free(Run *run);
// The number of keys in the whole motion, and the stage that holds key number *key, which becomes
// the number within that stage.
int stage_keys(const Run *run);
const Run *stage_of(const Run *run, int *key);

// ---- results.c: numbers ----

bool results_json(const Run *run, const char *path, swError *error);
bool results_csv_head(const Run *run, swFile *file, swError *error);
// `before`: in statics, the report at the last row, whose counts are subtracted; NULL in dynamics.
void results_csv_row(const Run *run, const swStepReport *before, swFile *file);
bool results_csv_modes(const Run *run, swError *error); // modal: instead of rows per step
double results_step_seconds(const Run *run);            // on average; 0 before the first one
double results_real_time(const Run *run); // simulated time over time spent; 0 if unknown

// ---- vibrate.c: natural vibrations ----

bool vibrate_solve(Run *run, swError *error);
void vibrate_print(const Run *run);

// ---- output.c: files by extension ----

// Checks before anything is computed whether all outputs can be written.
bool output_check(const RunOptions *options, swError *error);
// The same once there is a model.
bool output_check_model(const RunOptions *options, const swModel *model, swError *error);
// Creates missing folders.
bool output_prepare(const RunOptions *options, swError *error);
bool output_write(const Run *run, const char *path, swError *error);
// Writes the name of the file, or the names of a sequence's files, to `text` and returns it.
const char *output_name(const Run *run, const char *path, char *text, size_t size);
