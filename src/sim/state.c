// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Making, copying, saving and hashing states: everything expands from model/state_fields.inl.
#include "integrate/integrator.h"
#include "model/archive.h"
#include "kinematics/handles.h"
#include "kinematics/rigid.h"
#include "sim/inserts.h"

#include <string.h>

enum { ALIGN = 64, VERSION = 7 };

#define STATE_COUNTS(m) \
    const int64_t nq = (m)->size.nq, ncontact = (m)->size.ncontact, \
                  ncollider = (m)->size.ncollider, nhandle = (m)->size.nhandle, \
                  nbulk_point = (m)->size.nbulk_point, ncontrol = sw_control_count(m), \
                  nplastic = (m)->size.nplastic, nrelax = (m)->size.nrelax, \
                  nlead = (m)->size.nparticle > 0 ? nq : 0; \
    const swIntegrator *integrator = sw_integrator_at((m)->settings.integrator); \
    const int64_t npast = integrator->past ? nq : 0, nbulk_past = integrator->past ? nbulk_point : 0

static size_t padded(size_t bytes) { return (bytes + ALIGN - 1) / ALIGN * ALIGN; }

size_t sw_state_bytes(const swModel *m) {
    STATE_COUNTS(m);
    size_t bytes = ALIGN;
#define SW_FIELD(type, name, count) bytes += padded((size_t)(count) * sizeof(type));
#include "model/state_fields.inl"
#undef SW_FIELD
    return bytes;
}

void sw_state_lay(swState *s) {
    STATE_COUNTS(s->model);
    char *at = (char *)padded((size_t)(uintptr_t)s->block);
#define SW_FIELD(type, name, count) \
    s->name = (type *)(void *)at; \
    at += padded((size_t)(count) * sizeof(type));
#include "model/state_fields.inl"
#undef SW_FIELD
}

swState *sw_state_create(const swModel *m, swError *error) {
    sw_error_clear(error);
    const swAllocator *a = &m->config.allocator;
    swState *s = sw_alloc(a, sizeof *s);
    if (!s) {
        sw_fail_memory(error, sizeof *s);
        return NULL;
    }
    s->config = m->config;
    s->model = s->base = m;
    s->block_size = sw_state_bytes(m);
    s->block = sw_alloc(a, s->block_size);
    s->pool = sw_pool_create(a, m->config.threads);
    bool ok = s->block != NULL || sw_fail_memory(error, s->block_size);
    ok = ok && (s->work = sw_work_create(m, s->pool, error));
    if (!ok) {
        sw_state_destroy(s);
        return NULL;
    }
    sw_state_lay(s);
    sw_state_reset(s);
    return s;
}

void sw_state_destroy(swState *s) {
    if (!s)
        return;
    swAllocator a = s->config.allocator;
    sw_pool_destroy(s->pool);
    sw_work_destroy(s->work, &a);
    sw_free(&a, s->block, s->block_size);
    sw_inserts_destroy(s->inserts, &a);
    sw_free(&a, s, sizeof *s);
}

void sw_state_reset(swState *s) {
    sw_inserts_end(s);
    memset(s->insert, 0, SW_INSERTS * sizeof *s->insert);
    sw_state_start(s);
}

void sw_state_start(swState *s) {
    const swModel *m = s->model;
    swInsertInfo insert[SW_INSERTS];
    memcpy(insert, s->insert, sizeof insert);
    memset(s->block, 0, s->block_size);
    memcpy(s->insert, insert, sizeof insert);
    memcpy(s->q, m->q0, (size_t)m->size.nq * sizeof *s->q);
    memcpy(s->v, m->v0, (size_t)m->size.nq * sizeof *s->v);
    sw_nodes_sync(m, s->q);
    sw_handles_pose(m, s, 0, 1, s->q);
    sw_bulk_start(m, s->v, s->bulk_velocity);
    for (int64_t i = 0; i < sw_control_count(m); i++)
        s->activation_set[i] = NAN;
    sw_activations(m, s, 0, 1, s->activation);
    sw_plastic_reset(m, s->plastic);
    s->t = s->clock_time = 0;
    s->step = s->clock_step = 0;
    s->clock_h = m->settings.step;
    memset(&s->report, 0, sizeof s->report);
    memset(&s->profile, 0, sizeof s->profile);
    s->work->energy_step = -1;
}

bool sw_state_copy(swState *to, const swState *from) {
    SW_ASSERT(to->base == from->base);
    if (!sw_state_refit(to, from->insert, NULL))
        return false;
    STATE_COUNTS(from->model);
#define SW_FIELD(type, name, count) memcpy(to->name, from->name, (size_t)(count) * sizeof(type));
#include "model/state_fields.inl"
#undef SW_FIELD
    to->t = from->t;
    to->step = from->step;
    to->clock_time = from->clock_time;
    to->clock_step = from->clock_step;
    to->clock_h = from->clock_h;
    to->report = from->report;
    to->work->energy_step = -1;
    return true;
}

