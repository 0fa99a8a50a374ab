// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "contact/contact.h"

#include "potentials/point_force.h"
#include "kinematics/points.h"
#include "potentials/potential.h"

#include <string.h>

// Colliders, the ball being the last of them.
static int collider_count(const swState *world) {
    return (int)world->model->size.ncollider + (world->ball.shape.r > 0);
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

// What meets a contact point: a collider, how stiff it is there, how hard it pressed in the last
// step, and how far it has moved.
typedef struct {
    const swColliderInfo *collider;
    swReal stiffness, normal_force;
    swVec3 moved;
} swMeeting;

static swReal last_force(const swTouch *touch, int collider) {
    for (int i = 0; i < SW_TOUCHES; i++)
        if (touch[i].collider == collider + 1)
            return touch[i].force;
    return 0;
}

static swMeeting meeting_of(const swBodyModel *m, const swState *world, int i, int c) {
    if (c < world->model->size.ncollider)
        return (swMeeting){.collider = &world->model->collider[c],
                           .stiffness = stiffness_of(&world->model->collider[c], &m->contact[i])};
    return (swMeeting){.collider = &world->ball.shape, .stiffness = ball_stiffness(&m->contact[i])};
}

// How far a collider goes in a part h of the step.
static swVec3 moved(const swState *world, int c, swReal h) {
    if (c < world->model->size.ncollider)
        return sw_v3(0, 0, 0);
    return sw_scale(h / world->model->settings.step, sw_sub(world->ball.shape.a, world->ball.last));
}

// Adds what a collider does to contact point i at x. False: nothing.
static bool touch(const swBodyModel *m, const swContactInput *in, int i, const swMeeting *with,
                  swVec3 x, bool semidefinite, swPointForce *f, int *count) {
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
        const swReal e = 5e-3 * sw_norm(sw_sub(m->body[0].hi, m->body[0].lo)) * in->h;
        const swVec3 from = sw_add(in->x_last[i], with->moved); // what sticks is carried along
        rub(N, sw_collider_depth(with->collider, from).normal, sw_sub(x, from), e, f);
    }
    return true;
}

int sw_contact_add(const swBodyModel *m, const swContactInput *in, swSystem *out) {
    int count = 0;
    const int ncollider = collider_count(in->world);
    const bool semidefinite = out->projection != SW_PROJECT_NONE;
    swPointForce f = {0};
    for (int i = 0; i < m->size.ncontact && ncollider; i++) {
        const swAnchor anchor = sw_point_anchor(m, m->contact[i].point);
        const swVec3 x = sw_anchor_position(m, in->q, &anchor);
        bool touched = false;
        for (int c = 0; c < ncollider; c++) {
            swMeeting with = meeting_of(m, in->world, i, c);
            if (in->x_last) {
                with.normal_force = last_force(in->touch + (ptrdiff_t)SW_TOUCHES * i, c);
                with.moved = moved(in->world, c, in->h);
            }
            touched = touch(m, in, i, &with, x, semidefinite, &f, &count) || touched;
        }
        if (!touched)
            continue;
        sw_point_force_add(m, in->q, &anchor, &f, out);
        f = (swPointForce){0};
    }
    return count;
}

// Takes the place of the weakest touch.
static void keep(swTouch *touch, swTouch now) {
    int weakest = 0;
    for (int i = 1; i < SW_TOUCHES; i++)
        if (touch[i].force < touch[weakest].force)
            weakest = i;
    if (now.force > touch[weakest].force)
        touch[weakest] = now;
}

void sw_contact_forces(const swBodyModel *m, const swState *world, const swReal *q,
                       swTouch *touch) {
    const int ncollider = collider_count(world);
    memset(touch, 0, (size_t)m->size.ncontact * SW_TOUCHES * sizeof *touch);
    for (int i = 0; i < m->size.ncontact && ncollider; i++, touch += SW_TOUCHES) {
        const swVec3 x = sw_point_position(m, q, m->contact[i].point);
        for (int c = 0; c < ncollider; c++) {
            const swMeeting with = meeting_of(m, world, i, c);
            const swReal depth = sw_collider_depth(with.collider, x).depth;
            if (depth > 0)
                keep(touch, (swTouch){c + 1, depth * with.stiffness});
        }
    }
}

void sw_contact_positions(const swBodyModel *m, const swState *world, const swReal *q, swVec3 *x) {
    for (int i = 0; i < m->size.ncontact && collider_count(world); i++)
        x[i] = sw_point_position(m, q, m->contact[i].point);
}

// ---- in the table ----

static void add(const swTerm *t, swSystem *out) {
    const double start = sw_seconds();
    const swContactInput in = {.q = t->in.q,
                               .x_last = t->in.q_last ? t->x_last : NULL,
                               .touch = t->s->touch,
                               .world = t->s->world,
                               .h = t->in.h};
    out->contacts += sw_contact_add(t->m, &in, out);
    t->s->profile.contact += sw_seconds() - start;
}

// Points of the surface touch something or are pulled. Neighbours often have the same nodes.
static bool couple(const swBodyModel *m, swCouple *visit, void *arg) {
    for (int64_t p = 0; p < m->size.npoint; p++) {
        const int *start = m->point_start + p, *node = m->point_node + start[0],
                  n = start[1] - start[0];
        const bool again = p > 0 && start[0] - start[-1] == n &&
                           memcmp(node, node - n, (size_t)n * sizeof *node) == 0;
        if (!again && !visit(n, node, 0, NULL, arg))
            return false;
    }
    return true;
}

const swPotential sw_potential_contact = {
    .name = "contact", .energy = SW_ENERGY_CONTACT, .measured = true, .add = add, .couple = couple};
