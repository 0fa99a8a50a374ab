// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Displacements that a reduced body is made of: vibrations at rest, what its loads do to it, and
// how both bend where they are large.
#pragma once

#include "modes/full.h"
#include "sinew/scene.h"

typedef struct swBasisWish {
    swBasisKind kind;
    int count;      // vectors in the basis
    int vibrations; // of which derivatives are made
    // SW_BASIS_PCA: forces [nforce][n] whose static displacements are vectors to choose from, too.
    int nforce;
    const swReal *force;
} swBasisWish;

typedef struct swBasis {
    int count;         // fewer than wished for where there are no more
    swReal *shape;     // [count][n], shape^T M shape = 1, shape^T K shape diagonal
    swReal *stiffness; // [count]: that diagonal, ascending [1/s^2]
    int vibrations;    // that were computed
    swReal *lambda;    // of these, ascending [1/s^2]
} swBasis;

bool sw_basis_create(swBasis *basis, const swFull *full, const swBasisWish *wish, swPool *pool,
                     swArena *arena, swError *error);
// The `count` lowest of K x = lambda M x, or all there are; shape[count][n] with x^T M x = 1.
bool sw_vibrations(const swFull *full, int count, swArena *arena, int *found, swReal **lambda,
                   swReal **shape, swError *error);
// The amplitude at which a vector moves some vertex by the size of the mesh.
swReal sw_modal_amplitude(const swFull *full, const swReal *x);
// -K^-1 times the second derivative of the forces of Saint Venant-Kirchhoff along x and y.
void sw_modal_derivative(const swFull *full, const swReal *x, const swReal *y, swReal *out);
