// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Keller's pseudo-arclength: from a point of the path a length along its tangent, then Newton's
// method on the plane across,
//   | K    r' | | dq |     | r               |
//   | t^T  t' | | dl | = - | t . total - length |
// K is the plain tangent, whatever its sign: at a limit point it is singular, but the matrix is
// not. Displacements count as those of the first tangent do, per load.
#include "world/arc_length.h"

#include "kinematics/rigid.h"
#include "math/lu.h"

#include <string.h>

enum { MAX_ITERATIONS = 16, FEW = 4, MANY = 8 };
static const swReal probe = 1e-5;          // of the load, for slopes
static const swReal farthest = 0.1;        // a frame moves in a step, over half the body's diagonal
static const swReal straightest = 0.6;     // cosine of two tangents, at least
static const swReal shortest = 1.0 / 4096; // of what the first step is

static int order(const swArc *arc) { return (int)arc->model->size.ndof; }

static swObjective at_load(const swArc *arc, swReal load) {
    return (swObjective){.load = load,
                         .t = sw_clamp(load, 0, 1) * arc->state->world->keys_end,
                         .tolerance = arc->model->settings->tolerance,
                         .activation = arc->state->work->activation};
}

// The gradient at q under a load, handles and activations where they belong.
static bool evaluate(swArc *arc, swReal load, swReal *q, bool hessian) {
    const swBodyModel *m = arc->model;
    const swObjective o = at_load(arc, load);
    sw_statics_place(m, arc->state, load, q);
    return isfinite(sw_objective_evaluate(m, arc->state, &o, q, true, hessian, SW_PROJECT_NONE)
                        .energy) &&
           !sw_pool_stopped(arc->state->pool);
}

// slope := r' at q; then work->g and work->A at q.
static bool linearise(swArc *arc, swReal load, swReal *q) {
    const swBodyModel *m = arc->model;
    swWork *w = arc->state->work;
    const int n = order(arc);
    memcpy(w->q_end, q, (size_t)m->size.nq * sizeof *q);
    if (!evaluate(arc, load + probe, w->q_end, false))
        return false;
    sw_nodes_fold_gradient(m, w->q_end, w->g, arc->slope);
    if (!evaluate(arc, load, q, true))
        return false;
    sw_nodes_fold_gradient(m, q, w->g, w->residual);
    if (w->folded)
        sw_nodes_fold_hessian(m, q, w->g, &w->H, &w->A);
    for (int i = 0; i < n; i++)
        arc->slope[i] = (arc->slope[i] - w->residual[i]) / probe;
    return true;
}

// arc->step := what solves the system above with `border` as its last row, for the right-hand side
// that stands in arc->step.
static bool solve(swArc *arc, const swReal *border) {
    const swWork *w = arc->state->work;
    const int n = order(arc);
    sw_blocks_unpack(&w->A, arc->matrix, n + 1);
    for (int i = 0; i < n; i++)
        arc->matrix[(ptrdiff_t)i * (n + 1) + n] = arc->slope[i];
    for (int i = 0; i <= n; i++)
        arc->matrix[(ptrdiff_t)n * (n + 1) + i] =
            border[i] * (border == arc->tangent ? arc->metric[i] : 1);
    return sw_lu_solve(n + 1, arc->matrix, arc->step, arc->state->pool);
}

static swReal dot(const swArc *arc, const swReal *x, const swReal *y) {
    swReal sum = 0;
    for (int i = 0; i <= order(arc); i++)
        sum += arc->metric[i] * x[i] * y[i];
    return sum;
}

// How far a step moves frames at most, over half the diagonal of their body.
static swReal reach(const swArc *arc, const swReal *step) {
    const swBodyModel *m = arc->model;
    swReal largest = 0;
    for (int64_t i = 0; i < m->size.nnode; i++)
        for (int k = m->node[i].dof; k < m->node[i].dof + m->node[i].ndof; k++)
            largest = sw_max(largest, fabs(step[k]) * arc->state->work->length[k] /
                                          sw_body_length(&m->body[m->node[i].body]));
    return largest;
}

// Not longer than a load increment, nor than frames may move.
static void limit(swArc *arc) {
    const int n = order(arc);
    const swReal moved = reach(arc, arc->tangent), loaded = fabs(arc->tangent[n]);
    arc->length = sw_min(arc->length, moved > 0 ? farthest / moved : INFINITY);
    arc->length = sw_min(arc->length, loaded > 0 ? arc->size / loaded : INFINITY);
}

