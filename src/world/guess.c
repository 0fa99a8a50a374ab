// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Where to begin the search for the next positions.
#include "kinematics/handles.h"
#include "kinematics/rigid.h"
#include "world/body.h"

#include <string.h>

static const swReal smallest_part = 1.0 / 1024; // of the way of handles in a step

static swVec3 column_of(const swReal *A, int width, int c) {
    return sw_v3(A[c], A[width + c], A[2 * width + c]);
}

// S^-1 b for a symmetric S that may be singular: no turning about an axis without inertia.
static swVec3 solve_symmetric(swMat3 S, swVec3 b) {
    swMat3 V;
    swVec3 w, x = {0, 0, 0};
    sw_mat_eigen(S, &w, &V);
    for (int k = 0; k < 3; k++) {
        const swVec3 e = {V.m[k], V.m[3 + k], V.m[6 + k]};
        if (sw_get(w, k) > 1e-9 * w.z)
            x = sw_madd(x, sw_dot(e, b) / sw_get(w, k), e);
    }
    return x;
}

// Its bulk points must be in work->bulk_last.
swRigidMotion sw_rigid_motion_of(const swBodyModel *m, const swBodyState *s) {
    swRigidMotion r = {0};
    swVec3 first = {0, 0, 0}, momentum = {0, 0, 0}, angular = {0, 0, 0};
    swMat3 second = {{0}};
    // dual quaternions: mass sits on points
    for (int b = 0; b < m->size.nbulk; b++)
        for (int k = 0; k < m->bulk[b].nblock * SW_LANES; k++) {
            const swReal mass = sw_bulk_mass(m, b, k);
            const swVec3 x = s->work->bulk_last[m->bulk[b].point + k],
                         v = s->bulk_velocity[m->bulk[b].point + k];
            first = sw_madd(first, mass, x);
            momentum = sw_madd(momentum, mass, v);
            angular = sw_madd(angular, mass, sw_cross(x, v));
            for (int a = 0; a < 9; a++)
                second.m[a] += mass * sw_get(x, a / 3) * sw_get(x, a % 3);
        }
    for (int64_t p = 0; p < m->size.npair; p++) {
        const swNodePair *pair = &m->pair[p];
        const swNode *ni = &m->node[pair->i], *nj = &m->node[pair->j];
        for (int k = 0; pair->mass >= 0 && k < ni->width * nj->width; k++) {
            const swReal mass = m->mass[pair->mass + k] * (ni == nj ? 0.5 : 1); // both orders below
            const swVec3 xi = column_of(s->q + ni->q, ni->width, k / nj->width),
                         vi = column_of(s->v + ni->q, ni->width, k / nj->width),
                         xj = column_of(s->q + nj->q, nj->width, k % nj->width),
                         vj = column_of(s->v + nj->q, nj->width, k % nj->width);
            angular = sw_madd(angular, mass, sw_add(sw_cross(xi, vj), sw_cross(xj, vi)));
            for (int a = 0; a < 9; a++)
                second.m[a] += mass * (sw_get(xi, a / 3) * sw_get(xj, a % 3) +
                                       sw_get(xj, a / 3) * sw_get(xi, a % 3));
        }
    }
    for (int n = 0; n < m->size.nnode; n++)
        for (int c = 0; c < m->node[n].width && !sw_node_is_dual(&m->node[n]); c++) {
            const swNode *node = &m->node[n];
            const swReal weight = m->weight_load[node->q / 3 + c];
            first = sw_madd(first, weight, column_of(s->q + node->q, node->width, c));
            momentum = sw_madd(momentum, weight, column_of(s->v + node->q, node->width, c));
        }
    r.mass = m->body[0].mass;
    r.center = sw_scale(1 / r.mass, first);
    r.velocity = sw_scale(1 / r.mass, momentum);
    swMat3 inertia; // tr(S) I - S about the centre
    for (int a = 0; a < 9; a++)
        second.m[a] -= r.mass * sw_get(r.center, a / 3) * sw_get(r.center, a % 3);
    for (int a = 0; a < 9; a++)
        inertia.m[a] = (a % 4 == 0 ? second.m[0] + second.m[4] + second.m[8] : 0) - second.m[a];
    r.spin = solve_symmetric(inertia, sw_sub(angular, sw_cross(r.center, momentum)));
    return r;
}

void sw_node_set_rate(const swBodyModel *m, const swReal *q, int node, const swRigidMotion *r,
                      swReal *v) {
    const swNode *n = &m->node[node];
    const bool inserted = sw_node_is_inserted(m, node);
    for (int c = 0; c < n->width; c++) {
        const swVec3 x = column_of(q + n->q, n->width, c);
        const bool place = c == 0 && !inserted;
        const swVec3 rate = place ? sw_add(r->velocity, sw_cross(r->spin, sw_sub(x, r->center)))
                                  : sw_cross(r->spin, x);
        for (int k = 0; k < 3; k++)
            v[n->q + k * n->width + c] = sw_get(rate, k);
    }
}

