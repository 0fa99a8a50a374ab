// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Rest shapes that change: F = Fe G, and the law sees Fe alone. G = I + sum_k z_k (U_k - I) mixes
// the stretches U_k of a body's shapes by their shares z_k, each from 0 to 1; it is positive
// definite for all of these, which compiling checks. What is kept of a shape is U_k - I as xx, yy,
// zz, xy, yz, zx: [block][shape][SW_STRETCH][SW_LANES].
#pragma once

#include "model/body.h"

// A = G^-1 where plasticity has its own inverse: [block][SW_PLASTIC][SW_LANES], so that
// sw_plastic_split() and sw_plastic_pull() serve both.
void sw_rest_inverse(int nblock, int nshape, const swReal *share, const swReal *stretch,
                     swReal *inverse);

// How the energy of one block changes with the shares of n of its shapes, from stress and tangent
// in F: adds weight times its derivatives to g[n] and H[n][n].
typedef struct swRestBlock {
    const swReal *F, *P, *C, *inverse, *weight;
    const swReal *stretch; // of the block
} swRestBlock;
void sw_rest_derive(const swRestBlock *block, int n, const int *shape, swReal *g, swReal *H);
