// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "potentials/elements.h"

#include "potentials/chunk.h"
#include "potentials/mean_volume.h"
#include "kinematics/element.h"

#include <string.h>

enum { MASKED = 64 }; // colours that a mask knows; tasks beyond have one each

// ---- colours ----

// The lowest colour that none of the task's vertices has yet, or MASKED.
static int free_color(const swBodyModel *m, const swElasticTask *task, const uint64_t *used) {
    const swGroup *g = &m->group[task->group];
    const int n = g->nnode * SW_LANES;
    uint64_t taken = 0;
    for (int e = task->block / g->nsample; e < (task->block + task->nblock) / g->nsample; e++)
        for (int c = 0; c < n; c++)
            taken |= used[sw_element_nodes(m, g, e)[c]];
    for (int i = 0; i < MASKED; i++)
        if (!(taken >> i & 1))
            return i;
    return MASKED;
}

static void use_color(const swBodyModel *m, const swElasticTask *task, int color, uint64_t *used) {
    const swGroup *g = &m->group[task->group];
    const int n = g->nnode * SW_LANES;
    for (int e = task->block / g->nsample; e < (task->block + task->nblock) / g->nsample; e++)
        for (int c = 0; c < n; c++)
            used[sw_element_nodes(m, g, e)[c]] |= 1ull << color;
}

static bool color_tasks(swElementWork *work, const swBodyModel *m, int ntask, swElasticTask *task,
                        swArena *scratch, swArena *arena, swError *error) {
    uint64_t *used = SW_NEW(scratch, m->size.nnode, uint64_t, error);
    int *color = SW_NEW(scratch, ntask, int, error);
    swElasticTask *sorted = SW_NEW(scratch, ntask, swElasticTask, error);
    if (!used || !color || !sorted)
        return false;
    int beyond = MASKED;
    for (int i = 0; i < ntask; i++) {
        color[i] = free_color(m, &task[i], used);
        if (color[i] < MASKED)
            use_color(m, &task[i], color[i], used);
        else
            color[i] = beyond++;
        work->ncolor = sw_max_int(work->ncolor, color[i] + 1);
    }
    if (!(work->color = SW_NEW(arena, work->ncolor + 2, int, error)))
        return false;
    for (int i = 0; i < ntask; i++)
        work->color[color[i] + 2]++;
    work->color[0] = work->color[1] = work->first;
    for (int i = 0; i < work->ncolor; i++)
        work->color[i + 2] += work->color[i + 1];
    for (int i = 0; i < ntask; i++)
        sorted[work->color[color[i] + 1]++ - work->first] = task[i];
    if (ntask > 0)
        memcpy(task, sorted, (size_t)ntask * sizeof *task);
    return true;
}

// ---- slots ----

static void find_slots(const swBodyModel *m, const swGroup *g, int element, int *slot) {
    const int *node = sw_element_nodes(m, g, element);
    for (int a = 0; a < g->nnode; a++)
        for (int b = 0; b <= a; b++)
            for (int lane = 0; lane < SW_LANES; lane++) {
                const int i = node[a * SW_LANES + lane], j = node[b * SW_LANES + lane];
                int *to = &slot[sw_element_pair(a, b) * SW_LANES + lane];
                *to = SW_NO_SLOT;
                if (m->node[i].u < 0 || m->node[j].u < 0)
                    continue;
                const int pair =
                    (int)(sw_pair_find(m->pair, m->size.npair, sw_max_int(i, j), sw_min_int(i, j)) -
                          m->pair);
                *to = i >= j ? pair : ~pair;
            }
}

static bool make_slots(swElementWork *work, const swBodyModel *m, swArena *arena, swError *error) {
    int64_t count = 0;
    if (!(work->start = SW_NEW(arena, m->size.ngroup, int64_t, error)))
        return false;
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        work->start[i] = count;
        if (g->nsample > 0)
            count += (int64_t)sw_element_blocks(g) * sw_element_pair(g->nnode, 0) * SW_LANES;
    }
    if (!(work->slot = SW_NEW(arena, count, int, error)))
        return false;
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        for (int e = 0; g->nsample > 0 && e < sw_element_blocks(g); e++)
            find_slots(m, g, e,
                       work->slot + work->start[i] +
                           (int64_t)e * sw_element_pair(g->nnode, 0) * SW_LANES);
    }
    return true;
}

