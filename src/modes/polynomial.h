// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Saint Venant-Kirchhoff in r amplitudes z. F = 1 + sum z_j D_j makes Green's strain quadratic and
// the energy a polynomial of degree four,
//   W = 1/2 K_ij z_i z_j + 1/6 A_ijk z_i z_j z_k + 1/24 B_ijkl z_i z_j z_k z_l,
// whose coefficients are symmetric in all indices. They are stored by pairs (i, j), i >= j.
#pragma once

#include "modes/basis.h"
#include "model/body.h"
#include "modes/tet_samples.h"

static inline int64_t sw_modal_pairs(int r) { return (int64_t)r * (r + 1) / 2; }
// The index of the pair (i, j), i >= j.
static inline int64_t sw_modal_pair(int i, int j) { return (int64_t)i * (i + 1) / 2 + j; }
// The sw_polynomial_size() coefficients are, by pairs: K, the diagonal of B, the rows of A, and the
// rows of B up to the diagonal; rows are padded to whole vectors. sw_polynomial_scratch() is the
// size of the scratch memory.
int64_t sw_polynomial_scratch(int r);
bool sw_polynomial_build(const swFull *full, const swBasis *basis, swPool *pool, swReal *out,
                         swArena *arena, swError *error);
// Returns W, and adds its derivatives to g[r] and to the lower triangle of H, with rows of
// `stride`; both may be NULL. For large rotations W is a small sum of large terms; `size` is set to
// the magnitude of these terms.
swReal sw_polynomial_add(int r, const swReal *coefficient, const swReal *z, swReal *g, swReal *H,
                         int stride, swReal *scratch, swReal *size);
// out[9][r]: D_j at a point of a tetrahedron, entry by entry.
void sw_modal_gradient(const swFull *full, const swBasis *basis, int tet, const swTetSample *point,
                       swReal *out);
