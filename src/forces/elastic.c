// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// q -> F -> psi, P, C -> forces and stiffness, chunk by chunk so that everything stays in the
// cache. Tasks do not depend on the number of workers; their results are added in order.
#include "forces/forces.h"

#include "kinematics/group.h"
#include "material/plasticity.h"
#include "material/terms.h"
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

// Pairs r <= s of rows of the unknowns, each with its stiffness matrix.
static int group_pairs(const swGroup *g) { return sw_group_rows(g) * (sw_group_rows(g) + 1) / 2; }
static size_t stiffness_size(const swGroup *g) {
    return (size_t)group_pairs(g) * (size_t)g->nfree * (size_t)g->nfree * SW_LANES;
}

// What the samples of a chunk go through.
typedef struct swChunk {
    swReal *F, *F_last, *F_before, *P, *psi, *C; // [block][..][SW_LANES]
    swReal *Fe;                                  // the elastic part of F, where there is plasticity
    swReal *a, *a_last, *a_before;               // gathered from q, q_last and q_before
    swReal *rows;                                // for the stiffness product
    swDualGradient *dual;                        // per block
} swChunk;

// Lays a chunk into `scratch` (NULL: only counts); returns the doubles it takes.
static size_t lay_chunk(int columns, bool plastic, swReal *scratch, swChunk *c) {
    const size_t n = CHUNK * SW_LANES,
                 dual = SW_DUAL_CHUNK * sizeof(swDualGradient) / sizeof(swReal);
    const size_t rows = 3 * n * (size_t)columns, product = sw_dual_scratch(columns);
    const size_t size[] = {dual,
                           9 * n,
                           9 * n,
                           9 * n,
                           n,
                           SW_TANGENT * n,
                           (size_t)(SW_DUAL * columns),
                           (size_t)(SW_DUAL * columns),
                           rows > product ? rows : product,
                           plastic ? 9 * n : 0,
                           9 * n,
                           (size_t)(SW_DUAL * columns)};
    swReal *start[SW_COUNT(size)];
    size_t at = 0;
    for (int i = 0; i < SW_COUNT(size); i++) {
        start[i] = scratch ? scratch + at : NULL;
        at += (size[i] + 7) / 8 * 8;
    }
    *c = (swChunk){.dual = (swDualGradient *)(void *)start[0],
                   .F = start[1],
                   .F_last = start[2],
                   .P = start[3],
                   .psi = start[4],
                   .C = start[5],
                   .a = start[6],
                   .a_last = start[7],
                   .rows = start[8],
                   .Fe = start[9],
                   .F_before = start[10],
                   .a_before = start[11]};
    return at;
}

bool sw_elastic_create(swElasticWork *work, const swModel *m, int workers, swArena *arena,
                       swError *error) {
    swChunk chunk;
    const size_t scratch = lay_chunk((int)m->size.max_columns, m->size.nplastic > 0, NULL, &chunk);
    work->ntask = 0;
    for (int64_t i = 0; i < m->size.ngroup; i++)
        work->ntask +=
            (m->group[i].nblock + task_blocks(&m->group[i]) - 1) / task_blocks(&m->group[i]);
    work->task = SW_NEW(arena, work->ntask, swElasticTask, error);
    work->scratch = SW_NEW(arena, workers, swReal *, error);
    if (!work->task || !work->scratch)
        return false;
    for (int w = 0; w < workers; w++)
        if (!(work->scratch[w] = SW_NEW(arena, scratch, swReal, error)))
            return false;
    swElasticTask *task = work->task;
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        int size = task_blocks(g);
        for (int b = 0; b < g->nblock; b += size, task++) {
            *task = (swElasticTask){
                .group = (int)i, .block = b, .nblock = sw_min_int(size, g->nblock - b)};
            task->force = SW_NEW(arena, sw_group_rows(g) * g->ncolumn * SW_LANES, swReal, error);
            task->K = SW_NEW(arena, stiffness_size(g), swReal, error);
            if (!task->force || !task->K)
                return false;
        }
    }
    return true;
}

typedef struct {
    const swModel *model;
    const swElasticWork *work;
    const swElasticInput *input;
    bool gradient, hessian;
    swProjection projection;
    bool gauss_newton;
} swJob;

static void scale(int nblock, int entries, const swReal *weight, swReal *data) {
    for (int b = 0; b < nblock; b++) {
        swWide w = sw_wide_load(weight + b * SW_LANES);
        for (int i = 0; i < entries; i++, data += SW_LANES)
            sw_wide_store(data, w * sw_wide_load(data));
    }
}

