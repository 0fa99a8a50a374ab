// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "potentials/volumes.h"

#include "kinematics/correct.h"
#include "kinematics/group.h"
#include "kinematics/relax.h"
#include "material/invariant.h"
#include "material/terms.h"
#include "math/tiles.h"
#include "potentials/forces.h"

#include <string.h>

// Numbers of the slopes of one number of q: those of all m_f, and zeros up to a whole vector.
static int64_t row_of(const swBodyModel *m) {
    return (m->size.nvolume + SW_LANES - 1) / SW_LANES * SW_LANES;
}

bool sw_volumes_create(swVolumesWork *w, const swBodyModel *m, swArena *arena, swError *error) {
    const size_t n = (size_t)m->size.nsample, columns = (size_t)m->size.max_columns,
                 slopes = (size_t)(row_of(m) * m->size.nq), nf = (size_t)m->size.nvolume,
                 numbers = (SW_DUAL * columns + SW_MAX_MODES) * SW_LANES;
    *w = (swVolumesWork){0};
    return m->size.nvolume == 0 || ((w->F_nodes = SW_NEW(arena, 9 * n, swReal, error)) &&
                                    (w->X = SW_NEW(arena, 6 * n, swReal, error)) &&
                                    (w->F = SW_NEW(arena, 9 * n, swReal, error)) &&
                                    (w->pressure = SW_NEW(arena, n, swReal, error)) &&
                                    (w->rest = SW_NEW(arena, n, swReal, error)) &&
                                    (w->sum = SW_NEW(arena, nf, swReal, error)) &&
                                    (w->foresight = SW_NEW(arena, nf, swReal, error)) &&
                                    (w->slope = SW_NEW(arena, slopes, swReal, error)) &&
                                    (w->opposite = SW_NEW(arena, slopes, swReal, error)) &&
                                    (w->change = SW_NEW(arena, numbers, swReal, error)) &&
                                    (w->force = SW_NEW(arena, nf * numbers, swReal, error)) &&
                                    (w->a = SW_NEW(arena, SW_DUAL * columns, swReal, error)));
}

static const swReal *weights_of(const swBodyModel *m, int64_t f) {
    return m->volume_weight + f * m->size.nsample;
}

// J - 1 of all samples into w->pressure.
static void find_changes(const swVolumesWork *w, const swBodyModel *m, const swReal *q) {
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        const int64_t first = g->sample;
        swReal *F = w->F + 9 * first, *F_nodes = w->F_nodes + 9 * first, *X = w->X + 6 * first;
        if (g->amplitudes < 0)
            continue;
        const swNode *node = &m->node[g->amplitudes];
        sw_group_gradient(m, g, 0, g->nblock, sw_group_gather(m, g, q, w->a), NULL, F_nodes);
        sw_correct_stretch(node->nu, g->nblock, sw_group_correctors(m, g, 0),
                           q + sw_node_ambient(node), X);
        sw_relax_apply(g->nblock, X, F_nodes, F);
        for (int b = 0; b < g->nblock; b++)
            sw_wide_store(w->pressure + g->sample + b * SW_LANES,
                          sw_invariant_point(F + 9 * b * SW_LANES).i.j);
    }
}

// out := the sum of p_f weight_f.
static void spread(const swBodyModel *m, const swReal *p, swReal *out) {
    memset(out, 0, (size_t)m->size.nsample * sizeof *out);
    for (int64_t f = 0; f < m->size.nvolume; f++)
        for (int64_t s = 0; s < m->size.nsample; s++)
            out[s] += p[f] * weights_of(m, f)[s];
}

static void find_sums(const swVolumesWork *w, const swBodyModel *m, const swReal *q) {
    find_changes(w, m, q);
    for (int64_t f = 0; f < m->size.nvolume; f++)
        w->sum[f] = sw_dot_n((int)m->size.nsample, weights_of(m, f), w->pressure);
}

swReal sw_volumes_find(const swVolumesWork *w, const swBodyModel *m, const swReal *q) {
    const swReal *p = w->foreseen ? w->foresight : w->sum;
    swReal energy = 0;
    find_sums(w, m, q);
    for (int64_t f = 0; f < m->size.nvolume; f++)
        energy += p[f] * (w->sum[f] - 0.5 * p[f]);
    spread(m, p, w->pressure);
    if (!w->foreseen)
        return energy;
    spread(m, w->sum, w->rest);
    for (int64_t s = 0; s < m->size.nsample; s++)
        w->rest[s] -= w->pressure[s];
    return energy;
}

static int numbers_of(const swGroup *g) { return sw_group_rows(g) * g->ncolumn; }

// How the J of a block change with q: w->change[rows][ncolumn] of the nodes, which are in w->a,
// then of amplitudes.
static void find_change(const swVolumesWork *w, const swBodyModel *m, const swGroup *g, int block,
                        const swReal *q) {
    const swNode *node = &m->node[g->amplitudes];
    const int64_t sample = g->sample + (int64_t)block * SW_LANES;
    const int size = numbers_of(g);
    const swReal *gamma = m->gamma + g->gamma + (int64_t)block * sw_group_stride(g);
    swReal cof[9 * SW_LANES] = {0}, one[SW_LANES], F[9 * SW_LANES];
    swDualGradient dual;
    for (int lane = 0; lane < SW_LANES; lane++)
        one[lane] = 1;
    memset(w->change, 0, (size_t)(size + node->nu) * SW_LANES * sizeof *w->change);
    sw_pressure_add(one, 1, w->F + 9 * sample, cof, NULL);
    sw_correct_force(node->nu, 1, sw_group_correctors(m, g, block), q + sw_node_ambient(node),
                     w->F_nodes + 9 * sample, cof, w->change + size * SW_LANES);
    sw_relax_apply(1, w->X + 6 * sample, cof, cof);
    if (g->blend == SW_BLEND_LINEAR) {
        sw_linear_force(g->ncolumn, 1, gamma, cof, w->change);
        return;
    }
    sw_group_gradient(m, g, block, 1, w->a, &dual, F);
    sw_dual_blend_force(g->ncolumn, 1, gamma, &dual, cof, w->change);
}

