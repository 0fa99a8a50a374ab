// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Multiplicative plasticity: F = Fe Fp, and the law sees Fe alone. What a sample remembers is A =
// Fp^-1, row by row, and the plastic strain it has gone through: [block][SW_PLASTIC][SW_LANES].
#pragma once

#include "material/law.h"
#include "model/model.h"

// Fe = F A
void sw_plastic_split(int nblock, const swReal *plastic, const swReal *F, swReal *Fe);
// From stress and tangent in Fe to those in F: P A^T, and A C_rs A^T for each pair of rows. Either
// may be NULL.
void sw_plastic_pull(int nblock, const swReal *plastic, swReal *P, swReal *C);
// Back to the surface of von Mises, along the deviator of the logarithmic strain: |2 mu dev ln Fe|
// = sqrt(2/3) (yield + hardening strain). Keeps det A = 1; samples inside the surface keep their
// bits, inverted ones are left alone. Returns how far the worst was beyond, over the radius.
swReal sw_plastic_flow(swReal mu, swReal yield, swReal hardening, int nblock, const swReal *F,
                       swReal *plastic);
