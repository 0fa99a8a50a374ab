// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The mass matrix: for each pair of nodes a block of scalars, the same for x, y and z; constant.
#include "potentials/potential.h"

void sw_loads_add(const swBodyModel *m, const swReal *q, swReal share, swSystem *out) {
    const swReal g[3] = {share * m->settings->gravity.x, share * m->settings->gravity.y,
                         share * m->settings->gravity.z};
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *node = &m->node[i];
        if (sw_node_is_dual(node))
            continue; // see bulk.c
        const swReal *weight = m->weight_load + node->q / 3;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < node->width; c++) {
                int at = node->q + r * node->width + c;
                swReal force = g[r] * weight[c] + share * m->load[at];
                out->energy -= force * q[at];
                if (out->g)
                    out->g[at] -= force;
            }
    }
    sw_reduced_loads_add(m, q, share, out);
}

// energy += f/2 d^T M d, with d = q - target (target NULL: d = q), f the factor, times the body's
// damping where asked. Of frames alone, and of reduced bodies.
static void add(const swBodyModel *m, const swReal *q, const swReal *target, swReal factor,
                bool damping, swSystem *out) {
    for (int64_t p = 0; p < m->size.npair; p++) {
        const swNodePair *pair = &m->pair[p];
        if (pair->mass < 0)
            continue;
        const swNode *ni = &m->node[pair->i], *nj = &m->node[pair->j];
        const swReal *M = m->mass + pair->mass,
                     f = damping ? factor * m->body[ni->body].damping_mass : factor;
        const bool same = pair->i == pair->j;
        if (f == 0)
            continue;
        swReal *H = out->H && ni->u >= 0 && nj->u >= 0 ? out->H->value + out->H->at[p] : NULL;
        for (int r = 0; r < 3; r++)
            for (int a = 0; a < ni->width; a++) {
                int ia = ni->q + r * ni->width + a;
                swReal da = target ? q[ia] - target[ia] : q[ia], sum = 0;
                for (int b = 0; b < nj->width; b++) {
                    int jb = nj->q + r * nj->width + b;
                    swReal mass = f * M[a * nj->width + b];
                    sum += mass * (target ? q[jb] - target[jb] : q[jb]);
                    if (out->g && !same)
                        out->g[jb] += mass * da;
                    if (H)
                        H[(r * ni->width + a) * nj->nu + r * nj->width + b] += mass;
                }
                out->energy += (same ? 0.5 : 1.0) * da * sum;
                if (out->g)
                    out->g[ia] += sum;
            }
    }
    if (!sw_body_is_corrected(m))
        sw_reduced_mass_add(m, q, target, factor, damping, out);
}

void sw_mass_add(const swBodyModel *m, const swReal *q, const swReal *target, swReal factor,
                 swSystem *out) {
    add(m, q, target, factor, false, out);
    if (sw_body_is_corrected(m))
        sw_reduced_mass_add(m, q, target, factor, false, out);
}

void sw_inertia_add(const swBodyModel *m, const swReal *q, const swReal *target, swReal factor,
                    swSystem *out) {
    add(m, q, target, factor, false, out);
}

void sw_mass_damping_add(const swBodyModel *m, const swReal *q, const swReal *target, swReal factor,
                         swSystem *out) {
    add(m, q, target, factor, true, out);
}

swReal sw_mass_energy(const swBodyModel *m, const swReal *v) {
    swSystem s = {0};
    add(m, v, NULL, 1, false, &s);
    return s.energy;
}

// ---- in the table ----

static void add_loads(const swTerm *t, swSystem *out) { sw_loads_add(t->m, t->in.q, t->load, out); }

static void add_inertia(const swTerm *t, swSystem *out) {
    if (t->inertia > 0)
        sw_inertia_add(t->m, t->in.q, t->target, t->inertia, out);
}

static void add_damping(const swTerm *t, swSystem *out) {
    if (!t->in.q_last)
        return;
    const swRates rates = sw_rates(1, t->in.h, t->in.q_before != NULL);
    sw_mass_damping_add(t->m, t->in.q, t->in.q_last, rates.last, out);
    if (t->in.q_before)
        sw_mass_damping_add(t->m, t->in.q, t->in.q_before, rates.before, out);
}

const swPotential sw_potential_loads = {
    .name = "loads", .energy = SW_ENERGY_LOADS, .add = add_loads};
const swPotential sw_potential_inertia = {.name = "inertia", .add = add_inertia};
const swPotential sw_potential_damping = {.name = "damping", .add = add_damping};
