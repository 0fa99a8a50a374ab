// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Implicit Euler with forces that are linear in the step: one linear system and no search, as in
// games and in the first papers on frames.
//
// Forces are linearised about a position q. Free bodies go there from q_n as rigid bodies, so that
// rotation causes no strain and contact is anticipated; others stay (world/guess.c). With V the
// rates that lead there, J the effect of a step d of the unknowns on all points at q, and g and A
// the gradient and stiffness of the potentials there,
//   J^T (M (V + J d / h - v_n) / h + g + A J d) = 0,   v_n+1 = V + J d / h,   q_n+1 = q moved by d.
// Relative to V the energy then changes by -d.(J^T A J - K / 2) d - |v_n+1 - v_n|_M^2 / 2, where K
// is the mean curvature of the potentials along the way: no energy is created if A is positive
// semi-definite and at least half of K. The first Newton step on what implicit Euler minimises does
// not have this property:
//   - Where nodes are rigid, inertia has a curvature of its own, M (q - q_n - h v_n) / h^2 times
//     the second derivative of the positions of points. It is indefinite, and larger for smaller h.
//   - The tangent, plain or with just enough added to its diagonal, may be close to singular.
//   - (q_n+1 - q_n) / h differs from the velocity that was solved for by the square of the
//     rotation; where light frames rotate fast, this moves the whole mass of a body.
#include "integrate/integrator.h"
#include "kinematics/rigid.h"

#include <string.h>

static void objective(const swBodyModel *m, swBodyState *s, swObjective *o) {
    sw_euler_objective(m, s, o);
    o->linear = true;
    for (int64_t i = 0; i < m->size.nnode; i++)
        o->definite = o->definite || (m->node[i].kind == SW_NODE_RIGID && m->node[i].ndof > 0);
}

// Sets the target such that M (V - v_n) / h is the force of inertia at q. Puts V into work->q_end,
// and that of points into work->bulk_at.
static void aim(const swBodyModel *m, swBodyState *s, const swObjective *o, const swReal *q) {
    swWork *w = s->work;
    sw_nodes_rates(m, s->q, q, o->h, w->q_end);
    for (int64_t i = 0; i < m->size.nq; i++)
        w->target[i] = q[i] + o->h * (s->v[i] - w->q_end[i]);
    sw_bulk_positions(m, q, w->bulk_target);
    sw_bulk_rates(m, q, w->q_end, w->bulk_at);
    for (int64_t i = 0; i < m->size.nbulk_point; i++)
        w->bulk_target[i] =
            sw_madd(w->bulk_target[i], o->h, sw_sub(s->bulk_velocity[i], w->bulk_at[i]));
    memcpy(w->q_start, q, (size_t)m->size.nq * sizeof *q);
}

// The integral of rho x over the body for positions q and x of bulk points, or of rho v for their
// rates.
static swVec3 moment(const swBodyModel *m, const swReal *q, const swVec3 *x) {
    swVec3 sum = {0, 0, 0};
    for (int i = 0; i < m->size.nbulk; i++)
        for (int k = 0; k < m->bulk[i].nblock * SW_LANES; k++)
            sum = sw_madd(sum, sw_bulk_mass(m, i, k), x[m->bulk[i].point + k]);
    for (int n = 0; n < m->size.nnode; n++) {
        const swNode *node = &m->node[n];
        for (int c = 0; c < node->width && !sw_node_is_dual(node); c++) {
            const swReal *at = q + node->q + c;
            sum = sw_madd(sum, m->weight_load[node->q / 3 + c],
                          sw_v3(at[0], at[node->width], at[2 * node->width]));
        }
    }
    return sum;
}

// Moves a free body so that its centre is where its momentum takes it. Frames that have rotated
// leave the centre off that point by the square of their rotation.
static void place_center(const swBodyModel *m, swBodyState *s, const swObjective *o, swReal *q) {
    swWork *w = s->work;
    if (!sw_body_is_free(m))
        return;
    sw_bulk_positions(m, q, w->bulk_trial);
    const swVec3 to = sw_madd(moment(m, s->q, w->bulk_last), o->h, moment(m, w->q_end, w->bulk_at)),
                 shift = sw_scale(1 / m->body[0].mass, sw_sub(to, moment(m, q, w->bulk_trial)));
    for (int n = 0; n < sw_body_frames(m) - m->body[0].ninserted; n++)
        for (int k = 0; k < 3; k++)
            q[m->node[n].q + k * m->node[n].width] += sw_get(shift, k);
    sw_nodes_follow(m, q);
}

static swStatus arrive(const swBodyModel *m, swBodyState *s, const swObjective *o, swReal *q) {
    swWork *w = s->work;
    sw_nodes_add_rates(m, w->q_start, w->step, 1 / o->h, w->q_end);
    sw_bulk_rates(m, w->q_start, w->q_end, w->bulk_at);
    if (o->definite)
        place_center(m, s, o, q);
    return SW_OK;
}

static void finish(const swBodyModel *m, swBodyState *s, const swObjective *o, const swReal *q) {
    const swWork *w = s->work;
    (void)o;
    memcpy(s->v, w->q_end, (size_t)m->size.nq * sizeof *q);
    memcpy(s->bulk_velocity, w->bulk_at, (size_t)m->size.nbulk_point * sizeof *w->bulk_at);
    memcpy(s->q, q, (size_t)m->size.nq * sizeof *q);
}

const swIntegrator sw_integrator_linear_implicit = {
    .name = "linear-implicit",
    .doc = "implicit Euler with one linear solve per step: a known cost, whatever the residual is",
    .instead = &sw_integrator_implicit_euler,
    .objective = objective,
    .aim = aim,
    .search = sw_island_newton_once,
    .arrive = arrive,
    .finish = finish,
};
