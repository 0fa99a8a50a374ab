// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/dual.h"

#include "math/tangent.h"

#include <string.h>

// ---- quaternions: w, x, y, z ----

SW_INLINE swWide dot4(const swWide a[4], const swWide b[4]) {
    return sw_wide_fma(a[0], b[0], sw_wide_fma(a[1], b[1], sw_wide_fma(a[2], b[2], a[3] * b[3])));
}

// out += Vec(a b*)
SW_INLINE void add_conjugate(const swWide a[4], const swWide b[4], swWide out[3]) {
    for (int i = 0; i < 3; i++) {
        const int j = 1 + (i + 1) % 3, k = 1 + (i + 2) % 3;
        out[i] =
            sw_wide_fma(a[1 + i], b[0],
                        sw_wide_fma(-a[0], b[1 + i],
                                    sw_wide_fma(a[k], b[j], sw_wide_fma(-a[j], b[k], out[i]))));
    }
}

// out += s v q, for a vector v
SW_INLINE void add_left(swWide s, const swWide v[3], const swWide q[4], swWide out[4]) {
    const swWide x = s * v[0], y = s * v[1], z = s * v[2];
    out[0] = out[0] - (x * q[1] + y * q[2] + z * q[3]);
    out[1] = sw_wide_fma(x, q[0], sw_wide_fma(y, q[3], sw_wide_fma(-z, q[2], out[1])));
    out[2] = sw_wide_fma(y, q[0], sw_wide_fma(z, q[1], sw_wide_fma(-x, q[3], out[2])));
    out[3] = sw_wide_fma(z, q[0], sw_wide_fma(x, q[2], sw_wide_fma(-y, q[1], out[3])));
}

// out += q v
SW_INLINE void add_right(const swWide q[4], const swWide v[3], swWide out[4]) {
    const swWide x = v[0], y = v[1], z = v[2];
    out[0] = out[0] - (x * q[1] + y * q[2] + z * q[3]);
    out[1] = sw_wide_fma(q[0], x, sw_wide_fma(q[2], z, sw_wide_fma(-q[3], y, out[1])));
    out[2] = sw_wide_fma(q[0], y, sw_wide_fma(q[3], x, sw_wide_fma(-q[1], z, out[2])));
    out[3] = sw_wide_fma(q[0], z, sw_wide_fma(q[1], y, sw_wide_fma(-q[2], x, out[3])));
}

// q e_k
SW_INLINE void times_axis(const swWide q[4], int k, swWide out[4]) {
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    out[0] = -q[1 + k];
    out[1 + k] = q[0];
    out[1 + next] = q[1 + last];
    out[1 + last] = -q[1 + next];
}

// Columns `at` to at + 3 of out += d/dq of Vec(q c), 3 x 4
SW_INLINE void add_slope(const swWide c[4], int at, swWide out[3][SW_DUAL]) {
    const swWide o[3][4] = {
        {c[1], c[0], c[3], -c[2]}, {c[2], -c[3], c[0], c[1]}, {c[3], c[2], -c[1], c[0]}};
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 4; i++)
            out[a][at + i] = out[a][at + i] + o[a][i];
}

// out += d/dq of Vec(m q*), 3 x 4
SW_INLINE void add_slope_conjugate(const swWide m[4], swWide out[3][SW_DUAL]) {
    const swWide o[3][4] = {
        {m[1], -m[0], m[3], -m[2]}, {m[2], -m[3], -m[0], m[1]}, {m[3], m[2], -m[1], -m[0]}};
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 4; i++)
            out[a][i] = out[a][i] + o[a][i];
}

// out += d/d(r, d) of Vec((r p + 2 d) c*), 3 x 8
SW_INLINE void add_slope_moved(const swWide c[4], const swWide p[3], swWide out[3][SW_DUAL]) {
    const swWide conjugate[4] = {c[0], -c[1], -c[2], -c[3]};
    const swWide twice[4] = {2.0 * c[0], -2.0 * c[1], -2.0 * c[2], -2.0 * c[3]};
    swWide pc[4] = {sw_wide(0), sw_wide(0), sw_wide(0), sw_wide(0)};
    add_left(sw_wide(1), p, conjugate, pc);
    add_slope(pc, 0, out);
    add_slope(twice, 4, out);
}

// m = r p + 2 d
SW_INLINE void move(const swWide b[SW_DUAL], const swWide p[3], swWide m[4]) {
    for (int i = 0; i < 4; i++)
        m[i] = 2.0 * b[4 + i];
    add_right(b, p, m);
}

// ---- positions ----

