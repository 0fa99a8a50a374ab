// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Inserted frames leave: what they moved goes to the other frames, as far as these can.
#include "integrate/integrator.h"
#include "kinematics/rigid.h"
#include "world/inserts.h"

#include <string.h>

enum { MAX_ROUNDS = 10 }; // of giving way

// out := M_rn B_n, over the nodes of the state's model, for the numbers of node n in `q`.
static void mass_of_node(const swBodyModel *m, int n, const swReal *q, swReal *out) {
    memset(out, 0, (size_t)m->size.nq * sizeof *out);
    const swReal *B = q + m->node[n].q;
    for (int64_t p = 0; p < m->size.npair; p++) {
        const swNodePair *pair = &m->pair[p];
        if ((pair->i != n) == (pair->j != n) || pair->mass < 0)
            continue;
        const bool first = pair->i == n;
        const swNode *other = &m->node[first ? pair->j : pair->i];
        const int d = other->width;
        for (int a = 0; a < 4; a++)
            for (int c = 0; c < d; c++) {
                const swReal M = m->mass[pair->mass + (first ? a * d + c : c * 4 + a)];
                for (int r = 0; r < 3; r++)
                    out[other->q + r * d + c] += M * B[4 * r + a];
            }
    }
}

bool sw_body_add_momentum(swBodyState *s, const swReal *momentum) {
    const swBodyModel *m = s->model;
    swWork *w = s->work;
    sw_inertia_matrix(m, s, s->q, 1);
    sw_nodes_fold_gradient(m, s->q, momentum, w->residual);
    if (!sw_linear_prepare(&w->linear, 0, 0, NULL) ||
        sw_linear_solve(&w->linear, w->residual, w->step, 1e-12) != SW_LINEAR_SOLVED)
        return false;
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *n = &m->node[i];
        const swReal *step = w->step + n->dof, *A = s->q + n->q;
        swReal *v = s->v + n->q;
        if (n->ndof == 0 || sw_node_is_dual(n))
            continue;
        for (int k = 0; n->kind != SW_NODE_RIGID && k < n->ndof; k++)
            v[k] += step[k];
        for (int c = 0; n->kind == SW_NODE_RIGID && c < 4; c++) {
            const swVec3 column = {A[c], A[4 + c], A[8 + c]}, turn = {step[3], step[4], step[5]};
            const swVec3 d = c == 0 ? sw_v3(step[0], step[1], step[2]) : sw_cross(turn, column);
            for (int r = 0; r < 3; r++)
                v[4 * r + c] += sw_get(d, r);
        }
    }
    return true;
}

// Positions and velocities of the next state take over what the node moved.
static bool project(swRefit *r, swBodyState *s, int node, swError *error) {
    swBodyState *next = &r->next;
    const size_t nq = (size_t)next->model->size.nq;
    swArena arena;
    sw_arena_init(&arena, &s->config.allocator);
    swReal *from = SW_NEW(&arena, s->model->size.nq, swReal, error),
           *momentum = SW_NEW(&arena, nq, swReal, error), *q = SW_NEW(&arena, nq, swReal, error),
           *g = SW_NEW(&arena, nq, swReal, error);
    bool ok = from && momentum && q && g;
    if (ok) {
        mass_of_node(s->model, node, s->q, from);
        sw_refit_carry(r, s, from, momentum);
        for (size_t i = 0; i < nq; i++)
            momentum[i] = -momentum[i];
        memcpy(q, next->q, nq * sizeof *q);
        sw_bulk_positions(next->model, q, next->work->bulk_target); // of other bodies: they stay
        const swInertia in = {.inertia = 1, .at = next->q, .target = next->q, .force = momentum};
        const char *reason = sw_inertia_solve(next->model, next, &in, q, g);
        if (!reason) {
            sw_nodes_make_rigid(next->model, q);
            memcpy(next->q, q, nq * sizeof *q);
        }
        mass_of_node(s->model, node, s->v, from);
        memset(momentum, 0, nq * sizeof *momentum);
        sw_refit_carry(r, s, from, momentum);
        if (reason || !sw_body_add_momentum(next, momentum))
            ok = sw_fail(error, SW_ERROR_NOT_CONVERGED, "%s",
                         reason ? reason : "a motion of the frames has no mass");
    }
    sw_arena_free(&arena);
    return ok;
}

