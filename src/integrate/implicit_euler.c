// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Implicit Euler: the next q minimises |q - (q_n + h v_n)|_M^2 / (2 h^2) plus all potentials, and v
// = (q - q_n) / h.
#include "integrate/integrator.h"

#include <string.h>

void sw_euler_objective(const swBodyModel *m, swBodyState *s, swObjective *o) {
    for (int64_t i = 0; i < m->size.nq; i++)
        s->work->target[i] = s->q[i] + o->h * s->v[i];
    sw_bulk_positions(m, s->q, s->work->bulk_last);
    for (int64_t i = 0; i < m->size.nbulk_point; i++)
        s->work->bulk_target[i] = sw_madd(s->work->bulk_last[i], o->h, s->bulk_velocity[i]);
    o->target = s->work->target;
    o->inertia = 1 / (o->h * o->h);
}

void sw_euler_finish(const swBodyModel *m, swBodyState *s, const swObjective *o, const swReal *q) {
    for (int64_t i = 0; i < m->size.nq; i++)
        s->v[i] = (q[i] - s->q[i]) / o->h;
    sw_bulk_positions(m, q, s->bulk_velocity);
    for (int64_t i = 0; i < m->size.nbulk_point; i++)
        s->bulk_velocity[i] =
            sw_scale(1 / o->h, sw_sub(s->bulk_velocity[i], s->work->bulk_last[i]));
    memcpy(s->q, q, (size_t)m->size.nq * sizeof *q);
}

const swIntegrator sw_integrator_implicit_euler = {
    .name = "implicit-euler",
    .doc = "first order, stable for any step; loses energy in proportion to the step",
    .objective = sw_euler_objective,
    .search = sw_island_newton,
    .finish = sw_euler_finish,
};
