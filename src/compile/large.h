// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bricks at large displacements.
#pragma once

#include "compile/bricked.h"

// Where bricks are in equilibrium under forces f[3 nnode]: u[3 nnode], from what it is on. `found`:
// whether there is such a place that load leads to. What was their stiffness at rest is lost.
bool sw_build_large(swBuilder *b, const swBodyBricks *own, const swReal *f, swArena *arena,
                    swReal *u, bool *found, swError *error);
