// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "solve/work.h"

#include "potentials/muscle.h"
#include "kinematics/correct.h"
#include "kinematics/rigid.h"

#include <string.h>

// ---- all potentials there are ----

extern const swPotential sw_potential_loads, sw_potential_pulls, sw_potential_holds,
    sw_potential_muscles, sw_potential_pressure, sw_potential_samples, sw_potential_links,
    sw_potential_springs, sw_potential_reduced, sw_potential_particles, sw_potential_contact,
    sw_potential_bulk, sw_potential_inertia, sw_potential_damping, sw_potential_joints;

static const swPotential *const table[] = {
    &sw_potential_loads,    &sw_potential_pulls,     &sw_potential_holds,   &sw_potential_muscles,
    &sw_potential_pressure, &sw_potential_samples,   &sw_potential_links,   &sw_potential_springs,
    &sw_potential_reduced,  &sw_potential_particles, &sw_potential_contact, &sw_potential_bulk,
    &sw_potential_inertia,  &sw_potential_damping,   &sw_potential_joints,
};
_Static_assert(SW_COUNT(table) <= SW_POTENTIALS, "room for all of them");

const swPotential *sw_potential_at(int index) {
    return index >= 0 && index < SW_COUNT(table) ? table[index] : NULL;
}

// Half the diagonal of the body at rest.
swReal sw_body_length(const swBodyInfo *b) { return 0.5 * sw_norm(sw_sub(b->hi, b->lo)); }

// The length by which the gradient of each unknown is divided.
static void lay_out(const swBodyModel *m, swWork *w) {
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *node = &m->node[i];
        const swReal L = sw_body_length(&m->body[node->body]);
        for (int k = 0; k < node->ndof; k++) {
            if (sw_node_is_modes(
                    node)) { // of unit mass: their motion is about that over the body's
                w->length[node->dof + k] = 1 / sqrt(m->body[node->body].mass);
                continue;
            }
            int c = k % node->width;
            bool translation = node->ndof == 6 ? k < 3 : c == 0;
            w->length[node->dof + k] = translation ? 1 : c >= 4 && node->ndof != 6 ? L * L : L;
        }
    }
}

static swReal stiffness(const swMaterialInfo *m) {
    return m->young + m->volume + m->fibre_stiffness + m->fibre_strength;
}

bool sw_work_blocks(const swBodyModel *m, bool ambient, swArena *arena, swBlocks *out,
                    swError *error) {
    const size_t n = (size_t)m->size.nnode;
    int *row = SW_NEW(arena, n + 1, int, error), *column = SW_NEW(arena, m->size.npair, int, error),
        *size = SW_NEW(arena, n, int, error);
    if (!row || !column || !size)
        return false;
    for (int i = 0; i < m->size.nnode; i++)
        size[i] = ambient ? (m->node[i].u >= 0 ? m->node[i].nu : 0) : m->node[i].ndof;
    for (int p = 0; p < m->size.npair; p++) {
        row[m->pair[p].i + 1] = p + 1;
        column[p] = m->pair[p].j;
    }
    return sw_blocks_create(out, (swPattern){(int)n, row, column}, size, arena, error);
}

// Mass over the square of a short step makes for few.
int sw_work_gradients(const swSettings *settings) {
    return settings->analysis == SW_ANALYSIS_DYNAMIC ? 60 : 250;
}

// The Hessian, where it goes without rigid nodes' ambient numbers, and what solves with that.
static bool make_matrices(const swBodyModel *m, swWork *w, swError *error) {
    w->folded = m->size.nu != m->size.ndof;
    if (!sw_work_blocks(m, true, &w->arena, &w->H, error))
        return false;
    w->A = w->H;
    if (sw_corrected_node(m) >= 0 &&
        !(w->kept = SW_NEW(&w->arena, (size_t)w->H.count, swReal, error)))
        return false;
    return (!w->folded || sw_work_blocks(m, false, &w->arena, &w->A, error)) &&
           sw_linear_create(&w->linear, &w->A, (swLinearKind)m->settings->linear,
                            sw_work_gradients(m->settings), &w->arena, error) &&
           sw_warped_create(&w->warped, m, &w->A, &w->arena, error);
}

