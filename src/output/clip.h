// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Recorded motion: the node matrices at increasing times. Surfaces follow from them, see
// kinematics/points.h; stress from them and what else there is, see potentials/measure.h.
#pragma once

#include "model/model.h"

typedef struct swClipKey {
    swReal t;
    swReal *q;          // nq
    swReal *activation; // of all controls; NULL where none changes anything
    swReal *plastic;    // nplastic; NULL where nothing can flow
    swVec3 *x;          // npoint: where points are, while frames are inserted; NULL: where q says
} swClipKey;

// Of one body.
typedef struct swBodyClip {
    const swBodyModel *model;
    swArena *arena; // the clip's
    SW_LIST(swClipKey) keys;
} swBodyClip;

// Of all bodies, each with a key at every time.
typedef struct swClip {
    const swModel *model;
    swArena arena;
    swBodyClip *body; // NULL before the first key
} swClip;

void sw_clip_init(swClip *clip, const swModel *model); // the model must outlive it
void sw_clip_free(swClip *clip);
static inline int sw_clip_count(const swClip *clip) { // of keys
    return clip->body ? clip->body[0].keys.count : 0;
}
static inline swReal sw_clip_time(const swClip *clip, int key) {
    return clip->body[0].keys.item[key].t;
}
// Room for keys; false without memory. Those that add keys do it themselves.
bool sw_clip_open(swClip *clip, swError *error);
// Keys from this number on are gone.
void sw_clip_cut(swClip *clip, int count);
// Copies the state as it is now. Where frames are inserted, nothing but positions says what they
// do. Times must increase; numbers must be finite.
bool sw_clip_add(swClip *clip, const swState *state, swError *error);
// The same as if it were another time.
bool sw_clip_add_state(swClip *clip, swReal t, const swState *state, swError *error);
bool sw_clip_has_points(const swClip *clip); // some key has
// The last key that is not after t, or the first one.
int sw_clip_find(const swClip *clip, swReal t);

// ---- one body ----

// A key of matrices of the caller's, and with positions of all embedded points where x is not NULL.
// Activations and what has flowed are those of the state, NULL: none.
bool sw_body_clip_add(swBodyClip *clip, swReal t, const swReal *q, const swVec3 *x,
                      const swBodyState *state, swError *error);
bool sw_body_clip_has_points(const swBodyClip *clip);
// Embedded points first .. first + count - 1 at a key.
void sw_body_clip_points(const swBodyClip *clip, int key, int first, int count, swVec3 *out);
// Matrices between keys, or those of the first or last one.
void sw_body_clip_pose(const swBodyClip *clip, swReal t, swReal *q);
// A key with room for its numbers, to be filled by the caller, or NULL.
swClipKey *sw_body_clip_push(swBodyClip *clip, swError *error);
