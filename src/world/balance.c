// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Where the energy of a step went: the rise of the total is the work of handles and what actuation
// brings in, less what damping, friction and plastic flow take, plus the drift that the integrator
// itself makes.
#include "integrate/integrator.h"
#include "kinematics/handles.h"
#include "kinematics/rigid.h"
#include "world/body.h"

#include <string.h>

static swReal sum(swEnergy e) {
    return e.elastic + e.kinetic + e.potential + e.contact + e.pull + e.muscle;
}

swReal sw_body_total(const swBodyState *s) { return sum(sw_body_energy(s)); }

static swReal holds(const swBodyModel *m, const swBodyState *s, swReal t) {
    swSystem sys = {0};
    sw_holds_add(m, t, s->q, &sys);
    return sys.energy;
}

// The energy at the beginning is that at the end of the last step, unless something else came
// between: the program moved a pull, brought the ball, or changed gravity. That is no part of the
// balance. What changed activations and rest shapes, and holds that go on, bring in is
// known before anything moves.
void sw_balance_begin(const swBodyModel *m, swBodyState *s, swReal t) {
    swWork *w = s->work;
    const size_t bytes = (size_t)sw_control_count(m) * sizeof *s->activation;
    if (isnan(s->energy)) {
        const swEnergy e = sw_body_energy_with(s, s->activation);
        s->energy = sum(e);
        s->elastic = e.elastic;
    }
    swReal now = s->energy;
    w->strained = s->elastic;
    if (memcmp(s->activation, w->activation, bytes) != 0) {
        const swEnergy e = sw_body_energy_with(s, w->activation);
        now = sum(e);
        w->strained = e.elastic;
    }
    now += holds(m, s, t) - holds(m, s, s->t);
    w->actuated = now - s->energy;
}

static swReal stored(const swBodyModel *m, swBodyState *s, const swReal *q) {
    swSystem sys = {0};
    const swElasticInput input = {
        .q = q, .activation = s->activation, .plastic = s->plastic, .relax = s->work->relax};
    sw_elastic_add(m, &s->work->elastic, s->pool, &input, &sys);
    return sys.energy;
}

// Rotations that handles give to particles do work on what is strained, before anything moves.
// Others follow the body, and what they change is drift.
void sw_balance_turn(const swBodyModel *m, swBodyState *s, swReal t) {
    sw_body_turn(m, s, t);
    if (m->size.nparticle > 0 && m->particle->rotations == SW_ROTATIONS_DIFFUSION)
        s->work->actuated += sw_body_elastic_with(s, s->work->activation) - s->work->strained;
}

// Of moved handles, from `last` to the state's q.
static swReal work_of_handles(const swBodyModel *m, const swBodyState *s, const swReal *last) {
    swReal work = 0;
    for (int64_t i = 0; i < m->size.nhandle; i++) {
        const swHandleInfo *handle = &m->handle[i];
        if (!sw_handle_is_moved(s, (int)i))
            continue;
        const swReal *A = last + m->node[handle->node].q, *B = s->q + m->node[handle->node].q;
        const swReal *f = s->handle_wrench + 6 * i;
        const swVec3 force = {f[0], f[1], f[2]}, torque = {f[3], f[4], f[5]};
        const swVec3 from = {A[0], A[4], A[8]}, to = {B[0], B[4], B[8]};
        const swReal *Q = s->work->q_new + m->node[handle->node].q; // where forces acted
        const swVec3 turn = sw_rigid_turn(A, B),
                     arm = sw_sub(sw_v3(Q[0], Q[4], Q[8]), sw_handle_center(s, i));
        work +=
            sw_dot(force, sw_sub(to, from)) + sw_dot(sw_sub(torque, sw_cross(arm, force)), turn);
    }
    return work;
}

