// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Simulated time follows the wall clock at the chosen speed, as far as the machine can keep up.
#include "view/sim.h"

#include <string.h>

static const double patience = 0.1; // delay that is caught up with [s of wall time]
static const double period = 1.5;   // of vibrations as they are shown [s]
// While something is held, a step may take this long [s of wall time] plus 20 times the usual time,
// and this many parts: pulling harder would only mean waiting for a body that is torn out of shape.
static const double longest_step = 0.5;
static const int most_parts = 32;

bool sim_is_running(const Sim *s) {
    bool seen = false;
    for (int i = 0; i < VIEW_PAGES; i++)
        seen = seen || s->page[i].id > 0;
    return s->now && s->playing && seen && s->mode != MODE_STATIC;
}

void sim_restart_clock(Sim *s) {
    const double now = sw_seconds();
    s->clock = (Clock){.last = now, .since = now, .reached = s->clock.reached};
    if (s->now) {
        s->clock.from = s->now->state->t;
        s->clock.debt = s->now->model->settings.step; // step at once, or a long step seems to hang
    }
    if (!s->playing)
        s->clock.reached = 0;
}

static void let_go(Sim *s, const char *reason) {
    sim_let_go(s);
    s->let_go = s->now->state->step;
    view_say(s->view, 0, "warning", "pulled too hard and let go: %s", reason);
}

// After a failed step, releases what pages hold so that the motion goes on; pauses if that did not
// help.
static void give_way(Sim *s) {
    const swStepReport *report = sw_state_report(s->now->state);
    if (s->let_go == s->now->state->step || !sim_holds(s))
        sim_fail(s, "the step from t = %g s failed: %s", s->t_last, report->reason);
    else
        let_go(s, report->status == SW_ERROR_STOPPED ? "a step took too long" : report->reason);
}

void sim_remember(Sim *s) {
    const swState *state = s->now->state;
    for (int64_t b = 0; b < state->model->size.nbody; b++) {
        const swBodyState *body = state->body[b];
        memcpy(s->body[b].last, body->q, (size_t)body->model->size.nq * sizeof *body->q);
    }
    s->t_last = state->t;
}

// False if time stood still or another body has stopped. Bodies that are known to have stopped do
// not hold up the others.
static bool step(Sim *s) {
    swState *state = s->now->state;
    const bool held = sim_holds(s);
    const double start = sw_seconds();
    s->view->step_deadline = held ? start + longest_step + 20 * s->usual : INFINITY;
    const swStatus status = sw_step(sim_model(s), state);
    const int known = s->stopped;
    s->stopped = sw_state_report(state)->stopped;
    const double took = sw_seconds() - start;
    if (!held)
        s->usual = isfinite(s->usual) ? s->usual + 0.1 * (took - s->usual) : took;
    else if (status == SW_OK && sw_state_report(state)->substeps > most_parts)
        let_go(s, "a step took too many parts");
    return status == SW_OK || (state->t > s->t_last && s->stopped <= known);
}

// Takes one step, and inserts and removes frames as it requires; false if that failed.
static bool advance(Sim *s) {
    if (!sim_cut(s))
        return false;
    swState *state = s->now->state;
    sim_follow(s, s->now->model->settings.step);
    sim_remember(s);
    if (!step(s)) {
        give_way(s);
        return false;
    }
    swError error;
    const int changes = sw_state_adapt(state, &error);
    sim_record_step(s);
    if (changes < 0)
        sim_fail(s, "no frame could be inserted at t = %g s: %s", state->t, error.message);
    else if (changes > 0)
        sim_refit(s);
    return changes >= 0 && s->now && sim_tear(s);
}

// ---- recordings ----

swReal sim_duration(const Sim *s) { return clip_duration(&s->now->clip); }

// `at`: the key at t or before.
static void seek_body(const swBodyClip *clip, swReal t, int at, swBodyState *state) {
    const swClipKey *near = &clip->keys.item[at];
    sw_body_clip_pose(clip, t, state->q);
    if (near->activation)
        memcpy(state->activation, near->activation,
               (size_t)sw_control_count(clip->model) * sizeof *state->activation);
    if (near->plastic)
        memcpy(state->plastic, near->plastic,
               (size_t)clip->model->size.nplastic * sizeof *state->plastic);
    state->t = t;
}

void sim_seek(Sim *s, swReal time) {
    const swClip *clip = &s->now->clip;
    swState *state = s->now->state;
    s->phase = sw_clamp(time, 0, sim_duration(s));
    const swReal t = sw_clip_time(clip, 0) + s->phase;
    const int at = sw_clip_find(clip, t);
    for (int64_t b = 0; b < state->model->size.nbody; b++)
        seek_body(&clip->body[b], t, at, state->body[b]);
    state->t = t;
    state->step = at;
    s->exact = s->changed = true;
}

