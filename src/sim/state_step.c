// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/rigid.h"
#include "sim/sim.h"

#include <string.h>

void sw_state_set_time(swState *s, swReal t) {
    s->t = s->clock_time = t;
    s->clock_step = s->step;
}

void sw_state_accept(const swModel *m, swState *s, const swReal *q) {
    for (int64_t i = 0; i < m->size.nhandle; i++) {
        const swHandleInfo *handle = &m->handle[i];
        swVec3 force, torque;
        sw_node_wrench(&m->node[handle->node], q, s->work->g, handle->center, &force, &torque);
        if (handle->motion == SW_MOTION_FREE) // nothing outside holds it
            force = torque = sw_v3(0, 0, 0);
        memcpy(s->handle_wrench + 6 * i, &force, sizeof force);
        memcpy(s->handle_wrench + 6 * i + 3, &torque, sizeof torque);
    }
    sw_contact_forces(m, q, s->contact_force);
    memcpy(s->q, q, (size_t)m->size.nq * sizeof *q);
    memcpy(s->activation, s->work->activation, (size_t)m->size.nmaterial * sizeof *s->activation);
}
