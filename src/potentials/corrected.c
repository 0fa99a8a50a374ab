// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Samples with computed strains beside those of the frames, whose amplitudes are unknowns.
#include "potentials/chunk.h"

#include "kinematics/correct.h"
#include "kinematics/relax.h"
#include "material/terms.h"
#include "math/tiles.h"

#include <string.h>

bool sw_corrected_create(const swBodyModel *m, const swGroup *g, bool step, swArena *arena,
                         swElasticTask *task, swError *error) {
    const size_t n = g->amplitudes < 0 ? 0 : (size_t)m->node[g->amplitudes].nu,
                 square = step ? n * n : 0,
                 columns = step ? n * (size_t)(sw_group_rows(g) * g->ncolumn) : 0;
    return (task->r = SW_NEW(arena, n * SW_LANES, swReal, error)) &&
           (task->Kaa = SW_NEW(arena, square * SW_LANES, swReal, error)) &&
           (task->Kqa = SW_NEW(arena, columns * SW_LANES, swReal, error));
}

void sw_corrected_clear(const swElasticJob *job, const swGroup *g, swElasticTask *task) {
    const size_t n = (size_t)job->model->node[g->amplitudes].nu;
    memset(task->r, 0, n * SW_LANES * sizeof *task->r);
    if (!job->hessian)
        return;
    memset(task->Kaa, 0, n * n * SW_LANES * sizeof *task->Kaa);
    memset(task->Kqa, 0,
           n * (size_t)(sw_group_rows(g) * g->ncolumn) * SW_LANES * sizeof *task->Kqa);
}

bool sw_chunk_known(swChunk *c) {
    const swVolumesWork *w = &c->job->work->volumes;
    const int64_t sample = c->group->sample + (int64_t)c->block * SW_LANES;
    if (!w->pressure || c->group->amplitudes < 0)
        return false;
    c->F_nodes = w->F_nodes + 9 * sample;
    c->X = w->X + 6 * sample;
    c->F = w->F + 9 * sample;
    return true;
}

// Kqa of the chunk: how its forces on nodes change with the amplitudes, from c->changes.
static void couple(const swChunk *c, int n, swElasticTask *task) {
    const swGroup *g = c->group;
    const swReal *gamma = c->job->model->gamma + g->gamma + (int64_t)c->block * sw_group_stride(g);
    const ptrdiff_t row = (ptrdiff_t)3 * c->nblock * SW_LANES;
    if (g->blend == SW_BLEND_LINEAR) {
        const swRows rows = {c->changes, row, SW_LANES},
                     columns = {gamma, SW_LANES, (ptrdiff_t)g->ncolumn * SW_LANES};
        sw_tiles_accumulate(3 * n, g->nfree, 3 * c->nblock, rows, columns, task->Kqa, g->ncolumn,
                            false);
        return;
    }
    swReal P[9 * SW_DUAL_CHUNK * SW_LANES];
    for (int m = 0; m < n; m++) {
        for (int b = 0; b < c->nblock; b++)
            for (int r = 0; r < 3; r++)
                memcpy(P + (9 * b + 3 * r) * SW_LANES,
                       c->changes + (3 * m + r) * row + 3 * b * SW_LANES, 3 * SW_LANES * sizeof *P);
        sw_dual_blend_force(g->ncolumn, c->nblock, gamma, c->dual, P,
                            task->Kqa + (ptrdiff_t)m * SW_DUAL * g->ncolumn * SW_LANES);
    }
}

void sw_chunk_correct(swChunk *c, swElasticTask *task) {
    const swElasticJob *job = c->job;
    const swBodyModel *m = job->model;
    const swGroup *g = c->group;
    const swNode *node = &m->node[g->amplitudes];
    const swReal *G = sw_group_correctors(m, g, c->block);
    const int n = node->nu;
    if (c->damping.last > 0)
        sw_group_correct(m, g, c->block, c->nblock, job->input->q_last, c->F_last);
    if (c->damping.before < 0)
        sw_group_correct(m, g, c->block, c->nblock, job->input->q_before, c->F_before);
    const swReal *a = job->input->q + sw_node_ambient(node);
    if (!sw_chunk_known(c)) {
        sw_correct_stretch(n, c->nblock, G, a, c->X);
        sw_relax_apply(c->nblock, c->X, c->F_nodes, c->F);
    }
    task->energy +=
        sw_chunk_evaluate(c, job->gradient || job->hessian, job->hessian, job->projection);
    if (!job->gradient && !job->hessian)
        return;
    const int64_t sample = g->sample + (int64_t)c->block * SW_LANES;
    const swVolumesWork *volumes = &job->work->volumes;
    if (volumes->pressure)
        sw_pressure_add(volumes->pressure + sample, c->nblock, c->F, c->P,
                        job->hessian && job->projection == SW_PROJECT_NONE ? c->C : NULL);
    if (job->hessian) {
        sw_correct_stiffness(n, c->nblock, G, a, c->F_nodes, c->X, c->P, c->C,
                             job->projection != SW_PROJECT_NONE, c->pair, task->Kaa, c->changes);
        couple(c, n, task);
    }
    if (volumes->pressure && volumes->foreseen)
        sw_pressure_add(volumes->rest + sample, c->nblock, c->F, c->P, NULL);
    sw_correct_force(n, c->nblock, G, a, c->F_nodes, c->P, task->r);
    sw_relax_pull(c->nblock, c->X, c->P, job->hessian ? c->C : NULL);
}

void sw_corrected_gather(const swBodyModel *m, const swElasticTask *task, swSystem *out) {
    const swGroup *g = &m->group[task->group];
    const swNode *node = &m->node[g->amplitudes];
    const int n = node->nu;
    for (int k = 0; k < n && out->g; k++)
        out->g[sw_node_ambient(node) + k] += sw_wide_sum(sw_wide_load(task->r + k * SW_LANES));
    if (!out->H)
        return;
    const swBlock own = sw_blocks_get(out->H, g->amplitudes, g->amplitudes);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            const swReal k = sw_wide_sum(sw_wide_load(task->Kaa + (i * n + j) * SW_LANES));
            own.data[i * own.stride + j] += k;
            if (i != j)
                own.data[j * own.stride + i] += k;
        }
    const int rows = sw_group_rows(g);
    for (int x = 0, column = 0; x < g->nnode && column < g->nfree; x++) {
        const int index = m->group_node[g->node + x], width = sw_node_columns(&m->node[index]);
        const swBlock H = sw_blocks_get(out->H, g->amplitudes, index);
        for (int i = 0; i < n; i++)
            for (int r = 0; r < rows; r++)
                for (int k = 0; k < width; k++)
                    H.data[i * H.stride + r * width + k] += sw_wide_sum(sw_wide_load(
                        task->Kqa + ((i * rows + r) * g->ncolumn + column + k) * SW_LANES));
        column += width;
    }
}

bool sw_corrected_couple(const swBodyModel *m, swCouple *visit, void *arg) {
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        if (g->amplitudes >= 0 && !visit(g->nnode, m->group_node + g->node, 1, &g->amplitudes, arg))
            return false;
    }
    return true;
}
