// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Mooney-Rivlin: c10 (I1 J^(-2/3) - 3) + c01 (I2 J^(-4/3) - 3) + k/2 (J - 1)^2.
#include "material/isotropic.h"
#include "material/reduced.h"

// At rest mu = 2 (c10 + c01), and k is the bulk modulus.
static const char *check(const swMaterial *m) {
    swReal lame[2];
    sw_law_rest_lame(m, lame);
    return isnan(m->param[0]) && m->param[1] > 0.5 * lame[0]
               ? "c01 at most half the shear modulus of young and poisson, or c10 given too"
               : NULL;
}

static void prepare(const swMaterial *m, swReal c[SW_LAW_COEFFICIENTS]) {
    swReal lame[2];
    sw_law_rest_lame(m, lame);
    c[1] = isnan(m->param[1]) ? 0 : m->param[1];
    c[0] = isnan(m->param[0]) ? 0.5 * lame[0] - c[1] : m->param[0];
    c[2] = isnan(m->param[2]) ? sw_law_rest_bulk(m) : m->param[2];
}

SW_INLINE swInvariantEnergy energy(const swReal *c, const swInvariants *i) {
    const swReduced r = sw_reduced(i);
    swInvariantEnergy e = {.psi = c[0] * r.i1 + c[1] * r.i2};
    sw_reduced_add_first(&e, i, &r, sw_wide(c[0]), sw_wide(0));
    sw_reduced_add_second(&e, i, &r, sw_wide(c[1]), sw_wide(0));
    sw_invariant_add_volume(&e, i, sw_wide(c[2]));
    return e;
}

static void evaluate(const swReal *coefficient, int nblock, const swReal *F, swReal *psi, swReal *P,
                     swReal *C) {
    sw_invariant_evaluate(energy, true, false, coefficient, nblock, F, psi, P, C);
}

const swLaw sw_law_mooney_rivlin = {
    .name = "mooney-rivlin",
    .doc = "rubber up to about twofold stretch, with two constants to fit",
    .nparam = 3,
    .param = {{"c10", "Pa", "coefficient of the first reduced invariant; by default mu/2 - c01", 0,
               INFINITY},
              {"c01", "Pa", "coefficient of the second reduced invariant; by default 0", 0,
               INFINITY},
              SW_BULK_PARAM},
    .objective = true,
    .isotropic = true,
    .check = check,
    .prepare = prepare,
    .evaluate = evaluate,
};
