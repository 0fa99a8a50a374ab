// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// From models and states to the messages of docs/viewer.md.
#pragma once

#include "view/view.h"
#include "world/world.h"

// The surfaces of a model that are shown, body by body.
typedef struct Surface {
    int body;
    int index;       // of the part among those of all bodies; -1: the body's own surface
    swPartInfo part; // in the body's own numbering; the body's own surface has no material
    bool skinned;    // only frames are sent, and the page moves the vertices
} Surface;

typedef struct Surfaces {
    Surface *item;
    int count;
    int nvertex, nstream; // vertices of all surfaces; of those that are not skinned
} Surfaces;
bool surfaces_find(Surfaces *surfaces, const swModel *model, swArena *arena, swError *error);

// Every body has all materials.
static inline const swBodyModel *model_materials(const swModel *model) {
    return sw_model_body(model, 0);
}

// Numbers of controls, as pages use them: fibres of materials, then muscles, then rest shapes.
static inline int control_muscle(const swModel *model, int muscle) {
    return (int)model_materials(model)->size.nmaterial + muscle;
}
static inline int control_shape(const swModel *model, int shape) {
    return control_muscle(model, sw_muscle_count(model)) + shape;
}
static inline int control_count(const swModel *model) {
    return control_shape(model, sw_rest_shape_count(model));
}

// Finds the inserted frame in this slot or the next one that has a frame; returns its slot, or -1.
static inline int next_inserted(const swState *state, int slot, swInserted *out) {
    for (int b = slot / SW_INSERTS; b < state->model->size.nbody; b++, slot = SW_INSERTS * b)
        for (; sw_body_slots(state->body[b]->base) > 0 && slot < SW_INSERTS * (b + 1); slot++)
            if (sw_insertion_get(state, slot, out))
                return slot;
    return -1;
}

// ---- scene.c ----

typedef struct SceneInfo {
    int generation;
    const char *name, *mode;
    swReal duration; // of a recording [s]
    bool continues;
    const swScene *scene; // NULL: not editable
    const swModes *modes; // or NULL
    const swModel *base;  // the model without inserted frames, which knows what may be inserted
    const swState *state;
    const char *const *motion; // clips of its skeleton
    int nmotion, moving;
} SceneInfo;
Bytes *encode_scene(const swModel *model, const Surfaces *surfaces, const SceneInfo *info);

// The settings that can be changed while it runs.
Bytes *encode_settings(const swModel *model, const swScene *scene, int generation);

// ---- encode.c ----

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
    swReal t, speed[2]; // speed that is reached, and that is asked for
    swReal energy[4];   // elastic, kinetic, potential, contact
    swReal timing[6];   // ms per step
    swReal newton;
    swReal ball[4];
    swReal residual;
    int npull;
    const FramePull *pull;
    const swState *state; // whose controls and inserted frames are sent
} FrameInfo;
// For the coordinates q of each body, which need not be those of the state.
Bytes *encode_frame(const swModel *model, const Surfaces *surfaces, const swReal *const *q,
                    const FrameInfo *info);

// Of one body: a value for each embedded point, and for each sample, padding included.
typedef struct BodyField {
    swReal *point, *sample;
} BodyField;
Bytes *encode_field(const swModel *model, const Surfaces *surfaces, int generation, int field,
                    const BodyField *of);
