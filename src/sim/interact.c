// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What a program does to a running simulation: pulls, the ball, handles that it moves.
#include "kinematics/rigid.h"
#include "sim/sim.h"

#include <string.h>

static bool finite3(swVec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static bool is_rotation(swMat3 R) {
    static const swReal slack = 1e-6;
    const swMat3 I = sw_mat_mul(sw_mat_t(R), R);
    bool ok = sw_mat_det(R) > 0;
    for (int i = 0; i < 9; i++)
        ok = ok && fabs(I.m[i] - (i % 4 == 0)) < slack;
    return ok;
}

// The energy of the next step's start is not that of the last one's end.
static void touch(swState *s) { s->work->energy_step = -1; }

// ---- pulls ----

static int add_pull(swState *s, bool known, swPullInfo pull) {
    const bool ok = known && finite3(pull.to) && is_rotation(pull.rotation) && pull.stiffness > 0 &&
                    isfinite(pull.stiffness);
    SW_ASSERT(ok);
    for (int i = 0; ok && i < SW_PULLS; i++)
        if (s->pull[i].stiffness == 0) {
            s->pull[i] = pull;
            touch(s);
            return i;
        }
    return -1;
}

static int add_to_surface(swState *s, bool known, const swPartInfo *surface, int vertex, swVec3 to,
                          swReal stiffness) {
    return add_pull(s, known && vertex >= 0 && vertex < surface->npoint,
                    (swPullInfo){.point = known ? surface->point + vertex : -1,
                                 .node = -1,
                                 .to = to,
                                 .rotation = sw_mat_identity(),
                                 .stiffness = stiffness});
}

int sw_pull_body(swState *s, int body, int vertex, swVec3 to, swReal stiffness) {
    const bool known = body >= 0 && body < s->model->size.nbody;
    const swPartInfo outer = known ? sw_body_outer(s->model, body) : (swPartInfo){0};
    return add_to_surface(s, known, &outer, vertex, to, stiffness);
}

int sw_pull_part(swState *s, int part, int vertex, swVec3 to, swReal stiffness) {
    const bool known = part >= 0 && part < s->model->size.npart;
    return add_to_surface(s, known, known ? &s->model->part[part] : NULL, vertex, to, stiffness);
}

int sw_pull_frame(swState *s, int frame, swVec3 to, swMat3 rotation, swReal stiffness) {
    if (frame >= 0 && frame < s->model->size.nnode &&
        (sw_node_is_inserted(s->model, frame) || sw_node_is_modes(&s->model->node[frame])))
        return -1;
    return add_pull(
        s, frame >= 0 && frame < s->model->size.nnode,
        (swPullInfo){
            .point = -1, .node = frame, .to = to, .rotation = rotation, .stiffness = stiffness});
}

static bool in_use(const swState *s, int pull) {
    return pull >= 0 && pull < SW_PULLS && s->pull[pull].stiffness > 0;
}

void sw_pull_move(swState *s, int pull, swVec3 to) {
    const bool ok = in_use(s, pull) && finite3(to);
    SW_ASSERT(ok);
    if (ok) {
        s->pull[pull].to = to;
        touch(s);
    }
}

void sw_pull_turn(swState *s, int pull, swVec3 to, swMat3 rotation) {
    const bool ok = in_use(s, pull) && s->pull[pull].node >= 0 && is_rotation(rotation);
    SW_ASSERT(ok);
    if (ok) {
        s->pull[pull].rotation = rotation;
        sw_pull_move(s, pull, to);
    }
}

void sw_pull_release(swState *s, int pull) {
    SW_ASSERT(in_use(s, pull));
    if (in_use(s, pull)) {
        s->pull[pull] = (swPullInfo){0};
        touch(s);
    }
}

bool sw_pull_get(const swState *s, int pull, swPull *out) {
    if (!in_use(s, pull))
        return false;
    const swModel *m = s->model;
    const swPullInfo *p = &s->pull[pull];
    swSpring spring[SW_SPRINGS];
    const int count = sw_pull_springs(m, p, spring);
    *out = (swPull){.body = sw_pull_owner(m, p),
                    .frame = p->node,
                    .at = sw_anchor_position(m, s->q, &spring[0].at),
                    .to = p->to,
                    .rotation = p->rotation,
                    .stiffness = p->stiffness};
    for (int i = 0; i < count; i++) {
        const swVec3 way = sw_sub(spring[i].to, sw_anchor_position(m, s->q, &spring[i].at));
        out->force = sw_madd(out->force, spring[i].stiffness, way);
    }
    return true;
}

swReal sw_pull_stiffness(const swModel *m, int body) {
    static const swReal share = 0.5, lift = 10; // of Young's modulus; of the weight per length
    SW_ASSERT(body >= 0 && body < m->size.nbody);
    const swBodyInfo *b = &m->body[body];
    const swReal L = cbrt(b->volume);
    swReal softest = INFINITY;
    for (int64_t i = 0; i < m->size.ngroup; i++)
        if (m->group[i].body == body)
            softest = sw_min(softest, m->material[m->group[i].material].young);
    if (isinf(softest)) // all of it is rigid
        softest = 0;
    const swReal k = sw_max(share * softest * L, lift * b->mass * sw_norm(m->settings.gravity) / L);
    // Without weight a rigid body follows within about a tenth of a second.
    return k > 0 ? k : 1e3 * b->mass;
}

// ---- the ball ----

void sw_state_set_ball(swState *s, swVec3 center, swReal radius) {
    static const swReal friction = 0.5;
    const bool ok = radius >= 0 && isfinite(radius) && finite3(center);
    SW_ASSERT(ok);
    if (!ok)
        return;
    const bool appears = s->ball->shape.r == 0;
    if (radius > 0) {
        s->ball->shape = (swColliderInfo){
            .kind = SW_SHAPE_SPHERE, .a = center, .r = radius, .friction = friction};
        sw_collider_measure(s->model, &s->ball->shape);
        if (appears)
            s->ball->last = center;
    } else {
        *s->ball = (swBall){.shape = {.r = 0}};
        memset(s->ball_force, 0, (size_t)s->model->size.ncontact * sizeof *s->ball_force);
    }
    touch(s);
}

swReal sw_state_ball(const swState *s, swVec3 *center) {
    *center = s->ball->shape.a;
    return s->ball->shape.r;
}

// ---- handles ----

bool sw_handle_move(swState *s, int handle, swVec3 center, swMat3 rotation) {
    const swModel *m = s->model;
    const bool ok =
        handle >= 0 && handle < m->size.nhandle && finite3(center) && is_rotation(rotation);
    SW_ASSERT(ok);
    if (!ok || m->handle[handle].motion == SW_MOTION_FREE ||
        sw_node_is_modes(&m->node[m->handle[handle].node]))
        return false;
    const swReal *A = m->q0 + m->node[m->handle[handle].node].q;
    const swMat3 rest = {{A[1], A[2], A[3], A[5], A[6], A[7], A[9], A[10], A[11]}};
    s->handle_place[handle] =
        (swHandlePlace){.set = 1, .center = center, .rotation = sw_mat_mul(rotation, rest)};
    return true;
}