// Room to look whether an equilibrium is stable.
static bool make_saddle(const swBodyModel *m, swWork *w, swError *error) {
    bool ok = true;
    for (int i = 0; ok && i < SW_COUNT(w->search); i++)
        ok = (w->search[i] = SW_NEW(&w->arena, m->size.ndof, swReal, error));
    return ok && (w->saddle.q = SW_NEW(&w->arena, m->size.nq, swReal, error)) &&
           (w->saddle.relax = SW_NEW(&w->arena, m->size.nrelax, swReal, error)) &&
           (w->saddle.activation = SW_NEW(&w->arena, sw_control_count(m), swReal, error)) &&
           (w->saddle.plastic = SW_NEW(&w->arena, m->size.nplastic, swReal, error));
}

swWork *sw_work_create(const swBodyModel *m, swPool *pool, size_t saved, swError *error) {
    const swAllocator *a = &m->config.allocator;
    swWork *w = sw_alloc(a, sizeof *w);
    if (!w) {
        sw_fail_memory(error, sizeof *w);
        return NULL;
    }
    sw_arena_init(&w->arena, a);
    const size_t nq = (size_t)m->size.nq, ndof = (size_t)m->size.ndof;
    bool ok = (w->saved = SW_NEW(&w->arena, saved, char, error)) &&
              (w->part = SW_NEW(&w->arena, saved, char, error)) &&
              (w->q_new = SW_NEW(&w->arena, nq, swReal, error)) &&
              (w->q_trial = SW_NEW(&w->arena, nq, swReal, error)) &&
              (w->q_begin = SW_NEW(&w->arena, nq, swReal, error)) &&
              (w->q_start = SW_NEW(&w->arena, nq, swReal, error)) &&
              (w->q_end = SW_NEW(&w->arena, nq, swReal, error)) &&
              (w->target = SW_NEW(&w->arena, nq, swReal, error)) &&
              (w->g = SW_NEW(&w->arena, nq, swReal, error)) && make_matrices(m, w, error) &&
              (w->residual = SW_NEW(&w->arena, ndof, swReal, error)) &&
              (w->step = SW_NEW(&w->arena, ndof, swReal, error)) &&
              (w->size = SW_NEW(&w->arena, ndof, swReal, error)) &&
              (w->length = SW_NEW(&w->arena, ndof, swReal, error)) &&
              (w->balance = SW_NEW(&w->arena, m->size.nbody, swBalance, error)) &&
              (w->activation = SW_NEW(&w->arena, sw_control_count(m), swReal, error)) &&
              (w->turn[0] = SW_NEW(&w->arena, sw_control_count(m), swReal, error)) &&
              (w->turn[1] = SW_NEW(&w->arena, sw_control_count(m), swReal, error)) &&
              (w->plastic = SW_NEW(&w->arena, m->size.nplastic, swReal, error)) &&
              (w->relax = SW_NEW(&w->arena, m->size.nrelax, swReal, error)) &&
              (w->relax_start = SW_NEW(&w->arena, m->size.nrelax, swReal, error)) &&
              make_saddle(m, w, error) &&
              sw_elastic_create(&w->elastic, m, sw_pool_size(pool), true, &w->arena, error) &&
              sw_bulk_create(&w->bulk, m, &w->arena, error) &&
              sw_inflate_create(&w->inflate, m, &w->arena, error) &&
              (w->gas[0] = SW_NEW(&w->arena, w->inflate.gas ? ndof : 0, swReal, error)) &&
              (w->gas[1] = SW_NEW(&w->arena, w->inflate.gas ? ndof : 0, swReal, error)) &&
              (w->bulk_last = SW_NEW(&w->arena, m->size.nbulk_point, swVec3, error)) &&
              (w->bulk_target = SW_NEW(&w->arena, m->size.nbulk_point, swVec3, error)) &&
              (w->bulk_at = SW_NEW(&w->arena, m->size.nbulk_point, swVec3, error)) &&
              (w->bulk_trial = SW_NEW(&w->arena, m->size.nbulk_point, swVec3, error));
    if (!ok) {
        sw_work_destroy(w, a);
        return NULL;
    }
    for (int i = 0; sw_potential_at(i); i++)
        if (sw_potential_at(i)->create &&
            !(w->potential[i] = sw_potential_at(i)->create(m, &w->arena, error))) {
            sw_work_destroy(w, a);
            return NULL;
        }
    sw_linear_watch(&w->linear, pool);
    lay_out(m, w);
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swMaterialInfo *material = &m->material[m->group[i].material];
        swBalance *b = &w->balance[m->group[i].body];
        b->young = sw_max(b->young, stiffness(material));
        b->bulk = sw_max(b->bulk, material->lame[1] + 2.0 / 3 * material->lame[0]);
    }
    for (int64_t i = 0; i < m->size.nbody; i++)
        w->balance[i].young = sw_max(w->balance[i].young, m->body[i].stiffness);
    w->gravity = sw_v3(NAN, NAN, NAN);
    return w;
}

