// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Corotated Hooke: psi = mu sum (s_i - 1)^2 + lambda/2 (sum s_i - 3)^2. The derivative of the
// rotation is included exactly.
#include "material/isotropic.h"
#include "material/stretch.h"

SW_INLINE swStretchEnergy energy(const swReal *c, const swWide s[3]) {
    const double mu = c[0], lambda = c[1];
    swStretchEnergy e = {.psi = sw_wide(0), .valid = SW_WIDE_MASK(s[0] == s[0])};
    const swWide grown = (s[0] - 1.0) + (s[1] - 1.0) + (s[2] - 1.0);
    for (int i = 0; i < 3; i++) {
        e.psi = e.psi + mu * (s[i] - 1.0) * (s[i] - 1.0);
        e.d[i] = 2.0 * mu * (s[i] - 1.0) + lambda * grown;
        for (int j = 0; j < 3; j++)
            e.dd[i][j] = sw_wide(lambda + (i == j ? 2 * mu : 0));
        e.flip[i] = sw_wide(2 * mu);
    }
    e.psi = e.psi + 0.5 * lambda * grown * grown;
    return e;
}

static void evaluate(const swReal *coefficient, int nblock, const swReal *F, swReal *psi, swReal *P,
                     swReal *C) {
    sw_stretch_evaluate(energy, coefficient, nblock, F, psi, P, C);
}

const swLaw sw_law_corotated = {
    .name = "corotated",
    .doc = "Hooke's law in a frame that rotates with the material, for large rotations and "
           "moderate strains; recovers from inversion",
    .nparam = 2,
    .param = {SW_LAME_PARAMS},
    .objective = true,
    .isotropic = true,
    .takes_inversion = true,
    .hookean = true,
    .check = sw_law_check_lame,
    .prepare = sw_law_prepare_lame,
    .evaluate = evaluate,
};
