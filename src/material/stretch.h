// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Isotropic laws given in the principal stretches s_i (singular values of F, the smallest with the
// sign of det F). With F = U diag(s) V^T and M_ij = u_i v_j^T: P = sum_i psi_i M_ii, and the
// tangent has psi_ij on M_ii x M_jj, (psi_i - psi_j)/(s_i - s_j) on the symmetric part of M_ij,
// M_ji, and (psi_i + psi_j)/(s_i + s_j) on their antisymmetric part.
#pragma once

#include "material/law.h"
#include "math/svd_wide.h"

typedef struct swStretchEnergy {
    swWide psi;
    swWide d[3];     // psi_i
    swWide dd[3][3]; // psi_ij
    swWide flip[3];  // (psi_i - psi_j) / (s_i - s_j) for 01, 02, 12
    swMask valid;    // where the law is defined
} swStretchEnergy;

typedef swStretchEnergy swStretchFunction(const swReal *coefficient, const swWide s[3]);

// Computes difference quotients from the derivatives, for laws without a better formula.
SW_INLINE void sw_stretch_flip(swStretchEnergy *e, const swWide s[3]) {
    for (int pair = 0; pair < 3; pair++) {
        const int i = sw_pair_row[3 + pair], j = sw_pair_column[3 + pair];
        const swWide gap = s[i] - s[j];
        const swMask close = SW_WIDE_MASK(sw_wide_abs(gap) <= 1e-5 * sw_wide_abs(s[i] + s[j]));
        e->flip[pair] =
            sw_wide_select(close, 0.5 * (e->dd[i][i] + e->dd[j][j]) - e->dd[i][j],
                           (e->d[i] - e->d[j]) / sw_wide_select(close, sw_wide(1), gap));
    }
}

// (psi_i + psi_j) / (s_i + s_j), or 0 at opposite stretches, where the energy has a kink.
SW_INLINE swWide sw_stretch_twist(const swStretchEnergy *e, const swWide s[3], int i, int j) {
    const swWide sum = s[i] + s[j], size = sw_wide_abs(s[i]) + sw_wide_abs(s[j]);
    const swMask kink = SW_WIDE_MASK(sw_wide_abs(sum) <= 1e-9 * size);
    return sw_wide_select(kink, sw_wide(0),
                          (e->d[i] + e->d[j]) / sw_wide_select(kink, sw_wide(1), sum));
}

SW_INLINE void sw_stretch_tangent(const swStretchEnergy *e, const swWide U[9], const swWide s[3],
                                  const swWide V[9], swReal *Cs) {
    swWide M[9][9], H[9][9]; // M_ij, and H_ij such that C = sum M_ij x H_ij
    for (int ij = 0; ij < 9; ij++)
        for (int rk = 0; rk < 9; rk++)
            M[ij][rk] = U[rk / 3 * 3 + ij / 3] * V[rk % 3 * 3 + ij % 3];
    for (int i = 0; i < 3; i++)
        for (int rk = 0; rk < 9; rk++)
            H[4 * i][rk] = e->dd[i][0] * M[0][rk] + e->dd[i][1] * M[4][rk] + e->dd[i][2] * M[8][rk];
    for (int pair = 0; pair < 3; pair++) {
        const int i = sw_pair_row[3 + pair], j = sw_pair_column[3 + pair], p = 3 * i + j,
                  q = 3 * j + i;
        const swWide twist = sw_stretch_twist(e, s, i, j);
        const swWide own = 0.5 * (e->flip[pair] + twist), other = 0.5 * (e->flip[pair] - twist);
        for (int rk = 0; rk < 9; rk++) {
            H[p][rk] = own * M[p][rk] + other * M[q][rk];
            H[q][rk] = other * M[p][rk] + own * M[q][rk];
        }
    }
    for (int pair = 0; pair < 6; pair++)
        for (int kl = 0; kl < 9; kl++) {
            const int rk = 3 * sw_pair_row[pair] + kl / 3, sl = 3 * sw_pair_column[pair] + kl % 3;
            swWide c = M[0][rk] * H[0][sl];
            for (int ij = 1; ij < 9; ij++)
                c = sw_wide_fma(M[ij][rk], H[ij][sl], c);
            sw_wide_store(Cs + (9 * pair + kl) * SW_LANES, sw_wide_select(e->valid, c, sw_wide(0)));
        }
}

// `law` must be a constant where this is inlined.
SW_INLINE void sw_stretch_evaluate(swStretchFunction *law, const swReal *coefficient, int nblock,
                                   const swReal *Fs, swReal *psi, swReal *Ps, swReal *Cs) {
    const bool energy_alone = !Ps && !Cs;
    for (int b = 0; b < nblock; b++) {
        swWide F[9], U[9], s[3], V[9];
        for (int i = 0; i < 9; i++)
            F[i] = sw_wide_load(Fs + (9 * b + i) * SW_LANES);
        sw_wide_svd(F, U, s, energy_alone ? NULL : V);
        swStretchEnergy e = law(coefficient, s);
        e.valid = e.valid & SW_WIDE_MASK(sw_wide_abs(e.psi) < SW_LAW_ENERGY_LIMIT);
        if (psi)
            sw_wide_store(psi + b * SW_LANES, sw_wide_select(e.valid, e.psi, sw_wide(INFINITY)));
        for (int i = 0; i < 9 && Ps; i++) {
            const swWide *u = U + 3 * (i / 3), *v = V + 3 * (i % 3);
            swWide P = e.d[0] * u[0] * v[0] + e.d[1] * u[1] * v[1] + e.d[2] * u[2] * v[2];
            sw_wide_store(Ps + (9 * b + i) * SW_LANES, sw_wide_select(e.valid, P, sw_wide(0)));
        }
        if (Cs)
            sw_stretch_tangent(&e, U, s, V, Cs + SW_TANGENT * b * SW_LANES);
    }
}
