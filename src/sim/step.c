// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The main loop.
#include "integrate/integrator.h"
#include "kinematics/rigid.h"
#include "kinematics/handles.h"
#include "sim/sim.h"

#include <string.h>

static swStatus attempt(const swModel *m, swState *s, const swIntegrator *integrator,
                        swObjective *objective) {
    swWork *w = s->work;
    sw_contact_positions(m, s->ball, s->q, w->x_last);
    integrator->objective(m, s, objective);
    sw_activations(m, s, objective->t, 1, w->activation);
    sw_amplitudes_recall(s);
    sw_activations_follow(m, s, s->q, s->plastic);
    sw_balance_begin(m, s, sw_state_next_time(s));
    sw_amplitudes_recall(s);
    sw_state_turn(m, s, objective->t);
    if (!integrator->direct)
        sw_state_guess(m, s, objective, w->q_new);
    return integrator->solve(m, s, objective, w->q_new);
}

swStatus sw_step(const swModel *m, swState *s) {
    m = sw_state_enter(m, s);
    const double start = sw_seconds();
    const swIntegrator *integrator = sw_integrator_at(m->settings.integrator);
    const swReal h = m->settings.step, t = sw_state_next_time(s);
    swWork *w = s->work;
    const swObjective begin = {.q_last = s->q,
                               .h = h,
                               .t = t,
                               .load = 1,
                               .tolerance = m->settings.tolerance,
                               .activation = w->activation};
    swObjective objective = begin;

    memset(&s->report, 0, sizeof s->report);
    swStatus status = attempt(m, s, integrator, &objective);
    if (status != SW_OK && integrator->instead) {
        integrator = integrator->instead;
        objective = begin;
        s->report.replaced = 1;
        status = attempt(m, s, integrator, &objective);
    }
    if (status == SW_OK) {
        sw_nodes_make_rigid(m, w->q_new);
        sw_state_react(m, s, w->q_new);
        sw_balance_flow(m, s, &objective, w->q_new);
        sw_state_keep_lead(m, s, &objective, w->q_new);
        integrator->finish(m, s, &objective, w->q_new);
        sw_state_advance(s, t);
        sw_balance_end(m, s);
    }
    s->profile.total += sw_seconds() - start;
    s->profile.steps++;
    return status;
}
