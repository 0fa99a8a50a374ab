// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "material/isotropic.h"

extern const swLaw sw_law_linear, sw_law_stvk, sw_law_corotated, sw_law_neo_hookean,
    sw_law_stable_neo_hookean, sw_law_mooney_rivlin, sw_law_arruda_boyce, sw_law_ogden, sw_law_fung,
    sw_law_orthotropic;

static const swLaw *const table[] = {
    &sw_law_linear,
    &sw_law_stvk,
    &sw_law_corotated,
    &sw_law_neo_hookean,
    &sw_law_stable_neo_hookean,
    &sw_law_mooney_rivlin,
    &sw_law_arruda_boyce,
    &sw_law_ogden,
    &sw_law_fung,
    &sw_law_orthotropic,
};

void sw_law_rest_lame(const swMaterial *m, swReal lame[2]) {
    lame[0] = m->young / (2 * (1 + m->poisson));
    lame[1] = m->young * m->poisson / ((1 + m->poisson) * (1 - 2 * m->poisson));
}

swReal sw_law_rest_bulk(const swMaterial *m) { return m->young / (3 * (1 - 2 * m->poisson)); }

const char *sw_law_check_lame(const swMaterial *m) {
    return isnan(m->param[0]) == isnan(m->param[1]) ? NULL : "both mu and lambda, or neither";
}

void sw_law_prepare_lame(const swMaterial *m, swReal coefficient[SW_LAW_COEFFICIENTS]) {
    sw_law_rest_lame(m, coefficient);
    if (!isnan(m->param[0])) {
        coefficient[0] = m->param[0];
        coefficient[1] = m->param[1];
    }
}

const swLaw *sw_law_at(int index) {
    return index >= 0 && index < SW_COUNT(table) ? table[index] : NULL;
}

const char *sw_law_name(int index) { return sw_law_at(index) ? sw_law_at(index)->name : NULL; }

const swLaw *sw_law_find(const char *name) {
    for (int i = 0; i < SW_COUNT(table); i++)
        if (sw_text_equal(table[i]->name, name))
            return table[i];
    return NULL;
}

void sw_law_rest(const swLaw *law, const swReal *coefficient, swReal lame[2]) {
    swReal F[9 * SW_LANES], C[SW_TANGENT * SW_LANES], along = 0, across = 0, shear = 0;
    for (int i = 0; i < 9 * SW_LANES; i++)
        F[i] = i / SW_LANES % 4 == 0;
    law->evaluate(coefficient, 1, F, NULL, NULL, C);
    for (int i = 0; i < 3; i++) {
        const int pair = 3 + i, r = sw_pair_row[pair], s = sw_pair_column[pair];
        along += C[(9 * i + 4 * i) * SW_LANES] / 3;         // dP_ii / dF_ii
        across += C[(9 * pair + 3 * r + s) * SW_LANES] / 3; // dP_rr / dF_ss
        shear += C[(9 * pair + 3 * s + r) * SW_LANES] / 3;  // dP_rs / dF_sr
    }
    const swReal excess = (along - across - 2 * shear) / 5; // zero if the law is isotropic
    lame[0] = shear + excess;
    lame[1] = across + excess;
}
