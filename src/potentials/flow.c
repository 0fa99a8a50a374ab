// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Plastic flow of all samples whose material has a yield stress. The tasks are those of elasticity.
#include "potentials/forces.h"

#include "kinematics/group.h"
#include "kinematics/correct.h"
#include "kinematics/relax.h"
#include "material/plasticity.h"

void sw_plastic_reset(const swBodyModel *m, swReal *plastic) {
    for (int64_t i = 0; i < m->size.nplastic; i++) {
        const int64_t entry = i / SW_LANES % SW_PLASTIC;
        plastic[i] = entry < 9 && entry % 4 == 0;
    }
}

typedef struct {
    const swBodyModel *model;
    const swElasticWork *work;
    const swReal *q, *relax;
    swReal h, *plastic;
} swFlow;

static void run_tasks(int start, int end, int worker, void *arg) {
    const swFlow *flow = arg;
    const swBodyModel *m = flow->model;
    for (int i = start; i < end; i++) {
        swElasticTask *task = &flow->work->task[i];
        const swGroup *g = &m->group[task->group];
        const swMaterialInfo *material = &m->material[g->material];
        const swFlowRule rule = sw_flow_rule(material, flow->h);
        const bool additive = material->plasticity == SW_PLASTICITY_ADDITIVE;
        swReal F[9 * SW_LANES];
        task->beyond = 0;
        if (g->plastic < 0)
            continue;
        const swReal *a = sw_group_gather(m, g, flow->q, flow->work->scratch[worker]);
        for (int b = task->block; b < task->block + task->nblock; b++) {
            swReal *plastic = flow->plastic + g->plastic + (int64_t)b * SW_PLASTIC * SW_LANES;
            sw_group_gradient(m, g, b, 1, a, NULL, F);
            sw_group_relax(m, g, b, 1, flow->relax, F);
            sw_group_correct(m, g, b, 1, flow->q, F);
            const swReal beyond =
                additive ? sw_additive_flow(&rule, sw_law_at(material->law)->strain, 1, F, plastic)
                         : sw_plastic_flow(&rule, 1, F, plastic);
            task->beyond = sw_max(task->beyond, beyond);
        }
    }
}

swReal sw_plastic_update(const swBodyModel *m, const swElasticWork *work, swPool *pool,
                         const swReal *q, const swReal *relax, swReal h, swReal *plastic) {
    swFlow flow = {m, work, q, relax, h, plastic};
    swReal beyond = 0;
    if (m->size.nplastic == 0)
        return 0;
    sw_parallel_for(pool, work->ntask, 1, run_tasks, &flow);
    for (int i = 0; i < work->ntask; i++)
        beyond = sw_max(beyond, work->task[i].beyond);
    return beyond;
}
