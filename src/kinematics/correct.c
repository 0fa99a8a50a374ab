// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/correct.h"

#include "kinematics/relax.h"
#include "math/mat3_wide.h"
#include "math/tangent_wide.h"
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

void sw_correct_stiffness(int n, int nblock, const swReal *G, const swReal *X, const swReal *P,
                          const swReal *C, const swReal *T, bool semidefinite, swReal *K,
                          swReal *D) {
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