void sw_dual_point(const swWide b[SW_DUAL], const swWide p[3], swDualPoint *o) {
    memcpy(o->b, b, sizeof o->b);
    memcpy(o->p, p, sizeof o->p);
    o->inverse = 1.0 / dot4(b, b);
    move(b, p, o->m);
    memset(o->x, 0, sizeof o->x);
    add_conjugate(o->m, b, o->x);
    for (int a = 0; a < 3; a++)
        o->x[a] = o->x[a] * o->inverse;
}

// q / n
SW_INLINE void scaled(swWide s, const swWide q[4], swWide out[4]) {
    for (int i = 0; i < 4; i++)
        out[i] = s * q[i];
}

// X = (y_b - x n_b) / n
void sw_dual_slope(const swDualPoint *o, swWide X[3][SW_DUAL]) {
    swWide r[4], m[4];
    scaled(o->inverse, o->b, r);
    scaled(o->inverse, o->m, m);
    memset(X, 0, 3 * sizeof *X);
    add_slope_moved(r, o->p, X);
    add_slope_conjugate(m, X);
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 4; i++)
            X[a][i] = sw_wide_fma(-2.0 * o->x[a], r[i], X[a][i]);
}

// H += s * second derivative of f . Vec(r p r*) in r.
static void add_turn(const swWide f[3], const swWide p[3], swWide s, swWide H[SW_DUAL][SW_DUAL]) {
    const swWide t = 2.0 * s, dot = f[0] * p[0] + f[1] * p[1] + f[2] * p[2];
    const swWide cross[3] = {p[1] * f[2] - p[2] * f[1], p[2] * f[0] - p[0] * f[2],
                             p[0] * f[1] - p[1] * f[0]};
    H[0][0] = H[0][0] + t * dot;
    for (int i = 0; i < 3; i++) {
        H[0][1 + i] = H[0][1 + i] + t * cross[i];
        for (int j = i; j < 3; j++)
            H[1 + i][1 + j] =
                H[1 + i][1 + j] + t * (f[i] * p[j] + f[j] * p[i] - (i == j ? dot : sw_wide(0)));
    }
}

// H += s * second derivative of 2 f . Vec(d r*).
static void add_shift(const swWide f[3], swWide s, swWide H[SW_DUAL][SW_DUAL]) {
    const swWide z = sw_wide(0), x = 2.0 * s * f[0], y = 2.0 * s * f[1], t = 2.0 * s * f[2];
    const swWide D[4][4] = {{z, x, y, t}, {-x, z, t, -y}, {-y, -t, z, x}, {-t, y, -x, z}}; // [r][d]
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            H[i][4 + j] = H[i][4 + j] + D[i][j];
}

// H += s (a b^T + b a^T), a having only its first four entries.
static void add_pair(const swWide a[4], const swWide b[SW_DUAL], swWide s,
                     swWide H[SW_DUAL][SW_DUAL]) {
    for (int i = 0; i < 4; i++) {
        const swWide sa = s * a[i], sb = s * b[i];
        for (int j = i; j < 4; j++)
            H[i][j] = sw_wide_fma(sa, b[j], sw_wide_fma(sb, a[j], H[i][j]));
        for (int j = 4; j < SW_DUAL; j++)
            H[i][j] = sw_wide_fma(sa, b[j], H[i][j]);
    }
}

// n x_bb = y_bb - n_b x_b - x_b n_b - x n_bb
void sw_dual_curvature(const swDualPoint *o, const swWide f[3], const swWide fX[SW_DUAL],
                       swWide H[SW_DUAL][SW_DUAL]) {
    add_turn(f, o->p, o->inverse, H);
    add_shift(f, o->inverse, H);
    add_pair(o->b, fX, -2.0 * o->inverse, H);
    const swWide fx = 2.0 * o->inverse * (f[0] * o->x[0] + f[1] * o->x[1] + f[2] * o->x[2]);
    for (int i = 0; i < 4; i++)
        H[i][i] = H[i][i] - fx;
}

// ---- deformation gradients ----

void sw_dual_gradient(swWide B[4][SW_DUAL], const swWide p[3], swDualGradient *o) {
    sw_dual_point(B[0], p, &o->point);
    memcpy(o->bk, B[1], sizeof o->bk);
    for (int k = 0; k < 3; k++) {
        swWide turned[4], y[3] = {sw_wide(0), sw_wide(0), sw_wide(0)};
        move(o->bk[k], p, o->mk[k]);
        times_axis(o->point.b, k, turned);
        for (int i = 0; i < 4; i++)
            o->mk[k][i] = o->mk[k][i] + turned[i];
        o->nk[k] = 2.0 * dot4(o->point.b, o->bk[k]);
        add_conjugate(o->mk[k], o->point.b, y);
        add_conjugate(o->point.m, o->bk[k], y);
        for (int a = 0; a < 3; a++)
            o->F[3 * a + k] = (y[a] - o->nk[k] * o->point.x[a]) * o->point.inverse;
    }
}

