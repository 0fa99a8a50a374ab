// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Neo-Hookean: psi = mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2, infinite for J <= 0.
#include "material/invariant.h"
#include "material/isotropic.h"

SW_INLINE swInvariantEnergy energy(const swReal *coefficient, const swInvariants *i) {
    const double mu = coefficient[0], lambda = coefficient[1];
    const swWide inverse = 1.0 / i->J, slope = (lambda * i->log_J - mu) * inverse;
    return (swInvariantEnergy){.psi = 0.5 * mu * (i->i1 - 2.0 * i->log_J) +
                                      0.5 * lambda * i->log_J * i->log_J,
                               .d1 = sw_wide(0.5 * mu),
                               .dJ = slope,
                               .dJJ = (lambda * inverse - slope) * inverse};
}

static void evaluate(const swReal *coefficient, int nblock, const swReal *F, swReal *psi, swReal *P,
                     swReal *C) {
    sw_invariant_evaluate(energy, false, false, coefficient, nblock, F, psi, P, C);
}

const swLaw sw_law_neo_hookean = {
    .name = "neo-hookean",
    .doc = "compressible neo-Hookean: rubber and soft tissue at large strain; infinite energy at "
           "zero volume",
    .nparam = 2,
    .param = {SW_LAME_PARAMS},
    .objective = true,
    .isotropic = true,
    .check = sw_law_check_lame,
    .prepare = sw_law_prepare_lame,
    .evaluate = evaluate,
};