bool sw_elements_create(swElementWork *work, const swBodyModel *m, int first, int ntask,
                        swElasticTask *task, bool slots, swArena *arena, swError *error) {
    swArena scratch;
    *work = (swElementWork){.first = first};
    sw_arena_init(&scratch, &arena->allocator);
    const bool ok = color_tasks(work, m, ntask, task, &scratch, arena, error) &&
                    (!slots || ntask == 0 || make_slots(work, m, arena, error));
    sw_arena_free(&scratch);
    return ok;
}

// ---- assembly ----

// Lanes of a block of elements that are not padding: the first ones.
static int lanes_of(const swBodyModel *m, const swGroup *g, int element) {
    const swReal *weight = m->sample_weight + g->sample + (int64_t)element * g->nsample * SW_LANES;
    int n = 0;
    while (n < SW_LANES && weight[n] > 0)
        n++;
    return n;
}

static void add_force(const swBodyModel *m, const swGroup *g, int element, const swReal *force,
                      swReal *out) {
    const int *node = sw_element_nodes(m, g, element), n = g->nnode * SW_LANES,
              lanes = lanes_of(m, g, element);
    out += sw_element_base(m, g);
    for (int c = 0; c < n; c += SW_LANES)
        for (int lane = 0; lane < lanes; lane++)
            for (int r = 0; r < 3; r++)
                out[3 * (ptrdiff_t)node[c + lane] + r] += force[r * n + c + lane];
}

static void add_stiffness(int npair, int lanes, const int *slot, const swReal *K,
                          const swBlocks *H) {
    for (int p = 0; p < npair; p++, slot += SW_LANES, K += 9 * SW_LANES)
        for (int lane = 0; lane < lanes; lane++) {
            if (slot[lane] == SW_NO_SLOT)
                continue;
            const bool transposed = slot[lane] < 0;
            swReal *to = H->value + H->at[transposed ? ~slot[lane] : slot[lane]];
            const int dr = transposed ? 1 : 3, ds = transposed ? 3 : 1;
            for (int r = 0; r < 3; r++)
                for (int s = 0; s < 3; s++)
                    to[r * dr + s * ds] += K[(3 * r + s) * SW_LANES + lane];
        }
}

void sw_elements_assemble(swChunk *c) {
    const swElasticJob *job = c->job;
    const swBodyModel *m = job->model;
    const swGroup *g = c->group;
    const int n = g->nnode, npoint = g->nsample, npair = sw_element_pair(n, 0);
    const swElementWork *work = &job->work->elements;
    for (int at = 0; at < c->nblock; at += npoint) {
        const int element = (c->block + at) / npoint;
        const swReal *gamma = m->gamma + g->gamma + (int64_t)(c->block + at) * sw_group_stride(g);
        swReal *P = c->P + 9 * at * SW_LANES, *C = c->C + SW_TANGENT * at * SW_LANES;
        swMeanVolume mean;
        if (g->mean)
            sw_mean_volume(&mean, m, g, element, job->input->q, job->projection == SW_PROJECT_NONE,
                           P, job->hessian ? C : NULL);
        if (job->gradient) {
            memset(c->force, 0, (size_t)(3 * n) * SW_LANES * sizeof *c->force);
            sw_linear_force(n, npoint, gamma, P, c->force);
            add_force(m, g, element, c->force, job->g);
        }
        if (job->hessian) {
            sw_element_stiffness(n, npoint, gamma, C, c->K);
            if (g->mean)
                sw_mean_volume_couple(&mean, n, c->K);
            add_stiffness(npair, lanes_of(m, g, element),
                          work->slot + work->start[g - m->group] +
                              (int64_t)element * npair * SW_LANES,
                          c->K, job->H);
        }
    }
}
