// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Recorded motion: the node matrices at increasing times. Surfaces follow from them, see
// kinematics/points.h.
#pragma once

#include "model/model.h"

typedef struct swClipKey {
    swReal t;
    swReal *q; // nq
} swClipKey;

typedef struct swClip {
    const swModel *model;
    swArena arena;
    SW_LIST(swClipKey) keys;
} swClip;

void sw_clip_init(swClip *clip, const swModel *model); // the model must outlive it
void sw_clip_free(swClip *clip);
// Copies the state as it is now.
bool sw_clip_add(swClip *clip, const swState *state, swError *error);
// The same for a time and matrices of the caller's. Times must increase; numbers must be finite.
bool sw_clip_add_at(swClip *clip, swReal t, const swReal *q, swError *error);
