// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Motion to be shown or written: recorded at even times, of a vibration.
#pragma once

#include "output/clip.h"

// The amplitude at which the surface of the body that vibrates moves by `share` of half its
// diagonal at most. Changes the pose of the state.
bool mode_amplitude(const swModes *modes, int mode, swReal share, swState *state, swReal *amplitude,
                    swError *error);

// ---- frames at even times, between the two steps around them ----

typedef struct BodyRecord {
    swReal *q, *q_last; // a frame; the last step
    swVec3 *x, *x_last; // the same of points, where frames may be inserted
    bool inserted;      // some were, in the last step
} BodyRecord;

typedef struct Recorder {
    swClip *clip;     // NULL: nothing is recorded
    int fps, frame;   // the next one
    swReal t0, last;  // of the first frame; of the last step
    BodyRecord *body; // of each
} Recorder;

// The state as it is now is the first frame.
bool recorder_start(Recorder *recorder, swClip *clip, int fps, const swState *state, swArena *arena,
                    swError *error);
// Goes on with a state of another model, into another clip.
bool recorder_switch(Recorder *recorder, swClip *clip, const swState *state, swArena *arena,
                     swError *error);
bool recorder_step(Recorder *recorder, const swState *state, swError *error); // after every step
// The state at the end belongs to the motion, whatever the frame rate.
bool recorder_end(Recorder *recorder, const swState *state, swError *error);
