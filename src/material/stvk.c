// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Saint Venant-Kirchhoff: psi = mu E:E + lambda/2 (tr E)^2, E = (F^T F - I) / 2.
#include "material/isotropic.h"

static void evaluate(const swReal *coefficient, int nblock, const swReal *Fs, swReal *psi,
                     swReal *Ps, swReal *Cs) {
    const swWide mu = sw_wide(coefficient[0]), lambda = sw_wide(coefficient[1]);
    for (int b = 0; b < nblock; b++) {
        swWide F[9], E[9], S[9];
        for (int i = 0; i < 9; i++)
            F[i] = sw_wide_load(Fs + (9 * b + i) * SW_LANES);
        for (int k = 0; k < 3; k++)
            for (int l = k; l < 3; l++)
                E[3 * k + l] = E[3 * l + k] = 0.5 * (F[k] * F[l] + F[3 + k] * F[3 + l] +
                                                     F[6 + k] * F[6 + l] - (k == l ? 1.0 : 0.0));
        swWide trace = E[0] + E[4] + E[8];
        for (int i = 0; i < 9; i++)
            S[i] = 2.0 * mu * E[i] + (i % 4 == 0 ? lambda * trace : sw_wide(0));
        if (psi) {
            swWide EE = sw_wide(0);
            for (int i = 0; i < 9; i++)
                EE = EE + E[i] * E[i];
            sw_wide_store(psi + b * SW_LANES, mu * EE + 0.5 * lambda * trace * trace);
        }
        if (Ps)
            for (int r = 0; r < 3; r++)
                for (int k = 0; k < 3; k++) // P = F S
                    sw_wide_store(Ps + (9 * b + 3 * r + k) * SW_LANES, F[3 * r] * S[k] +
                                                                           F[3 * r + 1] * S[3 + k] +
                                                                           F[3 * r + 2] * S[6 + k]);
        if (!Cs)
            continue;
        for (int pair = 0; pair < 6; pair++) {
            // C = d_rs S_kl + mu (F_rl F_sk + (F F^T)_rs d_kl) + lambda F_rk F_sl
            const int r = sw_pair_row[pair], s = sw_pair_column[pair];
            const swWide *Fr = F + 3 * r, *Fsrow = F + 3 * s;
            swWide B = mu * (Fr[0] * Fsrow[0] + Fr[1] * Fsrow[1] + Fr[2] * Fsrow[2]);
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) {
                    swWide c = mu * Fr[l] * Fsrow[k] + lambda * Fr[k] * Fsrow[l];
                    if (r == s)
                        c = c + S[3 * k + l];
                    if (k == l)
                        c = c + B;
                    sw_wide_store(Cs + (SW_TANGENT * b + 9 * pair + 3 * k + l) * SW_LANES, c);
                }
        }
    }
}

const swLaw sw_law_stvk = {
    .name = "stvk",
    .doc = "Saint Venant-Kirchhoff: linear in Green's strain; softens and collapses in strong "
           "compression",
    .nparam = 2,
    .param = {SW_LAME_PARAMS},
    .takes_inversion = true,
    .prepare = sw_law_prepare_lame,
    .evaluate = evaluate,
};
