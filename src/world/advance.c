// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A body goes on by a step of the scene: in one, or in parts where that fails.
#include "integrate/integrator.h"
#include "kinematics/handles.h"
#include "world/world.h"

#include <string.h>

enum { PARTS = 64 }; // of a step, at most

// ---- energy from nowhere ----

// Work, actuation and losses explain what energy a step begins and ends with, up to errors that
// come and go. A step after which much more of it is there than that is not taken.
static bool keeps_energy(swBodyState *s) {
    const swWork *w = s->work;
    // Rotations of particles are taken anew in every step, which changes their energy.
    const swReal turns = s->model->size.nparticle > 0 ? 4 : 1,
                 gain = turns * sw_integrator_at(s->model->settings->integrator)->gain,
                 scale = sw_max(s->rest->scale, w->scale),
                 surplus = sw_max(0, s->rest->surplus + w->drift);
    if (surplus > gain * scale + w->rounding || isnan(surplus)) {
        snprintf(s->report.reason, sizeof s->report.reason,
                 "the step would gain %.3g J that nothing explains, of %.3g J", w->drift, scale);
        return false;
    }
    s->rest->surplus = surplus;
    s->rest->scale = scale;
    return true;
}

// ---- parts of a step ----

// What a part of a step changes, to be taken back.
typedef struct {
    swReal t, h, energy;
} swMoment;
static swMoment moment_of(const swBodyState *s) { return (swMoment){s->t, s->h, s->energy}; }
static void go_back(swBodyState *s, const swMoment *to, const void *block) {
    memcpy(s->block, block, s->block_size);
    s->t = to->t;
    s->h = to->h;
    s->energy = to->energy;
}

// One part, if energy allows. The first begins with what is saved already.
static swStatus take_part(swBodyState *s, bool first) {
    const swMoment begin = moment_of(s);
    const swStepReport report = s->report;
    void *before = first ? s->work->saved : s->work->part;
    if (!first)
        memcpy(before, s->block, s->block_size);
    const swStatus status = sw_body_step(s);
    if (status != SW_OK || keeps_energy(s))
        return status;
    go_back(s, &begin, before);
    s->report.work = report.work; // they are those of parts that are taken
    s->report.actuated = report.actuated;
    s->report.dissipated = report.dissipated;
    s->report.drift = report.drift;
    return s->report.status = SW_ERROR_NOT_CONVERGED;
}

// In parts of 1, 1/2, ... 1/PARTS of the step, each as long as it can be.
static swStatus go(swBodyState *s, swReal t) {
    const swReal start = s->t, h = s->model->settings->step;
    int done = 0, part = PARTS; // of PARTS
    s->end = t;
    while (done < PARTS) {
        const bool last = done + part == PARTS;
        sw_body_set_step(s, part == PARTS ? h : h * part / PARTS);
        s->next = last ? t : start + h * (done + part) / PARTS;
        const swStatus status = take_part(s, done == 0);
        if (status == SW_OK) {
            done += part;
            s->report.substeps++;
            while (part < PARTS && done % (2 * part) == 0 && done + 2 * part <= PARTS)
                part *= 2;
        } else if (part > 1)
            part /= 2;
        else
            return status;
    }
    return SW_OK;
}

// ---- rest ----

// Whether something may still move it that is not there now.
static bool is_driven(const swBodyState *s) {
    const swBodyModel *m = s->model;
    if (sw_handles_end(m) > s->t || sw_body_follows(m))
        return true;
    for (int64_t i = 0; i < m->size.nhandle; i++)
        if (s->handle_place[i].set)
            return true;
    for (int64_t i = 0; i < m->size.nmaterial; i++)
        if (m->material[i].activation.repeat > 0 ||
            (m->material[i].yield > 0 && isfinite(m->material[i].creep)))
            return true;
    for (int64_t i = 0; i < m->size.nmuscle; i++)
        if (m->muscle[i].activation.repeat > 0)
            return true;
    for (int64_t i = 0; i < m->size.nshape; i++)
        if (m->shape[i].value.repeat > 0)
            return true;
    return sw_activations_end(m) > s->t;
}

// How slow is still, in sizes of the body in a second: on something that it touches it creeps, held
// it settles, and what nothing holds may go on for ever.
static swReal slow_of(const swBodyState *s) {
    for (int64_t i = 0; i < s->model->size.nnode && s->report.contacts == 0; i++)
        if (s->model->node[i].ndof == 0)
            return 1e-7;
    return s->report.contacts > 0 ? 1e-4 : 0;
}

