// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Implicit Euler with one Newton step and no line search: one linear system per step, as games and
// the first papers on frames do it.
//
// Rigid nodes move on a curved space, so that this needs more care. With J the rates of all points
// for a step d of the unknowns, all at the start q of the search, V the rates that lead from q_n to
// q, g the gradient of the potentials and A their stiffness, d is that of
//   J^T M (V + J d / h - v_n) / h + J^T g + J^T A J d = 0
// and v_n+1 = V + J d / h. Then the energy rises by -d.(J^T A J - K/2) d - |v_n+1 - v_n|_M^2 / 2, K
// being the curvature of the potentials on the way, and none is made where A is positive
// semi-definite and not much softer than K. (q_n+1 - q_n) / h would have the square of the turning
// of light frames, times all the mass they carry, in it.
#include "integrate/integrator.h"
#include "kinematics/rigid.h"

#include <string.h>

static void objective(const swModel *m, swState *s, swObjective *o) {
    sw_euler_objective(m, s, o);
    o->linear = true;
    for (int64_t i = 0; i < m->size.nnode; i++)
        o->definite = o->definite || (m->node[i].kind == SW_NODE_RIGID && m->node[i].ndof > 0);
}

// Inertia pulls to where q + h (v_n - V) is; V, in work->q_end and work->bulk_at.
static void aim(const swModel *m, swState *s, const swObjective *o, const swReal *q) {
    swWork *w = s->work;
    sw_nodes_rates(m, s->q, q, o->h, w->q_end);
    for (int64_t i = 0; i < m->size.nq; i++)
        w->target[i] = q[i] + o->h * (s->v[i] - w->q_end[i]);
    sw_bulk_positions(m, q, w->bulk_target);
    sw_bulk_rates(m, q, w->q_end, w->bulk_at);
    for (int64_t i = 0; i < m->size.nbulk_point; i++)
        w->bulk_target[i] =
            sw_madd(w->bulk_target[i], o->h, sw_sub(s->bulk_velocity[i], w->bulk_at[i]));
}

// Integral of rho x over a body for places q and x of bulk points, or of rho v for their rates.
static swVec3 moment(const swModel *m, int body, const swReal *q, const swVec3 *x) {
    const swBodyInfo *b = &m->body[body];
    swVec3 sum = {0, 0, 0};
    for (int i = 0; i < m->size.nbulk; i++)
        for (int k = 0; m->bulk[i].body == body && k < m->bulk[i].nblock * SW_LANES; k++)
            sum = sw_madd(sum, sw_bulk_mass(m, i, k), x[m->bulk[i].point + k]);
    for (int n = b->node; n < b->node + b->nnode; n++) {
        const swNode *node = &m->node[n];
        for (int c = 0; c < node->width && !sw_node_is_dual(node); c++) {
            const swReal *at = q + node->q + c;
            sum = sw_madd(sum, m->weight_load[node->q / 3 + c],
                          sw_v3(at[0], at[node->width], at[2 * node->width]));
        }
    }
    return sum;
}

// Turned frames leave a body's centre off the way of its momentum, by the square of their turning.
// Where nothing holds the body it is put there.
static void place_centers(const swModel *m, swState *s, const swObjective *o, swReal *q) {
    swWork *w = s->work;
    sw_bulk_positions(m, q, w->bulk_trial);
    for (int i = 0; i < m->size.nbody; i++) {
        const swBodyInfo *b = &m->body[i];
        if (!sw_body_is_free(m, b))
            continue;
        const swVec3 to = sw_madd(moment(m, i, s->q, w->bulk_last), o->h,
                                  moment(m, i, w->q_end, w->bulk_at)),
                     shift = sw_scale(1 / b->mass, sw_sub(to, moment(m, i, q, w->bulk_trial)));
        for (int n = b->node; n < b->node + b->nnode - b->ninserted; n++)
            for (int k = 0; k < 3; k++)
                q[m->node[n].q + k * m->node[n].width] += sw_get(shift, k);
    }
    sw_nodes_follow(m, q);
}

static swStatus solve(const swModel *m, swState *s, const swObjective *o, swReal *q) {
    swWork *w = s->work;
    aim(m, s, o, q);
    memcpy(w->q_start, q, (size_t)m->size.nq * sizeof *q);
    const swStatus status = sw_newton_once(m, s, o, q);
    if (status != SW_OK)
        return status;
    sw_nodes_add_rates(m, w->q_start, w->step, 1 / o->h, w->q_end);
    sw_bulk_rates(m, w->q_start, w->q_end, w->bulk_at);
    if (o->definite)
        place_centers(m, s, o, q);
    return SW_OK;
}

static void finish(const swModel *m, swState *s, const swObjective *o, const swReal *q) {
    const swWork *w = s->work;
    (void)o;
    memcpy(s->v, w->q_end, (size_t)m->size.nq * sizeof *q);
    memcpy(s->bulk_velocity, w->bulk_at, (size_t)m->size.nbulk_point * sizeof *w->bulk_at);
    memcpy(s->q, q, (size_t)m->size.nq * sizeof *q);
}

const swIntegrator sw_integrator_linear_implicit = {
    .name = "linear-implicit",
    .doc = "implicit Euler with one linear solve per step: a known cost, whatever the residual",
    .objective = objective,
    .solve = solve,
    .finish = finish,
};
