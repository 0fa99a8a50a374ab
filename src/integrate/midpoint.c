// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The implicit midpoint rule. Forces act at q, the middle of q_n and q_n+1, which minimises
//   2/h^2 |q - (q_n + h/2 v_n)|_M^2 + potentials
// as in implicit Euler over half a step. Then q_n+1 = 2 q - q_n, v_n+1 = 2 (q_n+1 - q_n) / h - v_n.
//
// The middle of two rotations is not a rotation: q is rigid where nodes are, and q_n+1 is the rigid
// motion with J^T M (q_n+1 + q_n - 2 q) = 0, where J holds the degrees of freedom of the nodes at
// q. This treats q_n and q_n+1 symmetrically, so a step back returns to the start. Momentum is
// conserved.
#include "integrate/integrator.h"
#include "kinematics/handles.h"
#include "kinematics/rigid.h"

#include <string.h>

// The length of the whole step; that of the objective is half a step.
static swReal whole_step(const swObjective *o) { return 2 * o->h; }
static swReal end_of_step(const swObjective *o) { return o->t + o->h; }

// Moved handles are at the middle and the end of the step where keys or the program put them, and
// have the velocity of that motion, so that their mass acts on their neighbours correctly even if a
// motion starts abruptly. The velocity at the end, to second order:
static swReal keyed_velocity(swReal start, swReal middle, swReal end, swReal h) {
    return (3 * end - 4 * middle + start) / h;
}

// Sets the entries of the nodes of moved handles, 12 each, in `to`, and moves bulk points by the
// difference, as far as they follow these nodes.
typedef enum { MIDDLE, END, VELOCITY } swKeyed;
static void set_keyed(const swBodyModel *m, swBodyState *s, swKeyed what, const swReal *middle,
                      const swReal *end, swReal h, swReal *to, swVec3 *bulk) {
    swWork *w = s->work;
    bool any = false;
    memset(w->q_trial, 0, (size_t)m->size.nq * sizeof *to);
    for (int64_t k = 0; k < m->size.nhandle; k++) {
        const int first = m->node[m->handle[k].node].q;
        for (int i = first; sw_handle_is_moved(s, (int)k) && i < first + 12; i++) {
            const swReal v = keyed_velocity(s->q[i], middle[i], end[i], h),
                         value = what == MIDDLE ? middle[i] - h / 4 * (v - s->v[i])
                                 : what == END  ? end[i]
                                                : v;
            w->q_trial[i] = value - to[i];
            to[i] = value;
            any = true;
        }
    }
    if (!any)
        return;
    sw_bulk_start(m, w->q_trial, w->bulk_trial);
    for (int64_t i = 0; i < m->size.nbulk_point; i++)
        bulk[i] = sw_add(bulk[i], w->bulk_trial[i]);
}

static void objective(const swBodyModel *m, swBodyState *s, swObjective *o) {
    swWork *w = s->work;
    const size_t bytes = (size_t)m->size.nq * sizeof *s->q;
    const swReal h = o->h;
    o->h = h / 2;
    o->t -= h / 2;
    sw_euler_objective(m, s, o);
    o->damping = s->report.damping = s->keeping[SW_KEEP_DAMPING];
    memcpy(w->q_new, s->q, bytes);
    memcpy(w->q_end, s->q, bytes);
    sw_handles_step(m, s, o->t, w->q_new);
    sw_handles_step(m, s, end_of_step(o), w->q_end);
    set_keyed(m, s, MIDDLE, w->q_new, w->q_end, h, w->target, w->bulk_target);
}

// The middle has volume everywhere, but twice that displacement may be too far.
static swStatus check_end(const swBodyModel *m, swBodyState *s, const swObjective *o) {
    if (sw_objective_finite(m, s, o, s->work->q_end))
        return SW_OK;
    snprintf(s->report.reason, sizeof s->report.reason,
             "a sample has no volume left at the end: the step is too long");
    return s->report.status = SW_ERROR_NOT_CONVERGED;
}

// Computes work->q_end from the middle q.
static swStatus arrive(const swBodyModel *m, swBodyState *s, const swObjective *o, swReal *q) {
    swWork *w = s->work;
    for (int64_t i = 0; i < m->size.nq; i++)
        w->q_end[i] = w->target[i] = 2 * q[i] - s->q[i];
    sw_nodes_make_rigid(m, w->q_end);
    sw_handles_step(m, s, end_of_step(o), w->q_end);
    if (!w->folded)
        return check_end(m, s, o);
    sw_bulk_positions(m, q, w->bulk_target);
    for (int64_t i = 0; i < m->size.nbulk_point; i++)
        w->bulk_target[i] = sw_sub(sw_scale(2, w->bulk_target[i]), w->bulk_last[i]);
    set_keyed(m, s, END, q, w->q_end, whole_step(o), w->target, w->bulk_target);
    const swInertia inertia = {.inertia = o->inertia, .at = q, .target = w->target};
    const char *reason = sw_inertia_solve(m, s, &inertia, w->q_end, w->q_trial);
    if (!reason)
        return check_end(m, s, o);
    snprintf(s->report.reason, sizeof s->report.reason, "%s", reason);
    return s->report.status = SW_ERROR_NOT_CONVERGED;
}

static void finish(const swBodyModel *m, swBodyState *s, const swObjective *o, const swReal *q) {
    const swReal h = whole_step(o), *end = s->work->q_end;
    swReal *v = s->work->target;
    swVec3 *x = s->work->bulk_target;
    sw_bulk_positions(m, end, x);
    for (int64_t i = 0; i < m->size.nbulk_point; i++)
        s->bulk_velocity[i] =
            sw_sub(sw_scale(2 / h, sw_sub(x[i], s->work->bulk_last[i])), s->bulk_velocity[i]);
    for (int64_t i = 0; i < m->size.nq; i++)
        v[i] = 2 / h * (end[i] - s->q[i]) - s->v[i];
    set_keyed(m, s, VELOCITY, q, end, h, v, s->bulk_velocity);
    memcpy(s->v, v, (size_t)m->size.nq * sizeof *v);
    memcpy(s->q, end, (size_t)m->size.nq * sizeof *end);
}

const swIntegrator sw_integrator_midpoint = {
    .name = "midpoint",
    .doc = "second order, conserves energy and momentum; fast vibrations remain undamped",
    .keeps = true,
    .instead = &sw_integrator_implicit_euler,
    .objective = objective,
    .search = sw_island_newton,
    .arrive = arrive,
    .finish = finish,
};
