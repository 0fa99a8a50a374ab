// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Recording what runs, to be fetched as .glb and .swr.
#include "view_sim.h"

#include "io/gltf_write.h"
#include "io/recording.h"

enum { FPS = 30, LONGEST = 600 };                  // LONGEST: [s]
static const size_t most_memory = (size_t)1 << 30; // of the motion [bytes]

static void start(Sim *s) {
    swError error;
    sw_error_clear(&error);
    sw_clip_init(&s->clip, s->now->model);
    s->recording =
        recorder_start(&s->recorder, &s->clip, FPS, s->now->state, &s->clip.arena, &error);
    if (!s->recording) {
        sw_clip_free(&s->clip);
        view_say(s->view, 0, "error", "%s", error.message);
    }
}

static bool write_files(Sim *s, swError *error) {
    char path[VIEW_PATH + 32];
    snprintf(path, sizeof path, "%s/recording.swr", s->view->folder);
    if (!sw_recording_save(&s->clip, path, error))
        return false;
    snprintf(path, sizeof path, "%s/recording.glb", s->view->folder);
    return sw_gltf_write(s->now->model, &s->clip, path, NULL, NULL, error);
}

static void stop(Sim *s) {
    const swClipKey *key = s->clip.keys.item;
    const swReal seconds = key[s->clip.keys.count - 1].t - key[0].t;
    swError error;
    sw_error_clear(&error);
    s->recording = false;
    if (seconds > 0) {
        if (write_files(s, &error))
            s->recorded = seconds;
        else
            view_say(s->view, 0, "error", "the recording could not be written: %s", error.message);
    }
    sw_clip_free(&s->clip);
}

void sim_record(Sim *s, bool on) {
    if (on && s->mode != MODE_DYNAMIC) {
        view_say(s->view, 0, "info", "what moves by itself can be recorded, and nothing else");
        return;
    }
    if (on == s->recording)
        return;
    if (on)
        start(s);
    else
        stop(s);
    sim_status(s);
}

void sim_record_step(Sim *s) {
    swError error;
    if (!s->recording)
        return;
    if (!recorder_step(&s->recorder, s->now->state, &error)) {
        view_say(s->view, 0, "error", "recording ends: %s", error.message);
        sim_record(s, false);
    } else if (s->now->state->t - s->recorder.t0 > LONGEST || s->clip.arena.total > most_memory) {
        view_say(s->view, 0, "warning", "recording ends here: that is as much as can be kept");
        sim_record(s, false);
    }
}
