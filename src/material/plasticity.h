// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Plasticity. Multiplicative: F = Fe Fp, and the law only sees Fe; a sample stores A = Fp^-1.
// Additive: e = e_el + e_pl, for laws that are linear in a strain e; a sample stores I + e_pl.
// Either is stored row-major, followed by the accumulated plastic strain of the sample:
// [block][SW_PLASTIC][SW_LANES].
#pragma once

#include "material/law.h"
#include "model/body.h"

// Fe = F A
void sw_plastic_split(int nblock, const swReal *plastic, const swReal *F, swReal *Fe);
// Converts stress and tangent in Fe to those in F: P A^T, and A C_rs A^T for each pair of rows.
// Either may be NULL.
void sw_plastic_pull(int nblock, const swReal *plastic, swReal *P, swReal *C);

// How a material flows in one step.
typedef struct swFlowRule {
    swReal mu, yield, hardening; // [Pa]
    swReal share;                // share of the way back to the yield surface, from 0 to 1
    swReal limit;                // additive: the largest sqrt(2/3) |e_pl|; infinite: no limit
} swFlowRule;
swFlowRule sw_flow_rule(const swMaterialInfo *material, swReal h); // for a step h, may be infinite

// Flows towards the von Mises surface along the deviator of the logarithmic strain: |2 mu dev ln
// Fe| = sqrt(2/3) (yield + hardening strain). Keeps det A = 1. Samples inside the surface keep
// their bits, and inverted ones are skipped. Returns how far the worst sample was beyond the
// surface, relative to its radius.
swReal sw_plastic_flow(const swFlowRule *rule, int nblock, const swReal *F, swReal *plastic);

// psi = mu |e_el|^2 + lambda/2 (tr e)^2, as e_pl has no trace, and P. C must hold the tangent of
// the law and becomes that of psi. Each of the three may be NULL.
void sw_additive_evaluate(swStrain strain, const swReal lame[2], int nblock, const swReal *plastic,
                          const swReal *F, swReal *psi, swReal *P, swReal *C);
// Like sw_plastic_flow(), but along the deviator of e_el, up to the limit. Returns how far the
// worst sample flowed, as a stress relative to the radius: how far it was beyond the surface if it
// flows all the way.
swReal sw_additive_flow(const swFlowRule *rule, swStrain strain, int nblock, const swReal *F,
                        swReal *plastic);
