// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "contact/contact.h"

#include "forces/point_force.h"
#include "kinematics/points.h"

#include <string.h>

static bool anything(const swModel *m, const swBall *ball) {
    return m->size.ncollider > 0 || ball->shape.r > 0;
}

static void add_outer(swReal *H, swReal s, swVec3 a, swVec3 b) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            H[3 * r + c] += s * sw_get(a, r) * sw_get(b, c);
}

static swReal stiffness_of(const swColliderInfo *c, const swContactPoint *p) {
    return p->area * (c->stiffness > 0 ? c->stiffness : p->stiffness);
}

// The ball is small and everybody watches it: it sinks in less than other colliders.
static swReal ball_stiffness(const swContactPoint *p) { return 10 * p->area * p->stiffness; }

// k/2 depth^2, with d(depth)/dx = -n. What normals that spread add to the stiffness is negative.
static void push_out(swReal k, const swDepth *d, bool semidefinite, swPointForce *f) {
    f->energy += 0.5 * k * d->depth * d->depth;
    f->gradient = sw_madd(f->gradient, -k * d->depth, d->normal);
    add_outer(f->hessian, k, d->normal, d->normal);
    const swReal spread = d->bend.m[0] + d->bend.m[4] + d->bend.m[8];
    if (!d->curved || (semidefinite && spread > 0))
        return;
    for (int i = 0; i < 9; i++)
        f->hessian[i] -= k * d->depth * d->bend.m[i];
}

// Coulomb's force mu N against the slip s, smooth where |s| < e: potential mu N f(|s|) with
// f'(s) = 2 s/e - (s/e)^2 below e, 1 above.
static void rub(swReal friction, swVec3 normal, swVec3 slip, swReal e, swPointForce *f) {
    slip = sw_madd(slip, -sw_dot(slip, normal), normal);
    swReal s = sw_norm(slip), first, over, second; // f', f'/s, f''
    if (s < e) {
        first = s / e * (2 - s / e);
        over = (2 - s / e) / e;
        second = 2 / e * (1 - s / e);
        f->energy += friction * (s * s / e - s * s * s / (3 * e * e));
    } else {
        first = 1;
        over = 1 / s;
        second = 0;
        f->energy += friction * (s - e / 3);
    }
    swVec3 t = s > 0 ? sw_scale(1 / s, slip) : sw_v3(0, 0, 0);
    f->gradient = sw_madd(f->gradient, friction * first, t);
    for (int r = 0; r < 3; r++) // f'/s (I - n n^T - t t^T) + f'' t t^T
        f->hessian[4 * r] += friction * over;
    add_outer(f->hessian, -friction * over, normal, normal);
    add_outer(f->hessian, friction * (second - over), t, t);
}

// What meets a contact point: a collider and where it is, how stiff it is there, how hard it
// pressed in the last step, and how far what sticks to it has moved.
typedef struct {
    const swColliderInfo *collider;
    const swAffine *pose;
    swReal stiffness, normal_force;
    swVec3 moved;
} swMeeting;

static const swAffine as_given = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0, 0, 0}};

static swMeeting meeting_of(const swModel *m, const swContactInput *in, int i, int c) {
    if (c < m->size.ncollider) {
        const swReal N = in->x_last ? in->normal_force[i * m->size.ncollider + c] : 0;
        return (swMeeting){
            .collider = &m->collider[c],
            .pose = &in->pose[c],
            .stiffness = stiffness_of(&m->collider[c], &m->contact[i]),
            .normal_force = N,
            .moved = N > 0 ? sw_collider_moved(&in->pose_last[c], &in->pose[c], in->x_last[i])
                           : sw_v3(0, 0, 0)};
    }
    const swReal share = in->h / m->settings.step;
    return (swMeeting){.collider = &in->ball->shape,
                       .pose = &as_given,
                       .stiffness = ball_stiffness(&m->contact[i]),
                       .normal_force = in->x_last ? in->ball_force[i] : 0,
                       .moved = sw_scale(share, sw_sub(in->ball->shape.a, in->ball->last))};
}

// Adds what a collider does to contact point i at x. False: nothing.
static bool touch(const swModel *m, const swContactInput *in, int i, const swMeeting *with,
                  swVec3 x, bool semidefinite, swPointForce *f, int *count) {
    const swContactPoint *p = &m->contact[i];
    const swReal N = with->collider->friction * with->normal_force;
    swDepth d;
    const bool inside = sw_collider_inside(m, with->collider, with->pose, x, &d);
    if (!inside && N == 0)
        return false;
    if (inside) {
        push_out(with->stiffness, &d, semidefinite, f);
        ++*count;
    }
    if (N > 0) {
        // Sticking is a creep below half a per cent of the body's size per second.
        const swBodyInfo *body = &m->body[p->body];
        const swReal e = 5e-3 * sw_norm(sw_sub(body->hi, body->lo)) * in->h;
        const swVec3 from = sw_add(in->x_last[i], with->moved); // what sticks is carried along
        rub(N, sw_collider_depth(m, with->collider, with->pose, from).normal, sw_sub(x, from), e,
            f);
    }
    return true;
}

int sw_contact_add(const swModel *m, const swContactInput *in, swSystem *out) {
    int count = 0;
    const int ncollider = (int)m->size.ncollider + (in->ball->shape.r > 0);
    const bool semidefinite = out->projection != SW_PROJECT_NONE;
    swPointForce f = {0};
    for (int i = 0; i < m->size.ncontact && ncollider; i++) {
        const swAnchor anchor = sw_point_anchor(m, m->contact[i].point);
        const swVec3 x = sw_anchor_position(m, in->q, &anchor);
        bool touched = false;
        for (int c = 0; c < ncollider; c++) {
            const swMeeting with = meeting_of(m, in, i, c);
            touched = touch(m, in, i, &with, x, semidefinite, &f, &count) || touched;
        }
        if (!touched)
            continue;
        sw_point_force_add(m, in->q, &anchor, &f, out);
        f = (swPointForce){0};
    }
    return count;
}

static swReal normal_force(const swModel *m, const swColliderInfo *c, const swAffine *pose,
                           swReal stiffness, swVec3 x) {
    swDepth d;
    return sw_collider_inside(m, c, pose, x, &d) ? d.depth * stiffness : 0;
}

void sw_contact_forces(const swModel *m, const swAffine *pose, const swBall *ball, const swReal *q,
                       swReal *force, swReal *ball_force) {
    const int ncollider = (int)m->size.ncollider;
    memset(ball_force, 0, (size_t)m->size.ncontact * sizeof *ball_force);
    for (int i = 0; i < m->size.ncontact && anything(m, ball); i++) {
        const swContactPoint *p = &m->contact[i];
        const swVec3 x = sw_point_position(m, q, p->point);
        for (int c = 0; c < ncollider; c++)
            force[i * ncollider + c] =
                normal_force(m, &m->collider[c], &pose[c], stiffness_of(&m->collider[c], p), x);
        if (ball->shape.r > 0)
            ball_force[i] = normal_force(m, &ball->shape, &as_given, ball_stiffness(p), x);
    }
}

void sw_contact_positions(const swModel *m, const swBall *ball, const swReal *q, swVec3 *x) {
    for (int i = 0; i < m->size.ncontact && anything(m, ball); i++)
        x[i] = sw_point_position(m, q, m->contact[i].point);
}
