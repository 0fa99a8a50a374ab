// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "integrate/integrator.h"

extern const swIntegrator sw_integrator_linear_implicit, sw_integrator_bdf2, sw_integrator_midpoint,
    sw_integrator_symplectic_euler;

static const swIntegrator *const table[] = {
    &sw_integrator_implicit_euler, &sw_integrator_linear_implicit,  &sw_integrator_bdf2,
    &sw_integrator_midpoint,       &sw_integrator_symplectic_euler,
};

const swIntegrator *sw_integrator_at(int index) {
    return index >= 0 && index < SW_COUNT(table) ? table[index] : NULL;
}

const char *sw_integrator_name(int index) {
    return sw_integrator_at(index) ? sw_integrator_at(index)->name : NULL;
}

const swIntegrator *sw_integrator_find(const char *name, int *index) {
    for (int i = 0; i < SW_COUNT(table); i++)
        if (sw_text_equal(table[i]->name, name)) {
            if (index)
                *index = i;
            return table[i];
        }
    return NULL;
}
