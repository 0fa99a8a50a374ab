// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Isotropic laws given in the principal stretches s_i (singular values of F, the smallest with the
// sign of det F). With F = U diag(s) V^T and M_ij = u_i v_j^T: P = sum_i psi_i M_ii, and the
// tangent has psi_ij on M_ii x M_jj, (psi_i - psi_j)/(s_i - s_j) on the symmetric and (psi_i +
// psi_j)/(s_i + s_j) on the antisymmetric part of M_ij, M_ji.
#pragma once

#include "material/law.h"
#include "math/svd_wide.h"

typedef struct swStretchEnergy {
    swWide psi;
    swWide d[3];     // psi_i
    swWide dd[3][3]; // psi_ij
    swMask valid;    // where the law is defined
} swStretchEnergy;

typedef swStretchEnergy swStretchFunction(const swReal *coefficient, const swWide s[3]);

// C += weight M x M over the pairs of rows that are kept.
SW_INLINE void sw_stretch_add(swWide C[SW_TANGENT], const swWide M[9], swWide weight) {
    for (int i = 0; i < SW_TANGENT; i++) {
        const int rk = 3 * sw_pair_row[i / 9] + i % 9 / 3, sl = 3 * sw_pair_column[i / 9] + i % 3;
        C[i] = C[i] + weight * M[rk] * M[sl];
    }
}

SW_INLINE void sw_stretch_tangent(const swStretchEnergy *e, const swWide U[9], const swWide s[3],
                                  const swWide V[9], swWide C[SW_TANGENT]) {
    swWide M[3][9]; // M_ii
    for (int i = 0; i < 3; i++)
        for (int rk = 0; rk < 9; rk++)
            M[i][rk] = U[3 * (rk / 3) + i] * V[3 * (rk % 3) + i];
    for (int i = 0; i < SW_TANGENT; i++) {
        const int rk = 3 * sw_pair_row[i / 9] + i % 9 / 3, sl = 3 * sw_pair_column[i / 9] + i % 3;
        C[i] = sw_wide(0);
        for (int a = 0; a < 3; a++)
            C[i] = C[i] + M[a][rk] * (e->dd[a][0] * M[0][sl] + e->dd[a][1] * M[1][sl] +
                                      e->dd[a][2] * M[2][sl]);
    }
    for (int i = 0; i < 2; i++)
        for (int j = i + 1; j < 3; j++) {
            swWide plus[9], minus[9], sum = s[i] + s[j], gap = s[i] - s[j];
            for (int rk = 0; rk < 9; rk++) {
                swWide a = U[3 * (rk / 3) + i] * V[3 * (rk % 3) + j],
                       b = U[3 * (rk / 3) + j] * V[3 * (rk % 3) + i];
                plus[rk] = a + b;
                minus[rk] = a - b;
            }
            // At equal stretches the difference quotient is the derivative; at opposite ones the
            // energy has a kink.
            swWide size = sw_wide_abs(s[i]) + sw_wide_abs(s[j]);
            swMask close = SW_WIDE_MASK(sw_wide_abs(gap) < 1e-5 * size);
            swWide flip =
                sw_wide_select(close, 0.5 * (e->dd[i][i] + e->dd[j][j]) - e->dd[i][j],
                               (e->d[i] - e->d[j]) / sw_wide_select(close, sw_wide(1), gap));
            swMask kink = SW_WIDE_MASK(sw_wide_abs(sum) < 1e-9 * size + 1e-100);
            swWide twist = sw_wide_select(
                kink, sw_wide(0), (e->d[i] + e->d[j]) / sw_wide_select(kink, sw_wide(1), sum));
            sw_stretch_add(C, plus, 0.5 * flip);
            sw_stretch_add(C, minus, 0.5 * twist);
        }
}

// `law` must be a constant where this is inlined.
SW_INLINE void sw_stretch_evaluate(swStretchFunction *law, const swReal *coefficient, int nblock,
                                   const swReal *Fs, swReal *psi, swReal *Ps, swReal *Cs) {
    for (int b = 0; b < nblock; b++) {
        swWide F[9], U[9], s[3], V[9];
        for (int i = 0; i < 9; i++)
            F[i] = sw_wide_load(Fs + (9 * b + i) * SW_LANES);
        sw_wide_svd(F, U, s, V);
        const swStretchEnergy e = law(coefficient, s);
        if (psi)
            sw_wide_store(psi + b * SW_LANES, sw_wide_select(e.valid, e.psi, sw_wide(INFINITY)));
        for (int i = 0; i < 9 && Ps; i++) {
            const swWide *u = U + 3 * (i / 3), *v = V + 3 * (i % 3);
            swWide P = e.d[0] * u[0] * v[0] + e.d[1] * u[1] * v[1] + e.d[2] * u[2] * v[2];
            sw_wide_store(Ps + (9 * b + i) * SW_LANES, sw_wide_select(e.valid, P, sw_wide(0)));
        }
        if (!Cs)
            continue;
        swWide C[SW_TANGENT];
        sw_stretch_tangent(&e, U, s, V, C);
        for (int i = 0; i < SW_TANGENT; i++)
            sw_wide_store(Cs + (SW_TANGENT * b + i) * SW_LANES,
                          sw_wide_select(e.valid, C[i], sw_wide(0)));
    }
}
