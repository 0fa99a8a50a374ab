// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Opening and closing, and what is sent to pages.
#include "view/sim.h"

#include "kinematics/rigid.h"
#include "scene/scene.h"

#include <string.h>

static const swReal share_shown = 0.2; // amplitude of vibrations, over half a body's diagonal

// ---- scenes ----

// Posts the scene as JSON, to be fetched; empty if there is no scene. Files that came with it are
// referred to by name only.
static void send_json(Sim *s) {
    Text text;
    if (!s->now->scene) {
        view_post(s->view, POST_JSON, 0, bytes_create(0));
        return;
    }
    if (!text_begin(&text))
        return;
    const char *folder = s->now->folder[0] ? s->now->folder : s->view->folder;
    const bool ok = sw_scene_print(s->now->scene, folder, &text.file, NULL);
    Bytes *bytes = text_end(&text);
    if (ok)
        view_post(s->view, POST_JSON, 0, bytes);
    else
        bytes_drop(bytes);
}

static Bytes *describe(const Sim *s, bool continues) {
    static const char *const modes[] = {"dynamic", "static", "modal", "recording"};
    const SceneInfo info = {.generation = s->generation,
                            .name = s->now->name,
                            .mode = modes[s->mode],
                            .duration = sim_duration(s),
                            .continues = continues,
                            .scene = s->now->scene,
                            .modes = s->modes,
                            .base = s->now->model,
                            .state = s->now->state,
                            .motion = s->now->motion,
                            .nmotion = s->now->nmotion,
                            .moving = s->now->moving};
    return encode_scene(sim_model(s), &s->surfaces, &info);
}

void sim_send_scene(Sim *s, bool continues) {
    s->generation++;
    send_json(s); // first, so that a page that has the scene can fetch it
    view_post(s->view, POST_SCENE, 0, describe(s, continues));
    for (int i = 0; i < s->surfaces.count; i++)
        view_post(s->view, POST_SURFACE, 0,
                  encode_surface(sim_model(s), &s->surfaces, i, s->generation));
    if (continues) // for pages that connect later it does not
        view_post(s->view, POST_UPDATE, 0, describe(s, false));
}

void sim_send_settings(Sim *s) {
    send_json(s);
    view_post(s->view, POST_UPDATE, 0, describe(s, false)); // first, for pages that connect now
    view_post(s->view, POST_SETTING, 0,
              encode_settings(s->now->model, s->now->scene, s->generation));
}

// ---- opening and closing ----

static void discard(Sim *s) {
    if (!s->now)
        return;
    sw_modes_destroy(s->modes);
    sw_arena_free(&s->arena);
    sw_arena_free(&s->fitted);
    opened_destroy(s->now);
    s->now = NULL;
    s->modes = NULL;
}

void sim_close(Sim *s) {
    if (s->recording)
        sim_record(s, false);
    discard(s);
    s->measuring = s->solve = s->changed = false;
    s->npull = 0;
    s->failed[0] = 0;
    view_post(s->view, POST_CLOSED, 0, NULL);
    sim_status(s);
}

bool sim_choose_mode(Sim *s, int mode, swError *error) {
    s->shown_mode = mode;
    s->phase = 0;
    const bool ok =
        sw_modes_amplitude(s->modes, mode, share_shown, s->now->state, &s->amplitude, error);
    sim_pose_mode(s);
    return ok;
}

static bool find_modes(Sim *s, swError *error) {
    const swModel *m = s->now->model;
    swState *state = s->now->state;
    const bool loaded = m->settings.about == SW_ABOUT_STATIC;
    view_busy(s->view, "vibrations", 0);
    if (loaded && sw_solve_static(m, state) != SW_OK)
        return sw_fail(error, SW_ERROR_NOT_CONVERGED, "no equilibrium to vibrate about: %s",
                       sw_state_report(state)->reason);
    s->modes = sw_solve_modal(m, state, loaded, m->settings.modes, error);
    s->shown_mode = 0;
    s->phase = 0;
    return s->modes && (s->modes->count == 0 || sim_choose_mode(s, 0, error));
}

