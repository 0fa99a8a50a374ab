// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A state gets other inserted frames: another model, and everything it holds carried over.
#include "integrate/integrator.h"
#include "world/inserts.h"

#include <string.h>

// ---- what follows from a list of insertions ----

void sw_inserts_destroy(swInserts *in, const swAllocator *a) {
    if (!in)
        return;
    for (int i = 0; i < SW_INSERTS; i++)
        sw_bump_destroy(in->bump[i]);
    sw_derived_destroy(&in->derived, &in->spare);
    sw_free(a, in->spare.block, in->spare.size);
    sw_free(a, in->block, in->block_size);
    sw_free(a, in, sizeof *in);
}

bool sw_inserts_sane(const swBodyModel *base, const swInsertInfo *insert) {
    for (int i = 0; i < sw_body_slots(base); i++) {
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

static bool all_alike(int slots, const swInsertInfo *a, const swInsertInfo *b) {
    for (int i = 0; i < slots; i++)
        if (!alike(&a[i], &b[i]))
            return false;
    return true;
}

static bool owned(const swInserts *in, const swBump *bump, int slot) {
    return in && in->bump[slot] == bump;
}

// Bumps of the list, those of the state where they are the same.
static bool make_bumps(swInserts *to, const swBodyState *s, const swInsertInfo *insert,
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
static bool make_model(swInserts *in, const swBodyModel *base, swError *error) {
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
static int zone_at(const swInserts *in, int64_t zone) {
    return in && in->derived.model ? in->derived.zone[zone] : (int)zone;
}
static int bump_at(const swInserts *in, int slot) { return in->derived.bump_node[in->order[slot]]; }

static void carry(const swBodyState *s, const swBodyState *next, const swReal *from, swReal *to) {
    const swBodyModel *base = s->base;
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

void sw_refit_carry(const swRefit *r, const swBodyState *s, const swReal *from, swReal *to) {
    carry(s, &r->next, from, to);
}

static void carry_cells(const swBodyState *s, const swBodyState *next, const swReal *from,
                        swReal *to) {
    for (int64_t i = 0; i < s->base->size.nzone; i++) {
        const swZone *a = &s->model->zone[zone_at(s->inserts, i)],
                     *b = &next->model->zone[zone_at(next->inserts, i)];
        memcpy(to + b->strain, from + a->strain, (size_t)a->nstrain * sizeof *to);
    }
}

static int64_t plastic_at(const swBodyState *s, const swGroup *g, int block) {
    return s->inserts && s->inserts->derived.model
               ? s->inserts->derived.plastic[g->sample / SW_LANES + block]
               : g->plastic + (int64_t)block * SW_PLASTIC * SW_LANES;
}

static void carry_plastic(const swBodyState *s, swBodyState *next) {
    for (int64_t i = 0; i < s->base->size.ngroup; i++) {
        const swGroup *g = &s->base->group[i];
        for (int b = 0; g->plastic >= 0 && b < g->nblock; b++)
            memcpy(next->plastic + plastic_at(next, g, b), s->plastic + plastic_at(s, g, b),
                   SW_PLASTIC * SW_LANES * sizeof *s->plastic);
    }
}

#define CARRY(name, count) memcpy(next->name, s->name, (size_t)(count) * sizeof *s->name)

static void carry_all(const swBodyState *s, swBodyState *next, const swInsertInfo *insert) {
    const swBodySizes *size = &s->base->size;
    const bool past = sw_integrator_at(s->base->settings->integrator)->past;
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
    CARRY(touch, SW_TOUCHES * size->ncontact);
    CARRY(handle_wrench, 6 * size->nhandle);
    CARRY(bulk_velocity, size->nbulk_point);
    CARRY(activation, sw_control_count(s->base));
    CARRY(activation_set, sw_control_count(s->base));
    CARRY(rest, 1);
    CARRY(handle_place, size->nhandle);
    CARRY(keeping, SW_KEEPING);
    memcpy(next->insert, insert, SW_INSERTS * sizeof *insert);
}

// ---- from one to the other ----

static bool any_used(const swInsertInfo *insert) {
    for (int i = 0; i < SW_INSERTS; i++)
        if (insert[i].used)
            return true;
    return false;
}

// What belongs to the new one alone; the spare memory goes back.
static void drop(swInserts *in, swBodyState *s) {
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

bool sw_refit_begin(swRefit *r, swBodyState *s, const swInsertInfo *insert, swError *error) {
    const swAllocator *a = &s->config.allocator;
    swBodyState *next = &r->next;
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
            sw_body_lay(next);
            carry_all(s, next, insert);
            next->energy = NAN;
        }
        return true;
    }
    bool ok = make_bumps(in, s, insert, error) && make_model(in, s->base, error);
    if (ok) {
        next->model = in->derived.model;
        next->block_size = sw_body_state_bytes(next->model);
        next->block = sw_alloc(a, next->block_size);
        ok = next->block != NULL || sw_fail_memory(error, next->block_size);
    }
    if (ok && !(next->work = sw_work_create(next->model, s->pool, next->block_size, error))) {
        sw_free(a, next->block, next->block_size);
        ok = false;
    }
    if (!ok) {
        drop(in, s);
        return false;
    }
    sw_body_lay(next);
    carry_all(s, next, insert);
    next->energy = NAN;
    return true;
}

void sw_refit_abandon(swRefit *r, swBodyState *s) {
    const swAllocator *a = &s->config.allocator;
    if (r->next.model != s->base) {
        sw_work_destroy(r->next.work, a);
        sw_free(a, r->next.block, r->next.block_size);
    }
    drop(r->inserts, s);
}

// The base model's own memory is put by, the other is given back.
void sw_refit_commit(swRefit *r, swBodyState *s) {
    const swAllocator *a = &s->config.allocator;
    swInserts *old = s->inserts, *in = r->inserts;
    const swBodyState last = *s;
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

bool sw_body_refit(swBodyState *s, const swInsertInfo *insert, swError *error) {
    swRefit r;
    const int slots = sw_body_slots(s->base);
    if (all_alike(slots, s->insert, insert)) {
        if (s->insert != insert)
            memcpy(s->insert, insert, (size_t)slots * sizeof *insert);
        return true;
    }
    if (!sw_refit_begin(&r, s, insert, error))
        return false;
    sw_refit_commit(&r, s);
    return true;
}

void sw_inserts_end(swBodyState *s) {
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
        sw_body_lay(s);
    }
    sw_inserts_destroy(in, a);
    s->inserts = NULL;
}

const swBodyModel *sw_body_enter(const swBodyState *s) {
    if (s->model != s->base) { // sw_model_adjust() knows the base alone
        swBodyInfo *own = s->inserts->derived.model->body;
        own->damping_mass = s->base->body[0].damping_mass;
        own->damping_stiffness = s->base->body[0].damping_stiffness;
    }
    return s->model;
}
