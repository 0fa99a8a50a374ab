// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/weights.h"

extern const swWeightKind sw_weights_shepard;
extern const swWeightKind sw_weights_hat;

static const swWeightKind *const table[] = {&sw_weights_shepard, &sw_weights_hat};

const char *sw_weights_name(int index) {
    return index >= 0 && index < SW_COUNT(table) ? table[index]->name : NULL;
}

const swWeightKind *sw_weights_find(const char *name) {
    for (int i = 0; i < SW_COUNT(table); i++)
        if (sw_text_equal(table[i]->name, name))
            return table[i];
    return NULL;
}

bool sw_weights_create(swWeightField *field, const swWeightsDef *def, const swLattice *lattice,
                       int nsite, const swSite *site, swPool *pool, swArena *arena,
                       swError *error) {
    *field = (swWeightField){.kind = sw_weights_find(def->kind),
                             .def = def,
                             .lattice = lattice,
                             .nsite = nsite,
                             .site = site};
    if (!field->kind)
        return sw_fail(error, SW_ERROR_VALUE, "unknown kind of weights \"%s\"", def->kind);
    return !field->kind->prepare || field->kind->prepare(field, pool, arena, error);
}

void sw_weights_evaluate(const swWeightField *field, int n, const swVec3 *p, const int *cell,
                         swReal *w, swReal *dw) {
    field->kind->evaluate(field, n, p, cell, w, dw);
}
