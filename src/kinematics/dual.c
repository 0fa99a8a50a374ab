// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/dual.h"

#include <string.h>

// y = Vec((r p + 2 d) c*) is bilinear in (r, d) and c; these are its derivatives.

// out_a = d/d(r, d) of Vec((r p + 2 d) c*)_a, 3 x 8. r p c* is linear in r: its columns are e_i p
// c*.
static void slope_first(const swWide c[4], const swWide p[3], swWide out[3][SW_DUAL]) {
    const swWide w = c[0], x = c[1], y = c[2], z = c[3], a = p[0], b = p[1], e = p[2];
    // p c* = (p.v, w p - p x v), with c = (w, v)
    const swWide s = a * x + b * y + e * z;
    const swWide u = w * a - (b * z - e * y), v = w * b - (e * x - a * z),
                 t = w * e - (a * y - b * x);
    // e_i (s; u v t): rows are the vector parts
    const swWide r[3][4] = {{u, s, t, -v}, {v, -t, s, u}, {t, v, -u, s}};
    // d c* = (.., -d_w v + w d_v - d_v x v): times 2
    const swWide d[3][4] = {{-x, w, -z, y}, {-y, z, w, -x}, {-z, -y, x, w}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            out[i][k] = r[i][k];
            out[i][4 + k] = 2.0 * d[i][k];
        }
}

// out_a = d/dc of Vec(m c*)_a, 3 x 4, for a quaternion m.
static void slope_second(const swWide m[4], swWide out[3][4]) {
    const swWide w = m[0], x = m[1], y = m[2], z = m[3];
    const swWide o[3][4] = {{x, -w, z, -y}, {y, -z, -w, x}, {z, y, -x, -w}};
    memcpy(out, o, sizeof o);
}

// r p + 2 d
static void moved(const swWide b[SW_DUAL], const swWide p[3], swWide m[4]) {
    m[0] = 2.0 * b[4] - (b[1] * p[0] + b[2] * p[1] + b[3] * p[2]);
    m[1] = 2.0 * b[5] + b[0] * p[0] + b[2] * p[2] - b[3] * p[1];
    m[2] = 2.0 * b[6] + b[0] * p[1] + b[3] * p[0] - b[1] * p[2];
    m[3] = 2.0 * b[7] + b[0] * p[2] + b[1] * p[1] - b[2] * p[0];
}

// dy/db, y being the quadratic form of both.
static void slope_both(const swWide b[SW_DUAL], const swWide p[3], swWide out[3][SW_DUAL]) {
    swWide m[4], second[3][4];
    slope_first(b, p, out);
    moved(b, p, m);
    slope_second(m, second);
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 4; i++)
            out[a][i] = out[a][i] + second[a][i];
}

void sw_dual_point(const swWide b[SW_DUAL], const swWide p[3], swDualPoint *o) {
    memcpy(o->b, b, sizeof o->b);
    memcpy(o->p, p, sizeof o->p);
    o->inverse = 1.0 / (b[0] * b[0] + b[1] * b[1] + b[2] * b[2] + b[3] * b[3]);
    slope_both(b, p, o->X);
    for (int a = 0; a < 3; a++) {
        swWide y = sw_wide(0); // y is quadratic: half its derivative times b
        for (int i = 0; i < SW_DUAL; i++)
            y = y + o->X[a][i] * b[i];
        o->x[a] = 0.5 * y * o->inverse;
        for (int i = 0; i < SW_DUAL; i++) // X = (y_b - x n_b) / n
            o->X[a][i] = (o->X[a][i] - (i < 4 ? 2.0 * o->x[a] * b[i] : sw_wide(0))) * o->inverse;
    }
}

// H += s * second derivative of f . Vec(r p r*) in r.
static void add_turn(const swWide f[3], const swWide p[3], swWide s, swWide H[SW_DUAL][SW_DUAL]) {
    const swWide dot = f[0] * p[0] + f[1] * p[1] + f[2] * p[2];
    const swWide cross[3] = {p[1] * f[2] - p[2] * f[1], p[2] * f[0] - p[0] * f[2],
                             p[0] * f[1] - p[1] * f[0]};
    H[0][0] = H[0][0] + 2.0 * s * dot;
    for (int i = 0; i < 3; i++) {
        H[0][1 + i] = H[0][1 + i] + 2.0 * s * cross[i];
        H[1 + i][0] = H[1 + i][0] + 2.0 * s * cross[i];
        for (int j = 0; j < 3; j++)
            H[1 + i][1 + j] = H[1 + i][1 + j] +
                              2.0 * s * (f[i] * p[j] + f[j] * p[i] - (i == j ? dot : sw_wide(0)));
    }
}

