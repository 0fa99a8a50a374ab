// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Deformation gradients of a group of samples, whatever its blending, or of elements.
#pragma once

#include "kinematics/dual_blend.h"
#include "kinematics/modes.h"

// Rows of the nodes' unknowns: three of a matrix, eight of a dual quaternion, one of amplitudes.
static inline int sw_group_rows(const swGroup *g) {
    return g->blend == SW_BLEND_LINEAR ? 3 : g->blend == SW_BLEND_MODES ? 1 : SW_DUAL;
}
// Doubles per block of samples in gamma.
static inline int sw_group_stride(const swGroup *g) {
    return sw_group_gamma_rows(g) * g->ncolumn * SW_LANES;
}
// a[rows][ncolumn] of the group's nodes, for sw_group_gradient(). Elements read theirs from q.
const swReal *sw_group_gather(const swBodyModel *model, const swGroup *group, const swReal *q,
                              swReal *a);
// F of blocks first .. first + nblock - 1. With dual quaternions the map of each block goes to
// `dual`, NULL: nowhere.
void sw_group_gradient(const swBodyModel *model, const swGroup *group, int first, int nblock,
                       const swReal *a, swDualGradient *dual, swReal *F);

// ---- linear blending: F = A Gamma, and its transposes ----
// A is gathered into a[3][ncolumn]; samples come in blocks of SW_LANES, each with
// Gamma[3][ncolumn][SW_LANES].

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
