// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Saint Venant-Kirchhoff in r amplitudes z: F = 1 + sum z_j D_j makes Green's strain quadratic and
// the energy a polynomial of degree four,
//   W = 1/2 K_ij z_i z_j + 1/6 A_ijk z_i z_j z_k + 1/24 B_ijkl z_i z_j z_k z_l,
// whose coefficients are symmetric in all indices. They are kept by pairs (i, j), i >= j.
#pragma once

#include "modes/basis.h"
#include "model/body.h"
#include "modes/tet_samples.h"

static inline int64_t sw_modal_pairs(int r) { return (int64_t)r * (r + 1) / 2; }
// The number of the pair (i, j), i >= j.
static inline int64_t sw_modal_pair(int i, int j) { return (int64_t)i * (i + 1) / 2 + j; }
// The sw_polynomial_size() coefficients are for each pair K, the diagonal of B, a row of A and a
// row of B up to the diagonal, rows filled up to whole vectors. Numbers of scratch memory.
int64_t sw_polynomial_scratch(int r);
bool sw_polynomial_build(const swFull *full, const swBasis *basis, swPool *pool, swReal *out,
                         swArena *arena, swError *error);
// W, and its derivatives added to g[r] and the lower triangle of H, rows of `stride`; both may be
// NULL.
// Large turns are a small sum of large parts: `size` is that of these.
swReal sw_polynomial_add(int r, const swReal *coefficient, const swReal *z, swReal *g, swReal *H,
                         int stride, swReal *scratch, swReal *size);
// out[9][r]: D_j at a point of a tetrahedron, entry by entry.
void sw_modal_gradient(const swFull *full, const swBasis *basis, int tet, const swTetSample *point,
                       swReal *out);
