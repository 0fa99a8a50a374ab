// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The second-order backward differentiation formula, v = (3 q - 4 q_n + q_n-1) / (2 h) and the same
// for accelerations: the next q minimises 9/(8 h^2) |q - target|_M^2 plus all potentials, with
//   target = (4 q_n - q_n-1) / 3 + h (8 v_n - 2 v_n-1) / 9
// The first step is one of implicit Euler.
#include "integrate/integrator.h"

#include <string.h>

static swVec3 blend(swReal a, swVec3 x, swReal b, swVec3 y) {
    return sw_madd(sw_scale(a, x), b, y);
}

static void objective(const swBodyModel *m, swBodyState *s, swObjective *o) {
    swWork *w = s->work;
    sw_euler_objective(m, s, o);
    if (!s->remembered[0])
        return;
    for (int64_t i = 0; i < m->size.nq; i++)
        w->target[i] =
            (4 * s->q[i] - s->q_past[i]) / 3 + o->h * (8 * s->v[i] - 2 * s->v_past[i]) / 9;
    for (int64_t i = 0; i < m->size.nbulk_point; i++)
        w->bulk_target[i] =
            sw_madd(blend(4.0 / 3, w->bulk_last[i], -1.0 / 3, s->bulk_past[i]), o->h,
                    blend(8.0 / 9, s->bulk_velocity[i], -2.0 / 9, s->bulk_velocity_past[i]));
    o->inertia = 9 / (4 * o->h * o->h);
    o->q_before = s->q_past;
    o->bulk_before = s->bulk_past;
}

static void finish(const swBodyModel *m, swBodyState *s, const swObjective *o, const swReal *q) {
    const bool first = !s->remembered[0];
    const swReal a = (first ? 1 : 1.5) / o->h, b = (first ? -1 : -2) / o->h,
                 c = (first ? 0 : 0.5) / o->h;
    swVec3 *x = s->work->bulk_target;
    sw_bulk_positions(m, q, x);
    for (int64_t i = 0; i < m->size.nbulk_point; i++) {
        const swVec3 last = s->work->bulk_last[i],
                     v = sw_madd(blend(a, x[i], b, last), c, s->bulk_past[i]);
        s->bulk_past[i] = last;
        s->bulk_velocity_past[i] = s->bulk_velocity[i];
        s->bulk_velocity[i] = v;
    }
    for (int64_t i = 0; i < m->size.nq; i++) {
        const swReal v = a * q[i] + b * s->q[i] + c * s->q_past[i];
        s->q_past[i] = s->q[i];
        s->v_past[i] = s->v[i];
        s->q[i] = q[i];
        s->v[i] = v;
    }
    memcpy(s->relax_past, s->relax, (size_t)m->size.nrelax * sizeof *s->relax);
    s->remembered[0] = 1;
}

static void begin_anew(const swBodyModel *m, swBodyState *s, swObjective *o) {
    s->remembered[0] = 0;
    objective(m, s, o);
}

static const swIntegrator first_step = {
    .name = "bdf2, its first step",
    .past = true,
    .objective = begin_anew,
    .search = sw_island_newton,
    .finish = finish,
};

const swIntegrator sw_integrator_bdf2 = {
    .name = "bdf2",
    .doc = "second order, stable for any step; loses little energy except that of fast vibrations",
    .past = true,
    .instead = &first_step,
    .objective = objective,
    .search = sw_island_newton,
    .finish = finish,
};