// g += transposed derivative of Vec((r p + 2 d) c*) in (r, d) times f, fc = f c: (f c p*, 2 f c).
SW_INLINE void add_moved(const swWide fc[4], const swWide p[3], swWide g[SW_DUAL]) {
    const swWide back[3] = {-p[0], -p[1], -p[2]};
    add_right(fc, back, g);
    for (int i = 0; i < 4; i++)
        g[4 + i] = sw_wide_fma(sw_wide(2.0), fc[i], g[4 + i]);
}

// f . Vec(m q*) has the derivative -f m in q.
void sw_dual_force(const swDualGradient *o, const swWide P[9], swWide g[4][SW_DUAL]) {
    const swDualPoint *q = &o->point;
    const swWide inverse = q->inverse;
    swWide PF = sw_wide(0), sum[4] = {sw_wide(0), sw_wide(0), sw_wide(0), sw_wide(0)};
    memset(g, 0, 4 * sizeof *g);
    for (int k = 0; k < 3; k++) {
        const swWide f[3] = {P[k], P[3 + k], P[6 + k]};
        const swWide fx = -2.0 * inverse * (f[0] * q->x[0] + f[1] * q->x[1] + f[2] * q->x[2]);
        swWide fr[4] = {sw_wide(0), sw_wide(0), sw_wide(0), sw_wide(0)}, turned[4];
        add_left(inverse, f, q->b, fr);
        add_moved(fr, q->p, g[1 + k]); // X^T f
        add_left(-inverse, f, q->m, g[1 + k]);
        for (int i = 0; i < 4; i++)
            g[1 + k][i] = sw_wide_fma(fx, q->b[i], g[1 + k][i]);
        // Y_k^T f, see slope_gradient()
        add_left(inverse, f, o->bk[k], sum);
        add_left(-inverse, f, o->mk[k], g[0]);
        times_axis(fr, k, turned);
        for (int i = 0; i < 4; i++)
            g[0][i] = sw_wide_fma(fx, o->bk[k][i], g[0][i]) - turned[i];
        for (int i = 0; i < SW_DUAL; i++)
            g[0][i] = sw_wide_fma(-inverse * o->nk[k], g[1 + k][i], g[0][i]);
        for (int a = 0; a < 3; a++)
            PF = sw_wide_fma(f[a], o->F[3 * a + k], PF);
    }
    add_moved(sum, q->p, g[0]);
    for (int i = 0; i < 4; i++)
        g[0][i] = sw_wide_fma(-2.0 * inverse * PF, q->b[i], g[0][i]);
}

// Y_k = (y_k,b - F_k n_b - n_k X - x n_k,b) / n
static void slope_gradient(const swDualGradient *o, int k, swWide X[3][SW_DUAL],
                           swWide Y[3][SW_DUAL]) {
    const swDualPoint *q = &o->point;
    swWide r[4], rk[4], mk[4], turned[4];
    scaled(q->inverse, q->b, r);
    scaled(q->inverse, o->bk[k], rk);
    scaled(q->inverse, o->mk[k], mk);
    times_axis(r, k, turned); // e_k r* = -(r e_k)*
    const swWide axis[4] = {-turned[0], turned[1], turned[2], turned[3]};
    memset(Y, 0, 3 * sizeof *Y);
    add_slope_moved(rk, q->p, Y);
    add_slope_conjugate(mk, Y);
    add_slope(axis, 0, Y);
    for (int a = 0; a < 3; a++) {
        for (int i = 0; i < 4; i++)
            Y[a][i] = sw_wide_fma(-2.0 * o->F[3 * a + k], r[i],
                                  sw_wide_fma(-2.0 * q->x[a], rk[i], Y[a][i]));
        for (int i = 0; i < SW_DUAL; i++)
            Y[a][i] = sw_wide_fma(-q->inverse * o->nk[k], X[a][i], Y[a][i]);
    }
}

// E[a] += sum_c C_(ak)(cl) M[c]
SW_INLINE void apply_tangent(const swWide C[54], int k, int l, swWide M[3][SW_DUAL],
                             swWide E[3][SW_DUAL]) {
    for (int a = 0; a < 3; a++)
        for (int c = 0; c < 3; c++) {
            const swWide t = C[9 * sw_pair_at[3 * a + c] + (a <= c ? 3 * k + l : 3 * l + k)];
            for (int i = 0; i < SW_DUAL; i++)
                E[a][i] = sw_wide_fma(t, M[c][i], E[a][i]);
        }
}

