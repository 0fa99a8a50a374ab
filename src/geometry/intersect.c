// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/intersect.h"
#include "geometry/bvh.h"

#include <float.h>

// Work is counted in pairs of triangles tested. A typical surface has about ten per triangle, but
// where all boxes overlap there are n^2.
enum { WORK = 50000000, WORK_PER_TRIANGLE = 100, EXACT_WORK = 20 };

// ---- the side of a plane on which a point lies (Shewchuk 1997) ----

// An exact sum of non-overlapping doubles, from small to large.
typedef struct Sum {
    swReal part[96];
    int count;
} Sum;

static void sum_add(Sum *sum, swReal b) {
    int n = 0;
    for (int i = 0; i < sum->count; i++) {
        swReal a = sum->part[i], s = a + b, bb = s - a;
        swReal rest = (a - (s - bb)) + (b - bb); // a + b = s + rest exactly
        if (rest != 0)
            sum->part[n++] = rest;
        b = s;
    }
    if (b != 0)
        sum->part[n++] = b;
    sum->count = n;
}

static void sum_add_product(Sum *sum, swReal x, swReal y, swReal z) {
    swReal xy = x * y, rest = fma(x, y, -xy);
    swReal xyz = xy * z, restz = rest * z;
    sum_add(sum, fma(rest, z, -restz));
    sum_add(sum, restz);
    sum_add(sum, fma(xy, z, -xyz));
    sum_add(sum, xyz);
}

static void sum_add_volume(Sum *sum, swVec3 a, swVec3 b, swVec3 c) { // a . (b x c)
    sum_add_product(sum, a.x, b.y, c.z);
    sum_add_product(sum, a.y, b.z, c.x);
    sum_add_product(sum, a.z, b.x, c.y);
    sum_add_product(sum, -a.x, b.z, c.y);
    sum_add_product(sum, -a.y, b.x, c.z);
    sum_add_product(sum, -a.z, b.y, c.x);
}

// Whether a - b is exact.
static bool exact_difference(swReal a, swReal b) {
    swReal d = a - b, bb = a - d;
    return a - (d + bb) == b - bb;
}

static bool exact_differences(swVec3 a, swVec3 b) {
    return exact_difference(a.x, b.x) && exact_difference(a.y, b.y) && exact_difference(a.z, b.z);
}

static int exact_side(swVec3 a, swVec3 b, swVec3 c, swVec3 p) {
    Sum sum;
    sum.count = 0;
    if (exact_differences(a, p) && exact_differences(b, p) && exact_differences(c, p))
        sum_add_volume(&sum, sw_sub(a, p), sw_sub(b, p), sw_sub(c, p));
    else {
        sum_add_volume(&sum, a, b, c);
        sum_add_volume(&sum, a, c, p);
        sum_add_volume(&sum, b, a, p);
        sum_add_volume(&sum, c, b, p);
    }
    if (sum.count == 0)
        return 0;
    return sum.part[sum.count - 1] > 0 ? 1 : -1;
}

// The sign of (a - p) . ((b - p) x (c - p)): 1, -1, or 0 if the four points are coplanar. It is
// exact as long as products of three coordinates, and of their last digits, stay in range. Exact
// arithmetic is charged to the remaining work.
static int side(swVec3 a, swVec3 b, swVec3 c, swVec3 p, int64_t *left) {
    const swReal rounding = 4 * DBL_EPSILON; // 3.5 plus a margin
    swVec3 u = sw_sub(a, p), v = sw_sub(b, p), w = sw_sub(c, p);
    swReal xy = v.x * w.y, yx = v.y * w.x, yz = v.y * w.z, zy = v.z * w.y;
    swReal zx = v.z * w.x, xz = v.x * w.z;
    swReal volume = u.x * (yz - zy) + u.y * (zx - xz) + u.z * (xy - yx);
    swReal size = fabs(u.x) * (fabs(yz) + fabs(zy)) + fabs(u.y) * (fabs(zx) + fabs(xz)) +
                  fabs(u.z) * (fabs(xy) + fabs(yx));
    if (size == 0) // p is one of the others, or all lie in one plane across an axis
        return 0;
    if (fabs(volume) > rounding * size)
        return volume > 0 ? 1 : -1;
    *left -= EXACT_WORK;
    return exact_side(a, b, c, p);
}