// Free nodes as a rigid motion takes them from where they are in the state.
static void carry(const swBodyModel *m, const swBodyState *s, swMat3 R, swVec3 from, swVec3 to,
                  swReal *q) {
    for (int n = 0; n < m->size.nnode; n++) {
        const swNode *node = &m->node[n];
        const bool inserted = sw_node_is_inserted(m, n);
        for (int c = 0; node->ndof && !sw_node_is_modes(node) && c < node->width; c++) {
            const bool place = c == 0 && !inserted;
            swVec3 x = column_of(s->q + node->q, node->width, c);
            if (place)
                x = sw_sub(x, from);
            x = sw_mul(R, x);
            if (place)
                x = sw_add(x, to);
            for (int k = 0; k < 3; k++)
                q[node->q + k * node->width + c] = sw_get(x, k);
        }
    }
}

// Free nodes go on as if the body were rigid.
static void move_rigidly(const swBodyModel *m, const swBodyState *s, swReal h, swReal *q) {
    const swRigidMotion r = sw_rigid_motion_of(m, s);
    carry(m, s, sw_mat_rotation(sw_scale(h, r.spin)), r.center, sw_madd(r.center, h, r.velocity),
          q);
}

bool sw_body_leap(const swBodyModel *m, const swBodyState *s, swReal least, swReal *q) {
    static const swReal turn_is = 0.2; // of the size, a radian
    const swReal L = sw_body_length(&m->body[0]);
    swReal farthest = least;
    const swNode *with = NULL;
    for (int i = 0; i < m->size.nhandle; i++) {
        const swNode *node = &m->node[m->handle[i].node];
        if (!sw_handle_is_moved(s, i))
            continue;
        const swVec3 way = sw_sub(column_of(q + node->q, 4, 0), column_of(s->q + node->q, 4, 0));
        const swReal turn = sw_norm(sw_rigid_turn(s->q + node->q, q + node->q)),
                     far = sw_norm(way) / L + turn_is * turn;
        if (far > farthest) {
            farthest = far;
            with = node;
        }
    }
    if (with)
        carry(m, s, sw_mat_rotation(sw_rigid_turn(s->q + with->q, q + with->q)),
              column_of(s->q + with->q, 4, 0), column_of(q + with->q, 4, 0), q);
    return with != NULL;
}

// Leads the handles that are moved to their places in parts, and lets everything else follow each
// part by a few iterations. From where the step began: there every sample has volume.
static void walk(const swBodyModel *m, swBodyState *s, const swObjective *o, swReal *q) {
    swWork *w = s->work;
    const size_t bytes = (size_t)m->size.nq * sizeof *q;
    swObjective part = *o;
    part.linear = part.definite = false;
    part.tolerance = 1e-2;
    part.iterations = 4;
    swReal share = 0, size = 0.5;
    memcpy(q, s->q, bytes);
    while (share < 1 && size > smallest_part) {
        const swReal to = sw_min(1, share + size);
        memcpy(w->q_start, q, bytes);
        sw_handles_step(m, s, s->t + to * (o->t - s->t), w->q_start);
        if (!sw_objective_finite(m, s, o, w->q_start)) {
            size *= 0.5;
            continue;
        }
        memcpy(q, w->q_start, bytes);
        share = to;
        if (share < 1)
            sw_newton(m, s, &part, q);
    }
    sw_handles_step(m, s, o->t, q); // though no part is small enough
}

void sw_body_keep_lead(const swBodyModel *m, swBodyState *s, const swObjective *o,
                       const swReal *q) {
    for (int64_t i = 0; s->work->warped.possible && i < m->size.nq; i++)
        s->lead[i] = q[i] - o->target[i];
}

void sw_body_guess(const swBodyModel *m, swBodyState *s, const swObjective *o, swReal *q) {
    swWork *w = s->work;
    const size_t bytes = (size_t)m->size.nq * sizeof *q;
    swObjective estimate = *o;
    estimate.frozen = true;
    if (w->warped.possible) { // one solve leads to the end from anywhere
        for (int64_t i = 0; i < m->size.nq; i++)
            q[i] = o->target[i] + s->lead[i];
        sw_handles_step(m, s, o->t, q);
        return;
    }
    memcpy(q, s->q, bytes); // stay
    sw_handles_step(m, s, o->t, q);
    if (o->linear) {
        if (sw_body_is_free(m))
            move_rigidly(m, s, o->h, q);
        sw_nodes_make_rigid(m, q);
        if (!sw_objective_finite(m, s, &estimate, q))
            walk(m, s, o, q);
        return;
    }
    swReal best = sw_objective_evaluate(m, s, &estimate, q, false, false, SW_PROJECT_NONE).energy;
    for (int way = 0; way < 3; way++) {
        memcpy(w->q_trial, q, bytes);
        sw_handles_step(m, s, o->t, w->q_trial);
        if (way == 2 && !sw_body_leap(m, s, 0.1, w->q_trial))
            break;
        if (way == 0)
            move_rigidly(m, s, o->h, w->q_trial);
        for (int64_t i = 0; way == 1 && i < m->size.nnode; i++) // every number goes on by itself
            if (m->node[i].ndof)
                memcpy(w->q_trial + m->node[i].q, o->target + m->node[i].q,
                       (size_t)sw_node_size(&m->node[i]) * sizeof *q);
        sw_nodes_make_rigid(m, w->q_trial);
        const swReal energy =
            sw_objective_evaluate(m, s, &estimate, w->q_trial, false, false, SW_PROJECT_NONE)
                .energy;
        if (isfinite(energy) && !(best <= energy)) {
            best = energy;
            memcpy(q, w->q_trial, bytes);
        }
    }
    if (!isfinite(best))
        walk(m, s, o, q);
}
