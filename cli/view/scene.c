// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The message that describes what is simulated.
#include "view/encode.h"

#include "contact/collider.h"
#include "kinematics/bed.h"
#include "kinematics/points.h"
#include "kinematics/rigid.h"
#include "material/law.h"
#include "material/paint.h"

#include <string.h>

typedef struct Box3 {
    swVec3 lo, hi;
} Box3;
static const Box3 nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void grow(Box3 *box, swVec3 x) {
    box->lo = sw_v3(sw_min(box->lo.x, x.x), sw_min(box->lo.y, x.y), sw_min(box->lo.z, x.z));
    box->hi = sw_v3(sw_max(box->hi.x, x.x), sw_max(box->hi.y, x.y), sw_max(box->hi.z, x.z));
}

// Bounds of a body's visible surfaces at t = 0.
static Box3 bounds(const swModel *base, int body) {
    const swBodyModel *m = sw_model_body(base, body);
    const swReal *q0 = base->q0 + base->place[body].q;
    Box3 box = nothing;
    for (int i = 0; i < sw_body_shown_count(m->body); i++) {
        const swPartInfo part = sw_body_shown(m, 0, i);
        for (int p = part.point; p < part.point + part.npoint; p++)
            grow(&box, sw_point_position(m, q0, p));
    }
    return box;
}

static void put_bounds(swJsonWriter *w, Box3 box) {
    const bool filled = box.lo.x <= box.hi.x;
    sw_json_put_vector(w, "lo", filled ? box.lo : sw_v3(0, 0, 0));
    sw_json_put_vector(w, "hi", filled ? box.hi : sw_v3(0, 0, 0));
}

static void put_damping(swJsonWriter *w, const swBodyInfo *body) {
    sw_json_put_numbers(w, "damping", 2, (double[]){body->damping_mass, body->damping_stiffness});
}

// What frames may be inserted into a body, if it is prepared for them.
static void put_bed(swJsonWriter *w, const swBodyModel *m) {
    const swBed *bed = sw_bed_of(m, 0);
    if (!bed)
        return;
    sw_json_begin(w, "insert", '{');
    sw_json_put_int(w, "budget", bed->budget);
    sw_json_put_number(w, "range", bed->range);
    sw_json_put_number(w, "least", 2 * bed->h);
    sw_json_put_bool(w, "geodesic", bed->distance == SW_DISTANCE_GEODESIC);
    sw_json_end(w);
}

static void put_estimate(swJsonWriter *w, const swModel *base, int body) {
    swEstimate e;
    if (!sw_body_estimate(base, body, &e, NULL))
        return;
    sw_json_begin(w, "estimate", '{');
    sw_json_put_number(w, "error", e.error);
    sw_json_put_number(w, "worst", e.worst);
    sw_json_put_bool(w, "large", e.large);
    sw_json_end(w);
}

static void put_bodies(swJsonWriter *w, const swModel *base) {
    Box3 all = nothing;
    sw_json_begin(w, "bodies", '[');
    for (int b = 0; b < base->size.nbody; b++) {
        const swBodyModel *m = sw_model_body(base, b);
        const swBodyInfo *body = m->body;
        const Box3 box = bounds(base, b);
        grow(&all, box.lo);
        grow(&all, box.hi);
        sw_json_begin(w, NULL, '{');
        sw_json_put_text(w, "name", sw_body_name(base, b));
        sw_json_put_text(w, "blend", body->blend == SW_BLEND_LINEAR ? "linear" : "dual-quaternion");
        put_damping(w, body);
        sw_json_put_number(w, "mass", body->mass);
        put_bounds(w, box);
        put_estimate(w, base, b);
        put_bed(w, m);
        sw_json_end(w);
    }
    sw_json_end(w);
    put_bounds(w, all);
}

