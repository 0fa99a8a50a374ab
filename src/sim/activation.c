// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// How much fibres contract: by the keys of their material, or as the program says.
#include "sim/sim.h"

static swReal value_at(const swActivation *key, int nkey, swReal t) {
    if (t <= key[0].t)
        return key[0].value;
    for (int i = 1; i < nkey; i++)
        if (t < key[i].t) {
            swReal u = (t - key[i - 1].t) / (key[i].t - key[i - 1].t);
            return key[i - 1].value + u * (key[i].value - key[i - 1].value);
        }
    return key[nkey - 1].value;
}

void sw_activations(const swModel *m, const swState *s, swReal t, swReal share, swReal *out) {
    for (int64_t i = 0; i < m->size.nmaterial; i++) {
        const swMaterialInfo *material = &m->material[i];
        if (!isnan(s->activation_set[i]))
            out[i] = share * s->activation_set[i];
        else
            out[i] = value_at(m->activation_key + material->activation, material->nactivation, t) *
                     (material->nactivation == 1 ? share : 1);
    }
}

swReal sw_activations_end(const swModel *m) {
    swReal end = 0;
    for (int64_t i = 0; i < m->size.nactivation; i++)
        end = sw_max(end, m->activation_key[i].t);
    return end;
}

void sw_state_set_activation(swState *s, int material, swReal value) {
    const bool known = material >= 0 && material < s->model->size.nmaterial;
    SW_ASSERT(known);
    if (known)
        s->activation_set[material] = isnan(value) ? NAN : sw_clamp(value, 0, 1);
}
