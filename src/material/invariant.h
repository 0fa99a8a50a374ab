// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Laws that depend only on the invariants I1 = tr C, I2 = (I1^2 - tr C^2) / 2 and J = det F, where
// C = F^T F. A law provides psi and its derivatives with respect to these; stress and tangent are
// computed here, in the same way for all.
#pragma once

#include "math/mat3_wide.h"
#include "material/law.h"

typedef struct swInvariants {
    swWide i1, i2, j; // I1 - 3, I2 - 3, J - 1, accurate near rest
    swWide J;         // 1 if not valid
    swWide log_J;     // accurate near rest; 0 if J <= 0
    swMask valid;     // J > 0, and not so small that derivatives overflow
} swInvariants;

typedef struct swInvariantEnergy {
    swWide psi;
    swWide d1, d2, dJ;                   // first derivatives
    swWide d11, d22, dJJ, d12, d1J, d2J; // second derivatives
} swInvariantEnergy;

typedef swInvariantEnergy swInvariantFunction(const swReal *coefficient, const swInvariants *i);

typedef struct swInvariantPoint {
    swWide F[9], D[6], cof[9]; // D = C - I: 11 22 33 12 13 23
    swInvariants i;
} swInvariantPoint;

SW_INLINE swInvariantPoint sw_invariant_point(const swReal *Fs) {
    swInvariantPoint p;
    swWide *F = p.F, *cof = p.cof, *D = p.D;
    for (int i = 0; i < 9; i++)
        F[i] = sw_wide_load(Fs + i * SW_LANES);
    cof[0] = F[4] * F[8] - F[5] * F[7];
    cof[1] = F[5] * F[6] - F[3] * F[8];
    cof[2] = F[3] * F[7] - F[4] * F[6];
    cof[3] = F[2] * F[7] - F[1] * F[8];
    cof[4] = F[0] * F[8] - F[2] * F[6];
    cof[5] = F[1] * F[6] - F[0] * F[7];
    cof[6] = F[1] * F[5] - F[2] * F[4];
    cof[7] = F[2] * F[3] - F[0] * F[5];
    cof[8] = F[0] * F[4] - F[1] * F[3];
    swWide J = F[0] * cof[0] + F[1] * cof[1] + F[2] * cof[2], size = sw_wide(0);
    for (int i = 0; i < 6; i++) {
        const int k = sw_pair_row[i], l = sw_pair_column[i];
        D[i] = F[k] * F[l] + F[3 + k] * F[3 + l] + F[6 + k] * F[6 + l] - (k == l ? 1.0 : 0.0);
        size = size + (k == l ? 1.0 : 2.0) * D[i] * D[i];
    }
    swWide minors =
        D[0] * D[1] - D[3] * D[3] + (D[0] * D[2] - D[4] * D[4]) + (D[1] * D[2] - D[5] * D[5]);
    swWide det = D[0] * (D[1] * D[2] - D[5] * D[5]) - D[3] * (D[3] * D[2] - D[5] * D[4]) +
                 D[4] * (D[3] * D[5] - D[1] * D[4]);
    p.i.i1 = D[0] + D[1] + D[2];
    p.i.i2 = 2.0 * p.i.i1 + minors;
    p.i.valid = SW_WIDE_MASK(J > 1e-50);
    // J^2 - 1 = det(I + D) - 1: accurate near rest, but has cancellation far from it.
    swWide growth = p.i.i1 + minors + det;
    swMask near = SW_WIDE_MASK(size < 0.01) & p.i.valid;
    swWide safe = sw_wide_select(p.i.valid, J, sw_wide(1.0));
    p.i.j = sw_wide_select(near, growth / (safe + 1.0), J - 1.0);
    p.i.log_J = sw_wide_log_near(safe, sw_wide_select(p.i.valid, p.i.j, sw_wide(0)));
    p.i.J = safe;
    return p;
}

// What the tangent is computed from, besides F, D and cof.
typedef struct swInvariantSlopes {
    swWide g[9];                // gradient of I2; those of I1 and J are 2 F and cof
    swWide h1[9], h2[9], hJ[9]; // second derivatives times gradients
    swWide one;                 // added on the diagonal
} swInvariantSlopes;

SW_INLINE swWide sw_invariant_second(const swInvariantPoint *p, int r, int k) { // dI2/dF_rk
    const swWide *F = p->F + 3 * r, *D = p->D;
    return 2.0 * ((2.0 + p->i.i1) * F[k] - (F[0] * D[sw_pair_at[k]] + F[1] * D[sw_pair_at[3 + k]] +
                                            F[2] * D[sw_pair_at[6 + k]]));
}

