// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Making, copying and saving the state of a body: everything expands from
// model/body_state_fields.inl.
#include "contact/near.h"
#include "integrate/integrator.h"
#include "kinematics/handles.h"
#include "kinematics/rigid.h"
#include "model/fields.h"
#include "world/inserts.h"

#include <string.h>

static int fields(const swBodyModel *m, swBlockField *field) {
    const swIntegrator *integrator = sw_integrator_at(m->settings->integrator);
    const int64_t nq = m->size.nq, ncontact = m->size.ncontact, nhandle = m->size.nhandle,
                  nbulk_point = m->size.nbulk_point, ncontrol = sw_control_count(m),
                  nplastic = m->size.nplastic, nrelax = m->size.nrelax,
                  nlead = m->size.nparticle > 0 ? nq : 0, npast = integrator->past ? nq : 0,
                  nbulk_past = integrator->past ? nbulk_point : 0, ninsert = sw_body_slots(m);
    int n = 0;
#define SW_FIELD(type, name, count) field[n++] = SW_FIELD_OF(swBodyState, type, name, count);
#include "model/body_state_fields.inl"
#undef SW_FIELD
    return n;
}

size_t sw_body_state_bytes(const swBodyModel *m) {
    swBlockField field[SW_MAX_FIELDS];
    return sw_fields_bytes(fields(m, field), field);
}

void sw_body_lay(swBodyState *s) {
    swBlockField field[SW_MAX_FIELDS];
    sw_fields_lay(fields(s->model, field), field, s, s->block);
}

void sw_body_items(swBodyState *s, swArchive *a) {
    swBlockField field[SW_MAX_FIELDS];
    sw_fields_items(fields(s->model, field), field, s, a);
}

swBodyState *sw_body_state_create(const swState *world, int index, swError *error) {
    const swModel *model = world->model;
    const swBodyModel *m = sw_model_body(model, index);
    const swAllocator *a = &m->config.allocator;
    swBodyState *s = sw_alloc(a, sizeof *s);
    if (!s) {
        sw_fail_memory(error, sizeof *s);
        return NULL;
    }
    s->config = m->config;
    s->world = world;
    s->index = index;
    s->model = s->base = m;
    s->pool = world->pool;
    s->q0 = model->q0 + model->place[index].q;
    s->v0 = model->v0 + model->place[index].q;
    s->block_size = sw_body_state_bytes(m);
    s->block = sw_alloc(a, s->block_size);
    if (!s->block)
        sw_fail_memory(error, s->block_size);
    if (!s->block || !(s->near = sw_near_create(m, model->size.ncollider, error))) {
        sw_body_state_destroy(s);
        return NULL;
    }
    sw_body_lay(s);
    return s;
}

void sw_body_state_destroy(swBodyState *s) {
    if (!s)
        return;
    const swAllocator a = s->config.allocator;
    if (s->model != s->base) // else its scratch is shared
        sw_work_destroy(s->work, &a);
    sw_near_destroy(s->near, s->world->model->size.ncollider);
    sw_free(&a, s->block, s->block_size);
    sw_inserts_destroy(s->inserts, &a);
    sw_free(&a, s, sizeof *s);
}

void sw_body_reset(swBodyState *s) {
    sw_inserts_end(s);
    memset(s->insert, 0, (size_t)sw_body_slots(s->base) * sizeof *s->insert);
    sw_body_start(s);
}

void sw_body_start(swBodyState *s) {
    const swBodyModel *m = s->model;
    const size_t slots = (size_t)sw_body_slots(m) * sizeof *s->insert,
                 base = (size_t)s->base->size.nq * sizeof *s->q;
    swInsertInfo insert[SW_INSERTS];
    memcpy(insert, s->insert, slots);
    memset(s->block, 0, s->block_size);
    memcpy(s->insert, insert, slots);
    memcpy(s->q, s->q0, base); // inserted frames come after those of the base model
    memcpy(s->v, s->v0, base);
    sw_nodes_sync(m, s->q);
    sw_handles_pose(m, s, 0, 1, s->q);
    sw_bulk_start(m, s->v, s->bulk_velocity);
    for (int64_t i = 0; i < sw_control_count(m); i++)
        s->activation_set[i] = NAN;
    sw_activations(m, s, 0, 1, s->activation);
    sw_plastic_reset(m, s->plastic);
    s->t = 0;
    s->h = s->next = s->end = m->settings->step;
    s->energy = NAN;
    memset(&s->report, 0, sizeof s->report);
    memset(&s->profile, 0, sizeof s->profile);
}

bool sw_body_copy(swBodyState *to, const swBodyState *from) {
    SW_ASSERT(to->base == from->base);
    if (!sw_body_refit(to, from->insert, NULL))
        return false;
    SW_ASSERT(to->block_size == from->block_size);
    swBlockField field[SW_MAX_FIELDS];
    const int n = fields(from->model, field);
    for (int i = 0; i < n; i++) {
        void *into, *array;
        memcpy(&into, (char *)to + field[i].at, sizeof into);
        memcpy(&array, (const char *)from + field[i].at, sizeof array);
        memcpy(into, array, (size_t)field[i].count * field[i].size);
    }
    to->t = from->t;
    to->h = from->h;
    to->next = from->next;
    to->end = from->end;
    to->report = from->report;
    to->energy = NAN;
    return true;
}
