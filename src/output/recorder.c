// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "output/recorder.h"

#include "kinematics/derive.h"
#include "kinematics/points.h"
#include "kinematics/rigid.h"

// Copies the matrices of the base model's frames and, while frames are inserted, the positions of
// points.
static void remember(const swBodyState *s, swReal *q, swVec3 *x) {
    sw_base_numbers(s->base, s->model, s->q, q);
    if (x)
        sw_points_positions(s->model, s->q, 0, (int)s->base->size.npoint, x);
}

static void remember_all(const swRecorder *rec, const swState *s) {
    for (int64_t i = 0; i < s->model->size.nbody; i++) {
        swBodyRecord *r = &rec->body[i];
        r->inserted = s->body[i]->model != s->body[i]->base;
        remember(s->body[i], r->q_last, r->x_last);
    }
}

// Allocates memory for a state's matrices and points, and stores the present ones.
static bool make_room(swRecorder *rec, swClip *clip, const swState *s, swArena *arena,
                      swError *error) {
    rec->clip = clip;
    rec->body = SW_NEW(arena, s->model->size.nbody, swBodyRecord, error);
    if (!rec->body || (clip && !sw_clip_open(clip, error)))
        return false;
    for (int64_t i = 0; i < s->model->size.nbody; i++) {
        const swBodySizes *size = &s->body[i]->base->size;
        const bool points = clip && size->nbed > 0;
        swBodyRecord *r = &rec->body[i];
        r->q = SW_NEW(arena, size->nq, swReal, error);
        r->q_last = SW_NEW(arena, size->nq, swReal, error);
        r->x = points ? SW_NEW(arena, size->npoint, swVec3, error) : NULL;
        r->x_last = points ? SW_NEW(arena, size->npoint, swVec3, error) : NULL;
        if (!r->q || !r->q_last || (points && (!r->x || !r->x_last)))
            return false;
    }
    remember_all(rec, s);
    return true;
}

bool sw_recorder_start(swRecorder *rec, swClip *clip, int fps, const swState *s, swArena *arena,
                       swError *error) {
    *rec = (swRecorder){.fps = fps, .frame = 1, .t0 = s->t, .last = s->t};
    return make_room(rec, clip, s, arena, error) && (!clip || sw_clip_add(clip, s, error));
}

bool sw_recorder_switch(swRecorder *rec, swClip *clip, const swState *s, swArena *arena,
                        swError *error) {
    return make_room(rec, rec->clip ? clip : NULL, s, arena, error);
}

static bool add_body_between(const swBodyRecord *r, swBodyClip *clip, swReal t, swReal u,
                             const swBodyState *s, swError *error) {
    const bool inserted = r->inserted || s->model != s->base;
    remember(s, r->q, inserted ? r->x : NULL);
    sw_nodes_between(s->base, r->q_last, r->q, u, r->q);
    for (int64_t i = 0; inserted && i < s->base->size.npoint; i++)
        r->x[i] = sw_lerp(r->x_last[i], r->x[i], u);
    return sw_body_clip_add(clip, t, r->q, inserted ? r->x : NULL, s, error);
}

// Adds a key between the last step and this one.
static bool add_between(swRecorder *rec, swReal t, const swState *s, swError *error) {
    const swReal u = (t - rec->last) / (s->t - rec->last);
    const int count = sw_clip_count(rec->clip);
    for (int64_t i = 0; i < s->model->size.nbody; i++)
        if (!add_body_between(&rec->body[i], &rec->clip->body[i], t, u, s->body[i], error)) {
            sw_clip_cut(rec->clip, count);
            return false;
        }
    return true;
}

bool sw_recorder_step(swRecorder *rec, const swState *s, swError *error) {
    const swReal slack = 1e-6 * (s->t - rec->last);
    for (; rec->clip; rec->frame++) {
        const swReal t = rec->t0 + (swReal)rec->frame / rec->fps;
        if (t > s->t + slack)
            break;
        if (!(t > s->t - slack ? sw_clip_add(rec->clip, s, error) : add_between(rec, t, s, error)))
            return false;
    }
    rec->last = s->t;
    remember_all(rec, s);
    return true;
}

bool sw_recorder_end(swRecorder *rec, const swState *s, swError *error) {
    const int n = rec->clip ? sw_clip_count(rec->clip) : 0;
    if (!rec->clip || (n > 0 && sw_clip_time(rec->clip, n - 1) >= s->t))
        return true;
    return sw_clip_add(rec->clip, s, error);
}
