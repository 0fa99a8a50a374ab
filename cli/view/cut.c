// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies that are cut or tear: the motion continues with another model.
#include "view/sim.h"

#include "kinematics/points.h"

#include <stdlib.h>

// Finds the vertex of a body's surfaces that is nearest to a place.
static void find_vertex(const Sim *s, int body, swVec3 at, Command *c) {
    const swBodyState *state = s->now->state->body[body];
    swReal nearest = INFINITY;
    for (int i = 0; i < s->surfaces.count; i++) {
        const Surface *surface = &s->surfaces.item[i];
        for (int p = 0; surface->body == body && p < surface->part.npoint; p++) {
            const swVec3 x = sw_point_position(state->model, state->q, surface->part.point + p);
            const swReal d = sw_norm2(sw_sub(x, at));
            if (d < nearest) {
                nearest = d;
                c->index = i;
                c->vertex = p;
            }
        }
    }
}

// Holds the points again that were held before, where they are now.
static void hold_again(Sim *s, int count, const SimPull *pull, const swPull *held) {
    for (int i = 0; i < count && s->now; i++) {
        Command c = {.kind = DO_PULL,
                     .id = pull[i].id,
                     .page = pull[i].page,
                     .at = pull[i].goal,
                     .on = pull[i].kind == PULL_PIN};
        find_vertex(s, held[i].body, held[i].at, &c);
        if (pull[i].kind != PULL_FRAME)
            sim_pull(s, &c);
    }
}

// Continues with the next model and takes ownership of it.
static bool go_on(Sim *s, swModel *model, swFitReport *report, swError *error) {
    SimPull pull[SW_PULLS];
    swPull held[SW_PULLS];
    int count = 0;
    Opened *o = calloc(1, sizeof *o);
    if (!o) {
        sw_model_destroy(model);
        return sw_fail_memory(error, sizeof *o);
    }
    o->model = model;
    o->state = sw_state_create(model, error);
    if (!o->state || !sw_state_fit(o->state, s->now->state, report, error)) {
        opened_destroy(o);
        return false;
    }
    for (int i = 0; i < s->npull; i++)
        if (sw_pull_get(s->now->state, s->pull[i].pull, &held[count]))
            pull[count++] = s->pull[i];
    if (s->recording)
        view_say(s->view, 0, "info", "the recording ends here, as it can hold only one surface");
    o->staged = true;
    sim_replace(s, o);
    hold_again(s, count, pull, held);
    return s->now != NULL;
}

static bool fail(Sim *s, const char *what, const swError *error) {
    if (s->now)
        sim_fail(s, "a body could not %s at t = %g s: %s", what, s->now->state->t, error->message);
    return false;
}

bool sim_cut(Sim *s) {
    const swModel *m = s->now->model;
    const swReal t = s->now->state->t, slack = 1e-6 * m->settings.step;
    swFitReport report;
    swError error;
    if (!s->now->scene || !(sw_model_next_cut(m) <= t + slack))
        return true;
    sw_error_clear(&error);
    swModel *model = sw_state_cut(s->now->state, s->now->scene, t + slack, &error);
    if (!model || !go_on(s, model, &report, &error))
        return fail(s, "be cut", &error);
    view_say(s->view, 0, "info", "cut: removed %.3g kg", report.mass);
    return true;
}

bool sim_tear(Sim *s) {
    const bool first = !s->now->staged;
    swError error;
    if (!s->now->scene || !sw_model_tears(s->now->model))
        return true;
    sw_error_clear(&error);
    swModel *model = sw_state_tear(s->now->state, s->now->scene, NULL, &error);
    if (!model)
        return error.code == SW_OK || fail(s, "tear", &error);
    if (!go_on(s, model, NULL, &error))
        return fail(s, "tear", &error);
    if (first)
        view_say(s->view, 0, "info", "a body begins to tear at t = %.3g s", s->now->state->t);
    return true;
}