// H += s * second derivative of 2 f . Vec(d r*).
static void add_shift(const swWide f[3], swWide s, swWide H[SW_DUAL][SW_DUAL]) {
    const swWide z = sw_wide(0), x = 2.0 * s * f[0], y = 2.0 * s * f[1], t = 2.0 * s * f[2];
    const swWide D[4][4] = {{z, -x, -y, -t}, {x, z, -t, y}, {y, t, z, -x}, {t, -y, x, z}}; // [d][r]
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            H[4 + i][j] = H[4 + i][j] + D[i][j];
            H[j][4 + i] = H[j][4 + i] + D[i][j];
        }
}

// H += s (a b^T + b a^T), a having only its first four entries.
static void add_pair(const swWide a[4], const swWide b[SW_DUAL], swWide s,
                     swWide H[SW_DUAL][SW_DUAL]) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < SW_DUAL; j++) {
            const swWide v = s * a[i] * b[j];
            H[i][j] = H[i][j] + v;
            H[j][i] = H[j][i] + v;
        }
}

// n x_bb = y_bb - n_b x_b - x_b n_b - x n_bb
void sw_dual_curvature(const swDualPoint *o, const swWide f[3], swWide H[SW_DUAL][SW_DUAL]) {
    swWide fX[SW_DUAL];
    for (int i = 0; i < SW_DUAL; i++)
        fX[i] = f[0] * o->X[0][i] + f[1] * o->X[1][i] + f[2] * o->X[2][i];
    add_turn(f, o->p, o->inverse, H);
    add_shift(f, o->inverse, H);
    add_pair(o->b, fX, -2.0 * o->inverse, H);
    const swWide fx = 2.0 * o->inverse * (f[0] * o->x[0] + f[1] * o->x[1] + f[2] * o->x[2]);
    for (int i = 0; i < 4; i++)
        H[i][i] = H[i][i] - fx;
}

void sw_dual_gradient(swWide B[4][SW_DUAL], const swWide p[3], swDualGradient *o) {
    sw_dual_point(B[0], p, &o->point);
    memcpy(o->bk, B[1], sizeof o->bk);
    const swWide *r = o->point.b, inverse = o->point.inverse;
    swWide turn[3][4], e[4];
    for (int k = 0; k < 3; k++) {
        const swWide *rk = o->bk[k];
        const swWide nk = 2.0 * (r[0] * rk[0] + r[1] * rk[1] + r[2] * rk[2] + r[3] * rk[3]);
        // y_k as a function of b: b_k twice in the form, and r e_k r*
        slope_both(rk, p, o->Y[k]);
        const int next = (k + 1) % 3,
                  last = (k + 2) % 3; // r e_k = (-v_k, w e_k + v x e_k), r = (w, v)
        e[0] = -r[1 + k];
        e[1 + k] = r[0];
        e[1 + next] = r[1 + last];
        e[1 + last] = -r[1 + next];
        slope_second(e, turn);
        for (int a = 0; a < 3; a++) {
            swWide linear = sw_wide(0), square = sw_wide(0);
            for (int i = 0; i < SW_DUAL; i++)
                linear = linear + o->Y[k][a][i] * r[i];
            for (int i = 0; i < 4; i++)
                square = square + turn[a][i] * r[i];
            const swWide F = (linear + square - nk * o->point.x[a]) * inverse;
            o->F[3 * a + k] = F;
            // Y = (y_k,b - n_b F - n_k x_b - x n_k,b) / n
            for (int i = 0; i < SW_DUAL; i++) {
                swWide y = o->Y[k][a][i] - nk * o->point.X[a][i];
                if (i < 4)
                    y = y + 2.0 * turn[a][i] - 2.0 * r[i] * F - 2.0 * rk[i] * o->point.x[a];
                o->Y[k][a][i] = y * inverse;
            }
        }
    }
}

void sw_dual_force(const swDualGradient *o, const swWide P[9], swWide g[4][SW_DUAL]) {
    for (int i = 0; i < SW_DUAL; i++) {
        g[0][i] = sw_wide(0);
        for (int k = 0; k < 3; k++) {
            g[1 + k][i] = sw_wide(0);
            for (int a = 0; a < 3; a++) {
                g[0][i] = g[0][i] + P[3 * a + k] * o->Y[k][a][i];
                g[1 + k][i] = g[1 + k][i] + P[3 * a + k] * o->point.X[a][i];
            }
        }
    }
}

