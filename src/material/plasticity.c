// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "material/plasticity.h"

#include "math/mat3_wide.h"
#include "math/svd_wide.h"

void sw_plastic_split(int nblock, const swReal *plastic, const swReal *Fs, swReal *Fe) {
    for (int b = 0; b < nblock; b++) {
        swWide A[9], F[9], E[9];
        sw_wide_load9(plastic + b * SW_PLASTIC * SW_LANES, A);
        sw_wide_load9(Fs + 9 * b * SW_LANES, F);
        sw_wide_product(F, A, E);
        sw_wide_store9(Fe + 9 * b * SW_LANES, E);
    }
}

void sw_plastic_pull(int nblock, const swReal *plastic, swReal *P, swReal *C) {
    for (int b = 0; b < nblock; b++) {
        swWide A[9], T[9], M[9], half[9], out[9]; // T = A^T
        sw_wide_load9(plastic + b * SW_PLASTIC * SW_LANES, A);
        sw_wide_transpose(A, T);
        if (P) {
            sw_wide_load9(P + 9 * b * SW_LANES, M);
            sw_wide_product(M, T, out);
            sw_wide_store9(P + 9 * b * SW_LANES, out);
        }
        for (int pair = 0; pair < 6 && C; pair++) {
            swReal *at = C + (SW_TANGENT * b + 9 * pair) * SW_LANES;
            sw_wide_load9(at, M);
            sw_wide_product(A, M, half);
            sw_wide_product(half, T, out);
            sw_wide_store9(at, out);
        }
    }
}

// A = A V diag(r) V^T, with a correction that keeps the volume despite rounding.
SW_INLINE void turn_inverse(swWide A[9], const swWide V[9], const swWide r[3]) {
    swWide D[9], T[9], S[9], out[9];
    sw_wide_transpose(V, T);
    for (int i = 0; i < 9; i++)
        D[i] = V[i] * r[i % 3];
    sw_wide_product(D, T, S);
    sw_wide_product(A, S, out);
    const swWide correction = (4.0 - sw_wide_det(out)) / 3.0; // approximates det^(-1/3) near 1
    for (int i = 0; i < 9; i++)
        A[i] = out[i] * correction;
}

swFlowRule sw_flow_rule(const swMaterialInfo *m, swReal h) {
    return (swFlowRule){.mu = m->lame[0],
                        .yield = m->yield,
                        .hardening = m->hardening,
                        .share = -expm1(-m->creep * h),
                        .limit = m->limit};
}

swReal sw_plastic_flow(const swFlowRule *rule, int nblock, const swReal *F, swReal *plastic) {
    const swReal root = sqrt(2.0 / 3), mu = rule->mu, hardening = rule->hardening;
    swReal worst = 0, beyond[SW_LANES];
    for (int b = 0; b < nblock; b++, F += 9 * SW_LANES, plastic += SW_PLASTIC * SW_LANES) {
        swWide A[9], G[9], E[9], U[9], s[3], V[9], e[3], r[3];
        sw_wide_load9(plastic, A);
        sw_wide_load9(F, G);
        sw_wide_product(G, A, E);
        sw_wide_svd(E, U, s, V);
        const swMask solid = SW_WIDE_MASK(s[2] > 1e-100);
        for (int i = 0; i < 3; i++)
            e[i] = sw_wide_log(sw_wide_select(solid, s[i], sw_wide(1)));
        const swWide mean = (e[0] + e[1] + e[2]) / 3.0;
        for (int i = 0; i < 3; i++)
            e[i] = e[i] - mean;
        const swWide strain = sw_wide_load(plastic + 9 * SW_LANES);
        const swWide norm = 2.0 * mu * sw_wide_sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
        const swWide radius = root * (rule->yield + hardening * strain);
        const swMask flows = SW_WIDE_MASK(norm > radius);
        sw_wide_store(beyond, sw_wide_select(flows, norm / radius - 1.0, sw_wide(0)));
        swReal largest = 0;
        for (int lane = 0; lane < SW_LANES; lane++)
            largest = beyond[lane] > largest ? beyond[lane] : largest;
        if (largest == 0)
            continue;
        worst = largest > worst ? largest : worst;
        const swWide step = rule->share * (norm - radius) / (2.0 * mu + 2.0 / 3 * hardening);
        const swWide share = 2.0 * mu * step / sw_wide_select(flows, norm, sw_wide(1));
        for (int i = 0; i < 3; i++)
            r[i] = sw_wide_exp(-share * e[i]);
        turn_inverse(A, V, r);
        for (int i = 0; i < 9; i++)
            sw_wide_store(plastic + i * SW_LANES,
                          sw_wide_select(flows, A[i], sw_wide_load(plastic + i * SW_LANES)));
        sw_wide_store(plastic + 9 * SW_LANES, sw_wide_select(flows, strain + root * step, strain));
    }
    return worst;
}