// Padding has no weight, but an infinite energy there must not become not-a-number.
static swReal weighted_sum(int nblock, const swReal *weight, const swReal *psi) {
    swReal sum = 0;
    for (int i = 0; i < nblock * SW_LANES; i++)
        if (weight[i] > 0)
            sum += weight[i] * psi[i];
    return sum;
}

// Energy, stress and tangent of a chunk from F, all terms included; P and C times the samples'
// weight. The law and the volume term see the elastic part of F, fibres and viscosity all of it.
static void evaluate_chunk(const swJob *job, const swGroup *g, int b, int nb, swRates damping,
                           swChunk *c, swReal *energy) {
    const swMaterialInfo *material = &job->model->material[g->material];
    const swLaw *law = sw_law_at(material->law);
    const swReal *weight = job->model->sample_weight + g->sample + b * SW_LANES;
    const swReal *plastic = NULL, *F = c->F;
    const swReal tension = material->fibre_strength * job->input->activation[g->material];
    swReal *P = job->gradient ? c->P : NULL, *C = job->hessian ? c->C : NULL;
    if (g->plastic >= 0) {
        plastic = job->input->plastic + g->plastic + (int64_t)b * SW_PLASTIC * SW_LANES;
        sw_plastic_split(nb, plastic, c->F, c->Fe);
        F = c->Fe;
    }
    law->evaluate(material->coefficient, nb, F, c->psi, P, C);
    if (material->volume > 0)
        sw_volume_add(material->volume, nb, F, c->psi, P, C);
    if (C)
        sw_law_project(law, job->projection, nb, F, C);
    if (plastic)
        sw_plastic_pull(nb, plastic, P, C);
    if (material->fibre_stiffness > 0 || tension > 0)
        sw_fibre_add(material->fibre, material->fibre_stiffness, material->fibre_exponent, tension,
                     nb, c->F, c->psi, P, C);
    if (damping.last > 0)
        sw_viscosity_add(material->lame[0], material->lame[1], damping.last,
                         job->projection != SW_PROJECT_NONE, nb, c->F, c->F_last, c->psi, P, C);
    if (damping.before < 0)
        sw_viscosity_add(material->lame[0], material->lame[1], damping.before,
                         job->projection != SW_PROJECT_NONE, nb, c->F, c->F_before, c->psi, P, C);
    *energy += weighted_sum(nb, weight, c->psi);
    if (P)
        scale(nb, 9, weight, P);
    if (C)
        scale(nb, SW_TANGENT, weight, C);
}

static void run_task(const swJob *job, swElasticTask *task, swReal *scratch) {
    const swModel *m = job->model;
    const swGroup *g = &m->group[task->group];
    const bool linear = g->blend == SW_BLEND_LINEAR;
    const int n = g->ncolumn, nfree = g->nfree, size = linear ? CHUNK : SW_DUAL_CHUNK;
    const swReal *q_last = job->input->q_last, *q_before = job->input->q_before,
                 stiffness = m->body[g->body].damping_stiffness;
    swRates damping = {0, 0};
    if (q_last && stiffness > 0)
        damping = sw_rates(stiffness, job->input->h, q_before != NULL);
    swChunk c;
    lay_chunk(n, m->size.nplastic > 0, scratch, &c);
    sw_group_gather(m, g, job->input->q, c.a);
    if (damping.last > 0)
        sw_group_gather(m, g, q_last, c.a_last);
    if (damping.before < 0)
        sw_group_gather(m, g, q_before, c.a_before);
    task->energy = task->seconds[0] = task->seconds[1] = task->seconds[2] = 0;
    if (job->gradient)
        memset(task->force, 0, (size_t)(sw_group_rows(g) * n * SW_LANES) * sizeof(swReal));
    if (job->hessian)
        memset(task->K, 0, stiffness_size(g) * sizeof(swReal));
    for (int b = task->block; b < task->block + task->nblock; b += size) {
        const int nb = sw_min_int(size, task->block + task->nblock - b);
        const swReal *gamma = m->gamma + g->gamma + (int64_t)b * sw_group_stride(g);
        double t0 = sw_seconds();
        if (damping.last > 0)
            sw_group_gradient(m, g, b, nb, c.a_last, NULL, c.F_last);
        if (damping.before < 0)
            sw_group_gradient(m, g, b, nb, c.a_before, NULL, c.F_before);
        sw_group_gradient(m, g, b, nb, c.a, c.dual, c.F);
        double t1 = sw_seconds();
        evaluate_chunk(job, g, b, nb, damping, &c, &task->energy);
        double t2 = sw_seconds();
        if (job->gradient && linear)
            sw_linear_force(n, nb, gamma, c.P, task->force);
        if (job->hessian && linear)
            sw_linear_stiffness(n, nfree, nb, gamma, c.C, task->K, c.rows);
        if (job->gradient && !linear)
            sw_dual_blend_force(n, nb, gamma, c.dual, c.P, task->force);
        if (job->hessian && !linear)
            sw_dual_blend_stiffness(n, nfree, nb, gamma, c.dual, c.P, c.C, job->gauss_newton,
                                    task->K, c.rows);
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
        const int width = sw_node_columns(node);
        swReal *to = out + node->q + (sw_node_is_dual(node) ? SW_NODE_DUAL : 0);
        for (int r = 0; r < sw_group_rows(g); r++)
            for (int k = 0; k < width; k++)
                to[r * width + k] +=
                    sw_wide_sum(sw_wide_load(force + (r * g->ncolumn + column + k) * SW_LANES));
        column += width;
    }
}

