// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The analysis of natural vibrations: a table, and one of them as a motion.
#include "run.h"

#include <string.h>

static const swReal share_shown = 0.15; // largest displacement over half the body's diagonal

// How far the body's surface is from where it was at most.
static swReal farthest(const swState *s, int body, const swVec3 *start, swVec3 *x) {
    swReal largest = 0;
    sw_body_vertices(s, body, x);
    for (int i = 0; i < sw_body_vertex_count(s->model, body); i++)
        largest = sw_max(largest, sw_norm(sw_sub(x[i], start[i])));
    return largest;
}

// One swing, in a second, to be repeated.
static bool record(Run *run, int mode, swError *error) {
    const swModel *m = run->model;
    const int body = run->modes->body[mode], fps = run->options.fps;
    const size_t n = (size_t)sw_body_vertex_count(m, body);
    swState *s = sw_state_create(m, error);
    swVec3 *start = SW_NEW(&run->arena, n, swVec3, error),
           *x = SW_NEW(&run->arena, n, swVec3, error);
    bool ok = s && start && x;
    if (ok) {
        const swReal small = 1e-4 * sqrt(m->body[body].mass) * sw_body_length(&m->body[body]);
        sw_modes_pose(run->modes, mode, 0, s);
        sw_body_vertices(s, body, start);
        sw_modes_pose(run->modes, mode, small, s);
        const swReal moved = farthest(s, body, start, x),
                     size = share_shown * sw_body_length(&m->body[body]) * small;
        for (int k = 0; ok && k <= fps; k++) {
            sw_modes_pose(run->modes, mode, moved > 0 ? size / moved * sin(2 * SW_PI * k / fps) : 0,
                          s);
            ok = sw_clip_add_at(&run->clip, (swReal)k / fps, s->q, run->state, error);
        }
    }
    sw_state_destroy(s);
    return ok;
}

bool vibrate_solve(Run *run, swError *error) {
    const swSettings *settings = &run->model->settings;
    const bool loaded = settings->about == SW_ABOUT_STATIC;
    if (loaded)
        run->status = sw_solve_static(run->model, run->state);
    run->stopped = run->status == SW_ERROR_STOPPED;
    if (run->status != SW_OK)
        return sw_clip_add_at(&run->clip, 0, run->state->q, run->state, error);
    run->modes = sw_solve_modal(run->model, run->state, loaded, settings->modes, error);
    if (!run->modes)
        return false;
    if (run->modes->unstable)
        cli_say("warning: the state is unstable: it gives way along %d motion%s",
                run->modes->unstable, run->modes->unstable == 1 ? "" : "s");
    const int mode = sw_max_int(run->options.mode, 1);
    if (run->options.mode > run->modes->count)
        return sw_fail(error, SW_ERROR_VALUE, "--mode %d: there are %d", mode, run->modes->count);
    if (run->modes->count == 0)
        return sw_clip_add_at(&run->clip, 0, run->state->q, run->state, error);
    return run->options.outputs.count == 0 || record(run, mode - 1, error);
}

void vibrate_print(const Run *run) {
    const swModes *modes = run->modes;
    if (!modes)
        return;
    printf("  mode    frequency [Hz]  body\n");
    for (int i = 0; i < modes->count; i++)
        printf("  %4d    %14.6g  %s\n", i + 1, modes->frequency[i],
               sw_body_name(run->model, modes->body[i]));
    printf("  rigid   %d motion%s that nothing resists\n", modes->rigid,
           modes->rigid == 1 ? "" : "s");
}
