// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Mass alone: its matrix over the unknowns, and motions under given forces.
#include "kinematics/rigid.h"
#include "solve/work.h"

#include <string.h>

enum { MAX_TURNS = 100 };

void sw_inertia_matrix(const swBodyModel *m, swBodyState *s, const swReal *q, swReal factor) {
    swWork *w = s->work;
    swSystem sys = {.g = w->q_trial, .H = &w->H, .gauss_newton = true};
    swBulkInput bulk = {.q = q, .inertia = factor, .target = w->bulk_at};
    memset(w->q_trial, 0, (size_t)m->size.nq * sizeof *w->q_trial);
    sw_blocks_clear(&w->H);
    w->mass_factor = 0;
    sw_bulk_positions(m, q, w->bulk_at);
    sw_mass_add(m, q, q, factor, &sys);
    sw_bulk_add(m, &w->bulk, &bulk, &sys);
    memset(w->q_trial, 0, (size_t)m->size.nq * sizeof *w->q_trial); // no force, no geometric term
    if (w->folded)
        sw_nodes_fold_hessian(m, q, w->q_trial, &w->H, &w->A);
}

// g := force + inertia M (q - target); of bulk, whose points are no linear function of q, the
// slopes at `at` act on where the points are at q.
static void gradient(const swBodyModel *m, swBodyState *s, const swInertia *in, const swReal *q,
                     swReal *g) {
    swWork *w = s->work;
    swSystem sys = {.g = g};
    swBulkInput bulk = {.q = in->at, .inertia = in->inertia, .target = w->bulk_trial};
    if (in->force)
        memcpy(g, in->force, (size_t)m->size.nq * sizeof *g);
    else
        memset(g, 0, (size_t)m->size.nq * sizeof *g);
    sw_mass_add(m, q, in->target, in->inertia, &sys);
    sw_bulk_positions(m, q, w->bulk_trial);
    for (int64_t i = 0; i < m->size.nbulk_point; i++)
        w->bulk_trial[i] = sw_sub(sw_add(w->bulk_at[i], w->bulk_target[i]), w->bulk_trial[i]);
    sw_bulk_add(m, &w->bulk, &bulk, &sys);
    sw_nodes_release(m, g);
}

// The largest part of the step, over the size of its body.
static swReal step_size(const swBodyModel *m, const swWork *w) {
    swReal size = 0;
    for (int64_t i = 0; i < m->size.nnode; i++)
        for (int k = m->node[i].dof; k < m->node[i].dof + m->node[i].ndof; k++) {
            const swReal part =
                fabs(w->step[k]) * w->length[k] / sw_body_length(&m->body[m->node[i].body]);
            size = part > size || isnan(part) ? part : size;
        }
    return size;
}

const char *sw_inertia_solve(const swBodyModel *m, swBodyState *s, const swInertia *in, swReal *q,
                             swReal *g) {
    swWork *w = s->work;
    const int n = (int)m->size.ndof;
    if (w->folded || w->mass_factor != in->inertia) { // else the mass is constant
        sw_inertia_matrix(m, s, in->at, in->inertia);
        if (!sw_linear_prepare(&w->linear, 0, 0, NULL))
            return "a motion of the frames has no mass";
        w->mass_factor = in->inertia;
    }
    sw_bulk_positions(m, in->at, w->bulk_at);
    swReal last = INFINITY;
    for (int turn = 0; turn < MAX_TURNS; turn++) {
        gradient(m, s, in, q, g);
        sw_nodes_fold_gradient(m, in->at, g, w->residual);
        if (sw_linear_solve(&w->linear, w->residual, w->step, 1e-12) != SW_LINEAR_SOLVED)
            return "a motion of the frames has no mass";
        for (int i = 0; i < n; i++)
            w->step[i] = -w->step[i];
        const swReal size = step_size(m, w);
        if (!isfinite(size))
            return "forces are not finite";
        // Rounding ends what would go on converging.
        if (size <= 1e-14 || (size < 1e-8 && size > 0.5 * last))
            return NULL;
        sw_nodes_move(m, w->step, 1, q);
        last = size;
    }
    return "a rigid frame turns too far in one step";
}
