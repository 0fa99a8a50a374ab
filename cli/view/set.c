// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Settings: changes the scene, and then the model. What needs a compile is left to the opening
// thread, while the simulation goes on.
#include "view/sim.h"

#include "scene/scene.h"

#include <string.h>

static swMaterial *material_of(const Sim *s, const swScene *scene, int index) {
    const swBodyModel *m = model_materials(s->now->model);
    const char *name = sw_body_text(m, m->material[index].name);
    swMaterial *material = scene->materials;
    while (material && strcmp(material->name, name) != 0)
        material = material->next;
    return material;
}

static int material_count(const Sim *s) {
    return (int)model_materials(s->now->model)->size.nmaterial;
}

void sim_keep_compiled(Sim *s, const swScene *compiled) {
    for (int i = 0; compiled && i < material_count(s); i++) {
        const swMaterial *material = material_of(s, compiled, i);
        if (material)
            s->applied[i] = (Stiffness){material->young, material->poisson};
    }
    const swBody *body = compiled ? compiled->bodies : NULL;
    for (Prepared *p = s->prepared; body; body = body->next)
        *p++ = (Prepared){body->frames.adapt, body->integration};
}

// Sets the clip by number, which works for clips without a name as well.
static bool set_clip(swScene *scene, int clip, swError *error) {
    char number[16];
    snprintf(number, sizeof number, clip < 0 ? "none" : "%d", clip);
    swBody *body = scene->bodies;
    while (!body->skeleton)
        body = body->next;
    const char *text = sw_arena_text(&scene->memory->arena, number, strlen(number), error);
    if (text)
        body->skeleton->clip = text;
    return text != NULL;
}

void sim_choose_clip(Sim *s, const Command *c) {
    swError error;
    if (c->index >= s->now->nmotion)
        view_say(s->view, c->page, "error", "clip: there is no clip %d", c->index);
    else if (!set_clip(s->now->scene, c->index, &error))
        view_say(s->view, c->page, "error", "%s", error.message);
    else
        sim_compile(s, true);
}

void sim_restore_compiled(Sim *s) {
    if (s->now->nmotion > 0)
        set_clip(s->now->scene, s->now->moving, NULL);
    const Prepared *p = s->prepared;
    for (swBody *body = s->now->scene->bodies; body; body = body->next, p++) {
        body->frames.adapt = p->adapt;
        body->integration = p->integration;
    }
    for (int i = 0; i < material_count(s); i++) {
        swMaterial *material = material_of(s, s->now->scene, i);
        if (material) {
            material->young = s->applied[i].young;
            material->poisson = s->applied[i].poisson;
        }
    }
}

// The body that describes body number `index`: that body, or the one that it is `like`. NULL if
// there is none.
static swBody *find_described(swScene *scene, int index) {
    swBody *body = scene->bodies;
    while (body && index-- > 0)
        body = body->next;
    for (swBody *from = scene->bodies; body && body->like && from != body; from = from->next)
        if (sw_text_equal(from->name, body->like))
            return from;
    return body;
}

// Finds the value in the scene. If there is none, tells the page and returns NULL.
static swReal *find_value(Sim *s, const Command *c, int *count) {
    swScene *scene = s->now->scene;
    swBody *body;
    *count = 1;
    switch (c->setting) {
    case SET_GRAVITY: *count = 3; return &scene->gravity.x;
    case SET_STEP: return &scene->time.step;
    case SET_DAMPING:
        *count = 2;
        if ((body = find_described(scene, c->index)))
            return &body->damping_mass;
        view_say(s->view, c->page, "error", "set: there is no body %d", c->index);
        return NULL;
    case SET_YOUNG:
    case SET_POISSON: break;
    }
    swMaterial *material = c->index < material_count(s) ? material_of(s, scene, c->index) : NULL;
    if (material)
        return c->setting == SET_YOUNG ? &material->young : &material->poisson;
    view_say(s->view, c->page, "error", "set: there is no material %d", c->index);
    return NULL;
}

void sim_compile(Sim *s, bool anew) {
    Text text;
    Job job = {.epoch = s->epoch, .change = ++s->change, .anew = anew};
    snprintf(job.name, sizeof job.name, "%s", s->now->name);
    if (!text_begin(&text))
        return;
    const bool ok = sw_scene_print(s->now->scene, s->view->folder, &text.file, NULL);
    job.scene = text_end(&text);
    if (ok && job.scene)
        view_open(s->view, &job);
    else
        bytes_drop(job.scene);
}

// Sets the damping of all bodies that share this compiled body.
static void set_damping(swBodyModel *m, const swReal value[2]) {
    m->body->damping_mass = value[0];
    m->body->damping_stiffness = value[1];
}

