// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// How wrong a body is: its linear answer to its weight and loads against that of linear theory,
// which the compile has found on bricks (compile/build_estimate.c).
#include "geometry/surface.h"
#include "kinematics/rigid.h"
#include "solve/work.h"
#include "world/world.h"

#include <string.h>

// Displacements of the surface under `load` of all there is, linear about rest, over that.
static bool answer(swBodyState *s, const swPartInfo *p, swReal load, swVec3 *move, swVec3 *rest,
                   swError *error) {
    const swBodyModel *m = sw_body_enter(s);
    const char *name = sw_body_name(s->world->model, s->index);
    const swObjective o = {.load = load, .tolerance = m->settings->tolerance, .exact = true};
    swWork *w = s->work;
    memcpy(w->q_new, s->q, (size_t)m->size.nq * sizeof *s->q);
    if (sw_newton_assemble(m, s, &o, s->q).contacts > 0)
        return sw_fail(error, SW_ERROR_VALUE, "body \"%s\": it touches a collider", name);
    sw_nodes_fold_gradient(m, s->q, w->g, w->residual);
    if (!sw_linear_prepare(&w->linear, 0, 0, w->size) ||
        sw_newton_solve(m, s, 1e-3 * m->settings->tolerance) != SW_LINEAR_SOLVED)
        return sw_fail(error, SW_ERROR_NOT_CONVERGED,
                       "body \"%s\": its stiffness at rest is singular", name);
    sw_nodes_move(m, w->step, -1, w->q_new);
    sw_points_positions(m, s->q, p->point, p->npoint, rest);
    sw_points_positions(m, w->q_new, p->point, p->npoint, move);
    for (int i = 0; i < p->npoint; i++)
        move[i] = sw_scale(1 / load, sw_sub(move[i], rest[i]));
    return true;
}

static swEstimate compare(int n, const swVec3 *fine, const swVec3 *own, const swReal *area) {
    swEstimate out = {0};
    swReal sum = 0, all = 0;
    for (int i = 0; i < n; i++) {
        const swReal off = sw_norm(sw_sub(own[i], fine[i]));
        out.largest = sw_max(out.largest, sw_norm(fine[i]));
        out.worst = sw_max(out.worst, off);
        sum += area[i] * off * off;
        all += area[i];
    }
    out.error = sqrt(sum / all) / out.largest;
    out.worst /= out.largest;
    return out;
}

bool sw_body_estimate(const swModel *model, int body, swEstimate *out, swError *error) {
    const swBodyModel *m = sw_model_body(model, body);
    const swPartInfo p = sw_body_outer(m, 0);
    const swVec3 *fine = m->fine;
    swReal largest = 0;
    for (int64_t i = 0; i < m->size.nfine; i++)
        largest = sw_max(largest, sw_norm(fine[i]));
    if (m->size.nfine == 0)
        return sw_fail(error, SW_ERROR_UNSUPPORTED,
                       "body \"%s\": expected one compiled with \"estimate\": true",
                       sw_body_name(model, body));
    if (!(largest > 0))
        return sw_fail(error, SW_ERROR_VALUE, "body \"%s\": no weight and no load acts on it",
                       sw_body_name(model, body));
    swState *state = sw_state_create(model, error);
    swArena arena;
    sw_arena_init(&arena, &model->config.allocator);
    swVec3 *own = SW_NEW(&arena, p.npoint, swVec3, error),
           *rest = SW_NEW(&arena, p.npoint, swVec3, error);
    swReal *area = SW_NEW(&arena, p.point + p.npoint, swReal, error); // of all points
    const swReal little = sw_min(1, 1e-6 * sw_body_length(&m->body[0]) / largest);
    const bool ok =
        state && own && rest && area && answer(state->body[body], &p, little, own, rest, error);
    if (ok) {
        sw_surface_areas(m->point, p.ntriangle, m->triangle + 3 * (ptrdiff_t)p.triangle, area);
        *out = compare(p.npoint, fine, own, area + p.point);
    }
    sw_arena_free(&arena);
    sw_state_destroy(state);
    return ok;
}
