// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Arruda-Boyce (eight chains): mu' sum_n c_n / limit^(2n-2) ((I1')^n - 3^n) + k/2 (J - 1)^2, I1' =
// I1 J^(-2/3), with five terms of the inverse Langevin function. It stiffens as the stretch
// approaches the limit of the chains.
#include "material/isotropic.h"
#include "material/reduced.h"

static const double series[5] = {1.0 / 2, 1.0 / 20, 11.0 / 1050, 19.0 / 7000, 519.0 / 673750};

// The shear modulus at rest is 2 dpsi/dI1 at I1 = 3; mu' is scaled so that it equals the
// material's.
static void prepare(const swMaterial *m, swReal c[SW_LAW_COEFFICIENTS]) {
    swReal lame[2], limit = isnan(m->param[0]) ? 3 : m->param[0], slope = 0;
    sw_law_rest_lame(m, lame);
    for (int n = 0; n < 5; n++)
        slope += 2 * (n + 1) * series[n] * pow(3, n) / pow(limit, 2 * n);
    for (int n = 0; n < 5; n++)
        c[n] = lame[0] / slope * series[n] / pow(limit, 2 * n);
    c[5] = isnan(m->param[1]) ? sw_law_rest_bulk(m) : m->param[1];
}

SW_INLINE swInvariantEnergy energy(const swReal *c, const swInvariants *i) {
    const swReduced r = sw_reduced(i);
    const swWide x = 3.0 + r.i1, d = r.i1;
    // x^n - 3^n = d (x^(n-1) + 3 x^(n-2) + ... + 3^(n-1)), which avoids cancellation near rest
    swWide sum = sw_wide(0), f = sw_wide(0), ff = sw_wide(0), power = sw_wide(1), last = sw_wide(0),
           chain = sw_wide(0);
    double three = 1;
    for (int n = 1; n <= 5; n++, three *= 3) {
        chain = chain * x + three;
        sum = sum + c[n - 1] * d * chain;
        f = f + n * c[n - 1] * power;
        ff = ff + n * (n - 1) * c[n - 1] * last;
        last = power;
        power = power * x;
    }
    swInvariantEnergy e = {.psi = sum};
    sw_reduced_add_first(&e, i, &r, f, ff);
    sw_invariant_add_volume(&e, i, sw_wide(c[5]));
    return e;
}

static void evaluate(const swReal *coefficient, int nblock, const swReal *F, swReal *psi, swReal *P,
                     swReal *C) {
    sw_invariant_evaluate(energy, false, false, coefficient, nblock, F, psi, P, C);
}

const swLaw sw_law_arruda_boyce = {
    .name = "arruda-boyce",
    .doc = "rubber up to its locking stretch, described by one modulus and the limiting stretch of "
           "its chains",
    .nparam = 2,
    .param = {{"limit", "", "stretch at which the chains lock; by default 3", 1, INFINITY},
              SW_BULK_PARAM},
    .objective = true,
    .isotropic = true,
    .prepare = prepare,
    .evaluate = evaluate,
};
