// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// q -> F -> psi, P, C -> forces and stiffness, chunk by chunk so that everything stays in the
// cache. Tasks do not depend on the number of workers; their results are added in order.
#include "forces/forces.h"

#include "kinematics/linear.h"
#include "material/viscosity.h"

#include <string.h>

enum {
    CHUNK = 16,
    TASK_BLOCKS = 64,
    MAX_TASKS = 16
}; // blocks in a chunk; in a task at least; tasks per group at most

static int task_blocks(const swGroup *g) {
    int share = (g->nblock + MAX_TASKS - 1) / MAX_TASKS;
    return sw_max_int(TASK_BLOCKS, (share + CHUNK - 1) / CHUNK * CHUNK);
}

// Doubles of scratch for a worker: gathered A twice, F twice, P, psi, C and the rows of the
// stiffness product.
static size_t scratch_size(int columns) {
    return (size_t)(6 * columns) +
           (size_t)CHUNK * SW_LANES * (size_t)(9 + 9 + 9 + 1 + SW_TANGENT + 3 * columns) + 64;
}

bool sw_elastic_create(swElasticWork *work, const swModel *m, int workers, swArena *arena,
                       swError *error) {
    work->ntask = 0;
    for (int64_t i = 0; i < m->size.ngroup; i++)
        work->ntask +=
            (m->group[i].nblock + task_blocks(&m->group[i]) - 1) / task_blocks(&m->group[i]);
    work->task = SW_NEW(arena, work->ntask, swElasticTask, error);
    work->scratch = SW_NEW(arena, workers, swReal *, error);
    if (!work->task || !work->scratch)
        return false;
    for (int w = 0; w < workers; w++)
        if (!(work->scratch[w] =
                  SW_NEW(arena, scratch_size((int)m->size.max_columns), swReal, error)))
            return false;
    swElasticTask *task = work->task;
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        int size = task_blocks(g);
        for (int b = 0; b < g->nblock; b += size, task++) {
            *task = (swElasticTask){
                .group = (int)i, .block = b, .nblock = sw_min_int(size, g->nblock - b)};
            task->force = SW_NEW(arena, 3 * g->ncolumn * SW_LANES, swReal, error);
            task->K =
                SW_NEW(arena, 6 * (size_t)g->nfree * (size_t)g->nfree * SW_LANES, swReal, error);
            if (!task->force || !task->K)
                return false;
        }
    }
    return true;
}

typedef struct {
    const swModel *model;
    const swElasticWork *work;
    const swReal *q, *q_last;
    swReal h;
    bool gradient, hessian;
    swProjection projection;
} swJob;

static void scale_by_volume(int nblock, int entries, const swReal *volume, swReal *data) {
    for (int b = 0; b < nblock; b++) {
        swWide v = sw_wide_load(volume + b * SW_LANES);
        for (int i = 0; i < entries; i++, data += SW_LANES)
            sw_wide_store(data, v * sw_wide_load(data));
    }
}

// Padding has no volume, but an infinite energy there must not become not-a-number.
static swReal weighted_sum(int nblock, const swReal *volume, const swReal *psi) {
    swReal sum = 0;
    for (int i = 0; i < nblock * SW_LANES; i++)
        if (volume[i] > 0)
            sum += volume[i] * psi[i];
    return sum;
}

static void run_task(const swJob *job, swElasticTask *task, swReal *scratch) {
    const swModel *m = job->model;
    const swGroup *g = &m->group[task->group];
    const swMaterialInfo *material = &m->material[g->material];
    const swLaw *law = sw_law_at(material->law);
    const int n = g->ncolumn, nfree = g->nfree;
    swReal *F = scratch, *P = F + 9 * CHUNK * SW_LANES, *psi = P + 9 * CHUNK * SW_LANES,
           *C = psi + CHUNK * SW_LANES, *rows = C + SW_TANGENT * CHUNK * SW_LANES,
           *a = rows + 3 * n * CHUNK * SW_LANES;
    swReal *a_last = a + 3 * n, *F_last = a_last + 3 * n;
    const swReal damping = job->q_last ? m->body[g->body].damping_stiffness / job->h : 0;
    sw_group_gather(m, g, job->q, a);
    if (damping > 0)
        sw_group_gather(m, g, job->q_last, a_last);
    task->energy = task->seconds[0] = task->seconds[1] = task->seconds[2] = 0;
    if (job->gradient)
        memset(task->force, 0, (size_t)(3 * n * SW_LANES) * sizeof(swReal));
    if (job->hessian)
        memset(task->K, 0, 6 * (size_t)nfree * (size_t)nfree * SW_LANES * sizeof(swReal));
    for (int b = task->block; b < task->block + task->nblock; b += CHUNK) {
        const int nb = sw_min_int(CHUNK, task->block + task->nblock - b);
        const swReal *gamma = m->gamma + g->gamma + (int64_t)b * 3 * n * SW_LANES;
        const swReal *volume = m->sample_volume + g->sample + b * SW_LANES;
        double t0 = sw_seconds();
        sw_linear_gradient(n, nb, gamma, a, F);
        double t1 = sw_seconds();
        law->evaluate(material->coefficient, nb, F, psi, job->gradient ? P : NULL,
                      job->hessian ? C : NULL);
        if (job->hessian)
            sw_law_project(job->projection, nb, F, C);
        if (damping > 0) {
            sw_linear_gradient(n, nb, gamma, a_last, F_last);
            sw_viscosity_add(material->lame[0], material->lame[1], damping,
                             job->projection != SW_PROJECT_NONE, nb, F, F_last, psi,
                             job->gradient ? P : NULL, job->hessian ? C : NULL);
        }
        task->energy += weighted_sum(nb, volume, psi);
        double t2 = sw_seconds();
        if (job->gradient) {
            scale_by_volume(nb, 9, volume, P);
            sw_linear_force(n, nb, gamma, P, task->force);
        }
        if (job->hessian) {
            scale_by_volume(nb, SW_TANGENT, volume, C);
            sw_linear_stiffness(n, nfree, nb, gamma, C, task->K, rows);
        }
        double t3 = sw_seconds();
        task->seconds[0] += t1 - t0;
        task->seconds[1] += t2 - t1;
        task->seconds[2] += t3 - t2;
    }
}

