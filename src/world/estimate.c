// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// How wrong a body is: its linear answer to its weight and loads, or its equilibrium, against those
// that the compile has found on bricks (compile/build_estimate.c).
#include "geometry/surface.h"
#include "kinematics/rigid.h"
#include "solve/work.h"
#include "world/world.h"

#include <string.h>

static bool touches(const swBodyState *s, swError *error) {
    return sw_fail(error, SW_ERROR_VALUE, "body \"%s\": it touches a collider",
                   sw_body_name(s->world->model, s->index));
}

// Displacements of all points under `load` of all there is, linear about rest, over that.
static bool answer(swBodyState *s, swReal load, swVec3 *move, swVec3 *rest, swError *error) {
    const swBodyModel *m = sw_body_enter(s);
    const int n = (int)m->size.npoint;
    const char *name = sw_body_name(s->world->model, s->index);
    const swObjective o = {.load = load, .tolerance = m->settings->tolerance, .exact = true};
    swWork *w = s->work;
    memcpy(w->q_new, s->q, (size_t)m->size.nq * sizeof *s->q);
    if (sw_newton_assemble(m, s, &o, s->q).contacts > 0)
        return touches(s, error);
    sw_nodes_fold_gradient(m, s->q, w->g, w->residual);
    if (!sw_linear_prepare(&w->linear, 0, 0, w->size) ||
        sw_newton_solve(m, s, 1e-3 * m->settings->tolerance) != SW_LINEAR_SOLVED)
        return sw_fail(error, SW_ERROR_NOT_CONVERGED,
                       "body \"%s\": its stiffness at rest is singular", name);
    sw_nodes_move(m, w->step, -1, w->q_new);
    sw_points_positions(m, s->q, 0, n, rest);
    sw_points_positions(m, w->q_new, 0, n, move);
    for (int i = 0; i < n; i++)
        move[i] = sw_scale(1 / load, sw_sub(move[i], rest[i]));
    return true;
}

// Displacements of all points to where they are in equilibrium.
static bool settle(swState *state, int body, swVec3 *move, swVec3 *rest, swError *error) {
    swBodyState *s = state->body[body];
    const swBodyModel *m = sw_body_enter(s);
    const int n = (int)m->size.npoint;
    const swObjective o = {.load = 1, .tolerance = m->settings->tolerance, .exact = true};
    sw_points_positions(m, s->q, 0, n, rest);
    if (sw_solve_static(state->model, state) != SW_OK)
        return sw_fail(error, SW_ERROR_NOT_CONVERGED, "body \"%s\": it finds no equilibrium",
                       sw_body_name(state->model, body));
    m = sw_body_enter(s);
    if (sw_newton_assemble(m, s, &o, s->q).contacts > 0)
        return touches(s, error);
    sw_points_positions(m, s->q, 0, n, move);
    for (int i = 0; i < n; i++)
        move[i] = sw_sub(move[i], rest[i]);
    return true;
}

static swReal largest_of(const swBodyModel *by) {
    const swPartInfo p = sw_body_outer(by, 0);
    swReal largest = 0;
    for (int i = p.point; i < p.point + p.npoint; i++)
        largest = sw_max(largest, sw_norm(by->fine[i]));
    return largest;
}

// How far the points of a body are off [m], n of them from the first on, by what a body of the same
// points has found.
static bool find_off(const swModel *model, int body, const swBodyModel *by, int n, swArena *arena,
                     swReal *off, swError *error) {
    const swBodyModel *m = sw_model_body(model, body);
    const swReal largest = largest_of(by);
    if (!(largest > 0))
        return sw_fail(error, SW_ERROR_VALUE, "body \"%s\": no weight and no load acts on it",
                       sw_body_name(model, body));
    swState *state = sw_state_create(model, error);
    swVec3 *own = SW_NEW(arena, m->size.npoint, swVec3, error),
           *rest = SW_NEW(arena, m->size.npoint, swVec3, error);
    const swReal little = sw_min(1, 1e-6 * sw_body_length(&m->body[0]) / largest);
    const bool ok = state && own && rest &&
                    (by->body[0].large ? settle(state, body, own, rest, error)
                                       : answer(state->body[body], little, own, rest, error));
    // What is in doubt has no direction.
    for (int i = 0; ok && i < n; i++)
        off[i] =
            sqrt(sw_norm2(sw_sub(own[i], by->fine[i])) + by->fine_doubt[i] * by->fine_doubt[i]);
    sw_state_destroy(state);
    return ok;
}

// Means are over the area around each vertex.
static void sum_up(const swBodyModel *by, const swReal *off, const swReal *area, swEstimate *out) {
    const swPartInfo p = sw_body_outer(by, 0);
    swReal sum = 0, doubt = 0, all = 0;
    *out = (swEstimate){.largest = largest_of(by), .large = by->body[0].large};
    for (int i = p.point; i < p.point + p.npoint; i++) {
        out->worst = sw_max(out->worst, off[i] / out->largest);
        sum += area[i] * off[i] * off[i];
        doubt += area[i] * by->fine_doubt[i] * by->fine_doubt[i];
        all += area[i];
    }
    out->error = sqrt(sum / all) / out->largest;
    out->doubt = sqrt(doubt / all) / out->largest;
}

bool sw_estimate_by(const swModel *model, int body, const swBodyModel *by, swEstimate *out,
                    swError *error) {
    const swPartInfo p = sw_body_outer(by, 0), own = sw_body_outer(sw_model_body(model, body), 0);
    const int n = p.point + p.npoint;
    if (by->size.nfine == 0 || own.point != p.point || own.npoint != p.npoint)
        return sw_fail(error, SW_ERROR_UNSUPPORTED,
                       "body \"%s\": expected one compiled with \"estimate\": true",
                       sw_body_name(model, body));
    swArena arena;
    sw_arena_init(&arena, &model->config.allocator);
    swReal *off = SW_NEW(&arena, n, swReal, error), *area = SW_NEW(&arena, n, swReal, error);
    const bool ok = off && area && find_off(model, body, by, n, &arena, off, error);
    if (ok) {
        sw_surface_areas(by->point, p.ntriangle, by->triangle + 3 * (ptrdiff_t)p.triangle, area);
        sum_up(by, off, area, out);
    }
    sw_arena_free(&arena);
    return ok;
}

bool sw_body_estimate(const swModel *model, int body, swEstimate *out, swError *error) {
    return sw_estimate_by(model, body, sw_model_body(model, body), out, error);
}

bool sw_probe_estimates(const swModel *model, swReal *out, swError *error) {
    swArena arena;
    sw_arena_init(&arena, &model->config.allocator);
    bool ok = true;
    for (int64_t i = 0; i < model->size.nprobe; i++)
        out[i] = NAN;
    for (int b = 0; ok && b < model->size.nbody; b++) {
        const swBodyModel *m = sw_model_body(model, b);
        bool asked = false;
        for (int64_t i = 0; i < model->size.nprobe; i++)
            asked = asked || (model->probe[i].body == b && m->size.nfine > 0);
        if (!asked)
            continue;
        swReal *off = SW_NEW(&arena, m->size.npoint, swReal, error);
        ok = off && find_off(model, b, m, (int)m->size.npoint, &arena, off, error);
        for (int64_t i = 0; ok && i < model->size.nprobe; i++)
            if (model->probe[i].body == b)
                out[i] = off[model->probe[i].point];
    }
    sw_arena_free(&arena);
    return ok;
}
