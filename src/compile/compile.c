// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "compile/compile.h"

#include "compile/cut.h"
#include "compile/model_build.h"
#include "compile/skeleton.h"

#include "bodies/bodies.h"
#include "contact/contact.h"
#include "integrate/integrator.h"
#include "kinematics/points.h"
#include "kinematics/rigid.h"
#include "scene/scene.h"

#include <string.h>

typedef bool swStage(swBuilder *b, swBodyBuild *body, swError *error);

static bool build_forces(swBuilder *b, swBodyBuild *body, swError *error) {
    return body->kind->forces(b, body, error);
}

// The stages of a body, and about what share of the time each takes.
static const struct {
    const char *name;
    swStage *build;
    double share;
} stages[] = {
    {"compile: voxels", sw_build_volume, 0.45}, {"compile: weights", sw_build_sites, 0.2},
    {"compile: start", sw_build_start, 0},      {"compile: points", build_forces, 0.25},
    {"compile: surface", sw_build_surface, 0},  {"compile: springs", sw_build_links, 0},
    {"compile: parts", sw_build_parts, 0.1},    {"compile: loads", sw_build_loads, 0},
    {"compile: mass", sw_build_bulk, 0},        {"compile: muscles", sw_build_muscles, 0},
    {"compile: beams", sw_build_beams, 0},      {"compile: shapes", sw_build_shapes, 0},
    {"compile: bones", sw_skeleton_hold, 0},    {"compile: bed", sw_build_bed, 0},
};

static bool fail_stopped(swError *error) {
    return sw_fail(error, SW_ERROR_STOPPED, "the compilation was stopped");
}

// `first` and `all`: bodies before this one, and in all.
static bool build_body(swBuilder *b, swBodyBuild *body, int first, int all, swError *error) {
    double done = first;
    for (int i = 0; i < SW_COUNT(stages); i++) {
        if (!sw_progress(b->config, stages[i].name, done / all))
            return fail_stopped(error);
        sw_pool_watch(b->pool, b->config, stages[i].name, done / all);
        const bool ok = stages[i].build(b, body, error);
        if (sw_pool_stopped(b->pool))
            return fail_stopped(error);
        if (!ok)
            return false;
        done += stages[i].share;
    }
    return true;
}

static bool settings(const swScene *scene, swSettings *s, int title, swError *error) {
    *s = (swSettings){.analysis = (int)scene->analysis,
                      .step = scene->time.step,
                      .end = scene->time.end,
                      .tolerance = scene->solver.tolerance,
                      .iterations = scene->solver.iterations,
                      .increments = scene->solver.increments,
                      .tangent = (int)scene->solver.tangent,
                      .definite = (int)scene->solver.definite,
                      .path = (int)scene->solver.path,
                      .saddles = (int)scene->solver.saddles,
                      .modes = scene->modal.count,
                      .about = (int)scene->modal.about,
                      .linear = (int)scene->solver.linear,
                      .sleep = scene->solver.sleep,
                      .gravity = scene->gravity,
                      .title = title};
    if (!sw_integrator_find(scene->time.integrator, &s->integrator))
        return sw_fail(error, SW_ERROR_VALUE, "time.integrator: unknown integrator \"%s\"",
                       scene->time.integrator);
    return true;
}

// Everything the lists hold goes into the model's block.
static bool finish(swBuilder *b, swBodyModel *m, swError *error) {
    b->size.ntriangle = b->triangle.count / 3;
    b->size.nspring_face = b->spring_face.count / 3;
    if (b->vector.count == 0)
        b->point_vector.count = 0;
    m->size = b->size;
#define SW_ARRAY(type, name, count_of) m->size.count_of = b->name.count;
#define SW_FIELD(type, name, count_of)
#include "model/body_fields.inl"
    if (!sw_body_model_allocate(m, error))
        return false;
#define SW_ARRAY(type, name, count_of) SW_FIELD(type, name, 0)
#define SW_FIELD(type, name, count_of) \
    if (b->name.count) \
        memcpy(m->name, b->name.item, (size_t)b->name.count * sizeof(type));
#include "model/body_fields.inl"
    sw_nodes_sync(m, m->q0);
    return true;
}

// ---- bodies ----

