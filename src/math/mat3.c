// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/vec.h"

#include <float.h>

swMat3 sw_mat_rotation(swVec3 w) {
    // R = I + a [w]x + b [w]x^2, a = sin t / t, b = (1 - cos t) / t^2
    swReal t2 = sw_norm2(w), a, b;
    if (t2 < 1e-8) {
        a = 1 - t2 / 6;
        b = 0.5 - t2 / 24;
    } else {
        swReal t = sqrt(t2), half = sin(0.5 * t);
        a = sin(t) / t;
        b = 2 * half * half / t2;
    }
    swReal x = w.x, y = w.y, z = w.z;
    return (swMat3){{1 - b * (y * y + z * z), b * x * y - a * z, b * x * z + a * y,
                     b * x * y + a * z, 1 - b * (x * x + z * z), b * y * z - a * x,
                     b * x * z - a * y, b * y * z + a * x, 1 - b * (x * x + y * y)}};
}

// The rotation (c, s) that diagonalises [a b; b d] as J^T A J.
static void jacobi(swReal a, swReal b, swReal d, swReal *c, swReal *s) {
    if (b == 0) {
        *c = 1;
        *s = 0;
        return;
    }
    swReal tau = (d - a) / (2 * b);
    swReal t = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
    *c = 1 / sqrt(1 + t * t);
    *s = t * *c;
}

// Columns p and q of A become c p - s q and s p + c q.
static void rotate_columns(swMat3 *A, int p, int q, swReal c, swReal s) {
    for (int r = 0; r < 3; r++) {
        swReal *m = &A->m[3 * r], x = m[p], y = m[q];
        m[p] = c * x - s * y;
        m[q] = s * x + c * y;
    }
}

static swVec3 column(swMat3 A, int k) { return sw_v3(A.m[k], A.m[3 + k], A.m[6 + k]); }
static void set_column(swMat3 *A, int k, swVec3 v) {
    A->m[k] = v.x;
    A->m[3 + k] = v.y;
    A->m[6 + k] = v.z;
}

// Exchanges two columns and negates one of them, so that a rotation stays a rotation.
static void swap_columns(swMat3 *A, int p, int q) { rotate_columns(A, p, q, 0, -1); }

void sw_mat_eigen(swMat3 S, swVec3 *w, swMat3 *V) {
    *V = sw_mat_identity();
    for (int sweep = 0; sweep < 12; sweep++) {
        swReal off = fabs(S.m[1]) + fabs(S.m[2]) + fabs(S.m[5]);
        if (off <= DBL_MIN)
            break;
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                swReal c, s;
                jacobi(S.m[4 * p], S.m[3 * p + q], S.m[4 * q], &c, &s);
                rotate_columns(&S, p, q, c, s);
                S = sw_mat_t(S);
                rotate_columns(&S, p, q, c, s);
                S.m[3 * p + q] = S.m[3 * q + p] = 0;
                rotate_columns(V, p, q, c, s);
            }
    }
    swReal d[3] = {S.m[0], S.m[4], S.m[8]};
    for (int i = 0; i < 2; i++) // ascending
        for (int j = 0; j < 2 - i; j++)
            if (d[j] > d[j + 1]) {
                swReal t = d[j];
                d[j] = d[j + 1];
                d[j + 1] = t;
                swap_columns(V, j, j + 1);
            }
    *w = sw_v3(d[0], d[1], d[2]);
}

// A unit vector orthogonal to the unit vector a.
static swVec3 any_normal(swVec3 a) {
    swVec3 e = fabs(a.x) < 0.6 ? sw_v3(1, 0, 0) : sw_v3(0, 1, 0);
    return sw_unit(sw_cross(a, e));
}

