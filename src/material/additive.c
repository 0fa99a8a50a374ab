// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Additive plasticity, for laws that are linear in a strain.
#include "material/plasticity.h"

#include "math/mat3_wide.h"

#include <float.h>

SW_INLINE swWide contract(const swWide A[9], const swWide B[9]) {
    swWide sum = A[0] * B[0];
    for (int i = 1; i < 9; i++)
        sum = sum + A[i] * B[i];
    return sum;
}

SW_INLINE void load_plastic(const swReal *plastic, swWide p[9]) {
    for (int i = 0; i < 9; i++)
        p[i] = sw_wide_load(plastic + i * SW_LANES) - (i % 4 == 0 ? 1.0 : 0.0);
}

SW_INLINE void find_strain(swStrain strain, const swWide F[9], swWide e[9]) {
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
            const swWide sum = strain == SW_STRAIN_GREEN
                                   ? F[k] * F[l] + F[3 + k] * F[3 + l] + F[6 + k] * F[6 + l]
                                   : F[3 * k + l] + F[3 * l + k];
            const double rest = strain == SW_STRAIN_GREEN ? 1 : 2;
            e[3 * k + l] = 0.5 * (sum - (k == l ? rest : 0.0));
        }
}

void sw_additive_evaluate(swStrain strain, const swReal lame[2], int nblock, const swReal *plastic,
                          const swReal *Fs, swReal *psi, swReal *P, swReal *C) {
    const bool green = strain == SW_STRAIN_GREEN;
    const double mu = lame[0], lambda = lame[1];
    for (int b = 0; b < nblock; b++) {
        swWide p[9], F[9], e[9], S[9], FS[9];
        load_plastic(plastic + b * SW_PLASTIC * SW_LANES, p);
        sw_wide_load9(Fs + 9 * b * SW_LANES, F);
        find_strain(strain, F, e);
        const swWide trace = e[0] + e[4] + e[8];
        for (int i = 0; i < 9; i++) {
            e[i] = e[i] - p[i];
            S[i] = 2.0 * mu * e[i] + (i % 4 == 0 ? lambda * trace : sw_wide(0));
        }
        if (psi)
            sw_wide_store(psi + b * SW_LANES, mu * contract(e, e) + 0.5 * lambda * trace * trace);
        if (P && green)
            sw_wide_product(F, S, FS);
        if (P)
            sw_wide_store9(P + 9 * b * SW_LANES, green ? FS : S);
        for (int pair = 0; pair < 6 && C && green; pair++)
            for (int i = 0; i < 9 && sw_pair_row[pair] == sw_pair_column[pair]; i++) {
                swReal *at = C + (SW_TANGENT * b + 9 * pair + i) * SW_LANES;
                sw_wide_store(at, sw_wide_load(at) - 2.0 * mu * p[i]);
            }
    }
}

// The share of d, from 0 to 1, for which |p + share d| is at most `most`.
SW_INLINE swWide allowed(const swWide p[9], const swWide d[9], double most) {
    const swWide pp = contract(p, p), pd = contract(p, d), dd = contract(d, d);
    const swWide left = most * most - pp;
    const swWide room = sw_wide_select(SW_WIDE_MASK(left > 0.0), left, sw_wide(0));
    const swMask beyond = SW_WIDE_MASK(2.0 * pd + dd > room); // so that dd > 0, or pd > 0
    const swWide root = (sw_wide_sqrt(pd * pd + dd * room) - pd) / (dd + DBL_MIN);
    return sw_wide_select(beyond, root, sw_wide(1));
}

swReal sw_additive_flow(const swFlowRule *rule, swStrain strain, int nblock, const swReal *F,
                        swReal *plastic) {
    const swReal root = sqrt(2.0 / 3), mu = rule->mu, hardening = rule->hardening;
    swReal worst = 0, gone[SW_LANES];
    for (int b = 0; b < nblock; b++, F += 9 * SW_LANES, plastic += SW_PLASTIC * SW_LANES) {
        swWide p[9], G[9], e[9], d[9];
        load_plastic(plastic, p);
        sw_wide_load9(F, G);
        find_strain(strain, G, e);
        const swWide mean = (e[0] + e[4] + e[8]) / 3.0;
        for (int i = 0; i < 9; i++)
            e[i] = e[i] - p[i] - (i % 4 == 0 ? mean : sw_wide(0));
        const swWide through = sw_wide_load(plastic + 9 * SW_LANES);
        const swWide size = sw_wide_sqrt(contract(e, e)), norm = 2.0 * mu * size;
        const swWide radius = root * (rule->yield + hardening * through);
        const swMask flows = SW_WIDE_MASK(norm > radius);
        const swWide full = rule->share * (norm - radius) / (2.0 * mu + 2.0 / 3 * hardening);
        for (int i = 0; i < 9; i++)
            d[i] = full / sw_wide_select(flows, size, sw_wide(1)) * e[i];
        const swWide share = isfinite(rule->limit) ? allowed(p, d, rule->limit / root) : sw_wide(1);
        const swWide step = sw_wide_select(flows, share * full, sw_wide(0));
        sw_wide_store(gone, step * (2.0 * mu + 2.0 / 3 * hardening) / radius);
        swReal largest = 0;
        for (int lane = 0; lane < SW_LANES; lane++)
            largest = gone[lane] > largest ? gone[lane] : largest;
        if (largest == 0)
            continue;
        worst = largest > worst ? largest : worst;
        for (int i = 0; i < 9; i++) {
            const swWide now = sw_wide_load(plastic + i * SW_LANES);
            sw_wide_store(plastic + i * SW_LANES, sw_wide_select(flows, now + share * d[i], now));
        }
        sw_wide_store(plastic + 9 * SW_LANES, through + root * step);
    }
    return worst;
}
