// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// One step of the bodies of an island together.
#include "integrate/integrator.h"
#include "kinematics/rigid.h"
#include "world/world.h"

// Of the iterations that one search may take, those of a step that can be divided are a share:
// searches that take long hardly ever end.
enum { SHARE = 4 };

// What is to be minimised, and where the search begins.
static void begin(swBodyState *s, const swIntegrator *integrator, bool shortest, swObjective *o) {
    const swBodyModel *m = sw_body_enter(s);
    const int iterations = m->settings->iterations;
    swWork *w = s->work;
    *o = (swObjective){.q_last = s->q,
                       .h = s->h,
                       .t = s->next,
                       .load = 1,
                       .tolerance = m->settings->tolerance,
                       .iterations = shortest ? iterations : (iterations + SHARE - 1) / SHARE,
                       .rough = shortest,
                       .activation = w->activation};
    integrator->objective(m, s, o);
    sw_body_begin_contact(s, s->q, o);
    sw_activations(m, s, o->t, 1, w->activation);
    sw_amplitudes_recall(s);
    sw_activations_follow(m, s, s->q, s->plastic);
    sw_balance_begin(m, s, s->next);
    sw_amplitudes_recall(s);
    sw_balance_turn(m, s, o->t);
    if (!integrator->direct)
        sw_body_guess(m, s, o, w->q_new);
    if (integrator->aim)
        integrator->aim(m, s, o, w->q_new);
}

static void finish(swBodyState *s, const swIntegrator *integrator, const swObjective *o) {
    const swBodyModel *m = s->model;
    swWork *w = s->work;
    sw_nodes_make_rigid(m, w->q_new);
    sw_body_react(m, s, w->q_new);
    sw_balance_damping(m, s, integrator, o, w->q_new);
    sw_balance_flow(m, s, o, w->q_new);
    sw_body_keep_lead(m, s, o, w->q_new);
    integrator->finish(m, s, o, w->q_new);
    s->t = s->next;
    sw_balance_end(m, s);
}

swStatus sw_island_step(const swIsland *is, const swIntegrator *integrator, bool shortest) {
    for (int i = 0; i < is->n; i++)
        begin(is->body[i], integrator, shortest, &is->objective[i]);
    swStatus status = integrator->search(is);
    for (int i = 0; i < is->n && integrator->arrive && status == SW_OK; i++)
        status = integrator->arrive(is->body[i]->model, is->body[i], &is->objective[i], is->q[i]);
    for (int i = 0; i < is->n && status == SW_OK; i++)
        finish(is->body[i], integrator, &is->objective[i]);
    return status;
}