static void run_recording(Sim *s, double now) {
    s->clock.reached = s->speed;
    sim_seek(s, s->phase + (now - s->clock.last) * s->speed);
    s->clock.last = now;
    if (s->phase < sim_duration(s))
        return;
    s->playing = false;
    sim_status(s);
}

// ---- single steps, reset ----

void sim_step(Sim *s) {
    if (s->mode == MODE_RECORDING)
        sim_seek(s, s->phase + 1.0 / 30);
    else if (s->mode == MODE_STATIC)
        s->solve = true;
    else if (s->mode == MODE_MODAL) {
        s->phase += period / 24;
        sim_pose_mode(s);
    } else {
        s->failed[0] = 0;
        advance(s);
    }
    sim_status(s);
}

void sim_reset(Sim *s) {
    if (s->recording)
        sim_record(s, false);
    const bool inserted = sim_model(s) != s->now->model;
    sw_state_reset(s->now->state);
    s->npull = 0;
    s->ball.on = false;
    for (int i = 0; i < sw_handle_count(s->now->model); i++)
        s->handle[i].on = false;
    s->failed[0] = 0;
    s->let_go = -1;
    s->stopped = 0;
    s->solve = s->mode == MODE_STATIC;
    s->phase = 0;
    if (s->mode == MODE_RECORDING)
        sim_seek(s, 0);
    s->profile = (swProfile){0};
    s->clock.reached = 0;
    s->exact = true;
    if (s->mode == MODE_MODAL)
        sim_pose_mode(s);
    sim_restart_clock(s);
    sim_status(s);
    if (inserted)
        sim_refit(s);
    if (s->now && s->now->staged) // makes the body whole again
        sim_compile(s, true);
}

void sim_pose_mode(Sim *s) {
    if (s->modes && s->modes->count > 0)
        sw_modes_pose(s->modes, s->shown_mode, s->amplitude * sin(2 * SW_PI * s->phase / period),
                      s->now->state);
    s->exact = true;
}

static void measure_speed(Sim *s, double now, double shown) {
    Clock *c = &s->clock;
    if (now - c->since < 0.5)
        return;
    c->reached = (shown - c->from) / (now - c->since);
    c->since = now;
    c->from = shown;
}

// Takes as many steps as time has passed, but works no longer than a frame lasts. A delay that
// cannot be caught up with is dropped.
static void run_dynamic(Sim *s, double now) {
    Clock *c = &s->clock;
    const swReal h = s->now->model->settings.step, most = sw_max(h, patience * s->speed);
    c->debt += (now - c->last) * s->speed;
    c->last = now;
    if (c->debt > most) {
        c->debt = most;
        c->slow_until = now + 1;
    }
    while (c->debt >= h && sw_seconds() < now + 1.0 / SIM_FPS)
        if (advance(s))
            c->debt -= h;
        else
            return;
    s->exact = false;
    measure_speed(s, now, s->now->state->t - h + sw_min(c->debt, h));
}

static void run_modal(Sim *s, double now) {
    s->phase += (now - s->clock.last) * s->speed;
    s->clock.last = now;
    s->clock.reached = s->speed;
    sim_pose_mode(s);
}

static void find_equilibrium(Sim *s) {
    swState *state = s->now->state;
    s->solve = false;
    s->failed[0] = 0;
    sim_follow(s, INFINITY);
    const double start = sw_seconds();
    const bool long_one = s->solved_in > 0.5;
    if (long_one)
        view_busy(s->view, "equilibrium", 0);
    const swStatus status = sw_solve_static(s->now->model, state);
    if (long_one)
        view_busy(s->view, "", 0);
    s->solved_in = sw_seconds() - start;
    const swStepReport *report = sw_state_report(state);
    if (status != SW_OK)
        sim_fail(s, "no equilibrium beyond %.4g%% of the load: %s", 100 * report->load,
                 report->reason);
    else if (report->unstable)
        view_say(s->view, 0, "warning", "this equilibrium is unstable");
    s->changed = s->exact = true;
}

void sim_tick(Sim *s) {
    const double now = sw_seconds();
    if (s->solve)
        find_equilibrium(s);
    if (!sim_is_running(s))
        return;
    s->changed = true;
    if (s->mode == MODE_MODAL)
        run_modal(s, now);
    else if (s->mode == MODE_RECORDING)
        run_recording(s, now);
    else
        run_dynamic(s, now);
}
