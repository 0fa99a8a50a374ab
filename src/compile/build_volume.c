// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Materials, solids, voxels and surfaces.
#include "compile/build.h"

#include "contact/contact.h"
#include "geometry/contour.h"
#include "material/law.h"
#include "volume/voxelize.h"

#include <string.h>

// Volume, fibres and flow. A constant activation is a single key.
static bool add_terms(swBuilder *b, const swMaterial *d, swMaterialInfo *m, swError *error) {
    const swFibre *fibre = &d->fibre;
    m->volume = d->volume;
    m->fibre = sw_unit(fibre->direction);
    m->fibre_stiffness = fibre->stiffness;
    m->fibre_exponent = fibre->exponent;
    m->fibre_strength = fibre->strength;
    m->yield = isnan(d->yield) ? 0 : d->yield;
    m->hardening = d->hardening;
    m->activation = b->activation_key.count;
    const swActivationKey *key = isnan(fibre->activation) ? fibre->keys : NULL;
    do {
        swActivation *to = SW_EXTEND(&b->activation_key, 1, &b->arena, error);
        if (!to)
            return false;
        *to = key ? (swActivation){key->t, key->value} : (swActivation){0, fibre->activation};
        m->nactivation++;
        key = key ? key->next : NULL;
    } while (key);
    return true;
}

bool sw_build_materials(swBuilder *b, swError *error) {
    for (const swMaterial *d = b->scene->materials; d; d = d->next) {
        const swLaw *law = sw_law_find(d->law);
        swMaterialInfo *m = SW_EXTEND(&b->material, 1, &b->arena, error);
        if (!m)
            return false;
        m->density = d->density;
        const char *expected = law->check ? law->check(d) : NULL;
        if (expected)
            return sw_fail(error, SW_ERROR_VALUE, "materials.%s: expected %s", d->name, expected);
        law->prepare(d, m->coefficient);
        sw_law_rest(law, m->coefficient, m->lame);
        m->young = m->lame[0] * (3 * m->lame[1] + 2 * m->lame[0]) / (m->lame[1] + m->lame[0]);
        const swReal bulk = m->lame[1] + 2.0 / 3 * m->lame[0], least = 1e-13; // both above rounding
        if (!(m->lame[0] > least * bulk) || !(bulk > least * m->lame[0]) || !isfinite(m->young))
            return sw_fail(
                error, SW_ERROR_VALUE,
                "materials.%s: expected constants that make it stiff in shear and tension, "
                "found mu %g and lambda %g at rest",
                d->name, m->lame[0], m->lame[1]);
        while (sw_law_at(m->law) != law)
            m->law++;
        if ((m->name = sw_build_text(b, d->name, error)) < 0 || !add_terms(b, d, m, error))
            return false;
    }
    return true;
}

bool sw_build_colliders(swBuilder *b, swError *error) {
    int i = 0;
    for (const swCollider *d = b->scene->colliders; d; d = d->next, i++) {
        const swShape *s = d->shape;
        if (!sw_collider_known((int)s->kind))
            return sw_fail(error, SW_ERROR_VALUE,
                           "colliders[%d]: expected a plane, sphere, box or capsule", i);
        swColliderInfo *c = SW_EXTEND(&b->collider, 1, &b->arena, error);
        if (!c)
            return false;
        c->kind = (int)s->kind;
        c->friction = d->friction;
        c->stiffness = isnan(d->stiffness) ? 0 : d->stiffness;
        c->r = s->kind == SW_SHAPE_HALFSPACE ? s->offset : s->radius;
        c->a = s->kind == SW_SHAPE_HALFSPACE ? sw_unit(s->normal)
               : s->kind == SW_SHAPE_CAPSULE ? s->from
                                             : s->center;
        c->b = s->kind == SW_SHAPE_CAPSULE ? s->to : sw_scale(0.5, s->size);
    }
    return true;
}

static int material_index(const swScene *scene, const char *name) {
    int i = 0;
    for (const swMaterial *m = scene->materials; m; m = m->next, i++)
        if (!name || sw_text_equal(m->name, name))
            return i;
    return -1; // sw_scene_check() has seen to it
}