SW_INLINE void sw_invariant_slopes(const swInvariantPoint *p, const swInvariantEnergy *e,
                                   const bool second, swInvariantSlopes *t) {
    const swWide *F = p->F, *cof = p->cof;
    for (int i = 0; i < 9; i++) {
        t->h1[i] = 4.0 * e->d11 * F[i] + 2.0 * e->d1J * cof[i];
        t->hJ[i] = 2.0 * e->d1J * F[i] + e->dJJ * cof[i];
        if (second) {
            const swWide g = t->g[i];
            t->h1[i] = t->h1[i] + 2.0 * e->d12 * g + 4.0 * e->d2 * F[i]; // 4 d2 F F of d2I2/dF2
            t->hJ[i] = t->hJ[i] + e->d2J * g;
            t->h2[i] = 2.0 * e->d12 * F[i] + e->d22 * g + e->d2J * cof[i];
        }
    }
    t->one = 2.0 * e->d1;
    if (second)
        t->one = t->one + 2.0 * e->d2 * (3.0 + p->i.i1);
}

// The nine entries of C for one pair of rows.
SW_INLINE void sw_invariant_tangent(const swInvariantPoint *p, const swInvariantEnergy *e,
                                    const bool second, const swInvariantSlopes *t, swMask ok,
                                    const int pair, swReal *C) {
    const int r = sw_pair_row[pair], s = sw_pair_column[pair];
    const swWide *F = p->F, *cof = p->cof, *Fr = F + 3 * r, *Fs = F + 3 * s, d2 = 2.0 * e->d2;
    const swWide B = d2 * (Fr[0] * Fs[0] + Fr[1] * Fs[1] + Fr[2] * Fs[2]);
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
            const int rk = 3 * r + k, sl = 3 * s + l;
            swWide c = F[rk] * t->h1[sl] + cof[rk] * t->hJ[sl];
            if (r != s && k != l)
                c = c + e->dJ * sw_cofactor_slope(F, r, k, s, l);
            if (second) {
                c = c + t->g[rk] * t->h2[sl] - d2 * Fr[l] * Fs[k];
                if (r == s)
                    c = c - d2 * (p->D[sw_pair_at[3 * k + l]] + (k == l ? 1.0 : 0.0));
                if (k == l)
                    c = c - B;
            }
            if (r == s && k == l)
                c = c + t->one;
            sw_wide_store(C + (9 * pair + 3 * k + l) * SW_LANES, sw_wide_select(ok, c, sw_wide(0)));
        }
}

// `law` must be a constant where this is inlined. `second` says whether it depends on I2, `inverts`
// whether it accepts J <= 0.
SW_INLINE void sw_invariant_evaluate(swInvariantFunction *law, const bool second,
                                     const bool inverts, const swReal *coefficient, int nblock,
                                     const swReal *Fs, swReal *psi, swReal *Ps, swReal *Cs) {
    const bool energy_alone = !Ps && !Cs;
    for (int b = 0; b < nblock; b++) {
        const swInvariantPoint p = sw_invariant_point(Fs + 9 * b * SW_LANES);
        const swInvariantEnergy e = law(coefficient, &p.i);
        swMask ok = SW_WIDE_MASK(e.psi < SW_LAW_ENERGY_LIMIT);
        if (!inverts)
            ok = ok & p.i.valid;
        if (psi)
            sw_wide_store(psi + b * SW_LANES, sw_wide_select(ok, e.psi, sw_wide(INFINITY)));
        if (energy_alone)
            continue;
        swInvariantSlopes t;
        for (int i = 0; i < 9 && second; i++)
            t.g[i] = sw_invariant_second(&p, i / 3, i % 3);
        if (Ps)
            for (int i = 0; i < 9; i++) {
                swWide P = 2.0 * e.d1 * p.F[i] + e.dJ * p.cof[i];
                if (second)
                    P = P + e.d2 * t.g[i];
                sw_wide_store(Ps + (9 * b + i) * SW_LANES, sw_wide_select(ok, P, sw_wide(0)));
            }
        if (Cs) { // written out so that the rows are constants
            swReal *C = Cs + SW_TANGENT * b * SW_LANES;
            sw_invariant_slopes(&p, &e, second, &t);
            sw_invariant_tangent(&p, &e, second, &t, ok, 0, C);
            sw_invariant_tangent(&p, &e, second, &t, ok, 1, C);
            sw_invariant_tangent(&p, &e, second, &t, ok, 2, C);
            sw_invariant_tangent(&p, &e, second, &t, ok, 3, C);
            sw_invariant_tangent(&p, &e, second, &t, ok, 4, C);
            sw_invariant_tangent(&p, &e, second, &t, ok, 5, C);
        }
    }
}

// Adds a volume term k/2 (J - 1)^2.
SW_INLINE void sw_invariant_add_volume(swInvariantEnergy *e, const swInvariants *i, swWide k) {
    e->psi = e->psi + 0.5 * k * i->j * i->j;
    e->dJ = e->dJ + k * i->j;
    e->dJJ = e->dJJ + k;
}