// Whether a body can be an instance of another: its description is that one's but for its name,
// where it is and how it moves at t = 0. Slides and skeletons are in the world's coordinates.
static bool is_like(const swBody *a, const swBody *b) {
    swBody x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    swBody *const both[] = {&x, &y};
    for (int i = 0; i < 2; i++) {
        both[i]->next = NULL;
        both[i]->name = both[i]->like = NULL;
        memset(&both[i]->place, 0, sizeof both[i]->place);
        memset(&both[i]->velocity, 0, sizeof both[i]->velocity);
        memset(&both[i]->spin, 0, sizeof both[i]->spin);
    }
    return memcmp(&x, &y, sizeof x) == 0 && !a->slides && !a->skeleton && !a->estimate;
}

static bool is_torn(const swModelBuild *w, int body) {
    for (int i = 0; i < w->ntorn; i++)
        if (w->torn[i].body == body)
            return true;
    return false;
}

// Which bodies are made of which compiled ones.
static bool find_equal(swModelBuild *w, swError *error) {
    for (const swBody *d = w->scene->bodies; d; d = d->next)
        w->nbody++;
    w->def = SW_NEW(&w->arena, w->nbody, const swBody *, error);
    w->compiled = SW_NEW(&w->arena, w->nbody, int, error);
    w->first = SW_NEW(&w->arena, w->nbody, int, error);
    if (!w->def || !w->compiled || !w->first)
        return false;
    int i = 0;
    swBody *own = SW_NEW(&w->arena, w->nbody, swBody, error);
    if (!own)
        return false;
    for (const swBody *d = w->scene->bodies; d; d = d->next, i++) {
        int k = 0;
        sw_body_resolve(w->scene, d, &own[i]);
        w->def[i] = &own[i];
        while (k < w->ncompiled &&
               (!is_like(&own[i], w->def[w->first[k]]) || is_torn(w, i) || is_torn(w, w->first[k])))
            k++;
        w->compiled[i] = k;
        if (k == w->ncompiled)
            w->first[w->ncompiled++] = i;
    }
    return true;
}

// Held at every frame, or without any.
static void warn_stuck(const swBodyModel *m, const swBodyBuild *body) {
    int free = body->kind->parts == SW_PARTS_NONE;
    for (int k = 0; k < m->size.nnode; k++)
        free += m->node[k].ndof > 0;
    if (free == 0)
        sw_warn(&m->config, "%s: none of its frames is free, so it does not deform", body->key);
}

// `strains`: that are known to be the body's, or SW_STRAINS_OTHER.
static swBodyModel *compile_body(swModelBuild *w, int index, swCorrection strains,
                                 const swSettings *settings, swError *error) {
    swBuilder builder = {.scene = w->scene,
                         .config = w->config,
                         .pool = w->pool,
                         .time = w->time,
                         .ntorn = w->ntorn,
                         .torn = w->torn},
              *b = &builder;
    b->swaps = w->def[w->first[index]]->materials;
    swBodyBuild body = sw_body_begin(w->def[w->first[index]], w->first[index]);
    body.strains = strains;
    sw_arena_init(&b->arena, &w->config->allocator);
    swBodyModel *model = sw_body_model_create(w->config, settings, error);
    const bool ok =
        model && SW_EXTEND(&b->point_start, 1, &b->arena, error) &&
        SW_EXTEND(&b->body, 1, &b->arena, error) && sw_build_text(b, "", error) >= 0 &&
        sw_build_materials(b, error) && build_body(b, &body, index, w->ncompiled, error) &&
        sw_build_probes(w, b, &body, error) && sw_build_joints(w, b, &body, error) &&
        sw_build_estimate(b, &body, error) && sw_build_pairs(b, error) && finish(b, model, error);
    if (ok)
        warn_stuck(model, &body);
    sw_arena_free(&b->arena);
    if (ok)
        return model;
    sw_body_model_destroy(model);
    if (!body.again)
        return NULL;
    sw_error_clear(error);
    return compile_body(w, index, body.strains, settings, error);
}

