// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "record.h"

#include "kinematics/rigid.h"

#include <string.h>

void motion_between(const swModel *m, const swReal *a, const swReal *b, swReal u, swReal *out) {
    for (int64_t i = 0; i < m->size.nq; i++)
        out[i] = (1 - u) * a[i] + u * b[i];
    sw_nodes_make_rigid(m, out);
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
        motion_between(s->model, rec->q_last, s->q, u, rec->q);
        if (!sw_clip_add_at(rec->clip, t, rec->q, error))
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
