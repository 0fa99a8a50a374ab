// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The samples of a reduced body: F = 1 + sum_j z_j D_j, and its transposes. Blocks of SW_LANES
// samples have D[9][n][SW_LANES], entry 3 r + k of the gradient dphi_r/dp_k of each of n modes.
#pragma once

#include "model/body.h"

void sw_modes_gradient(int n, int nblock, const swReal *D, const swReal *z, swReal *F);
// force[j] += P : D_j, lane by lane: force is [n][SW_LANES]
void sw_modes_force(int n, int nblock, const swReal *D, const swReal *P, swReal *force);
// K[i][j] += D_i : C : D_j, lane by lane: K is [n][n][SW_LANES], its lower triangle (by tiles). C
// as in math/tangent.h. `scratch` holds 9 n nblock SW_LANES.
void sw_modes_stiffness(int n, int nblock, const swReal *D, const swReal *C, swReal *K,
                        swReal *scratch);
