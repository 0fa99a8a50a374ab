// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "potentials/volumes.h"

#include "kinematics/correct.h"
#include "kinematics/group.h"
#include "kinematics/relax.h"
#include "material/invariant.h"
#include "material/terms.h"
#include "potentials/forces.h"

#include <string.h>

bool sw_volumes_create(swVolumesWork *w, const swBodyModel *m, swArena *arena, swError *error) {
    const size_t n = (size_t)m->size.nsample, columns = (size_t)m->size.max_columns;
    *w = (swVolumesWork){0};
    return m->size.nvolume == 0 ||
           ((w->F = SW_NEW(arena, 9 * n, swReal, error)) &&
            (w->pressure = SW_NEW(arena, n, swReal, error)) &&
            (w->sum = SW_NEW(arena, m->size.nvolume, swReal, error)) &&
            (w->slope = SW_NEW(arena, m->size.nvolume * m->size.nq, swReal, error)) &&
            (w->force =
                 SW_NEW(arena, (size_t)m->size.nvolume * 3 * columns * SW_LANES, swReal, error)) &&
            (w->a = SW_NEW(arena, 3 * columns, swReal, error)));
}

static const swReal *weights_of(const swBodyModel *m, int64_t f) {
    return m->volume_weight + f * m->size.nsample;
}

// J - 1 of all samples into w->pressure.
static void find_changes(const swVolumesWork *w, const swBodyModel *m, const swReal *q) {
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        swReal *F = w->F + 9 * (int64_t)g->sample;
        if (g->amplitudes < 0)
            continue;
        sw_group_gradient(m, g, 0, g->nblock, sw_group_gather(m, g, q, w->a), NULL, F);
        sw_group_correct(m, g, 0, g->nblock, q, F);
        for (int b = 0; b < g->nblock; b++)
            sw_wide_store(w->pressure + g->sample + b * SW_LANES,
                          sw_invariant_point(F + 9 * b * SW_LANES).i.j);
    }
}

swReal sw_volumes_find(const swVolumesWork *w, const swBodyModel *m, const swReal *q) {
    swReal energy = 0;
    find_changes(w, m, q);
    for (int64_t f = 0; f < m->size.nvolume; f++) {
        w->sum[f] = sw_dot_n((int)m->size.nsample, weights_of(m, f), w->pressure);
        energy += 0.5 * w->sum[f] * w->sum[f];
    }
    memset(w->pressure, 0, (size_t)m->size.nsample * sizeof *w->pressure);
    for (int64_t f = 0; f < m->size.nvolume; f++)
        for (int64_t s = 0; s < m->size.nsample; s++)
            w->pressure[s] += w->sum[f] * weights_of(m, f)[s];
    return energy;
}

// How the J of a block, times their weights, change with q, for all sums that have any: added to
// w->force[f] and to the slopes of amplitudes.
static void add_slopes(const swVolumesWork *w, const swBodyModel *m, const swGroup *g, int block,
                       const swReal *q) {
    const swNode *node = &m->node[g->amplitudes];
    const swReal *G = sw_group_correctors(m, g, block),
                 *gamma = m->gamma + g->gamma + (int64_t)block * sw_group_stride(g);
    const int64_t sample = g->sample + (int64_t)block * SW_LANES;
    swReal X[6 * SW_LANES], F[9 * SW_LANES], cof[9 * SW_LANES] = {0}, one[SW_LANES],
                                                     r[SW_MAX_MODES * SW_LANES] = {0};
    for (int lane = 0; lane < SW_LANES; lane++)
        one[lane] = 1;
    sw_pressure_add(one, 1, w->F + 9 * sample, cof, NULL);
    sw_group_gradient(m, g, block, 1, w->a, NULL, F);
    sw_correct_force(node->nu, 1, G, q + sw_node_ambient(node), F, cof, r);
    sw_correct_stretch(node->nu, 1, G, q + sw_node_ambient(node), X);
    for (int64_t f = 0; f < m->size.nvolume; f++) {
        const swReal *weight = weights_of(m, f) + sample;
        swReal P[9 * SW_LANES];
        bool some = false;
        for (int lane = 0; lane < SW_LANES; lane++)
            some = some || weight[lane] != 0;
        if (!some)
            continue;
        for (int i = 0; i < 9 * SW_LANES; i++)
            P[i] = weight[i % SW_LANES] * cof[i];
        sw_relax_apply(1, X, P, P);
        sw_linear_force(g->ncolumn, 1, gamma, P, w->force + f * 3 * g->ncolumn * SW_LANES);
        swReal *slope = w->slope + sw_node_ambient(node) * m->size.nvolume + f;
        for (int k = 0; k < node->nu; k++)
            slope[k * m->size.nvolume] +=
                sw_wide_sum(sw_wide_load(weight) * sw_wide_load(r + k * SW_LANES));
    }
}

static void find_slopes(const swVolumesWork *w, const swBodyModel *m, const swReal *q) {
    const int64_t nf = m->size.nvolume;
    memset(w->slope, 0, (size_t)(nf * m->size.nq) * sizeof *w->slope);
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        if (g->amplitudes < 0)
            continue;
        memset(w->force, 0, (size_t)(nf * 3 * g->ncolumn * SW_LANES) * sizeof *w->force);
        sw_group_gather(m, g, q, w->a);
        for (int b = 0; b < g->nblock; b++)
            add_slopes(w, m, g, b, q);
        for (int64_t f = 0; f < nf; f++) {
            const swReal *force = w->force + f * 3 * g->ncolumn * SW_LANES;
            for (int x = 0, column = 0; x < g->nnode && column < g->nfree; x++) {
                const swNode *node = &m->node[m->group_node[g->node + x]];
                for (int e = 0; e < 3 * node->width; e++)
                    w->slope[(node->q + e) * nf + f] += sw_wide_sum(sw_wide_load(
                        force +
                        (e / node->width * g->ncolumn + column + e % node->width) * SW_LANES));
                column += node->width;
            }
        }
    }
}

void sw_volumes_stiffness(const swVolumesWork *w, const swBodyModel *m, const swReal *q,
                          swSystem *out) {
    const int64_t nf = m->size.nvolume;
    find_slopes(w, m, q);
    for (int64_t p = 0; p < m->size.npair; p++) {
        const swNode *i = &m->node[m->pair[p].i], *j = &m->node[m->pair[p].j];
        if (i->ndof == 0 || j->ndof == 0)
            continue;
        const swBlock H = sw_blocks_get(out->H, m->pair[p].i, m->pair[p].j);
        const swReal *x = w->slope + sw_node_ambient(i) * nf,
                     *y = w->slope + sw_node_ambient(j) * nf;
        for (int a = 0; a < i->nu; a++)
            for (int b = 0; b < j->nu; b++)
                H.data[a * H.stride + b] += sw_dot_n((int)nf, x + a * nf, y + b * nf);
    }
}
