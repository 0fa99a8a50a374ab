// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "compile/build.h"
#include "compile/cut.h"
#include "compile/skeleton.h"
#include "compile/torn.h"

#include "contact/contact.h"
#include "integrate/integrator.h"
#include "kinematics/points.h"
#include "kinematics/rigid.h"
#include "scene/scene.h"

#include <string.h>

void *sw_build_extend(void **item, int *count, int *room, int n, size_t size, swArena *arena,
                      swError *error) {
    if (n > INT32_MAX / 4 - *count) {
        sw_fail(error, SW_ERROR_LIMIT, "the model is too large: more than %d items in one array",
                INT32_MAX / 4);
        return NULL;
    }
    if (*count + n > *room || !*item) {
        int more = sw_max_int(*count + n, 2 * *count) + 1;
        void *p = sw_arena_grow(arena, *item, (size_t)*count, (size_t)more, size, error);
        if (!p)
            return NULL;
        *item = p;
        *room = more;
    }
    void *first = (char *)*item + (size_t)*count * size;
    *count += n;
    return first;
}

int sw_build_text(swBuilder *b, const char *text, swError *error) {
    int at = b->text.count;
    size_t n = strlen(text) + 1;
    char *to = SW_EXTEND(&b->text, (int)n, &b->arena, error);
    if (!to)
        return -1;
    memcpy(to, text, n);
    return at;
}

void sw_pose_matrix(const swPose *pose, swMat3 *R, swVec3 *t) {
    *R = sw_mat_rotation(sw_scale(pose->angle, sw_unit(pose->axis)));
    *t = sw_add(sw_sub(pose->about, sw_mul(*R, pose->about)), pose->translate);
}

typedef bool swStage(swBuilder *b, swBodyBuild *body, swError *error);

static bool build_forces(swBuilder *b, swBodyBuild *body, swError *error) {
    const swBodyKind *kind = sw_build_kind(body->def);
    return kind ? kind->forces(b, body, error) : sw_build_samples(b, body, error);
}

// The stages of a body, and about what share of the time each takes.
static const struct {
    const char *name;
    swStage *build;
    double share;
} stages[] = {
    {"compile: voxels", sw_build_volume, 0.45}, {"compile: weights", sw_build_sites, 0.2},
    {"compile: start", sw_build_start, 0},      {"compile: points", build_forces, 0.25},
    {"compile: springs", sw_build_springs, 0},  {"compile: surface", sw_build_surface, 0},
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

static bool build_bodies(swBuilder *b, swError *error) {
    int nbody = 0;
    for (const swBody *d = b->scene->bodies; d; d = d->next)
        nbody++;
    swBodyBuild *body = SW_NEW(&b->arena, nbody, swBodyBuild, error);
    if (!body || !SW_EXTEND(&b->body, nbody, &b->arena, error))
        return false;
    int i = 0;
    for (const swBody *d = b->scene->bodies; d; d = d->next, i++) {
        body[i].def = d;
        body[i].index = i;
        snprintf(body[i].key, sizeof body[i].key, "bodies[%d]", i);
        if (!build_body(b, &body[i], i, nbody, error))
            return false;
    }
    sw_pool_watch(b->pool, NULL, NULL, 0);
    sw_progress(b->config, "compile", 1);
    return sw_build_probes(b, body, nbody, error);
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
                      .modes = scene->modal.count,
                      .about = (int)scene->modal.about,
                      .linear = (int)scene->solver.linear,
                      .gravity = scene->gravity,
                      .title = title};
    if (!sw_integrator_find(scene->time.integrator, &s->integrator))
        return sw_fail(error, SW_ERROR_VALUE, "time.integrator: unknown integrator \"%s\"",
                       scene->time.integrator);
    return true;
}

