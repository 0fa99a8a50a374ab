// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "motion.h"

#include "kinematics/derive.h"
#include "kinematics/points.h"
#include "kinematics/rigid.h"
#include "solve/work.h"

#include <string.h>

// How far the body's surface is from where it was at most.
static swReal farthest(const swState *s, int body, const swVec3 *start, swVec3 *x) {
    swReal largest = 0;
    sw_body_vertices(s, body, x);
    for (int i = 0; i < sw_body_vertex_count(s->model, body); i++)
        largest = sw_max(largest, sw_norm(sw_sub(x[i], start[i])));
    return largest;
}

bool mode_amplitude(const swModes *modes, int mode, swReal share, swState *s, swReal *amplitude,
                    swError *error) {
    const int body = modes->body[mode];
    const swBodyInfo *b = &sw_model_body(s->model, body)->body[0];
    const size_t n = (size_t)sw_body_vertex_count(s->model, body);
    swArena arena;
    sw_arena_init(&arena, &s->config.allocator);
    swVec3 *start = SW_NEW(&arena, n, swVec3, error), *x = SW_NEW(&arena, n, swVec3, error);
    const bool ok = start && x;
    *amplitude = 0;
    if (ok) {
        const swReal small = 1e-4 * sqrt(b->mass) * sw_body_length(b);
        sw_modes_pose(modes, mode, 0, s);
        sw_body_vertices(s, body, start);
        sw_modes_pose(modes, mode, small, s);
        const swReal moved = farthest(s, body, start, x);
        *amplitude = moved > 0 ? share * sw_body_length(b) * small / moved : 0;
    }
    sw_arena_free(&arena);
    return ok;
}

// Matrices of the base model's frames and, while frames are inserted, where points are.
static void remember(const swBodyState *s, swReal *q, swVec3 *x) {
    sw_base_numbers(s->base, s->model, s->q, q);
    if (x)
        sw_points_positions(s->model, s->q, 0, (int)s->base->size.npoint, x);
}

static void remember_all(const Recorder *rec, const swState *s) {
    for (int64_t i = 0; i < s->model->size.nbody; i++) {
        BodyRecord *r = &rec->body[i];
        r->inserted = s->body[i]->model != s->body[i]->base;
        remember(s->body[i], r->q_last, r->x_last);
    }
}

// Room for a state's matrices and points, as they are now.
static bool make_room(Recorder *rec, swClip *clip, const swState *s, swArena *arena,
                      swError *error) {
    rec->clip = clip;
    rec->body = SW_NEW(arena, s->model->size.nbody, BodyRecord, error);
    if (!rec->body || (clip && !sw_clip_open(clip, error)))
        return false;
    for (int64_t i = 0; i < s->model->size.nbody; i++) {
        const swBodySizes *size = &s->body[i]->base->size;
        const bool points = clip && size->nbed > 0;
        BodyRecord *r = &rec->body[i];
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

bool recorder_start(Recorder *rec, swClip *clip, int fps, const swState *s, swArena *arena,
                    swError *error) {
    *rec = (Recorder){.fps = fps, .frame = 1, .t0 = s->t, .last = s->t};
    return make_room(rec, clip, s, arena, error) && (!clip || sw_clip_add(clip, s, error));
}

bool recorder_switch(Recorder *rec, swClip *clip, const swState *s, swArena *arena,
                     swError *error) {
    return make_room(rec, rec->clip ? clip : NULL, s, arena, error);
}

static bool add_body_between(const BodyRecord *r, swBodyClip *clip, swReal t, swReal u,
                             const swBodyState *s, swError *error) {
    const bool inserted = r->inserted || s->model != s->base;
    remember(s, r->q, inserted ? r->x : NULL);
    sw_nodes_between(s->base, r->q_last, r->q, u, r->q);
    for (int64_t i = 0; inserted && i < s->base->size.npoint; i++)
        r->x[i] = sw_lerp(r->x_last[i], r->x[i], u);
    return sw_body_clip_add(clip, t, r->q, inserted ? r->x : NULL, s, error);
}

// A key between the last step and this one.
static bool add_between(Recorder *rec, swReal t, const swState *s, swError *error) {
    const swReal u = (t - rec->last) / (s->t - rec->last);
    const int count = sw_clip_count(rec->clip);
    for (int64_t i = 0; i < s->model->size.nbody; i++)
        if (!add_body_between(&rec->body[i], &rec->clip->body[i], t, u, s->body[i], error)) {
            sw_clip_cut(rec->clip, count);
            return false;
        }
    return true;
}

bool recorder_step(Recorder *rec, const swState *s, swError *error) {
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

bool recorder_end(Recorder *rec, const swState *s, swError *error) {
    const int n = rec->clip ? sw_clip_count(rec->clip) : 0;
    if (!rec->clip || (n > 0 && sw_clip_time(rec->clip, n - 1) >= s->t))
        return true;
    return sw_clip_add(rec->clip, s, error);
}
