// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Neo-Hookean: psi = mu/2 (tr F^T F - 3) - mu ln J + lambda/2 (ln J)^2, infinite for J <= 0.
#include "material/isotropic.h"

typedef struct {
    swWide F[9], G[9]; // G = F^-T
    swWide log_J, psi;
    swMask valid; // J > 0
} swPoint;

SW_INLINE swPoint prepare_point(const swReal *Fs, swWide mu, swWide lambda) {
    swPoint p;
    swWide *F = p.F, *G = p.G;
    for (int i = 0; i < 9; i++)
        F[i] = sw_wide_load(Fs + i * SW_LANES);
    G[0] = F[4] * F[8] - F[5] * F[7];
    G[1] = F[5] * F[6] - F[3] * F[8];
    G[2] = F[3] * F[7] - F[4] * F[6];
    G[3] = F[2] * F[7] - F[1] * F[8];
    G[4] = F[0] * F[8] - F[2] * F[6];
    G[5] = F[1] * F[6] - F[0] * F[7];
    G[6] = F[1] * F[5] - F[2] * F[4];
    G[7] = F[2] * F[3] - F[0] * F[5];
    G[8] = F[0] * F[4] - F[1] * F[3];
    swWide J = F[0] * G[0] + F[1] * G[1] + F[2] * G[2];
    p.valid = SW_WIDE_MASK(J > 1e-300);
    swWide inverse = 1.0 / sw_wide_select(p.valid, J, sw_wide(1.0));
    for (int i = 0; i < 9; i++)
        G[i] = sw_wide_select(p.valid, G[i] * inverse, sw_wide(0));
    // With D = F^T F - I: tr F^T F - 3 = tr D and 2 ln J = ln det(I + D), both accurate near rest.
    swWide D[6];
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int i = 0; i < 6; i++) {
        int k = row[i], l = column[i];
        D[i] = F[k] * F[l] + F[3 + k] * F[3 + l] + F[6 + k] * F[6 + l] - (k == l ? 1.0 : 0.0);
    }
    swWide trace = D[0] + D[1] + D[2];
    swWide minors =
        D[0] * D[1] - D[3] * D[3] + (D[0] * D[2] - D[4] * D[4]) + (D[1] * D[2] - D[5] * D[5]);
    swWide det = D[0] * (D[1] * D[2] - D[5] * D[5]) - D[3] * (D[3] * D[2] - D[5] * D[4]) +
                 D[4] * (D[3] * D[5] - D[1] * D[4]);
    // Far from rest the expansion cancels, and ln J itself is the accurate one.
    swWide size =
        D[0] * D[0] + D[1] * D[1] + D[2] * D[2] + 2.0 * (D[3] * D[3] + D[4] * D[4] + D[5] * D[5]);
    swMask near = SW_WIDE_MASK(size < 0.01) & p.valid;
    swWide small = sw_wide_log1p(sw_wide_select(near, trace + minors + det, sw_wide(0)));
    swWide large = 2.0 * sw_wide_log(sw_wide_select(p.valid, J, sw_wide(1.0)));
    swWide two_log = sw_wide_select(near, small, large);
    p.log_J = 0.5 * two_log;
    p.psi = 0.5 * mu * (trace - two_log) + 0.5 * lambda * p.log_J * p.log_J;
    p.psi = sw_wide_select(p.valid, p.psi, sw_wide(INFINITY));
    return p;
}

static void evaluate(const swReal *coefficient, int nblock, const swReal *Fs, swReal *psi,
                     swReal *Ps, swReal *Cs) {
    const swWide mu = sw_wide(coefficient[0]), lambda = sw_wide(coefficient[1]);
    for (int b = 0; b < nblock; b++) {
        const swPoint p = prepare_point(Fs + 9 * b * SW_LANES, mu, lambda);
        const swWide a = lambda * p.log_J - mu;
        if (psi)
            sw_wide_store(psi + b * SW_LANES, p.psi);
        if (Ps)
            for (int i = 0; i < 9; i++) // P = mu F + (lambda ln J - mu) F^-T
                sw_wide_store(Ps + (9 * b + i) * SW_LANES,
                              sw_wide_select(p.valid, mu * p.F[i] + a * p.G[i], sw_wide(0)));
        if (!Cs)
            continue;
        for (int pair = 0; pair < 6; pair++) {
            // C = mu d_rs d_kl + (mu - lambda ln J) G_rl G_sk + lambda G_rk G_sl
            const int r = sw_pair_row[pair], s = sw_pair_column[pair];
            const swWide *Gr = p.G + 3 * r, *Gs = p.G + 3 * s;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) {
                    swWide c = lambda * Gr[k] * Gs[l] - a * Gr[l] * Gs[k];
                    if (r == s && k == l)
                        c = c + mu;
                    sw_wide_store(Cs + (SW_TANGENT * b + 9 * pair + 3 * k + l) * SW_LANES, c);
                }
        }
    }
}

const swLaw sw_law_neo_hookean = {
    .name = "neo-hookean",
    .doc = "compressible neo-Hookean: rubber and soft tissue at large strain; infinite energy at "
           "zero volume",
    .nparam = 2,
    .param = {SW_LAME_PARAMS},
    .takes_inversion = false,
    .prepare = sw_law_prepare_lame,
    .evaluate = evaluate,
};
