// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "potentials/mean_volume.h"

#include "kinematics/group.h"
#include "math/mat3_wide.h"
#include "math/tangent.h"

#include <string.h>

// One point: F' = s F with s = r(J) t(theta); ds/dF = a cof, a = r' t; b = r'' t. PF = P : F with P
// before, CF = C F.
typedef struct {
    swWide F[9], cof[9], P[9], CF[9];
    swMeanRoot root;
    swWide s, a, b, PF, FCF, share; // share: its part of the element's volume
} swMeanPoint;

// 1 / r(theta) and its derivatives.
typedef struct {
    swWide t, t1, t2;
} swMeanWhole;

static swMeanWhole measure_whole(swWide theta) {
    const swMeanRoot r = sw_mean_root(theta);
    const swWide t = 1.0 / r.r, t1 = -r.r1 * t * t;
    return (swMeanWhole){t, t1, -r.r2 * t * t - 2.0 * r.r1 * t * t1};
}

// Entry (i, j) of a tangent, i = 3 r + k, j = 3 s + l.
static int tangent_at(int i, int j) {
    const int r = i / 3, k = i % 3, s = j / 3, l = j % 3;
    return 9 * sw_pair_at[3 * r + s] + (r <= s ? 3 * k + l : 3 * l + k);
}

static void measure_point(const swReal *F, const swReal *P, const swReal *C, swWide share,
                          const swMeanWhole *whole, swMeanPoint *p) {
    sw_wide_load9(F, p->F);
    sw_wide_load9(P, p->P);
    sw_wide_cofactor(p->F, p->cof);
    p->root = sw_mean_root(sw_wide_det(p->F));
    p->s = whole->t * p->root.r;
    p->a = whole->t * p->root.r1;
    p->b = whole->t * p->root.r2;
    p->share = share;
    p->PF = sw_wide_dot9(p->P, p->F);
    if (!C)
        return;
    for (int i = 0; i < 9; i++) {
        p->CF[i] = sw_wide(0);
        for (int j = 0; j < 9; j++)
            p->CF[i] =
                sw_wide_fma(sw_wide_load(C + tangent_at(i, j) * SW_LANES), p->F[j], p->CF[i]);
    }
    p->FCF = sw_wide_dot9(p->F, p->CF);
}

// d2E/dFdF at fixed theta, and with the pressure p = dE/dtheta what J does to theta:
//   D^T C D + b PF cof cof + a (cof P + P cof) + (a PF + p share) dcof/dF,  D = s + a F cof.
static void put_tangent(const swMeanPoint *p, swWide pressure, bool exact, swReal *C) {
    const swWide s2 = p->s * p->s, sa = p->s * p->a, b = exact ? p->b * p->PF : sw_wide(0),
                 both = p->a * p->a * p->FCF + b, slope = p->a * p->PF + pressure * p->share;
    for (int pair = 0; pair < 6; pair++)
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) {
                const int r = sw_pair_row[pair], s = sw_pair_column[pair], i = 3 * r + k,
                          j = 3 * s + l;
                swReal *at = C + (9 * pair + 3 * k + l) * SW_LANES;
                const swWide *cof = p->cof;
                swWide sum = s2 * sw_wide_load(at) + both * cof[i] * cof[j] +
                             sa * (p->CF[i] * cof[j] + cof[i] * p->CF[j]);
                if (exact)
                    sum += p->a * (cof[i] * p->P[j] + p->P[i] * cof[j]) +
                           slope * sw_cofactor_slope(p->F, r, k, s, l);
                sw_wide_store(at, sum);
            }
}

// out[3][n] += Gamma A
static void add_vertices(int n, const swReal *gamma, const swWide A[9], swReal *out) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < n; c++) {
            swReal *at = out + (r * n + c) * SW_LANES;
            swWide sum = sw_wide_load(at);
            for (int k = 0; k < 3; k++)
                sum = sw_wide_fma(A[3 * r + k], sw_wide_load(gamma + (k * n + c) * SW_LANES), sum);
            sw_wide_store(at, sum);
        }
}