bool sw_arc_start(swArc *arc, const swBodyModel *m, swBodyState *s, swReal load, swReal size) {
    const size_t n = (size_t)m->size.ndof;
    *arc = (swArc){.model = m, .state = s, .load = load, .size = size};
    sw_arena_init(&arc->arena, &m->config.allocator);
    bool ok = (arc->tangent = SW_NEW(&arc->arena, n + 1, swReal, NULL)) &&
              (arc->metric = SW_NEW(&arc->arena, n + 1, swReal, NULL)) &&
              (arc->matrix = SW_NEW(&arc->arena, (n + 1) * (n + 1), swReal, NULL)) &&
              (arc->slope = SW_NEW(&arc->arena, n, swReal, NULL)) &&
              (arc->step = SW_NEW(&arc->arena, n + 1, swReal, NULL)) &&
              (arc->total = SW_NEW(&arc->arena, n + 1, swReal, NULL));
    if (!ok)
        return false;
    memcpy(s->work->q_new, s->q, (size_t)m->size.nq * sizeof *s->q);
    sw_amplitudes_recall(s);
    arc->total[n] = arc->step[n] = 1; // towards more load
    if (!linearise(arc, load, s->work->q_new) || !solve(arc, arc->total))
        return false;
    swReal moved = 0;
    for (size_t i = 0; i < n; i++) {
        const swReal part = s->work->length[i] * arc->step[i];
        moved += part * part;
    }
    for (size_t i = 0; i < n; i++)
        arc->metric[i] = s->work->length[i] * s->work->length[i] / (moved > 0 ? moved : 1);
    arc->metric[n] = 1;
    const swReal norm = sqrt(dot(arc, arc->step, arc->step));
    for (size_t i = 0; i <= n; i++)
        arc->tangent[i] = arc->step[i] / norm;
    arc->length = INFINITY;
    limit(arc);
    arc->least = shortest * arc->length;
    return isfinite(arc->length);
}

void sw_arc_free(swArc *arc) { sw_arena_free(&arc->arena); }

bool sw_arc_shorten(swArc *arc) {
    arc->length *= 0.5;
    return arc->length > arc->least;
}

bool sw_arc_advance(swArc *arc, swReal *load) {
    const swBodyModel *m = arc->model;
    swWork *w = arc->state->work;
    const int n = order(arc);
    swReal *q = w->q_new;
    *load = arc->load;
    memcpy(q, arc->state->q, (size_t)m->size.nq * sizeof *q);
    sw_amplitudes_recall(arc->state);
    memset(arc->total, 0, ((size_t)n + 1) * sizeof *arc->total);
    for (int i = 0; i <= n; i++)
        arc->step[i] = arc->length * arc->tangent[i];
    const int most = sw_min_int(MAX_ITERATIONS, m->settings->iterations);
    for (arc->iterations = 0; arc->iterations < most; arc->iterations++) {
        const swReal share = sw_newton_turn_limit(m, arc->step);
        sw_nodes_move(m, arc->step, share, q);
        *load += share * arc->step[n];
        for (int i = 0; i <= n; i++)
            arc->total[i] += share * arc->step[i];
        if (!linearise(arc, *load, q))
            return false;
        arc->state->report.iterations++;
        arc->state->profile.iterations++;
        const swObjective o = at_load(arc, *load);
        if (sw_newton_done(m, arc->state, &o, q))
            return true;
        for (int i = 0; i < n; i++)
            arc->step[i] = -w->residual[i];
        arc->step[n] = arc->length - dot(arc, arc->tangent, arc->total);
        if (!solve(arc, arc->tangent) || !(reach(arc, arc->step) < 1))
            return false;
    }
    return false;
}

// The matrix is still that of the last point.
bool sw_arc_turn(swArc *arc, swReal load) {
    const int n = order(arc);
    memset(arc->step, 0, (size_t)n * sizeof *arc->step);
    arc->step[n] = 1;
    if (!solve(arc, arc->tangent))
        return false;
    const swReal norm = sqrt(dot(arc, arc->step, arc->step));
    if (!(dot(arc, arc->step, arc->tangent) > straightest * norm))
        return false;
    for (int i = 0; i <= n; i++)
        arc->tangent[i] = arc->step[i] / norm;
    arc->load = load;
    arc->length *= arc->iterations <= FEW ? 2 : arc->iterations >= MANY ? 0.5 : 1;
    limit(arc);
    return true;
}
