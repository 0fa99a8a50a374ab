// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Making, copying, saving and hashing states.
#include "contact/near.h"
#include "kinematics/handles.h"
#include "model/archive.h"
#include "world/world.h"

#include <stddef.h>
#include <string.h>

enum { VERSION = 10 };

// ---- numbers of all bodies ----

swBodyPlace sw_model_last(const swModel *m) {
    swBodyPlace end = m->place[m->size.nbody - 1];
    const swBodyModel *last = sw_model_body(m, m->size.nbody - 1);
    const swBodySizes *s = &last->size;
    end.frame += sw_body_frames(last);
    end.handle += (int)s->nhandle;
    end.muscle += (int)s->nmuscle;
    end.shape += (int)s->nshape;
    end.part += (int)s->npart;
    end.point += (int)s->npoint;
    return end;
}

int sw_model_owner(const swModel *m, size_t member, int i) {
    int lo = 0, hi = (int)m->size.nbody; // the last body that begins at i or before
    while (hi - lo > 1) {
        const int middle = lo + (hi - lo) / 2;
        int first;
        memcpy(&first, (const char *)&m->place[middle] + member, sizeof first);
        *(first <= i ? &lo : &hi) = middle;
    }
    return lo;
}

// ---- making ----

// The model as it is with inserted frames: every body has one of its own.
static bool create_view(swState *s, swError *error) {
    const swAllocator *a = &s->config.allocator;
    const size_t n = (size_t)s->model->size.nbody;
    bool any = false;
    for (int64_t i = 0; i < s->model->size.ncompiled; i++)
        any = any || s->model->compiled[i]->size.nbed > 0;
    if (!any)
        return true;
    if (!(s->view = sw_alloc(a, sizeof *s->view)))
        return sw_fail_memory(error, sizeof *s->view);
    *s->view = *s->model;
    s->view->place = sw_alloc(a, n * sizeof *s->view->place);
    s->view->compiled = sw_alloc(a, n * sizeof *s->view->compiled);
    return (s->view->place && s->view->compiled) ||
           sw_fail_memory(error, n * sizeof *s->view->place);
}

void sw_state_refresh(swState *s) {
    swModel *view = s->view;
    sw_islands_forget(s);
    if (!view)
        return;
    view->settings = s->model->settings;
    view->size.ncompiled = view->size.nbody;
    int frame = 0;
    for (int64_t i = 0; i < view->size.nbody; i++) {
        view->compiled[i] = (swBodyModel *)sw_body_enter(s->body[i]); // a view only reads
        view->place[i] = s->model->place[i];
        view->place[i].compiled = (int)i;
        view->place[i].frame = frame;
        frame += sw_body_frames(view->compiled[i]);
    }
}

static bool has_inserts(const swState *s) {
    for (int64_t i = 0; s->view && i < s->model->size.nbody; i++)
        if (s->body[i]->model != s->body[i]->base)
            return true;
    return false;
}

const swModel *sw_state_model(const swState *s) { return has_inserts(s) ? s->view : s->model; }

swState *sw_state_create(const swModel *m, swError *error) {
    sw_error_clear(error);
    const swAllocator *a = &m->config.allocator;
    const size_t bytes = (size_t)m->size.nbody * sizeof(swBodyState *);
    swState *s = sw_alloc(a, sizeof *s);
    if (!s) {
        sw_fail_memory(error, sizeof *s);
        return NULL;
    }
    s->config = m->config;
    s->model = m;
    s->pool = sw_pool_create(a, m->config.threads);
    s->body = sw_alloc(a, bytes);
    s->collider = sw_alloc(a, (size_t)(m->size.ncollider + 1) * sizeof *s->collider);
    bool ok = (s->body && s->collider) || sw_fail_memory(error, bytes);
    for (int i = 0; ok && i < m->size.nbody; i++)
        ok = (s->body[i] = sw_body_state_create(s, i, error)) != NULL;
    if (!ok || !create_view(s, error) || !sw_islands_create(s, error)) {
        sw_state_destroy(s);
        return NULL;
    }
    for (int64_t i = 0; i < m->size.ncompiled; i++)
        s->keys_end = sw_max(s->keys_end, sw_max(sw_handles_end(m->compiled[i]),
                                                 sw_activations_end(m->compiled[i])));
    for (int64_t i = 0; i < m->size.nkey; i++)
        s->keys_end = sw_max(s->keys_end, m->key[i].t);
    sw_state_reset(s);
    return s;
}