// The block at columns (ci, cj) of K goes to rows r, s of nodes i and j.
static void add_block(const swGroup *g, const swNode *ni, int ci, const swNode *nj, int cj,
                      const swReal *K, swBlock H) {
    const int rows = sw_group_rows(g), nfree = g->nfree, wi = sw_node_columns(ni),
              wj = sw_node_columns(nj);
    for (int r = 0; r < rows; r++)
        for (int s = 0; s < rows; s++) {
            const int lo = sw_min_int(r, s), hi = sw_max_int(r, s);
            const int pair = r == s ? r : rows + lo * (2 * rows - lo - 1) / 2 + hi - lo - 1;
            const swReal *Krs = K + (ptrdiff_t)pair * nfree * nfree * SW_LANES;
            for (int a = 0; a < wi; a++) {
                swReal *row = H.data + (r * wi + a) * H.stride + s * wj;
                for (int b = 0; b < wj; b++) {
                    // K_sr = K_rs^T; of K_rr the lower triangle is there
                    bool transpose = r > s || (r == s && ci + a < cj + b);
                    ptrdiff_t at = transpose ? (ptrdiff_t)(cj + b) * nfree + ci + a
                                             : (ptrdiff_t)(ci + a) * nfree + cj + b;
                    row[b] += sw_wide_sum(sw_wide_load(Krs + at * SW_LANES));
                }
            }
        }
}

static void add_stiffness(const swModel *m, const swGroup *g, const swReal *K, const swBlocks *H) {
    const int *node = m->group_node + g->node;
    int ci = 0;
    for (int i = 0; i < g->nnode && ci < g->nfree; i++) {
        const swNode *ni = &m->node[node[i]];
        int cj = 0;
        for (int j = 0; j < g->nnode && cj < g->nfree; j++) {
            const swNode *nj = &m->node[node[j]];
            if (node[j] <= node[i])
                add_block(g, ni, ci, nj, cj, K, sw_blocks_get(H, node[i], node[j]));
            cj += sw_node_columns(nj);
        }
        ci += sw_node_columns(ni);
    }
}

void sw_elastic_add(const swModel *m, const swElasticWork *work, swPool *pool,
                    const swElasticInput *input, swSystem *out, swProfile *profile) {
    swJob job = {
        m, work, input, out->g != NULL, out->H != NULL, out->projection, out->gauss_newton};
    sw_parallel_for(pool, work->ntask, 1, run_tasks, &job);
    double start = sw_seconds();
    for (int i = 0; i < work->ntask; i++) {
        const swElasticTask *task = &work->task[i];
        const swGroup *g = &m->group[task->group];
        out->energy += task->energy;
        if (out->g)
            add_force(m, g, task->force, out->g);
        if (out->H)
            add_stiffness(m, g, task->K, out->H);
        if (profile) {
            profile->kinematics += task->seconds[0];
            profile->material += task->seconds[1];
            profile->assembly += task->seconds[2];
            if (out->H && g->blend == SW_BLEND_LINEAR)
                profile->flops += sw_linear_flops(g->ncolumn, g->nfree) * task->nblock * SW_LANES;
        }
    }
    if (profile) {
        profile->assembly += sw_seconds() - start;
        profile->assemblies += out->H != NULL;
    }
}
