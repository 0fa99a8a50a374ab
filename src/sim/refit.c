// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A state gets other inserted frames: another model, and everything it holds carried over.
#include "integrate/integrator.h"
#include "sim/inserts.h"

#include <string.h>

// ---- what follows from a list of insertions ----

void sw_inserts_destroy(swInserts *in, const swAllocator *a) {
    if (!in)
        return;
    for (int i = 0; i < SW_INSERTS; i++)
        sw_bump_destroy(in->bump[i]);
    sw_derived_destroy(&in->derived, &in->spare);
    sw_free(a, in->spare.block, in->spare.size);
    sw_work_destroy(in->work, a);
    sw_free(a, in->block, in->block_size);
    sw_free(a, in, sizeof *in);
}

bool sw_inserts_sane(const swModel *base, const swInsertInfo *insert) {
    for (int i = 0; i < SW_INSERTS; i++) {
        const swInsertInfo *at = &insert[i];
        if (at->used &&
            (at->used != 1 || at->body < 0 || at->body >= base->size.nbody || at->distance < 0 ||
             at->distance > SW_DISTANCE_GEODESIC || !(at->range > 0) || isinf(at->range) ||
             !isfinite(at->rest.x) || !isfinite(at->rest.y) || !isfinite(at->rest.z)))
            return false;
    }
    return true;
}

// Whether they make the same model.
static bool alike(const swInsertInfo *a, const swInsertInfo *b) {
    return a->used == b->used &&
           (!a->used || (a->body == b->body && a->distance == b->distance && a->range == b->range &&
                         memcmp(&a->rest, &b->rest, sizeof a->rest) == 0));
}

static bool all_alike(const swInsertInfo *a, const swInsertInfo *b) {
    for (int i = 0; i < SW_INSERTS; i++)
        if (!alike(&a[i], &b[i]))
            return false;
    return true;
}

static bool owned(const swInserts *in, const swBump *bump, int slot) {
    return in && in->bump[slot] == bump;
}

// Bumps of the list, those of the state where they are the same.
static bool make_bumps(swInserts *to, const swState *s, const swInsertInfo *insert,
                       swError *error) {
    const swInserts *from = s->inserts;
    if (from) {
        memcpy(to->met, from->met, sizeof to->met);
        memcpy(to->cross, from->cross, sizeof to->cross);
    }
    for (int i = 0; i < SW_INSERTS; i++) {
        if (!insert[i].used)
            continue;
        const bool same = from && from->bump[i] && alike(&insert[i], &s->insert[i]);
        to->bump[i] = same ? from->bump[i] : sw_bump_create(s->base, &insert[i], error);
        if (!to->bump[i])
            return false;
    }
    for (int i = 0; i < SW_INSERTS; i++)
        for (int j = 0; j < i; j++)
            if (to->bump[i] && to->bump[j] &&
                !(owned(from, to->bump[i], i) && owned(from, to->bump[j], j)))
                to->met[SW_INSERTS * i + j] =
                    sw_bump_cross(s->base, to->bump[i], to->bump[j], to->cross[SW_INSERTS * i + j]);
    return true;
}

// The model with all bumps: by body, then by slot.
static bool make_model(swInserts *in, const swModel *base, swError *error) {
    swBumps bumps = {0};
    int slot[SW_INSERTS];
    for (int body = 0; body < base->size.nbody; body++)
        for (int i = 0; i < SW_INSERTS; i++)
            if (in->bump[i] && in->bump[i]->body == body) {
                in->order[i] = bumps.n;
                slot[bumps.n] = i;
                bumps.bump[bumps.n++] = in->bump[i];
            }
    for (int i = 0; i < bumps.n; i++)
        for (int j = 0; j < i; j++) {
            const int at = SW_INSERTS * slot[i] + slot[j];
            if (bumps.bump[i]->body == bumps.bump[j]->body && in->met[at])
                bumps.cross[SW_INSERTS * i + j] = in->cross[at];
        }
    return sw_derived_create(&in->derived, base, &bumps, &in->spare, error);
}

// ---- carrying over ----

// Where a base model's things are in a state's model: the same places where that is the base.
static int node_at(const swInserts *in, int node) {
    return in && in->derived.model ? in->derived.node[node] : node;
}
static int cell_at(const swInserts *in, int64_t cell) {
    return in && in->derived.model ? in->derived.cell[cell] : (int)cell;
}
static int bump_at(const swInserts *in, int slot) { return in->derived.bump_node[in->order[slot]]; }

