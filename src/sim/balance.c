// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Where the energy of a step went: the rise of the total is the work of handles and colliders and
// what actuation brings in, less what damping, friction and plastic flow take, plus the drift that
// the integrator itself makes.
#include "integrate/integrator.h"
#include "kinematics/handles.h"
#include "kinematics/points.h"
#include "kinematics/rigid.h"
#include "sim/sim.h"

#include <string.h>

static swReal sum(swEnergy e) {
    return e.elastic + e.kinetic + e.potential + e.contact + e.pull + e.muscle;
}

swReal sw_state_total(const swState *s) { return sum(sw_state_energy(s)); }

static swReal holds(const swModel *m, const swState *s, swReal t) {
    swSystem sys = {0};
    sw_holds_add(m, t, s->q, &sys);
    return sys.energy;
}

// The energy at the beginning is that at the end of the last step, unless something else came
// between: the program moved a pull or the ball. That, and what a change of gravity adds, is no
// part of the balance. What changed activations and rest shapes, and holds that go on, bring in is
// known before anything moves.
void sw_balance_begin(const swModel *m, swState *s, swReal t) {
    swWork *w = s->work;
    const size_t bytes = (size_t)sw_control_count(m) * sizeof *s->activation;
    if (w->energy_step != s->step ||
        memcmp(&w->gravity, &m->settings.gravity, sizeof w->gravity) != 0)
        w->energy = sum(sw_state_energy_with(s, s->activation));
    w->energy_step = -1;
    const swReal before = w->energy;
    if (memcmp(s->activation, w->activation, bytes) != 0)
        w->energy = sum(sw_state_energy_with(s, w->activation));
    w->energy += holds(m, s, t) - holds(m, s, s->t);
    s->report.actuated = w->energy - before;
}

// Of moved handles, from `last` to the state's q.
static swReal work_of_handles(const swModel *m, const swState *s, const swReal *last) {
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
                     arm = sw_sub(sw_v3(Q[0], Q[4], Q[8]), handle->center);
        work +=
            sw_dot(force, sw_sub(to, from)) + sw_dot(sw_sub(torque, sw_cross(arm, force)), turn);
    }
    return work;
}

// Of colliders that keys move: their pressure where forces act, at q, over the way of the step.
static swReal work_of_colliders(const swModel *m, swState *s, const swObjective *o,
                                const swReal *q) {
    swReal work = 0;
    for (int64_t c = 0; c < m->size.ncollider; c++) {
        const swColliderInfo *collider = &m->collider[c];
        if (collider->motion != SW_COLLIDER_KEYS)
            continue;
        const swAffine from = sw_collider_pose(m, collider, s->t),
                       at = sw_collider_pose(m, collider, o->t),
                       to = sw_collider_pose(m, collider, sw_state_next_time(s));
        for (int64_t i = 0; i < m->size.ncontact; i++) {
            const swVec3 x = sw_point_position(m, q, m->contact[i].point);
            const swReal force = s->contact_force[i * m->size.ncollider + c];
            swDepth d;
            if (force > 0 && sw_collider_inside(m, collider, &at, x, &d))
                work += force * sw_dot(d.normal, sw_sub(sw_collider_moved(&at, &to, x),
                                                        sw_collider_moved(&at, &from, x)));
        }
    }
    return work;
}

static bool damped(const swModel *m, const swState *s) {
    bool any = s->ball->shape.r > 0;
    for (int64_t i = 0; i < m->size.nbody; i++)
        any = any || m->body[i].damping_mass > 0 || m->body[i].damping_stiffness > 0;
    for (int64_t i = 0; i < m->size.ncollider; i++)
        any = any || m->collider[i].friction > 0;
    return any;
}

// What damping and friction at q do along the step: their gradient is that with less that without.
static swReal work_of_damping(const swModel *m, swState *s, const swObjective *o, const swReal *q) {
    swWork *w = s->work;
    swReal work = 0;
    if (!damped(m, s))
        return 0;
    swObjective alone = *o;
    alone.inertia = 0;
    alone.damping = 0;
    sw_contact_positions(m, s->ball, s->q, w->x_last);
    for (int way = 0; way < 2; way++) {
        sw_objective_evaluate(m, s, &alone, q, true, false, SW_PROJECT_NONE);
        for (int64_t i = 0; i < m->size.nq; i++)
            work += (way == 0 ? 1 : -1) * w->g[i] * (q[i] - s->q[i]);
        alone.q_last = alone.q_before = NULL;
        alone.bulk_before = NULL;
    }
    return work * m->settings.step / o->h; // o->h: the part of the step that leads to q
}

static swReal stored(const swModel *m, swState *s, const swReal *q) {
    swSystem sys = {0};
    const swElasticInput input = {
        .q = q, .activation = s->activation, .plastic = s->plastic, .relax = s->work->relax};
    sw_elastic_add(m, &s->work->elastic, s->pool, &input, &sys, NULL);
    return sys.energy;
}

void sw_balance_flow(const swModel *m, swState *s, const swObjective *o, const swReal *q) {
    swWork *w = s->work;
    memcpy(w->q_start, s->q, (size_t)m->size.nq * sizeof *s->q);
    s->report.work = work_of_colliders(m, s, o, q);
    s->report.dissipated = work_of_damping(m, s, o, q);
    if (m->size.nplastic == 0)
        return;
    const swReal before = stored(m, s, q);
    sw_plastic_update(m, &w->elastic, s->pool, q, w->relax, m->settings.step, s->plastic);
    s->report.dissipated += before - stored(m, s, q);
}

// Fast vibrations may gain energy in large motions, step by step. Where there is too much of it, a
// little stiffness damping takes it from them again, which leaves rigid motion alone, keeps
// momentum and hardly touches what is slow. What is lost for other reasons is not given back.
static void keep_energy(swState *s, swEnergy e, swReal drift) {
    // Of the energy: what is allowed, and what errors that come and go may take; of the step.
    static const swReal allowed = 3e-4, goes = 0.01, most = 0.02;
    swReal *keep = s->keeping;
    keep[SW_KEEP_SCALE] = sw_max(keep[SW_KEEP_SCALE], e.elastic + e.kinetic);
    const swReal unit = allowed * keep[SW_KEEP_SCALE], range = goes * keep[SW_KEEP_SCALE];
    keep[SW_KEEP_SURPLUS] = sw_clamp(keep[SW_KEEP_SURPLUS] + drift, -range, range);
    keep[SW_KEEP_DAMPING] =
        unit > 0 ? most * s->model->settings.step * sw_clamp(keep[SW_KEEP_SURPLUS] / unit - 1, 0, 1)
                 : 0;
}

void sw_balance_end(const swModel *m, swState *s) {
    swWork *w = s->work;
    swStepReport *r = &s->report;
    const swEnergy e = sw_state_energy_with(s, s->activation); // finds the relaxed strains there
    const swReal energy = sum(e);
    sw_amplitudes_keep(s);
    r->work += work_of_handles(m, s, w->q_start);
    r->drift = energy - w->energy - r->work + r->dissipated;
    w->energy = energy;
    w->energy_step = s->step;
    if (sw_integrator_at(m->settings.integrator)->keeps)
        keep_energy(s, e, r->drift);
}