// A body that has hardly moved for a while rests: what little motion there is ends.
static void fall_asleep(swBodyState *s) {
    static const swReal while_ = 0.5; // [s]
    const swBodyModel *m = s->model;
    const swReal speed = sqrt(2 * s->work->kinetic / m->body[0].mass); // in the mean over the mass
    if (!m->settings->sleep || speed > slow_of(s) * sw_body_length(&m->body[0]) || is_driven(s)) {
        s->rest->still = 0;
        return;
    }
    s->rest->still += m->settings->step;
    if (s->rest->still < while_)
        return;
    memcpy(s->work->q_new, s->q, (size_t)m->size.nq * sizeof *s->q);
    sw_body_rest(m, s, s->work->q_new);
    s->rest->asleep = 1;
}

void sw_body_advance(swBodyState *s, void *arg) {
    const swReal t = *(const swReal *)arg;
    const swMoment begin = moment_of(s);
    memset(&s->report, 0, sizeof s->report);
    memcpy(s->work->saved, s->block, s->block_size);
    const swStatus status = go(s, t);
    s->report.status = status;
    if (status == SW_OK) {
        s->report.reason[0] = 0;
        fall_asleep(s);
        return;
    }
    go_back(s, &begin, s->work->saved);
    s->rest->stopped = (int64_t)status;
}

// ---- all bodies ----

void sw_state_notice(swState *s) {
    const swVec3 gravity = s->model->settings.gravity;
    if (memcmp(&s->gravity, &gravity, sizeof gravity) != 0) {
        s->gravity = gravity;
        sw_state_wake(s);
    }
    for (int64_t i = 0; i < s->model->size.nkey; i++)
        if (s->model->key[i].t > s->t) { // a collider moves, or will
            sw_state_stir(s);
            return;
        }
}

void sw_state_finish(swState *s, swReal t) {
    const swIslands *in = s->islands;
    bool any = in->n == 0;
    for (int i = 0; i < in->n; i++)
        any = any || s->body[in->body[i]]->report.status == SW_OK;
    if (!any) { // then it is this step that failed, and the next one may not
        for (int i = 0; i < in->n; i++)
            s->body[in->body[i]]->rest->stopped = 0;
        return;
    }
    for (int64_t i = 0; i < s->model->size.nbody; i++)
        s->body[i]->t = t;
    s->t = t;
    s->step++;
    for (int i = 0; i < sw_state_collider_count(s); i++)
        s->collider[i].last = s->collider[i].now;
}

// Bodies that have stopped come first, then those that need most.
static void add_report(swStepReport *sum, const swStepReport *r) {
    sum->iterations = sw_max_int(sum->iterations, r->iterations);
    sum->line_search_cuts += r->line_search_cuts;
    sum->projections += r->projections;
    sum->substeps = sw_max_int(sum->substeps, r->substeps);
    sum->increments = sw_max_int(sum->increments, r->increments);
    sum->cuts += r->cuts;
    sum->unstable = sw_max_int(sum->unstable, r->unstable);
    sum->left += r->left;
    sum->contacts += r->contacts;
    sum->replaced = sw_max_int(sum->replaced, r->replaced);
    sum->work += r->work;
    sum->dissipated += r->dissipated;
    sum->actuated += r->actuated;
    sum->drift += r->drift;
    sum->damping = sw_max(sum->damping, r->damping);
    if (!(r->residual * sum->scale <= sum->residual * r->scale) || sum->scale == 0) {
        sum->residual = r->residual;
        sum->scale = r->scale;
    }
}

void sw_report_gather(swState *s) {
    swStepReport *sum = &s->report;
    const swReal load = sum->load;
    memset(sum, 0, sizeof *sum);
    sum->load = load;
    sum->islands = s->islands->n;
    for (int64_t i = 0; i < s->model->size.nbody; i++) {
        const swBodyState *body = s->body[i];
        sum->asleep += body->rest->asleep != 0;
        if (body->rest->asleep)
            continue;
        add_report(sum, &body->report);
        if (body->report.status == SW_OK)
            continue;
        sum->stopped++;
        if (sum->status == SW_OK) {
            sum->status = body->report.status;
            snprintf(sum->reason, sizeof sum->reason, "body \"%.60s\": %.127s",
                     sw_body_name(s->model, (int)i), body->report.reason);
        }
    }
}