// Everything the lists hold goes into the model's block.
static bool finish(swBuilder *b, swModel *m, swError *error) {
    m->size = b->size;
    m->size.nbody = b->body.count;
    m->size.npart = b->part.count;
    m->size.nmaterial = b->material.count;
    m->size.nnode = b->node.count;
    m->size.nq = b->q0.count;
    m->size.npair = b->pair.count;
    m->size.nmass = b->mass.count;
    m->size.ngroup = b->group.count;
    m->size.ngroup_node = b->group_node.count;
    m->size.ngamma = b->gamma.count;
    m->size.ncell = b->cell.count;
    m->size.nsample = b->sample_volume.count;
    m->size.npoint = b->point.count;
    m->size.nweight = b->point_node.count;
    m->size.ntriangle = b->triangle.count / 3;
    m->size.nhandle = b->handle.count;
    m->size.nkey = b->key.count;
    m->size.nrig = b->rig.count;
    m->size.ncrack = b->crack.count;
    m->size.ncrack_tet = b->crack_sample.count;
    m->size.ncrack_vertex = b->crack_root.count;
    m->size.nline_net = b->line_net.count;
    m->size.nline = b->line.count;
    m->size.nline_cell = b->line_cell.count;
    m->size.nline_face = b->line_face.count / 3;
    m->size.ncollider = b->collider.count;
    m->size.ncontact = b->contact.count;
    m->size.nprobe = b->probe.count;
    m->size.ntext = b->text.count;
    m->size.nbulk = b->bulk.count;
    m->size.nbulk_node = b->bulk_node.count;
    m->size.nbulk_data = b->bulk_data.count;
    m->size.nactivation = b->activation_key.count;
    m->size.nspring = b->spring.count;
    m->size.nspring_node = b->spring_node.count;
    m->size.nspring_data = b->spring_data.count;
    m->size.nmuscle = b->muscle.count;
    m->size.nshape = b->shape.count;
    m->size.nstretch = b->stretch.count;
    m->size.nbed = b->bed.count;
    m->size.nbed_index = b->bed_index.count;
    m->size.nbed_cell = b->bed_cell.count;
    m->size.nbed_node = b->bed_X.count;
    m->size.nbed_around = b->bed_around.count;
    m->size.nbed_weight = b->bed_site.count;
    m->size.nbed_voxel = b->bed_voxel.count;
    m->size.nbed_load = b->bed_load.count;
    m->size.nreduced = b->reduced.count;
    m->size.nreduced_data = b->reduced_data.count;
    m->size.nvector = b->vector.count;
    if (b->vector.count == 0)
        b->point_vector.count = 0;
    m->size.nparticle = b->particle.count;
    m->size.ngauss = b->gauss.count;
    m->size.ngauss_shape = b->gauss_node.count;
    m->size.nparticle_turn = b->particle_turn.count;
    m->size.nturn_share = b->turn_share.count;
    if (!sw_model_allocate(m, error))
        return false;
#define SW_FIELD(type, name, size) \
    if (b->name.count) \
        memcpy(m->name, b->name.item, (size_t)b->name.count * sizeof(type));
#include "model/model_fields.inl"
#undef SW_FIELD
    sw_nodes_sync(m, m->q0);
    return true;
}

// A body that starts inside a collider is thrown out of it: say so.
static void warn_buried(const swModel *m) {
    int count = 0;
    swReal deepest = 0;
    for (int64_t i = 0; i < m->size.ncontact; i++)
        for (int64_t c = 0; c < m->size.ncollider; c++) {
            swReal depth =
                sw_collider_depth(&m->collider[c], sw_point_position(m, m->q0, m->contact[i].point))
                    .depth;
            count += depth > m->body[m->contact[i].body].voxel;
            deepest = sw_max(deepest, depth);
        }
    if (count)
        sw_warn(&m->config, "%d surface points start inside a collider, up to %.3g m deep", count,
                deepest);
}

// Held at every frame, or without any.
static void warn_stuck(const swModel *m) {
    for (int64_t i = 0; i < m->size.nbody; i++) {
        const swBodyInfo *b = &m->body[i];
        int free = 0;
        for (int k = b->node; k < b->node + b->nnode; k++)
            free += m->node[k].ndof > 0;
        if (free == 0)
            sw_warn(&m->config, "bodies[%d]: none of its frames is free, so it does not deform",
                    (int)i);
    }
}

swModel *sw_compile(const swScene *scene, swError *error) { return sw_compile_at(scene, 0, error); }

swModel *sw_compile_at(const swScene *scene, swReal t, swError *error) {
    return sw_compile_torn(scene, t, 0, NULL, error);
}

swModel *sw_compile_torn(const swScene *scene, swReal t, int ntorn, const swTornBody *torn,
                         swError *error) {
    const swConfig *config = sw_scene_config(scene);
    swBuilder builder = {.scene = scene, .config = config, .time = t, .ntorn = ntorn, .torn = torn},
              *b = &builder;
    sw_error_clear(error);
    sw_arena_init(&b->arena, &config->allocator);
    b->pool = sw_pool_create(&config->allocator, config->threads);
    swModel *model = sw_model_create(config, error);
    int title = 0;
    bool ok = model && sw_scene_check(scene, error) &&
              SW_EXTEND(&b->point_start, 1, &b->arena, error) &&
              (title = sw_build_text(b, scene->title ? scene->title : "", error)) >= 0 &&
              settings(scene, &model->settings, title, error) && sw_build_materials(b, error) &&
              sw_build_colliders(b, error) && build_bodies(b, error) && sw_build_pairs(b, error) &&
              finish(b, model, error);
    sw_pool_destroy(b->pool);
    sw_arena_free(&b->arena);
    if (ok) {
        model->settings.cut = sw_cut_next(scene, t);
        warn_buried(model);
        warn_stuck(model);
        return model;
    }
    sw_model_destroy(model);
    return NULL;
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
    m->settings = now;
    swBodyInfo *body = m->body;
    for (const swBody *b = scene->bodies; b; b = b->next, body++) {
        body->damping_mass = b->damping_mass;
        body->damping_stiffness = b->damping_stiffness;
    }
    return true;
}
