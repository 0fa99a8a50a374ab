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
    const swBodyInfo *b = &s->model->body[body];
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
static void remember(const swState *s, swReal *q, swVec3 *x) {
    sw_base_numbers(s->base, s->model, s->q, q);
    if (x)
        sw_points_positions(s->model, s->q, 0, (int)s->base->size.npoint, x);
}

// Room for a state's matrices and points, as they are now.
static bool make_room(Recorder *rec, swClip *clip, const swState *s, swArena *arena,
                      swError *error) {
    const size_t nq = (size_t)s->base->size.nq, npoint = (size_t)s->base->size.npoint;
    const bool points = clip && s->base->size.nbed > 0;
    rec->clip = clip;
    rec->q = SW_NEW(arena, nq, swReal, error);
    rec->q_last = SW_NEW(arena, nq, swReal, error);
    rec->x = points ? SW_NEW(arena, npoint, swVec3, error) : NULL;
    rec->x_last = points ? SW_NEW(arena, npoint, swVec3, error) : NULL;
    if (!rec->q || !rec->q_last || (points && (!rec->x || !rec->x_last)))
        return false;
    rec->inserted = s->model != s->base;
    remember(s, rec->q_last, rec->x_last);
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

// A key between the last step and this one.
static bool add_between(Recorder *rec, swReal t, const swState *s, swError *error) {
    const swReal u = (t - rec->last) / (s->t - rec->last);
    const bool inserted = rec->inserted || s->model != s->base;
    remember(s, rec->q, inserted ? rec->x : NULL);
    sw_nodes_between(s->base, rec->q_last, rec->q, u, rec->q);
    if (!inserted)
        return sw_clip_add_at(rec->clip, t, rec->q, s, error);
    for (int64_t i = 0; i < s->base->size.npoint; i++)
        rec->x[i] = sw_lerp(rec->x_last[i], rec->x[i], u);
    return sw_clip_add_points(rec->clip, t, rec->q, rec->x, s, error);
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
    rec->inserted = s->model != s->base;
    remember(s, rec->q_last, rec->x_last);
    return true;
}

bool recorder_end(Recorder *rec, const swState *s, swError *error) {
    const int n = rec->clip ? rec->clip->keys.count : 0;
    if (!rec->clip || (n > 0 && rec->clip->keys.item[n - 1].t >= s->t))
        return true;
    return sw_clip_add(rec->clip, s, error);
}
