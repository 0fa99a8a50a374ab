// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Small vectors and 3 x 3 matrices by value.
#pragma once

#include "sinew/base.h"

#include <math.h>

#define SW_PI 3.14159265358979323846

static inline swVec3 sw_v3(swReal x, swReal y, swReal z) { return (swVec3){x, y, z}; }
static inline swVec3 sw_add(swVec3 a, swVec3 b) { return sw_v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline swVec3 sw_sub(swVec3 a, swVec3 b) { return sw_v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline swVec3 sw_scale(swReal s, swVec3 a) { return sw_v3(s * a.x, s * a.y, s * a.z); }
static inline swVec3 sw_madd(swVec3 a, swReal s, swVec3 b) { return sw_add(a, sw_scale(s, b)); }
static inline swReal sw_dot(swVec3 a, swVec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline swVec3 sw_cross(swVec3 a, swVec3 b) {
    return sw_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline swReal sw_norm2(swVec3 a) { return sw_dot(a, a); }
static inline swReal sw_norm(swVec3 a) { return sqrt(sw_dot(a, a)); }
static inline swVec3 sw_lerp(swVec3 a, swVec3 b, swReal t) {
    return sw_v3(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z));
}
static inline swVec3 sw_min3(swVec3 a, swVec3 b) {
    return sw_v3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}
static inline swVec3 sw_max3(swVec3 a, swVec3 b) {
    return sw_v3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}
static inline bool sw_finite3(swVec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }
// Component k of a, k = 0, 1, 2.
static inline swReal sw_get(swVec3 a, int k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }
static inline void sw_set(swVec3 *a, int k, swReal v) {
    *(k == 0 ? &a->x : k == 1 ? &a->y : &a->z) = v;
}
// a / |a|, or zero for the zero vector.
static inline swVec3 sw_unit(swVec3 a) {
    swReal n = sw_norm(a);
    return n > 0 ? sw_scale(1 / n, a) : a;
}

static inline swMat3 sw_mat_identity(void) { return (swMat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}}; }
static inline swMat3 sw_mat_diag(swReal a, swReal b, swReal c) {
    return (swMat3){{a, 0, 0, 0, b, 0, 0, 0, c}};
}
static inline swVec3 sw_mul(swMat3 A, swVec3 v) { // A v
    const swReal *m = A.m;
    return sw_v3(m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
                 m[6] * v.x + m[7] * v.y + m[8] * v.z);
}
static inline swVec3 sw_mul_t(swMat3 A, swVec3 v) { // A^T v
    const swReal *m = A.m;
    return sw_v3(m[0] * v.x + m[3] * v.y + m[6] * v.z, m[1] * v.x + m[4] * v.y + m[7] * v.z,
                 m[2] * v.x + m[5] * v.y + m[8] * v.z);
}
static inline swMat3 sw_mat_mul(swMat3 A, swMat3 B) { // A B
    swMat3 C;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            C.m[3 * r + c] =
                A.m[3 * r] * B.m[c] + A.m[3 * r + 1] * B.m[3 + c] + A.m[3 * r + 2] * B.m[6 + c];
    return C;
}
static inline swMat3 sw_mat_t(swMat3 A) {
    const swReal *m = A.m;
    return (swMat3){{m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]}};
}
static inline swReal sw_mat_det(swMat3 A) {
    const swReal *m = A.m;
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
           m[2] * (m[3] * m[7] - m[4] * m[6]);
}
// x -> A x + b
typedef struct swAffine {
    swMat3 A;
    swVec3 b;
} swAffine;
static inline swVec3 sw_affine_at(swAffine f, swVec3 x) { return sw_add(sw_mul(f.A, x), f.b); }
static inline swAffine sw_affine_mul(swAffine f, swAffine g) { // f after g
    return (swAffine){sw_mat_mul(f.A, g.A), sw_affine_at(f, g.b)};
}
// exp([w]x): rotation by the angle |w| about w.
swMat3 sw_mat_rotation(swVec3 w);
// The rotation vector of a rotation: angles from 0 to pi.
swVec3 sw_mat_turn(swMat3 R);
swMat3 sw_mat_inverse(swMat3 A); // not finite if A is singular
static inline swAffine sw_affine_inverse(swAffine f) {
    const swMat3 A = sw_mat_inverse(f.A);
    return (swAffine){A, sw_scale(-1, sw_mul(A, f.b))};
}
// A = R S with R a rotation (the nearest one when det A > 0).
void sw_mat_polar(swMat3 A, swMat3 *R, swMat3 *S);
// A = U diag(s) V^T, U and V rotations, s.x >= s.y >= |s.z|, the sign of s.z that of det A.
void sw_mat_svd(swMat3 A, swMat3 *U, swVec3 *s, swMat3 *V);
// S = V diag(w) V^T for symmetric S, with w ascending and V a rotation.
void sw_mat_eigen(swMat3 S, swVec3 *w, swMat3 *V);

// The sum of a[i] b[i], by eight partial sums that do not wait for each other.
static inline swReal sw_dot_n(int n, const swReal *a, const swReal *b) {
    swReal part[8] = {0}, sum = 0;
    int i = 0;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++)
            part[k] += a[i + k] * b[i + k];
    for (int k = 0; k < 4; k++)
        sum += part[k] + part[k + 4];
    for (; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
