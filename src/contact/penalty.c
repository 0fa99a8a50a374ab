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

// k/2 depth^2. d(depth)/dx = -n, dn/dx = curvature (I - n n^T - flat flat^T).
static void push_out(swReal k, swDepth d, bool semidefinite, swPointForce *f) {
    f->energy += 0.5 * k * d.depth * d.depth;
    f->gradient = sw_madd(f->gradient, -k * d.depth, d.normal);
    add_outer(f->hessian, k, d.normal, d.normal);
    if (semidefinite || d.curvature == 0)
        return;
    swReal bend = -k * d.depth * d.curvature;
    for (int r = 0; r < 3; r++)
        f->hessian[4 * r] += bend;
    add_outer(f->hessian, -bend, d.normal, d.normal);
    add_outer(f->hessian, -bend, d.flat, d.flat);
}

// Coulomb's force mu N against the slip s, smooth where |s| < e: potential mu N f(|s|) with
// f'(s) = 2 s/e - (s/e)^2 below e, 1 above. Linear: the Hessian f'/s (I - n n^T) takes energy from
// every slip, where the other one would let a force of constant size drive it back.
static void rub(swReal friction, swVec3 normal, swVec3 slip, swReal e, bool linear,
                swPointForce *f) {
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
    if (!linear)
        add_outer(f->hessian, friction * (second - over), t, t);
}

// What meets a contact point: a collider, how stiff it is there, how hard it pressed in the last
// step, and how far it has moved.
typedef struct {
    const swColliderInfo *collider;
    swReal stiffness, normal_force;
    swVec3 moved;
} swMeeting;

static swMeeting meeting_of(const swModel *m, const swContactInput *in, int i, int c) {
    if (c < m->size.ncollider)
        return (swMeeting){.collider = &m->collider[c],
                           .stiffness = stiffness_of(&m->collider[c], &m->contact[i]),
                           .normal_force =
                               in->x_last ? in->normal_force[i * m->size.ncollider + c] : 0};
    const swReal share = in->h / m->settings.step;
    return (swMeeting){.collider = &in->ball->shape,
                       .stiffness = ball_stiffness(&m->contact[i]),
                       .normal_force = in->x_last ? in->ball_force[i] : 0,
                       .moved = sw_scale(share, sw_sub(in->ball->shape.a, in->ball->last))};
}

// Adds what a collider does to contact point i at x. False: nothing.
static bool touch(const swModel *m, const swContactInput *in, int i, const swMeeting *with,
                  swVec3 x, bool semidefinite, swPointForce *f, int *count) {
    const swContactPoint *p = &m->contact[i];
    const swReal N = with->collider->friction * with->normal_force;
    const swDepth d = sw_collider_depth(with->collider, x);
    if (d.depth <= 0 && N == 0)
        return false;
    if (d.depth > 0) {
        push_out(with->stiffness, d, semidefinite, f);
        ++*count;
    }
    if (N > 0) {
        // Sticking is a creep below half a per cent of the body's size per second.
        const swBodyInfo *body = &m->body[p->body];
        const swReal e = 5e-3 * sw_norm(sw_sub(body->hi, body->lo)) * in->h;
        const swVec3 from = sw_add(in->x_last[i], with->moved); // what sticks is carried along
        rub(N, sw_collider_depth(with->collider, from).normal, sw_sub(x, from), e, in->linear, f);
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

static swReal normal_force(const swColliderInfo *c, swReal stiffness, swVec3 x) {
    const swReal depth = sw_collider_depth(c, x).depth;
    return depth > 0 ? depth * stiffness : 0;
}

void sw_contact_forces(const swModel *m, const swBall *ball, const swReal *q, swReal *force,
                       swReal *ball_force) {
    const int ncollider = (int)m->size.ncollider;
    memset(ball_force, 0, (size_t)m->size.ncontact * sizeof *ball_force);
    for (int i = 0; i < m->size.ncontact && anything(m, ball); i++) {
        const swVec3 x = sw_point_position(m, q, m->contact[i].point);
        for (int c = 0; c < ncollider; c++)
            force[i * ncollider + c] =
                normal_force(&m->collider[c], stiffness_of(&m->collider[c], &m->contact[i]), x);
        if (ball->shape.r > 0)
            ball_force[i] = normal_force(&ball->shape, ball_stiffness(&m->contact[i]), x);
    }
}

void sw_contact_positions(const swModel *m, const swBall *ball, const swReal *q, swVec3 *x) {
    for (int i = 0; i < m->size.ncontact && anything(m, ball); i++)
        x[i] = sw_point_position(m, q, m->contact[i].point);
}
