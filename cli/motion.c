// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "motion.h"

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

bool recorder_start(Recorder *rec, swClip *clip, int fps, const swState *s, swArena *arena,
                    swError *error) {
    const size_t nq = (size_t)s->model->size.nq;
    *rec = (Recorder){.clip = clip, .fps = fps, .frame = 1, .t0 = s->t, .last = s->t};
    rec->q = SW_NEW(arena, nq, swReal, error);
    rec->q_last = SW_NEW(arena, nq, swReal, error);
    if (!rec->q || !rec->q_last)
        return false;
    memcpy(rec->q_last, s->q, nq * sizeof *rec->q);
    return !clip || sw_clip_add(clip, s, error);
}

bool recorder_step(Recorder *rec, const swState *s, swError *error) {
    const swReal slack = 1e-6 * (s->t - rec->last);
    for (; rec->clip; rec->frame++) {
        const swReal t = rec->t0 + (swReal)rec->frame / rec->fps;
        if (t > s->t + slack)
            break;
        if (t > s->t - slack) {
            if (!sw_clip_add(rec->clip, s, error))
                return false;
            continue;
        }
        const swReal u = (t - rec->last) / (s->t - rec->last);
        sw_nodes_between(s->model, rec->q_last, s->q, u, rec->q);
        if (!sw_clip_add_at(rec->clip, t, rec->q, s, error))
            return false;
    }
    rec->last = s->t;
    memcpy(rec->q_last, s->q, (size_t)s->model->size.nq * sizeof *rec->q_last);
    return true;
}

bool recorder_end(Recorder *rec, const swState *s, swError *error) {
    if (!rec->clip || rec->clip->keys.item[rec->clip->keys.count - 1].t >= s->t)
        return true;
    return sw_clip_add(rec->clip, s, error);
}
