// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Cones, pointed or truncated: from a disc of `radius` about a to one of `top` about b.
#include "geometry/section.h"
#include "geometry/solid_internal.h"

static bool cone_create(swSolid *solid, const swSolidSource *source) {
    const swShape *shape = source->shape;
    if (!sw_solid_check_point(source, "from", shape->from) ||
        !sw_solid_check_point(source, "to", shape->to) ||
        !sw_solid_check_positive(source, "radius", shape->radius))
        return false;
    if (!(shape->top >= 0) || !sw_solid_finite(shape->top))
        return sw_solid_bad(source, "top", "a number of at least 0", &shape->top, 1);
    solid->a = shape->from;
    solid->b = shape->to;
    solid->radius = shape->radius;
    solid->top = shape->top;
    solid->length = sw_norm(sw_sub(solid->b, solid->a));
    solid->axis = sw_solid_direction(sw_sub(solid->b, solid->a));
    if (!(solid->length > 0))
        return sw_solid_bad(source, "to", "a point other than \"from\"",
                            (swReal[]){shape->to.x, shape->to.y, shape->to.z}, 3);
    // A disc extends by r sin(angle between its normal and the axis).
    const swVec3 u = solid->axis, reach = sw_v3(hypot(u.y, u.z), hypot(u.z, u.x), hypot(u.x, u.y));
    for (int k = 0; k < 3; k++)
        solid->flat[k] = fabs(sw_get(u, k)) == 1;
    solid->lo =
        sw_min3(sw_madd(solid->a, -solid->radius, reach), sw_madd(solid->b, -solid->top, reach));
    solid->hi =
        sw_max3(sw_madd(solid->a, solid->radius, reach), sw_madd(solid->b, solid->top, reach));
    return true;
}

// With s = x - a.x, w = (0, y, z) - a, axis u and height k = u.x s + u . w, the point must lie
// between the planes of the ends, 0 <= k <= L, and satisfy s^2 + |w|^2 - k^2 <= (r + g k)^2, where
// g is the slope of the side. That is A s^2 + 2 B s + C <= 0: a span, or, for lines steeper than
// the side, everything outside a span; in that case one of the two pieces lies on the other cone,
// beyond the apex.
static swSpan cone_span(const swSolid *solid, swReal y, swReal z) {
    const swVec3 u = solid->axis;
    const swReal L = solid->length, r = solid->radius, g = (solid->top - r) / L;
    const swReal wy = y - solid->a.y, wz = z - solid->a.z, k = u.y * wy + u.z * wz;
    const swReal a = u.y * u.y + u.z * u.z, x2 = u.x * u.x, m = r + g * k;
    const swReal across = u.y * wz - u.z * wy;                     // a |w|^2 = k^2 + across^2
    const swReal out = x2 * (wy * wy + wz * wz) + across * across; // |w|^2 - k^2
    const swReal A = a - g * g * x2, B = -u.x * (k + g * m), C = out - m * m;
    const swReal D =
        a * m * m + 2 * x2 * k * g * m + g * g * x2 * out - across * across; // B^2 - A C
    swReal lo = -INFINITY, hi = INFINITY;
    if (u.x != 0) {
        const swReal s0 = -k / u.x, s1 = (L - k) / u.x;
        lo = sw_min(s0, s1);
        hi = sw_max(s0, s1);
    } else if (k < 0 || k > L)
        return (swSpan){0, 0, 0};
    if (D <= 0 && A > 0)
        return (swSpan){0, 0, 0};
    const swReal q = -(B + copysign(sqrt(sw_max(D, 0)), B)); // the roots are q / A and C / q
    if (A == 0 && B == 0) {
        if (C > 0)
            return (swSpan){0, 0, 0};
    } else if (A == 0) {
        *(B > 0 ? &hi : &lo) = (B > 0 ? sw_min : sw_max)(B > 0 ? hi : lo, C / q);
    } else if (q != 0) {
        const swReal s0 = sw_min(q / A, C / q), s1 = sw_max(q / A, C / q);
        if (A > 0) {
            lo = sw_max(lo, s0);
            hi = sw_min(hi, s1);
        } else if (sw_min(hi, s0) - lo > hi - sw_max(lo, s1))
            hi = sw_min(hi, s0);
        else
            lo = sw_max(lo, s1);
    }
    return (swSpan){solid->a.x + lo, solid->a.x + hi, 0};
}

static swReal cone_distance(const swSolid *solid, swVec3 p) {
    const swVec3 w = sw_sub(p, solid->a);
    const swReal k = sw_dot(w, solid->axis), rho = sw_norm(sw_madd(w, -k, solid->axis));
    return sw_section_cone(solid->length, solid->radius, solid->top, rho, k).distance;
}

const swSolidType sw_solid_cone = {
    .name = "cone", .create = cone_create, .span = cone_span, .distance = cone_distance};
