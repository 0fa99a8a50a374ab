// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Energy and momentum of a body.
#include "potentials/muscle.h"
#include "world/body.h"

swEnergy sw_body_energy(const swBodyState *s) { return sw_body_energy_with(s, s->activation); }

static swReal kinetic_energy(const swBodyModel *m, const swBodyState *s) {
    swReal sum = sw_mass_energy(m, s->v);
    for (int i = 0; i < m->size.nbulk; i++)
        for (int k = 0; k < m->bulk[i].nblock * SW_LANES; k++)
            sum += 0.5 * sw_bulk_mass(m, i, k) * sw_norm2(s->bulk_velocity[m->bulk[i].point + k]);
    return sum;
}

// Energies of the potentials where the state is, by kinds; `elastic`: of that kind alone.
static void add_energies(swBodyState *s, const swReal *activation, bool elastic,
                         swReal energy[SW_ENERGIES]) {
    const swObjective here = {.load = 1, .t = s->t, .activation = activation};
    swTerm term = sw_objective_term(s, &here, s->q);
    for (int i = 0; sw_potential_at(i); i++) {
        const swPotential *p = sw_potential_at(i);
        swSystem sys = {0};
        term.work = s->work->potential[i];
        if (p->add && p->energy != SW_ENERGY_NONE && (!elastic || p->energy == SW_ENERGY_ELASTIC))
            p->add(&term, &sys);
        energy[p->energy] += sys.energy;
    }
}

swReal sw_body_elastic_with(swBodyState *s, const swReal *activation) {
    swReal energy[SW_ENERGIES] = {0};
    add_energies(s, activation, true, energy);
    return energy[SW_ENERGY_ELASTIC] + sw_follow_energy(s->model, activation);
}

swEnergy sw_body_energy_with(const swBodyState *state, const swReal *activation) {
    swBodyState *s = (swBodyState *)state; // its scratch memory alone is written to
    const swBodyModel *m = sw_body_enter(s);
    swReal energy[SW_ENERGIES] = {0};
    sw_amplitudes_recall(s);
    sw_particles_turn(m, &s->work->elastic.particles, s->pool, s->q);
    add_energies(s, activation, false, energy);
    return (swEnergy){energy[SW_ENERGY_ELASTIC] + sw_follow_energy(m, activation),
                      kinetic_energy(m, s),
                      energy[SW_ENERGY_LOADS],
                      energy[SW_ENERGY_CONTACT],
                      energy[SW_ENERGY_PULL],
                      energy[SW_ENERGY_MUSCLE]};
}

void sw_body_momentum(const swBodyState *s, swVec3 *linear, swVec3 *angular) {
    const swBodyModel *m = s->model;
    *linear = *angular = sw_v3(0, 0, 0);
    swVec3 *place = s->work->bulk_last; // free between steps
    sw_bulk_positions(m, s->q, place);
    for (int i = 0; i < m->size.nbulk; i++)
        for (int k = 0; k < m->bulk[i].nblock * SW_LANES; k++) {
            const int at = m->bulk[i].point + k;
            const swVec3 p = sw_scale(sw_bulk_mass(m, i, k), s->bulk_velocity[at]);
            *linear = sw_add(*linear, p);
            *angular = sw_add(*angular, sw_cross(place[at], p));
        }
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *n = &m->node[i];
        const swReal *v = s->v + n->q;
        for (int c = 0; c < n->width && !sw_node_is_dual(n); c++)
            *linear = sw_madd(*linear, m->weight_load[n->q / 3 + c],
                              sw_v3(v[c], v[n->width + c], v[2 * n->width + c]));
    }
    for (int64_t i = 0; i < m->size.nreduced; i++) {
        const swReducedInfo *info = &m->reduced[i];
        const swNode *n = &m->node[info->node];
        const swMat3 R = sw_node_rotation(n, s->q);
        swVec3 first;
        swMat3 M; // of velocities with places
        sw_reduced_moments(m, info, s->q + sw_node_ambient(n), s->v + sw_node_ambient(n), &first,
                           &M);
        const swVec3 p = sw_mul(R, first),
                     L = sw_v3(M.m[7] - M.m[5], M.m[2] - M.m[6], M.m[3] - M.m[1]),
                     origin = sw_v3(s->q[n->q], s->q[n->q + 4], s->q[n->q + 8]);
        *linear = sw_add(*linear, p);
        *angular = sw_add(*angular, sw_add(sw_mul(R, L), sw_cross(origin, p)));
    }
    for (int64_t p = 0; p < m->size.npair; p++)
        for (int swap = 0; m->pair[p].mass >= 0 && swap <= (m->pair[p].i != m->pair[p].j);
             swap++) { // M_ab x_a x v_b over both orders
            const swNode *ni = &m->node[m->pair[p].i], *nj = &m->node[m->pair[p].j];
            const swReal *M = m->mass + m->pair[p].mass;
            for (int a = 0; a < ni->width; a++)
                for (int b = 0; b < nj->width; b++) {
                    const swNode *nx = swap ? nj : ni, *nv = swap ? ni : nj;
                    int cx = swap ? b : a, cv = swap ? a : b;
                    const swReal *x = s->q + nx->q, *v = s->v + nv->q;
                    swVec3 X = sw_v3(x[cx], x[nx->width + cx], x[2 * nx->width + cx]);
                    swVec3 V = sw_v3(v[cv], v[nv->width + cv], v[2 * nv->width + cv]);
                    *angular = sw_madd(*angular, M[a * nj->width + b], sw_cross(X, V));
                }
        }
}
