// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "material/rest.h"

#include "math/mat3_wide.h"
#include "math/tangent.h"

static const int entry_at[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2}; // matrix entries among the six

void sw_rest_inverse(int nblock, int nshape, const swReal *share, const swReal *stretch,
                     swReal *inverse) {
    for (int b = 0; b < nblock; b++) {
        swWide G[6] = {sw_wide(1), sw_wide(1), sw_wide(1), sw_wide(0), sw_wide(0), sw_wide(0)};
        for (int k = 0; k < nshape; k++, stretch += SW_STRETCH * SW_LANES)
            for (int i = 0; i < SW_STRETCH && share[k] != 0; i++)
                G[i] += share[k] * sw_wide_load(stretch + i * SW_LANES);
        const swWide xx = G[1] * G[2] - G[4] * G[4], yy = G[2] * G[0] - G[5] * G[5],
                     zz = G[0] * G[1] - G[3] * G[3], xy = G[4] * G[5] - G[3] * G[2],
                     yz = G[3] * G[5] - G[0] * G[4], zx = G[3] * G[4] - G[5] * G[1];
        const swWide scale = 1.0 / (G[0] * xx + G[3] * xy + G[5] * zx);
        const swWide six[6] = {xx, yy, zz, xy, yz, zx};
        swReal *to = inverse + b * SW_PLASTIC * SW_LANES;
        for (int i = 0; i < 9; i++)
            sw_wide_store(to + i * SW_LANES, scale * six[entry_at[i]]);
    }
}

// X : C : Y
SW_INLINE swWide contract(const swReal *C, const swWide X[9], const swWide Y[9]) {
    swWide sum = sw_wide(0);
    for (int pair = 0; pair < 6; pair++) {
        const int r = sw_pair_row[pair], s = sw_pair_column[pair];
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) {
                const swWide c = sw_wide_load(C + (9 * pair + 3 * k + l) * SW_LANES);
                sum += c * X[3 * r + k] * Y[3 * s + l];
                if (r != s)
                    sum += c * X[3 * s + l] * Y[3 * r + k];
            }
    }
    return sum;
}

// With B_k = A (U_k - I), Fe stays constant to first order if F grows by F B_k dz_k. Hence dF_k =
// -F B_k, and the second-order term is F (B_k B_l + B_l B_k).
void sw_rest_derive(const swRestBlock *block, int n, const int *shape, swReal *g, swReal *H) {
    const swWide weight = sw_wide_load(block->weight);
    swWide F[9], P[9], A[9], D[9], B[SW_FOLLOWED][9], dF[SW_FOLLOWED][9], second[9], other[9];
    sw_wide_load9(block->F, F);
    sw_wide_load9(block->P, P);
    sw_wide_load9(block->inverse, A);
    for (int k = 0; k < n; k++) {
        const swReal *six = block->stretch + shape[k] * SW_STRETCH * SW_LANES;
        for (int i = 0; i < 9; i++)
            D[i] = sw_wide_load(six + entry_at[i] * SW_LANES);
        sw_wide_product(A, D, B[k]);
        sw_wide_product(F, B[k], dF[k]);
        for (int i = 0; i < 9; i++)
            dF[k][i] = -dF[k][i];
        g[k] += sw_wide_sum(weight * sw_wide_dot9(P, dF[k]));
    }
    for (int k = 0; k < n; k++)
        for (int l = 0; l <= k; l++) {
            sw_wide_product(dF[k], B[l], second);
            sw_wide_product(dF[l], B[k], other);
            const swWide curve = sw_wide_dot9(P, second) + sw_wide_dot9(P, other);
            const swReal h = sw_wide_sum(weight * (contract(block->C, dF[k], dF[l]) - curve));
            H[k * n + l] += h;
            if (l != k)
                H[l * n + k] += h;
        }
}
