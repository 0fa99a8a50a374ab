// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/body.h"

// Where keys have a handle at time t; it has some. See kinematics/keys.h.
swPoseKey sw_handle_key(const swBodyModel *model, const swHandleInfo *handle, swReal t);
// Sets the matrices of handles that are moved: by keys to what they are at time t; by the program a
// share of the way from where they are in the state to where they are told to be.
void sw_handles_pose(const swBodyModel *model, const swBodyState *state, swReal t, swReal share,
                     swReal *q);
// At time t in the state's next step, at the end of which they are there.
void sw_handles_step(const swBodyModel *model, const swBodyState *state, swReal t, swReal *q);
static inline bool sw_handle_is_moved(const swBodyState *state, int handle) {
    return state->model->handle[handle].motion == SW_MOTION_KEYS || state->handle_place[handle].set;
}
// The time of the last key of all handles, 0 without keys.
swReal sw_handles_end(const swBodyModel *model);
