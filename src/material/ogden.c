// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Ogden: sum_p mu_p/alpha_p (sum_i l_i^alpha_p - 3) + k/2 (J - 1)^2 with l_i = s_i J^(-1/3), up to
// three terms.
#include "material/isotropic.h"
#include "material/stretch.h"

enum { TERMS = 3 };

// At rest 2 mu = sum mu_p alpha_p. Without constants of its own: one term, alpha = 2.
static void prepare(const swMaterial *m, swReal c[SW_LAW_COEFFICIENTS]) {
    swReal lame[SW_LAW_COEFFICIENTS];
    sw_law_rest_lame(m, lame);
    for (int p = 0; p < TERMS; p++) {
        const bool given = !isnan(m->param[2 * p]) && !isnan(m->param[2 * p + 1]);
        c[2 * p] = given ? m->param[2 * p] : 0;
        c[2 * p + 1] = given ? m->param[2 * p + 1] : 1;
    }
    if (isnan(m->param[0])) {
        c[1] = isnan(m->param[1]) ? 2 : m->param[1];
        c[0] = 2 * lame[0] / c[1];
    }
    c[6] = isnan(m->param[6]) ? lame[1] + 2.0 / 3 * lame[0] : m->param[6];
}

SW_INLINE swStretchEnergy energy(const swReal *c, const swWide s[3]) {
    swStretchEnergy e = {.psi = sw_wide(0), .valid = SW_WIDE_MASK(s[2] > 1e-100)};
    swWide l[3], inverse[3], g[3], h[3];
    for (int i = 0; i < 3; i++) {
        const swWide safe = sw_wide_select(e.valid, s[i], sw_wide(1.0));
        l[i] = sw_wide_log(safe);
        inverse[i] = 1.0 / safe;
        g[i] = h[i] = sw_wide(0);
    }
    const swWide mean = (l[0] + l[1] + l[2]) * (1.0 / 3);
    for (int p = 0; p < TERMS; p++)
        for (int i = 0; i < 3 && c[2 * p] != 0; i++) {
            const double mu = c[2 * p], alpha = c[2 * p + 1];
            swWide grown = sw_wide_expm1(alpha * (l[i] - mean)), power = grown + 1.0;
            e.psi = e.psi + mu / alpha * grown;
            g[i] = g[i] + mu * power;
            h[i] = h[i] + mu * alpha * power;
        }
    // Derivatives in ln s, then in s; the volume term in J.
    const swWide J = s[0] * s[1] * s[2], j = J - 1.0, gm = (g[0] + g[1] + g[2]) * (1.0 / 3),
                 hm = (h[0] + h[1] + h[2]) * (1.0 / 9);
    e.psi = e.psi + 0.5 * c[6] * j * j;
    for (int i = 0; i < 3; i++) {
        e.d[i] = (g[i] - gm + c[6] * j * J) * inverse[i];
        for (int k = 0; k < 3; k++) {
            swWide w = hm - (h[i] + h[k]) * (1.0 / 3) + c[6] * J * (J + j);
            if (i == k)
                w = w + h[i] - (g[i] - gm) - c[6] * j * J;
            e.dd[i][k] = w * inverse[i] * inverse[k];
        }
    }
    return e;
}

static void evaluate(const swReal *coefficient, int nblock, const swReal *F, swReal *psi, swReal *P,
                     swReal *C) {
    sw_stretch_evaluate(energy, coefficient, nblock, F, psi, P, C);
}

const swLaw sw_law_ogden = {
    .name = "ogden",
    .doc = "rubber and tissue fitted over a wide range of stretch, by up to three terms",
    .nparam = 7,
    .param = {{"mu1", "Pa", "modulus of the first term; by default from young and poisson",
               -INFINITY, INFINITY},
              {"alpha1", "", "its exponent; 2 by default", -50, 50},
              {"mu2", "Pa", "modulus of the second term; none by default", -INFINITY, INFINITY},
              {"alpha2", "", "its exponent", -50, 50},
              {"mu3", "Pa", "modulus of the third term; none by default", -INFINITY, INFINITY},
              {"alpha3", "", "its exponent", -50, 50},
              SW_BULK_PARAM},
    .prepare = prepare,
    .evaluate = evaluate,
};
