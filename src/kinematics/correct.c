// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/correct.h"

#include "kinematics/relax.h"
#include "math/mat3_wide.h"
#include "math/tangent.h"
#include "math/tangent_wide.h"
#include "math/tiles.h"

int sw_corrected_node(const swBodyModel *m) {
    for (int64_t i = 0; i < m->size.ngroup; i++)
        if (m->group[i].amplitudes >= 0)
            return m->group[i].amplitudes;
    return -1;
}

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

void sw_correct_stretch(int n, int nblock, const swReal *G, const swReal *a, swReal *X) {
    for (int b = 0; b < nblock; b++, X += 6 * SW_LANES, G += 6 * n * SW_LANES) {
        swWide A[6], square[6];
        sum_strains(n, G, a, A);
        anticommute(A, A, square);
        for (int e = 0; e < 6; e++)
            sw_wide_store(X + e * SW_LANES,
                          sw_wide(e < 3) + A[e] + sw_wide(0.5 * SW_CORRECT_SQUARE) * square[e]);
    }
}

// Symmetric matrices have six entries: S_e is the one whose entry e is 1, and its mirror image.
// out := M S_e
SW_INLINE void times_entry(const swWide M[9], int e, swWide out[9]) {
    const int i = sw_pair_row[e], j = sw_pair_column[e];
    for (int k = 0; k < 9; k++)
        out[k] = sw_wide(0);
    for (int r = 0; r < 3; r++) {
        out[3 * r + j] = M[3 * r + i];
        out[3 * r + i] = M[3 * r + j];
    }
}

// out[e] := T : (F S_e)
SW_INLINE void fold(const swWide F[9], const swWide T[9], swWide out[6]) {
    for (int e = 0; e < 6; e++) {
        const int i = sw_pair_row[e], j = sw_pair_column[e];
        out[e] = F[i] * T[j] + F[3 + i] * T[3 + j] + F[6 + i] * T[6 + j];
        if (i != j)
            out[e] += F[j] * T[i] + F[3 + j] * T[3 + i] + F[6 + j] * T[6 + i];
    }
}

// L[f] := dX where A changes by S_f: S_f + c (A S_f + S_f A)
static void find_slopes(const swWide A[6], swWide L[6][6]) {
    for (int f = 0; f < 6; f++) {
        swWide unit[6];
        for (int e = 0; e < 6; e++)
            unit[e] = sw_wide(e == f);
        anticommute(A, unit, L[f]);
        for (int e = 0; e < 6; e++)
            L[f][e] *= sw_wide(SW_CORRECT_SQUARE);
        L[f][f] += sw_wide(1);
    }
}

// out[e] := sum over f of L[e][f] x[f]
SW_INLINE void times_slopes(swWide L[6][6], const swWide x[6], swWide out[6]) {
    for (int e = 0; e < 6; e++) {
        out[e] = L[e][0] * x[0];
        for (int f = 1; f < 6; f++)
            out[e] = sw_wide_fma(L[e][f], x[f], out[e]);
    }
}

void sw_correct_force(int n, int nblock, const swReal *G, const swReal *a, const swReal *F,
                      const swReal *P, swReal *r) {
    for (int b = 0; b < nblock; b++, F += 9 * SW_LANES, P += 9 * SW_LANES) {
        swWide A[6], L[6][6], gradient[9], stress[9], own[6], pull[6];
        sum_strains(n, G, a, A);
        find_slopes(A, L);
        sw_wide_load9(F, gradient);
        sw_wide_load9(P, stress);
        fold(gradient, stress, own);
        times_slopes(L, own, pull);
        for (int m = 0; m < n; m++, G += 6 * SW_LANES) {
            swWide sum = sw_wide_load(r + m * SW_LANES);
            for (int e = 0; e < 6; e++)
                sum = sw_wide_fma(pull[e], sw_wide_load(G + e * SW_LANES), sum);
            sw_wide_store(r + m * SW_LANES, sum);
        }
    }
}