// ---- pairs of triangles (Guigue and Devillers 2003) ----

// The sides of triangle t on which p[0], p[1], p[2] lie. Returns false unless there are points on
// both sides: only then does the plane of t cut the interior of triangle p.
static bool cuts(const swVec3 t[3], const swVec3 p[3], int s[3], int64_t *left) {
    bool above = false, below = false;
    for (int k = 0; k < 3; k++) {
        s[k] = side(t[0], t[1], t[2], p[k], left);
        above |= s[k] > 0;
        below |= s[k] < 0;
    }
    return above && below;
}

// The corner that is alone on its side.
static int apex(const int s[3]) {
    int k = 0;
    while (s[k] == 0 || s[k] == s[(k + 1) % 3] || s[k] == s[(k + 2) % 3])
        k++;
    return k;
}

// On the line where the planes meet, each triangle covers an interval between the two edges at its
// apex. Open intervals overlap if each begins before the other ends.
static bool cross(const swVec3 a[3], const swVec3 b[3], int64_t *left) {
    int sa[3], sb[3];
    if (!cuts(b, a, sa, left) || !cuts(a, b, sb, left))
        return false;
    int i = apex(sa), j = apex(sb);
    int turn_a = sb[j] > 0 ? 1 : 2, turn_b = sa[i] > 0 ? 1 : 2; // both run the same way
    swVec3 p = a[i], q = a[(i + turn_a) % 3], r = a[(i + 3 - turn_a) % 3];
    swVec3 u = b[j], v = b[(j + turn_b) % 3], w = b[(j + 3 - turn_b) % 3];
    return side(p, q, u, v, left) < 0 && side(p, r, w, u, left) < 0;
}

// ---- counting ----

typedef struct Count {
    swCrossings *crossings;
    int64_t left; // remaining work
} Count;

static bool count_pair(void *arg, const swVec3 a[3], const swVec3 b[3]) {
    Count *count = arg;
    count->crossings->pairs += cross(a, b, &count->left);
    return --count->left > 0 && count->crossings->pairs < SW_CROSSINGS_MAX;
}

// Scales the surface by a power of two so that the largest coordinate is about 1, and sets to zero
// what is too small for `side`: what remains are multiples of 2^-300.
static bool normalise(const swSurface *s, swVec3 *X, swError *error) {
    swReal largest = 0;
    int exponent;
    for (size_t i = 0; i < 3 * (size_t)s->ntriangle; i++) {
        swVec3 p = s->X[s->triangle[i]];
        if (!sw_finite3(p))
            return sw_fail(error, SW_ERROR_NOT_FINITE, "vertex %d is not finite", s->triangle[i]);
        largest = sw_max(largest, sw_max(fabs(p.x), sw_max(fabs(p.y), fabs(p.z))));
    }
    frexp(largest, &exponent);
    for (int i = 0; i < s->nvertex; i++)
        for (int k = 0; k < 3; k++) {
            swReal x = ldexp(sw_get(s->X[i], k), -exponent);
            sw_set(&X[i], k, fabs(x) < 0x1p-248 ? 0 : x);
        }
    return true;
}

bool sw_surface_crossings(const swSurface *s, swCrossings *crossings, swArena *scratch,
                          swError *error) {
    *crossings = (swCrossings){0, true};
    if (s->ntriangle == 0)
        return true;
    swSurface scaled = *s;
    if (!(scaled.X = SW_NEW(scratch, s->nvertex, swVec3, error)) || !normalise(s, scaled.X, error))
        return false;
    swBvh *bvh = sw_bvh_create(&scaled, scratch, error);
    if (!bvh)
        return false;
    Count count = {crossings, WORK + WORK_PER_TRIANGLE * (int64_t)s->ntriangle};
    crossings->all = sw_bvh_pairs(bvh, count_pair, &count);
    return true;
}