// One-sided Jacobi: the columns of B = A V are made orthogonal, which is accurate for small
// singular values too.
void sw_mat_svd(swMat3 A, swMat3 *U, swVec3 *s, swMat3 *V) {
    swMat3 B = A;
    *V = sw_mat_identity();
    for (int sweep = 0; sweep < 30; sweep++) {
        bool done = true;
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                swVec3 a = column(B, p), b = column(B, q);
                swReal aa = sw_norm2(a), bb = sw_norm2(b), ab = sw_dot(a, b), c, sn;
                if (fabs(ab) <= DBL_EPSILON * sqrt(aa) * sqrt(bb))
                    continue;
                done = false;
                jacobi(aa, ab, bb, &c, &sn);
                rotate_columns(&B, p, q, c, sn);
                rotate_columns(V, p, q, c, sn);
            }
        if (done)
            break;
    }
    swReal d[3];
    for (int k = 0; k < 3; k++)
        d[k] = sw_norm(column(B, k));
    for (int i = 0; i < 2; i++) // descending
        for (int j = 0; j < 2 - i; j++)
            if (d[j] < d[j + 1]) {
                swReal t = d[j];
                d[j] = d[j + 1];
                d[j + 1] = t;
                swap_columns(&B, j, j + 1);
                swap_columns(V, j, j + 1);
            }
    // U from the columns of B, with substitutes where they vanish. Its third column makes it a
    // rotation.
    swVec3 u0 = d[0] > 0 ? sw_scale(1 / d[0], column(B, 0)) : sw_v3(1, 0, 0);
    swVec3 u1 = d[1] > 0 ? sw_scale(1 / d[1], column(B, 1)) : any_normal(u0);
    u1 = sw_madd(u1, -sw_dot(u0, u1), u0);
    u1 = sw_norm(u1) > 0.5 ? sw_unit(u1) : any_normal(u0);
    swVec3 u2 = sw_cross(u0, u1);
    set_column(U, 0, u0);
    set_column(U, 1, u1);
    set_column(U, 2, u2);
    *s = sw_v3(d[0], d[1], sw_dot(u2, column(B, 2)));
}

void sw_mat_polar(swMat3 A, swMat3 *R, swMat3 *S) {
    swMat3 U, V;
    swVec3 s;
    sw_mat_svd(A, &U, &s, &V);
    *R = sw_mat_mul(U, sw_mat_t(V));
    *S = sw_mat_mul(sw_mat_mul(V, sw_mat_diag(s.x, s.y, s.z)), sw_mat_t(V));
}

swVec3 sw_mat_turn(swMat3 R) {
    // The quaternion (v, w) by its largest component, with v = sin(angle/2) axis.
    const swReal *m = R.m, trace = m[0] + m[4] + m[8];
    swReal q[4] = {m[7] - m[5], m[2] - m[6], m[3] - m[1], 1 + trace};
    const int k = m[0] >= m[4] && m[0] >= m[8] ? 0 : m[4] >= m[8] ? 1 : 2;
    if (m[4 * k] > trace) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        q[3] = q[k];
        q[k] = 1 + 2 * m[4 * k] - trace;
        q[i] = m[3 * k + i] + m[3 * i + k];
        q[j] = m[3 * k + j] + m[3 * j + k];
    }
    const swVec3 v = q[3] < 0 ? sw_v3(-q[0], -q[1], -q[2]) : sw_v3(q[0], q[1], q[2]);
    const swReal size = sw_norm(v);
    return size > 0 ? sw_scale(2 * atan2(size, fabs(q[3])) / size, v) : v;
}

swMat3 sw_mat_inverse(swMat3 A) {
    const swVec3 a = {A.m[0], A.m[1], A.m[2]}, b = {A.m[3], A.m[4], A.m[5]},
                 c = {A.m[6], A.m[7], A.m[8]};
    const swReal f = 1 / sw_mat_det(A);
    const swVec3 x = sw_scale(f, sw_cross(b, c)), y = sw_scale(f, sw_cross(c, a)),
                 z = sw_scale(f, sw_cross(a, b)); // columns
    return (swMat3){{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}