// Dead forces on points of bulk, anew where gravity has been changed.
static void weigh(const swBodyModel *m, swWork *w) {
    if (memcmp(&w->gravity, &m->settings->gravity, sizeof w->gravity) == 0)
        return;
    w->gravity = m->settings->gravity;
    for (int64_t i = 0; i < m->size.nbody; i++)
        w->balance[i].weight = 0;
    for (int i = 0; i < m->size.nbulk; i++)
        w->balance[m->bulk[i].body].weight += sw_bulk_weight(m, i);
}

void sw_work_destroy(swWork *w, const swAllocator *allocator) {
    if (!w)
        return;
    sw_arena_free(&w->arena);
    sw_free(allocator, w, sizeof *w);
}

// Raises each body's scale to the largest entry of an ambient gradient as a force: entries of
// monomials of degree k are divided by L^k.
static void raise_scales(const swBodyModel *m, const swReal *q, const swReal *g,
                         swBalance *balance) {
    for (int64_t i = 0; i < m->size.nnode; i++) {
        const swNode *node = &m->node[i];
        const swReal L = sw_body_length(&m->body[node->body]);
        swReal *scale = &balance[node->body].scale;
        if (sw_node_is_dual(node)) {
            swVec3 force, torque, at = {q[node->q], q[node->q + 4], q[node->q + 8]};
            sw_node_wrench(node, q, g, at, &force, &torque);
            *scale = sw_max(*scale, sw_max(sw_norm(force), sw_norm(torque) / L));
            continue;
        }
        for (int k = 0; sw_node_is_modes(node) && k < node->nu; k++)
            *scale =
                sw_max(*scale, fabs(g[sw_node_ambient(node) + k]) * sqrt(m->body[node->body].mass));
        for (int k = 0; k < 3 * node->width; k++) {
            int c = k % node->width;
            *scale = sw_max(*scale, fabs(g[node->q + k]) / (c == 0 ? 1 : c < 4 ? L : L * L));
        }
    }
}

static void gather(swValue *value, swSystem *sys) {
    value->energy += sys->energy;
    value->magnitude += fabs(sys->energy) + sys->cancelled;
    sys->energy = sys->cancelled = 0;
}

swContactInput sw_body_contact(const swBodyState *s, const swReal *q, swReal t) {
    int contact = 0;
    while (sw_potential_at(contact) != &sw_potential_contact)
        contact++;
    return (swContactInput){.q = q,
                            .t = t,
                            .touch = s->touch,
                            .world = s->world,
                            .near = s->near,
                            .work = s->work->potential[contact]};
}

