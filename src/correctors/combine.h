// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Few combinations of many motions.
#pragma once

#include "core/core.h"

// out[k][n] := the combinations of n motions that have most energy, of unit mass and apart from
// each other in it, `count` at most; rows of energy and mass are `stride` long. Returns how many,
// or -1 with `error` filled.
int sw_modes_combine(int stride, const swReal *energy, const swReal *mass, int n, int count,
                     swArena *arena, swReal *out, swError *error);