typedef SW_LIST(swPaint) swPaintList;

// Solids of a shape and of the parts of a union, in painting order.
static bool add_solids(swBuilder *b, const swShape *shape, const char *material, const char *key,
                       swPaintList *list, swError *error) {
    if (shape->material)
        material = shape->material;
    if (shape->kind == SW_SHAPE_UNION) {
        int i = 0;
        for (const swShape *part = shape->parts; part; part = part->next, i++) {
            char name[160];
            snprintf(name, sizeof name, "%s.union[%d]", key, i);
            if (!add_solids(b, part, material, name, list, error))
                return false;
        }
        return true;
    }
    if (shape->kind == SW_SHAPE_HALFSPACE)
        return sw_fail(error, SW_ERROR_GEOMETRY, "%s: a half-space is no solid body", key);
    const swSolid *solid =
        sw_solid_create(shape, b->scene->folder, key, b->config, &b->arena, error);
    swPaint *paint = solid ? SW_PUSH(list, &b->arena, error) : NULL;
    if (!paint)
        return false;
    *paint = (swPaint){solid, material_index(b->scene, material)};
    return true;
}

// The edge of a voxel: given, or from the longest side of all solids.
static swReal voxel_size(const swBody *def, const swPaintList *list) {
    if (!isnan(def->voxel))
        return def->voxel;
    swVec3 lo = {INFINITY, INFINITY, INFINITY}, hi = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < list->count; i++) {
        swVec3 a, c;
        sw_solid_bounds(list->item[i].solid, &a, &c);
        lo = sw_min3(lo, a);
        hi = sw_max3(hi, c);
    }
    swVec3 d = sw_sub(hi, lo);
    return sw_max(d.x, sw_max(d.y, d.z)) / def->resolution;
}

bool sw_build_volume(swBuilder *b, swBodyBuild *body, swError *error) {
    char key[64];
    swPaintList list = {0};
    snprintf(key, sizeof key, "%s.shape", body->key);
    if (!body->def->shape)
        return sw_fail(error, SW_ERROR_VALUE, "%s: expected a shape, found none", body->key);
    if (!add_solids(b, body->def->shape, NULL, key, &list, error))
        return false;
    swReal h = voxel_size(body->def, &list);
    if (!(h > 0) || !isfinite(h))
        return sw_fail(error, SW_ERROR_GEOMETRY, "%s: the shape has no extent", key);
    if (!sw_voxelize(list.count, list.item, h, key, b->pool, b->config, &b->arena, &body->grid,
                     error) ||
        !sw_lattice_create(&body->grid, &b->arena, &body->lattice, error))
        return false;
    int parts;
    if (!sw_lattice_parts(&body->lattice, &b->arena, &parts, error))
        return false;
    if (parts > 1)
        sw_warn(b->config,
                "%s: the body is in %d parts without connection; one without a frame of its own "
                "follows the frames around it",
                body->key, parts);
    body->nsolid = list.count;
    body->solid = SW_NEW(&b->arena, list.count, const swSolid *, error);
    if (!body->solid)
        return false;
    for (int i = 0; i < list.count; i++)
        body->solid[i] = list.item[i].solid;
    sw_pose_matrix(&body->def->place, &body->R, &body->t);
    const swSurface *own = list.count == 1 ? sw_solid_surface(body->solid[0]) : NULL;
    if (own)
        body->surface = *own;
    else if (!sw_contour(list.count, body->solid, h, b->pool, &b->arena, &body->surface, error))
        return false;

    swBodyInfo *info = &b->body.item[body->index];
    info->voxel = h;
    info->nvoxel = body->grid.nvoxel;
    info->volume = body->grid.volume;
    info->lo = body->grid.lo;
    info->hi = body->grid.hi;
    info->damping_mass = body->def->damping_mass;
    info->damping_stiffness = body->def->damping_stiffness;
    return (info->name = sw_build_text(b, body->def->name ? body->def->name : "", error)) >= 0;
}
