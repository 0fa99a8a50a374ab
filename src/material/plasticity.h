// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Plasticity. Multiplicative: F = Fe Fp, and the law sees Fe alone; a sample remembers A = Fp^-1.
// Additive: e = e_el + e_pl, for laws that are linear in a strain e; a sample remembers I + e_pl.
// Either stands row by row, and after it the plastic strain that the sample has gone through:
// [block][SW_PLASTIC][SW_LANES].
#pragma once

#include "material/law.h"
#include "model/body.h"

// Fe = F A
void sw_plastic_split(int nblock, const swReal *plastic, const swReal *F, swReal *Fe);
// From stress and tangent in Fe to those in F: P A^T, and A C_rs A^T for each pair of rows. Either
// may be NULL.
void sw_plastic_pull(int nblock, const swReal *plastic, swReal *P, swReal *C);

// How a material flows in a step.
typedef struct swFlowRule {
    swReal mu, yield, hardening; // [Pa]
    swReal share;                // of the way back to the surface that it goes, from 0 to 1
    swReal limit;                // additive: the most sqrt(2/3) |e_pl| that it takes; infinite: any
} swFlowRule;
swFlowRule sw_flow_rule(const swMaterialInfo *material, swReal h); // over a time h; may be infinite

// Towards the surface of von Mises, along the deviator of the logarithmic strain: |2 mu dev ln Fe|
// = sqrt(2/3) (yield + hardening strain). Keeps det A = 1; samples inside the surface keep their
// bits, inverted ones are left alone. Returns how far the worst was beyond, over the radius.
swReal sw_plastic_flow(const swFlowRule *rule, int nblock, const swReal *F, swReal *plastic);

// psi = mu |e_el|^2 + lambda/2 (tr e)^2, as e_pl has no trace, and P; C is that of the law and
// becomes that of psi. Each of these three may be NULL.
void sw_additive_evaluate(swStrain strain, const swReal lame[2], int nblock, const swReal *plastic,
                          const swReal *F, swReal *psi, swReal *P, swReal *C);
// The same as sw_plastic_flow() along the deviator of e_el, up to the limit. Returns how far the
// worst went, as a stress over the radius: what it was beyond where it flows all the way.
swReal sw_additive_flow(const swFlowRule *rule, swStrain strain, int nblock, const swReal *F,
                        swReal *plastic);