// Second derivatives of the energy of a block by the entries of A, and how P X changes with them:
//   W_ef = L_e : F^T C F : L_f + c sym(F^T P) : (S_e S_f + S_f S_e),
//   B_f = (C : F L_f) X + P L_f.
static void derive_twice(const swWide A[6], const swReal *F, const swReal *X, const swReal *P,
                         const swReal *C, bool semidefinite, swWide W[6][6], swWide B[6][9]) {
    swWide L[6][6], gradient[9], stress[9], own[6], D[6][6], change[6][9], stretch[9];
    find_slopes(A, L);
    sw_wide_load9(F, gradient);
    sw_wide_load9(P, stress);
    for (int k = 0; k < 9; k++)
        stretch[k] = sw_wide_load(X + sw_pair_at[k] * SW_LANES);
    for (int f = 0; f < 6; f++) {
        swWide to[9], from[9];
        times_entry(gradient, f, from);
        sw_tangent_times(C, from, to);
        fold(gradient, to, D[f]);
        sw_wide_product(to, stretch, change[f]);
        times_entry(stress, f, from);
        for (int k = 0; k < 9 && !semidefinite; k++)
            change[f][k] += from[k];
    }
    for (int f = 0; f < 6; f++) {
        swWide half[6];
        for (int e = 0; e < 6; e++)
            half[e] = sw_wide(0);
        for (int k = 0; k < 9; k++)
            B[f][k] = sw_wide(0);
        for (int e = 0; e < 6; e++) {
            for (int k = 0; k < 6; k++)
                half[k] = sw_wide_fma(L[f][e], D[e][k], half[k]);
            for (int k = 0; k < 9; k++)
                B[f][k] = sw_wide_fma(L[f][e], change[e][k], B[f][k]);
        }
        times_slopes(L, half, W[f]);
    }
    if (semidefinite)
        return;
    fold(gradient, stress, own);
    for (int e = 0; e < 6; e++)
        own[e] *= sw_wide(e < 3 ? SW_CORRECT_SQUARE : 0.5 * SW_CORRECT_SQUARE);
    for (int f = 0; f < 6; f++) {
        swWide unit[6], both[6];
        for (int e = 0; e < 6; e++)
            unit[e] = sw_wide(e == f);
        anticommute(own, unit, both);
        for (int e = 0; e < 6; e++)
            W[f][e] += e < 3 ? both[e] : both[e] + both[e];
    }
}

void sw_correct_stiffness(int n, int nblock, const swReal *G, const swReal *a, const swReal *F,
                          const swReal *X, const swReal *P, const swReal *C, bool semidefinite,
                          swReal *pair, swReal *K, swReal *D) {
    const ptrdiff_t row = (ptrdiff_t)nblock * 6 * SW_LANES;
    swReal *left = pair, *right = pair + n * row;
    for (int b = 0; b < nblock; b++) {
        swWide A[6], W[6][6], B[6][9];
        sum_strains(n, G, a, A);
        derive_twice(A, F + 9 * b * SW_LANES, X + 6 * b * SW_LANES, P + 9 * b * SW_LANES,
                     C + (ptrdiff_t)SW_TANGENT * b * SW_LANES, semidefinite, W, B);
        for (int m = 0; m < n; m++, G += 6 * SW_LANES) {
            const ptrdiff_t at = m * row + 6 * b * SW_LANES;
            swWide own[6], force[6], change[9];
            for (int e = 0; e < 6; e++)
                own[e] = sw_wide_load(G + e * SW_LANES);
            times_slopes(W, own, force);
            for (int e = 0; e < 6; e++) {
                sw_wide_store(left + at + e * SW_LANES, own[e]);
                sw_wide_store(right + at + e * SW_LANES, force[e]);
            }
            for (int k = 0; k < 9; k++) {
                change[k] = own[0] * B[0][k];
                for (int e = 1; e < 6; e++)
                    change[k] = sw_wide_fma(own[e], B[e][k], change[k]);
            }
            for (int k = 0; k < 9; k++)
                sw_wide_store(D + (((ptrdiff_t)3 * m + k / 3) * nblock * 3 + 3 * b + k % 3) *
                                      SW_LANES,
                              change[k]);
        }
    }
    const swRows rows = {left, row, SW_LANES}, columns = {right, row, SW_LANES};
    sw_tiles_accumulate(n, n, 6 * nblock, rows, columns, K, n, true);
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
