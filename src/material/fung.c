// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Fung (isotropic, Demiray's form): mu/(2 b) (exp(b (I1' - 3)) - 1) + k/2 (J - 1)^2, I1' = I1
// J^(-2/3).
#include "material/isotropic.h"
#include "material/reduced.h"

static void prepare(const swMaterial *m, swReal c[SW_LAW_COEFFICIENTS]) {
    swReal lame[2];
    sw_law_rest_lame(m, lame);
    c[0] = isnan(m->param[0]) ? 1 : m->param[0];
    c[1] = 0.5 * lame[0];
    c[2] = isnan(m->param[1]) ? sw_law_rest_bulk(m) : m->param[1];
}

SW_INLINE swInvariantEnergy energy(const swReal *c, const swInvariants *i) {
    const swReduced r = sw_reduced(i);
    const swWide grown = sw_wide_expm1(c[0] * r.i1);
    swInvariantEnergy e = {.psi = c[1] / c[0] * grown};
    sw_reduced_add_first(&e, i, &r, c[1] * (grown + 1.0), c[0] * c[1] * (grown + 1.0));
    sw_invariant_add_volume(&e, i, sw_wide(c[2]));
    return e;
}

static void evaluate(const swReal *coefficient, int nblock, const swReal *F, swReal *psi, swReal *P,
                     swReal *C) {
    sw_invariant_evaluate(energy, false, false, coefficient, nblock, F, psi, P, C);
}

const swLaw sw_law_fung = {
    .name = "fung",
    .doc = "soft tissue that stiffens exponentially: skin, blood vessels, organ walls",
    .nparam = 2,
    .param = {{"b", "", "exponent: how quickly it stiffens; by default 1", 1e-6, 1e3},
              SW_BULK_PARAM},
    .objective = true,
    .isotropic = true,
    .prepare = prepare,
    .evaluate = evaluate,
};
