// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "cli.h"

// A block of voxels to compile.
typedef struct BenchBlock {
    int n[3];
    int frames;
} BenchBlock;

// Parses "500x200x1,200": voxels along the axes, and frames. False if the text is something else.
bool bench_read_block(const char *text, BenchBlock *block);
// Times each stage of a compile, for the given blocks or (count 0) the default ones.
bool bench_compile(int count, const BenchBlock *block, swError *error);
// One table each: see sinew bench --help.
bool bench_steps(swError *error);
bool bench_frames(swError *error);
bool bench_papers(swError *error);
bool bench_springs(swError *error);
bool bench_insert(swError *error);
bool bench_modes(swError *error);
bool bench_particles(swError *error);
bool bench_laws(swError *error);
bool bench_bodies(swError *error);
