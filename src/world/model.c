// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Models in files, and how large they are.
#include "contact/contact.h"
#include "integrate/integrator.h"
#include "material/law.h"
#include "model/archive.h"
#include "world/world.h"

static bool in(int64_t i, int64_t n) { return i >= 0 && i < n; }

static bool settings_sane(const swModel *m) {
    const swSettings *s = &m->settings;
    return in(s->title, m->size.ntext) && sw_integrator_at(s->integrator) && s->step > 0 &&
           in(s->analysis, SW_ANALYSES) && s->modes > 0 && in(s->linear, SW_LINEAR_CG + 1) &&
           in(s->saddles, SW_SADDLES_KEEP + 1) && s->increments > 0;
}

static bool compiled_sane(const swBodyModel *m) {
    if (!sw_body_model_sane(m))
        return false;
    for (int64_t i = 0; i < m->size.nmaterial; i++)
        if (!sw_law_at(m->material[i].law))
            return false;
    return true;
}

// Bodies come one after another, and so do their numbers.
static bool places_sane(const swModel *m) {
    swBodyPlace next = {0};
    for (int64_t i = 0; i < m->size.nbody; i++) {
        const swBodyPlace *p = &m->place[i];
        if (!in(p->name, m->size.ntext) || !in(p->compiled, m->size.ncompiled) || p->q != next.q ||
            p->frame != next.frame || p->handle != next.handle || p->muscle != next.muscle ||
            p->shape != next.shape || p->part != next.part || p->point != next.point)
            return false;
        const swBodySizes *s = &m->compiled[p->compiled]->size;
        next.q += (int)s->nq;
        next.frame += sw_body_frames(m->compiled[p->compiled]);
        next.handle += (int)s->nhandle;
        next.muscle += (int)s->nmuscle;
        next.shape += (int)s->nshape;
        next.part += (int)s->npart;
        next.point += (int)s->npoint;
    }
    return next.q == m->size.nq;
}

// A range of `count` items from `first` on.
static bool range(int64_t first, int64_t count, int64_t n) {
    return first >= 0 && count >= 0 && first <= n && count <= n - first;
}

static bool colliders_sane(const swModel *m) {
    const swModelSizes *s = &m->size;
    for (int64_t i = 0; i < s->ncollider_mesh; i++) {
        const swColliderMesh *mesh = &m->collider_mesh[i];
        if (!range(mesh->vertex, mesh->nvertex, s->ncollider_vertex) ||
            !range(mesh->triangle, mesh->ntriangle, s->ncollider_triangle) ||
            !range(mesh->node, mesh->nnode, s->ncollider_node))
            return false;
        const int *index = m->collider_triangle + 3 * (int64_t)mesh->triangle;
        for (int64_t k = 0; k < 3 * (int64_t)mesh->ntriangle; k++)
            if (!in(index[k], mesh->nvertex))
                return false;
    }
    for (int64_t i = 0; i < s->ncollider; i++) {
        const swColliderInfo *c = &m->collider[i];
        if (!in(c->name, s->ntext) || !in(c->motion, SW_COLLIDER_KEYS + 1) ||
            !range(c->key, c->nkey, s->nkey) || (c->motion == SW_COLLIDER_KEYS && c->nkey < 1) ||
            (c->mesh != -1 && !in(c->mesh, s->ncollider_mesh)) || !sw_collider_sane(m, c))
            return false;
    }
    return true;
}

static bool sane(const swModel *m) {
    if (m->text[m->size.ntext - 1] != 0 || !settings_sane(m))
        return false;
    for (int64_t i = 0; i < m->size.ncompiled; i++)
        if (!compiled_sane(m->compiled[i]))
            return false;
    if (!places_sane(m))
        return false;
    if (!colliders_sane(m))
        return false;
    for (int64_t i = 0; i < m->size.njoint; i++) {
        const swJointInfo *j = &m->joint[i];
        if (!in(j->name, m->size.ntext) || j->body[0] == j->body[1] || !(j->stiffness > 0))
            return false;
        for (int k = 0; k < 2; k++)
            if (!in(j->body[k], m->size.nbody) ||
                !in(j->point[k], sw_model_body(m, j->body[k])->size.npoint))
                return false;
    }
    for (int64_t i = 0; i < m->size.nprobe; i++) {
        const swProbeInfo *p = &m->probe[i];
        if (!in(p->name, m->size.ntext) || !in(p->body, m->size.nbody) ||
            !in(p->point, sw_model_body(m, p->body)->size.npoint))
            return false;
    }
    return true;
}

bool sw_model_check(const swModel *model, const char *path, swError *error) {
    return sane(model) || sw_fail_at(error, SW_ERROR_FORMAT, path, 0, 0,
                                     "damaged: an index of its model is out of range");
}

bool sw_model_save(const swModel *model, const char *path, swError *error) {
    swArchive a;
    if (!sw_archive_save(&a, path, "model", SW_MODEL_VERSION, error))
        return false;
    sw_model_put(model, &a);
    return sw_archive_close(&a, error);
}

swModel *sw_model_load(const char *path, const swConfig *config, swError *error) {
    swConfig c = config ? *config : sw_default_config();
    swModel *model = sw_model_create(&c, error);
    swArchive a;
    if (!model || !sw_archive_load(&a, path, "model", SW_MODEL_VERSION, &c.allocator, error)) {
        sw_model_destroy(model);
        return NULL;
    }
    bool ok = sw_model_get(model, &a, error);
    if (!ok)
        sw_archive_abandon(&a);
    if (ok && sw_archive_close(&a, error) && sw_model_check(model, path, error))
        return model;
    sw_model_destroy(model);
    return NULL;
}

swModelInfo sw_model_info(const swModel *m) {
    swModelInfo info = {.bodies = (int)m->size.nbody,
                        .compiled = (int)m->size.ncompiled,
                        .probes = (int)m->size.nprobe,
                        .step = m->settings.step,
                        .end = m->settings.end,
                        .memory = m->block_size,
                        .analysis = (swAnalysis)m->settings.analysis,
                        .modes = m->settings.modes,
                        .about = (swAbout)m->settings.about,
                        .title = sw_model_text(m, m->settings.title),
                        .integrator = sw_integrator_name(m->settings.integrator),
                        .direct = sw_integrator_at(m->settings.integrator)->direct};
    for (int64_t i = 0; i < m->size.ncompiled; i++)
        info.memory += m->compiled[i]->block_size;
    for (int64_t i = 0; i < m->size.nbody; i++) {
        const swBodyModel *b = sw_model_body(m, i);
        const swBodyInfo *body = &b->body[0];
        info.frames += (int)(b->size.nnode - b->size.nreduced) - body->net;
        info.handles += (int)b->size.nhandle;
        info.dof += (int)b->size.ndof;
        info.contact_points += (int)b->size.ncontact;
        info.springs += (int)b->size.nlink;
        info.voxels += body->nvoxel;
        info.net += body->net;
        info.vertices += body->npoint;
        info.triangles += body->ntriangle;
        info.mass += body->mass;
        for (int64_t k = 0; k < b->size.nsample; k++)
            info.points += b->sample_volume[k] > 0;
    }
    return info;
}
