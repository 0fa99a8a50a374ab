// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What a material does at small strain, and what is left to points where changes of volume are
// split off.
#include "compile/build.h"

#include "material/law.h"
#include "material/terms.h"
#include "math/tangent.h"
#include "volume/bricks.h"

#include <string.h>

// Energies and tangents of a block of samples, without those of fibres.
static void evaluate(const swMaterialInfo *m, const swReal *F, swReal *psi, swReal *C) {
    sw_law_at(m->law)->evaluate(m->coefficient, 1, F, psi, NULL, C);
    if (m->volume != 0)
        sw_volume_add(m->volume, 1, F, psi, NULL, C);
}

// Fibres resist where they are stretched, not where they are pressed: what bends does both, and has
// half of it.
static void add_fibres(const swMaterialInfo *m, swReal *C) {
    static const swReal taut = 1e-9;
    swReal F[9 * SW_LANES], psi[SW_LANES] = {0}, own[SW_TANGENT * SW_LANES] = {0};
    for (int i = 0; i < 9 * SW_LANES; i++)
        F[i] = i / SW_LANES % 4 == 0 ? 1 + taut : 0;
    sw_fibre_add(m->fibre, m->fibre_stiffness, m->fibre_exponent, 0, 1, F, psi, NULL, own);
    for (int i = 0; i < SW_TANGENT * SW_LANES; i++)
        C[i] += 0.5 * own[i];
}

void sw_build_rest(const swMaterialInfo *m, swReal D[6][6]) {
    swReal F[9 * SW_LANES], psi[SW_LANES], C[SW_TANGENT * SW_LANES];
    for (int i = 0; i < 9 * SW_LANES; i++)
        F[i] = i / SW_LANES % 4 == 0;
    evaluate(m, F, psi, C);
    if (m->fibre_stiffness > 0)
        add_fibres(m, C);
    memset(D, 0, 36 * sizeof(swReal));
    for (int e = 0; e < 81; e++) { // all gradients that belong to a strain are alike at rest
        const int r = e / 27, k = e / 9 % 3, s = e / 3 % 3, l = e % 3,
                  at = 9 * sw_pair_at[3 * r + s] + (r <= s ? 3 * k + l : 3 * l + k);
        D[sw_pair_at[3 * r + k]][sw_pair_at[3 * s + l]] += C[at * SW_LANES];
    }
}

// Whether it resists changes of volume so much that they are to be split off, and how much more
// than with a Poisson's ratio of 0.3. Bricks at rest have split off all of that: what they do at
// large displacements is compared with it, so that they do then as well.
static bool splits(const swMaterialInfo *m, bool bricks, swReal *more) {
    const swReal most = bricks ? 0.3 : 0.4;
    swReal D[6][6], shear, bulk;
    sw_build_rest(m, D);
    if (!sw_soft_moduli((const swReal(*)[6])D, &shear, &bulk))
        return false;
    *more = bulk - 13.0 / 6 * shear;
    return sw_poisson_above(most, shear, bulk - 2.0 / 3 * shear);
}

// No strain that a sample may well have has less energy than none.
static bool is_sound(const swMaterialInfo *m) {
    enum { STEPS = 10 };
    for (int i = 0; i <= 3 * STEPS; i++) {
        const swReal stretch = 0.5 + (swReal)(i % (STEPS + 1)) / STEPS;
        swReal F[9 * SW_LANES], psi[SW_LANES];
        for (int k = 0; k < 9 * SW_LANES; k++) // along one, two or three axes, all in turn
            F[k] = k / SW_LANES % 4 != 0                                      ? 0
                   : (k / SW_LANES / 4 + k % SW_LANES) % 3 <= i / (STEPS + 1) ? stretch
                                                                              : 1;
        evaluate(m, F, psi, NULL);
        for (int k = 0; k < SW_LANES; k++)
            if (!(psi[k] >= 0))
                return false;
    }
    return true;
}

// The same with a Poisson's ratio of 0.3, or with lambda as of that; false: its constants are
// others. `made` is the last material then.
static bool soften(swBuilder *b, int material, bool *made, swError *error) {
    static const swReal soft = 0.3;
    const swReal mu = b->material.item[material].lame[0],
                 lambda = b->material.item[material].lame[1];
    const swLaw *law = sw_law_at(b->material.item[material].law);
    const swMaterial *def = b->scene->materials;
    for (int i = 0; i < material && def->next; i++)
        def = def->next;
    swMaterial softer = *def;
    softer.poisson = soft;
    softer.young = 2 * mu * (1 + soft);
    for (int i = 0; i < law->nparam; i++)
        if (sw_text_equal(law->param[i].name, "lambda") && !isnan(softer.param[i]))
            softer.param[i] = 2 * mu * soft / (1 - 2 * soft);
    if (!sw_build_material(b, &softer, error))
        return false;
    const swReal *now = b->material.item[b->material.count - 1].lame;
    *made = fabs(now[0] - mu) <= 1e-9 * mu && now[1] < lambda;
    b->material.count -= !*made;
    return true;
}

bool sw_build_split(swBuilder *b, int material, bool bricks, int *law, swReal *bulk,
                    swError *error) {
    swReal more;
    bool made = false;
    *law = material;
    *bulk = 0;
    if (!splits(&b->material.item[material], bricks, &more))
        return true;
    if (sw_law_at(b->material.item[material].law)->isotropic && !soften(b, material, &made, error))
        return false;
    if (made) {
        *law = b->material.count - 1;
        *bulk = b->material.item[material].lame[1] - b->material.item[*law].lame[1];
        return true;
    }
    swMaterialInfo *rest = SW_EXTEND(&b->material, 1, &b->arena, error);
    if (!rest)
        return false;
    *rest = b->material.item[material];
    rest->volume -= more;
    if (!is_sound(rest)) {
        b->material.count--;
        return true;
    }
    *law = b->material.count - 1;
    *bulk = more;
    return true;
}

bool sw_build_is_whole(swBuilder *b, int material, bool *whole, swError *error) {
    const int count = b->material.count;
    swReal bulk, more;
    int law;
    if (!sw_build_split(b, material, false, &law, &bulk, error))
        return false;
    b->material.count = count;
    *whole = !(bulk > 0) && splits(&b->material.item[material], false, &more);
    return true;
}
