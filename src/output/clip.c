// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "output/clip.h"

#include "potentials/forces.h"
#include "kinematics/derive.h"
#include "kinematics/points.h"
#include "kinematics/rigid.h"

#include <string.h>

// ---- one body ----

// Whether any control has an effect.
static bool is_actuated(const swBodyModel *m) {
    if (m->size.nmuscle > 0 || m->size.nshape > 0)
        return true;
    for (int64_t i = 0; i < m->size.nmaterial; i++)
        if (m->material[i].fibre_strength > 0)
            return true;
    return false;
}

swClipKey *sw_body_clip_push(swBodyClip *clip, swError *error) {
    const swBodySizes *size = &clip->model->size;
    swClipKey key = {.q = SW_NEW(clip->arena, size->nq, swReal, error)};
    if (key.q && is_actuated(clip->model))
        key.activation = SW_NEW(clip->arena, sw_control_count(clip->model), swReal, error);
    if (key.q && size->nplastic > 0)
        key.plastic = SW_NEW(clip->arena, size->nplastic, swReal, error);
    const bool ok = key.q && (key.activation || !is_actuated(clip->model)) &&
                    (key.plastic || size->nplastic == 0);
    swClipKey *to = ok ? SW_PUSH(&clip->keys, clip->arena, error) : NULL;
    if (to)
        *to = key;
    return to;
}

static bool all_finite(int64_t n, const swReal *x) {
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

bool sw_body_clip_add(swBodyClip *clip, swReal t, const swReal *q, const swVec3 *x,
                      const swBodyState *state, swError *error) {
    const int nkey = clip->keys.count;
    const swBodySizes *size = &clip->model->size;
    if (!isfinite(t) || !all_finite(size->nq, q) || (x && !all_finite(3 * size->npoint, &x[0].x)))
        return sw_fail(error, SW_ERROR_NOT_FINITE, "motion to record at t = %g s is not finite", t);
    if (nkey > 0 && !(t > clip->keys.item[nkey - 1].t))
        return sw_fail(error, SW_ERROR_VALUE,
                       "motion is recorded forward in time: t = %g s does not come after %g s", t,
                       clip->keys.item[nkey - 1].t);
    swVec3 *copy = x ? SW_NEW(clip->arena, size->npoint, swVec3, error) : NULL;
    swClipKey *key = copy || !x ? sw_body_clip_push(clip, error) : NULL;
    if (!key)
        return false;
    key->t = t;
    key->x = copy;
    if (x)
        memcpy(copy, x, (size_t)size->npoint * sizeof *x);
    memcpy(key->q, q, (size_t)size->nq * sizeof *q);
    if (key->activation && state)
        memcpy(key->activation, state->activation,
               (size_t)sw_control_count(clip->model) * sizeof *q);
    if (key->plastic && state && state->model == clip->model) // otherwise the order differs
        memcpy(key->plastic, state->plastic, (size_t)size->nplastic * sizeof *q);
    else if (key->plastic)
        sw_plastic_reset(clip->model, key->plastic);
    return true;
}

bool sw_body_clip_has_points(const swBodyClip *clip) {
    for (int i = 0; i < clip->keys.count; i++)
        if (clip->keys.item[i].x)
            return true;
    return false;
}

void sw_body_clip_points(const swBodyClip *clip, int key, int first, int count, swVec3 *out) {
    const swClipKey *k = &clip->keys.item[key];
    if (k->x)
        memcpy(out, k->x + first, (size_t)count * sizeof *out);
    else
        sw_points_positions(clip->model, k->q, first, count, out);
}

static int find_key(const swBodyClip *clip, swReal t) {
    int lo = 0, hi = clip->keys.count; // the first key after t
    while (lo < hi) {
        const int middle = lo + (hi - lo) / 2;
        if (clip->keys.item[middle].t <= t)
            lo = middle + 1;
        else
            hi = middle;
    }
    return sw_max_int(lo - 1, 0);
}

void sw_body_clip_pose(const swBodyClip *clip, swReal t, swReal *q) {
    const swClipKey *a = &clip->keys.item[find_key(clip, t)];
    memcpy(q, a->q, (size_t)clip->model->size.nq * sizeof *q);
    if (!(t > a->t) || a == &clip->keys.item[clip->keys.count - 1])
        return;
    sw_nodes_between(clip->model, a->q, a[1].q, (t - a->t) / (a[1].t - a->t), q);
}

// ---- all bodies ----

void sw_clip_init(swClip *clip, const swModel *model) {
    memset(clip, 0, sizeof *clip);
    clip->model = model;
    sw_arena_init(&clip->arena, &model->config.allocator);
}

void sw_clip_free(swClip *clip) {
    sw_arena_free(&clip->arena);
    memset(clip, 0, sizeof *clip);
}

bool sw_clip_open(swClip *clip, swError *error) {
    if (clip->body)
        return true;
    clip->body = SW_NEW(&clip->arena, clip->model->size.nbody, swBodyClip, error);
    for (int64_t i = 0; clip->body && i < clip->model->size.nbody; i++)
        clip->body[i] = (swBodyClip){.model = sw_model_body(clip->model, i), .arena = &clip->arena};
    return clip->body != NULL;
}

void sw_clip_cut(swClip *clip, int count) {
    for (int64_t i = 0; clip->body && i < clip->model->size.nbody; i++)
        clip->body[i].keys.count = sw_min_int(clip->body[i].keys.count, count);
}

static bool add_body(swBodyClip *clip, swReal t, const swBodyState *s, swError *error) {
    if (s->model == clip->model)
        return sw_body_clip_add(clip, t, s->q, NULL, s, error);
    SW_ASSERT(s->base == clip->model);
    const swBodyModel *m = clip->model;
    swArena scratch;
    sw_arena_init(&scratch, &m->config.allocator);
    swReal *q = SW_NEW(&scratch, m->size.nq, swReal, error);
    swVec3 *x = SW_NEW(&scratch, m->size.npoint, swVec3, error);
    bool ok = q && x;
    if (ok) {
        sw_base_numbers(m, s->model, s->q, q);
        sw_points_positions(s->model, s->q, 0, (int)m->size.npoint, x);
        ok = sw_body_clip_add(clip, t, q, x, s, error);
    }
    sw_arena_free(&scratch);
    return ok;
}

bool sw_clip_add(swClip *clip, const swState *state, swError *error) {
    return sw_clip_add_state(clip, state->t, state, error);
}

bool sw_clip_add_state(swClip *clip, swReal t, const swState *state, swError *error) {
    if (!sw_clip_open(clip, error))
        return false;
    const int count = sw_clip_count(clip);
    for (int64_t i = 0; i < clip->model->size.nbody; i++)
        if (!add_body(&clip->body[i], t, state->body[i], error)) {
            sw_clip_cut(clip, count);
            return false;
        }
    return true;
}

bool sw_clip_has_points(const swClip *clip) {
    for (int64_t i = 0; clip->body && i < clip->model->size.nbody; i++)
        if (sw_body_clip_has_points(&clip->body[i]))
            return true;
    return false;
}

int sw_clip_find(const swClip *clip, swReal t) { return find_key(&clip->body[0], t); }