// What theta does with the energy at a point: t' (r (P + s C F) + (r' PF + r a FCF) cof), and its
// share of the second derivative, (t' r)^2 FCF + t'' r PF.
static void add_coupling(swMeanVolume *mean, const swMeanPoint *p, const swMeanWhole *whole,
                         bool exact, int n, const swReal *gamma) {
    const swWide r = whole->t1 * p->root.r, rest = exact ? sw_wide(1) : sw_wide(0),
                 along = r * p->a * p->FCF + rest * whole->t1 * p->root.r1 * p->PF;
    swWide A[9], slope[9];
    for (int i = 0; i < 9; i++) {
        A[i] = r * (rest * p->P[i] + p->s * p->CF[i]) + along * p->cof[i];
        slope[i] = p->share * p->cof[i];
    }
    add_vertices(n, gamma, A, mean->mixed);
    add_vertices(n, gamma, slope, mean->slope);
    mean->curvature += r * r * p->FCF + rest * whole->t2 * p->root.r * p->PF;
}

void sw_mean_volume(swMeanVolume *mean, const swBodyModel *m, const swGroup *g, int element,
                    const swReal *q, bool exact, swReal *P, swReal *C) {
    const int n = g->nnode, np = g->nsample;
    const int64_t first = (int64_t)element * np;
    const swReal *gamma = m->gamma + g->gamma + first * sw_group_stride(g),
                 *volume = m->sample_volume + g->sample + first * SW_LANES;
    swReal x[3 * SW_ELEMENT_VERTICES * SW_LANES], F[9 * SW_ELEMENT_SAMPLES * SW_LANES],
        plain[9 * SW_ELEMENT_SAMPLES * SW_LANES], theta[SW_LANES];
    swMeanPoint point[SW_ELEMENT_SAMPLES];
    swWide pressure = sw_wide(0), all = sw_wide(0);
    sw_element_gather(m, g, element, q, x);
    for (int p = 0; p < np; p++) {
        sw_element_gradient(n, gamma + (ptrdiff_t)p * sw_group_stride(g), x, F + 9 * p * SW_LANES);
        all += sw_wide_load(volume + p * SW_LANES);
    }
    sw_element_mean(np, volume, F, plain, theta);
    const swMeanWhole whole = measure_whole(sw_wide_load(theta));
    for (int p = 0; p < np; p++) {
        measure_point(plain + 9 * p * SW_LANES, P + 9 * p * SW_LANES,
                      C ? C + SW_TANGENT * p * SW_LANES : NULL,
                      sw_wide_load(volume + p * SW_LANES) / all, &whole, &point[p]);
        pressure += whole.t1 * point[p].root.r * point[p].PF;
    }
    memset(mean->slope, 0, sizeof mean->slope);
    memset(mean->mixed, 0, sizeof mean->mixed);
    mean->curvature = sw_wide(0);
    for (int p = 0; p < np; p++) {
        const swMeanPoint *at = &point[p];
        for (int i = 0; i < 9; i++)
            sw_wide_store(P + (9 * p + i) * SW_LANES,
                          at->s * at->P[i] + (at->a * at->PF + pressure * at->share) * at->cof[i]);
        if (!C)
            continue;
        put_tangent(at, pressure, exact, C + SW_TANGENT * p * SW_LANES);
        add_coupling(mean, at, &whole, exact, n, gamma + (ptrdiff_t)p * sw_group_stride(g));
    }
}

void sw_mean_volume_couple(const swMeanVolume *mean, int n, swReal *K) {
    for (int a = 0; a < n; a++)
        for (int b = 0; b <= a; b++)
            for (int r = 0; r < 3; r++)
                for (int s = 0; s < 3; s++, K += SW_LANES) {
                    const int i = (r * n + a) * SW_LANES, j = (s * n + b) * SW_LANES;
                    const swWide Di = sw_wide_load(mean->slope + i),
                                 Dj = sw_wide_load(mean->slope + j),
                                 ci = sw_wide_load(mean->mixed + i),
                                 cj = sw_wide_load(mean->mixed + j);
                    sw_wide_store(K,
                                  sw_wide_load(K) + ci * Dj + Di * cj + mean->curvature * Di * Dj);
                }
}
