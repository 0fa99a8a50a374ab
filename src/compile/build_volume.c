// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Materials, solids, voxels and surfaces.
#include "compile/cut.h"
#include "compile/model_build.h"

#include "geometry/contour.h"
#include "geometry/refine.h"
#include "material/law.h"
#include "volume/fill_surface.h"
#include "volume/voxelize.h"

#include <string.h>

// Volume, fibres and flow.
static bool add_terms(swBuilder *b, const swMaterial *d, swMaterialInfo *m, swError *error) {
    const swFibre *fibre = &d->fibre;
    m->volume = d->volume;
    m->fibre = sw_unit(fibre->direction);
    m->fibre_stiffness = fibre->stiffness;
    m->fibre_exponent = fibre->exponent;
    m->fibre_strength = fibre->strength;
    m->yield = isnan(d->yield) ? 0 : d->yield;
    m->hardening = d->hardening;
    m->plasticity = (int)d->plasticity;
    m->toughness = isnan(d->toughness) ? INFINITY : d->toughness;
    m->creep = isnan(d->creep) ? INFINITY : d->creep;
    m->limit = isnan(d->limit) ? INFINITY : d->limit;
    return sw_build_course(b, fibre->activation, fibre->keys, fibre->repeat, &m->activation, error);
}

bool sw_build_material(swBuilder *b, const swMaterial *d, swError *error) {
    const swLaw *law = sw_law_find(d->law);
    swMaterialInfo *m = SW_EXTEND(&b->material, 1, &b->arena, error);
    if (!m)
        return false;
    *m = (swMaterialInfo){.density = d->density};
    const char *expected = law->check ? law->check(d) : NULL;
    if (expected)
        return sw_fail(error, SW_ERROR_VALUE, "materials.%s: expected %s", d->name, expected);
    law->prepare(d, m->coefficient);
    sw_law_rest(law, m->coefficient, m->lame);
    m->young = m->lame[0] * (3 * m->lame[1] + 2 * m->lame[0]) / (m->lame[1] + m->lame[0]);
    const swReal bulk = m->lame[1] + 2.0 / 3 * m->lame[0], least = 1e-13; // both above rounding
    if (!(m->lame[0] > least * bulk) || !(bulk > least * m->lame[0]) || !isfinite(m->young))
        return sw_fail(error, SW_ERROR_VALUE,
                       "materials.%s: expected constants that make it stiff in shear and tension, "
                       "found mu %g and lambda %g at rest",
                       d->name, m->lame[0], m->lame[1]);
    while (sw_law_at(m->law) != law)
        m->law++;
    return (m->name = sw_build_text(b, d->name, error)) >= 0 && add_terms(b, d, m, error);
}

bool sw_build_materials(swBuilder *b, swError *error) {
    for (const swMaterial *d = b->scene->materials; d; d = d->next)
        if (!sw_build_material(b, d, error))
            return false;
    return true;
}

// Of the name in the shape of a body (NULL: the first), or what takes its place there.
static int material_index(const swScene *scene, const swLabels *swaps, const char *name) {
    name = name ? name : scene->materials->name;
    for (const swLabels *l = swaps; l; l = l->next)
        if (sw_text_equal(l->labels, name))
            return material_index(scene, NULL, l->material);
    int i = 0;
    for (const swMaterial *m = scene->materials; m; m = m->next, i++)
        if (sw_text_equal(m->name, name))
            return i;
    return -1; // sw_scene_check() has seen to it
}

// What the entries of a volume are made of; the shape's own material is `paint->material`.
static bool add_palette(swBuilder *b, swPaint *paint, const char *key, swError *error) {
    int count;
    const swSolidEntry *from = sw_solid_palette(paint->solid, &count);
    swPaintEntry *to = SW_NEW(&b->arena, count, swPaintEntry, error);
    if (!to)
        return false;
    paint->palette = to;
    _Static_assert(SW_NO_LABEL == INT32_MIN, "as in swSolidEntry");
    for (int i = 1; i < count; i++) {
        const int m = from[i].material ? material_index(b->scene, b->swaps, from[i].material)
                                       : paint->material;
        if (m < 0)
            return sw_fail(error, SW_ERROR_VALUE, "%s: unknown material \"%s\"", key,
                           from[i].material);
        const swMaterialInfo *info = &b->material.item[m];
        to[i] =
            (swPaintEntry){.material = m,
                           .label = from[i].label,
                           .stiffness = isnan(from[i].young) ? 1 : from[i].young / info->young,
                           .density = isnan(from[i].density) ? 1 : from[i].density / info->density};
    }
    return true;
}

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
    *paint = (swPaint){solid, material_index(b->scene, b->swaps, material), NULL};
    return shape->kind != SW_SHAPE_VOLUME || add_palette(b, paint, key, error);
}

