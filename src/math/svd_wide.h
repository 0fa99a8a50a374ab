// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Singular value decomposition of SW_LANES 3 x 3 matrices at once.
#pragma once

#include "core/simd.h"

// Columns p and q of the matrix M become c p - s q and s p + c q.
SW_INLINE void sw_wide_rotate(swWide M[9], int p, int q, swWide c, swWide s) {
    for (int r = 0; r < 3; r++) {
        swWide x = M[3 * r + p], y = M[3 * r + q];
        M[3 * r + p] = c * x - s * y;
        M[3 * r + q] = s * x + c * y;
    }
}

SW_INLINE swWide sw_wide_columns(const swWide M[9], int p, int q) { // their dot product
    return M[p] * M[q] + M[3 + p] * M[3 + q] + M[6 + p] * M[6 + q];
}

// Where `mask` is set, columns 0 1 2 become 1 2 0.
SW_INLINE void sw_wide_cycle(swMask mask, swWide M[9]) {
    for (int r = 0; r < 9; r += 3) {
        swWide first = M[r];
        M[r] = sw_wide_select(mask, M[r + 1], M[r]);
        M[r + 1] = sw_wide_select(mask, M[r + 2], M[r + 1]);
        M[r + 2] = sw_wide_select(mask, first, M[r + 2]);
    }
}

// The lanes in which columns p and q are not orthogonal.
SW_INLINE swMask sw_wide_askew(const swWide B[9], int p, int q) {
    const swWide ab = sw_wide_columns(B, p, q);
    return SW_WIDE_MASK(ab * ab > 1e-30 * sw_wide_columns(B, p, p) * sw_wide_columns(B, q, q));
}

// Makes columns p and q of B orthogonal where they are not, rotating V (may be NULL) along.
SW_INLINE void sw_wide_orthogonalize(swWide B[9], swWide *V, int p, int q) {
    const swMask turn = sw_wide_askew(B, p, q);
    // d = bb - aa: the tangent is 2 ab / (|d| + sqrt(d^2 + 4 ab^2)), with the sign of d
    const swWide d = sw_wide_columns(B, q, q) - sw_wide_columns(B, p, p),
                 twice = 2.0 * sw_wide_columns(B, p, q);
    swWide x = sw_wide_abs(d) + sw_wide_sqrt(d * d + twice * twice);
    swWide y = sw_wide_select(SW_WIDE_MASK(d < 0.0), -twice, twice);
    x = sw_wide_select(turn, x, sw_wide(1.0));
    y = sw_wide_select(turn, y, sw_wide(0));
    const swWide scale = 1.0 / sw_wide_sqrt(x * x + y * y), c = x * scale, s = y * scale;
    sw_wide_rotate(B, p, q, c, s);
    if (V)
        sw_wide_rotate(V, p, q, c, s);
}

SW_INLINE bool sw_wide_any(swMask mask) {
    int64_t bits[SW_LANES];
    bool any = false;
    memcpy(bits, &mask, sizeof bits);
    for (int i = 0; i < SW_LANES; i++)
        any = any || bits[i];
    return any;
}

// F = U diag(s) V^T with U and V rotations. s[2] is the smallest in magnitude and has the sign of
// det F; s[0] and s[1] are in no particular order. V may be NULL. One-sided Jacobi makes the
// columns of F V orthogonal; lanes that have converged no longer change.
static inline void sw_wide_svd(const swWide F[9], swWide U[9], swWide s[3], swWide *V) {
    swWide B[9];
    for (int i = 0; i < 9; i++) {
        B[i] = F[i];
        if (V)
            V[i] = sw_wide(i % 4 == 0 ? 1.0 : 0.0);
    }
    for (int sweep = 0; sweep < 12; sweep++) {
        if (!sw_wide_any(sw_wide_askew(B, 0, 1) | sw_wide_askew(B, 0, 2) | sw_wide_askew(B, 1, 2)))
            break;
        sw_wide_orthogonalize(B, V, 0, 1);
        sw_wide_orthogonalize(B, V, 0, 2);
        sw_wide_orthogonalize(B, V, 1, 2);
    }
    // Moves the smallest column last by cyclic exchange, which keeps V a rotation.
    swWide n0 = sw_wide_columns(B, 0, 0), n1 = sw_wide_columns(B, 1, 1),
           n2 = sw_wide_columns(B, 2, 2);
    swMask first = SW_WIDE_MASK(n0 <= n1) & SW_WIDE_MASK(n0 <= n2),
           middle = SW_WIDE_MASK(n1 <= n2) & ~first;
    sw_wide_cycle(first | middle, B);
    sw_wide_cycle(middle, B);
    if (V) {
        sw_wide_cycle(first | middle, V);
        sw_wide_cycle(middle, V);
    }
    for (int k = 0; k < 2; k++) {
        s[k] = sw_wide_sqrt(sw_wide_columns(B, k, k));
        swWide inverse = 1.0 / sw_wide_select(SW_WIDE_MASK(s[k] > 1e-150), s[k], sw_wide(1.0));
        for (int r = 0; r < 9; r += 3)
            U[r + k] = B[r + k] * inverse;
    }
    // For a column of zero length take any direction orthogonal to the other one, or axis k where
    // both are zero.
    for (int k = 0; k < 2; k++) {
        const int o = 1 - k;
        swMask none = SW_WIDE_MASK(s[k] <= 1e-150);
        swMask alone = none & SW_WIDE_MASK(s[o] <= 1e-150);
        swMask steep = SW_WIDE_MASK(sw_wide_abs(U[o]) > 0.6);
        swWide ex = sw_wide_select(steep, sw_wide(0), sw_wide(1)),
               ey = 1.0 - ex; // e, then d = e less its part along column o
        swWide along = ex * U[o] + ey * U[3 + o];
        swWide d[3] = {ex - along * U[o], ey - along * U[3 + o], -along * U[6 + o]};
        swWide length = 1.0 / sw_wide_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int r = 0; r < 3; r++) {
            swWide unit = sw_wide_select(alone, sw_wide(r == k ? 1.0 : 0.0), d[r] * length);
            U[3 * r + k] = sw_wide_select(none, unit, U[3 * r + k]);
        }
    }
    for (int r = 0; r < 3; r++) { // the third column is the cross product of the other two
        const int a = 3 * ((r + 1) % 3), b = 3 * ((r + 2) % 3);
        U[3 * r + 2] = U[a] * U[b + 1] - U[b] * U[a + 1];
    }
    s[2] = U[2] * B[2] + U[5] * B[5] + U[8] * B[8];
}
