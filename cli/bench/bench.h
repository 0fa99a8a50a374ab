// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "cli.h"

// A block of voxels to compile.
typedef struct BenchBlock {
    int n[3];
    int frames;
} BenchBlock;

// "500x200x1,200": voxels along the axes, and frames. False where it is something else.
bool bench_read_block(const char *text, BenchBlock *block);
// What each stage of a compile takes, for blocks of one's own or (count 0) the usual ones.
bool bench_compile(int count, const BenchBlock *block, swError *error);
// Tables on their own: see sinew bench --help.
bool bench_steps(swError *error);
bool bench_frames(swError *error);
bool bench_papers(swError *error);
bool bench_springs(swError *error);
bool bench_insert(swError *error);
bool bench_modes(swError *error);
bool bench_particles(swError *error);
bool bench_laws(swError *error);
bool bench_bodies(swError *error);
