// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "io/clip.h"

#include <string.h>

void sw_clip_init(swClip *clip, const swModel *model) {
    memset(clip, 0, sizeof *clip);
    clip->model = model;
    sw_arena_init(&clip->arena, &model->config.allocator);
}

void sw_clip_free(swClip *clip) {
    sw_arena_free(&clip->arena);
    memset(clip, 0, sizeof *clip);
}

bool sw_clip_add(swClip *clip, const swState *state, swError *error) {
    SW_ASSERT(state->model == clip->model);
    return sw_clip_add_at(clip, state->t, state->q, error);
}

bool sw_clip_add_at(swClip *clip, swReal t, const swReal *q, swError *error) {
    int nkey = clip->keys.count;
    size_t nq = (size_t)clip->model->size.nq;
    bool finite = isfinite(t);
    for (size_t i = 0; i < nq; i++)
        finite = finite && isfinite(q[i]);
    if (!finite)
        return sw_fail(error, SW_ERROR_NOT_FINITE, "motion to record at t = %g s is not finite", t);
    if (nkey > 0 && !(t > clip->keys.item[nkey - 1].t))
        return sw_fail(error, SW_ERROR_VALUE,
                       "motion is recorded forward in time: t = %g s does not come after %g s", t,
                       clip->keys.item[nkey - 1].t);
    swReal *copy = SW_NEW(&clip->arena, nq, swReal, error);
    swClipKey *key = copy ? SW_PUSH(&clip->keys, &clip->arena, error) : NULL;
    if (!key)
        return false;
    memcpy(copy, q, nq * sizeof *copy);
    *key = (swClipKey){t, copy};
    return true;
}
