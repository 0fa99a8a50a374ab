// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The longest step that an explicit integrator may take, from the fastest vibration at the start.
#include "kinematics/rigid.h"
#include "world/world.h"

#include <float.h>
#include <string.h>

enum { MAX_POWERS = 400 };

// Central differences whose damping sees the velocity of half a step before: 2/w (sqrt(1 + z^2) -
// z) for a share z of critical damping, written so that z may be large.
static swReal limit(const swBodyInfo *body, swReal w2) {
    const swReal w = sqrt(w2), zeta = 0.5 * (body->damping_mass / w + body->damping_stiffness * w);
    return 2 / (w * (sqrt(1 + zeta * zeta) + zeta));
}

// Powers of M^-1 K: x^T K x / x^T M x grows to the largest eigenvalue.
static swReal fastest(const swBodyModel *m, swBodyState *s, const swBlocks *K, swReal *x,
                      swReal *y) {
    swWork *w = s->work;
    const int n = (int)m->size.ndof;
    swReal last = INFINITY;
    for (int i = 0; i < n; i++) // anything but smooth
        x[i] = (1 + (swReal)((unsigned)i * 2654435761u % 1024) / 1024) * (i % 2 ? 1 : -1) /
               w->length[i];
    for (int power = 0; power < MAX_POWERS; power++) {
        swReal h = INFINITY;
        sw_blocks_multiply(K, x, y);
        if (sw_linear_solve(&w->linear, y, w->step, 1e-12) != SW_LINEAR_SOLVED)
            return 0;
        // of z = M^-1 K x: z^T M z / x^T M z
        const swReal top = sw_dot_n(n, w->step, y), bottom = sw_dot_n(n, x, y);
        const bool moves = bottom > 0 && top > 0 && isfinite(top);
        if (moves)
            h = limit(&m->body[0], top / bottom);
        for (int i = 0; i < n; i++)
            x[i] = w->step[i] / (moves ? sqrt(top) : 1);
        if (fabs(last - h) <= 1e-6 * h || n == 0)
            return h;
        last = h;
    }
    return last;
}

// Of one body at the start; negative without memory.
static swReal stable_step(swBodyState *s, swError *error) {
    const swBodyModel *m = s->model;
    swWork *w = s->work;
    const size_t n = (size_t)m->size.ndof;
    swArena arena;
    sw_arena_init(&arena, &m->config.allocator);
    swBlocks K = w->A;
    K.value = SW_NEW(&arena, K.count, swReal, error);
    swReal *x = SW_NEW(&arena, n, swReal, error), *y = SW_NEW(&arena, n, swReal, error), h = -1;
    if (K.value && x && y) {
        const swObjective here = {.load = 0};
        sw_particles_turn(m, &s->work->elastic.particles, s->pool, s->q);
        sw_objective_evaluate(m, s, &here, s->q, true, true, SW_PROJECT_CLAMP);
        if (w->folded)
            sw_nodes_fold_hessian(m, s->q, w->g, &w->H, &w->A);
        memcpy(K.value, w->A.value, (size_t)K.count * sizeof *K.value);
        sw_inertia_matrix(m, s, s->q, 1);
        if (sw_linear_prepare(&w->linear, 0, 0, NULL))
            h = fastest(m, s, &K, x, y);
        else
            h = 0; // motions without mass
    }
    sw_arena_free(&arena);
    return h;
}

swReal sw_stable_step(const swModel *m, swError *error) {
    swState *s = sw_state_create(m, error);
    swReal least = s ? INFINITY : -1;
    for (int64_t i = 0; i < m->size.nbody && least >= 0; i++)
        least = sw_min(least, stable_step(s->body[i], error));
    sw_state_destroy(s);
    return least;
}