// Makes everything whose size depends on the present frames.
static bool fit(Sim *s, swError *error) {
    const swModel *m = sim_model(s);
    sw_arena_init(&s->fitted, &m->config.allocator);
    s->measuring = false;
    s->body = SW_NEW(&s->fitted, m->size.nbody, SimBody, error);
    s->q = SW_NEW(&s->fitted, m->size.nbody, const swReal *, error);
    if (!s->body || !s->q || !surfaces_find(&s->surfaces, m, &s->fitted, error))
        return false;
    for (int64_t b = 0; b < m->size.nbody; b++) {
        const int64_t nq = sw_model_body(m, b)->size.nq;
        s->body[b].last = SW_NEW(&s->fitted, nq, swReal, error);
        s->body[b].between = SW_NEW(&s->fitted, nq, swReal, error);
        if (!s->body[b].last || !s->body[b].between)
            return false;
    }
    sim_remember(s);
    return true;
}

void sim_refit(Sim *s) {
    swError error;
    sw_arena_free(&s->fitted);
    if (!fit(s, &error)) {
        view_say(s->view, 0, "error", "%s", error.message);
        sim_close(s);
        return;
    }
    s->solve = s->mode == MODE_STATIC;
    s->changed = true;
    sim_send_scene(s, true);
}

bool sim_prepare(Sim *s, swError *error) {
    const swModel *m = s->now->model;
    sw_arena_init(&s->arena, &m->config.allocator);
    s->profile = (swProfile){0};
    s->usual = INFINITY;
    s->stopped = 0;
    s->handle = SW_NEW(&s->arena, sw_handle_count(m), Follower, error);
    s->applied = SW_NEW(&s->arena, model_materials(m)->size.nmaterial, Stiffness, error);
    s->prepared = SW_NEW(&s->arena, m->size.nbody, Prepared, error);
    if (!fit(s, error) || !s->handle || !s->applied || !s->prepared)
        return false;
    sim_keep_compiled(s, s->now->scene);
    s->solve = s->mode == MODE_STATIC;
    if (s->mode != MODE_MODAL)
        return true;
    const bool found = find_modes(s, error);
    view_busy(s->view, "", 0);
    return found;
}

void sim_show(Sim *s, Opened *opened) {
    swError error;
    sw_error_clear(&error);
    if (s->recording)
        sim_record(s, false);
    Sim next = *s; // if this fails, the present simulation goes on
    next.now = opened;
    next.modes = NULL;
    next.mode = sw_clip_count(&opened->clip) > 0 ? MODE_RECORDING
                                                 : (SimMode)opened->model->settings.analysis;
    next.solved_in = INFINITY; // unknown
    next.phase = 0;
    next.npull = 0;
    next.ball.on = false;
    next.failed[0] = 0;
    next.let_go = -1;
    if (!sim_prepare(&next, &error)) {
        view_say(s->view, 0, "error", "%s: %s", opened->name, error.message);
        discard(&next);
        return;
    }
    discard(s);
    *s = next;
    s->epoch++;
    s->playing = s->mode != MODE_STATIC && !s->view->options.paused;
    s->changed = s->exact = true;
    s->clock = (Clock){0};
    if (s->mode == MODE_RECORDING)
        sim_seek(s, 0);
    sim_restart_clock(s);
    sim_send_scene(s, false);
    sim_status(s);
    const swModel *m = opened->model;
    if (!opened->scene && (isfinite(sw_model_next_cut(m)) || sw_model_tears(m)))
        view_say(s->view, 0, "warning", "a saved model cannot be cut or torn: open its scene");
}

// ---- frames ----

static void take_timing(Sim *s, FrameInfo *info) {
    const swProfile p = sw_state_profile(s->now->state), *last = &s->profile;
    const swReal scale = p.steps > last->steps ? 1e3 / (swReal)(p.steps - last->steps) : 0;
    const swReal timing[6] = {p.kinematics - last->kinematics, p.material - last->material,
                              p.assembly - last->assembly,     p.contact - last->contact,
                              p.solve - last->solve,           p.total - last->total};
    for (int i = 0; i < 6; i++)
        info->timing[i] = scale * timing[i];
    info->newton = scale / 1e3 * (swReal)(p.iterations - last->iterations) /
                   (swReal)sw_body_count(s->now->model);
    s->profile = p;
}

// Chooses the coordinates to show: those of the state, or those at the time of the clock,
// interpolated between the last two steps.
static void choose_q(Sim *s, swReal *t) {
    const swState *state = s->now->state;
    const swReal u = sw_clamp(s->clock.debt / s->now->model->settings.step, 0, 1);
    const bool exact = s->exact || u == 1 || state->step == 0;
    *t = s->mode == MODE_MODAL || s->mode == MODE_RECORDING ? s->phase : state->t;
    if (!exact)
        *t = (1 - u) * s->t_last + u * state->t;
    for (int64_t b = 0; b < state->model->size.nbody; b++) {
        const swBodyState *body = state->body[b];
        if (!exact)
            sw_nodes_between(body->model, s->body[b].last, body->q, u, s->body[b].between);
        s->q[b] = exact ? body->q : s->body[b].between;
    }
}

