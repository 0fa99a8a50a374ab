// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Joints: k/2 |x - y|^2 for a point x of a body and a point y of another.
#include "potentials/point_force.h"
#include "potentials/potential.h"

static void pairs(const swState *world, swVisitPair *visit, void *arg) {
    const swModel *m = world->model;
    for (int64_t i = 0; i < m->size.njoint; i++)
        visit(m->joint[i].body[0], m->joint[i].body[1], (int)i, arg);
}

static void between(swCoupled *c, const swState *world, int item, int one, int other) {
    const swJointInfo *joint = &world->model->joint[item];
    const swCoupledBody *a = &c->body[one], *b = &c->body[other];
    const swAnchor at = sw_point_anchor(a->s->model, joint->point[0]),
                   to = sw_point_anchor(b->s->model, joint->point[1]);
    const swReal k = joint->stiffness;
    const swVec3 d = sw_sub(sw_anchor_position(a->s->model, a->q, &at),
                            sw_anchor_position(b->s->model, b->q, &to));
    const swPointForce force = {.energy = 0.5 * k * sw_norm2(d),
                                .gradient = sw_scale(k, d),
                                .hessian = {[0] = k, [4] = k, [8] = k}};
    sw_points_bind(c, one, &at, other, &to, &force);
}

static swReal stiffness(const swBodyState *s) {
    const swModel *m = s->world->model;
    swReal sum = 0;
    for (int64_t i = 0; i < m->size.njoint; i++)
        if (m->joint[i].body[0] == s->index || m->joint[i].body[1] == s->index)
            sum += m->joint[i].stiffness;
    return sum;
}

const swPotential sw_potential_joints = {.name = "joints",
                                         .energy = SW_ENERGY_PULL,
                                         .stiffness = stiffness,
                                         .pairs = pairs,
                                         .between = between};