static void put_surfaces(swJsonWriter *w, const swModel *m, const Surfaces *s) {
    sw_json_begin(w, "surfaces", '[');
    for (const Surface *surface = s->item; surface < s->item + s->count; surface++) {
        sw_json_begin(w, NULL, '{');
        sw_json_put_int(w, "body", surface->body);
        sw_json_put_int(w, "material", surface->part.material);
        sw_json_put_text(w, "name",
                         surface->index < 0 ? sw_body_name(m, surface->body)
                                            : sw_part_name(m, surface->index));
        sw_json_put_bool(w, "skinned", surface->skinned);
        sw_json_end(w);
    }
    sw_json_end(w);
}

static void put_body_nodes(swJsonWriter *w, const swModel *model, int body) {
    static const char *const kinds[] = {"point", "rigid", "affine",
                                        "quadratic", [SW_NODE_MODES] = "modes"};
    const swBodyModel *m = sw_model_body(model, body);
    for (int64_t i = 0; i < sw_body_frames(m); i++) {
        const swNode *n = &m->node[i];
        sw_json_begin(w, NULL, '{');
        sw_json_put_int(w, "body", body);
        sw_json_put_text(w, "kind", i < m->body->net ? "vertex" : kinds[n->kind]);
        sw_json_put_int(w, "handle", n->handle < 0 ? -1 : model->place[body].handle + n->handle);
        sw_json_put_bool(w, "free", n->motion == SW_MOTION_FREE);
        sw_json_put_vector(w, "origin", n->origin);
        sw_json_end(w);
    }
}

static void put_nodes(swJsonWriter *w, const swModel *m) {
    sw_json_begin(w, "nodes", '[');
    for (int b = 0; b < m->size.nbody; b++)
        put_body_nodes(w, m, b);
    sw_json_end(w);
}

// The orientation of a rigid frame.
static void put_turn(swJsonWriter *w, const swReal *A) {
    double q[4];
    sw_quaternion_of((swMat3){{A[1], A[2], A[3], A[5], A[6], A[7], A[9], A[10], A[11]}}, q);
    sw_json_put_numbers(w, "turn", 4, q);
}

// `frame`: number of the body's first frame.
static void put_body_handles(swJsonWriter *w, const swBodyState *state, int frame) {
    static const char *const motions[] = {"free", "fixed", "keys"};
    const swBodyModel *m = state->base;
    for (int64_t i = 0; i < m->size.nhandle; i++) {
        const swHandleInfo *h = &m->handle[i];
        sw_json_begin(w, NULL, '{');
        sw_json_put_text(w, "name", sw_body_text(m, h->name));
        sw_json_put_int(w, "body", state->index);
        sw_json_put_int(w, "node", frame + h->node);
        sw_json_put_text(w, "motion", motions[h->motion]);
        sw_json_put_vector(w, "center", sw_handle_center(state, i));
        put_turn(w, state->q0 + m->node[h->node].q);
        sw_json_end(w);
    }
}

static void put_handles(swJsonWriter *w, const swModel *m, const swState *state) {
    sw_json_begin(w, "handles", '[');
    for (int b = 0; b < m->size.nbody; b++)
        put_body_handles(w, state->body[b], m->place[b].frame);
    sw_json_end(w);
}

// As the scene has it; for a saved model, computed from its moduli at rest.
static void put_stiffness(swJsonWriter *w, const swBodyModel *m, int material,
                          const swScene *scene) {
    const swMaterialInfo *info = &m->material[material];
    const char *name = sw_body_text(m, info->name);
    const swMaterial *given = scene ? scene->materials : NULL;
    while (given && strcmp(given->name, name) != 0)
        given = given->next;
    const swReal sum = info->lame[0] + info->lame[1];
    sw_json_put_number(w, "young", given ? given->young : info->young);
    sw_json_put_number(w, "poisson",
                       given     ? given->poisson
                       : sum > 0 ? info->lame[1] / (2 * sum)
                                 : 0);
}

static void put_materials(swJsonWriter *w, const swBodyModel *m, const swScene *scene) {
    sw_json_begin(w, "materials", '[');
    for (int i = 0; i < m->size.nmaterial; i++) {
        const swMaterialInfo *info = &m->material[i];
        const char *name = sw_body_text(m, info->name);
        sw_json_begin(w, NULL, '{');
        sw_json_put_text(w, "name", name);
        sw_json_put_text(w, "law", sw_law_name(info->law));
        put_stiffness(w, m, i, scene);
        sw_json_put_number(w, "density", info->density);
        sw_json_put_vector(w, "color", sw_material_paint(name, i));
        sw_json_end(w);
    }
    sw_json_end(w);
}

