// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What a scene can be simulated with, for sinew compare.
#pragma once

#include "cli.h"

typedef struct CompareModel {
    const char *name;
    bool (*set)(swScene *scene, swBody *body, swReal fine, swReal coarse); // false: no memory
} CompareModel;
enum { COMPARE_MODELS = 16 };

// The reference is the first; NULL past the last.
const CompareModel *compare_model(int index);
// The reference on cells twice as large.
extern const CompareModel compare_rough;
// Gives a body of these voxels and this volume the model; fine tetrahedra are made from `cells`
// cells at most. False where there is no memory.
bool compare_set(const CompareModel *model, swScene *scene, swBody *body, swReal voxel,
                 swReal volume, int cells);