static void take_ball(const Sim *s, swReal out[4]) {
    swVec3 at;
    const bool running = sim_is_running(s);
    const swReal radius = sw_state_ball(s->now->state, &at);
    at = running || !s->ball.on ? at : s->ball.goal;
    out[3] = running || !s->ball.on ? radius : s->radius;
    out[0] = at.x, out[1] = at.y, out[2] = at.z;
}

static bool prepare_measures(Sim *s) {
    const swModel *m = sim_model(s);
    const int workers = sw_pool_size(s->now->state->pool);
    if (s->measuring)
        return true;
    s->measure = SW_NEW(&s->fitted, m->size.ncompiled, SimMeasure, NULL);
    s->field = SW_NEW(&s->fitted, m->size.nbody, BodyField, NULL);
    bool ok = s->measure && s->field;
    for (int64_t i = 0; ok && i < m->size.ncompiled; i++)
        ok = sw_measure_create(&s->measure[i].work, m->compiled[i], workers, &s->fitted, NULL) &&
             sw_sample_map_create(&s->measure[i].map, m->compiled[i], &s->fitted, NULL);
    for (int64_t b = 0; ok && b < m->size.nbody; b++) {
        const swBodySizes *size = &sw_model_body(m, b)->size;
        s->field[b].sample = SW_NEW(&s->fitted, size->nsample, swReal, NULL);
        s->field[b].point = SW_NEW(&s->fitted, size->npoint, swReal, NULL);
        ok = s->field[b].sample && s->field[b].point;
    }
    return s->measuring = ok;
}

static void measure_body(Sim *s, int64_t b, swMeasure measure) {
    const swBodyState *state = s->now->state->body[b];
    const SimMeasure *with = &s->measure[sim_model(s)->place[b].compiled];
    swMeasureInput input = sw_measure_input(state);
    if (s->mode == MODE_RECORDING) // a recording has no relaxed strains
        input.relax = NULL;
    sw_measure(state->model, &with->work, state->pool, measure, &input, s->field[b].sample);
    sw_sample_map_values(&with->map, s->field[b].sample, s->field[b].point);
}

// Computes each field once for all pages that want it.
static void send_fields(Sim *s) {
    bool wanted[FIELDS] = {false};
    for (int i = 0; i < VIEW_PAGES; i++)
        if (s->page[i].id > 0)
            wanted[s->page[i].field] = true;
    for (int field = FIELD_NONE + 1; field < FIELDS; field++) {
        if (!wanted[field] || !sim_has_samples(s) || !prepare_measures(s))
            continue;
        for (int64_t b = 0; b < s->now->model->size.nbody; b++)
            measure_body(s, b, (swMeasure)(field - 1 + SW_MEASURE_STRAIN));
        view_post_field(s->view, field,
                        encode_field(sim_model(s), &s->surfaces, s->generation, field, s->field));
    }
}

void sim_send_frame(Sim *s) {
    const swState *state = s->now->state;
    FramePull pull[SW_PULLS];
    FrameInfo info = {.generation = s->generation,
                      .step = state->step,
                      .speed = {s->clock.reached, s->speed},
                      .residual = sw_state_report(state)->residual,
                      .npull = sim_list_pulls(s, pull),
                      .pull = pull,
                      .state = state};
    info.flags = (s->playing ? FRAME_PLAYING : 0) |
                 (s->playing && sw_seconds() < s->clock.slow_until ? FRAME_SLOW : 0) |
                 (s->failed[0] ? FRAME_FAILED : 0) | (s->recording ? FRAME_RECORDING : 0);
    choose_q(s, &info.t);
    const swEnergy e = sw_state_energy(state);
    const swReal energy[4] = {e.elastic, e.kinetic, e.potential, e.contact};
    memcpy(info.energy, energy, sizeof energy);
    take_timing(s, &info);
    take_ball(s, info.ball);
    view_post(s->view, POST_FRAME, 0, encode_frame(sim_model(s), &s->surfaces, s->q, &info));
    send_fields(s);
}
