// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The shares of rest shapes that a body follows: those of least energy at given positions, by
// Newton's method between 0 and 1. The tasks are those of elasticity.
#include "potentials/chunk.h"
#include "kinematics/correct.h"
#include "kinematics/relax.h"
#include "material/rest.h"
#include "math/cholesky.h"

#include <string.h>

enum { MAX_ITERATIONS = 30, MAX_CUTS = 12, MAX_SHIFTS = 20, STRIDE = SW_FOLLOWED };
static const swReal enough = 1e-14; // of the energy: what an iteration need not look for

typedef struct {
    swElasticJob elastic;
    int body, n;
    int shape[SW_FOLLOWED]; // of the body
} swFollowJob;

typedef struct {
    swReal energy, g[SW_FOLLOWED], H[SW_FOLLOWED * SW_FOLLOWED];
} swFollowValue;

// Energy and derivatives of a task's samples: shares is energy, g[n], H[n][n].
static void run_task(const swFollowJob *job, swElasticTask *task, swReal *scratch) {
    const swBodyModel *m = job->elastic.model;
    const swElasticInput *input = job->elastic.input;
    const swGroup *g = &m->group[task->group];
    const int nshape = m->body[job->body].nshape;
    swReal F[9 * SW_LANES], Fe[9 * SW_LANES], P[9 * SW_LANES], C[SW_TANGENT * SW_LANES],
        psi[SW_LANES], inverse[SW_PLASTIC * SW_LANES];
    swChunk c = {.job = &job->elastic,
                 .group = g,
                 .nblock = 1,
                 .F = F,
                 .Fe = Fe,
                 .inverse = inverse,
                 .psi = psi};
    memset(task->shares, 0, SW_SHARES * sizeof *task->shares);
    if (g->body != job->body || g->stretch < 0)
        return;
    const swReal *a = sw_group_gather(m, g, input->q, scratch);
    for (c.block = task->block; c.block < task->block + task->nblock; c.block++) {
        const swReal *weight = m->sample_weight + g->sample + (int64_t)c.block * SW_LANES;
        const swRestBlock block = {
            F,      P,
            C,      inverse,
            weight, m->stretch + g->stretch + (int64_t)c.block * nshape * SW_STRETCH * SW_LANES};
        sw_group_gradient(m, g, c.block, 1, a, NULL, F);
        sw_group_relax(m, g, c.block, 1, input->relax, F);
        sw_group_correct(m, g, c.block, 1, input->q, F);
        sw_chunk_law(&c, P, C, SW_PROJECT_NONE);
        for (int lane = 0; lane < SW_LANES; lane++)
            if (weight[lane] > 0)
                task->shares[0] += weight[lane] * psi[lane];
        sw_rest_derive(&block, job->n, job->shape, task->shares + 1, task->shares + 1 + job->n);
    }
}

static void run_tasks(int start, int end, int worker, void *arg) {
    const swFollowJob *job = arg;
    for (int i = start; i < end; i++)
        run_task(job, &job->elastic.work->task[i], job->elastic.work->scratch[worker]);
}

static const swRestInfo *shape_of(const swFollowJob *job, int k) {
    const swBodyModel *m = job->elastic.model;
    return &m->shape[m->body[job->body].shape + job->shape[k]];
}

static swReal *share_of(const swFollowJob *job, swReal *activation, int k) {
    const swBodyModel *m = job->elastic.model;
    return &activation[sw_control_shape(m, m->body[job->body].shape + job->shape[k])];
}

static swFollowValue evaluate(const swFollowJob *job, swPool *pool, swReal *activation) {
    const swElasticWork *work = job->elastic.work;
    const int n = job->n;
    swFollowValue v = {0};
    sw_parallel_for(pool, work->ntask, 1, run_tasks, (void *)job);
    for (int i = 0; i < work->ntask; i++) {
        const swReal *from = work->task[i].shares;
        v.energy += from[0];
        for (int k = 0; k < n; k++)
            v.g[k] += from[1 + k];
        for (int k = 0; k < n * n; k++)
            v.H[k] += from[1 + n + k];
    }
    for (int k = 0; k < n; k++) {
        const swReal z = *share_of(job, activation, k), hold = shape_of(job, k)->follow;
        v.energy += 0.5 * hold * z * z;
        v.g[k] += hold * z;
        v.H[k * n + k] += hold;
    }
    return v;
}