static void carry(const swState *s, const swState *next, const swReal *from, swReal *to) {
    const swModel *base = s->base;
    for (int i = 0; i < base->size.nnode; i++) {
        const swNode *a = &s->model->node[node_at(s->inserts, i)],
                     *b = &next->model->node[node_at(next->inserts, i)];
        memcpy(to + b->q, from + a->q, (size_t)sw_node_size(a) * sizeof *to);
    }
    for (int i = 0; i < SW_INSERTS; i++)
        if (next->inserts->bump[i] && owned(s->inserts, next->inserts->bump[i], i))
            memcpy(to + next->model->node[bump_at(next->inserts, i)].q,
                   from + s->model->node[bump_at(s->inserts, i)].q, 12 * sizeof *to);
}

void sw_refit_carry(const swRefit *r, const swState *s, const swReal *from, swReal *to) {
    carry(s, &r->next, from, to);
}

static void carry_cells(const swState *s, const swState *next, const swReal *from, swReal *to) {
    for (int64_t i = 0; i < s->base->size.ncell; i++) {
        const swCell *a = &s->model->cell[cell_at(s->inserts, i)],
                     *b = &next->model->cell[cell_at(next->inserts, i)];
        memcpy(to + b->mode, from + a->mode, (size_t)a->nmode * sizeof *to);
    }
}

static int64_t plastic_at(const swState *s, const swGroup *g, int block) {
    return s->inserts && s->inserts->derived.model
               ? s->inserts->derived.plastic[g->sample / SW_LANES + block]
               : g->plastic + (int64_t)block * SW_PLASTIC * SW_LANES;
}

static void carry_plastic(const swState *s, swState *next) {
    for (int64_t i = 0; i < s->base->size.ngroup; i++) {
        const swGroup *g = &s->base->group[i];
        for (int b = 0; g->plastic >= 0 && b < g->nblock; b++)
            memcpy(next->plastic + plastic_at(next, g, b), s->plastic + plastic_at(s, g, b),
                   SW_PLASTIC * SW_LANES * sizeof *s->plastic);
    }
}

#define CARRY(name, count) memcpy(next->name, s->name, (size_t)(count) * sizeof *s->name)

static void carry_all(const swState *s, swState *next, const swInsertInfo *insert) {
    const swModelSizes *size = &s->base->size;
    const bool past = sw_integrator_at(s->base->settings.integrator)->past;
    memset(next->block, 0, next->block_size);
    carry(s, next, s->q, next->q);
    carry(s, next, s->v, next->v);
    carry_cells(s, next, s->relax, next->relax);
    carry_plastic(s, next);
    if (past) {
        carry(s, next, s->q_past, next->q_past);
        carry(s, next, s->v_past, next->v_past);
        carry_cells(s, next, s->relax_past, next->relax_past);
        CARRY(bulk_past, size->nbulk_point);
        CARRY(bulk_velocity_past, size->nbulk_point);
        CARRY(remembered, 1);
    }
    CARRY(contact_force, size->ncontact * size->ncollider);
    CARRY(ball_force, size->ncontact);
    CARRY(handle_wrench, 6 * size->nhandle);
    CARRY(bulk_velocity, size->nbulk_point);
    CARRY(activation, sw_control_count(s->base));
    CARRY(activation_set, sw_control_count(s->base));
    CARRY(pull, SW_PULLS);
    CARRY(ball, 1);
    CARRY(handle_place, size->nhandle);
    CARRY(keeping, SW_KEEPING);
    memcpy(next->insert, insert, SW_INSERTS * sizeof *insert);
    for (int i = 0; i < size->nnode; i++) // no inserted frame is pulled
        for (int p = 0; p < SW_PULLS; p++)
            if (s->pull[p].node == node_at(s->inserts, i) && s->pull[p].stiffness > 0)
                next->pull[p].node = node_at(next->inserts, i);
}

// ---- from one to the other ----

static bool any_used(const swInsertInfo *insert) {
    for (int i = 0; i < SW_INSERTS; i++)
        if (insert[i].used)
            return true;
    return false;
}

// What belongs to the new one alone; the spare memory goes back.
static void drop(swInserts *in, swState *s) {
    for (int i = 0; i < SW_INSERTS; i++)
        if (owned(s->inserts, in->bump[i], i))
            in->bump[i] = NULL;
    sw_derived_destroy(&in->derived, &in->spare);
    if (s->inserts) {
        s->inserts->spare = in->spare;
        in->spare = (swSpare){0};
    }
    sw_inserts_destroy(in, &s->config.allocator);
}

