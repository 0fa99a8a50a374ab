// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Cross-section of a cylinder or cone in a half-plane through its axis, with rho the distance from
// the axis and k the height along it: solid where 0 <= k <= length and rho <= r0 + (r1 - r0) k /
// length.
#pragma once

#include "math/vec.h"

typedef struct swSection {
    swReal distance;      // to the border, negative inside
    swReal across, along; // unit gradient of the distance in rho and k
    swReal corner;        // distance to the nearest corner if that is the nearest point, else 0
} swSection;

// The distance from a corner; at the corner itself the gradient is arbitrary.
static inline swSection sw_section_corner(swReal rho, swReal k) {
    const swReal d = hypot(rho, k);
    return d > 0 ? (swSection){d, rho / d, k / d, d} : (swSection){0, 1, 0, 0};
}

// For a length above 0 and radii that are not negative.
static inline swSection sw_section_cone(swReal length, swReal r0, swReal r1, swReal rho, swReal k) {
    const swReal slant = hypot(r1 - r0, length), nr = length / slant, nk = (r0 - r1) / slant;
    const bool upper = k > 0.5 * length;          // upper: the end at `length` is nearer
    const swReal side = (rho - r0) * nr + k * nk; // distance from the line of the side
    const swReal end = upper ? k - length : -k;   // distance beyond the end
    const swReal on = k * nr - (rho - r0) * nk;   // position along the side, from 0 to slant
    const swSection round = {side, nr, nk, 0}, flat = {end, 0, upper ? 1 : -1, 0};
    if (side <= 0 && end <= 0)
        return side > end ? round : flat;
    if (end > 0 && rho <= (upper ? r1 : r0))
        return flat;
    if (side > 0 && on >= 0 && on <= slant)
        return round;
    return on < 0.5 * slant ? sw_section_corner(rho - r0, k)
                            : sw_section_corner(rho - r1, k - length);
}