// P : d2F/db2 = (sum_k P_k . y_k,bb - n_b (P : F_b) - (P : F) n_bb - sum_k [n_k (P_k . x_bb) +
// n_k,b (P_k . x_b)]) / n, products with n_b and n_k,b standing for both orders.
static void add_second_order(const swDualGradient *o, const swWide P[9], swWide force[4][SW_DUAL],
                             swWide H[SW_DUAL][SW_DUAL]) {
    const swDualPoint *q = &o->point;
    const swWide inverse = q->inverse;
    swWide PF = sw_wide(0), along[3] = {sw_wide(0), sw_wide(0), sw_wide(0)}, slope[SW_DUAL];
    memset(slope, 0, sizeof slope);
    for (int k = 0; k < 3; k++) {
        const swWide f[3] = {P[k], P[3 + k], P[6 + k]}, share = -inverse * o->nk[k];
        const swWide e[3] = {sw_wide(k == 0), sw_wide(k == 1), sw_wide(k == 2)};
        add_turn(f, e, inverse, H);
        add_pair(o->bk[k], force[1 + k], -2.0 * inverse, H);
        for (int a = 0; a < 3; a++) {
            PF = PF + f[a] * o->F[3 * a + k];
            along[a] = along[a] + share * f[a];
        }
        for (int i = 0; i < SW_DUAL; i++)
            slope[i] = slope[i] + share * force[1 + k][i];
    }
    sw_dual_curvature(q, along, slope, H);
    add_pair(q->b, force[0], -2.0 * inverse, H);
    for (int i = 0; i < 4; i++)
        H[i][i] = H[i][i] - 2.0 * inverse * PF;
}

// The terms with P: of (b_k, b) in S[1 + k], of (b, b) in S[0]; entries r <= s.
static void second_order(const swDualGradient *o, const swWide P[9],
                         swWide S[4][SW_DUAL][SW_DUAL]) {
    swWide force[4][SW_DUAL];
    sw_dual_force(o, P, force);
    for (int k = 0; k < 3; k++) {
        const swWide f[3] = {P[k], P[3 + k], P[6 + k]};
        sw_dual_curvature(&o->point, f, force[1 + k], S[1 + k]);
    }
    add_second_order(o, P, force, S[0]);
}

// sum_a A[a][r] B[a][s]
SW_INLINE swWide product(swWide A[3][SW_DUAL], int r, swWide B[3][SW_DUAL], int s) {
    return sw_wide_fma(A[0][r], B[0][s], sw_wide_fma(A[1][r], B[1][s], A[2][r] * B[2][s]));
}

void sw_dual_stiffness(const swDualGradient *o, const swWide P[9], const swWide C[54],
                       bool gauss_newton, swReal *out, ptrdiff_t stride) {
    swWide X[3][SW_DUAL], Y[3][3][SW_DUAL], E[3][3][3][SW_DUAL], L[3][3][SW_DUAL],
        S[4][SW_DUAL][SW_DUAL];
    memset(E, 0, sizeof E); // E_kl = C_kl X
    memset(L, 0, sizeof L); // L_l = sum_k C_lk Y_k
    memset(S, 0, sizeof S);
    sw_dual_slope(&o->point, X);
    for (int k = 0; k < 3; k++)
        slope_gradient(o, k, X, Y[k]);
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
            apply_tangent(C, k, l, X, E[k][l]);
            apply_tangent(C, k, l, Y[l], L[k]);
        }
    if (!gauss_newton)
        second_order(o, P, S);
    for (int r = 0; r < SW_DUAL; r++)
        for (int s = r; s < SW_DUAL; s++) {
            swReal *to = out + sw_dual_pair(r, s) * stride;
            swWide sum = S[0][r][s]; // (b, b) = sum_l Y_l^T L_l + P : F_bb
            for (int l = 0; l < 3; l++) {
                sum = sum + product(Y[l], r, L[l], s);
                // (b_l, b) = X^T L_l + P_l . x_bb, and its transpose
                sw_wide_store(to + 4 * (1 + l) * SW_LANES, S[1 + l][r][s] + product(X, r, L[l], s));
                sw_wide_store(to + (1 + l) * SW_LANES, S[1 + l][r][s] + product(L[l], r, X, s));
                for (int k = 0; k < 3; k++) // (b_k, b_l) = X^T C_kl X
                    sw_wide_store(to + (4 * (1 + k) + 1 + l) * SW_LANES, product(X, r, E[k][l], s));
            }
            sw_wide_store(to, sum);
        }
}