static bool add_given(swBuilder *b, const swBodyBuild *body, swPaintList *list, swError *error) {
    swPaint *paint = SW_PUSH(list, &b->arena, error);
    if (paint)
        *paint = (swPaint){body->given, material_index(b->scene, b->swaps, NULL), NULL};
    return paint != NULL;
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

// A part that becomes so much softer than it is deforms as what is soft in its cell does: the law
// of that one goes for it, which also keeps the number of different stiffnesses small.
#define FAR_SOFTER 0.7

// All parts of a cell share its strain. With their own moduli the stiff ones would carry what the
// soft ones should give way to: so those that deform get the harmonic mean, which is exact for an
// interface that is loaded across, and never too stiff.
static void mix_cells(const swBuilder *b, swBodyBuild *body) {
    swGrid *g = &body->grid;
    const int ncell = g->n[0] * g->n[1] * g->n[2];
    const swReal softest = sw_build_softest(b, g);
    int mixed = 0;
    for (int c = 0; c < ncell; c++) {
        swReal volume = 0, compliance = 0, least = INFINITY, most = 0;
        int soft = -1;
        for (int i = g->first[c]; i < g->first[c + 1]; i++)
            g->voxel[i].stuff = g->voxel[i].material;
        if (g->first[c + 1] - g->first[c] < 2 || body->kind->parts == SW_PARTS_NONE ||
            body->strains == SW_STRAINS_CORRECTED) // there strains vary inside cells
            continue;
        for (int i = g->first[c]; i < g->first[c + 1]; i++) {
            const swReal E = sw_build_young(b, &g->voxel[i]);
            if (sw_build_is_rigid(b, body, &g->voxel[i], softest))
                continue;
            volume += g->voxel[i].volume;
            compliance += g->voxel[i].volume / E;
            soft = E < least ? g->voxel[i].material : soft;
            least = sw_min(least, E);
            most = sw_max(most, E);
        }
        if (!(most > (1 + 1e-12) * least))
            continue;
        mixed++;
        for (int i = g->first[c]; i < g->first[c + 1]; i++) {
            swVoxel *v = &g->voxel[i];
            if (sw_build_is_rigid(b, body, v, softest))
                continue;
            const swReal share = volume / compliance / sw_build_young(b, v);
            v->stiffness *= share;
            v->stuff = share < FAR_SOFTER ? soft : v->stuff;
        }
    }
    if (mixed)
        sw_info(
            b->config,
            "%s: %d of %d cells hold materials of different stiffness: their parts get the "
            "harmonic mean of Young's moduli, so that what is soft is not lost in what is stiff",
            body->key, mixed, body->lattice.ncell);
}

// Young's modulus of each filled cell for distances, unless all are alike.
static bool set_young(const swBuilder *b, swBodyBuild *body, swArena *arena, swError *error) {
    const swGrid *g = &body->grid;
    swLattice *l = &body->lattice;
    const swReal first = sw_build_young(b, &g->voxel[0]);
    bool alike = true;
    for (int i = 1; i < g->nvoxel && alike; i++)
        alike = sw_build_young(b, &g->voxel[i]) == first;
    if (alike)
        return true;
    if (!(l->young = SW_NEW(arena, l->ncell, swReal, error)))
        return false;
    for (int c = 0; c < l->ncell; c++) {
        swReal volume = 0, compliance = 0;
        for (int i = g->first[l->cell[c]]; i < g->first[l->cell[c] + 1]; i++) {
            volume += g->voxel[i].volume;
            compliance += g->voxel[i].volume / sw_build_young(b, &g->voxel[i]);
        }
        l->young[c] = volume / compliance;
    }
    return true;
}

// A body of one mesh has that surface, large triangles in parts so that they can bend; what images
// fill is too rough to be drawn as it is, and gets a smooth one.
static bool make_surface(swBuilder *b, swBodyBuild *body, swReal h, swError *error) {
    const swSurface *own = body->nsolid == 1 ? sw_solid_surface(body->solid[0]) : NULL;
    bool image = false;
    for (int i = 0; i < body->nsolid - body->ncut; i++)
        image = image || sw_solid_kind(body->solid[i]) == SW_SHAPE_VOLUME;
    if (own)
        return sw_surface_refine(own, 3 * h, 1 << 20, &b->arena, &body->surface, error);
    if (!image)
        return sw_contour(body->nsolid, body->solid, body->ncut, h, b->pool, &b->arena,
                          &body->surface, error);
    swReal lost;
    if (!sw_fill_surface(&body->grid, -1, b->pool, &b->arena, &body->surface, &lost, error))
        return false;
    if (lost > 1e-3 * body->grid.volume)
        sw_warn(b->config,
                "%s: %.2g of its volume is thinner than half a voxel of %g m and has no surface",
                body->key, lost / body->grid.volume, body->grid.h);
    return true;
}

static void warn_tough(const swBuilder *b, const swBodyBuild *body) {
    for (int v = 0; v < body->grid.nvoxel && !body->kind->tears; v++)
        if (isfinite(b->material.item[body->grid.voxel[v].material].toughness)) {
            sw_warn(b->config, "%s: its material has a toughness, but only bodies of tets tear",
                    body->key);
            return;
        }
}

bool sw_build_volume(swBuilder *b, swBodyBuild *body, swError *error) {
    char key[64];
    swPaintList list = {0};
    snprintf(key, sizeof key, "%s.shape", body->key);
    if (body->kind->open && !body->kind->open(b, body, error))
        return false;
    if (body->def->shape ? !add_solids(b, body->def->shape, NULL, key, &list, error)
                         : !add_given(b, body, &list, error))
        return false;
    swReal h = voxel_size(body->def, &list);
    if (!(h > 0) || !isfinite(h))
        return sw_fail(error, SW_ERROR_GEOMETRY, "%s: the shape has no extent", key);
    if (!sw_cut_paint(b, body, h, &list, error) ||
        !sw_voxelize(list.count, list.item, body->cell > 0 ? body->cell : h, key, b->pool,
                     b->config, &b->arena, &body->grid, error) ||
        !sw_lattice_create(&body->grid, &b->arena, &body->lattice, error) ||
        !sw_cut_crumbs(b, body, error))
        return false;
    body->lattice.pool = b->pool;
    if (body->kind->paint)
        body->kind->paint(body);
    int parts;
    if (!sw_lattice_pieces(&body->lattice, &b->arena, &parts, error))
        return false;
    if (!sw_build_strains(b, body, parts, error))
        return false;
    mix_cells(b, body);
    warn_tough(b, body);
    if (!set_young(b, body, &b->arena, error))
        return false;
    if (parts > 1 && body->ncut == 0)
        sw_warn(b->config,
                "%s: the body is in %d parts without connection; one without a frame of its own "
                "follows the frames around it",
                body->key, parts);
    body->nsolid = list.count;
    body->paint = list.item;
    body->solid = SW_NEW(&b->arena, list.count, const swSolid *, error);
    if (!body->solid)
        return false;
    for (int i = 0; i < list.count; i++)
        body->solid[i] = list.item[i].solid;
    sw_pose_matrix(&body->def->place, &body->R, &body->t);
    if (!make_surface(b, body, h, error))
        return false;

    swBodyInfo *info = &b->body.item[body->index];
    info->voxel = body->grid.h;
    info->nvoxel = body->grid.nvoxel;
    info->volume = body->grid.volume;
    info->lo = body->grid.lo;
    info->hi = body->grid.hi;
    info->strains = (int)body->strains;
    info->damping_mass = body->def->damping_mass;
    info->damping_stiffness = body->def->damping_stiffness;
    return (info->name = sw_build_text(b, body->def->name ? body->def->name : "", error)) >= 0;
}