// What damping and friction do along the step to q. Of damping: its gradient is that with less that
// without, friction being part of it.
void sw_balance_damping(const swBodyModel *m, swBodyState *s, const swIntegrator *integrator,
                        const swObjective *o, const swReal *q) {
    swWork *w = s->work;
    const swReal share = s->h / o->h; // o->h: the part of the step that leads to q
    const bool damped = m->body[0].damping_mass > 0 || m->body[0].damping_stiffness > 0;
    const swContactInput contact = sw_body_contact(s, q, o->t);
    const swReal friction = sw_contact_friction(m, &contact);
    if (!damped && !integrator->acted && (friction == 0 || !o->linear)) {
        w->dissipated = share * friction;
        return;
    }
    swReal work = 0;
    swObjective alone = *o;
    alone.inertia = 0;
    alone.damping = 0;
    if (o->linear) // about work->q_start, and forces act along the velocities in work->q_end
        alone.about = w->q_start;
    for (int way = 0; way < 2; way++) {
        if (integrator->acted)
            integrator->acted(m, s, o, way == 0);
        else
            sw_objective_evaluate(m, s, &alone, q, true, false, SW_PROJECT_NONE);
        for (int64_t i = 0; i < m->size.nq; i++)
            work +=
                (way == 0 ? 1 : -1) * w->g[i] * (o->linear ? o->h * w->q_end[i] : q[i] - s->q[i]);
        alone.q_last = alone.q_before = NULL;
        alone.bulk_before = NULL;
    }
    // What moves may drive a body by friction. Damping takes energy: explicit steps that are too
    // long for it give some, which nothing explains.
    w->dissipated = share * (integrator->acted ? sw_max(work, sw_min(0, friction)) : work);
}

// Of colliders that move, by the mean of the forces where the step begins and where it ends; those
// of another time in it serve for all of it.
static void push(const swBodyModel *m, swBodyState *s, const swObjective *o, const swReal *q) {
    const swReal end = o->t < s->next ? 1 : 0.5;
    const swContactInput before = sw_body_contact(s, s->q, s->t),
                         after = sw_body_contact(s, q, o->t);
    s->work->pushed =
        end < 1 ? (1 - end) * sw_contact_work(m, &before, s->t, s->next, s->touch) : 0;
    sw_body_touch(m, s, q, o->t);
    s->work->pushed += end * sw_contact_work(m, &after, s->t, s->next, s->touch);
}

void sw_balance_flow(const swBodyModel *m, swBodyState *s, const swObjective *o, const swReal *q) {
    swWork *w = s->work;
    memcpy(w->q_start, s->q, (size_t)m->size.nq * sizeof *s->q);
    push(m, s, o, q);
    if (m->size.nplastic == 0)
        return;
    const swReal before = stored(m, s, q);
    sw_plastic_update(m, &w->elastic, s->pool, q, w->relax, s->h, s->plastic);
    w->dissipated += before - stored(m, s, q);
}

// Fast vibrations may gain energy in large motions, step by step. Where there is too much of it, a
// little stiffness damping takes it from them again, which leaves rigid motion alone, keeps
// momentum and hardly touches what is slow. What is lost for other reasons is not given back.
static void keep_energy(swBodyState *s, swEnergy e, swReal drift) {
    // Of the energy: what is allowed, and what errors that come and go may take; of the step.
    static const swReal allowed = 3e-4, goes = 0.01, most = 0.02;
    swReal *keep = s->keeping;
    keep[SW_KEEP_SCALE] = sw_max(keep[SW_KEEP_SCALE], e.elastic + e.kinetic);
    const swReal unit = allowed * keep[SW_KEEP_SCALE], range = goes * keep[SW_KEEP_SCALE];
    keep[SW_KEEP_SURPLUS] = sw_clamp(keep[SW_KEEP_SURPLUS] + drift, -range, range);
    keep[SW_KEEP_DAMPING] =
        unit > 0 ? most * s->h * sw_clamp(keep[SW_KEEP_SURPLUS] / unit - 1, 0, 1) : 0;
}

void sw_balance_end(const swBodyModel *m, swBodyState *s) {
    swWork *w = s->work;
    swStepReport *r = &s->report;
    const swEnergy e = sw_body_energy_with(s, s->activation); // finds the relaxed strains there
    const swReal energy = sum(e), work = w->pushed + work_of_handles(m, s, w->q_start);
    const swReal drift = energy - s->energy - w->actuated - work + w->dissipated;
    sw_amplitudes_keep(s);
    r->actuated += w->actuated;
    r->dissipated += w->dissipated;
    r->work += work;
    r->drift += drift;
    w->drift = drift;
    w->kinetic = e.kinetic;
    w->scale = fabs(e.elastic) + e.kinetic + e.contact + e.pull + fabs(work) + fabs(w->actuated);
    w->rounding = 1e-12 * (w->scale + fabs(e.potential) + fabs(e.muscle)) +
                  1e-15 * w->balance->young * m->body[0].volume;
    s->energy = energy;
    s->elastic = e.elastic;
    if (sw_integrator_at(m->settings->integrator)->keeps)
        keep_energy(s, e, drift);
}
