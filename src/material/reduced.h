// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Laws in the reduced invariants I1 J^(-2/3) and I2 J^(-4/3), which do not change with volume.
#pragma once

#include "material/invariant.h"

typedef struct swReduced {
    swWide i1, i2; // reduced invariants minus 3, accurate near rest
    swWide a1, a2; // J^(-2/3), J^(-4/3)
} swReduced;

SW_INLINE swReduced sw_reduced(const swInvariants *i) {
    swReduced r;
    swWide m1 = sw_wide_expm1(-2.0 / 3 * i->log_J), m2 = m1 * (m1 + 2.0);
    r.a1 = m1 + 1.0;
    r.a2 = m2 + 1.0;
    r.i1 = 3.0 * m1 + i->i1 * r.a1;
    r.i2 = 3.0 * m2 + i->i2 * r.a2;
    return r;
}

// Adds a function of the first reduced invariant, given its first and second derivatives.
SW_INLINE void sw_reduced_add_first(swInvariantEnergy *e, const swInvariants *i, const swReduced *r,
                                    swWide f, swWide ff) {
    const swWide inverse = 1.0 / i->J, slope = -2.0 / 3 * r->a1 * inverse; // d2/dI1dJ
    const swWide x = slope * (3.0 + i->i1);                                // d/dJ
    e->d1 = e->d1 + f * r->a1;
    e->dJ = e->dJ + f * x;
    e->d11 = e->d11 + ff * r->a1 * r->a1;
    e->d1J = e->d1J + ff * r->a1 * x + f * slope;
    e->dJJ = e->dJJ + ff * x * x - 5.0 / 3 * f * x * inverse;
}

// The same for the second reduced invariant.
SW_INLINE void sw_reduced_add_second(swInvariantEnergy *e, const swInvariants *i,
                                     const swReduced *r, swWide f, swWide ff) {
    const swWide inverse = 1.0 / i->J, slope = -4.0 / 3 * r->a2 * inverse;
    const swWide x = slope * (3.0 + i->i2);
    e->d2 = e->d2 + f * r->a2;
    e->dJ = e->dJ + f * x;
    e->d22 = e->d22 + ff * r->a2 * r->a2;
    e->d2J = e->d2J + ff * r->a2 * x + f * slope;
    e->dJJ = e->dJJ + ff * x * x - 7.0 / 3 * f * x * inverse;
}
