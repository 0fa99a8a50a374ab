// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Rigid motions by keys: of handles and of colliders.
#pragma once

#include "model/body.h"

// Where keys have something at time t; there is one key at least. Between keys the point it turns
// about and the translation are linear in time, and so is the rotation vector unless it goes by
// arcs. Held before the first and after the last key.
swPoseKey sw_keys_at(const swPoseKey *key, int nkey, bool arc, swReal t);
// The motion x -> R (x - about) + about + translate, after `rest`.
swAffine sw_key_move(const swPoseKey *pose, const swAffine *rest);
