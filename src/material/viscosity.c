// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "material/viscosity.h"

#include "material/green.h"

void sw_viscosity_add(swReal mu, swReal lambda, swReal factor, bool semidefinite, int nblock,
                      const swReal *F, const swReal *F0, swReal *psi, swReal *P, swReal *C) {
    swReal D[SW_GREEN];
    sw_green_isotropic(factor * mu, factor * lambda, D);
    if (semidefinite)
        sw_green_evaluate(D, true, false, nblock, F, F0, psi, P, C);
    else
        sw_green_evaluate(D, true, true, nblock, F, F0, psi, P, C);
}