void sw_state_destroy(swState *s) {
    if (!s)
        return;
    const swAllocator a = s->config.allocator;
    const size_t n = (size_t)s->model->size.nbody;
    sw_pool_destroy(s->pool);
    for (size_t i = 0; s->body && i < n; i++)
        sw_body_state_destroy(s->body[i]);
    sw_islands_destroy(s);
    sw_free(&a, s->body, n * sizeof *s->body);
    sw_free(&a, s->collider, (size_t)(s->model->size.ncollider + 1) * sizeof *s->collider);
    if (s->view) {
        sw_free(&a, s->view->place, n * sizeof *s->view->place);
        sw_free(&a, s->view->compiled, n * sizeof *s->view->compiled);
        sw_free(&a, s->view, sizeof *s->view);
    }
    sw_free(&a, s, sizeof *s);
}

void sw_state_reset(swState *s) {
    s->t = s->clock_time = 0;
    s->step = s->clock_step = 0;
    s->clock_h = s->model->settings.step;
    s->gravity = s->model->settings.gravity;
    s->npull = 0;
    memset(s->pull, 0, sizeof s->pull);
    memset(&s->ball, 0, sizeof s->ball);
    memset(&s->collider[s->model->size.ncollider], 0, sizeof *s->collider);
    for (int64_t i = 0; i < s->model->size.ncollider; i++)
        s->collider[i] =
            (swColliderPlace){s->model->collider[i].place, s->model->collider[i].place};
    memset(&s->report, 0, sizeof s->report);
    memset(&s->profile, 0, sizeof s->profile);
    for (int64_t i = 0; i < s->model->size.nbody; i++)
        sw_body_reset(s->body[i]);
    sw_state_refresh(s);
}

void sw_state_wake(swState *s) {
    for (int64_t i = 0; i < s->model->size.nbody; i++)
        sw_body_wake(s->body[i]);
}

// ---- the clock ----

void sw_state_set_time(swState *s, swReal t) {
    s->t = s->clock_time = t;
    s->clock_step = s->step;
}

swReal sw_state_next_time(swState *s) {
    const swReal h = s->model->settings.step;
    if (h != s->clock_h) {
        sw_state_set_time(s, s->t);
        s->clock_h = h;
    }
    return s->clock_time + (swReal)(s->step + 1 - s->clock_step) * h;
}

// ---- copying ----

void sw_state_carry_colliders(swState *to, const swState *from) {
    const int64_t n = to->model->size.ncollider, m = from->model->size.ncollider;
    if (n == m)
        memcpy(to->collider, from->collider, (size_t)n * sizeof *to->collider);
    to->ball = from->ball;
    to->collider[n] = from->collider[m];
}

static void copy_own(swState *to, const swState *from) {
    to->t = from->t;
    to->step = from->step;
    to->clock_time = from->clock_time;
    to->clock_step = from->clock_step;
    to->clock_h = from->clock_h;
    to->gravity = from->gravity;
    to->npull = from->npull;
    memcpy(to->pull, from->pull, sizeof to->pull);
    sw_state_carry_colliders(to, from);
    to->report = from->report;
}

// Frames first, for which memory is taken.
bool sw_state_copy(swState *to, const swState *from) {
    SW_ASSERT(to->model == from->model);
    for (int64_t i = 0; i < to->model->size.nbody; i++)
        if (!sw_body_copy(to->body[i], from->body[i]))
            return false;
    copy_own(to, from);
    sw_state_refresh(to);
    return true;
}

bool sw_state_carry(swState *to, const swState *from) {
    if (to == from || to->model->size.nbody != from->model->size.nbody)
        return to == from;
    for (int64_t i = 0; i < to->model->size.nbody; i++)
        if (!sw_body_can_carry(to->body[i], from->body[i]))
            return false;
    for (int64_t i = 0; i < to->model->size.nbody; i++)
        if (!sw_body_carry(to->body[i], from->body[i]))
            return false;
    copy_own(to, from);
    memset(&to->report, 0, sizeof to->report);
    sw_state_wake(to);
    sw_state_refresh(to);
    return true;
}

// ---- files ----

static void own_items(swState *s, swArchive *a) {
    sw_archive_item(a, &s->t, sizeof s->t);
    sw_archive_item(a, &s->step, sizeof s->step);
    sw_archive_item(a, &s->clock_time, sizeof s->clock_time);
    sw_archive_item(a, &s->clock_step, sizeof s->clock_step);
    sw_archive_item(a, &s->clock_h, sizeof s->clock_h);
    sw_archive_item(a, &s->npull, sizeof s->npull);
    sw_archive_item(a, s->pull, sizeof s->pull);
    sw_archive_item(a, &s->ball, sizeof s->ball);
    sw_archive_item(a, s->collider, (size_t)(s->model->size.ncollider + 1) * sizeof *s->collider);
}

