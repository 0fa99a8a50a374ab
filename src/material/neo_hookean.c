// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Neo-Hookean: psi = mu/2 (I1 - 3) - mu ln J + U(J), infinite for J <= 0, with U = lambda/2 (ln
// J)^2. For negative lambda this would have no lower bound, so then U = lambda (9/4 (J^(2/3) - 1) -
// 3/2 ln J), which has the same stiffness at rest. It is a multiple, above -1, of the minimum of
// the other terms at that J, so that no state has less energy than rest, for any bulk modulus.
#include "material/invariant.h"
#include "material/isotropic.h"

SW_INLINE swInvariantEnergy energy(const swReal *coefficient, const swInvariants *i) {
    const double mu = coefficient[0], lambda = coefficient[1];
    const swWide inverse = 1.0 / i->J;
    swInvariantEnergy e = {.psi = 0.5 * mu * (i->i1 - 2.0 * i->log_J), .d1 = sw_wide(0.5 * mu)};
    if (lambda < 0) {
        const swWide grown = sw_wide_expm1(2.0 / 3 * i->log_J); // J^(2/3) - 1
        e.psi = e.psi + lambda * (2.25 * grown - 1.5 * i->log_J);
        e.dJ = (1.5 * lambda * grown - mu) * inverse;
        e.dJJ = (lambda * (1.0 - 0.5 * grown) + mu) * inverse * inverse;
        return e;
    }
    e.psi = e.psi + 0.5 * lambda * i->log_J * i->log_J;
    e.dJ = (lambda * i->log_J - mu) * inverse;
    e.dJJ = (lambda * inverse - e.dJ) * inverse;
    return e;
}

static void evaluate(const swReal *coefficient, int nblock, const swReal *F, swReal *psi, swReal *P,
                     swReal *C) {
    sw_invariant_evaluate(energy, false, false, coefficient, nblock, F, psi, P, C);
}

const swLaw sw_law_neo_hookean = {
    .name = "neo-hookean",
    .doc = "compressible neo-Hookean, for rubber and soft tissue at large strain; infinite energy "
           "at zero volume",
    .nparam = 2,
    .param = {SW_LAME_PARAMS},
    .objective = true,
    .isotropic = true,
    .check = sw_law_check_lame,
    .prepare = sw_law_prepare_lame,
    .evaluate = evaluate,
};
