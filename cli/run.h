// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A run: what was asked for, what was made of it, and what is written about it.
#pragma once

#include "character.h"
#include "output/recorder.h"

typedef struct RunOptions {
    const char *scene;
    TextList outputs, hide;
    const char *json, *csv, *load, *save, *save_model, *color; // NULL: not given
    int threads, fps, moments, size[2];
    int influences;   // joints of a vertex in .glb files, at most; 0: all; -1: not given
    int mode;         // of vibrations, from 1; 0: not given
    swReal step, end; // not-a-number: the scene's
    swVec3 view;      // where from; zero: from the front, right and above
    bool frames, outer, bare, quiet, keep_weights, estimate, estimate_large, no_cache;
    CharacterOptions character;
} RunOptions;

typedef struct Run {
    RunOptions options;
    swArena arena;
    swModel *model;
    swState *state;
    swModes *modes;      // of vibrations; NULL elsewhere
    swClip clip;         // filled where there are outputs
    double open_seconds; // of compiling, or loading the model
    bool cached;         // it was compiled before
    swReal step, end;    // [s]
    swStatus status;     // of the simulation
    bool stopped;        // by the user
    int64_t first_step;  // of a state that was loaded
    int64_t adapted;     // frames inserted and removed
    swScene *scene;      // where bodies will be cut; else NULL
    struct Run *before;  // what ran until the last cut, with a model of its own; NULL: nothing
    swFitReport cut;     // of all cuts: what is gone
    int64_t splits;      // vertices that have come apart
    int64_t steps;       // of what ran before
} Run;

// ---- stage.c: a motion between cuts, and those before it ----

// Goes on after a cut, where it is time for one. `clip`: whether the motion is recorded.
bool stage_cut(Run *run, swRecorder *recorder, swError *error);
// The same where something tears.
bool stage_tear(Run *run, swRecorder *recorder, swError *error);
void stage_free(Run *run);
// Keys of the whole motion; the stage that has one of them, where it is number *key.
int stage_keys(const Run *run);
const Run *stage_of(const Run *run, int *key);

// ---- results.c: numbers ----

bool results_json(const Run *run, const char *path, swError *error);
bool results_csv_head(const Run *run, swFile *file, swError *error);
// `before`: of statics, the report at the last row, whose counts go on from there; NULL elsewhere.
void results_csv_row(const Run *run, const swStepReport *before, swFile *file);
bool results_csv_modes(const Run *run, swError *error); // instead of rows per step
double results_step_seconds(const Run *run);            // on average; 0 before the first one
double results_real_time(const Run *run); // simulated over spent seconds; 0 where unknown

// ---- vibrate.c: natural vibrations ----

bool vibrate_solve(Run *run, swError *error);
void vibrate_print(const Run *run);

// ---- output.c: files by extension ----

// Before anything is computed: can all of this be written?
bool output_check(const RunOptions *options, swError *error);
// The same once there is a model.
bool output_check_model(const RunOptions *options, const swModel *model, swError *error);
// Folders that are missing are made.
bool output_prepare(const RunOptions *options, swError *error);
bool output_write(const Run *run, const char *path, swError *error);
// How the file, or the files of a sequence, are called. Returns `text`.
const char *output_name(const Run *run, const char *path, char *text, size_t size);