// Planes as such; other colliders as triangles in their own coordinates and their pose at t = 0.
static void put_collider(swJsonWriter *w, const swModel *m, const swColliderInfo *c,
                         swArena *arena) {
    const swAffine pose = sw_collider_pose(m, c, 0);
    const swPosed posed = sw_collider_posed(c, &pose);
    swSurface s;
    if (!sw_collider_surface(m, c, arena, &s, NULL))
        s = (swSurface){0}; // out of memory: it is not shown
    sw_json_put_text(w, "name", sw_model_text(m, c->name));
    sw_json_put_text(w, "kind", sw_collider_kind(c->kind)->name);
    if (posed.plane) {
        sw_json_put_vector(w, "normal", posed.normal);
        sw_json_put_number(w, "offset", posed.offset);
        return;
    }
    sw_json_put_numbers(w, "turn", 9, pose.A.m);
    sw_json_put_vector(w, "at", pose.b);
    sw_json_put_numbers(w, "x", 3 * s.nvertex, s.nvertex ? &s.X[0].x : NULL);
    sw_json_begin_line(w, "triangle", '[');
    for (int i = 0; i < 3 * s.ntriangle; i++)
        sw_json_put_int(w, NULL, s.triangle[i]);
    sw_json_end(w);
}

static void put_colliders(swJsonWriter *w, const swModel *m) {
    sw_json_begin(w, "colliders", '[');
    for (int64_t i = 0; i < m->size.ncollider; i++) {
        swArena arena;
        sw_arena_init(&arena, &m->config.allocator);
        sw_json_begin(w, NULL, '{');
        put_collider(w, m, &m->collider[i], &arena);
        sw_json_end(w);
        sw_arena_free(&arena);
    }
    sw_json_end(w);
}

// The inserted frames, in the order of their positions in frame messages.
static void put_inserted(swJsonWriter *w, const swState *state) {
    swInserted in;
    sw_json_begin(w, "inserted", '[');
    for (int slot = 0; (slot = next_inserted(state, slot, &in)) >= 0; slot++) {
        sw_json_begin(w, NULL, '{');
        sw_json_put_int(w, "slot", slot);
        sw_json_put_int(w, "body", in.body);
        sw_json_put_int(w, "node", in.frame);
        sw_json_put_number(w, "range", in.range);
        sw_json_put_bool(w, "geodesic", in.distance == SW_DISTANCE_GEODESIC);
        sw_json_put_bool(w, "automatic", in.automatic);
        sw_json_end(w);
    }
    sw_json_end(w);
}

static void put_control(swJsonWriter *w, const char *kind, const char *name, int64_t index,
                        const swCourse *course) {
    sw_json_begin(w, NULL, '{');
    sw_json_put_text(w, "kind", kind);
    sw_json_put_text(w, "name", name);
    sw_json_put_int(w, "index", index);
    sw_json_put_bool(w, "keys", course->nkey > 1);
    sw_json_end(w);
}

static void put_fibres(swJsonWriter *w, const swBodyModel *m) {
    for (int64_t i = 0; i < m->size.nmaterial; i++)
        if (m->material[i].fibre_strength > 0)
            put_control(w, "fibres", sw_body_text(m, m->material[i].name), i,
                        &m->material[i].activation);
}

static void put_controls(swJsonWriter *w, const swModel *model) {
    sw_json_begin(w, "controls", '[');
    put_fibres(w, model_materials(model));
    for (int b = 0; b < model->size.nbody; b++) {
        const swBodyModel *m = sw_model_body(model, b);
        for (int i = 0; i < m->size.nmuscle; i++)
            put_control(w, "muscle", sw_body_text(m, m->muscle[i].name),
                        control_muscle(model, model->place[b].muscle + i),
                        &m->muscle[i].activation);
    }
    for (int b = 0; b < model->size.nbody; b++) {
        const swBodyModel *m = sw_model_body(model, b);
        for (int i = 0; i < m->size.nshape; i++)
            put_control(w, "shape", sw_body_text(m, m->shape[i].name),
                        control_shape(model, model->place[b].shape + i), &m->shape[i].value);
    }
    sw_json_end(w);
}

