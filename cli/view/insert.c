// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Frames that pages insert into bodies and remove. Bodies that are not prepared for them become so
// when the tool is first chosen: the scene is compiled again, with more integration points.
#include "view/sim.h"

#include "kinematics/points.h"
#include "scene/scene.h"

enum { BUDGET = 8 }; // for bodies that have none in the scene
// Their range over the cube root of the volume: wider than by default, so that a quarter of the
// integration points suffices and steps stay fast.
static const swReal wide = 0.4;

// Bodies that can have a budget and have none get one, with as many integration points as it needs;
// frames are only inserted by hand.
static bool give_budgets(const swModel *m, swScene *scene, bool *prepared) {
    bool changed = false;
    int index = 0;
    for (swBody *body = scene->bodies; body; body = body->next, index++) {
        const swBodyInfo *info = sw_model_body(m, index)->body;
        swFrames *f = &body->frames;
        if (body->like || sw_body_model(body))
            continue;
        if (f->adapt.budget == 0 && f->blend == SW_BLEND_LINEAR && !f->precompute) {
            f->adapt.budget = BUDGET;
            f->adapt.contact = false;
            f->adapt.range = sw_max(wide * cbrt(info->volume), 4 * info->voxel);
            body->integration.points = body->integration.degree = 0;
            changed = true;
        }
        *prepared = *prepared || f->adapt.budget > 0;
    }
    return changed;
}

static bool is_prepared(const swModel *m) {
    for (int64_t i = 0; i < m->size.ncompiled; i++)
        if (m->compiled[i]->size.nbed > 0)
            return true;
    return false;
}

void sim_prepare_bodies(Sim *s, const Command *c) {
    swError error;
    bool prepared = is_prepared(s->now->model);
    if (!sim_can_touch(s, c))
        return;
    if (!s->now->scene) {
        if (!prepared)
            view_say(s->view, c->page, "error",
                     "no frames can be inserted: the model was saved without a budget for them");
        return;
    }
    sw_error_clear(&error);
    if (!give_budgets(s->now->model, s->now->scene, &prepared)) {
        if (!prepared)
            view_say(s->view, c->page, "error",
                     "no frames can be inserted into bodies with dual quaternions or precomputed "
                     "springs, or into bodies that are not made of frames");
    } else if (sw_scene_check(s->now->scene, &error))
        sim_compile(s, false);
    else {
        sim_restore_compiled(s);
        view_say(s->view, c->page, "error", "%s", error.message);
    }
}

// The present position of a point of a triangle.
static swVec3 place(const Sim *s, const Surface *surface, int triangle, swVec3 share) {
    const swBodyState *state = s->now->state->body[surface->body];
    const swBodyModel *m = state->model;
    const int *corner = m->triangle + 3 * (surface->part.triangle + triangle);
    swVec3 x = sw_v3(0, 0, 0);
    for (int i = 0; i < 3; i++)
        x = sw_madd(x, sw_get(share, i), sw_point_position(m, state->q, corner[i]));
    return x;
}

static void tell(Sim *s, int page, const char *what, const swInsertReport *r, double start) {
    view_say(s->view, page, "info",
             "frame %s: %d iteration%s, %d integration points, energy %+.2g J, %.2g ms", what,
             r->iterations, r->iterations == 1 ? "" : "s", r->points, r->energy_jump,
             1e3 * (sw_seconds() - start));
}

void sim_insert(Sim *s, const Command *c) {
    if (!sim_can_touch(s, c))
        return;
    if (c->index >= s->surfaces.count || c->vertex >= s->surfaces.item[c->index].part.ntriangle) {
        view_say(s->view, c->page, "error", "insert: there is no triangle %d of surface %d",
                 c->vertex, c->index);
        return;
    }
    const Surface *surface = &s->surfaces.item[c->index];
    const swInsertion insertion = {.body = surface->body,
                                   .at = place(s, surface, c->vertex, c->at),
                                   .range = c->value[0],
                                   .distance =
                                       c->on ? SW_DISTANCE_GEODESIC : SW_DISTANCE_EUCLIDEAN};
    const double start = sw_seconds();
    swInsertReport report;
    swError error;
    if (sw_frame_insert(s->now->state, &insertion, &report, &error) < 0) {
        view_say(s->view, c->page, "error", "%s", error.message);
        return;
    }
    tell(s, c->page, "inserted", &report, start);
    sim_refit(s);
}

void sim_remove(Sim *s, const Command *c) {
    const double start = sw_seconds();
    swInsertReport report;
    swInserted inserted;
    swError error;
    if (!sim_can_touch(s, c))
        return;
    if (!sw_insertion_get(s->now->state, c->index, &inserted)) {
        view_say(s->view, c->page, "error", "remove: no frame was inserted in slot %d", c->index);
        return;
    }
    if (!sw_frame_remove(s->now->state, c->index, &report, &error)) {
        view_say(s->view, c->page, "error", "%s", error.message);
        return;
    }
    tell(s, c->page, "removed", &report, start);
    sim_refit(s);
}
