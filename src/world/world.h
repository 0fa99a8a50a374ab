// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// All bodies of a state together.
#pragma once

#include "compile/torn.h"
#include "model/model.h"
#include "world/inserts.h"
#include "world/islands.h"

// The numbers of frames, handles, ... of all bodies.
swBodyPlace sw_model_last(const swModel *model);
// The body that item i of a kind (a member of swBodyPlace) belongs to.
int sw_model_owner(const swModel *model, size_t member, int i);
#define SW_OWNER(model, member, i) sw_model_owner((model), offsetof(swBodyPlace, member), (i))

// Where a frame of a body is.
void sw_body_frame(const swBodyState *state, int frame, swVec3 *position, swMat3 *linear);
// A probe's place at t = 0.
swVec3 sw_probe_start(const swModel *model, int probe);

// Whether a model that came out of a file is sane, once the file's check sum is known to match.
bool sw_model_check(const swModel *model, const char *path, swError *error);

// What a saved state says of itself, without its model.
typedef struct swStateInfo {
    swReal t;
    int64_t steps;
    uint64_t model; // sw_model_hash()
} swStateInfo;
bool sw_state_peek(const char *path, swStateInfo *info, swError *error);

// Where the program has colliders, and the ball.
void sw_state_carry_colliders(swState *to, const swState *from);
// The clock shows t now, and counts steps from here.
void sw_state_set_time(swState *state, swReal t);
// When the next step ends.
swReal sw_state_next_time(swState *state);
// All bodies may move again, and find their energy anew: something around them has changed.
void sw_state_wake(swState *state);
// After frames have been inserted or removed.
void sw_state_refresh(swState *state);

// The report of all bodies together, from theirs.
void sw_report_gather(swState *state);

// Changes of what is around bodies wake them.
void sw_state_notice(swState *state, swReal t);
// All islands have come to t, or have stopped.
void sw_state_finish(swState *state, swReal t);

// sw_body_estimate() by what a model of the same body has found, of whatever it is made there.
bool sw_estimate_by(const swModel *model, int body, const swBodyModel *by, swEstimate *out,
                    swError *error);
// As sw_compile_at(), with bodies that are torn.
swModel *sw_compile_counted(const swScene *scene, swReal t, int ntorn, const swTornBody *torn,
                            swError *error);