static void body_items(swBodyState *s, swArchive *a) {
    sw_archive_item(a, &s->t, sizeof s->t);
    sw_archive_item(a, &s->h, sizeof s->h);
    sw_body_items(s, a);
}

uint64_t sw_state_hash(const swState *s) {
    swArchive a = {.task = SW_ARCHIVE_HASH, .hash = SW_HASH_SEED};
    own_items((swState *)s, &a); // hashing only reads
    for (int64_t i = 0; i < s->model->size.nbody; i++)
        body_items(s->body[i], &a);
    return a.hash;
}

bool sw_state_save(const swState *s, const char *path, swError *error) {
    swArchive a;
    uint64_t model = sw_model_hash(s->model);
    if (!sw_archive_save(&a, path, "state", VERSION, error))
        return false;
    sw_archive_item(&a, &model, sizeof model);
    own_items((swState *)s, &a); // saving only reads
    for (int64_t i = 0; i < s->model->size.nbody; i++) {
        sw_archive_item(&a, s->body[i]->insert,
                        (size_t)sw_body_slots(s->body[i]->base) * sizeof *s->body[i]->insert);
        body_items(s->body[i], &a);
    }
    return sw_archive_close(&a, error);
}

// Whether what the program has added is of this model.
static bool sane(const swState *s) {
    const swColliderInfo *ball = &s->ball;
    return s->npull >= 0 && s->npull <= SW_PULLS && sw_pulls_sane(s) &&
           (ball->r == 0 ||
            (ball->r > 0 && ball->kind == SW_SHAPE_SPHERE && sw_collider_sane(s->model, ball)));
}

// Inserted frames come first: they say how much there is of everything else.
static bool load_body(swBodyState *s, swArchive *a, swError *error) {
    const size_t bytes = (size_t)sw_body_slots(s->base) * sizeof *s->insert;
    swInsertInfo insert[SW_INSERTS];
    memset(insert, 0, sizeof insert);
    sw_archive_item(a, insert, bytes);
    if (!a->failed && !sw_inserts_sane(s->base, insert)) {
        a->failed = true;
        return true;
    }
    if (!a->failed && !sw_body_refit(s, insert, error))
        return false;
    body_items(s, a);
    a->failed = a->failed || memcmp(insert, s->insert, bytes) != 0;
    return true;
}

static bool load_items(swState *s, swArchive *a, swError *error) {
    own_items(s, a);
    for (int64_t i = 0; i < s->model->size.nbody && !a->failed; i++)
        if (!load_body(s->body[i], a, error))
            return false;
    return true;
}

// Bodies know the state that they are part of.
static void adopt(swState *s) {
    for (int64_t i = 0; i < s->model->size.nbody; i++)
        s->body[i]->world = s;
}

// Into a fresh state first: a damaged file must leave `s` as it is.
bool sw_state_load(swState *s, const char *path, swError *error) {
    swArchive a;
    swState *fresh = sw_state_create(s->model, error);
    if (!fresh)
        return false;
    uint64_t model = 0;
    bool ok = sw_archive_load(&a, path, "state", VERSION, &s->config.allocator, error);
    if (ok) {
        sw_archive_item(&a, &model, sizeof model);
        if (!a.failed && model != sw_model_hash(s->model)) { // then its sizes differ as well
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
        adopt(s);
        adopt(fresh);
        sw_state_refresh(s);
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
    sw_archive_item(&a, &info->t, sizeof info->t); // as own_items()
    sw_archive_item(&a, &info->steps, sizeof info->steps);
    bool ok = !a.failed;
    sw_archive_abandon(&a);
    return ok || sw_fail_at(error, SW_ERROR_FORMAT, path, 0, 0, "the file ends too early");
}

swSolverInfo sw_state_solver(const swState *s) {
    swSolverInfo info = {.linear = s->body[0]->work->linear.kind, .memory = sizeof *s};
    for (int64_t i = 0; i < s->model->size.nbody; i++) {
        const swBodyState *b = s->body[i];
        const swLinear *l = &b->work->linear;
        info.matrix += (double)l->A->count;
        info.factors += l->vertices ? (double)l->A->count : l->factor.nonzeros;
        info.memory += sizeof *b + b->block_size + sw_near_bytes(b->base, s->model->size.ncollider);
        if (b->model != b->base)
            info.memory += sizeof *b->work + b->work->arena.total;
    }
    info.memory += sw_islands_memory(s);
    return info;
}
