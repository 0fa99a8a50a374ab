// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "material/viscosity.h"

SW_INLINE void add_to(swReal *at, swWide value) { sw_wide_store(at, sw_wide_load(at) + value); }

void sw_viscosity_add(swReal mu_, swReal lambda_, swReal factor, bool semidefinite, int nblock,
                      const swReal *Fs, const swReal *F0s, swReal *psi, swReal *Ps, swReal *Cs) {
    const swWide mu = sw_wide(factor * mu_), lambda = sw_wide(factor * lambda_);
    for (int b = 0; b < nblock; b++) {
        swWide F[9], F0[9], D[9], S[9];
        for (int i = 0; i < 9; i++) {
            F[i] = sw_wide_load(Fs + (9 * b + i) * SW_LANES);
            F0[i] = sw_wide_load(F0s + (9 * b + i) * SW_LANES);
        }
        for (int k = 0; k < 3; k++)
            for (int l = k; l < 3; l++)
                D[3 * k + l] = D[3 * l + k] =
                    0.5 * (F[k] * F[l] + F[3 + k] * F[3 + l] + F[6 + k] * F[6 + l] -
                           (F0[k] * F0[l] + F0[3 + k] * F0[3 + l] + F0[6 + k] * F0[6 + l]));
        swWide trace = D[0] + D[4] + D[8], DD = sw_wide(0);
        for (int i = 0; i < 9; i++) {
            S[i] = 2.0 * mu * D[i] + (i % 4 == 0 ? lambda * trace : sw_wide(0));
            DD = DD + D[i] * D[i];
        }
        add_to(psi + b * SW_LANES, mu * DD + 0.5 * lambda * trace * trace);
        if (Ps)
            for (int r = 0; r < 3; r++)
                for (int k = 0; k < 3; k++)
                    add_to(Ps + (9 * b + 3 * r + k) * SW_LANES,
                           F[3 * r] * S[k] + F[3 * r + 1] * S[3 + k] + F[3 * r + 2] * S[6 + k]);
        if (!Cs)
            continue;
        for (int pair = 0; pair < 6; pair++) { // as in stvk.c
            const int r = sw_pair_row[pair], s = sw_pair_column[pair];
            const swWide *Fr = F + 3 * r, *Fq = F + 3 * s;
            swWide B = mu * (Fr[0] * Fq[0] + Fr[1] * Fq[1] + Fr[2] * Fq[2]);
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) {
                    swWide c = mu * Fr[l] * Fq[k] + lambda * Fr[k] * Fq[l];
                    if (r == s && !semidefinite)
                        c = c + S[3 * k + l];
                    if (k == l)
                        c = c + B;
                    add_to(Cs + (SW_TANGENT * b + 9 * pair + 3 * k + l) * SW_LANES, c);
                }
        }
    }
}
