// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The simulation thread: executes commands of pages, steps as time passes, and sends the result.
#include "view/sim.h"

#include <stdlib.h>
#include <string.h>

void sim_status(Sim *s) {
    Text text;
    swJsonWriter *w = message_begin(&text, "status");
    if (!w)
        return;
    sw_json_put_bool(w, "playing", s->playing);
    sw_json_put_number(w, "speed", s->speed);
    sw_json_put_bool(w, "recording", s->recording);
    sw_json_put_number(w, "recorded", s->recorded);
    sw_json_put_text(w, "failed", s->failed);
    view_post(s->view, POST_STATUS, 0, message_end(&text));
}

void sim_fail(Sim *s, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(s->failed, sizeof s->failed, format, args);
    va_end(args);
    s->playing = false;
    view_say(s->view, 0, "error", "%s", s->failed);
    sim_status(s);
}

// ---- pages ----

static void arrive(Sim *s, int page) {
    for (int i = 0; i < VIEW_PAGES; i++)
        if (s->page[i].id == 0) {
            s->page[i].id = page;
            s->page[i].field = FIELD_NONE;
            break;
        }
    sim_restart_clock(s); // the simulation may have waited for a page
    s->changed = true;
}

static void leave(Sim *s, int page) {
    for (int i = 0; i < VIEW_PAGES; i++)
        if (s->page[i].id == page)
            s->page[i].id = 0;
    sim_release_page(s, page);
}

bool sim_has_samples(const Sim *s) {
    const swModel *m = sim_model(s);
    for (int64_t i = 0; i < m->size.ncompiled; i++)
        if (m->compiled[i]->size.nsample > 0)
            return true;
    return false;
}

static void set_field(Sim *s, const Command *c) {
    for (int i = 0; i < VIEW_PAGES; i++)
        if (s->page[i].id == c->page)
            s->page[i].field = c->index;
    if (c->index != FIELD_NONE && s->now && !sim_has_samples(s))
        view_say(s->view, c->page, "info",
                 "springs and particles have no points at which strain or stress is known");
    s->changed = true;
}

// ---- commands ----

static void play(Sim *s, bool on) {
    if (on && s->mode == MODE_STATIC) {
        view_say(s->view, 0, "info", "this is an equilibrium: nothing moves unless it is pulled");
        return;
    }
    if (on && s->mode == MODE_RECORDING && s->phase >= sim_duration(s))
        sim_seek(s, 0);
    s->playing = on;
    s->failed[0] = on ? 0 : s->failed[0];
    s->exact = !on;
    sim_restart_clock(s);
    sim_status(s);
}

static void set_mode(Sim *s, const Command *c) {
    if (!s->modes || c->index >= s->modes->count) {
        view_say(s->view, c->page, "error", "mode: there are only %d",
                 s->modes ? s->modes->count : 0);
        return;
    }
    swError error;
    if (!sim_choose_mode(s, c->index, &error))
        view_say(s->view, c->page, "error", "%s", error.message);
}

// Commands that need something to be open.
static void execute(Sim *s, const Command *c) {
    s->changed = true;
    switch (c->kind) {
    case DO_PLAY: play(s, true); break;
    case DO_PAUSE: play(s, false); break;
    case DO_STEP:
        play(s, false);
        sim_step(s);
        break;
    case DO_RESET: sim_reset(s); break;
    case DO_PULL: sim_pull(s, c); break;
    case DO_MOVE: sim_move(s, c); break;
    case DO_FRAME: sim_pull_frame(s, c); break;
    case DO_RELEASE: sim_release(s, c); break;
    case DO_HANDLE: sim_handle(s, c); break;
    case DO_BALL: sim_ball(s, c); break;
    case DO_PREPARE: sim_prepare_bodies(s, c); break;
    case DO_INSERT: sim_insert(s, c); break;
    case DO_REMOVE: sim_remove(s, c); break;
    case DO_CONTROL: sim_control(s, c); break;
    case DO_CLIP: sim_choose_clip(s, c); break;
    case DO_SET: sim_set(s, c); break;
    case DO_POINTS:
        view_post(s->view, POST_BINARY, c->page, encode_points(sim_model(s), s->generation));
        break;
    case DO_RECORD: sim_record(s, c->on); break;
    case DO_SEEK:
        if (s->mode == MODE_RECORDING)
            sim_seek(s, c->value[0]);
        sim_restart_clock(s);
        break;
    case DO_MODE: set_mode(s, c); break;
    case DO_CLOSE: sim_close(s); break;
    default: break;
    }
}

static void take(Sim *s, const Command *c) {
    switch (c->kind) {
    case DO_ARRIVE: arrive(s, c->page); break;
    case DO_LEAVE: leave(s, c->page); break;
    case DO_FIELD: set_field(s, c); break;
    case DO_SPEED:
        s->speed = c->value[0];
        sim_restart_clock(s);
        sim_status(s);
        break;
    case DO_SHOW:
        if (c->opened->epoch == 0)
            sim_show(s, c->opened);
        else
            sim_changed_scene(s, c->opened);
        break;
    case DO_RECORDED:
        s->recorded = c->value[0];
        sim_status(s);
        break;
    case DO_END: break;
    default:
        if (s->now)
            execute(s, c);
        else
            view_say(s->view, c->page, "error", "nothing is open");
    }
}

void *sim_thread(void *view) {
    View *v = view;
    Sim s = {.view = v, .speed = 1, .let_go = -1, .playing = !v->options.paused};
    double next = 0;
    void *box;
    while (!atomic_load(&v->ending)) {
        const bool due = s.now && (s.changed || s.solve || sim_is_running(&s));
        const int count = box_take(&v->commands, due ? next : INFINITY, &box);
        for (int i = 0; i < count; i++)
            take(&s, (Command *)box + i);
        free(box);
        const double now = sw_seconds();
        if (!s.now || now < next)
            continue;
        next = sw_max(next + 1.0 / SIM_FPS, now);
        sim_tick(&s);
        if (s.changed)
            sim_send_frame(&s);
        s.changed = false;
    }
    sim_close(&s);
    atomic_fetch_sub(&v->running, 1);
    return NULL;
}
