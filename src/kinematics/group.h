// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Deformation gradients of a group of samples, whatever its blending, or of elements.
#pragma once

#include "kinematics/dual_blend.h"
#include "kinematics/linear.h"
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
