// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/rigid.h"
#include "nodes/handles.h"
#include "sim/sim.h"

#include <string.h>

void sw_state_guess(const swModel *m, swState *s, const swObjective *o, swReal t, swReal *q) {
    swWork *w = s->work;
    const size_t bytes = (size_t)m->size.nq * sizeof *q;
    memcpy(q, s->q, bytes);
    sw_handles_pose(m, t, q);
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *node = &m->node[i];
        const swReal *from = node->ndof ? o->target : q;
        memcpy(w->q_trial + node->q, from + node->q, (size_t)(3 * node->width) * sizeof *q);
    }
    sw_nodes_make_rigid(m, w->q_trial);
    swReal moving =
        sw_objective_evaluate(m, s, o, w->q_trial, false, false, SW_PROJECT_NONE).energy;
    swReal staying = sw_objective_evaluate(m, s, o, q, false, false, SW_PROJECT_NONE).energy;
    if (isfinite(moving) && !(staying < moving))
        memcpy(q, w->q_trial, bytes);
}

void sw_state_set_time(swState *s, swReal t) {
    s->t = s->clock_time = t;
    s->clock_step = s->step;
}

void sw_state_accept(const swModel *m, swState *s, const swReal *q) {
    for (int64_t i = 0; i < m->size.nhandle; i++) {
        const swHandleInfo *handle = &m->handle[i];
        const int at = m->node[handle->node].q;
        swVec3 force, torque;
        sw_node_wrench(q + at, s->work->g + at, handle->center, &force, &torque);
        if (handle->motion == SW_MOTION_FREE) // nothing outside holds it
            force = torque = sw_v3(0, 0, 0);
        memcpy(s->handle_wrench + 6 * i, &force, sizeof force);
        memcpy(s->handle_wrench + 6 * i + 3, &torque, sizeof torque);
    }
    sw_contact_forces(m, q, s->contact_force);
    memcpy(s->q, q, (size_t)m->size.nq * sizeof *q);
}
