// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What a program does to a running simulation: pulls, the ball, handles that it moves.
#include "kinematics/rigid.h"
#include "world/world.h"

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

// ---- pulls ----

static int add_pull(swState *s, bool known, swPullInfo pull) {
    const bool ok = known && finite3(pull.to) && is_rotation(pull.rotation) && pull.stiffness > 0 &&
                    isfinite(pull.stiffness);
    SW_ASSERT(ok);
    for (int i = 0; ok && i < SW_PULLS; i++)
        if (s->pull[i].stiffness == 0) {
            s->pull[i] = pull;
            s->npull = sw_max_int(s->npull, i + 1);
            sw_body_wake(s->body[pull.body]);
            return i;
        }
    return -1;
}

static int add_to_surface(swState *s, bool known, int body, const swPartInfo *surface, int vertex,
                          swVec3 to, swReal stiffness) {
    return add_pull(s, known && vertex >= 0 && vertex < surface->npoint,
                    (swPullInfo){.body = body,
                                 .point = known ? surface->point + vertex : -1,
                                 .node = -1,
                                 .to = to,
                                 .rotation = sw_mat_identity(),
                                 .stiffness = stiffness});
}

int sw_pull_body(swState *s, int body, int vertex, swVec3 to, swReal stiffness) {
    const bool known = body >= 0 && body < s->model->size.nbody;
    const swPartInfo outer =
        known ? sw_body_outer(sw_model_body(s->model, body), 0) : (swPartInfo){0};
    return add_to_surface(s, known, body, &outer, vertex, to, stiffness);
}

int sw_pull_part(swState *s, int part, int vertex, swVec3 to, swReal stiffness) {
    const bool known = part >= 0 && part < sw_part_count(s->model);
    const int body = known ? sw_part_body(s->model, part) : 0;
    return add_to_surface(
        s, known, body,
        known ? &sw_model_body(s->model, body)->part[part - s->model->place[body].part] : NULL,
        vertex, to, stiffness);
}

int sw_pull_frame(swState *s, int frame, swVec3 to, swMat3 rotation, swReal stiffness) {
    const swModel *m = sw_state_model(s);
    const bool known = frame >= 0 && frame < sw_frame_count(m);
    const int body = known ? SW_OWNER(m, frame, frame) : 0, node = frame - m->place[body].frame;
    const swBodyModel *b = s->body[body]->model;
    if (known && (sw_node_is_inserted(b, node) || sw_node_is_modes(&b->node[node])))
        return -1;
    return add_pull(s, known,
                    (swPullInfo){.body = body,
                                 .point = -1,
                                 .node = node,
                                 .to = to,
                                 .rotation = rotation,
                                 .stiffness = stiffness});
}

static bool in_use(const swState *s, int pull) {
    return pull >= 0 && pull < SW_PULLS && s->pull[pull].stiffness > 0;
}

void sw_pull_move(swState *s, int pull, swVec3 to) {
    const bool ok = in_use(s, pull) && finite3(to);
    SW_ASSERT(ok);
    if (ok) {
        s->pull[pull].to = to;
        sw_body_wake(s->body[s->pull[pull].body]);
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
        sw_body_wake(s->body[s->pull[pull].body]);
        memset(&s->pull[pull], 0, sizeof s->pull[pull]);
        while (s->npull > 0 && s->pull[s->npull - 1].stiffness == 0)
            s->npull--;
    }
}

bool sw_pull_get(const swState *s, int pull, swPull *out) {
    if (!in_use(s, pull))
        return false;
    const swPullInfo *p = &s->pull[pull];
    const swBodyState *body = s->body[p->body];
    const swBodyModel *m = body->model;
    swPullSpring spring[SW_PULL_SPRINGS];
    const int count = sw_pull_springs(m, p, spring);
    *out = (swPull){.body = p->body,
                    .frame = p->node < 0 ? -1 : p->node + sw_state_model(s)->place[p->body].frame,
                    .at = sw_anchor_position(m, body->q, &spring[0].at),
                    .to = p->to,
                    .rotation = p->rotation,
                    .stiffness = p->stiffness};
    for (int i = 0; i < count; i++) {
        const swVec3 way = sw_sub(spring[i].to, sw_anchor_position(m, body->q, &spring[i].at));
        out->force = sw_madd(out->force, spring[i].stiffness, way);
    }
    return true;
}

