// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Frames inserted into a moving body, and what is known of them.
#include "sim/inserts.h"

#include <string.h>

const swModel *sw_state_model(const swState *s) { return sw_state_enter(s->base, s); }

// ---- where points of a body are ----

// The motion of a body that has a bed. `q` is room for the base model's nodes.
typedef struct {
    swBedView view;
    swBedMotion motion;
    const swBump *bump[SW_INSERTS];
    const swReal *B[SW_INSERTS];
} swBodyMotion;

static void view_body(const swState *s, const swBed *bed, swBodyMotion *o) {
    sw_bed_view(s->base, bed, &o->view);
    o->motion = (swBedMotion){.view = &o->view, .bump = o->bump, .B = o->B};
    // A body's own nodes have moved all together.
    const swBodyInfo *body = &s->model->body[bed->body];
    const int shift = s->model->node[body->node].q - s->base->node[s->base->body[bed->body].node].q;
    o->motion.q = s->q + shift;
    for (int i = 0; s->inserts && i < SW_INSERTS; i++)
        if (s->inserts->bump[i] && s->inserts->bump[i]->body == bed->body) {
            o->bump[o->motion.nbump] = s->inserts->bump[i];
            o->B[o->motion.nbump++] = s->q + s->model->node[sw_insert_node(s, i)].q;
        }
}

int sw_insert_node(const swState *s, int slot) {
    return s->inserts->derived.bump_node[s->inserts->order[slot]];
}

static bool find_rest(const swState *s, int body, swVec3 at, swRestPoint *found) {
    const swBed *bed = body >= 0 && body < s->base->size.nbody ? sw_bed_of(s->base, body) : NULL;
    swBodyMotion o;
    if (!bed)
        return false;
    view_body(s, bed, &o);
    *found = sw_bed_rest_point(&o.motion, at);
    return true;
}

bool sw_body_rest_point(const swState *s, int body, swVec3 at, swVec3 *rest, int *iterations,
                        swReal *miss) {
    swRestPoint found;
    if (!find_rest(s, body, at, &found))
        return false;
    if (rest)
        *rest = found.rest;
    if (iterations)
        *iterations = found.iterations;
    if (miss)
        *miss = found.miss;
    return true;
}

bool sw_body_position(const swState *s, int body, swVec3 rest, swVec3 *x, swMat3 *F) {
    swBodyMotion o;
    view_body(s, sw_bed_of(s->base, body), &o);
    return sw_bed_position(&o.motion, rest, x, F);
}

void sw_insert_place(const swState *s, int slot, swVec3 *x, swMat3 *F) {
    const swBump *b = s->inserts->bump[slot];
    sw_body_position(s, b->body, b->rest, x, F);
}

// ---- by hand ----

swInsertion sw_default_insertion(const swState *s, int body, swVec3 at) {
    const swBed *bed = body >= 0 && body < s->base->size.nbody ? sw_bed_of(s->base, body) : NULL;
    return (swInsertion){.body = body,
                         .at = at,
                         .range = NAN,
                         .distance = bed ? (swDistance)bed->distance : SW_DISTANCE_GEODESIC};
}

static bool check(const swState *s, const swInsertion *in, const swBed **bed, int *slot,
                  swError *error) {
    const swModel *m = s->base;
    if (in->body < 0 || in->body >= m->size.nbody)
        return sw_fail(error, SW_ERROR_VALUE, "expected a body from 0 to %d, found %d",
                       (int)m->size.nbody - 1, in->body);
    if (m->body[in->body].blend != SW_BLEND_LINEAR)
        return sw_fail(error, SW_ERROR_VALUE,
                       "no motion can be added to the blend of dual quaternions");
    if (!(*bed = sw_bed_of(m, in->body)))
        return sw_fail(error, SW_ERROR_VALUE,
                       "the body \"%s\" is not prepared: give its frames.adapt a budget",
                       sw_body_name(m, in->body));
    if (!isfinite(in->at.x) || !isfinite(in->at.y) || !isfinite(in->at.z))
        return sw_fail(error, SW_ERROR_VALUE, "expected a finite place, found (%g, %g, %g)",
                       in->at.x, in->at.y, in->at.z);
    if (in->distance != SW_DISTANCE_EUCLIDEAN && in->distance != SW_DISTANCE_GEODESIC)
        return sw_fail(error, SW_ERROR_VALUE,
                       "expected the distance euclidean or geodesic, found another");
    if (!isnan(in->range) && !(in->range > 0 && isfinite(in->range)))
        return sw_fail(error, SW_ERROR_VALUE, "expected a range above 0 m, found %g", in->range);
    int used = 0;
    *slot = -1;
    for (int i = SW_INSERTS - 1; i >= 0; i--) {
        used += s->insert[i].used && s->insert[i].body == in->body;
        *slot = s->insert[i].used ? *slot : i;
    }
    if (used >= (*bed)->budget || *slot < 0)
        return sw_fail(error, SW_ERROR_LIMIT, "the budget of %d frames is used up",
                       used >= (*bed)->budget ? (*bed)->budget : SW_INSERTS);
    return true;
}

