// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The models with which sinew compare simulates a scene.
#pragma once

#include "cli.h"

typedef struct CompareModel {
    const char *name;
    bool (*set)(swScene *scene, swBody *body, swReal fine, swReal coarse); // false: out of memory
} CompareModel;
enum { COMPARE_MODELS = 16 };

// Models by index: the first is the reference; NULL past the last.
const CompareModel *compare_model(int index);
// The reference model on cells twice as large.
extern const CompareModel compare_rough;
// Gives the model to a body with these voxels and this volume. Fine tetrahedra are made from at
// most `cells` cells. Returns false if there is no memory.
bool compare_set(const CompareModel *model, swScene *scene, swBody *body, swReal voxel,
                 swReal volume, int cells);
