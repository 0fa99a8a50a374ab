// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// How much fibres and muscles contract, and how far rest shapes have changed: by keys, as the
// program says, or as the body itself finds.
#include "sim/sim.h"

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

static const swCourse *course_of(const swModel *m, int64_t control) {
    const swModelSizes *s = &m->size;
    if (control < s->nmaterial)
        return &m->material[control].activation;
    control -= s->nmaterial;
    return control < s->nmuscle ? &m->muscle[control].activation
                                : &m->shape[control - s->nmuscle].value;
}

static bool follows(const swModel *m, int64_t control) {
    const int64_t first = sw_control_shape(m, 0);
    return control >= first && m->shape[control - first].follow > 0;
}

void sw_activations(const swModel *m, const swState *s, swReal t, swReal share, swReal *out) {
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

swReal sw_activations_follow(const swModel *m, swState *s, const swReal *q, const swReal *plastic) {
    swWork *w = s->work;
    const swElasticInput input = {
        .q = q, .activation = w->activation, .plastic = plastic, .relax = w->relax};
    return sw_follow(m, &w->elastic, s->pool, &input, s->activation_set, w->activation);
}

swReal sw_activations_end(const swModel *m) {
    swReal end = 0;
    for (int64_t i = 0; i < m->size.nactivation; i++)
        end = sw_max(end, m->activation_key[i].t);
    return end;
}

static void set(swState *s, int64_t first, int64_t count, int i, swReal value) {
    const bool known = i >= 0 && i < count;
    SW_ASSERT(known);
    if (known)
        s->activation_set[first + i] = isnan(value) ? NAN : sw_clamp(value, 0, 1);
}

void sw_state_set_activation(swState *s, int material, swReal value) {
    set(s, 0, s->model->size.nmaterial, material, value);
}

void sw_state_set_muscle(swState *s, int muscle, swReal activation) {
    set(s, sw_control_muscle(s->model, 0), s->model->size.nmuscle, muscle, activation);
}

void sw_state_set_shape(swState *s, int shape, swReal value) {
    set(s, sw_control_shape(s->model, 0), s->model->size.nshape, shape, value);
}
