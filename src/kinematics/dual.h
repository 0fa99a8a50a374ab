// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Dual-quaternion blending. A rigid node is a dual quaternion (r, d): a rest point p moves to
// Vec((r p + 2 d) r*) / (r . r), which for a unit one is R p + t. Blending sums them, b = sum_i w_i
// (r_i, d_i), and the same formula normalises the sum. b and its rest gradients b_k = sum_i
// dw_i/dp_k (r_i, d_i) are linear in the nodes; what follows is a map from B = (b, b_1, b_2, b_3)
// to x and F that knows nothing of nodes.
//
//   n x = y,   n = r.r,   y = Vec((r p + 2 d) r*);   n F_k + n_k x = y_k   (their derivatives along
//   p_k)
//
// With X = dx/db (3 x 8) and Y_k = dF_k/db (3 x 8):  dF_k = X db_k + Y_k db.
#pragma once

#include "model/model.h"

enum { SW_DUAL = 8 }; // r: w x y z, d: w x y z

typedef struct swDualPoint {
    swWide b[SW_DUAL], p[3];
    swWide inverse; // 1 / n
    swWide x[3];
    swWide X[3][SW_DUAL];
} swDualPoint;

// x and X at b and rest position p.
void sw_dual_point(const swWide b[SW_DUAL], const swWide p[3], swDualPoint *point);
// H += sum_a f_a d2x_a/db2 (lower and upper triangle).
void sw_dual_curvature(const swDualPoint *point, const swWide f[3], swWide H[SW_DUAL][SW_DUAL]);

typedef struct swDualGradient {
    swDualPoint point;
    swWide bk[3][SW_DUAL];
    swWide F[9];             // [row][k]
    swWide Y[3][3][SW_DUAL]; // [k][row]
} swDualGradient;

void sw_dual_gradient(swWide B[4][SW_DUAL], const swWide p[3], swDualGradient *gradient);
// g[4][8] = transposed derivative of F times P (both [row][k]).
void sw_dual_force(const swDualGradient *gradient, const swWide P[9], swWide g[4][SW_DUAL]);
// K[(alpha, r), (beta, s)] = dF^T C dF + P : d2F; without the second term where `gauss_newton`.
// Full symmetric, C as in math/tangent.h.
void sw_dual_stiffness(swDualGradient *gradient, const swWide P[9], const swWide C[54],
                       bool gauss_newton, swWide K[4][SW_DUAL][4][SW_DUAL]);
