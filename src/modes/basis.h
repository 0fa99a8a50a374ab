// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The displacements that a reduced body consists of: vibrations at rest, responses to its loads,
// and how both of these bend where they are large.
#pragma once

#include "modes/full.h"
#include "sinew/scene.h"

typedef struct swBasisWish {
    swBasisKind kind;
    int count;      // number of vectors in the basis
    int vibrations; // number of vibrations to take derivatives of
    // SW_BASIS_PCA: forces [nforce][n] whose static displacements are further vectors to choose
    // from.
    int nforce;
    const swReal *force;
} swBasisWish;

typedef struct swBasis {
    int count;         // may be fewer than requested
    swReal *shape;     // [count][n], shape^T M shape = 1, shape^T K shape diagonal
    swReal *stiffness; // [count]: that diagonal, ascending [1/s^2]
    int vibrations;    // number of vibrations computed
    swReal *lambda;    // their eigenvalues, ascending [1/s^2]
} swBasis;

bool sw_basis_create(swBasis *basis, const swFull *full, const swBasisWish *wish, swPool *pool,
                     swArena *arena, swError *error);
// The `count` lowest eigenpairs of K x = lambda M x, or all if there are fewer; shape[count][n]
// with x^T M x = 1.
bool sw_vibrations(const swFull *full, int count, swArena *arena, int *found, swReal **lambda,
                   swReal **shape, swError *error);
// The amplitude at which the vector moves some vertex by the size of the mesh.
swReal sw_modal_amplitude(const swFull *full, const swReal *x);
// -K^-1 times the second derivative of the Saint Venant-Kirchhoff forces along x and y.
void sw_modal_derivative(const swFull *full, const swReal *x, const swReal *y, swReal *out);
