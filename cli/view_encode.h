// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// From models and states to the messages of docs/viewer.md.
#pragma once

#include "model/body.h"
#include "view.h"

// What is shown of a model, body by body.
typedef struct Surface {
    swPartInfo part; // of no material where it is the body's own
    int index;       // of the part, -1: the body's own
    bool skinned;    // frames alone travel: the page does the rest
} Surface;

typedef struct Surfaces {
    Surface *item;
    int count;
    int nvertex, nstream; // of all; of those that are not skinned
} Surfaces;
bool surfaces_find(Surfaces *surfaces, const swModel *model, swArena *arena, swError *error);

// ---- view_scene.c ----

typedef struct SceneInfo {
    int generation;
    const char *name, *mode;
    swReal duration; // of a recording [s]
    bool continues;
    const swScene *scene; // NULL: not editable
    const swModes *modes; // NULL: none
    const swModel *base;  // the model without inserted frames, which knows where these may be
    const swState *state;
    const char *const *motion; // clips of its skeleton
    int nmotion, moving;
} SceneInfo;
Bytes *encode_scene(const swModel *model, const Surfaces *surfaces, const SceneInfo *info);

// What can be set while it runs.
Bytes *encode_settings(const swModel *model, const swScene *scene, int generation);

// ---- view_encode.c ----

Bytes *encode_surface(const swModel *model, const Surfaces *surfaces, int index, int generation);
Bytes *encode_points(const swModel *model, int generation);

enum { FRAME_PLAYING = 1, FRAME_SLOW = 2, FRAME_FAILED = 4, FRAME_RECORDING = 8 };
typedef enum PullKind { PULL_GRAB, PULL_PIN, PULL_FRAME } PullKind;

typedef struct FramePull {
    int id, kind;
    swVec3 at, to;
    swReal force, stiffness;
} FramePull;

typedef struct FrameInfo {
    int generation, flags;
    int64_t step;
    swReal t, speed[2]; // reached, asked for
    swReal energy[4];   // elastic, kinetic, potential, contact
    swReal timing[6];   // ms per step
    swReal newton;
    swReal ball[4];
    swReal residual;
    int npull;
    const FramePull *pull;
    int ninserted;
    const swVec3 *inserted; // where they are
    const swState *state;   // whose controls are sent
} FrameInfo;
// At node matrices q, which need not be the state's.
Bytes *encode_frame(const swModel *model, const Surfaces *surfaces, const swReal *q,
                    const FrameInfo *info);

// `point`: a value for each embedded point; `sample`: for each sample, padding included.
Bytes *encode_field(const swModel *model, const Surfaces *surfaces, int generation, int field,
                    const swReal *point, const swReal *sample);
