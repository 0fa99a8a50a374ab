// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "potentials/mean_volume.h"

#include "kinematics/group.h"
#include "math/mat3_wide.h"
#include "math/tangent.h"

#include <string.h>

// One point: N = F^-T, s = (theta / J)^(1/3), PF = P : F with P before, CF = C F.
typedef struct {
    swWide F[9], N[9], P[9], CF[9];
    swWide J, s, PF, FCF, share; // share: its part of the element's volume
} swMeanPoint;

// Entry (i, j) of a tangent, i = 3 r + k, j = 3 s + l.
static int tangent_at(int i, int j) {
    const int r = i / 3, k = i % 3, s = j / 3, l = j % 3;
    return 9 * sw_pair_at[3 * r + s] + (r <= s ? 3 * k + l : 3 * l + k);
}

static void measure_point(const swReal *plain, const swReal *scaled, const swReal *P,
                          const swReal *C, swWide share, swMeanPoint *p) {
    sw_wide_load9(plain, p->F);
    sw_wide_load9(P, p->P);
    p->J = sw_wide_det(p->F);
    sw_wide_cofactor(p->F, p->N);
    for (int i = 0; i < 9; i++)
        p->N[i] /= p->J;
    p->share = share;
    // the ratio is that of any entry: of the whole, so that none may be zero
    swWide with = sw_wide(0), all = sw_wide(0);
    for (int i = 0; i < 9; i++) {
        with = sw_wide_fma(p->F[i], sw_wide_load(scaled + i * SW_LANES), with);
        all = sw_wide_fma(p->F[i], p->F[i], all);
    }
    p->s = with / all;
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
//   s^2 D^T C D + s PF (N N / 9 + X / 3) - s/3 (N P + P N) + p share J (N N - X),
// D = 1 - F N / 3, X[(r,k),(s,l)] = N_rl N_sk.
static void put_tangent(const swMeanPoint *p, swWide pressure, bool exact, swReal *C) {
    const swWide s2 = p->s * p->s, a = p->s * p->PF, b = pressure * p->share * p->J;
    for (int pair = 0; pair < 6; pair++)
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) {
                const int r = sw_pair_row[pair], s = sw_pair_column[pair], i = 3 * r + k,
                          j = 3 * s + l;
                swReal *at = C + (9 * pair + 3 * k + l) * SW_LANES;
                const swWide *N = p->N, NN = N[i] * N[j], X = N[3 * r + l] * N[3 * s + k];
                swWide sum = s2 * (sw_wide_load(at) - (p->CF[i] * N[j] + N[i] * p->CF[j]) / 3.0 +
                                   p->FCF * NN / 9.0);
                if (exact)
                    sum += a * (NN / 9.0 + X / 3.0) -
                           p->s / 3.0 * (N[i] * p->P[j] + p->P[i] * N[j]) + b * (NN - X);
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

// What theta does with the energy: (s / 3 theta) D^T (P + s C F) at a point, and its share of the
// second derivative.
static void add_coupling(swMeanVolume *mean, const swMeanPoint *p, swWide theta, bool exact, int n,
                         const swReal *gamma) {
    swWide A[9], slope[9], along = p->s * p->FCF + (exact ? p->PF : sw_wide(0));
    for (int i = 0; i < 9; i++) {
        const swWide sum = p->s * p->CF[i] + (exact ? p->P[i] : sw_wide(0));
        A[i] = p->s / (3.0 * theta) * (sum - along / 3.0 * p->N[i]);
        slope[i] = p->share * p->J * p->N[i];
    }
    add_vertices(n, gamma, A, mean->mixed);
    add_vertices(n, gamma, slope, mean->slope);
    const swWide less = exact ? 2.0 * p->s * p->PF : sw_wide(0);
    mean->curvature += (p->s * p->s * p->FCF - less) / (9.0 * theta * theta);
}

void sw_mean_volume(swMeanVolume *mean, const swBodyModel *m, const swGroup *g, int element,
                    const swReal *q, bool exact, swReal *P, swReal *C) {
    const int n = g->nnode, np = g->nsample;
    const int64_t first = (int64_t)element * np;
    const swReal *gamma = m->gamma + g->gamma + first * sw_group_stride(g),
                 *volume = m->sample_volume + g->sample + first * SW_LANES;
    swReal x[3 * SW_ELEMENT_VERTICES * SW_LANES], scaled[9 * SW_ELEMENT_SAMPLES * SW_LANES],
        plain[9 * SW_ELEMENT_SAMPLES * SW_LANES], theta[SW_LANES];
    swMeanPoint point[SW_ELEMENT_SAMPLES];
    swWide pressure = sw_wide(0), all = sw_wide(0);
    sw_element_gather(m, g, element, q, x);
    for (int p = 0; p < np; p++) {
        sw_element_gradient(n, gamma + (ptrdiff_t)p * sw_group_stride(g), x,
                            scaled + 9 * p * SW_LANES);
        all += sw_wide_load(volume + p * SW_LANES);
    }
    sw_element_mean(np, volume, scaled, plain, theta);
    const swWide mean_J = sw_wide_load(theta);
    for (int p = 0; p < np; p++) {
        measure_point(plain + 9 * p * SW_LANES, scaled + 9 * p * SW_LANES, P + 9 * p * SW_LANES,
                      C ? C + SW_TANGENT * p * SW_LANES : NULL,
                      sw_wide_load(volume + p * SW_LANES) / all, &point[p]);
        pressure += point[p].s * point[p].PF / (3.0 * mean_J);
    }
    memset(mean->slope, 0, sizeof mean->slope);
    memset(mean->mixed, 0, sizeof mean->mixed);
    mean->curvature = sw_wide(0);
    for (int p = 0; p < np; p++) {
        const swMeanPoint *at = &point[p];
        for (int i = 0; i < 9; i++)
            sw_wide_store(P + (9 * p + i) * SW_LANES, at->s * (at->P[i] - at->PF / 3.0 * at->N[i]) +
                                                          pressure * at->share * at->J * at->N[i]);
        if (!C)
            continue;
        put_tangent(at, pressure, exact, C + SW_TANGENT * p * SW_LANES);
        add_coupling(mean, at, mean_J, exact, n, gamma + (ptrdiff_t)p * sw_group_stride(g));
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
