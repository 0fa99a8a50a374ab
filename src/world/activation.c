// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// How much fibres and muscles contract, and how far rest shapes have changed: by keys, as the
// program says, or as the body itself finds.
#include "world/world.h"

static swReal value_at(const swActivation *key, int nkey, swReal t) {
    if (t <= key[0].t)
        return key[0].value;
    for (int i = 1; i < nkey; i++)
        if (t < key[i].t) {
            swReal u = (t - key[i - 1].t) / (key[i].t - key[i - 1].t);
            return key[i - 1].value + u * (key[i].value - key[i - 1].value);
        }
    return key[nkey - 1].value;
}

static const swCourse *course_of(const swBodyModel *m, int64_t control) {
    const swBodySizes *s = &m->size;
    if (control < s->nmaterial)
        return &m->material[control].activation;
    control -= s->nmaterial;
    return control < s->nmuscle ? &m->muscle[control].activation
                                : &m->shape[control - s->nmuscle].value;
}

static bool follows(const swBodyModel *m, int64_t control) {
    const int64_t first = sw_control_shape(m, 0);
    return control >= first && m->shape[control - first].follow > 0;
}

void sw_activations(const swBodyModel *m, const swBodyState *s, swReal t, swReal share,
                    swReal *out) {
    for (int64_t i = 0; i < sw_control_count(m); i++) {
        const swCourse *c = course_of(m, i);
        if (!isnan(s->activation_set[i]))
            out[i] = share * s->activation_set[i];
        else if (follows(m, i))
            out[i] = s->activation[i];
        else
            out[i] = value_at(m->activation_key + c->key, c->nkey,
                              c->repeat > 0 ? t - c->repeat * floor(t / c->repeat) : t) *
                     (c->nkey == 1 ? share : 1);
    }
}

swReal sw_activations_follow(const swBodyModel *m, swBodyState *s, const swReal *q,
                             const swReal *plastic) {
    swWork *w = s->work;
    const swElasticInput input = {
        .q = q, .activation = w->activation, .plastic = plastic, .relax = w->relax};
    return sw_follow(m, &w->elastic, s->pool, &input, s->activation_set, w->activation);
}

swReal sw_activations_end(const swBodyModel *m) {
    swReal end = 0;
    for (int64_t i = 0; i < m->size.nactivation; i++)
        end = sw_max(end, m->activation_key[i].t);
    return end;
}

static void set(swBodyState *s, int64_t control, swReal value) {
    s->activation_set[control] = isnan(value) ? NAN : sw_clamp(value, 0, 1);
    sw_body_wake(s);
}

void sw_state_set_activation(swState *s, int material, swReal value) {
    for (int64_t i = 0; i < s->model->size.nbody; i++) {
        const bool known = material >= 0 && material < s->body[i]->model->size.nmaterial;
        SW_ASSERT(known);
        if (known)
            set(s->body[i], material, value);
    }
}

void sw_state_set_muscle(swState *s, int muscle, swReal activation) {
    const bool known = muscle >= 0 && muscle < sw_muscle_count(s->model);
    SW_ASSERT(known);
    if (!known)
        return;
    swBodyState *body = s->body[SW_OWNER(s->model, muscle, muscle)];
    muscle -= s->model->place[body->index].muscle;
    set(body, sw_control_muscle(body->model, muscle), activation);
}

void sw_state_set_shape(swState *s, int shape, swReal value) {
    const bool known = shape >= 0 && shape < sw_rest_shape_count(s->model);
    SW_ASSERT(known);
    if (!known)
        return;
    swBodyState *body = s->body[SW_OWNER(s->model, shape, shape)];
    shape -= s->model->place[body->index].shape;
    set(body, sw_control_shape(body->model, shape), value);
}