// Newton's step for the shares that are free to move; what it promises to gain.
static swReal find_step(const swFollowJob *job, const swFollowValue *v, swReal *activation,
                        swReal *step) {
    const int n = job->n;
    int free[SW_FOLLOWED], nfree = 0;
    swReal L[SW_FOLLOWED * STRIDE], x[SW_FOLLOWED], trace = 0, shift = 0, gain = 0;
    memset(step, 0, SW_FOLLOWED * sizeof *step);
    for (int k = 0; k < n; k++) {
        const swReal z = *share_of(job, activation, k);
        if ((z > 0 || v->g[k] < 0) && (z < 1 || v->g[k] > 0))
            free[nfree++] = k;
        trace += fabs(v->H[k * n + k]);
    }
    for (int attempt = 0; attempt < MAX_SHIFTS; attempt++) {
        for (int i = 0; i < nfree; i++) {
            x[i] = -v->g[free[i]];
            for (int j = 0; j < nfree; j++)
                L[i * STRIDE + j] = v->H[free[i] * n + free[j]] + (i == j ? shift : 0);
        }
        if (sw_cholesky_factor(nfree, nfree, L, STRIDE) == nfree) {
            sw_cholesky_solve(nfree, L, STRIDE, x);
            break;
        }
        shift = shift > 0 ? 10 * shift : 1e-8 * trace; // downhill in any case
    }
    for (int i = 0; i < nfree; i++) {
        step[free[i]] = x[i];
        gain -= v->g[free[i]] * x[i];
    }
    return gain;
}

static void follow_body(const swFollowJob *job, swPool *pool, swReal *activation) {
    swFollowValue v = evaluate(job, pool, activation);
    for (int i = 0; i < MAX_ITERATIONS && isfinite(v.energy); i++) {
        swReal step[SW_FOLLOWED], start[SW_FOLLOWED], share = 1;
        const swReal gain = find_step(job, &v, activation, step);
        bool found = false;
        if (!(gain > enough * fabs(v.energy)))
            return;
        for (int k = 0; k < job->n; k++)
            start[k] = *share_of(job, activation, k);
        for (int cut = 0; cut < MAX_CUTS && !found; cut++, share *= 0.5) {
            swReal slope = 0;
            for (int k = 0; k < job->n; k++) {
                swReal *z = share_of(job, activation, k);
                *z = sw_clamp(start[k] + share * step[k], 0, 1);
                slope += v.g[k] * (*z - start[k]);
            }
            const swFollowValue there = evaluate(job, pool, activation);
            found = isfinite(there.energy) && there.energy <= v.energy + 1e-4 * slope;
            v = found ? there : v;
        }
        for (int k = 0; k < job->n && !found; k++)
            *share_of(job, activation, k) = start[k];
        if (!found)
            return;
    }
}

swReal sw_follow_energy(const swBodyModel *m, const swReal *activation) {
    swReal sum = 0;
    for (int64_t i = 0; i < m->size.nshape; i++) {
        const swReal z = activation[sw_control_shape(m, i)];
        sum += 0.5 * m->shape[i].follow * z * z;
    }
    return sum;
}

swReal sw_follow(const swBodyModel *m, const swElasticWork *work, swPool *pool,
                 const swElasticInput *input, const swReal *set, swReal *activation) {
    swReal farthest = 0;
    SW_ASSERT(input->activation == activation);
    for (int b = 0; b < m->size.nbody; b++) {
        swFollowJob job = {.elastic = {.model = m, .work = work, .input = input}, .body = b};
        swReal before[SW_FOLLOWED];
        for (int k = 0; k < m->body[b].nshape; k++) {
            const int64_t at = sw_control_shape(m, m->body[b].shape + k);
            if (m->shape[m->body[b].shape + k].follow > 0 && isnan(set[at])) {
                before[job.n] = activation[at];
                job.shape[job.n++] = k;
            }
        }
        if (job.n == 0)
            continue;
        follow_body(&job, pool, activation);
        for (int k = 0; k < job.n; k++)
            farthest = sw_max(farthest, fabs(*share_of(&job, activation, k) - before[k]));
    }
    return farthest;
}
