// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Symplectic Euler: forces act at the start of the step, v_n+1 = v_n + h M^-1 f(q_n), q_n+1 = q_n +
// h v_n+1. Rigid nodes are constrained by their degrees of freedom at q_n, which conserves angular
// momentum (SHAKE). Damping and friction use the velocity of the last step. Stable only below
// sw_stable_step().
#include "integrate/integrator.h"
#include "kinematics/handles.h"
#include "kinematics/rigid.h"

#include <string.h>

static void objective(const swBodyModel *m, swBodyState *s, swObjective *o) {
    sw_euler_objective(m, s, o);
    o->t -= o->h;
}

// work->g := the gradient of all potentials at q_n, with damping from q_n - h v_n.
static swValue forces(const swBodyModel *m, swBodyState *s, const swObjective *o, bool damped) {
    swWork *w = s->work;
    swObjective here = *o;
    here.inertia = 0;
    if (!damped) {
        here.q_last = NULL;
        return sw_objective_evaluate(m, s, &here, s->q, true, false, SW_PROJECT_NONE);
    }
    here.q_last = w->q_end;
    for (int64_t i = 0; i < m->size.nq; i++)
        w->q_end[i] = s->q[i] - o->h * s->v[i];
    sw_nodes_make_rigid(m, w->q_end);
    sw_body_begin_contact(s, w->q_end, o);
    for (int64_t i = 0; i < m->size.nbulk_point; i++)
        w->bulk_last[i] = sw_madd(w->bulk_last[i], -o->h, s->bulk_velocity[i]);
    const swValue value = sw_objective_evaluate(m, s, &here, s->q, true, false, SW_PROJECT_NONE);
    sw_body_begin_contact(s, s->q, o);
    sw_bulk_positions(m, s->q, w->bulk_last);
    return value;
}

// In a stable step nothing rotates or strains by as much as one.
static bool blown_up(const swBodyModel *m, const swReal *last, const swReal *q) {
    for (int64_t n = 0; n < m->size.nnode; n++)
        for (int i = 0; i < sw_node_size(&m->node[n]); i++) {
            const swReal change = fabs(q[m->node[n].q + i] - last[m->node[n].q + i]);
            const bool linear =
                i < 3 * m->node[n].width && i % m->node[n].width > 0 && i % m->node[n].width < 4;
            if (!isfinite(change) || (linear && m->node[n].ndof && change > 1))
                return true;
        }
    return false;
}

// Goes from the forces, in work->g, to q at the end of the step. Returns NULL, or the reason for
// failure.
static const char *move(const swBodyModel *m, swBodyState *s, const swObjective *o, swReal *q) {
    swWork *w = s->work;
    memcpy(w->q_end, w->g, (size_t)m->size.nq * sizeof *q);
    sw_handles_step(m, s, o->t + o->h, q);
    const swInertia inertia = {
        .inertia = o->inertia, .at = s->q, .target = o->target, .force = w->q_end};
    const char *reason = sw_inertia_solve(m, s, &inertia, q, w->g);
    if (!reason && blown_up(m, s->q, q))
        reason = "the motion blows up";
    if (!reason && !sw_objective_finite(m, s, o, q))
        reason = "a sample has no volume left";
    return reason;
}

static swStatus search(const swIsland *is) {
    const char *reason = NULL;
    swValue all = {0};
    for (int i = 0; i < is->n; i++) {
        swBodyState *s = is->body[i];
        const swValue value = forces(s->model, s, &is->objective[i], true);
        memcpy(is->q[i], s->q, (size_t)s->model->size.nq * sizeof *s->q);
        s->report.contacts = value.contacts;
        s->report.scale = sw_max(s->report.scale, s->work->balance->scale);
        all.energy += value.energy;
    }
    if (is->joined)
        sw_joined_add(is, false, false, SW_PROJECT_NONE, &all);
    if (!isfinite(all.energy))
        reason = "a sample has no volume left";
    for (int i = 0; i < is->n && !reason; i++)
        reason = move(is->body[i]->model, is->body[i], &is->objective[i], is->q[i]);
    for (int i = 0; i < is->n && reason; i++) {
        swStepReport *report = &is->body[i]->report;
        snprintf(report->reason, sizeof report->reason,
                 "%s: is time.step longer than the stable one, or a frame without mass?", reason);
        report->status = SW_ERROR_NOT_CONVERGED;
    }
    return reason ? SW_ERROR_NOT_CONVERGED : SW_OK;
}

static void acted(const swBodyModel *m, swBodyState *s, const swObjective *o, bool damped) {
    forces(m, s, o, damped);
}

// Velocities are half a step behind positions, so energy oscillates by h/2 g . v. With constant
// masses and quadratic V,
//   V_n+1 - V_n = h v_n+1 . (g_n + g_n+1) / 2,
//   T_n+1 - T_n = (v_n+1 + v_n) . M (v_n+1 - v_n) / 2 = - h (v_n+1 + v_n) . g_n / 2,
// so that T + V - h/2 g . v is constant, for any step.
static swReal swing(const swIsland *is) {
    swReal power = 0;
    swValue all = {0};
    for (int i = 0; i < is->n; i++) {
        swBodyState *s = is->body[i];
        is->objective[i] =
            (swObjective){.h = s->h, .t = s->t, .load = 1, .activation = s->activation};
        memcpy(is->q[i], s->q, (size_t)s->model->size.nq * sizeof *s->q);
        forces(s->model, s, &is->objective[i], false);
    }
    if (is->joined)
        sw_joined_add(is, false, false, SW_PROJECT_NONE, &all);
    for (int i = 0; i < is->n; i++)
        for (int64_t k = 0; k < is->body[i]->model->size.nq; k++)
            power += is->body[i]->work->g[k] * is->body[i]->v[k];
    return is->body[0]->h / 2 * power;
}

const swIntegrator sw_integrator_symplectic_euler = {
    .name = "symplectic-euler",
    .doc = "explicit, first order, conserves momentum; stable only for steps that resolve the "
           "fastest vibration",
    .direct = true,
    .instead = &sw_integrator_implicit_euler,
    .swing = swing,
    .acted = acted,
    .objective = objective,
    .search = search,
    .finish = sw_euler_finish,
};
