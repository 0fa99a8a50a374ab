// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Dual-quaternion blending. A rigid node is a dual quaternion (r, d): a rest point p moves to
// Vec((r p + 2 d) r*) / (r . r), which for a unit one is R p + t. Blending sums them, b = sum_i w_i
// (r_i, d_i), and the same formula normalises the sum. b and its rest gradients b_k = sum_i
// dw_i/dp_k (r_i, d_i) are linear in the nodes; what follows is a map from B = (b, b_1, b_2, b_3)
// to x and F that knows nothing of nodes. With n = r.r and m = r p + 2 d:
//
//   n x = y = Vec(m r*),   n F_k + n_k x = y_k = Vec(m_k r* + m r_k*),   m_k = r_k p + 2 d_k + r
//   e_k
//
// With X = dx/db (3 x 8) and Y_k = dF_k/db (3 x 8):  dF_k = X db_k + Y_k db.
// Where r vanishes there is no motion to speak of: x and F are then not finite.
#pragma once

#include "model/body.h"

enum { SW_DUAL = 8, SW_DUAL_PAIRS = 36 }; // r: w x y z, d: w x y z; pairs r <= s of them

// Where the pair (r, s), r <= s, stands among all: r = s first, then (0,1), (0,2), ...
static inline int sw_dual_pair(int r, int s) {
    return r == s ? r : SW_DUAL + r * (2 * SW_DUAL - r - 1) / 2 + s - r - 1;
}

typedef struct swDualPoint {
    swWide b[SW_DUAL], p[3];
    swWide inverse; // 1 / n
    swWide m[4], x[3];
} swDualPoint;

// x at b and rest position p.
void sw_dual_point(const swWide b[SW_DUAL], const swWide p[3], swDualPoint *point);
// X = dx/db.
void sw_dual_slope(const swDualPoint *point, swWide X[3][SW_DUAL]);
// H += sum_a f_a d2x_a/db2, of which fX = f . X is known: entries r <= s.
void sw_dual_curvature(const swDualPoint *point, const swWide f[3], const swWide fX[SW_DUAL],
                       swWide H[SW_DUAL][SW_DUAL]);

typedef struct swDualGradient {
    swDualPoint point;
    swWide bk[3][SW_DUAL];
    swWide mk[3][4], nk[3];
    swWide F[9]; // [row][k]
} swDualGradient;

void sw_dual_gradient(swWide B[4][SW_DUAL], const swWide p[3], swDualGradient *gradient);
// g[4][8] = transposed derivative of F times P (both [row][k]).
void sw_dual_force(const swDualGradient *gradient, const swWide P[9], swWide g[4][SW_DUAL]);
// K[(alpha, r), (beta, s)] = dF^T C dF + P : d2F; without the second term where `gauss_newton`. C
// as in math/tangent.h. For each pair r <= s, `stride` doubles apart, [4][4][SW_LANES] in `out`.
void sw_dual_stiffness(const swDualGradient *gradient, const swWide P[9], const swWide C[54],
                       bool gauss_newton, swReal *out, ptrdiff_t stride);
