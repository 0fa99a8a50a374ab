// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Frames where contact or strain asks for them, and no longer than it does.
#include "forces/measure.h"
#include "kinematics/points.h"
#include "sim/inserts.h"

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

// A place of the body at rest that wants a frame, and how much: 1 is enough.
typedef struct {
    swVec3 rest;
    swReal want;
    bool force; // or strain
} swWish;

typedef struct {
    swState *s;
    const swBed *bed;
    swReal scale; // force that is one wish
    SW_LIST(swWish) wishes;
    swArena arena;
    swError *error;
} swAdapting;

static bool wish(swAdapting *a, swVec3 rest, swReal want, bool force) {
    swWish *w = want > 0 ? SW_PUSH(&a->wishes, &a->arena, a->error) : NULL;
    if (w)
        *w = (swWish){rest, want, force};
    return w || !(want > 0);
}

// Colliders and the ball on contact points, pulls on vertices.
static bool feel_contact(swAdapting *a) {
    const swState *s = a->s;
    const swModel *m = s->model;
    const int ncollider = (int)m->size.ncollider;
    for (int i = 0; i < m->size.ncontact; i++) {
        swReal force = s->ball_force[i];
        for (int c = 0; c < ncollider; c++)
            force += s->contact_force[i * ncollider + c];
        if (m->contact[i].body == a->bed->body &&
            !wish(a, m->point[m->contact[i].point], force / a->scale, true))
            return false;
    }
    for (int i = 0; i < SW_PULLS; i++) {
        const swPullInfo *p = &s->pull[i];
        if (p->stiffness == 0 || p->node >= 0 || sw_pull_owner(m, p) != a->bed->body)
            continue;
        const swReal way = sw_norm(sw_sub(p->to, sw_point_position(m, s->q, p->point)));
        if (!wish(a, m->point[p->point], p->stiffness * way / a->scale, true))
            return false;
    }
    return true;
}

// The largest principal strain at samples.
static bool feel_strain(swAdapting *a) {
    const swState *s = a->s;
    const swModel *m = s->model;
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

// What is wanted within `reach` of a place. Forces near each other act together, strains do not.
static swReal wanted_at(const swAdapting *a, swVec3 rest, swReal reach) {
    swReal force = 0, strain = 0;
    for (int i = 0; i < a->wishes.count; i++) {
        const swWish *w = &a->wishes.item[i];
        if (sw_norm(sw_sub(w->rest, rest)) >= reach)
            continue;
        if (w->force)
            force += w->want;
        else
            strain = sw_max(strain, w->want);
    }
    return sw_max(force, strain);
}

static swReal slope_of(const swReal *B) {
    swReal sum = 0;
    for (int i = 0; i < 12; i++)
        sum += i % 4 ? B[i] * B[i] : 0;
    return sqrt(sum);
}

// How far a frame moves points, over its range.
static swReal displacement(const swState *s, int slot) {
    const swReal *B = s->q + s->model->node[sw_insert_node(s, slot)].q;
    return sw_norm(sw_v3(B[0], B[4], B[8])) / s->insert[slot].range + 0.5 * slope_of(B);
}

static bool mine(const swAdapting *a, int slot) {
    return a->s->insert[slot].used && a->s->insert[slot].body == a->bed->body;
}

// Counts how long nobody has asked for each frame, and lets one go. -1: failed.
static int let_go(swAdapting *a) {
    swState *s = a->s;
    int gone = -1;
    for (int i = 0; i < SW_INSERTS; i++) {
        swInsertInfo *in = &s->insert[i];
        if (!mine(a, i) || !in->automatic)
            continue;
        in->idle = wanted_at(a, in->rest, in->range) > keep ? 0 : in->idle + 1;
        const swReal moved = displacement(s, i);
        if ((in->idle > QUIET && moved < still) || (in->idle > LONG_QUIET && moved < little))
            gone = i;
    }
    return gone < 0 ? 0 : sw_frame_remove(s, gone, NULL, a->error) ? 1 : -1;
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
    return least < 0 ? 0 : sw_frame_remove(a->s, least, NULL, a->error) ? 1 : -1;
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
        if (refused.code == SW_ERROR_MEMORY) {
            if (a->error)
                *a->error = refused;
            return -1;
        }
        below = w->want;
    }
    return 0;
}

static int adapt_body(swState *s, const swBed *bed, swError *error) {
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
    const bool strained = !isnan(bed->strain) && s->step % STRAIN_STEPS == 0;
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
    sw_state_enter(s->model, s);
    for (int64_t i = 0; i < s->base->size.nbed && changes >= 0; i++) {
        const int more = adapt_body(s, &s->base->bed[i], error);
        changes = more < 0 ? -1 : changes + more;
    }
    return changes;
}