// Two frames that do the same are one too many: some motion would have no mass.
static bool check_apart(const swState *s, const swInsertInfo *in, swError *error) {
    for (int i = 0; i < SW_INSERTS; i++) {
        const swInsertInfo *there = &s->insert[i];
        const swReal near = 0.05 * in->range;
        if (there->used && there->body == in->body && fabs(there->range - in->range) < near &&
            sw_norm(sw_sub(there->rest, in->rest)) < near)
            return sw_fail(error, SW_ERROR_VALUE,
                           "a frame of this range is there already: that of slot %d", i);
    }
    return true;
}

// With what is known of the frame, in the slot.
static bool put(swState *s, int slot, swInsertInfo insert, swError *error) {
    swInsertInfo list[SW_INSERTS];
    memcpy(list, s->insert, sizeof list);
    insert.used = 1;
    list[slot] = insert;
    return sw_state_refit(s, list, error);
}

int sw_frame_insert(swState *s, const swInsertion *in, swInsertReport *report, swError *error) {
    const swBed *bed = NULL;
    int slot = -1;
    swRestPoint found;
    sw_error_clear(error);
    if (!check(s, in, &bed, &slot, error) || !find_rest(s, in->body, in->at, &found))
        return -1;
    if (!(found.miss <= bed->h)) {
        sw_fail(error, SW_ERROR_GEOMETRY,
                "the place (%.4g, %.4g, %.4g) is outside the body \"%s\", %.3g m away from it",
                in->at.x, in->at.y, in->at.z, sw_body_name(s->base, in->body), found.miss);
        return -1;
    }
    const swReal before = report ? sw_state_total(s) : 0;
    const swInsertInfo insert = {.body = in->body,
                                 .distance = (int)in->distance,
                                 .rest = found.rest,
                                 .range = isnan(in->range) ? bed->range : in->range};
    if (!check_apart(s, &insert, error) || !put(s, slot, insert, error))
        return -1;
    if (report)
        *report = (swInsertReport){.frame = sw_insert_node(s, slot),
                                   .iterations = found.iterations,
                                   .rest = found.rest,
                                   .miss = found.miss,
                                   .energy_jump = sw_state_total(s) - before,
                                   .points = s->inserts->bump[slot]->npoints};
    return slot;
}

int sw_insert_at_rest(swState *s, const swBed *bed, swVec3 rest, swError *error) {
    int slot = 0;
    while (slot < SW_INSERTS && s->insert[slot].used)
        slot++;
    if (slot == SW_INSERTS) {
        sw_fail(error, SW_ERROR_LIMIT, "%d frames are inserted already", SW_INSERTS);
        return -1;
    }
    const swInsertInfo insert = {.body = bed->body,
                                 .distance = bed->distance,
                                 .automatic = 1,
                                 .rest = rest,
                                 .range = bed->range};
    return put(s, slot, insert, error) ? slot : -1;
}

bool sw_insertion_get(const swState *s, int slot, swInserted *out) {
    if (slot < 0 || slot >= SW_INSERTS || !s->insert[slot].used)
        return false;
    const swInsertInfo *in = &s->insert[slot];
    swMat3 F;
    *out = (swInserted){.body = in->body,
                        .frame = sw_insert_node(s, slot),
                        .rest = in->rest,
                        .range = in->range,
                        .distance = (swDistance)in->distance,
                        .automatic = in->automatic};
    sw_insert_place(s, slot, &out->at, &F);
    return true;
}
