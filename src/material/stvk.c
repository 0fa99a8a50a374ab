// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Saint Venant-Kirchhoff: psi = mu E:E + lambda/2 (tr E)^2, E = (F^T F - I) / 2.
#include "material/green.h"
#include "material/isotropic.h"

static void prepare(const swMaterial *m, swReal coefficient[SW_LAW_COEFFICIENTS]) {
    swReal lame[SW_LAW_COEFFICIENTS];
    sw_law_prepare_lame(m, lame);
    sw_green_isotropic(lame[0], lame[1], coefficient);
}

static void evaluate(const swReal *coefficient, int nblock, const swReal *F, swReal *psi, swReal *P,
                     swReal *C) {
    sw_green_evaluate(coefficient, false, true, nblock, F, NULL, psi, P, C);
}

const swLaw sw_law_stvk = {
    .name = "stvk",
    .doc = "Saint Venant-Kirchhoff: linear in Green's strain; softens and collapses under strong "
           "compression",
    .nparam = 2,
    .param = {SW_LAME_PARAMS},
    .objective = true,
    .isotropic = true,
    .takes_inversion = true,
    .strain = SW_STRAIN_GREEN,
    .check = sw_law_check_lame,
    .prepare = prepare,
    .evaluate = evaluate,
};
