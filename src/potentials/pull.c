// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "potentials/pull.h"
#include "potentials/potential.h"

#include "potentials/point_force.h"
#include "kinematics/handles.h"

// Of a frame, whose arms are of length L.
static int frame_springs(const swBodyModel *m, const swPullInfo *pull, swReal L,
                         swPullSpring spring[SW_PULL_SPRINGS]) {
    static const swReal whole = 1;
    const swNode *node = &m->node[pull->node];
    const int count = node->width == 1 ? 1 : SW_PULL_SPRINGS;
    for (int i = 0; i < count; i++) {
        swVec3 arm = {0, 0, 0};
        if (i > 0)
            sw_set(&arm, (i - 1) / 2, i % 2 ? L : -L);
        spring[i] = (swPullSpring){
            {.n = 1, .node = &pull->node, .weight = &whole, .p = sw_add(node->origin, arm)},
            sw_add(pull->to, sw_mul(pull->rotation, arm)),
            pull->stiffness / count};
    }
    return count;
}

int sw_pull_springs(const swBodyModel *m, const swPullInfo *pull,
                    swPullSpring spring[SW_PULL_SPRINGS]) {
    if (pull->node < 0) {
        spring[0] = (swPullSpring){sw_point_anchor(m, pull->point), pull->to, pull->stiffness};
        return 1;
    }
    return frame_springs(m, pull, 0.5 * cbrt(m->body[m->node[pull->node].body].volume), spring);
}

static void add_springs(const swBodyModel *m, int count, const swPullSpring *spring,
                        const swReal *q, swSystem *out) {
    for (int k = 0; k < count; k++) {
        const swReal stiffness = spring[k].stiffness;
        const swVec3 d = sw_sub(sw_anchor_position(m, q, &spring[k].at), spring[k].to);
        const swPointForce f = {.energy = 0.5 * stiffness * sw_norm2(d),
                                .gradient = sw_scale(stiffness, d),
                                .hessian = {[0] = stiffness, [4] = stiffness, [8] = stiffness}};
        sw_point_force_add(m, q, &spring[k].at, &f, out);
    }
}

void sw_pulls_add(const swBodyModel *m, const swState *world, int body, const swReal *q,
                  swSystem *out) {
    swPullSpring spring[SW_PULL_SPRINGS];
    for (int i = 0; i < world->npull; i++)
        if (world->pull[i].stiffness > 0 && world->pull[i].body == body)
            add_springs(m, sw_pull_springs(m, &world->pull[i], spring), spring, q, out);
}

void sw_holds_add(const swBodyModel *m, swReal t, const swReal *q, swSystem *out) {
    swPullSpring spring[SW_PULL_SPRINGS];
    for (int64_t i = 0; i < m->size.nhandle; i++) {
        const swHandleInfo *handle = &m->handle[i];
        if (!(handle->hold > 0))
            continue;
        const swPoseKey key = sw_handle_key(m, handle, t);
        const swMat3 R = sw_mat_rotation(key.rotation);
        const swVec3 from = sw_sub(m->node[handle->node].origin, key.about);
        const swPullInfo pull = {
            .node = handle->node,
            .to = sw_add(sw_add(key.about, key.translate), sw_mul(R, from)),
            .rotation = R,
            .stiffness = handle->hold,
        };
        add_springs(m, frame_springs(m, &pull, handle->arm, spring), spring, q, out);
    }
}

swReal sw_pulls_stiffness(const swBodyModel *m, const swState *world, int body) {
    swReal sum = 0;
    for (int i = 0; i < world->npull; i++)
        if (world->pull[i].body == body)
            sum += world->pull[i].stiffness;
    for (int64_t i = 0; i < m->size.nhandle; i++)
        sum += m->handle[i].hold;
    return sum;
}

bool sw_pulls_sane(const swState *s) {
    for (int i = 0; i < SW_PULLS; i++) {
        const swPullInfo *p = &s->pull[i];
        if (p->stiffness == 0)
            continue;
        if (i >= s->npull || !(p->stiffness > 0) || p->body < 0 || p->body >= s->model->size.nbody)
            return false;
        const swBodyModel *m = s->body[p->body]->model;
        if (p->node < -1 || p->node >= m->size.nnode ||
            (p->node == -1 && (p->point < 0 || p->point >= m->size.npoint ||
                               m->point_start[p->point] == m->point_start[p->point + 1])))
            return false;
    }
    return true;
}

// ---- in the table ----

static void add_pulls(const swTerm *t, swSystem *out) {
    sw_pulls_add(t->m, t->s->world, t->s->index, t->in.q, out);
}

static void add_holds(const swTerm *t, swSystem *out) { sw_holds_add(t->m, t->t, t->in.q, out); }

static swReal stiffness(const swBodyState *s) {
    return sw_pulls_stiffness(s->model, s->world, s->index);
}

const swPotential sw_potential_pulls = {
    .name = "pulls", .energy = SW_ENERGY_PULL, .add = add_pulls, .stiffness = stiffness};
const swPotential sw_potential_holds = {
    .name = "holds", .energy = SW_ENERGY_PULL, .add = add_holds};
