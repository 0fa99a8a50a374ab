// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "forces/pull.h"

#include "forces/point_force.h"

int sw_pull_springs(const swModel *m, const swPullInfo *pull, swSpring spring[SW_SPRINGS]) {
    static const swReal whole = 1;
    if (pull->node < 0) {
        spring[0] = (swSpring){sw_point_anchor(m, pull->point), pull->to, pull->stiffness};
        return 1;
    }
    const swNode *node = &m->node[pull->node];
    const int count = node->width == 1 ? 1 : SW_SPRINGS;
    const swReal L = 0.5 * cbrt(m->body[node->body].volume);
    for (int i = 0; i < count; i++) {
        swVec3 arm = {0, 0, 0};
        if (i > 0)
            sw_set(&arm, (i - 1) / 2, i % 2 ? L : -L);
        spring[i] = (swSpring){{1, &pull->node, &whole, sw_add(node->origin, arm)},
                               sw_add(pull->to, sw_mul(pull->rotation, arm)),
                               pull->stiffness / count};
    }
    return count;
}

void sw_pulls_add(const swModel *m, const swPullInfo *pull, const swReal *q, swSystem *out) {
    swSpring spring[SW_SPRINGS];
    for (int i = 0; i < SW_PULLS; i++) {
        const int count = pull[i].stiffness > 0 ? sw_pull_springs(m, &pull[i], spring) : 0;
        for (int k = 0; k < count; k++) {
            const swReal stiffness = spring[k].stiffness;
            const swVec3 d = sw_sub(sw_anchor_position(m, q, &spring[k].at), spring[k].to);
            const swPointForce f = {.energy = 0.5 * stiffness * sw_norm2(d),
                                    .gradient = sw_scale(stiffness, d),
                                    .hessian = {[0] = stiffness, [4] = stiffness, [8] = stiffness}};
            sw_point_force_add(m, q, &spring[k].at, &f, out);
        }
    }
}

int sw_pull_owner(const swModel *m, const swPullInfo *pull) {
    return m->node[pull->node >= 0 ? pull->node : m->point_node[m->point_start[pull->point]]].body;
}

swReal sw_pulls_stiffness(const swModel *m, const swPullInfo *pull, int body) {
    swReal sum = 0;
    for (int i = 0; i < SW_PULLS; i++)
        if (pull[i].stiffness > 0 && sw_pull_owner(m, &pull[i]) == body)
            sum += pull[i].stiffness;
    return sum;
}

bool sw_pulls_sane(const swModel *m, const swPullInfo *pull) {
    for (int i = 0; i < SW_PULLS; i++) {
        const swPullInfo *p = &pull[i];
        if (p->stiffness == 0)
            continue;
        if (!(p->stiffness > 0) || p->node < -1 || p->node >= m->size.nnode ||
            (p->node == -1 && (p->point < 0 || p->point >= m->size.npoint ||
                               m->point_start[p->point] == m->point_start[p->point + 1])))
            return false;
    }
    return true;
}
