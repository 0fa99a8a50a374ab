// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Frames where contact or strain asks for them, and no longer than it does.
#include "potentials/measure.h"
#include "kinematics/points.h"
#include "world/world.h"

enum {
    TRIES = 3,       // places that are tried in one call, the most wanted first
    QUIET = 10,      // steps after which a frame that hardly moves anything goes
    LONG_QUIET = 30, // and one that moves little
    STRAIN_STEPS = 4 // strain is looked at once in so many steps
};
static const swReal press = 0.005; // force over E range^2 that asks for a frame
static const swReal keep = 0.5;    // of what asks for a frame, that keeps it
static const swReal still = 0.01;  // displacement over range of a frame that hardly moves anything
static const swReal little = 0.1;  // and of one that moves little
static const swReal apart = 0.5;   // of the range: no two frames are nearer to each other

// A place of the body at rest that wants a frame, and how much: 1 is enough. Forces near each other
// act together; strains do not.
typedef struct {
    swVec3 rest;
    swReal want;
    bool adds;
} swWish;

typedef struct {
    swBodyState *s;
    const swBed *bed;
    swReal scale; // force that is one wish
    SW_LIST(swWish) wishes;
    swArena arena;
    swError *error;
} swAdapting;

static bool wish(swAdapting *a, swVec3 rest, swReal want, bool adds) {
    swWish *w = want > 0 ? SW_PUSH(&a->wishes, &a->arena, a->error) : NULL;
    if (w)
        *w = (swWish){rest, want, adds};
    return w || !(want > 0);
}

// Colliders and the ball on contact points, pulls on vertices.
static bool feel_contact(swAdapting *a) {
    const swBodyState *s = a->s;
    const swBodyModel *m = s->model;
    for (int i = 0; i < m->size.ncontact; i++) {
        swReal force = 0;
        for (int k = 0; k < SW_TOUCHES; k++)
            force += s->touch[SW_TOUCHES * i + k].force;
        if (!wish(a, m->point[m->contact[i].point], force / a->scale, true))
            return false;
    }
    for (int i = 0; i < s->world->npull; i++) {
        const swPullInfo *p = &s->world->pull[i];
        if (p->stiffness == 0 || p->node >= 0 || p->body != s->index)
            continue;
        const swReal way = sw_norm(sw_sub(p->to, sw_point_position(m, s->q, p->point)));
        if (!wish(a, m->point[p->point], p->stiffness * way / a->scale, true))
            return false;
    }
    return true;
}

// The largest principal strain at samples.
static bool feel_strain(swAdapting *a) {
    const swBodyState *s = a->s;
    const swBodyModel *m = s->model;
    swMeasureWork work;
    swReal *strain = SW_NEW(&a->arena, m->size.nsample, swReal, a->error);
    if (!strain || !sw_measure_create(&work, m, sw_pool_size(s->pool), &a->arena, a->error))
        return false;
    const swMeasureInput input = sw_measure_input(s);
    sw_measure(m, &work, s->pool, SW_MEASURE_STRAIN, &input, strain);
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        for (int k = g->sample; g->body == a->bed->body && k < g->sample + g->nblock * SW_LANES;
             k++)
            if (strain[k] > keep * a->bed->strain &&
                !wish(a, m->sample_point[k], strain[k] / a->bed->strain, false))
                return false;
    }
    return true;
}

// What is wanted within `reach` of a place.
static swReal wanted_at(const swAdapting *a, swVec3 rest, swReal reach) {
    swReal sum = 0, most = 0;
    for (int i = 0; i < a->wishes.count; i++) {
        const swWish *w = &a->wishes.item[i];
        if (!(sw_norm(sw_sub(w->rest, rest)) < reach))
            continue;
        sum += w->adds ? w->want : 0;
        most = sw_max(most, w->want);
    }
    return sw_max(sum, most);
}

static swReal slope_of(const swReal *B) {
    swReal sum = 0;
    for (int i = 0; i < 12; i++)
        sum += i % 4 ? B[i] * B[i] : 0;
    return sqrt(sum);
}

// How far a frame moves points, over its range.
static swReal displacement(const swBodyState *s, int slot) {
    const swReal *B = s->q + s->model->node[sw_insert_node(s, slot)].q;
    return sw_norm(sw_v3(B[0], B[4], B[8])) / s->insert[slot].range + 0.5 * slope_of(B);
}

static bool mine(const swAdapting *a, int slot) { return a->s->insert[slot].used; }

// Without memory nothing goes on; for any other reason a frame is not there, or stays, for now.
static int refuse(swAdapting *a, const swError *why) {
    if (why->code == SW_ERROR_MEMORY && a->error)
        *a->error = *why;
    return why->code == SW_ERROR_MEMORY ? -1 : 0;
}

