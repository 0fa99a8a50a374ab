// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Forces and stiffness of a whole body against differences.
#pragma once

#include "test_tools.h"

#include "kinematics/rigid.h"
#include "model/model.h"
#include "solve/work.h"

// Moves all that is free, by lengths of up to `size`.
static inline void shake(const swBodyModel *m, swBodyState *s, swReal size, Random *r) {
    swReal *step = calloc((size_t)m->size.ndof, sizeof *step);
    for (int64_t i = 0; i < m->size.ndof; i++)
        step[i] = random_in(r, -size, size) / s->work->length[i];
    sw_nodes_move(m, step, 1, s->q);
    free(step);
}

// Gradients are about the place where a node is: on one that turns, torques change by half of
// turn x torque beside what the matrix, which is symmetric, says.
static inline void follow_turn(const swReal *turn, const swReal *torque, swReal *change) {
    for (int k = 0; k < 3; k++)
        change[k] += 0.5 * (turn[(k + 1) % 3] * torque[(k + 2) % 3] -
                            turn[(k + 2) % 3] * torque[(k + 1) % 3]);
}

// Energy against gradient, gradient against matrix, along random directions.
static inline void check_derivatives(const swModel *model, swReal shaken, const char *what) {
    Random r = {7};
    swState *world = make_state(model), *other = make_state(model);
    const swBodyModel *m = only_body(model);
    swBodyState *s = only_state(world), *last = only_state(other);
    swWork *w = s->work;
    shake(m, s, shaken, &r);
    shake(m, last, shaken, &r);
    const swObjective o = {.load = 1, .q_last = last->q, .h = 0.01, .damping = 0.02};
    const int64_t n = m->size.ndof, nq = m->size.nq;
    swReal *step = calloc((size_t)n, sizeof *step), *q = calloc((size_t)nq, sizeof *q),
           *product = calloc((size_t)n, sizeof *product), *side = calloc((size_t)n, sizeof *side),
           *g = calloc((size_t)n, sizeof *g);
    for (int turn = 0; turn < 3; turn++) {
        const swReal h = sw_min(1e-6, 0.003 * shaken);
        swReal energy[4], size = 0, off = 0, along = 0;
        for (int64_t i = 0; i < n; i++)
            step[i] = random_in(&r, -1, 1) / w->length[i];
        sw_objective_evaluate(m, s, &o, s->q, true, true, SW_PROJECT_NONE);
        sw_nodes_fold_gradient(m, s->q, w->g, g);
        if (w->folded)
            sw_nodes_fold_hessian(m, s->q, w->g, &w->H, &w->A);
        sw_blocks_multiply(&w->A, step, product);
        for (int64_t i = 0; i < m->size.nnode; i++)
            if (m->node[i].kind == SW_NODE_RIGID && m->node[i].ndof == 6)
                follow_turn(step + m->node[i].dof + 3, g + m->node[i].dof + 3,
                            product + m->node[i].dof + 3);
        for (int at = 0; at < 4; at++) { // half a step first
            memcpy(q, s->q, (size_t)nq * sizeof *q);
            sw_nodes_move(m, step, (at % 2 ? h : -h) * (at < 2 ? 0.5 : 1), q);
            energy[at] = sw_objective_evaluate(m, s, &o, q, true, false, SW_PROJECT_NONE).energy;
            sw_nodes_fold_gradient(m, q, w->g, at % 2 ? w->residual : side);
        }
        // What differences miss falls with the square of the step, which takes it out.
        const swReal slope = (8 * (energy[1] - energy[0]) - (energy[3] - energy[2])) / (6 * h);
        for (int64_t i = 0; i < n; i++) {
            along += g[i] * step[i];
            size = sw_max(size, fabs(product[i]) / w->length[i]);
            off =
                sw_max(off, fabs((w->residual[i] - side[i]) / (2 * h) - product[i]) / w->length[i]);
        }
        if (!(fabs(slope - along) <= 1e-6 * (1 + fabs(along))) || !(off <= 1e-5 * size))
            fail_msg("%s: slope %.12g against %.12g, matrix off by %g of %g", what, slope, along,
                     off, size);
    }
    free(step);
    free(q);
    free(product);
    free(side);
    free(g);
    sw_state_destroy(world);
    sw_state_destroy(other);
}
