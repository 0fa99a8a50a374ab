// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Energies quadratic in a change of Green's strain: psi = 1/2 E : D : E, E = (F^T F - F0^T F0) / 2.
// D is orthotropic with respect to the axes: six numbers couple the strains 11 22 33 (in the order
// of math/tangent.h), and three are the shear moduli 12 13 23.
#pragma once

#include "material/law.h"

enum { SW_GREEN = 9 };

SW_INLINE void sw_green_isotropic(swReal mu, swReal lambda, swReal D[SW_GREEN]) {
    for (int i = 0; i < 3; i++) {
        D[i] = lambda + 2 * mu;
        D[3 + i] = lambda;
        D[6 + i] = mu;
    }
}

typedef struct swGreen {
    swWide F[9], E[6], S[6]; // S = D : E, the second Piola-Kirchhoff stress
} swGreen;

// F0s == NULL stands for the identity.
SW_INLINE swGreen sw_green_point(const swReal *D, const swReal *Fs, const swReal *F0s) {
    swGreen g;
    const swWide *F = g.F, *E = g.E;
    for (int i = 0; i < 9; i++)
        g.F[i] = sw_wide_load(Fs + i * SW_LANES);
    for (int i = 0; i < 6; i++) {
        const int k = sw_pair_row[i], l = sw_pair_column[i];
        swWide before = sw_wide(k == l ? 1.0 : 0.0);
        if (F0s) {
            before = sw_wide(0);
            for (int r = 0; r < 9; r += 3)
                before = before + sw_wide_load(F0s + (r + k) * SW_LANES) *
                                      sw_wide_load(F0s + (r + l) * SW_LANES);
        }
        g.E[i] = 0.5 * (F[k] * F[l] + F[3 + k] * F[3 + l] + F[6 + k] * F[6 + l] - before);
    }
    for (int i = 0; i < 3; i++) {
        g.S[i] =
            D[sw_pair_at[i]] * E[0] + D[sw_pair_at[3 + i]] * E[1] + D[sw_pair_at[6 + i]] * E[2];
        g.S[3 + i] = 2.0 * D[6 + i] * E[3 + i];
    }
    return g;
}

SW_INLINE void sw_green_put(swReal *at, const bool add, swWide value) {
    sw_wide_store(at, add ? sw_wide_load(at) + value : value);
}

// The nine entries of C for rows r, s: d_rs S_kl + D_kl F_rk F_sl + G_kl F_rl F_sk for k != l, and
// on the diagonal sum_m G_km F_rm F_sm, m != k. G are the shear moduli.
SW_INLINE void sw_green_tangent(const swReal *D, const swGreen *g, const bool add,
                                const bool geometric, const int pair, swReal *C) {
    const int r = sw_pair_row[pair], s = sw_pair_column[pair];
    const swWide *a = g->F + 3 * r, *b = g->F + 3 * s;
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
            const int m = (k + 1) % 3, n = (k + 2) % 3, kl = sw_pair_at[3 * k + l];
            swWide x = D[kl] * a[k] * b[l];
            if (k == l)
                x = x + D[3 + sw_pair_at[3 * k + m]] * a[m] * b[m] +
                    D[3 + sw_pair_at[3 * k + n]] * a[n] * b[n];
            else
                x = x + D[3 + kl] * a[l] * b[k];
            if (geometric && r == s)
                x = x + g->S[kl];
            sw_green_put(C + (9 * pair + 3 * k + l) * SW_LANES, add, x);
        }
}

// With `add`, adds to the output arrays. Without the `geometric` part the tangent is positive
// semi-definite.
SW_INLINE void sw_green_evaluate(const swReal *D, const bool add, const bool geometric, int nblock,
                                 const swReal *Fs, const swReal *F0s, swReal *psi, swReal *Ps,
                                 swReal *Cs) {
    for (int b = 0; b < nblock; b++) {
        const swGreen g =
            sw_green_point(D, Fs + 9 * b * SW_LANES, F0s ? F0s + 9 * b * SW_LANES : NULL);
        const swWide *F = g.F, *E = g.E, *S = g.S;
        if (psi)
            sw_green_put(psi + b * SW_LANES, add,
                         0.5 * (S[0] * E[0] + S[1] * E[1] + S[2] * E[2]) +
                             (S[3] * E[3] + S[4] * E[4] + S[5] * E[5]));
        if (Ps)
            for (int r = 0; r < 3; r++)
                for (int k = 0; k < 3; k++) // P = F S
                    sw_green_put(Ps + (9 * b + 3 * r + k) * SW_LANES, add,
                                 F[3 * r] * S[sw_pair_at[k]] + F[3 * r + 1] * S[sw_pair_at[3 + k]] +
                                     F[3 * r + 2] * S[sw_pair_at[6 + k]]);
        if (Cs) { // written out so that r and s are constants
            swReal *C = Cs + SW_TANGENT * b * SW_LANES;
            sw_green_tangent(D, &g, add, geometric, 0, C);
            sw_green_tangent(D, &g, add, geometric, 1, C);
            sw_green_tangent(D, &g, add, geometric, 2, C);
            sw_green_tangent(D, &g, add, geometric, 3, C);
            sw_green_tangent(D, &g, add, geometric, 4, C);
            sw_green_tangent(D, &g, add, geometric, 5, C);
        }
    }
}
