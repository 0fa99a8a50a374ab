// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A motion recorded at even times, between the two steps around each.
#pragma once

#include "output/clip.h"

typedef struct swBodyRecord {
    swReal *q, *q_last; // a frame; the last step
    swVec3 *x, *x_last; // the same of points, where frames may be inserted
    bool inserted;      // some were, in the last step
} swBodyRecord;

typedef struct swRecorder {
    swClip *clip;       // NULL: nothing is recorded
    int fps, frame;     // the next one
    swReal t0, last;    // of the first frame; of the last step
    swBodyRecord *body; // of each
} swRecorder;

// The state as it is now is the first frame.
bool sw_recorder_start(swRecorder *recorder, swClip *clip, int fps, const swState *state,
                       swArena *arena, swError *error);
// Goes on with a state of another model, into another clip.
bool sw_recorder_switch(swRecorder *recorder, swClip *clip, const swState *state, swArena *arena,
                        swError *error);
bool sw_recorder_step(swRecorder *recorder, const swState *state,
                      swError *error); // after every step
// The state at the end belongs to the motion, whatever the frame rate.
bool sw_recorder_end(swRecorder *recorder, const swState *state, swError *error);