// out = sum_a A[a] x B[a], 8 x 8, added.
static void add_product(swWide A[3][SW_DUAL], swWide B[3][SW_DUAL], swWide out[SW_DUAL][SW_DUAL]) {
    for (int i = 0; i < SW_DUAL; i++)
        for (int j = 0; j < SW_DUAL; j++)
            out[i][j] = sw_wide_fma(
                A[0][i], B[0][j],
                sw_wide_fma(A[1][i], B[1][j], sw_wide_fma(A[2][i], B[2][j], out[i][j])));
}

// E[a] += sum_c C_(ak)(cl) M[c]
static void apply_tangent(const swWide C[54], int k, int l, swWide M[3][SW_DUAL],
                          swWide E[3][SW_DUAL]) {
    static const int pair_of[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    for (int a = 0; a < 3; a++)
        for (int c = 0; c < 3; c++) {
            const swWide t = C[9 * pair_of[a][c] + (a <= c ? 3 * k + l : 3 * l + k)];
            for (int i = 0; i < SW_DUAL; i++)
                E[a][i] = sw_wide_fma(t, M[c][i], E[a][i]);
        }
}

// P : d2F/db2 = (sum_k P_k . y_k,bb - n_b (P : F_b) - (P : F) n_bb - sum_k [n_k (P_k . x_bb) +
// n_k,b (P_k . x_b)]) / n, products with n_b and n_k,b standing for both orders.
static void add_second_order(swDualGradient *o, const swWide P[9], swWide force[4][SW_DUAL],
                             swWide H[SW_DUAL][SW_DUAL]) {
    const swDualPoint *q = &o->point;
    const swWide inverse = q->inverse;
    swWide PF = sw_wide(0), along[3] = {sw_wide(0), sw_wide(0), sw_wide(0)};
    for (int k = 0; k < 3; k++) {
        const swWide f[3] = {P[k], P[3 + k], P[6 + k]}, *rk = o->bk[k];
        const swWide e[3] = {sw_wide(k == 0), sw_wide(k == 1), sw_wide(k == 2)};
        const swWide nk =
            2.0 * (q->b[0] * rk[0] + q->b[1] * rk[1] + q->b[2] * rk[2] + q->b[3] * rk[3]);
        add_turn(f, e, inverse, H);
        add_pair(rk, force[1 + k], -2.0 * inverse, H);
        for (int a = 0; a < 3; a++) {
            PF = PF + f[a] * o->F[3 * a + k];
            along[a] = along[a] - nk * inverse * f[a];
        }
    }
    sw_dual_curvature(q, along, H);
    add_pair(q->b, force[0], -2.0 * inverse, H);
    for (int i = 0; i < 4; i++)
        H[i][i] = H[i][i] - 2.0 * inverse * PF;
}

void sw_dual_stiffness(swDualGradient *o, const swWide P[9], const swWide C[54], bool gauss_newton,
                       swWide K[4][SW_DUAL][4][SW_DUAL]) {
    swWide block[SW_DUAL][SW_DUAL], L[3][3][SW_DUAL];
    memset(L, 0, sizeof L);
    for (int l = 0; l < 3; l++)
        for (int k = 0; k < 3; k++)
            apply_tangent(C, l, k, o->Y[k], L[l]);
    for (int k = 0; k < 3; k++)
        for (int l = 0; l <= k; l++) { // (b_k, b_l) = X^T C_kl X
            swWide E[3][SW_DUAL];
            memset(E, 0, sizeof E);
            memset(block, 0, sizeof block);
            apply_tangent(C, k, l, o->point.X, E);
            add_product(o->point.X, E, block);
            for (int i = 0; i < SW_DUAL; i++)
                for (int j = 0; j < SW_DUAL; j++)
                    K[1 + k][i][1 + l][j] = K[1 + l][j][1 + k][i] = block[i][j];
        }
    for (int l = 0; l < 3; l++) { // (b_l, b) = X^T L_l + P_l . x_bb
        memset(block, 0, sizeof block);
        add_product(o->point.X, L[l], block);
        if (!gauss_newton) {
            const swWide f[3] = {P[l], P[3 + l], P[6 + l]};
            sw_dual_curvature(&o->point, f, block);
        }
        for (int i = 0; i < SW_DUAL; i++)
            for (int j = 0; j < SW_DUAL; j++)
                K[1 + l][i][0][j] = K[0][j][1 + l][i] = block[i][j];
    }
    memset(block, 0, sizeof block); // (b, b) = sum_l Y_l^T L_l + P : F_bb
    for (int l = 0; l < 3; l++)
        add_product(o->Y[l], L[l], block);
    if (!gauss_newton) {
        swWide force[4][SW_DUAL];
        sw_dual_force(o, P, force);
        add_second_order(o, P, force, block);
    }
    for (int i = 0; i < SW_DUAL; i++)
        for (int j = 0; j < SW_DUAL; j++)
            K[0][i][0][j] = block[i][j];
}
