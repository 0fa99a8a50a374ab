// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// From samples, where stress and strain are known, to the surface.
#pragma once

#include "model/body.h"

// Which samples stand for an embedded point: the nearest ones at rest of its material in its body,
// weighted by inverse distance; of any material where its own has no samples.
enum { SW_NEAR_SAMPLES = 4 };
typedef struct swSampleMap {
    int npoint;
    int *sample;    // [npoint][SW_NEAR_SAMPLES], nearest first; -1: there are no more
    swReal *weight; // sum to one; all zero where a rigid frame alone carries the point
} swSampleMap;

// Of the vertices of bodies and parts; other points have no samples.
bool sw_sample_map_create(swSampleMap *map, const swBodyModel *model, swArena *arena,
                          swError *error);
// From a value per sample to a value per point; zero where nothing deforms.
void sw_sample_map_values(const swSampleMap *map, const swReal *value, swReal *out);
