// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/core.h"
#include "math/vec.h"

// Keeps `count` of n points, as evenly spread as they can be: the one that is most crowded goes
// until so many are left (weighted sample elimination, Yuksel 2015). Points at a border have
// neighbours on one side alone, so that many of them stay. `volume` [m^3] is what the points fill.
// Fills `kept`, ascending; count <= n.
bool sw_scatter(int n, const swVec3 *p, swReal volume, int count, swArena *arena, int *kept,
                swError *error);
