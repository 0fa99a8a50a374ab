// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/correct.h"

#include "kinematics/relax.h"
#include "math/mat3_wide.h"
#include "math/tangent.h"
#include "math/tangent_wide.h"
#include "math/tiles.h"

const swReal *sw_group_correctors(const swBodyModel *m, const swGroup *g, int block) {
    return m->corrector + g->corrector + (int64_t)block * m->node[g->amplitudes].nu * 6 * SW_LANES;
}

// A of a block.
static void sum_strains(int n, const swReal *G, const swReal *a, swWide A[6]) {
    for (int e = 0; e < 6; e++)
        A[e] = sw_wide(0);
    for (int m = 0; m < n; m++, G += 6 * SW_LANES)
        for (int e = 0; e < 6; e++)
            A[e] = sw_wide_fma(sw_wide(a[m]), sw_wide_load(G + e * SW_LANES), A[e]);
}

// out := A B + B A, all of them symmetric.
static inline void anticommute(const swWide A[6], const swWide B[6], swWide out[6]) {
    const swWide xy = A[3] * B[3], xz = A[4] * B[4], yz = A[5] * B[5], two = sw_wide(2);
    out[0] = two * (A[0] * B[0] + xy + xz);
    out[1] = two * (A[1] * B[1] + xy + yz);
    out[2] = two * (A[2] * B[2] + xz + yz);
    out[3] = (A[0] + A[1]) * B[3] + (B[0] + B[1]) * A[3] + A[4] * B[5] + B[4] * A[5];
    out[4] = (A[0] + A[2]) * B[4] + (B[0] + B[2]) * A[4] + A[3] * B[5] + B[3] * A[5];
    out[5] = (A[1] + A[2]) * B[5] + (B[1] + B[2]) * A[5] + A[3] * B[4] + B[3] * A[4];
}

// out[6][SW_LANES] := dX/da_m = G_m + A G_m + G_m A
static void slope_of(const swReal *G, const swWide A[6], swReal *out) {
    swWide B[6], both[6];
    for (int e = 0; e < 6; e++)
        B[e] = sw_wide_load(G + e * SW_LANES);
    anticommute(A, B, both);
    for (int e = 0; e < 6; e++)
        sw_wide_store(out + e * SW_LANES, B[e] + both[e]);
}

void sw_correct_stretch(int n, int nblock, const swReal *G, const swReal *a, swReal *X) {
    for (int b = 0; b < nblock; b++, X += 6 * SW_LANES, G += 6 * n * SW_LANES) {
        swWide A[6], square[6];
        sum_strains(n, G, a, A);
        anticommute(A, A, square);
        for (int e = 0; e < 6; e++)
            sw_wide_store(X + e * SW_LANES, sw_wide(e < 3) + A[e] + sw_wide(0.5) * square[e]);
    }
}

void sw_correct_rates(int n, int nblock, const swReal *G, const swReal *a, const swReal *F,
                      swReal *T) {
    for (int b = 0; b < nblock; b++) {
        swWide A[6];
        sum_strains(n, G, a, A);
        for (int m = 0; m < n; m++, G += 6 * SW_LANES) {
            swReal slope[6 * SW_LANES];
            slope_of(G, A, slope);
            sw_relax_apply(1, slope, F + 9 * b * SW_LANES,
                           T + ((ptrdiff_t)m * nblock + b) * 9 * SW_LANES);
        }
    }
}

// K += P : F (G_m G_k + G_k G_m) = (Q G_m + G_m Q) : G_k, Q the symmetric part of F^T P.
static void add_curvature(int n, const swReal *G, const swReal *F, const swReal *P, swReal *K) {
    swReal both[SW_MAX_MODES * 6 * SW_LANES];
    swWide x[9], y[9], Q[6];
    sw_wide_load9(F, x);
    sw_wide_load9(P, y);
    for (int e = 0; e < 6; e++) {
        const int i = sw_pair_row[e], j = sw_pair_column[e];
        Q[e] = sw_wide(0);
        for (int r = 0; r < 3; r++)
            Q[e] =
                Q[e] + sw_wide(0.5) * (x[3 * r + i] * y[3 * r + j] + x[3 * r + j] * y[3 * r + i]);
    }
    for (int m = 0; m < n; m++) {
        swWide B[6], out[6];
        for (int e = 0; e < 6; e++)
            B[e] = sw_wide_load(G + (6 * m + e) * SW_LANES);
        anticommute(Q, B, out);
        for (int e = 0; e < 6; e++)
            sw_wide_store(both + (6 * m + e) * SW_LANES, e < 3 ? out[e] : out[e] + out[e]);
    }
    const swRows left = {both, 6 * SW_LANES, SW_LANES}, right = {G, 6 * SW_LANES, SW_LANES};
    sw_tiles_accumulate(n, n, 6, left, right, K, n, true);
}

void sw_correct_force(int n, int nblock, const swReal *P, const swReal *T, swReal *r) {
    for (int m = 0; m < n; m++, r += SW_LANES) {
        swWide sum = sw_wide_load(r);
        for (int i = 0; i < 9 * nblock; i++, T += SW_LANES)
            sum = sw_wide_fma(sw_wide_load(P + i * SW_LANES), sw_wide_load(T), sum);
        sw_wide_store(r, sum);
    }
}

void sw_correct_stiffness(int n, int nblock, const swReal *G, const swReal *a, const swReal *F,
                          const swReal *X, const swReal *P, const swReal *C, const swReal *T,
                          bool semidefinite, swReal *K, swReal *D) {
    const ptrdiff_t size = (ptrdiff_t)nblock * 9 * SW_LANES;
    for (int m = 0; m < n; m++)
        for (int b = 0; b < nblock; b++) {
            swWide from[9], to[9];
            sw_wide_load9(T + m * size + 9 * b * SW_LANES, from);
            sw_tangent_times(C + (ptrdiff_t)SW_TANGENT * b * SW_LANES, from, to);
            sw_wide_store9(D + m * size + 9 * b * SW_LANES, to);
        }
    const swRows left = {T, size, SW_LANES}, right = {D, size, SW_LANES};
    sw_tiles_accumulate(n, n, 9 * nblock, left, right, K, n, true);
    for (int m = 0; m < n; m++)
        sw_relax_apply(nblock, X, D + m * size, D + m * size);
    for (int b = 0; b < nblock && !semidefinite; b++, G += 6 * n * SW_LANES) {
        const swReal *stress = P + 9 * b * SW_LANES;
        swWide A[6];
        sum_strains(n, G, a, A);
        for (int m = 0; m < n; m++) {
            swReal slope[6 * SW_LANES], turned[9 * SW_LANES],
                *own = D + m * size + 9 * b * SW_LANES;
            slope_of(G + 6 * m * SW_LANES, A, slope);
            sw_relax_apply(1, slope, stress, turned);
            for (int i = 0; i < 9 * SW_LANES; i++)
                own[i] += turned[i];
        }
        add_curvature(n, G, F + 9 * b * SW_LANES, stress, K);
    }
}

void sw_group_correct(const swBodyModel *m, const swGroup *g, int first, int nblock,
                      const swReal *q, swReal *F) {
    if (g->amplitudes < 0)
        return;
    const swNode *node = &m->node[g->amplitudes];
    for (int b = first; b < first + nblock; b++, F += 9 * SW_LANES) {
        swReal X[6 * SW_LANES];
        sw_correct_stretch(node->nu, 1, sw_group_correctors(m, g, b), q + sw_node_ambient(node), X);
        sw_relax_apply(1, X, F, F);
    }
}
