// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "material/law.h"

// Viscosity proportional to the rate of Green's strain over one step: adds factor (mu D:D +
// lambda/2 (tr D)^2) with D = E(F) - E(F0) and factor = beta / h, and its derivatives. At small
// strain this is stiffness-proportional Rayleigh damping; unlike that, it does not damp any rigid
// motion. With `semidefinite` the tangent keeps only its positive semi-definite part.
void sw_viscosity_add(swReal mu, swReal lambda, swReal factor, bool semidefinite, int nblock,
                      const swReal *F, const swReal *F0, swReal *psi, swReal *P, swReal *C);
