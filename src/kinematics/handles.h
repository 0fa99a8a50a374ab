// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/model.h"

// Sets the matrices of handles moved by keys to what they are at time t.
void sw_handles_pose(const swModel *model, swReal t, swReal *q);
// The time of the last key of all handles, 0 without keys.
swReal sw_handles_end(const swModel *model);
