// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Variable rest shapes: F = Fe G, and the law only sees Fe. G = I + sum_k z_k (U_k - I) mixes the
// stretches U_k of a body's shapes by their shares z_k, each from 0 to 1. Compiling checks that it
// is positive definite for all such shares. A shape is stored as U_k - I in the order xx, yy, zz,
// xy, yz, zx: [block][shape][SW_STRETCH][SW_LANES].
#pragma once

#include "model/body.h"

// Computes A = G^-1 in the layout of the plastic inverse, [block][SW_PLASTIC][SW_LANES], so that
// sw_plastic_split() and sw_plastic_pull() work for both.
void sw_rest_inverse(int nblock, int nshape, const swReal *share, const swReal *stretch,
                     swReal *inverse);

// How the energy of one block changes with the shares of n of its shapes, given stress and tangent
// in F: adds the derivatives, times the weight, to g[n] and H[n][n].
typedef struct swRestBlock {
    const swReal *F, *P, *C, *inverse, *weight;
    const swReal *stretch; // stretches of the block
} swRestBlock;
void sw_rest_derive(const swRestBlock *block, int n, const int *shape, swReal *g, swReal *H);
