// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A cylinder or cone in the half-plane of its axis: rho from the axis and k along it, solid where
// 0 <= k <= length and rho <= r0 + (r1 - r0) k / length.
#pragma once

#include "math/vec.h"

typedef struct swSection {
    swReal distance;      // to the border, negative inside
    swReal across, along; // its gradient in rho and k, a unit vector
    swReal corner;        // how far the nearest corner is where that is the nearest point, else 0
} swSection;

// From a corner; on it the gradient is one of many.
static inline swSection sw_section_corner(swReal rho, swReal k) {
    const swReal d = hypot(rho, k);
    return d > 0 ? (swSection){d, rho / d, k / d, d} : (swSection){0, 1, 0, 0};
}

// Of a length above 0, with radii that are not negative.
static inline swSection sw_section_cone(swReal length, swReal r0, swReal r1, swReal rho, swReal k) {
    const swReal slant = hypot(r1 - r0, length), nr = length / slant, nk = (r0 - r1) / slant;
    const bool upper = k > 0.5 * length;          // the end that is nearer
    const swReal side = (rho - r0) * nr + k * nk; // beyond the side
    const swReal end = upper ? k - length : -k;   // beyond the end
    const swReal on = k * nr - (rho - r0) * nk;   // along the side, from 0 to slant
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
