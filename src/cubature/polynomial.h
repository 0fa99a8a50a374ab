// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Products of Legendre polynomials in x, y, z up to a total degree, ordered by that degree: on the
// cube [-1, 1]^3 they are far better conditioned than monomials.
#pragma once

#include "math/vec.h"

enum { SW_POLY_DEGREE = 8, SW_POLY_SIZE = 165 };

// How many there are: (n + 1)(n + 2)(n + 3) / 6.
static inline int sw_poly_size(int degree) {
    return (degree + 1) * (degree + 2) * (degree + 3) / 6;
}

// P_0 .. P_degree at t.
static inline void sw_legendre(int degree, swReal t, swReal *P) {
    P[0] = 1;
    if (degree > 0)
        P[1] = t;
    for (int n = 1; n < degree; n++)
        P[n + 1] = ((2 * n + 1) * t * P[n] - n * P[n - 1]) / (n + 1);
}

// Products P_a(x) P_b(y) P_c(z) with a + b + c <= degree of values per axis.
static inline void sw_poly_products(int degree, swReal (*P)[SW_POLY_DEGREE + 1], swReal *out) {
    for (int n = 0; n <= degree; n++)
        for (int a = n; a >= 0; a--)
            for (int b = n - a; b >= 0; b--)
                *out++ = P[0][a] * P[1][b] * P[2][n - a - b];
}