// Adds that, times the weights of the block, to w->force of all sums that have any there.
static void add_change(const swVolumesWork *w, const swBodyModel *m, int64_t sample, int size) {
    for (int64_t f = 0; f < m->size.nvolume; f++) {
        const swReal *weight = weights_of(m, f) + sample;
        swReal *to = w->force + f * size * SW_LANES;
        bool some = false;
        for (int lane = 0; lane < SW_LANES; lane++)
            some = some || weight[lane] != 0;
        const swWide wide = sw_wide_load(weight);
        for (int i = 0; some && i < size * SW_LANES; i += SW_LANES)
            sw_wide_store(to + i,
                          sw_wide_fma(wide, sw_wide_load(w->change + i), sw_wide_load(to + i)));
    }
}

// The slopes of one m_f += the sums of force, of a group.
static void add_slopes(const swBodyModel *m, const swGroup *g, const swReal *force, swReal *slope) {
    const int64_t row = row_of(m);
    const swNode *modes = &m->node[g->amplitudes];
    for (int x = 0, column = 0; x < g->nnode && column < g->nfree; x++) {
        const swNode *node = &m->node[m->group_node[g->node + x]];
        const int width = sw_node_columns(node);
        for (int e = 0; e < sw_group_rows(g) * width; e++)
            slope[(sw_node_ambient(node) + e) * row] += sw_wide_sum(
                sw_wide_load(force + (e / width * g->ncolumn + column + e % width) * SW_LANES));
        column += width;
    }
    for (int k = 0; k < modes->nu; k++)
        slope[(sw_node_ambient(modes) + k) * row] +=
            sw_wide_sum(sw_wide_load(force + (numbers_of(g) + k) * SW_LANES));
}

static void find_slopes(const swVolumesWork *w, const swBodyModel *m, const swReal *q) {
    const int64_t nf = m->size.nvolume, numbers = row_of(m) * m->size.nq;
    memset(w->slope, 0, (size_t)numbers * sizeof *w->slope);
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        if (g->amplitudes < 0)
            continue;
        const int size = numbers_of(g) + m->node[g->amplitudes].nu;
        sw_group_gather(m, g, q, w->a);
        memset(w->force, 0, (size_t)(nf * size * SW_LANES) * sizeof *w->force);
        for (int b = 0; b < g->nblock; b++) {
            find_change(w, m, g, b, q);
            add_change(w, m, g->sample + (int64_t)b * SW_LANES, size);
        }
        for (int64_t f = 0; f < nf; f++)
            add_slopes(m, g, w->force + f * size * SW_LANES, w->slope + f);
    }
    for (int64_t i = 0; i < numbers; i++)
        w->opposite[i] = -w->slope[i];
}

void sw_volumes_stiffness(const swVolumesWork *w, const swBodyModel *m, const swReal *q,
                          swSystem *out) {
    const int64_t row = row_of(m);
    find_slopes(w, m, q);
    for (int64_t p = 0; p < m->size.npair; p++) {
        const swNode *i = &m->node[m->pair[p].i], *j = &m->node[m->pair[p].j];
        if (i->ndof == 0 || j->ndof == 0)
            continue;
        const swBlock H = sw_blocks_get(out->H, m->pair[p].i, m->pair[p].j);
        const swRows x = {w->opposite + sw_node_ambient(i) * row, row, SW_LANES},
                     y = {w->slope + sw_node_ambient(j) * row, row, SW_LANES};
        sw_tiles_subtract(i->nu, j->nu, (int)row / SW_LANES, x, y, H.data, H.stride);
    }
}

void sw_volumes_start(swVolumesWork *w, const swBodyModel *m, const swReal *q) {
    find_sums(w, m, q);
    memcpy(w->foresight, w->sum, (size_t)m->size.nvolume * sizeof *w->sum);
    w->foreseen = true;
}

void sw_volumes_foresee(swVolumesWork *w, const swBodyModel *m, const swReal *rate, swReal *bend) {
    const int64_t row = row_of(m);
    for (int64_t f = 0; f < m->size.nvolume; f++) {
        swReal change = 0;
        for (int64_t i = 0; i < m->size.nq; i++)
            change += w->slope[i * row + f] * rate[i];
        w->foresight[f] = w->sum[f] + change;
        *bend += change * change;
    }
}

void sw_volumes_gradient(const swVolumesWork *w, const swBodyModel *m, const swReal *g,
                         swReal *out) {
    const int64_t row = row_of(m);
    for (int64_t i = 0; i < m->size.nq; i++) {
        out[i] = g[i];
        for (int64_t f = 0; f < m->size.nvolume; f++)
            out[i] -= (w->sum[f] - w->foresight[f]) * w->slope[i * row + f];
    }
}

swReal sw_volumes_gap(const swVolumesWork *w, const swBodyModel *m) {
    swReal gap = 0;
    for (int64_t f = 0; f < m->size.nvolume; f++) {
        const swReal d = w->sum[f] - w->foresight[f];
        gap += 0.5 * d * d;
    }
    return gap;
}
