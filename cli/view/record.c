// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Records the motion, to be fetched as .glb and .swr. A thread of its own writes the files.
#include "view/sim.h"

#include "output/gltf_write.h"
#include "output/recording.h"

#include <stdlib.h>

enum { FPS = 30, LONGEST = 600 };                  // LONGEST: [s]
static const size_t most_memory = (size_t)1 << 30; // of the motion [bytes]

static void start(Sim *s) {
    swError error;
    sw_error_clear(&error);
    sw_clip_init(&s->clip, s->now->model);
    s->recording =
        sw_recorder_start(&s->recorder, &s->clip, FPS, s->now->state, &s->clip.arena, &error);
    if (!s->recording) {
        sw_clip_free(&s->clip);
        view_say(s->view, 0, "error", "%s", error.message);
    }
}

static void stop(Sim *s) {
    Recording recording = {s->now, s->clip, clip_duration(&s->clip)};
    s->recording = false;
    atomic_fetch_add(&s->now->users, 1);
    if (recording.seconds > 0 && box_put(&s->view->recordings, &recording, NULL))
        s->recorded = 0; // until the files are written
    else
        recording_free(&recording);
}

void sim_record(Sim *s, bool on) {
    if (on && s->mode != MODE_DYNAMIC) {
        view_say(s->view, 0, "info", "only dynamic simulations can be recorded");
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
    if (!sw_recorder_step(&s->recorder, s->now->state, &error)) {
        view_say(s->view, 0, "error", "the recording ends: %s", error.message);
        sim_record(s, false);
    } else if (s->now->state->t - s->recorder.t0 > LONGEST || s->clip.arena.total > most_memory) {
        view_say(s->view, 0, "warning", "the recording ends here, as it cannot become longer");
        sim_record(s, false);
    }
}

// ---- the recording thread ----

void recording_free(Recording *r) {
    if (r->of)
        sw_clip_free(&r->clip);
    opened_destroy(r->of);
}

static bool write_files(View *v, const Recording *r, swError *error) {
    char path[VIEW_PATH + 32];
    snprintf(path, sizeof path, "%s/recording.swr", v->folder);
    bool ok = true;
    if (sw_clip_has_points(&r->clip)) {
        remove(path); // of the previous recording
        view_say(v, 0, "info",
                 "frames were inserted: the recording is available as .glb, but not as .swr");
    } else {
        pthread_mutex_lock(&v->settings);
        ok = sw_recording_save(&r->clip, path, error);
        pthread_mutex_unlock(&v->settings);
    }
    snprintf(path, sizeof path, "%s/recording.glb", v->folder);
    return ok && !atomic_load(&v->ending) &&
           sw_gltf_write(r->of->model, &r->clip, path, NULL, NULL, error);
}

static void write_recording(View *v, const Recording *r) {
    Command done = {.kind = DO_RECORDED};
    swError error;
    sw_error_clear(&error);
    if (write_files(v, r, &error))
        done.value[0] = r->seconds;
    else
        view_say(v, 0, "error", "the recording could not be written: %s", error.message);
    view_command(v, &done);
}

void *record_thread(void *view) {
    View *v = view;
    void *box;
    while (!atomic_load(&v->ending)) {
        const int count = box_take(&v->recordings, INFINITY, &box);
        for (int i = 0; i < count; i++) {
            Recording *r = (Recording *)box + i;
            if (r->of && !atomic_load(&v->ending))
                write_recording(v, r);
            recording_free(r);
        }
        free(box);
    }
    atomic_fetch_sub(&v->running, 1);
    return NULL;
}
