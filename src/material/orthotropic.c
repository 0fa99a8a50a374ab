// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Saint Venant-Kirchhoff with three axes: psi = 1/2 E : D : E, E = (F^T F - I) / 2. D is the
// inverse of the compliance matrix with the entries 1/e_i, -nu_ij/e_i = -nu_ji/e_j and 1/g_ij.
#include "material/green.h"
#include "material/isotropic.h"

enum { E1, E2, E3, NU12, NU23, NU31, G12, G23, G31, CONSTANTS };

// Constants that are not given follow from young and poisson.
static void constants(const swMaterial *m, swReal c[CONSTANTS]) {
    swReal lame[2];
    sw_law_rest_lame(m, lame);
    for (int i = 0; i < CONSTANTS; i++)
        c[i] = !isnan(m->param[i]) ? m->param[i]
               : i < NU12          ? m->young
               : i < G12           ? m->poisson
                                   : lame[0];
}

// Compliances 12 13 23 of the normal strains times sqrt(e_i e_j), which makes 11 22 33 equal to 1.
// Returns the determinant.
static swReal couple(const swReal c[CONSTANTS], swReal a[3]) {
    a[0] = -c[NU12] * sqrt(c[E2] / c[E1]);
    a[1] = -c[NU31] * sqrt(c[E1] / c[E3]);
    a[2] = -c[NU23] * sqrt(c[E3] / c[E2]);
    return 1 - a[0] * a[0] - a[1] * a[1] - a[2] * a[2] + 2 * a[0] * a[1] * a[2];
}

static const char *check(const swMaterial *m) {
    swReal c[CONSTANTS], a[3];
    constants(m, c);
    for (int i = 0; i < CONSTANTS; i++)
        if ((i < NU12 || i >= G12) && !(c[i] > 0))
            return "e1, e2, e3, g12, g23 and g31 above 0";
    return couple(c, a) > 0 && fabs(a[0]) < 1 && fabs(a[1]) < 1 && fabs(a[2]) < 1
               ? NULL
               : "constants that resist every strain: nu12^2 < e1/e2, nu23^2 < e2/e3, nu31^2 < "
                 "e3/e1 and nu12^2 e2/e1 + nu23^2 e3/e2 + nu31^2 e1/e3 + 2 nu12 nu23 nu31 < 1";
}

static void prepare(const swMaterial *m, swReal D[SW_LAW_COEFFICIENTS]) {
    swReal c[CONSTANTS], a[3], det;
    constants(m, c);
    det = couple(c, a);
    for (int i = 0; i < 3; i++) {
        const int k = sw_pair_row[3 + i], l = sw_pair_column[3 + i], j = (i + 1) % 3, n = 3 - k - l;
        D[n] = c[n] * (1 - a[i] * a[i]) / det; // pair i leaves out axis n
        D[3 + i] = sqrt(c[k] * c[l]) * (a[j] * a[3 - i - j] - a[i]) / det;
    }
    D[6] = c[G12];
    D[7] = c[G31];
    D[8] = c[G23];
}

static void evaluate(const swReal *coefficient, int nblock, const swReal *F, swReal *psi, swReal *P,
                     swReal *C) {
    sw_green_evaluate(coefficient, false, true, nblock, F, NULL, psi, P, C);
}

#define MODULUS(name, doc) \
    { name, "Pa", doc, 0, INFINITY }
#define RATIO(name, doc) \
    { name, "", doc, -INFINITY, INFINITY }

const swLaw sw_law_orthotropic = {
    .name = "orthotropic",
    .doc = "linear in Green's strain, with separate moduli along the rest axes x, y, z of the "
           "body: wood, laminates, woven and printed parts",
    .nparam = CONSTANTS,
    .param = {MODULUS("e1", "Young's modulus along x; by default young"),
              MODULUS("e2", "Young's modulus along y; by default young"),
              MODULUS("e3", "Young's modulus along z; by default young"),
              RATIO("nu12", "contraction along y per stretch along x; by default poisson"),
              RATIO("nu23", "contraction along z per stretch along y; by default poisson"),
              RATIO("nu31", "contraction along x per stretch along z; by default poisson"),
              MODULUS("g12", "shear modulus in the x-y plane; by default from young and poisson"),
              MODULUS("g23", "shear modulus in the y-z plane; by default from young and poisson"),
              MODULUS("g31", "shear modulus in the z-x plane; by default from young and poisson")},
    .objective = true,
    .takes_inversion = true,
    .check = check,
    .prepare = prepare,
    .evaluate = evaluate,
};