bool sw_refit_begin(swRefit *r, swState *s, const swInsertInfo *insert, swError *error) {
    const swAllocator *a = &s->config.allocator;
    swState *next = &r->next;
    swInserts *in = sw_alloc(a, sizeof *in);
    *next = *s;
    next->inserts = r->inserts = in;
    if (!in)
        return sw_fail_memory(error, sizeof *in);
    for (int i = 0; i < SW_INSERTS; i++)
        in->order[i] = -1;
    if (s->inserts) {
        in->spare = s->inserts->spare;
        s->inserts->spare = (swSpare){0};
    }
    if (!any_used(insert)) { // what was put by
        next->model = s->base;
        if (s->model != s->base) {
            next->block = s->inserts->block;
            next->block_size = s->inserts->block_size;
            next->work = s->inserts->work;
            sw_state_lay(next);
            carry_all(s, next, insert);
            next->work->energy_step = -1;
        }
        return true;
    }
    bool ok = make_bumps(in, s, insert, error) && make_model(in, s->base, error);
    if (ok) {
        next->model = in->derived.model;
        next->block_size = sw_state_bytes(next->model);
        next->block = sw_alloc(a, next->block_size);
        ok = next->block != NULL || sw_fail_memory(error, next->block_size);
    }
    if (ok && !(next->work = sw_work_create(next->model, s->pool, error))) {
        sw_free(a, next->block, next->block_size);
        ok = false;
    }
    if (!ok) {
        drop(in, s);
        return false;
    }
    sw_state_lay(next);
    carry_all(s, next, insert);
    return true;
}

void sw_refit_abandon(swRefit *r, swState *s) {
    const swAllocator *a = &s->config.allocator;
    if (r->next.model != s->base) {
        sw_work_destroy(r->next.work, a);
        sw_free(a, r->next.block, r->next.block_size);
    }
    drop(r->inserts, s);
}

// The base model's own memory is put by, the other is given back.
void sw_refit_commit(swRefit *r, swState *s) {
    const swAllocator *a = &s->config.allocator;
    swInserts *old = s->inserts, *in = r->inserts;
    const swState last = *s;
    *s = r->next;
    if (last.model == last.base && s->model != s->base) {
        in->block = last.block;
        in->block_size = last.block_size;
        in->work = last.work;
    } else if (last.model != last.base) {
        sw_work_destroy(last.work, a);
        sw_free(a, last.block, last.block_size);
        if (s->model != s->base) {
            in->block = old->block;
            in->block_size = old->block_size;
            in->work = old->work;
        }
        old->block = NULL;
        old->work = NULL;
    }
    for (int i = 0; old && i < SW_INSERTS; i++)
        if (in->bump[i] == old->bump[i])
            old->bump[i] = NULL;
    if (old)
        sw_derived_destroy(&old->derived, &in->spare);
    sw_inserts_destroy(old, a);
}

bool sw_state_refit(swState *s, const swInsertInfo *insert, swError *error) {
    swRefit r;
    if (all_alike(s->insert, insert)) {
        if (s->insert != insert)
            memcpy(s->insert, insert, SW_INSERTS * sizeof *insert);
        return true;
    }
    if (!sw_refit_begin(&r, s, insert, error))
        return false;
    sw_refit_commit(&r, s);
    return true;
}

void sw_inserts_end(swState *s) {
    const swAllocator *a = &s->config.allocator;
    swInserts *in = s->inserts;
    if (s->model != s->base) {
        sw_work_destroy(s->work, a);
        sw_free(a, s->block, s->block_size);
        s->model = s->base;
        s->work = in->work;
        s->block = in->block;
        s->block_size = in->block_size;
        in->work = NULL;
        in->block = NULL;
        sw_state_lay(s);
    }
    sw_inserts_destroy(in, a);
    s->inserts = NULL;
}

const swModel *sw_state_enter(const swModel *m, const swState *s) {
    SW_ASSERT(m == s->base || m == s->model);
    if (s->model != s->base) { // sw_model_adjust() knows the base alone
        swModel *own = s->inserts->derived.model;
        own->settings = s->base->settings;
        for (int64_t i = 0; i < own->size.nbody; i++) {
            own->body[i].damping_mass = s->base->body[i].damping_mass;
            own->body[i].damping_stiffness = s->base->body[i].damping_stiffness;
        }
    }
    return s->model;
}
