// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Forces and stiffness of finite elements go straight to where they belong. Tasks of one colour
// share no vertex, and so may run at once; colours follow one another, so that sums do not depend
// on the number of workers.
#pragma once

#include "math/blocks.h"
#include "model/body.h"

struct swChunk;
struct swElasticTask;

typedef struct swElementWork {
    int first;      // of their tasks among those of elasticity
    int ncolor;     // tasks of colour i are color[i] .. color[i + 1] - 1
    int *color;     // ncolor + 1
    int64_t *start; // of each group, in `slot`
    int *slot;      // [element][pair of vertices][SW_LANES]: the pair of nodes, ~ of it: transposed
} swElementWork;
enum { SW_NO_SLOT = INT32_MIN }; // one of the nodes has no unknowns

// Colours the tasks from `first` on and sorts them by colour. With `slots` for stiffness.
bool sw_elements_create(swElementWork *work, const swBodyModel *model, int first, int ntask,
                        struct swElasticTask *task, bool slots, swArena *arena, swError *error);
// Adds the chunk's stress and tangent to the job's gradient and matrix.
void sw_elements_assemble(struct swChunk *chunk);
