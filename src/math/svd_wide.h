// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The singular value decomposition of SW_LANES 3 x 3 matrices at once.
#pragma once

#include "core/simd.h"

#include <float.h>

// Columns p and q of the matrix M become c p - s q and s p + c q.
SW_INLINE void sw_wide_rotate(swWide M[9], int p, int q, swWide c, swWide s) {
    for (int r = 0; r < 3; r++) {
        swWide x = M[3 * r + p], y = M[3 * r + q];
        M[3 * r + p] = c * x - s * y;
        M[3 * r + q] = s * x + c * y;
    }
}

SW_INLINE swWide sw_wide_columns(const swWide M[9], int p, int q) { // their product
    return M[p] * M[q] + M[3 + p] * M[3 + q] + M[6 + p] * M[6 + q];
}

// Where `mask`, columns 0 1 2 become 1 2 0.
SW_INLINE void sw_wide_cycle(swMask mask, swWide M[9]) {
    for (int r = 0; r < 9; r += 3) {
        swWide first = M[r];
        M[r] = sw_wide_select(mask, M[r + 1], M[r]);
        M[r + 1] = sw_wide_select(mask, M[r + 2], M[r + 1]);
        M[r + 2] = sw_wide_select(mask, first, M[r + 2]);
    }
}

// F = U diag(s) V^T, U and V rotations; s[2] is the smallest in size and has the sign of det F.
// s[0], s[1] are in no order. One-sided Jacobi: columns of F V are made orthogonal. Lanes that are
// done do not change any more.
static inline void sw_wide_svd(const swWide F[9], swWide U[9], swWide s[3], swWide V[9]) {
    swWide B[9];
    for (int i = 0; i < 9; i++) {
        B[i] = F[i];
        V[i] = sw_wide(i % 4 == 0 ? 1.0 : 0.0);
    }
    for (int sweep = 0; sweep < 12; sweep++) {
        swMask any = SW_WIDE_MASK(B[0] != B[0]);
        for (int pair = 0; pair < 3; pair++) {
            const int p = pair == 2 ? 1 : 0, q = pair == 0 ? 1 : 2;
            swWide aa = sw_wide_columns(B, p, p), bb = sw_wide_columns(B, q, q),
                   ab = sw_wide_columns(B, p, q);
            swMask turn = SW_WIDE_MASK(ab * ab > DBL_EPSILON * DBL_EPSILON * aa * bb);
            swWide twice = sw_wide_select(turn, 2.0 * ab, sw_wide(1.0)), tau = (bb - aa) / twice;
            swWide t = 1.0 / (sw_wide_abs(tau) + sw_wide_sqrt(1.0 + tau * tau));
            t = sw_wide_select(SW_WIDE_MASK(tau < 0.0), -t, t);
            t = sw_wide_select(turn, t, sw_wide(0));
            swWide c = 1.0 / sw_wide_sqrt(1.0 + t * t), sn = t * c;
            sw_wide_rotate(B, p, q, c, sn);
            sw_wide_rotate(V, p, q, c, sn);
            any = any | turn;
        }
        bool more = false;
        int64_t bits[SW_LANES];
        memcpy(bits, &any, sizeof bits);
        for (int i = 0; i < SW_LANES; i++)
            more = more || bits[i];
        if (!more)
            break;
    }
    // The smallest column last, by cyclic exchange, which keeps V a rotation.
    swWide n0 = sw_wide_columns(B, 0, 0), n1 = sw_wide_columns(B, 1, 1),
           n2 = sw_wide_columns(B, 2, 2);
    swMask first = SW_WIDE_MASK(n0 <= n1) & SW_WIDE_MASK(n0 <= n2),
           middle = SW_WIDE_MASK(n1 <= n2) & ~first;
    sw_wide_cycle(first | middle, B);
    sw_wide_cycle(first | middle, V);
    sw_wide_cycle(middle, B);
    sw_wide_cycle(middle, V);
    for (int k = 0; k < 2; k++) {
        s[k] = sw_wide_sqrt(sw_wide_columns(B, k, k));
        swWide inverse = 1.0 / sw_wide_select(SW_WIDE_MASK(s[k] > 1e-150), s[k], sw_wide(1.0));
        for (int r = 0; r < 9; r += 3)
            U[r + k] = B[r + k] * inverse;
    }
    // Columns without length: any direction across the other one (first where both are none).
    for (int k = 0; k < 2; k++) {
        const int o = 1 - k;
        swMask none = SW_WIDE_MASK(s[k] <= 1e-150);
        swMask alone = none & SW_WIDE_MASK(s[o] <= 1e-150);
        swMask steep = SW_WIDE_MASK(sw_wide_abs(U[o]) > 0.6);
        swWide ex = sw_wide_select(steep, sw_wide(0), sw_wide(1)),
               ey = 1.0 - ex; // e, then e less its part along o
        swWide along = ex * U[o] + ey * U[3 + o];
        swWide d[3] = {ex - along * U[o], ey - along * U[3 + o], -along * U[6 + o]};
        swWide length = 1.0 / sw_wide_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int r = 0; r < 3; r++) {
            swWide unit = sw_wide_select(alone, sw_wide(r == k ? 1.0 : 0.0), d[r] * length);
            U[3 * r + k] = sw_wide_select(none, unit, U[3 * r + k]);
        }
    }
    for (int r = 0; r < 3; r++) { // the third column is the cross product of the others
        const int a = 3 * ((r + 1) % 3), b = 3 * ((r + 2) % 3);
        U[3 * r + 2] = U[a] * U[b + 1] - U[b] * U[a + 1];
    }
    s[2] = U[2] * B[2] + U[5] * B[5] + U[8] * B[8];
}