// 1: it is gone; 0: it cannot go now, and is asked again later; -1: failed.
static int release(swAdapting *a, int slot) {
    swError refused = {0};
    if (sw_body_remove(a->s, slot, NULL, &refused))
        return 1;
    a->s->insert[slot].idle = 0;
    return refuse(a, &refused);
}

// Counts how long nobody has asked for each frame, and lets one go. -1: failed.
static int let_go(swAdapting *a) {
    swBodyState *s = a->s;
    const int steps = isnan(a->bed->strain) ? 1 : STRAIN_STEPS; // since the last time
    int gone = -1;
    for (int i = 0; i < SW_INSERTS; i++) {
        swInsertInfo *in = &s->insert[i];
        if (!mine(a, i) || !in->automatic)
            continue;
        in->idle = wanted_at(a, in->rest, in->range) > keep ? 0 : in->idle + steps;
        const swReal moved = displacement(s, i);
        if ((in->idle > QUIET && moved < still) || (in->idle > LONG_QUIET && moved < little))
            gone = i;
    }
    return gone < 0 ? 0 : release(a, gone);
}

// The strongest wish that is away from all frames, and below the last one that was refused.
static const swWish *strongest(const swAdapting *a, swReal below) {
    const swWish *best = NULL;
    for (int i = 0; i < a->wishes.count; i++) {
        const swWish *w = &a->wishes.item[i];
        bool near = w->want >= below;
        for (int k = 0; k < SW_INSERTS && !near; k++)
            near = mine(a, k) &&
                   sw_norm(sw_sub(a->s->insert[k].rest, w->rest)) < apart * a->s->insert[k].range;
        if (!near && (!best || w->want > best->want))
            best = w;
    }
    return best;
}

// Room for one more: where the budget is used up, the frame that nobody has asked for and that
// moves least goes. 0: there is none; -1: failed.
static int make_room(swAdapting *a) {
    int used = 0, least = -1;
    for (int i = 0; i < SW_INSERTS; i++) {
        const swInsertInfo *in = &a->s->insert[i];
        used += mine(a, i);
        if (mine(a, i) && in->automatic && in->idle > QUIET / 2 &&
            (least < 0 || displacement(a->s, i) < displacement(a->s, least)))
            least = i;
    }
    if (used < a->bed->budget)
        return 1;
    return least < 0 ? 0 : release(a, least);
}

// One at a time: the next step shows what is still wanted.
static int let_in(swAdapting *a) {
    swReal below = INFINITY;
    for (int i = 0; i < TRIES; i++) {
        const swWish *w = strongest(a, below);
        if (!w || wanted_at(a, w->rest, apart * a->bed->range) < 1)
            return 0;
        const int room = make_room(a);
        if (room <= 0)
            return room;
        swError refused = {0};
        if (sw_insert_at_rest(a->s, a->bed, w->rest, &refused) >= 0)
            return 1;
        if (refuse(a, &refused) < 0)
            return -1;
        below = w->want;
    }
    return 0;
}

static int adapt_body(swBodyState *s, const swBed *bed, swError *error) {
    swAdapting a = {.s = s, .bed = bed, .error = error};
    swReal young = 0;
    for (int64_t i = 0; i < s->base->size.ngroup; i++)
        if (s->base->group[i].body == bed->body)
            young = sw_max(young, s->base->material[s->base->group[i].material].young);
    a.scale = press * young * bed->range * bed->range;
    if (!(a.scale > 0)) // nothing of it deforms
        return 0;
    sw_arena_init(&a.arena, &s->config.allocator);
    int changes = -1;
    const bool strained = !isnan(bed->strain) && s->world->step % STRAIN_STEPS == 0;
    if ((!bed->contact || feel_contact(&a)) && (!strained || feel_strain(&a))) {
        const int gone = isnan(bed->strain) || strained ? let_go(&a) : 0;
        const int come = gone < 0 ? -1 : let_in(&a);
        changes = come < 0 ? -1 : gone + come;
    }
    sw_arena_free(&a.arena);
    return changes;
}

int sw_state_adapt(swState *s, swError *error) {
    int changes = 0;
    sw_error_clear(error);
    for (int64_t i = 0; i < s->model->size.nbody && changes >= 0; i++) {
        swBodyState *body = s->body[i];
        if (body->base->size.nbed == 0 || body->rest->asleep)
            continue;
        sw_body_enter(body);
        const int more = adapt_body(body, &body->base->bed[0], error);
        changes = more < 0 ? -1 : changes + more;
    }
    sw_state_refresh(s);
    return changes;
}

bool sw_model_adapts(const swModel *m) {
    for (int64_t i = 0; i < m->size.ncompiled; i++) {
        const swBodyModel *b = m->compiled[i];
        for (int64_t k = 0; k < b->size.nbed; k++)
            if (b->bed[k].contact || !isnan(b->bed[k].strain))
                return true;
    }
    return false;
}
