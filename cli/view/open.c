// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The opening thread: makes models and their states from files, examples and changed scenes.
#include "view/view.h"

#include "cache/cache.h"
#include "examples.h"
#include "formats/rig_read.h"
#include "output/recording.h"
#include "scene/scene.h"

#include <stdlib.h>
#include <string.h>

void opened_destroy(Opened *o) {
    if (!o || atomic_fetch_sub(&o->users, 1) > 0)
        return;
    sw_state_destroy(o->state);
    if (o->clip.model)
        sw_clip_free(&o->clip);
    sw_model_destroy(o->model);
    sw_scene_destroy(o->scene);
    if (o->folder[0])
        remove_folder(o->folder);
    free(o);
}

// ---- jobs ----

static void job_destroy(Job *job) {
    if (!job)
        return;
    bytes_drop(job->scene);
    if (job->folder[0])
        remove_folder(job->folder);
    free(job);
}

// Passes what was opened to the simulation; for a changed scene even if nothing was.
static void hand_over(View *v, const Job *job, Opened *o) {
    o->epoch = job->epoch;
    o->change = job->change;
    o->anew = job->anew;
    if (!view_command(v, &(Command){.kind = DO_SHOW, .opened = o}))
        opened_destroy(o);
}

// Drops a job that another one has replaced. If it was a changed scene, the simulation is told that
// it was not compiled, so that the change is undone.
static void give_up(View *v, Job *job) {
    Opened *nothing = job && job->scene ? calloc(1, sizeof *nothing) : NULL;
    if (nothing)
        hand_over(v, job, nothing);
    job_destroy(job);
}

void view_open(View *v, const Job *job) {
    Job *copy = malloc(sizeof *copy), *old = copy;
    if (copy)
        *copy = *job;
    pthread_mutex_lock(&v->mutex);
    if (copy && (!job->scene || !v->job || v->job->scene)) {
        old = v->job;
        v->job = copy;
        if (!job->scene && v->under_way)
            atomic_store(&v->cancel, true);
        pthread_cond_signal(&v->changed);
    }
    pthread_mutex_unlock(&v->mutex);
    give_up(v, old);
}

void view_open_cancel(View *v) {
    pthread_mutex_lock(&v->mutex);
    Job *old = v->job;
    v->job = NULL;
    if (v->under_way)
        atomic_store(&v->cancel, true);
    pthread_mutex_unlock(&v->mutex);
    job_destroy(old);
}

bool view_is_opening(View *v) {
    pthread_mutex_lock(&v->mutex);
    const bool opening = v->job || v->under_way;
    pthread_mutex_unlock(&v->mutex);
    return opening;
}

// Waits for the next job; NULL when the command ends.
static Job *take_job(View *v) {
    pthread_mutex_lock(&v->mutex);
    v->under_way = false;
    while (!v->job && !atomic_load(&v->ending))
        pthread_cond_wait(&v->changed, &v->mutex);
    Job *job = atomic_load(&v->ending) ? NULL : v->job;
    if (job) {
        v->job = NULL;
        v->under_way = true;
        atomic_store(&v->cancel, false);
    }
    pthread_mutex_unlock(&v->mutex);
    return job;
}

// ---- compiling ----

static void log_line(void *context, swLogLevel level, const char *message) {
    if (level == SW_LOG_WARNING) {
        cli_say("warning: %s", message);
        view_say(context, 0, "warning", "%s", message);
    }
}

static bool go_on(void *context, const char *stage, double share) {
    View *v = context;
    view_busy(v, stage, share);
    return !atomic_load(&v->ending) && !atomic_load(&v->cancel);
}

// The progress callback after opening, for steps, statics, cuts and cracks. The end of the command
// stops them; a step also stops at its deadline.
static bool not_ending(void *context, const char *stage, double share) {
    View *v = context;
    (void)share;
    return !atomic_load(&v->ending) &&
           (strcmp(stage, "step") != 0 || sw_seconds() < v->step_deadline);
}

