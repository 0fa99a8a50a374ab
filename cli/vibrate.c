// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Modal analysis: a table of the natural vibrations, and one of them as a motion.
#include "run.h"

#include <string.h>

static const swReal share_shown = 0.15; // largest displacement over half the body's diagonal

// Records one period, which takes a second, so that it can be played in a loop.
static bool record(Run *run, int mode, swError *error) {
    const int fps = run->options.fps;
    swState *s = sw_state_create(run->model, error);
    swReal amplitude;
    bool ok = s && sw_modes_amplitude(run->modes, mode, share_shown, s, &amplitude, error);
    for (int k = 0; ok && k <= fps; k++) {
        sw_modes_pose(run->modes, mode, amplitude * sin(2 * SW_PI * k / fps), s);
        ok = sw_clip_add_state(&run->clip, (swReal)k / fps, s, error);
    }
    sw_state_destroy(s);
    return ok;
}

bool vibrate_solve(Run *run, swError *error) {
    const swModelInfo info = sw_model_info(run->model);
    const bool loaded = info.about == SW_ABOUT_STATIC;
    if (loaded)
        run->status = sw_solve_static(run->model, run->state);
    run->stopped = run->status == SW_ERROR_STOPPED;
    if (run->status != SW_OK)
        return sw_clip_add_state(&run->clip, 0, run->state, error);
    run->modes = sw_solve_modal(run->model, run->state, loaded, info.modes, error);
    if (!run->modes)
        return false;
    if (run->modes->unstable)
        cli_say("warning: the state is unstable along %d motion%s", run->modes->unstable,
                run->modes->unstable == 1 ? "" : "s");
    const int mode = sw_max_int(run->options.mode, 1);
    if (run->options.mode > run->modes->count)
        return sw_fail(error, SW_ERROR_VALUE, "--mode %d: there are only %d", mode,
                       run->modes->count);
    if (run->modes->count == 0)
        return sw_clip_add_state(&run->clip, 0, run->state, error);
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
