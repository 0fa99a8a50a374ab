// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "solve/foresight.h"

#include "kinematics/rigid.h"

#include <string.h>

// Precomputed springs have none.
static bool has_volumes(const swIsland *is, int body) {
    return is->body[body]->work->elastic.volumes.pressure != NULL;
}

// Relaxed strains depend on how a search went, and slopes of dual quaternions are not those of
// matrices.
bool sw_foresight_applies(const swIsland *is) {
    bool any = false;
    for (int b = 0; b < is->n; b++) {
        const swBodyModel *m = is->body[b]->model;
        any = any || has_volumes(is, b);
        if (m->size.nrelax > 0 || is->body[b]->work->linear.kind == SW_LINEAR_CG ||
            is->objective[b].frozen)
            return false;
        for (int64_t i = 0; i < m->size.nnode; i++)
            if (sw_node_is_dual(&m->node[i]))
                return false;
    }
    return any;
}

void sw_foresight_begin(const swIsland *is) {
    for (int b = 0; b < is->n; b++) {
        const swBodyModel *m = is->body[b]->model;
        swVolumesWork *v = &is->body[b]->work->elastic.volumes;
        const swReal *last = is->objective[b].q_last;
        memcpy(is->body[b]->work->q_begin, is->q[b], (size_t)m->size.nq * sizeof *is->q[b]);
        if (has_volumes(is, b))
            sw_volumes_start(v, m, last ? last : is->q[b]);
    }
}

void sw_foresight_end(const swIsland *is, bool back) {
    for (int b = 0; b < is->n; b++) {
        is->body[b]->work->elastic.volumes.foreseen = false;
        if (back)
            memcpy(is->q[b], is->body[b]->work->q_begin,
                   (size_t)is->body[b]->model->size.nq * sizeof *is->q[b]);
    }
}

swReal sw_foresight_gap(const swIsland *is) {
    swReal sum = 0;
    for (int b = 0; b < is->n; b++)
        if (has_volumes(is, b) && is->body[b]->work->elastic.volumes.foreseen)
            sum += sw_volumes_gap(&is->body[b]->work->elastic.volumes, is->body[b]->model);
    return sum;
}

void sw_foresight_move(const swIsland *is, swValue *value, swReal *slope) {
    value->energy += sw_foresight_gap(is);
    for (int b = 0; b < is->n; b++) {
        const swBodyModel *m = is->body[b]->model;
        swWork *w = is->body[b]->work;
        if (!has_volumes(is, b) || !w->elastic.volumes.foreseen)
            continue;
        memset(w->q_trial, 0, (size_t)m->size.nq * sizeof *w->q_trial);
        sw_nodes_add_rates(m, is->q[b], w->step, 1, w->q_trial);
        sw_volumes_foresee(&w->elastic.volumes, m, w->q_trial, slope);
    }
    value->energy -= sw_foresight_gap(is);
}
