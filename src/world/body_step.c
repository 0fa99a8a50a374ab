// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "integrate/integrator.h"
#include "kinematics/handles.h"
#include "kinematics/rigid.h"
#include "world/body.h"

#include <string.h>

void sw_body_set_step(swBodyState *s, swReal h) {
    if (h != s->h && sw_integrator_at(s->model->settings->integrator)->past)
        s->remembered[0] = 0;
    s->h = h;
}

void sw_body_wake(swBodyState *s) {
    s->rest->still = 0;
    s->rest->asleep = s->rest->stopped = 0;
    s->energy = NAN;
}

void sw_body_turn(const swBodyModel *m, swBodyState *s, swReal t) {
    if (m->size.nparticle == 0)
        return;
    memcpy(s->work->q_trial, s->q, (size_t)m->size.nq * sizeof *s->q);
    sw_handles_step(m, s, t, s->work->q_trial);
    sw_particles_turn(m, &s->work->elastic.particles, s->pool, s->work->q_trial);
}

void sw_body_react(const swBodyModel *m, swBodyState *s, const swReal *q) {
    for (int64_t i = 0; i < m->size.nhandle; i++) {
        const swHandleInfo *handle = &m->handle[i];
        swVec3 force, torque;
        sw_node_wrench(&m->node[handle->node], q, s->work->g, sw_handle_center(s, i), &force,
                       &torque);
        if (handle->motion == SW_MOTION_FREE) // nothing outside holds it
            force = torque = sw_v3(0, 0, 0);
        memcpy(s->handle_wrench + 6 * i, &force, sizeof force);
        memcpy(s->handle_wrench + 6 * i + 3, &torque, sizeof torque);
    }
    memcpy(s->activation, s->work->activation, (size_t)sw_control_count(m) * sizeof *s->activation);
}

void sw_body_touch(const swBodyModel *m, swBodyState *s, const swReal *q, swReal t) {
    const swContactInput contact = sw_body_contact(s, q, t);
    sw_contact_forces(m, &contact, s->touch);
}

void sw_amplitudes_recall(const swBodyState *s) {
    memcpy(s->work->relax, s->relax, (size_t)s->model->size.nrelax * sizeof *s->relax);
}

void sw_amplitudes_keep(swBodyState *s) {
    memcpy(s->relax, s->work->relax, (size_t)s->model->size.nrelax * sizeof *s->relax);
}

void sw_body_rest(const swBodyModel *m, swBodyState *s, const swReal *q) {
    memcpy(s->q, q, (size_t)m->size.nq * sizeof *q);
    memset(s->v, 0, (size_t)m->size.nq * sizeof *s->v);
    memset(s->bulk_velocity, 0, (size_t)m->size.nbulk_point * sizeof *s->bulk_velocity);
    memset(s->lead, 0, (size_t)(m->size.nparticle > 0 ? m->size.nq : 0) * sizeof *s->lead);
    s->energy = NAN;
    if (sw_integrator_at(m->settings->integrator)->past)
        s->remembered[0] = 0;
}
