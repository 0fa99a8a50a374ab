// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Recorded motion: node matrices at increasing times. Surfaces follow from these
// (kinematics/points.h); stress follows from these and the other recorded data
// (potentials/measure.h).
#pragma once

#include "model/model.h"

typedef struct swClipKey {
    swReal t;
    swReal *q;          // nq numbers
    swReal *activation; // of all controls; NULL if none has an effect
    swReal *plastic;    // nplastic numbers; NULL if no material yields
    swVec3 *x;          // npoint positions, while frames are inserted; NULL: they follow from q
} swClipKey;

// The recorded motion of one body.
typedef struct swBodyClip {
    const swBodyModel *model;
    swArena *arena; // belongs to the clip
    SW_LIST(swClipKey) keys;
} swBodyClip;

// The recorded motion of all bodies, each with a key at every time.
typedef struct swClip {
    const swModel *model;
    swArena arena;
    swBodyClip *body; // NULL before the first key
} swClip;

void sw_clip_init(swClip *clip, const swModel *model); // the model must outlive it
void sw_clip_free(swClip *clip);
static inline int sw_clip_count(const swClip *clip) { // number of keys
    return clip->body ? clip->body[0].keys.count : 0;
}
static inline swReal sw_clip_time(const swClip *clip, int key) {
    return clip->body[0].keys.item[key].t;
}
// Prepares the clip for keys; false if memory runs out. Functions that add keys call it themselves.
bool sw_clip_open(swClip *clip, swError *error);
// Drops the keys from this number on.
void sw_clip_cut(swClip *clip, int count);
// Adds a key with a copy of the present state. While frames are inserted, only the positions of
// points record what they do. Times must increase, and numbers must be finite.
bool sw_clip_add(swClip *clip, const swState *state, swError *error);
// The same, but with another time.
bool sw_clip_add_state(swClip *clip, swReal t, const swState *state, swError *error);
bool sw_clip_has_points(const swClip *clip); // whether any key has positions of points
// The last key that is not after t, or the first key.
int sw_clip_find(const swClip *clip, swReal t);

// ---- one body ----

// Adds a key with the given matrices and, if x is not NULL, positions of all embedded points.
// Activations and plastic strains are those of the state; NULL: none.
bool sw_body_clip_add(swBodyClip *clip, swReal t, const swReal *q, const swVec3 *x,
                      const swBodyState *state, swError *error);
bool sw_body_clip_has_points(const swBodyClip *clip);
// Positions of the embedded points first .. first + count - 1 at a key.
void sw_body_clip_points(const swBodyClip *clip, int key, int first, int count, swVec3 *out);
// Interpolates matrices between keys. Before the first key and after the last they are constant.
void sw_body_clip_pose(const swBodyClip *clip, swReal t, swReal *q);
// Adds a key with room for its numbers, which the caller fills in. NULL if memory runs out.
swClipKey *sw_body_clip_push(swBodyClip *clip, swError *error);
