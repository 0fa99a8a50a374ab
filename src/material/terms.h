// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Terms that can be added to the energy of any law, with exact stress and tangent. P and C may be
// NULL.
#pragma once

#include "material/law.h"

// k/2 (J - 1)^2, finite for inverted F too. It is isotropic, so sw_law_project() may be applied
// afterwards.
void sw_volume_add(swReal k, int nblock, const swReal *F, swReal *psi, swReal *P, swReal *C);

// pressure (J - 1), with a separate pressure for each sample: [block][SW_LANES]. No part of it is
// convex.
void sw_pressure_add(const swReal *pressure, int nblock, const swReal *F, swReal *P, swReal *C);

// Fibres along the unit vector a at rest, with I4 = |F a|^2. Passive, where I4 > 1: k1/(2 k2)
// (exp(k2 (I4 - 1)^2) - 1). Active: tension |F a|, a constant nominal stress along the fibre. Both
// are convex in F, so the tangent is positive semi-definite without projection.
void sw_fibre_add(swVec3 a, swReal k1, swReal k2, swReal tension, int nblock, const swReal *F,
                  swReal *psi, swReal *P, swReal *C);
