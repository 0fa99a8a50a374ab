// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Deformation gradients of finite elements, and their transposes. SW_LANES elements go side by
// side: positions of their n vertices are x[3][n][SW_LANES], and each integration point has
// Gamma[3][n][SW_LANES], the gradients of the vertices' shape functions.
#pragma once

#include "core/simd.h"
#include "model/body.h"

enum { SW_ELEMENT_PAIRS = SW_ELEMENT_VERTICES * (SW_ELEMENT_VERTICES + 1) / 2 };

// Where pair (a, b), a >= b, of an element's vertices is among all of them.
static inline int sw_element_pair(int a, int b) { return a * (a + 1) / 2 + b; }

// x of a block of elements.
void sw_element_gather(const swBodyModel *model, const swGroup *group, int element, const swReal *q,
                       swReal *x);
// F_rk = sum_c x[r][c] Gamma[k][c], of n vertices
void sw_element_gradient(int n, const swReal *gamma, const swReal *x, swReal *F);
// r(J) = J^(-1/3) and its derivatives. Below a tenth it goes on as a parabola, so that elements may
// be crushed, or turned inside out, and come back.
typedef struct swMeanRoot {
    swWide r, r1, r2;
} swMeanRoot;
swMeanRoot sw_mean_root(swWide J);
// All points of a block of elements get the mean volume change of each, weighted by their volumes
// at rest: F becomes r(J) / r(mean J) F. What was it before goes to `plain`, the mean to
// mean[SW_LANES]; NULL: nowhere.
void sw_element_mean(int npoint, const swReal *volume, swReal *F, swReal *plain, swReal *mean);
// K[pair][9][SW_LANES] := sum over points of Gamma_a C Gamma_b, for each pair of vertices
void sw_element_stiffness(int n, int npoint, const swReal *gamma, const swReal *C, swReal *K);
// Floating-point operations of gradient, force and stiffness for one point.
double sw_element_flops(int n);
