// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies that are solved together, each island by itself and side by side, and the scratch memory
// they work in.
#pragma once

#include "world/body.h"

typedef struct swIslands {
    int nworker;
    int *count;     // of each compiled body: how many bodies are made of it
    int *nwork;     // and how many of them can be worked on at a time
    swWork ***work; // [compiled][nwork]
    int *ordinal;   // of each body: how many of its kind come before
    int n;          // islands that are awake
    int *body;      // of each: its body
} swIslands;

bool sw_islands_create(swState *state, swError *error);
void sw_islands_destroy(swState *state);
// Which bodies are awake, and what belongs together.
void sw_islands_find(swState *state);
// Calls `fn` for the body of every island, side by side where there are threads.
typedef void swIslandTask(swBodyState *body, void *arg);
void sw_islands_run(swState *state, swIslandTask *fn, void *arg);