void sw_body_begin_contact(swBodyState *s, const swReal *q, const swObjective *o) {
    swContactInput in = sw_body_contact(s, q, o->t);
    in.h = o->h;
    sw_contact_begin(s->model, &in);
}

swTerm sw_objective_term(swBodyState *s, const swObjective *o, const swReal *q) {
    const swWork *w = s->work;
    return (swTerm){.m = s->model,
                    .s = s,
                    .elastic = &w->elastic,
                    .bulk = &w->bulk,
                    .inflate = &w->inflate,
                    .in = {.q = q,
                           .q_last = o->q_last,
                           .q_before = o->q_before,
                           .h = o->h,
                           .damping = o->damping,
                           .activation = o->activation ? o->activation : s->activation,
                           .plastic = o->plastic ? o->plastic : s->plastic,
                           .relax = w->relax,
                           .relax_last = s->relax,
                           .relax_before = s->relax_past,
                           .frozen = o->frozen},
                    .target = o->target,
                    .bulk_target = w->bulk_target,
                    .bulk_last = w->bulk_last,
                    .bulk_before = o->bulk_before,
                    .inertia = o->inertia,
                    .t = o->t,
                    .load = o->load,
                    .linear = o->linear,
                    .about = o->about};
}

swValue sw_objective_evaluate(const swBodyModel *m, swBodyState *s, const swObjective *o,
                              const swReal *q, bool gradient, bool hessian,
                              swProjection projection) {
    swWork *w = s->work;
    swSystem sys = {.g = gradient || hessian ? w->g : NULL,
                    .H = hessian ? &w->H : NULL,
                    .projection = projection,
                    .gauss_newton = projection != SW_PROJECT_NONE ||
                                    (m->settings->tangent == SW_TANGENT_GAUSS_NEWTON && !o->exact)};
    swValue value = {0};
    for (int64_t i = 0; i < m->size.nbody && sys.g; i++)
        w->balance[i].scale = 0;
    if (sys.g)
        memset(w->g, 0, (size_t)m->size.nq * sizeof *w->g);
    if (sys.H) {
        sw_blocks_clear(&w->H);
        w->mass_factor = 0;
    }

    swTerm term = sw_objective_term(s, o, q);
    for (int i = 0; sw_potential_at(i); i++) {
        const swPotential *p = sw_potential_at(i);
        term.work = w->potential[i];
        if (p->add)
            p->add(&term, &sys);
        if (sys.H && w->kept && projection == SW_PROJECT_NONE && p == &sw_potential_samples)
            memcpy(w->kept, w->H.value, (size_t)w->H.count * sizeof *w->kept);
        gather(&value, &sys);
        if (sys.g && p->measured)
            raise_scales(m, q, w->g, w->balance);
    }
    if (sys.g) { // what is on points of bulk is no gradient yet
        weigh(m, w);
        w->balance->scale = sw_max(w->balance->scale, o->load * w->balance->weight);
    }
    value.unrelaxed = sys.unrelaxed;
    value.contacts = sys.contacts;
    if (sys.g)
        sw_nodes_release(m, w->g);
    return value;
}

void sw_objective_renew(const swBodyModel *m, swBodyState *s, const swObjective *o,
                        const swReal *q) {
    swWork *w = s->work;
    swSystem sys = {.g = w->q_trial,
                    .H = &w->H,
                    .gauss_newton = m->settings->tangent == SW_TANGENT_GAUSS_NEWTON && !o->exact};
    memset(w->q_trial, 0, (size_t)m->size.nq * sizeof *w->q_trial);
    memcpy(w->H.value, w->kept, (size_t)w->H.count * sizeof *w->kept);
    w->mass_factor = 0;
    swTerm term = sw_objective_term(s, o, q);
    bool after = false;
    for (int i = 0; sw_potential_at(i); i++) {
        const swPotential *p = sw_potential_at(i);
        term.work = w->potential[i];
        if (after && p->add)
            p->add(&term, &sys);
        after = after || p == &sw_potential_samples;
    }
}