// Where a body is at t = 0, and how it moves.
static void place_body(swModelBuild *w, swModel *m, int body) {
    const swBody *def = w->def[body], *first = w->def[w->first[w->compiled[body]]];
    const swBodyModel *b = sw_model_body(m, body);
    swBodyPlace *place = &m->place[body];
    swReal *q = m->q0 + place->q, *v = m->v0 + place->q;
    swAffine to, from;
    memcpy(q, b->q0, (size_t)b->size.nq * sizeof *q);
    memcpy(v, b->v0, (size_t)b->size.nq * sizeof *v);
    sw_pose_matrix(&def->place, &to.A, &to.b);
    sw_pose_matrix(&first->place, &from.A, &from.b);
    place->center = sw_affine_at(to, b->body[0].center);
    place->shift = (swAffine){sw_mat_identity(), {0, 0, 0}};
    if (def == first)
        return;
    const swMat3 back = sw_mat_t(from.A);
    place->shift = sw_affine_mul(to, (swAffine){back, sw_scale(-1, sw_mul(back, from.b))});
    const swStart start = {to, place->center, def->velocity, def->spin};
    sw_nodes_start(b->node, sw_body_frames(b), &start, q, v);
    sw_nodes_sync(b, q);
}

static bool add_places(swModelBuild *w, swError *error) {
    swBodyPlace *place = SW_EXTEND(&w->place, w->nbody, &w->arena, error), next = {0};
    for (int i = 0; place && i < w->nbody; i++) {
        const swBodySizes *s = &w->model[w->compiled[i]]->size;
        place[i] = next;
        place[i].compiled = w->compiled[i];
        place[i].name = sw_build_word(w, w->def[i]->name ? w->def[i]->name : "", error);
        if (place[i].name < 0)
            return false;
        next.q += (int)s->nq;
        next.frame += sw_body_frames(w->model[w->compiled[i]]);
        next.handle += (int)s->nhandle;
        next.muscle += (int)s->nmuscle;
        next.shape += (int)s->nshape;
        next.part += (int)s->npart;
        next.point += (int)s->npoint;
    }
    return place && SW_EXTEND(&w->q0, next.q, &w->arena, error) &&
           SW_EXTEND(&w->v0, next.q, &w->arena, error);
}

static bool finish_model(swModelBuild *w, swModel *m, swError *error) {
    m->size.ncompiled = w->ncompiled;
    m->size.ncollider_triangle = w->collider_triangle.count / 3;
#define SW_ARRAY(type, name, count_of) m->size.count_of = w->name.count;
#define SW_FIELD(type, name, count_of)
#include "model/model_fields.inl"
    if (!sw_model_allocate(m, error))
        return false;
#define SW_ARRAY(type, name, count_of) SW_FIELD(type, name, 0)
#define SW_FIELD(type, name, count_of) \
    if (w->name.count) \
        memcpy(m->name, w->name.item, (size_t)w->name.count * sizeof(type));
#include "model/model_fields.inl"
    memcpy(m->compiled, w->model, (size_t)w->ncompiled * sizeof *m->compiled);
    w->given = true;
    for (int i = 0; i < w->nbody; i++)
        place_body(w, m, i);
    return true;
}

// ---- what is worth a word ----

// A body that starts inside a collider is thrown out of it: say so.
static void warn_buried(const swModel *m, swReal t) {
    int count = 0;
    swReal deepest = 0;
    for (int64_t b = 0; b < m->size.nbody; b++) {
        const swBodyModel *body = sw_model_body(m, b);
        for (int64_t i = 0; m->size.ncollider > 0 && i < body->size.ncontact; i++) {
            const swVec3 x = sw_point_position(body, m->q0 + m->place[b].q, body->contact[i].point);
            for (int64_t c = 0; c < m->size.ncollider; c++) {
                const swAffine pose = sw_collider_pose(m, &m->collider[c], t);
                swDepth d;
                if (!sw_collider_inside(m, &m->collider[c], &pose, x, &d))
                    continue;
                count += d.depth > body->body[0].voxel;
                deepest = sw_max(deepest, d.depth);
            }
        }
    }
    if (count)
        sw_warn(&m->config, "%d surface points start inside a collider, up to %.3g m deep", count,
                deepest);
}