// Changes a saved model, which has no scene, and checks the values.
static bool set_model(swModel *m, const Command *c, swError *error) {
    switch (c->setting) {
    case SET_GRAVITY: m->settings.gravity = c->at; return true;
    case SET_STEP:
        if (!(c->value[0] > 0))
            return sw_fail(error, SW_ERROR_VALUE, "step: expected a number above 0, found %g",
                           c->value[0]);
        m->settings.step = c->value[0];
        return true;
    case SET_DAMPING:
        if (c->index >= m->size.nbody)
            return sw_fail(error, SW_ERROR_VALUE, "set: there is no body %d", c->index);
        if (!(c->value[0] >= 0 && c->value[1] >= 0))
            return sw_fail(error, SW_ERROR_VALUE, "damping: expected numbers of at least 0");
        set_damping(m->compiled[m->place[c->index].compiled], c->value);
        return true;
    case SET_YOUNG:
    case SET_POISSON: break;
    }
    return sw_fail(error, SW_ERROR_VALUE, "the materials of a saved model cannot be changed");
}

static void set_without_scene(Sim *s, const Command *c) {
    swError error;
    sw_error_clear(&error);
    if (s->mode == MODE_RECORDING)
        sw_fail(&error, SW_ERROR_VALUE, "a recording has no settings");
    pthread_mutex_lock(&s->view->settings);
    const bool ok = !error.code && set_model(s->now->model, c, &error);
    pthread_mutex_unlock(&s->view->settings);
    if (!ok) {
        view_say(s->view, c->page, "error", "%s", error.message);
        return;
    }
    s->solve = s->mode == MODE_STATIC;
    sim_send_settings(s);
}

void sim_set(Sim *s, const Command *c) {
    const swReal given[3] = {c->at.x, c->at.y, c->at.z};
    const swReal *value = c->setting == SET_GRAVITY ? given : c->value;
    swReal old[3];
    swError error;
    int count;
    if (!s->now->scene) {
        set_without_scene(s, c);
        return;
    }
    swReal *at = find_value(s, c, &count);
    if (!at)
        return;
    const bool compiles = c->setting == SET_YOUNG || c->setting == SET_POISSON ||
                          (c->setting == SET_GRAVITY && s->mode == MODE_MODAL); // vibrations change
    memcpy(old, at, (size_t)count * sizeof *at);
    memcpy(at, value, (size_t)count * sizeof *at);
    sw_error_clear(&error);
    pthread_mutex_lock(&s->view->settings);
    const bool ok = compiles ? sw_scene_check(s->now->scene, &error)
                             : sw_model_adjust(s->now->model, s->now->scene, &error);
    pthread_mutex_unlock(&s->view->settings);
    if (!ok) {
        memcpy(at, old, (size_t)count * sizeof *at);
        view_say(s->view, c->page, "error", "%s", error.message);
        return;
    }
    if (compiles)
        sim_compile(s, false);
    else {
        s->solve = s->mode == MODE_STATIC;
        sim_send_settings(s);
    }
}

void sim_replace(Sim *s, Opened *o) {
    Opened *now = s->now;
    const bool carried = !o->staged && !o->anew && sw_state_carry(o->state, now->state);
    swError error;
    if (s->recording)
        sim_record(s, false);
    sw_model_adjust(o->model, now->scene, NULL); // applies what was changed meanwhile
    o->epoch = 0;
    swScene *compiled = o->scene;
    o->scene = now->scene;
    o->motion = now->motion; // in the scene's memory
    now->scene = NULL;
    if (o->staged) {
        memcpy(o->name, now->name, sizeof o->name);
        o->nmotion = now->nmotion;
        o->moving = now->moving;
    }
    memcpy(o->folder, now->folder, sizeof o->folder);
    now->folder[0] = 0;
    s->now = o;
    sw_modes_destroy(s->modes);
    s->modes = NULL;
    sw_arena_free(&s->arena);
    sw_arena_free(&s->fitted);
    opened_destroy(now);
    if (!carried) {
        s->npull = 0;
        if (!o->anew && !o->staged)
            view_say(s->view, 0, "info", "the frames have changed: the motion starts again");
    }
    sw_error_clear(&error);
    const bool ok = sim_prepare(s, &error);
    if (ok)
        sim_keep_compiled(s, compiled);
    sw_scene_destroy(compiled);
    if (!ok) {
        view_say(s->view, 0, "error", "%s", error.message);
        sim_close(s);
        return;
    }
    s->failed[0] = o->anew ? 0 : s->failed[0];
    s->changed = s->exact = true;
    if (!o->staged)
        sim_restart_clock(s);
    sim_send_scene(s, true);
    sim_status(s);
}

// Shows a changed scene that was compiled: with another material, clip, or prepared for inserted
// frames.
void sim_changed_scene(Sim *s, Opened *o) {
    if (!s->now || o->epoch != s->epoch) {
        opened_destroy(o);
        return;
    }
    if (!o->model) {
        if (o->change == s->change) { // else a newer one is coming
            sim_restore_compiled(s);
            sim_send_settings(s);
        }
        opened_destroy(o);
        return;
    }
    sim_replace(s, o);
}
