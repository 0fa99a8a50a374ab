// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Stable neo-Hookean (Smith, de Goes and Kim 2018): mu/2 (I1 - 3) + lambda/2 (J - alpha)^2 - mu/2
// ln(I1 + 1), minus its value at rest, with alpha = 1 + 3/4 mu/lambda. It is finite and smooth for
// every F, including inverted ones.
#include "material/invariant.h"
#include "material/isotropic.h"

// Young's modulus and Poisson's ratio are those of Hooke's law at rest: mu -> 4/3 mu, lambda ->
// lambda + 5/6 mu.
static void prepare(const swMaterial *m, swReal coefficient[SW_LAW_COEFFICIENTS]) {
    sw_law_prepare_lame(m, coefficient);
    if (isnan(m->param[0])) {
        coefficient[1] += 5.0 / 6 * coefficient[0];
        coefficient[0] *= 4.0 / 3;
    }
}

// For a given J the energy is lowest if all stretches have the same value s. Its slope there is
// that of
//   3 mu s^2 (1 - s) (3/4 (3 s - 1)/((3 s^2 + 1)(s^2 + s + 1)) - lambda/mu)
// so a second minimum, of a shrunk body, appears as lambda falls below 0.1526 mu. It is as deep as
// the one at rest, at s = 0.595, for lambda = 0.14655 mu. A volume term adds to lambda.
static const char *check(const swMaterial *m) {
    static const swReal least = 0.14655;
    swReal c[SW_LAW_COEFFICIENTS];
    const char *expected = sw_law_check_lame(m);
    if (expected)
        return expected;
    prepare(m, c);
    if (c[1] + m->volume >= least * c[0])
        return NULL;
    return isnan(m->param[0]) ? "a poisson of at least -0.88: below that, a shrunk state has less "
                                "energy than rest"
                              : "lambda, with volume, of at least 0.14655 mu: below that, a shrunk "
                                "state has less energy than rest";
}

SW_INLINE swInvariantEnergy energy(const swReal *coefficient, const swInvariants *i) {
    const double mu = coefficient[0], lambda = coefficient[1],
                 past = 0.75 * mu; // lambda (alpha - 1)
    const swWide inverse = 1.0 / (i->i1 + 4.0);
    return (swInvariantEnergy){.psi = 0.5 * mu * (i->i1 - sw_wide_log1p(0.25 * i->i1)) +
                                      i->j * (0.5 * lambda * i->j - past),
                               .d1 = 0.5 * mu * (1.0 - inverse),
                               .d11 = 0.5 * mu * inverse * inverse,
                               .dJ = lambda * i->j - past,
                               .dJJ = sw_wide(lambda)};
}

static void evaluate(const swReal *coefficient, int nblock, const swReal *F, swReal *psi, swReal *P,
                     swReal *C) {
    sw_invariant_evaluate(energy, false, true, coefficient, nblock, F, psi, P, C);
}

const swLaw sw_law_stable_neo_hookean = {
    .name = "stable-neo-hookean",
    .doc = "neo-Hookean variant for flesh that recovers from any inversion: games, violent motion, "
           "stiff contact",
    .nparam = 2,
    .param = {{"mu", "Pa",
               "mu of the formula; given together with lambda, it replaces young and poisson; the "
               "shear modulus at rest is 3/4 of it",
               0, INFINITY},
              {"lambda", "Pa",
               "lambda of the formula; Lame's first constant at rest is lambda - 5/8 mu", -INFINITY,
               INFINITY}},
    .objective = true,
    .isotropic = true,
    .takes_inversion = true,
    .check = check,
    .prepare = prepare,
    .evaluate = evaluate,
};