static bool compile_bodies(swModelBuild *w, swModel *m, swError *error) {
    w->model = SW_NEW(&w->arena, w->ncompiled, swBodyModel *, error);
    for (int i = 0; w->model && i < w->ncompiled; i++)
        if (!(w->model[i] = compile_body(w, i, SW_STRAINS_OTHER, &m->settings, error)))
            return false;
    sw_pool_watch(w->pool, NULL, NULL, 0);
    sw_progress(w->config, "compile", 1);
    return w->model != NULL;
}

swModel *sw_compile_torn(const swScene *scene, swReal t, int ntorn, const swTornBody *torn,
                         swError *error) {
    const swConfig *config = sw_scene_config(scene);
    swModelBuild build = {.scene = scene,
                          .config = config,
                          .time = t,
                          .ntorn = ntorn,
                          .torn = torn},
                 *w = &build;
    sw_error_clear(error);
    sw_arena_init(&w->arena, &config->allocator);
    w->pool = sw_pool_create(&config->allocator, config->threads);
    swModel *model = sw_model_create(config, error);
    int title = 0;
    const bool ok =
        model && sw_scene_check(scene, error) &&
        (title = sw_build_word(w, scene->title ? scene->title : "", error)) >= 0 &&
        settings(scene, &model->settings, title, error) && sw_build_colliders(w, error) &&
        find_equal(w, error) && compile_bodies(w, model, error) && sw_build_probe_list(w, error) &&
        sw_build_joint_list(w, error) && add_places(w, error) && finish_model(w, model, error);
    sw_pool_destroy(w->pool);
    if (ok) {
        model->settings.cut = sw_cut_next(scene, t);
        warn_buried(model, t);
    }
    for (int i = 0; !w->given && w->model && i < w->ncompiled; i++)
        sw_body_model_destroy(w->model[i]);
    sw_arena_free(&w->arena);
    if (ok)
        return model;
    sw_model_destroy(model);
    return NULL;
}

// What a compiled body takes from the scene, and the first body that says so.
typedef struct swDamping {
    int body; // -1: none yet
    swReal mass, stiffness;
} swDamping;

// Bodies that were compiled as one have one damping: out[compiled].
static bool find_damping(const swModel *m, const swScene *scene, swDamping *out, swError *error) {
    int i = 0;
    for (int k = 0; k < m->size.ncompiled; k++)
        out[k].body = -1;
    for (const swBody *b = scene->bodies; b; b = b->next, i++) {
        swDamping *d = &out[m->place[i].compiled];
        swBody own;
        sw_body_resolve(scene, b, &own);
        if (d->body < 0)
            *d = (swDamping){i, own.damping_mass, own.damping_stiffness};
        else if (own.damping_mass != d->mass || own.damping_stiffness != d->stiffness)
            return sw_fail(error, SW_ERROR_VALUE,
                           "bodies[%d]: expected the damping of bodies[%d], with which it was "
                           "compiled as one, found another",
                           i, d->body);
    }
    return true;
}

bool sw_model_adjust(swModel *m, const swScene *scene, swError *error) {
    swSettings now;
    int count = 0;
    sw_error_clear(error);
    if (!sw_scene_check(scene, error) || !settings(scene, &now, m->settings.title, error))
        return false;
    for (const swBody *b = scene->bodies; b; b = b->next)
        count++;
    if (count != m->size.nbody)
        return sw_fail(error, SW_ERROR_VALUE,
                       "bodies: expected %d, as when the model was compiled, found %d",
                       (int)m->size.nbody, count);
    now.analysis = m->settings.analysis;
    now.integrator = m->settings.integrator; // states remember what theirs needs
    now.linear = m->settings.linear;
    now.cut = m->settings.cut;
    swArena arena;
    sw_arena_init(&arena, &m->config.allocator);
    swDamping *damping = SW_NEW(&arena, m->size.ncompiled, swDamping, error);
    const bool ok = damping && find_damping(m, scene, damping, error);
    if (ok)
        m->settings = now;
    for (int k = 0; ok && k < m->size.ncompiled; k++) {
        m->compiled[k]->body->damping_mass = damping[k].mass;
        m->compiled[k]->body->damping_stiffness = damping[k].stiffness;
    }
    sw_arena_free(&arena);
    return ok;
}