// Lists the clips that the first skeleton can play.
static bool find_motions(Opened *o, const swConfig *config, swError *error) {
    const swBody *body = o->scene->bodies;
    while (body && !body->skeleton)
        body = body->next;
    if (!body)
        return true;
    swArena arena, *keep = &o->scene->memory->arena;
    swRig rig;
    sw_arena_init(&arena, &config->allocator);
    const char *path = sw_path_join(o->scene->folder, body->skeleton->file, &arena, error);
    bool ok = path && sw_rig_read(path, &arena, &rig, error) &&
              (o->motion = SW_NEW(keep, rig.nclip, const char *, error));
    for (; ok && o->nmotion < rig.nclip; o->nmotion += ok) {
        o->motion[o->nmotion] = sw_arena_text(keep, rig.clip[o->nmotion].name,
                                              strlen(rig.clip[o->nmotion].name), error);
        ok = o->motion[o->nmotion] != NULL;
    }
    if (ok)
        o->moving = body->skeleton->clip ? sw_rig_find_clip(&rig, body->skeleton->clip)
                                         : sw_min_int(rig.nclip, 1) - 1;
    sw_arena_free(&arena);
    return ok;
}

static bool open_scene(const Job *job, const swConfig *config, Opened *o, swError *error) {
    View *v = config->log_context;
    if (job->scene) {
        o->scene = sw_scene_parse((const char *)job->scene->data, job->scene->size, job->name,
                                  config, error);
        if (o->scene)
            o->scene->folder = v->folder; // paths in its text are relative to it
    } else
        o->scene = job->first ? character_read(job->path, &v->options.character, config, error)
                              : sw_scene_read(job->path, config, error);
    bool cached;
    o->model = o->scene && find_motions(o, config, error)
                   ? cache_compile(o->scene, v->options.no_cache, &cached, error)
                   : NULL;
    return o->model != NULL;
}

// Unpacks an example into a folder of its own, as if it had been uploaded.
static bool unpack_example(View *v, Job *job, swError *error) {
    const Example *example = example_find(job->name);
    if (!example)
        return sw_fail(error, SW_ERROR_VALUE, "there is no example with this name");
    return view_make_folder(v, job->folder, error) &&
           example_unpack(example, job->folder, job->path, error);
}

static bool open_job(const Job *job, const swConfig *config, Opened *o, swError *error) {
    const InputKind kind = job->path[0] ? cli_input_kind(job->path) : INPUT_SCENE;
    if (kind == INPUT_STATE)
        return sw_fail_at(error, SW_ERROR_VALUE, job->name, 0, 0,
                          "this is a saved state, which cannot be shown without its scene");
    if (kind == INPUT_RECORDING) {
        swRecording recording;
        if (!sw_recording_load(&recording, job->path, config, error))
            return false;
        o->model = recording.model;
        o->clip = recording.clip;
    } else if (kind == INPUT_MODEL)
        o->model = sw_model_load(job->path, config, error);
    else if (!open_scene(job, config, o, error))
        return false;
    if (!o->model)
        return false;
    o->model->config.progress = not_ending;
    if (o->scene)
        o->scene->memory->config.progress = not_ending;
    o->state = sw_state_create(o->model, error);
    return o->state != NULL;
}

static void say_failure(View *v, const Job *job, swError *error) {
    char text[SW_ERROR_MESSAGE + SW_ERROR_PATH + 32];
    if (error->code == SW_ERROR_STOPPED || atomic_load(&v->cancel))
        return;
    // The temporary path of an uploaded file would mean nothing to the user.
    if (!error->path[0] || (job->path[0] && strcmp(error->path, job->path) == 0))
        snprintf(error->path, sizeof error->path, "%.*s", SW_ERROR_PATH - 1,
                 job->first ? job->path : job->name);
    view_say(v, job->page, "error", "%s", sw_error_text(error, text, sizeof text));
    if (job->first)
        view_end(v, cli_fail(error));
}

static void finish(View *v, Job *job, Opened *o, bool ok) {
    memcpy(o->name, job->name, sizeof o->name);
    if (ok) { // the folder is handed over as well
        memcpy(o->folder, job->folder, sizeof o->folder);
        job->folder[0] = 0;
    }
    if (ok || job->scene)
        hand_over(v, job, o);
    else
        opened_destroy(o);
}

void *open_thread(void *view) {
    View *v = view;
    for (Job *job; (job = take_job(v)); job_destroy(job)) {
        swConfig config = cli_config(v->options.threads, true);
        config.log = log_line;
        config.progress = go_on;
        config.log_context = config.progress_context = v;
        Opened *o = calloc(1, sizeof *o);
        swError error;
        sw_error_clear(&error);
        const bool ok = o ? (job->path[0] || job->scene || unpack_example(v, job, &error)) &&
                                open_job(job, &config, o, &error)
                          : sw_fail_memory(&error, sizeof *o);
        view_busy(v, "", 0);
        if (!ok)
            say_failure(v, job, &error);
        if (o)
            finish(v, job, o, ok);
    }
    atomic_fetch_sub(&v->running, 1);
    return NULL;
}
