// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/mirrors.h"

// Of all amounts: what differs by less is rounding, of files too.
static const swReal alike = 1e-7;

static swVec3 flip_of(int k) { return sw_v3(k & 1 ? -1 : 1, k & 2 ? -1 : 1, k & 4 ? -1 : 1); }

static swVec3 flipped(swVec3 flip, swVec3 d) {
    return sw_v3(flip.x * d.x, flip.y * d.y, flip.z * d.z);
}

// Waves of no symmetry.
static swReal wave(swVec3 d) {
    return sin(1.7 * d.x + 2.9 * d.y - 2.3 * d.z + 0.6) +
           0.7 * sin(5.3 * d.x - 3.7 * d.y + 4.1 * d.z + 1.9);
}

swMirrors sw_mirrors_find(const swGrid *g, int n, const swMark *mark) {
    const swVec3 cells = sw_v3(g->n[0], g->n[1], g->n[2]);
    swMirrors m = {.center = sw_madd(g->origin, 0.5 * g->h, cells), .h = g->h};
    swReal sum[SW_FLIPS] = {0}, all = 0;
    const swReal size = sw_norm(sw_sub(g->hi, g->lo));
    for (int i = 0; i < n; i++) {
        const swVec3 d = sw_scale(2 / size, sw_sub(mark[i].X, m.center));
        all += fabs(mark[i].amount);
        for (int k = 0; k < SW_FLIPS; k++)
            sum[k] += mark[i].amount * wave(flipped(flip_of(k), d));
    }
    int best = 0;
    for (int k = 1; k < SW_FLIPS; k++)
        if (sum[k] > sum[best] + alike * all)
            best = k;
    m.way = flip_of(best);
    for (int k = 0; k < SW_FLIPS; k++)
        if (k == 0 || fabs(sum[k] - sum[0]) < alike * all)
            m.flip[m.n++] = flip_of(k);
    return m;
}

swVec3 sw_mirrors_image(const swMirrors *m, swVec3 flip, swVec3 p) {
    return sw_add(m->center, flipped(flip, sw_sub(p, m->center)));
}

swReal sw_mirrors_rank(const swMirrors *m, swVec3 p) {
    return wave(sw_scale(1 / m->h, flipped(m->way, sw_sub(p, m->center))));
}

swReal sw_mirrors_orbit_rank(const swMirrors *m, swVec3 p) {
    swReal sum = 0;
    for (int k = 0; k < m->n; k++)
        sum += sw_mirrors_rank(m, sw_mirrors_image(m, m->flip[k], p));
    return sum;
}

swVec3 sw_mirrors_snap(const swMirrors *m, swVec3 p) {
    const swReal half = 0.5 * m->h;
    const swVec3 d = sw_scale((1 - 1e-9) / half, sw_sub(p, m->center)); // half-way: inward
    return sw_madd(m->center, half, sw_v3(round(d.x), round(d.y), round(d.z)));
}

void sw_mirrors_keep(swMirrors *m, bool (*keeps)(void *context, swVec3 flip), void *context) {
    int n = 0;
    for (int k = 0; k < m->n; k++)
        if (k == 0 || keeps(context, m->flip[k]))
            m->flip[n++] = m->flip[k];
    m->n = n;
}