// ---- energy ----

swReal sw_body_calm(swBodyState *s, swReal energy) {
    const swBodyModel *m = s->model;
    const swReal before = sw_mass_energy(m, s->v);
    const swRigidMotion motion = sw_rigid_motion_of(m, s);
    const swBodyInfo *b = &m->body[0];
    swReal *v = s->work->q_trial, *rigid = s->work->q_start; // free between steps
    memcpy(rigid, s->v, (size_t)m->size.nq * sizeof *rigid);
    for (int n = b->node; n < b->node + b->nnode; n++)
        sw_node_set_rate(m, s->q, n, &motion, rigid);
    const swReal own = before - sw_mass_energy(m, rigid);
    if (!(own > 0))
        return energy;
    const swReal share = energy < own ? sqrt(1 - energy / own) : 0;
    memcpy(v, s->v, (size_t)m->size.nq * sizeof *v);
    for (int64_t i = 0; i < m->size.nq; i++)
        s->v[i] = rigid[i] + share * (v[i] - rigid[i]);
    return energy < own ? 0 : energy - own;
}

void sw_body_give_way(swBodyState *s, swReal most) {
    const swBodyModel *m = s->model;
    swWork *w = s->work;
    const size_t bytes = (size_t)m->size.nq * sizeof *s->q;
    const swStepReport report = s->report;
    swReal inertia = 1 / (s->h * s->h);
    for (int round = 0; round < MAX_ROUNDS; round++, inertia /= 16) {
        const swReal energy = sw_body_total(s);
        if (energy <= most)
            break;
        memcpy(w->target, s->q, bytes);
        memcpy(w->q_new, s->q, bytes);
        sw_bulk_positions(m, s->q, w->bulk_target);
        const swObjective o = {.inertia = inertia,
                               .target = w->target,
                               .load = 1,
                               .t = s->t,
                               .tolerance = m->settings->tolerance};
        sw_amplitudes_recall(s);
        if (sw_newton(m, s, &o, w->q_new) != SW_OK)
            break;
        sw_nodes_make_rigid(m, w->q_new);
        memcpy(w->target, s->q, bytes);
        memcpy(s->q, w->q_new, bytes);
        if (!(sw_body_total(s) <= energy)) {
            memcpy(s->q, w->target, bytes);
            break;
        }
        sw_amplitudes_keep(s);
    }
    s->report = report;
}

// What rounding may make of the energy of a body.
static swReal rounding(const swBodyState *s) {
    const swEnergy e = sw_body_energy(s);
    const swReal young = s->work->balance[0].young;
    return 1e-12 *
               (fabs(e.elastic) + e.kinetic + fabs(e.potential) + e.contact + e.pull + e.muscle) +
           1e-24 * young * s->model->body[0].volume;
}

bool sw_body_remove(swBodyState *s, int slot, swInsertReport *report, swError *error) {
    sw_body_enter(s);
    swInsertInfo list[SW_INSERTS];
    swRefit r;
    const int node = sw_insert_node(s, slot);
    const swInsertReport about = {
        .frame = node, .rest = s->insert[slot].rest, .points = s->inserts->bump[slot]->npoints};
    const swReal before = sw_body_total(s);
    memcpy(list, s->insert, sizeof list);
    list[slot] = (swInsertInfo){0};
    if (!sw_refit_begin(&r, s, list, error))
        return false;
    if (!project(&r, s, node, error)) {
        sw_refit_abandon(&r, s);
        return false;
    }
    swBodyState *next = &r.next;
    swReal after = sw_body_total(next);
    if (isfinite(after) && after > before + rounding(s)) {
        if (sw_body_calm(next, after - before) > 0)
            sw_body_give_way(next, before);
        after = sw_body_total(next);
    }
    if (!isfinite(after)) {
        sw_refit_abandon(&r, s);
        return sw_fail(error, SW_ERROR_NOT_CONVERGED,
                       "without it the other frames would turn the material inside out");
    }
    sw_amplitudes_keep(next);
    if (sw_integrator_at(s->base->settings->integrator)->past)
        next->remembered[0] = 0; // what was before moved otherwise
    next->energy = NAN;
    sw_refit_commit(&r, s);
    if (report) {
        *report = about;
        report->energy_jump = after - before;
    }
    return true;
}
