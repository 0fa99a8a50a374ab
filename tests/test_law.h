// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// One deformation gradient at a time through a law.
#pragma once

#include "material/law.h"
#include "test_tools.h"

typedef struct {
    const swLaw *law;
    swReal young, poisson, mu, lambda;
    swReal coefficient[SW_LAW_COEFFICIENTS];
} Solid;

// The law's own parameters are the first `count` of `param`; not-a-number: left out.
static inline swMaterial make_material(const swLaw *law, swReal young, swReal poisson, int count,
                                       const swReal *param) {
    swMaterial material = {.law = law->name, .young = young, .poisson = poisson, .density = 1};
    for (int i = 0; i < SW_MATERIAL_PARAMS; i++)
        material.param[i] = i < count ? param[i] : NAN;
    return material;
}

static inline Solid make_solid_with(const swLaw *law, swReal young, swReal poisson, int count,
                                    const swReal *param) {
    Solid s = {law,
               young,
               poisson,
               young / (2 * (1 + poisson)),
               young * poisson / ((1 + poisson) * (1 - 2 * poisson)),
               {0}};
    swMaterial material = make_material(law, young, poisson, count, param);
    if (law->check)
        assert_null(law->check(&material));
    law->prepare(&material, s.coefficient);
    return s;
}

static inline Solid make_solid(const swLaw *law, swReal young, swReal poisson) {
    return make_solid_with(law, young, poisson, 0, NULL);
}

static inline swReal largest(int n, const swReal *a) {
    swReal size = 0;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(a[i]));
    return size;
}

// The place of entry i of a tangent, as kept, in the full 9 x 9 matrix.
static inline int tangent_row(int i) { return 3 * sw_pair_row[i / 9] + i % 9 / 3; }
static inline int tangent_column(int i) { return 3 * sw_pair_column[i / 9] + i % 3; }

static inline void unpack_tangent(const swReal *c, int lane, swReal C[81]) {
    for (int i = 0; i < SW_TANGENT; i++)
        C[9 * tangent_row(i) + tangent_column(i)] = C[9 * tangent_column(i) + tangent_row(i)] =
            c[i * SW_LANES + lane];
}

// C is the full 9 x 9 matrix; it and P may be NULL. All lanes hold F, and must agree.
static inline swReal evaluate(const Solid *s, swMat3 F, swMat3 *P, swReal C[81]) {
    swReal f[9 * SW_LANES], psi[SW_LANES], p[9 * SW_LANES], c[SW_TANGENT * SW_LANES];
    for (int i = 0; i < 9 * SW_LANES; i++)
        f[i] = F.m[i / SW_LANES];
    s->law->evaluate(s->coefficient, 1, f, psi, P ? p : NULL, C ? c : NULL);
    for (int lane = 1; lane < SW_LANES; lane++)
        assert_memory_equal(&psi[lane], &psi[0], sizeof psi[0]);
    for (int i = 0; P && i < 9; i++)
        P->m[i] = p[i * SW_LANES];
    if (!C)
        return psi[0];
    unpack_tangent(c, 0, C);
    for (int i = 0; i < 27; i++) // rows r = s are kept whole: must be symmetric
        assert_near(c[i * SW_LANES], c[(i / 9 * 9 + 3 * (i % 3) + i % 9 / 3) * SW_LANES],
                    1e-14 * largest(81, C));
    return psi[0];
}

static inline swMat3 rotated_stretch(Random *r, swReal a, swReal b, swReal c) {
    swMat3 U = random_rotation(r), V = random_rotation(r);
    return sw_mat_mul(sw_mat_mul(U, sw_mat_diag(a, b, c)), V);
}

// Near rest, rotated, large strain, flattened, equal stretches, inverted once, inverted thrice.
enum { GRADIENT_KINDS = 7 };

// False where the law does not take such a deformation.
static inline bool some_gradient(const swLaw *law, Random *r, int kind, swMat3 *F) {
    swReal a = random_in(r, 0.4, 2.5), b = random_in(r, 0.4, 2.5), c = random_in(r, 0.4, 2.5);
    switch (kind) {
    case 0:
        *F = random_mat(r, 1e-3);
        for (int i = 0; i < 3; i++)
            F->m[4 * i] += 1;
        break;
    case 1: *F = rotated_stretch(r, 1 + 0.1 * a, 1, 1 - 0.1 * c); break;
    case 2: *F = rotated_stretch(r, a, b, c); break;
    case 3: *F = rotated_stretch(r, a, b, pow(10, random_in(r, -3, -1))); break;
    case 4: *F = rotated_stretch(r, a, a, a); break;
    case 5: *F = rotated_stretch(r, a, b, -c); break;
    default: *F = rotated_stretch(r, -a, -b, -c); break;
    }
    return law->takes_inversion || kind < 5;
}

// The least stretch, or the sum of the least two where F is inverted: there the singular values
// meet in size and energies in them have a kink. `ratio` of the largest to it.
static inline swReal least_stretch(swMat3 F, swReal *ratio) {
    swMat3 U, V;
    swVec3 s;
    sw_mat_svd(F, &U, &s, &V);
    swReal least = fmin(fabs(s.z), s.y + s.z);
    *ratio = s.x / least;
    return least;
}
