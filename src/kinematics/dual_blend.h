// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Dual-quaternion blending over the samples of a group: as linear.h, with 8 rows instead of 3 and a
// column per node. A block of samples keeps [4][n][SW_LANES] weights: w, dw/dx, dw/dy, dw/dz.
#pragma once

#include "kinematics/dual.h"

enum { SW_DUAL_CHUNK = 8 }; // blocks whose stiffness is assembled together
static inline int sw_dual_block(int n) { return 4 * n * SW_LANES; } // doubles per block

// Per block the map at B = Q W and the samples' rest places, and F as laws want it.
void sw_dual_blend_gradient(int n, int nblock, const swReal *weights, const swVec3 *place,
                            const swReal *Q, swDualGradient *out, swReal *F);
// force[8][n][SW_LANES] += W g, lane by lane
void sw_dual_blend_force(int n, int nblock, const swReal *weights, const swDualGradient *gradient,
                         const swReal *P, swReal *force);
// K[pair][nfree][nfree][SW_LANES] += W K_B W^T over the first nfree nodes, by sw_dual_pair(); of
// r = s the lower triangle. At most SW_DUAL_CHUNK blocks; `scratch` holds sw_dual_scratch(n)
// doubles.
void sw_dual_blend_stiffness(int n, int nfree, int nblock, const swReal *weights,
                             const swDualGradient *gradient, const swReal *P, const swReal *C,
                             bool gauss_newton, swReal *K, swReal *scratch);
size_t sw_dual_scratch(int n);
