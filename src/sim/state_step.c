// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "integrate/integrator.h"
#include "kinematics/handles.h"
#include "kinematics/rigid.h"
#include "sim/sim.h"

#include <string.h>

void sw_state_set_time(swState *s, swReal t) {
    s->t = s->clock_time = t;
    s->clock_step = s->step;
}

// What is remembered of a step of another length is of no use.
static void change_step(swState *s, swReal h) {
    sw_state_set_time(s, s->t);
    s->clock_h = h;
    if (sw_integrator_at(s->model->settings.integrator)->past)
        s->remembered[0] = 0;
}

swReal sw_state_next_time(swState *s) {
    const swReal h = s->model->settings.step;
    if (h != s->clock_h)
        change_step(s, h);
    return s->clock_time + (swReal)(s->step + 1 - s->clock_step) * h;
}

void sw_state_advance(swState *s, swReal t) {
    s->t = t;
    s->step++;
    s->ball->last = s->ball->shape.a;
}

void sw_state_turn(const swModel *m, swState *s, swReal t) {
    if (m->size.nparticle == 0)
        return;
    memcpy(s->work->q_trial, s->q, (size_t)m->size.nq * sizeof *s->q);
    sw_handles_step(m, s, t, s->work->q_trial);
    sw_particles_turn(m, &s->work->elastic.particles, s->pool, s->work->q_trial);
}

void sw_state_react(const swModel *m, swState *s, const swReal *q) {
    for (int64_t i = 0; i < m->size.nhandle; i++) {
        const swHandleInfo *handle = &m->handle[i];
        swVec3 force, torque;
        sw_node_wrench(&m->node[handle->node], q, s->work->g, handle->center, &force, &torque);
        if (handle->motion == SW_MOTION_FREE) // nothing outside holds it
            force = torque = sw_v3(0, 0, 0);
        memcpy(s->handle_wrench + 6 * i, &force, sizeof force);
        memcpy(s->handle_wrench + 6 * i + 3, &torque, sizeof torque);
    }
    sw_contact_forces(m, s->work->pose, s->ball, q, s->contact_force, s->ball_force);
    memcpy(s->activation, s->work->activation, (size_t)sw_control_count(m) * sizeof *s->activation);
}

void sw_amplitudes_recall(const swState *s) {
    memcpy(s->work->relax, s->relax, (size_t)s->model->size.nrelax * sizeof *s->relax);
}

void sw_amplitudes_keep(swState *s) {
    memcpy(s->relax, s->work->relax, (size_t)s->model->size.nrelax * sizeof *s->relax);
}

void sw_state_rest(const swModel *m, swState *s, const swReal *q) {
    memcpy(s->q, q, (size_t)m->size.nq * sizeof *q);
    memset(s->v, 0, (size_t)m->size.nq * sizeof *s->v);
    memset(s->bulk_velocity, 0, (size_t)m->size.nbulk_point * sizeof *s->bulk_velocity);
    memset(s->lead, 0, (size_t)(m->size.nparticle > 0 ? m->size.nq : 0) * sizeof *s->lead);
    s->work->energy_step = -1;
    s->ball->last = s->ball->shape.a;
    if (sw_integrator_at(m->settings.integrator)->past)
        s->remembered[0] = 0;
}
