// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Recorded motion: the node matrices at increasing times. Surfaces follow from them, see
// kinematics/points.h; stress from them and what else there is, see forces/measure.h.
#pragma once

#include "model/model.h"

typedef struct swClipKey {
    swReal t;
    swReal *q;          // nq
    swReal *activation; // of all controls; NULL where none changes anything
    swReal *plastic;    // nplastic; NULL where nothing can flow
    swVec3 *x;          // npoint: where points are, while frames are inserted; NULL: where q says
} swClipKey;

typedef struct swClip {
    const swModel *model;
    swArena arena;
    SW_LIST(swClipKey) keys;
} swClip;

void sw_clip_init(swClip *clip, const swModel *model); // the model must outlive it
void sw_clip_free(swClip *clip);
// Copies the state as it is now. Its model is the clip's, or one made from that by inserting
// frames: then nothing but positions says what these do.
bool sw_clip_add(swClip *clip, const swState *state, swError *error);
// The same as if it were another time.
bool sw_clip_add_state(swClip *clip, swReal t, const swState *state, swError *error);
// The same for a time and matrices of the caller's. Times must increase; numbers must be finite.
// Activations and what has flowed are those of the state, NULL: none.
bool sw_clip_add_at(swClip *clip, swReal t, const swReal *q, const swState *state, swError *error);
// The same with positions of all embedded points.
bool sw_clip_add_points(swClip *clip, swReal t, const swReal *q, const swVec3 *x,
                        const swState *state, swError *error);
bool sw_clip_has_points(const swClip *clip); // some key has
// Embedded points first .. first + count - 1 at a key.
void sw_clip_points(const swClip *clip, int key, int first, int count, swVec3 *out);
// Matrices between keys, or those of the first or last one.
void sw_clip_pose(const swClip *clip, swReal t, swReal *q);
// The last key that is not after t, or the first one.
int sw_clip_find(const swClip *clip, swReal t);
// A key with room for its numbers, to be filled by the caller, or NULL.
swClipKey *sw_clip_push(swClip *clip, swError *error);
