// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/correct.h"

#include "kinematics/relax.h"
#include "math/tangent.h"
#include "math/tiles.h"

const swReal *sw_group_correctors(const swBodyModel *m, const swGroup *g, int block) {
    return m->corrector + g->corrector + (int64_t)block * m->node[g->amplitudes].nu * 6 * SW_LANES;
}

void sw_correct_stretch(int n, int nblock, const swReal *G, const swReal *a, swReal *X) {
    for (int b = 0; b < nblock; b++, X += 6 * SW_LANES) {
        swWide S[6];
        for (int e = 0; e < 6; e++)
            S[e] = sw_wide(e < 3);
        for (int m = 0; m < n; m++, G += 6 * SW_LANES)
            for (int e = 0; e < 6; e++)
                S[e] = sw_wide_fma(sw_wide(a[m]), sw_wide_load(G + e * SW_LANES), S[e]);
        for (int e = 0; e < 6; e++)
            sw_wide_store(X + e * SW_LANES, S[e]);
    }
}

void sw_correct_rates(int n, int nblock, const swReal *G, const swReal *F, swReal *T) {
    for (int b = 0; b < nblock; b++)
        for (int m = 0; m < n; m++, G += 6 * SW_LANES)
            sw_relax_apply(1, G, F + 9 * b * SW_LANES,
                           T + ((ptrdiff_t)m * nblock + b) * 9 * SW_LANES);
}

void sw_correct_force(int n, int nblock, const swReal *P, const swReal *T, swReal *r) {
    for (int m = 0; m < n; m++, r += SW_LANES) {
        swWide sum = sw_wide_load(r);
        for (int i = 0; i < 9 * nblock; i++, T += SW_LANES)
            sum = sw_wide_fma(sw_wide_load(P + i * SW_LANES), sw_wide_load(T), sum);
        sw_wide_store(r, sum);
    }
}

// D = C : T of one block
SW_INLINE void stress_of(const swReal *C, const swReal *T, swReal *D) {
    swWide B[9], out[9];
    for (int i = 0; i < 9; i++) {
        B[i] = sw_wide_load(T + i * SW_LANES);
        out[i] = sw_wide(0);
    }
    for (int pair = 0; pair < 6; pair++) {
        const int r = sw_pair_row[pair], s = sw_pair_column[pair];
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) {
                const swWide c = sw_wide_load(C + (9 * pair + 3 * k + l) * SW_LANES);
                out[3 * r + k] = sw_wide_fma(c, B[3 * s + l], out[3 * r + k]);
                if (r != s)
                    out[3 * s + l] = sw_wide_fma(c, B[3 * r + k], out[3 * s + l]);
            }
    }
    for (int i = 0; i < 9; i++)
        sw_wide_store(D + i * SW_LANES, out[i]);
}

void sw_correct_stiffness(int n, int nblock, const swReal *G, const swReal *X, const swReal *P,
                          const swReal *C, const swReal *T, bool semidefinite, swReal *K,
                          swReal *D) {
    const ptrdiff_t size = (ptrdiff_t)nblock * 9 * SW_LANES;
    for (int m = 0; m < n; m++)
        for (int b = 0; b < nblock; b++)
            stress_of(C + (ptrdiff_t)SW_TANGENT * b * SW_LANES, T + m * size + 9 * b * SW_LANES,
                      D + m * size + 9 * b * SW_LANES);
    const swRows left = {T, size, SW_LANES}, right = {D, size, SW_LANES};
    sw_tiles_accumulate(n, n, 9 * nblock, left, right, K, n, true);
    for (int m = 0; m < n; m++) {
        swReal *own = D + m * size;
        sw_relax_apply(nblock, X, own, own);
        for (int b = 0; b < nblock && !semidefinite; b++) {
            swReal turned[9 * SW_LANES];
            sw_relax_apply(1, G + ((ptrdiff_t)b * n + m) * 6 * SW_LANES, P + 9 * b * SW_LANES,
                           turned);
            for (int i = 0; i < 9 * SW_LANES; i++)
                own[9 * b * SW_LANES + i] += turned[i];
        }
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