static void put_rest(swJsonWriter *w, const swModel *m, const SceneInfo *info) {
    sw_json_begin(w, "probes", '[');
    for (int i = 0; i < m->size.nprobe; i++) {
        sw_json_begin(w, NULL, '{');
        sw_json_put_text(w, "name", sw_probe_name(m, i));
        sw_json_put_int(w, "body", m->probe[i].body);
        sw_json_put_vector(w, "point", sw_probe_start(info->base, i));
        sw_json_end(w);
    }
    sw_json_end(w);
    sw_json_begin(w, "modes", '[');
    for (int i = 0; info->modes && i < info->modes->count; i++) {
        sw_json_begin(w, NULL, '{');
        sw_json_put_number(w, "frequency", info->modes->frequency[i]);
        sw_json_put_int(w, "body", info->modes->body[i]);
        sw_json_end(w);
    }
    sw_json_end(w);
    sw_json_begin(w, "clips", '[');
    for (int i = 0; i < info->nmotion; i++)
        sw_json_put_text(w, NULL, info->motion[i]);
    sw_json_end(w);
    sw_json_put_int(w, "clip", info->nmotion > 0 ? info->moving : -1);
    const swModelInfo size = sw_model_info(m);
    sw_json_put_int(w, "voxels", size.voxels);
    sw_json_put_int(w, "points", size.points);
    sw_json_put_int(w, "dof", size.dof);
}

Bytes *encode_scene(const swModel *m, const Surfaces *s, const SceneInfo *info) {
    const swSettings *set = &info->base->settings;
    Text text;
    swJsonWriter *w = message_begin(&text, "scene");
    if (!w)
        return NULL;
    sw_json_put_int(w, "generation", info->generation);
    sw_json_put_text(w, "title", sw_model_text(m, set->title));
    sw_json_put_text(w, "name", info->name);
    sw_json_put_text(w, "mode", info->mode);
    sw_json_put_number(w, "step", set->step);
    sw_json_put_number(w, "end", set->end);
    sw_json_put_text(w, "integrator", sw_integrator_name(set->integrator));
    sw_json_put_vector(w, "gravity", set->gravity);
    sw_json_put_number(w, "duration", info->duration);
    sw_json_put_bool(w, "editable", info->scene != NULL);
    sw_json_put_bool(w, "continues", info->continues);
    put_bodies(w, info->base);
    put_surfaces(w, m, s);
    put_nodes(w, m);
    put_handles(w, m, info->state);
    put_materials(w, model_materials(m), info->scene);
    put_colliders(w, m);
    put_inserted(w, info->state);
    put_controls(w, m);
    put_rest(w, m, info);
    return message_end(&text);
}

Bytes *encode_settings(const swModel *m, const swScene *scene, int generation) {
    Text text;
    swJsonWriter *w = message_begin(&text, "settings");
    if (!w)
        return NULL;
    sw_json_put_int(w, "generation", generation);
    sw_json_put_number(w, "step", m->settings.step);
    sw_json_put_vector(w, "gravity", m->settings.gravity);
    sw_json_begin(w, "bodies", '[');
    for (int b = 0; b < m->size.nbody; b++) {
        sw_json_begin(w, NULL, '{');
        put_damping(w, sw_model_body(m, b)->body);
        sw_json_end(w);
    }
    sw_json_end(w);
    sw_json_begin(w, "materials", '[');
    for (int i = 0; i < model_materials(m)->size.nmaterial; i++) {
        sw_json_begin(w, NULL, '{');
        put_stiffness(w, model_materials(m), i, scene);
        sw_json_end(w);
    }
    sw_json_end(w);
    return message_end(&text);
}