static void run_tasks(int start, int end, int worker, void *arg) {
    const swJob *job = arg;
    for (int i = start; i < end; i++)
        run_task(job, &job->work->task[i], job->work->scratch[worker]);
}

static void add_force(const swModel *m, const swGroup *g, const swReal *force, swReal *out) {
    int column = 0;
    for (int i = 0; i < g->nnode; i++) {
        const swNode *node = &m->node[m->group_node[g->node + i]];
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < node->width; k++)
                out[node->q + r * node->width + k] +=
                    sw_wide_sum(sw_wide_load(force + (r * g->ncolumn + column + k) * SW_LANES));
        column += node->width;
    }
}

// The d_i x d_j block at columns (ci, cj) of K goes to rows r, s of nodes i and j.
static void add_block(const swNode *ni, int ci, const swNode *nj, int cj, int nfree,
                      const swReal *K, swReal *H, int stride) {
    static const int pair_of[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    const ptrdiff_t size = (ptrdiff_t)nfree * nfree;
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++) {
            const swReal *Krs = K + pair_of[r][s] * size * SW_LANES;
            for (int a = 0; a < ni->width; a++) {
                swReal *row =
                    H + (ptrdiff_t)(ni->u + r * ni->width + a) * stride + nj->u + s * nj->width;
                for (int b = 0; b < nj->width; b++) {
                    // K_sr = K_rs^T; of K_rr the lower triangle is there
                    bool transpose = r > s || (r == s && ci + a < cj + b);
                    ptrdiff_t at = transpose ? (ptrdiff_t)(cj + b) * nfree + ci + a
                                             : (ptrdiff_t)(ci + a) * nfree + cj + b;
                    row[b] += sw_wide_sum(sw_wide_load(Krs + at * SW_LANES));
                }
            }
        }
}

static void add_stiffness(const swModel *m, const swGroup *g, const swReal *K, swReal *H,
                          int stride) {
    int ci = 0;
    for (int i = 0; i < g->nnode && ci < g->nfree; i++) {
        const swNode *ni = &m->node[m->group_node[g->node + i]];
        int cj = 0;
        for (int j = 0; j < g->nnode && cj < g->nfree; j++) {
            const swNode *nj = &m->node[m->group_node[g->node + j]];
            if (nj->u <= ni->u)
                add_block(ni, ci, nj, cj, g->nfree, K, H, stride);
            cj += nj->width;
        }
        ci += ni->width;
    }
}

void sw_elastic_add(const swModel *m, const swElasticWork *work, swPool *pool, const swReal *q,
                    const swReal *q_last, swReal h, swSystem *out, swProfile *profile) {
    swJob job = {m, work, q, q_last, h, out->g != NULL, out->H != NULL, out->projection};
    sw_parallel_for(pool, work->ntask, 1, run_tasks, &job);
    double start = sw_seconds();
    for (int i = 0; i < work->ntask; i++) {
        const swElasticTask *task = &work->task[i];
        const swGroup *g = &m->group[task->group];
        out->energy += task->energy;
        if (out->g)
            add_force(m, g, task->force, out->g);
        if (out->H)
            add_stiffness(m, g, task->K, out->H, out->stride);
        if (profile) {
            profile->kinematics += task->seconds[0];
            profile->material += task->seconds[1];
            profile->assembly += task->seconds[2];
            if (out->H)
                profile->flops += sw_linear_flops(g->ncolumn, g->nfree) * task->nblock * SW_LANES;
        }
    }
    if (profile) {
        profile->assembly += sw_seconds() - start;
        profile->assemblies += out->H != NULL;
    }
}
