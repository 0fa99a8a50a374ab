// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies that are solved together, each island by itself and side by side, and the scratch memory
// they work in.
#pragma once

#include "solve/island.h"
#include "world/body.h"

typedef struct swIslands {
    int nworker;
    int *count;     // of each compiled body: how many bodies are made of it
    int *nwork;     // and how many of them can be worked on at a time
    swWork ***work; // [compiled][nwork]
    swWork **own;   // of each body that others act on: its own; else NULL
    int *ordinal;   // of each body: how many of its kind come before
    bool failed;    // there was no memory to find them
    int n;          // islands that are awake
    int *start;     // n + 1: of each its first body in `body`, and bond in `bond`
    int *body;
    int *first_bond;
    int *root;         // of each body: the first of its island
    int *number;       // of such a first one: of the island, or -1
    int nbond, room;   // bonds there are now, by islands
    swBond *bond[2];   // and room for them in any order
    swJoined **joined; // of the first body of an island of several
} swIslands;

bool sw_islands_create(swState *state, swError *error);
void sw_islands_destroy(swState *state);
// Which bodies are awake, and what belongs together.
void sw_islands_find(swState *state);
// Calls `fn` for every island, side by side where there are threads.
typedef void swIslandTask(swIsland *island, void *arg);
void sw_islands_run(swState *state, swIslandTask *fn, void *arg);
// The same one after the other; the parts of each run side by side.
void sw_islands_each(swState *state, swIslandTask *fn, void *arg);
// One step of the bodies from their t to their next. On failure they stay as they are but for their
// scratch memory. `shortest`: it cannot be divided, so that a search takes as long as it may, and
// may be rough.
struct swIntegrator;
swStatus sw_island_step(const swIsland *island, const struct swIntegrator *integrator,
                        bool shortest);
// They go on to the time *t, in parts where one step does not succeed: a task of islands.
void sw_island_advance(swIsland *island, void *t);
// Energy between bodies, added by kinds.
void sw_islands_energy(const swState *state, swReal energy[SW_ENERGIES]);
// A body has other frames now.
void sw_islands_forget(swState *state);
// Bytes of scratch memory.
size_t sw_islands_memory(const swState *state);
