// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A body goes on by a step of the scene: in one, or in parts where that fails.
#include "world/world.h"

#include <string.h>

enum { PARTS = 64 }; // of a step, at most

// In parts of 1, 1/2, ... 1/PARTS of the step, each as long as it can be.
static swStatus go(swBodyState *s, swReal t) {
    const swReal start = s->t, h = s->model->settings->step;
    int done = 0, part = PARTS; // of PARTS
    s->end = t;
    while (done < PARTS) {
        const bool last = done + part == PARTS;
        sw_body_set_step(s, part == PARTS ? h : h * part / PARTS);
        s->next = last ? t : start + h * (done + part) / PARTS;
        const swStatus status = sw_body_step(s);
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

void sw_body_advance(swBodyState *s, void *arg) {
    const swReal t = *(const swReal *)arg;
    swWork *w = s->work;
    memset(&s->report, 0, sizeof s->report);
    const swReal start = s->t, h = s->h, energy = s->energy;
    memcpy(w->saved, s->block, s->block_size);
    const swStatus status = go(s, t);
    s->report.status = status;
    if (status == SW_OK) {
        s->report.reason[0] = 0;
        return;
    }
    memcpy(s->block, w->saved, s->block_size);
    s->t = start;
    s->h = h;
    s->energy = energy;
    s->rest->stopped = (int64_t)status;
}

// ---- all bodies ----

void sw_state_notice(swState *s) {
    const swVec3 gravity = s->model->settings.gravity;
    if (memcmp(&s->gravity, &gravity, sizeof gravity) != 0) {
        s->gravity = gravity;
        sw_state_wake(s);
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
    s->ball.last = s->ball.shape.a;
}

// Bodies that have stopped come first, then those that need most.
static void add_report(swStepReport *sum, const swStepReport *r) {
    sum->iterations = sw_max_int(sum->iterations, r->iterations);
    sum->line_search_cuts += r->line_search_cuts;
    sum->projections += r->projections;
    sum->substeps = sw_max_int(sum->substeps, r->substeps);
    sum->increments = sw_max_int(sum->increments, r->increments);
    sum->cuts += r->cuts;
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
