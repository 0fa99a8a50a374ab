// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Implicit Euler: the next q minimises |q - (q_n + h v_n)|_M^2 / (2 h^2) plus all potentials; v =
// (q - q_n) / h.
#include "integrate/integrator.h"

static void objective(const swModel *m, swState *s, swObjective *o) {
    const swReal h = m->settings.step;
    for (int64_t i = 0; i < m->size.nq; i++)
        s->work->target[i] = s->q[i] + h * s->v[i];
    sw_bulk_positions(m, s->q, s->work->bulk_last);
    for (int64_t i = 0; i < m->size.nbulk_point; i++)
        s->work->bulk_target[i] = sw_madd(s->work->bulk_last[i], h, s->bulk_velocity[i]);
    o->target = s->work->target;
    o->inertia = 1 / (h * h);
}

static void finish(const swModel *m, swState *s, const swReal *q_new) {
    const swReal h = m->settings.step;
    for (int64_t i = 0; i < m->size.nq; i++)
        s->v[i] = (q_new[i] - s->q[i]) / h;
    sw_bulk_positions(m, q_new, s->bulk_velocity);
    for (int64_t i = 0; i < m->size.nbulk_point; i++)
        s->bulk_velocity[i] = sw_scale(1 / h, sw_sub(s->bulk_velocity[i], s->work->bulk_last[i]));
}

const swIntegrator sw_integrator_implicit_euler = {
    .name = "implicit-euler",
    .doc = "first order, stable for any step, loses energy in proportion to it",
    .objective = objective,
    .finish = finish,
};
