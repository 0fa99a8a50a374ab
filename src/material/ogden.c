// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Ogden: sum_p mu_p/alpha_p (sum_i l_i^alpha_p - 3) + k/2 (J - 1)^2 with l_i = s_i J^(-1/3), up to
// three terms.
#include "material/isotropic.h"
#include "material/stretch.h"
#include "math/vec.h"

enum { TERMS = 3 };

// At rest 2 mu = sum mu_p alpha_p. By default the first term gets what the others leave.
static void prepare(const swMaterial *m, swReal c[SW_LAW_COEFFICIENTS]) {
    swReal lame[2], left;
    sw_law_rest_lame(m, lame);
    left = 2 * lame[0];
    for (int p = TERMS - 1; p >= 0; p--) {
        swReal *mu = &c[2 * p], *alpha = &c[2 * p + 1];
        *alpha = isnan(m->param[2 * p + 1]) ? 2 : m->param[2 * p + 1];
        *mu = !isnan(m->param[2 * p]) ? m->param[2 * p] : p == 0 ? left / *alpha : 0;
        left -= *mu * *alpha;
    }
    c[6] = isnan(m->param[6]) ? sw_law_rest_bulk(m) : m->param[6];
}

// Terms with mu_p alpha_p > 0 are never negative. With others, the sum is sampled along stretches
// of every kind, from tension (cos 0) to compression (cos 60 degrees), as far as numbers go: if
// such a term had the largest exponent, there would be no lower bound.
static bool rest_is_lowest(const swReal c[SW_LAW_COEFFICIENTS]) {
    enum { DIRECTIONS = 24 };
    static const swReal nearest = 0.01, further = 1.1, farthest = 600; // logarithms of the stretch
    swReal largest = 0;
    bool good = true;
    for (int p = 0; p < TERMS; p++) {
        largest = c[2 * p] != 0 ? sw_max(largest, fabs(c[2 * p + 1])) : largest;
        good = good && c[2 * p] * c[2 * p + 1] >= 0;
    }
    for (int d = 0; d <= DIRECTIONS && !good; d++)
        for (swReal r = nearest; r * largest < farthest; r *= further) {
            swReal sum = 0, size = 0;
            for (int p = 0; p < TERMS; p++)
                for (int i = 0; i < 3 && c[2 * p] != 0; i++) {
                    const swReal l = r * cos(SW_PI / 3 * ((swReal)d / DIRECTIONS - 2 * i)),
                                 term = c[2 * p] / c[2 * p + 1] * expm1(c[2 * p + 1] * l);
                    sum += term;
                    size += fabs(term);
                }
            if (sum < -1e-9 * size)
                return false;
        }
    return true;
}

static const char *check(const swMaterial *m) {
    swReal c[SW_LAW_COEFFICIENTS], stiffness = 0;
    for (int p = 0; p < TERMS; p++)
        if (m->param[2 * p + 1] == 0)
            return "exponents other than 0";
    prepare(m, c);
    for (int p = 0; p < TERMS; p++)
        stiffness += c[2 * p] * c[2 * p + 1];
    return stiffness > 0 && !rest_is_lowest(c)
               ? "terms whose energy is lowest at rest, as that of terms with "
                 "mu_p alpha_p > 0 is"
               : NULL;
}

SW_INLINE swStretchEnergy energy(const swReal *c, const swWide s[3]) {
    swStretchEnergy e = {.psi = sw_wide(0), .valid = SW_WIDE_MASK(s[2] > 1e-50)};
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
    // Derivatives in ln s, converted to s; and the volume term in J.
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
    sw_stretch_flip(&e, s);
    return e;
}

static void evaluate(const swReal *coefficient, int nblock, const swReal *F, swReal *psi, swReal *P,
                     swReal *C) {
    sw_stretch_evaluate(energy, coefficient, nblock, F, psi, P, C);
}

const swLaw sw_law_ogden = {
    .name = "ogden",
    .doc = "rubber and tissue over a wide range of stretch, fitted with up to three terms",
    .nparam = 7,
    .param = {{"mu1", "Pa", "modulus of the first term; by default from young and poisson",
               -INFINITY, INFINITY},
              {"alpha1", "", "its exponent, not 0; 2 by default", -50, 50},
              {"mu2", "Pa", "modulus of the second term; 0 by default", -INFINITY, INFINITY},
              {"alpha2", "", "its exponent, not 0; 2 by default", -50, 50},
              {"mu3", "Pa", "modulus of the third term; 0 by default", -INFINITY, INFINITY},
              {"alpha3", "", "its exponent, not 0; 2 by default", -50, 50},
              SW_BULK_PARAM},
    .objective = true,
    .isotropic = true,
    .check = check,
    .prepare = prepare,
    .evaluate = evaluate,
};
