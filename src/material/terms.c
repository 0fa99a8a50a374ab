// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "material/terms.h"

#include "material/invariant.h"

static const swReal max_exponent =
    300; // above this the energy is infinite; no derivative overflows

SW_INLINE void add_to(swReal *at, swWide value) { sw_wide_store(at, sw_wide_load(at) + value); }

void sw_volume_add(swReal k, int nblock, const swReal *Fs, swReal *psi, swReal *Ps, swReal *Cs) {
    for (int b = 0; b < nblock; b++) {
        const swInvariantPoint p = sw_invariant_point(Fs + 9 * b * SW_LANES);
        const swWide pressure = k * p.i.j;
        add_to(psi + b * SW_LANES, 0.5 * pressure * p.i.j);
        for (int i = 0; i < 9 && Ps; i++)
            add_to(Ps + (9 * b + i) * SW_LANES, pressure * p.cof[i]);
        for (int i = 0; i < SW_TANGENT && Cs; i++) {
            const int r = sw_pair_row[i / 9], s = sw_pair_column[i / 9], kk = i % 9 / 3, l = i % 3;
            add_to(Cs + (SW_TANGENT * b + i) * SW_LANES,
                   k * p.cof[3 * r + kk] * p.cof[3 * s + l] +
                       pressure * sw_cofactor_slope(p.F, r, kk, s, l));
        }
    }
}

void sw_pressure_add(const swReal *pressure, int nblock, const swReal *Fs, swReal *Ps, swReal *Cs) {
    for (int b = 0; b < nblock; b++) {
        const swInvariantPoint p = sw_invariant_point(Fs + 9 * b * SW_LANES);
        const swWide own = sw_wide_load(pressure + b * SW_LANES);
        for (int i = 0; i < 9 && Ps; i++)
            add_to(Ps + (9 * b + i) * SW_LANES, own * p.cof[i]);
        for (int i = 0; i < SW_TANGENT && Cs; i++) {
            const int r = sw_pair_row[i / 9], s = sw_pair_column[i / 9], k = i % 9 / 3, l = i % 3;
            add_to(Cs + (SW_TANGENT * b + i) * SW_LANES, own * sw_cofactor_slope(p.F, r, k, s, l));
        }
    }
}

void sw_fibre_add(swVec3 direction, swReal k1, swReal k2, swReal tension, int nblock,
                  const swReal *Fs, swReal *psi, swReal *Ps, swReal *Cs) {
    const swReal a[3] = {direction.x, direction.y, direction.z};
    const swReal growth = k1 > 0 ? k2 : 0; // without passive stress there is no exponential growth
    const swWide zero = sw_wide(0), one = sw_wide(1);
    for (int b = 0; b < nblock; b++) {
        swWide n[3]; // F a, then normalised
        for (int r = 0; r < 3; r++) {
            const swReal *row = Fs + (9 * b + 3 * r) * SW_LANES;
            n[r] = sw_wide_load(row) * a[0] + sw_wide_load(row + SW_LANES) * a[1] +
                   sw_wide_load(row + 2 * SW_LANES) * a[2];
        }
        const swWide I4 = n[0] * n[0] + n[1] * n[1] + n[2] * n[2], length = sw_wide_sqrt(I4);
        const swMask taut = SW_WIDE_MASK(I4 > 1.0);
        const swMask some = SW_WIDE_MASK(length > 1e-100) & SW_WIDE_MASK(length < 1e100);
        const swWide inverse = sw_wide_select(some, 1.0 / sw_wide_select(some, length, one), zero);
        // passive
        swWide e = sw_wide_select(taut, I4 - 1.0, zero), x = growth * e * e;
        const swMask over = SW_WIDE_MASK(x > max_exponent);
        e = sw_wide_select(over, zero, e);
        x = sw_wide_select(over, zero, x);
        const swWide grown = sw_wide_expm1(x), rate = k1 * (grown + 1.0);
        const swWide energy = 0.5 * k1 / k2 * grown + tension * length;
        add_to(psi + b * SW_LANES, sw_wide_select(over, sw_wide(INFINITY), energy));
        // force p along n; stiffness dp/dlength along n and p/length across it
        const swWide p = sw_wide_select(some, 2.0 * e * rate * length + tension, zero);
        const swWide along =
            sw_wide_select(taut & ~over, rate * (2.0 * e + 4.0 * I4 * (1.0 + 2.0 * x)), zero);
        const swWide across = p * inverse;
        for (int r = 0; r < 3; r++)
            n[r] = n[r] * inverse;
        for (int i = 0; i < 9 && Ps; i++)
            add_to(Ps + (9 * b + i) * SW_LANES, p * n[i / 3] * a[i % 3]);
        for (int pair = 0; pair < 6 && Cs; pair++) {
            const int r = sw_pair_row[pair], s = sw_pair_column[pair];
            swWide c = (along - across) * n[r] * n[s];
            if (r == s)
                c = c + across;
            for (int kl = 0; kl < 9; kl++)
                add_to(Cs + (SW_TANGENT * b + 9 * pair + kl) * SW_LANES,
                       c * (a[kl / 3] * a[kl % 3]));
        }
    }
}
