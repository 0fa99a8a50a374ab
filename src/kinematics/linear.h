// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Linear blending over the samples of a group: F = A Gamma, and its transposes.
// A is gathered into a[3][ncolumn] (group.h); samples come in blocks of SW_LANES, each with
// Gamma[3][ncolumn][SW_LANES].
#pragma once

#include "model/body.h"

// F_rk = sum_c a[r][c] Gamma[k][c]
void sw_linear_gradient(int ncolumn, int nblock, const swReal *gamma, const swReal *a, swReal *F);
// force[r][c] += sum_k P_rk Gamma[k][c], lane by lane: force is [3][ncolumn][SW_LANES]
void sw_linear_force(int ncolumn, int nblock, const swReal *gamma, const swReal *P, swReal *force);
// K_rs[c][d] += sum_kl Gamma[k][c] C_rs[k][l] Gamma[l][d] over the first nfree columns: K is
// [6][nfree][nfree][SW_LANES], one matrix for each pair r <= s, of the first three the lower
// triangle (by tiles). `scratch` holds 3 nfree nblock SW_LANES.
void sw_linear_stiffness(int ncolumn, int nfree, int nblock, const swReal *gamma, const swReal *C,
                         swReal *K, swReal *scratch);
// Floating-point operations of the three for one sample, a multiply-add counting two.
double sw_linear_flops(int ncolumn, int nfree);