static void state_items(swState *s, swArchive *a) {
    STATE_COUNTS(s->model);
    sw_archive_item(a, &s->t, sizeof s->t);
    sw_archive_item(a, &s->step, sizeof s->step);
    sw_archive_item(a, &s->clock_time, sizeof s->clock_time);
    sw_archive_item(a, &s->clock_step, sizeof s->clock_step);
    sw_archive_item(a, &s->clock_h, sizeof s->clock_h);
#define SW_FIELD(type, name, count) sw_archive_item(a, s->name, (size_t)(count) * sizeof(type));
#include "model/state_fields.inl"
#undef SW_FIELD
}

uint64_t sw_state_hash(const swState *s) {
    swArchive a = {.mode = SW_ARCHIVE_HASH, .hash = SW_HASH_SEED};
    state_items((swState *)s, &a); // hashing only reads
    return a.hash;
}

bool sw_state_save(const swState *s, const char *path, swError *error) {
    swArchive a;
    uint64_t model = sw_model_hash(s->base);
    if (!sw_archive_save(&a, path, "state", VERSION, error))
        return false;
    sw_archive_item(&a, &model, sizeof model);
    sw_archive_item(&a, s->insert, SW_INSERTS * sizeof *s->insert);
    state_items((swState *)s, &a); // saving only reads
    return sw_archive_close(&a, error);
}

// Whether what the program has added is of this model.
static bool sane(const swState *s) {
    const swColliderInfo *ball = &s->ball->shape;
    return sw_pulls_sane(s->model, s->pull) &&
           (ball->r == 0 || (ball->r > 0 && ball->kind == SW_SHAPE_SPHERE));
}

// Inserted frames come first: they say how much there is of everything else.
static bool load_items(swState *s, swArchive *a, swError *error) {
    swInsertInfo insert[SW_INSERTS];
    memset(insert, 0, sizeof insert);
    sw_archive_item(a, insert, sizeof insert);
    if (!a->failed && !sw_inserts_sane(s->base, insert)) {
        a->failed = true;
        return true;
    }
    if (!a->failed && !sw_state_refit(s, insert, error))
        return false;
    state_items(s, a);
    a->failed = a->failed || memcmp(insert, s->insert, sizeof insert) != 0;
    return true;
}

// Into a fresh state first: a damaged file must leave `s` as it is.
bool sw_state_load(swState *s, const char *path, swError *error) {
    swArchive a;
    swState *fresh = sw_state_create(s->base, error);
    if (!fresh)
        return false;
    uint64_t model = 0;
    bool ok = sw_archive_load(&a, path, "state", VERSION, &s->config.allocator, error);
    if (ok) {
        sw_archive_item(&a, &model, sizeof model);
        if (!a.failed && model != sw_model_hash(s->base)) { // then its sizes differ as well
            ok = sw_fail_at(error, SW_ERROR_VALUE, path, 0, 0, "the state of another model");
            sw_archive_abandon(&a);
        } else if (!load_items(fresh, &a, error)) {
            ok = false;
            sw_archive_abandon(&a);
        } else {
            ok = sw_archive_close(&a, error);
            if (ok && !sane(fresh))
                ok = sw_fail_at(error, SW_ERROR_FORMAT, path, 0, 0, "the file is damaged");
        }
    }
    if (ok) { // all of it changes hands but for the profile
        const swState old = *s;
        *s = *fresh;
        s->profile = old.profile;
        *fresh = old;
    }
    sw_state_destroy(fresh);
    return ok;
}

bool sw_state_peek(const char *path, swStateInfo *info, swError *error) {
    swArchive a;
    const swAllocator allocator = sw_default_config().allocator;
    if (!sw_archive_load(&a, path, "state", VERSION, &allocator, error))
        return false;
    sw_archive_item(&a, &info->model, sizeof info->model);
    swInsertInfo insert[SW_INSERTS];
    sw_archive_item(&a, insert, sizeof insert);
    sw_archive_item(&a, &info->t, sizeof info->t); // as state_items()
    sw_archive_item(&a, &info->steps, sizeof info->steps);
    bool ok = !a.failed;
    sw_archive_abandon(&a);
    return ok || sw_fail_at(error, SW_ERROR_FORMAT, path, 0, 0, "the file ends too early");
}

swReal sw_state_time(const swState *s) { return s->t; }
int64_t sw_state_steps(const swState *s) { return s->step; }
const swStepReport *sw_state_report(const swState *s) { return &s->report; }
swProfile sw_state_profile(const swState *s) { return s->profile; }