swReal sw_pull_stiffness(const swModel *model, int body) {
    static const swReal share = 0.5, lift = 10; // of Young's modulus; of the weight per length
    SW_ASSERT(body >= 0 && body < model->size.nbody);
    const swBodyModel *m = sw_model_body(model, body);
    const swBodyInfo *b = &m->body[0];
    const swReal L = cbrt(b->volume);
    swReal softest = INFINITY;
    for (int64_t i = 0; i < m->size.ngroup; i++)
        softest = sw_min(softest, m->material[m->group[i].material].young);
    if (isinf(softest)) // all of it is rigid
        softest = 0;
    const swReal k =
        sw_max(share * softest * L, lift * b->mass * sw_norm(m->settings->gravity) / L);
    // Without weight a rigid body follows within about a tenth of a second.
    return k > 0 ? k : 1e3 * b->mass;
}

// ---- the ball ----

// It is small and everybody watches it: it sinks in less than other colliders.
static swReal ball_stiffness(const swState *s) {
    static const swReal more = 10; // than the default of the softest body
    swReal softest = INFINITY;
    for (int64_t i = 0; i < s->model->size.ncompiled; i++)
        for (int64_t k = 0; k < s->model->compiled[i]->size.ncontact; k++)
            softest = sw_min(softest, s->model->compiled[i]->contact[k].stiffness);
    return isfinite(softest) ? more * softest : 0;
}

void sw_state_set_ball(swState *s, swVec3 center, swReal radius) {
    static const swReal friction = 0.5;
    const bool ok = radius >= 0 && isfinite(radius) && finite3(center);
    const int ball = (int)s->model->size.ncollider;
    swColliderPlace *place = &s->collider[ball];
    SW_ASSERT(ok);
    if (!ok)
        return;
    if (radius > 0) {
        place->now = (swAffine){sw_mat_identity(), center};
        if (s->ball.r == 0)
            place->last = place->now;
    }
    if (radius == s->ball.r)
        return;
    sw_state_wake(s); // energy comes or goes
    if (radius > 0) {
        s->ball = (swColliderInfo){.kind = SW_SHAPE_SPHERE,
                                   .motion = SW_COLLIDER_PROGRAM,
                                   .mesh = -1,
                                   .r = radius,
                                   .friction = friction,
                                   .stiffness = ball_stiffness(s),
                                   .place.A = sw_mat_identity()};
        sw_collider_measure(s->model, &s->ball);
        return;
    }
    memset(&s->ball, 0, sizeof s->ball);
    memset(place, 0, sizeof *place);
    for (int64_t i = 0; i < s->model->size.nbody; i++) // nothing remembers it
        for (int64_t k = 0; k < SW_TOUCHES * s->body[i]->model->size.ncontact; k++)
            if (s->body[i]->touch[k].collider > ball)
                s->body[i]->touch[k] = (swTouch){0};
}

swReal sw_state_ball(const swState *s, swVec3 *center) {
    *center = s->collider[s->model->size.ncollider].now.b;
    return s->ball.r;
}

// ---- colliders ----

int sw_collider_count(const swModel *m) { return (int)m->size.ncollider; }
const char *sw_collider_name(const swModel *m, int collider) {
    return sw_model_text(m, m->collider[collider].name);
}

int sw_collider_find(const swModel *m, const char *name) {
    for (int i = 0; i < m->size.ncollider; i++)
        if (strcmp(sw_collider_name(m, i), name) == 0)
            return i;
    return -1;
}

bool sw_collider_move(swState *s, int collider, swVec3 translation, swMat3 rotation) {
    const bool ok = collider >= 0 && collider < s->model->size.ncollider && finite3(translation) &&
                    is_rotation(rotation);
    SW_ASSERT(ok);
    if (!ok || s->model->collider[collider].motion != SW_COLLIDER_PROGRAM)
        return false;
    s->collider[collider].now = (swAffine){rotation, translation};
    return true;
}

void sw_collider_get(const swState *s, int collider, swVec3 *translation, swMat3 *rotation) {
    const swAffine pose = sw_collider_where(s, collider, s->t);
    *translation = pose.b;
    *rotation = pose.A;
}

// ---- handles ----

bool sw_handle_move(swState *s, int handle, swVec3 center, swMat3 rotation) {
    const bool ok = handle >= 0 && handle < sw_handle_count(s->model) && finite3(center) &&
                    is_rotation(rotation);
    SW_ASSERT(ok);
    if (!ok)
        return false;
    swBodyState *body = s->body[SW_OWNER(s->model, handle, handle)];
    const swBodyModel *m = body->model;
    const int own = handle - s->model->place[body->index].handle;
    const swNode *node = &m->node[m->handle[own].node];
    if (m->handle[own].motion == SW_MOTION_FREE || sw_node_is_modes(node))
        return false;
    const swReal *A = body->q0 + node->q;
    const swMat3 rest = {{A[1], A[2], A[3], A[5], A[6], A[7], A[9], A[10], A[11]}};
    body->handle_place[own] =
        (swHandlePlace){.set = 1, .center = center, .rotation = sw_mat_mul(rotation, rest)};
    sw_body_wake(body);
    return true;
}
