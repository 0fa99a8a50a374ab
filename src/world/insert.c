// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Frames inserted into a moving body, and what is known of them.
#include "world/world.h"

#include <string.h>

// ---- where points of a body are ----

// The motion of a body that has a bed. `q` is room for the base model's nodes.
typedef struct {
    swBedView view;
    swBedMotion motion;
    const swBump *bump[SW_INSERTS];
    const swReal *B[SW_INSERTS];
} swBodyMotion;

static void view_body(const swBodyState *s, const swBed *bed, swBodyMotion *o) {
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

int sw_insert_node(const swBodyState *s, int slot) {
    return s->inserts->derived.bump_node[s->inserts->order[slot]];
}

// The bed of a body of a state, or NULL.
static const swBed *bed_of(const swState *s, int body) {
    return body >= 0 && body < s->model->size.nbody ? sw_bed_of(s->body[body]->base, 0) : NULL;
}

static bool find_rest(const swState *world, int body, swVec3 at, swRestPoint *found) {
    const swBed *bed = bed_of(world, body);
    const swBodyState *s = bed ? world->body[body] : NULL;
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

bool sw_body_position(const swBodyState *s, swVec3 rest, swVec3 *x, swMat3 *F) {
    swBodyMotion o;
    view_body(s, sw_bed_of(s->base, 0), &o);
    return sw_bed_position(&o.motion, rest, x, F);
}

void sw_insert_place(const swBodyState *s, int slot, swVec3 *x, swMat3 *F) {
    const swBump *b = s->inserts->bump[slot];
    sw_body_position(s, b->rest, x, F);
}

// ---- by hand ----

swInsertion sw_default_insertion(const swState *s, int body, swVec3 at) {
    const swBed *bed = bed_of(s, body);
    return (swInsertion){.body = body,
                         .at = at,
                         .range = NAN,
                         .distance = bed ? (swDistance)bed->distance : SW_DISTANCE_GEODESIC};
}

static bool check(const swState *s, const swInsertion *in, const swBed **bed, int *slot,
                  swError *error) {
    if (in->body < 0 || in->body >= s->model->size.nbody)
        return sw_fail(error, SW_ERROR_VALUE, "expected a body from 0 to %d, found %d",
                       (int)s->model->size.nbody - 1, in->body);
    const swBodyState *body = s->body[in->body];
    if (body->base->body[0].blend != SW_BLEND_LINEAR)
        return sw_fail(error, SW_ERROR_VALUE,
                       "no motion can be added to the blend of dual quaternions");
    if (!(*bed = sw_bed_of(body->base, 0)))
        return sw_fail(error, SW_ERROR_VALUE,
                       "the body \"%s\" is not prepared: give its frames.adapt a budget",
                       sw_body_name(s->model, in->body));
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
        used += body->insert[i].used;
        *slot = body->insert[i].used ? *slot : i;
    }
    if (used >= (*bed)->budget || *slot < 0)
        return sw_fail(error, SW_ERROR_LIMIT, "the budget of %d frames is used up",
                       used >= (*bed)->budget ? (*bed)->budget : SW_INSERTS);
    return true;
}

// Two frames that do the same are one too many: some motion would have no mass.
static bool check_apart(const swBodyState *s, const swInsertInfo *in, swError *error) {
    for (int i = 0; i < SW_INSERTS; i++) {
        const swInsertInfo *there = &s->insert[i];
        const swReal near = 0.05 * in->range;
        if (there->used && fabs(there->range - in->range) < near &&
            sw_norm(sw_sub(there->rest, in->rest)) < near)
            return sw_fail(error, SW_ERROR_VALUE,
                           "a frame of this range is there already: that of slot %d", i);
    }
    return true;
}

// With what is known of the frame, in the slot.
static bool put(swBodyState *s, int slot, swInsertInfo insert, swError *error) {
    swInsertInfo list[SW_INSERTS];
    memcpy(list, s->insert, sizeof list);
    insert.used = 1;
    list[slot] = insert;
    return sw_body_refit(s, list, error);
}

int sw_frame_insert(swState *world, const swInsertion *in, swInsertReport *report, swError *error) {
    const swBed *bed = NULL;
    int slot = -1;
    swRestPoint found;
    sw_error_clear(error);
    if (!check(world, in, &bed, &slot, error) || !find_rest(world, in->body, in->at, &found))
        return -1;
    if (!(found.miss <= bed->h)) {
        sw_fail(error, SW_ERROR_GEOMETRY,
                "the place (%.4g, %.4g, %.4g) is outside the body \"%s\", %.3g m away from it",
                in->at.x, in->at.y, in->at.z, sw_body_name(world->model, in->body), found.miss);
        return -1;
    }
    swBodyState *s = world->body[in->body];
    const swReal before = report ? sw_body_total(s) : 0;
    const swInsertInfo insert = {.distance = (int)in->distance,
                                 .rest = found.rest,
                                 .range = isnan(in->range) ? bed->range : in->range};
    if (!check_apart(s, &insert, error) || !put(s, slot, insert, error))
        return -1;
    sw_state_refresh(world);
    if (report)
        *report =
            (swInsertReport){.frame = world->view->place[in->body].frame + sw_insert_node(s, slot),
                             .iterations = found.iterations,
                             .rest = found.rest,
                             .miss = found.miss,
                             .energy_jump = sw_body_total(s) - before,
                             .points = s->inserts->bump[slot]->npoints};
    return SW_INSERTS * in->body + slot;
}

int sw_insert_at_rest(swBodyState *s, const swBed *bed, swVec3 rest, swError *error) {
    int slot = 0;
    while (slot < SW_INSERTS && s->insert[slot].used)
        slot++;
    if (slot == SW_INSERTS) {
        sw_fail(error, SW_ERROR_LIMIT, "%d frames are inserted already", SW_INSERTS);
        return -1;
    }
    const swInsertInfo insert = {
        .distance = bed->distance, .automatic = 1, .rest = rest, .range = bed->range};
    return put(s, slot, insert, error) ? slot : -1;
}

// The body that a slot is of, and its place there; NULL: no frame is in it.
static swBodyState *owner_of(const swState *s, int *slot) {
    const int body = *slot / SW_INSERTS;
    if (*slot < 0 || body >= s->model->size.nbody || sw_body_slots(s->body[body]->base) == 0)
        return NULL;
    *slot %= SW_INSERTS;
    return s->body[body]->insert[*slot].used ? s->body[body] : NULL;
}

bool sw_frame_remove(swState *s, int slot, swInsertReport *report, swError *error) {
    int own = slot;
    swBodyState *body = owner_of(s, &own);
    sw_error_clear(error);
    if (!body)
        return sw_fail(error, SW_ERROR_VALUE, "no frame is inserted in slot %d", slot);
    const int frame = s->view->place[body->index].frame;
    if (!sw_body_remove(body, own, report, error))
        return false;
    if (report)
        report->frame += frame;
    sw_state_refresh(s);
    return true;
}

bool sw_insertion_get(const swState *world, int slot, swInserted *out) {
    const swBodyState *s = owner_of(world, &slot);
    if (!s)
        return false;
    const swInsertInfo *in = &s->insert[slot];
    swMat3 F;
    *out = (swInserted){.body = s->index,
                        .frame = world->view->place[s->index].frame + sw_insert_node(s, slot),
                        .rest = in->rest,
                        .range = in->range,
                        .distance = (swDistance)in->distance,
                        .automatic = in->automatic};
    sw_insert_place(s, slot, &out->at, &F);
    return true;
}
