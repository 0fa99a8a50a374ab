// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "potentials/muscle.h"
#include "potentials/potential.h"

#include "potentials/point_force.h"

// The rounded distance, and what the potential and its derivatives in it are.
typedef struct {
    swReal l, energy, force, stiffness;
} swPulling;

static swPulling pulling(const swMuscleInfo *muscle, swReal activation, swVec3 between) {
    const swReal round = 1e-3 * muscle->length, L = hypot(muscle->length, round),
                 l = sqrt(sw_norm2(between) + round * round), longer = sw_max(0, l - L),
                 k = longer > 0 ? muscle->stiffness : 0, active = activation * muscle->strength;
    return (swPulling){l, active * l + 0.5 * k * longer * longer, active + k * longer, k};
}

swReal sw_muscle_tension(const swMuscleInfo *muscle, swReal activation, swVec3 between) {
    const swPulling p = pulling(muscle, activation, between);
    return p.force * sw_norm(between) / p.l;
}

swReal sw_muscles_stiffness(const swBodyModel *m, int body) {
    swReal sum = 0;
    for (int64_t i = 0; i < m->size.nmuscle; i++)
        if (m->muscle[i].body == body)
            sum += m->muscle[i].stiffness + m->muscle[i].strength / m->muscle[i].length;
    return sum;
}

void sw_muscles_add(const swBodyModel *m, const swReal *activation, const swReal *q,
                    swSystem *out) {
    for (int i = 0; i < m->size.nmuscle; i++) {
        const swMuscleInfo *muscle = &m->muscle[i];
        const swAnchor from = sw_point_anchor(m, muscle->point[0]),
                       to = sw_point_anchor(m, muscle->point[1]);
        const swVec3 d = sw_sub(sw_anchor_position(m, q, &from), sw_anchor_position(m, q, &to));
        const swPulling p = pulling(muscle, activation[sw_control_muscle(m, i)], d);
        const swVec3 n = sw_scale(1 / p.l, d);
        swPointForce one = {.energy = p.energy, .gradient = sw_scale(p.force, n)}, other;
        swReal across[9];
        for (int a = 0; a < 9; a++) {
            const swReal nn = sw_get(n, a / 3) * sw_get(n, a % 3);
            one.hessian[a] = p.stiffness * nn + p.force / p.l * ((a % 4 == 0) - nn);
            across[a] = -one.hessian[a];
        }
        other = one;
        other.energy = 0;
        other.gradient = sw_scale(-1, one.gradient);
        sw_point_force_add(m, q, &from, &one, out);
        sw_point_force_add(m, q, &to, &other, out);
        sw_point_couple_add(m, q, &from, &to, across, out);
    }
}

// ---- in the table ----

static void add(const swTerm *t, swSystem *out) {
    sw_muscles_add(t->m, t->in.activation, t->in.q, out);
}

static bool couple(const swBodyModel *m, swCouple *visit, void *arg) {
    for (int64_t i = 0; i < m->size.nmuscle; i++) {
        const int *from = m->point_start + m->muscle[i].point[0],
                  *to = m->point_start + m->muscle[i].point[1];
        if (!visit(from[1] - from[0], m->point_node + from[0], to[1] - to[0], m->point_node + to[0],
                   arg))
            return false;
    }
    return true;
}

static swReal stiffness(const swBodyState *s) { return sw_muscles_stiffness(s->model, 0); }

const swPotential sw_potential_muscles = {.name = "muscles",
                                          .energy = SW_ENERGY_MUSCLE,
                                          .add = add,
                                          .couple = couple,
                                          .stiffness = stiffness};
