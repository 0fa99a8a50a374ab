// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Records a motion at regular times, interpolating between the steps before and after each.
#pragma once

#include "output/clip.h"

typedef struct swBodyRecord {
    swReal *q, *q_last; // scratch memory; matrices at the last step
    swVec3 *x, *x_last; // the same for points, if frames can be inserted
    bool inserted;      // whether frames were inserted in the last step
} swBodyRecord;

typedef struct swRecorder {
    swClip *clip;       // NULL: do not record
    int fps, frame;     // frames per second; number of the next frame
    swReal t0, last;    // times of the first frame and of the last step
    swBodyRecord *body; // of each body
} swRecorder;

// Starts with the present state as the first frame.
bool sw_recorder_start(swRecorder *recorder, swClip *clip, int fps, const swState *state,
                       swArena *arena, swError *error);
// Continues with a state of another model, into another clip.
bool sw_recorder_switch(swRecorder *recorder, swClip *clip, const swState *state, swArena *arena,
                        swError *error);
bool sw_recorder_step(swRecorder *recorder, const swState *state,
                      swError *error); // call it after every step
// Adds the final state, whatever the frame rate.
bool sw_recorder_end(swRecorder *recorder, const swState *state, swError *error);
