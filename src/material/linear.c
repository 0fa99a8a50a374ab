// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Hooke's law in the small strain e = (F + F^T)/2 - I: psi = mu e:e + lambda/2 (tr e)^2.
#include "material/isotropic.h"

static void evaluate(const swReal *coefficient, int nblock, const swReal *Fs, swReal *psi,
                     swReal *Ps, swReal *Cs) {
    const double mu = coefficient[0], lambda = coefficient[1];
    double C[SW_TANGENT]; // mu (d_rs d_kl + d_rl d_ks) + lambda d_rk d_sl, the same for all samples
    for (int i = 0; i < SW_TANGENT && Cs; i++) {
        const int r = sw_pair_row[i / 9], s = sw_pair_column[i / 9], k = i % 9 / 3, l = i % 3;
        C[i] = mu * ((r == s && k == l) + (r == l && k == s)) + lambda * (r == k && s == l);
    }
    for (int b = 0; b < nblock; b++) {
        swWide F[9], e[9], ee = sw_wide(0);
        for (int i = 0; i < 9; i++)
            F[i] = sw_wide_load(Fs + (9 * b + i) * SW_LANES);
        for (int i = 0; i < 9; i++) {
            e[i] = 0.5 * (F[i] + F[i % 3 * 3 + i / 3]) - (i % 4 == 0 ? 1.0 : 0.0);
            ee = ee + e[i] * e[i];
        }
        const swWide trace = e[0] + e[4] + e[8];
        if (psi)
            sw_wide_store(psi + b * SW_LANES, mu * ee + 0.5 * lambda * trace * trace);
        for (int i = 0; i < 9 && Ps; i++)
            sw_wide_store(Ps + (9 * b + i) * SW_LANES,
                          2.0 * mu * e[i] + (i % 4 == 0 ? lambda * trace : sw_wide(0)));
        for (int i = 0; i < SW_TANGENT && Cs; i++)
            sw_wide_store(Cs + (SW_TANGENT * b + i) * SW_LANES, sw_wide(C[i]));
    }
}

const swLaw sw_law_linear = {
    .name = "linear",
    .doc = "Hooke's law, for small strains and small rotations only; the fastest law, and the one "
           "of textbooks",
    .nparam = 2,
    .param = {SW_LAME_PARAMS},
    .takes_inversion = true,
    .hookean = true,
    .strain = SW_STRAIN_SMALL,
    .check = sw_law_check_lame,
    .prepare = sw_law_prepare_lame,
    .evaluate = evaluate,
};
