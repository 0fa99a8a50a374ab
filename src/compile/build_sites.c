// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Frames and handles, as sites of the weights and as nodes of the model.
#include "compile/build.h"

#include "nodes/place.h"

#include <string.h>

// The part of a voxel's filled box inside the bounds of a region; false where there is none. Where
// the region has no thickness the part is flat; where it has, a part that only touches it counts
// when `touching`.
static bool clip(const swVoxel *v, swVec3 lo, swVec3 hi, swReal tolerance, bool touching,
                 swVec3 *from, swVec3 *to, swReal *measure) {
    *measure = 1;
    for (int k = 0; k < 3; k++) {
        swReal a = sw_max(sw_get(v->lo, k), sw_get(lo, k)),
               b = sw_min(sw_get(v->hi, k), sw_get(hi, k));
        const bool flat = sw_get(hi, k) - sw_get(lo, k) <= tolerance;
        if (b < a - tolerance || (b < a + tolerance && !flat && !touching))
            return false;
        if (b < a)
            a = b = 0.5 * (a + b);
        sw_set(from, k, a);
        sw_set(to, k, b);
        *measure *= sw_max(b - a, tolerance);
    }
    return true;
}

// Adds what region `site` takes of each voxel: centre (times the sum of measures, returned),
// bounds, lattice nodes.
static swReal gather_part(const swBodyBuild *body, swSite *site, bool touching, char *mark,
                          swVec3 *sum) {
    const swGrid *g = &body->grid;
    const swLattice *l = &body->lattice;
    const swReal tolerance = 1e-6 * g->h;
    swVec3 lo, hi;
    swReal total = 0;
    sw_solid_bounds(site->region, &lo, &hi);
    for (int v = 0; v < g->nvoxel; v++) {
        swVec3 from = {0, 0, 0}, to = {0, 0, 0};
        swReal measure;
        if (!clip(&g->voxel[v], lo, hi, tolerance, touching, &from, &to, &measure))
            continue;
        swVec3 middle = sw_lerp(from, to, 0.5);
        if (sw_solid_distance(site->region, middle) > tolerance)
            continue;
        *sum = sw_madd(*sum, measure, middle);
        total += measure;
        site->lo = sw_min3(site->lo, from);
        site->hi = sw_max3(site->hi, to);
        int c = l->index[g->voxel[v].cell];
        for (int k = 0; k < 8; k++)
            if (sw_solid_distance(site->region, l->X[l->corner[8 * c + k]]) <= 0.5 * g->h)
                mark[l->corner[8 * c + k]] = 1;
    }
    return total;
}

// What of the body a handle's region touches: centre, bounds and lattice nodes.
static bool select_part(swBuilder *b, const swBodyBuild *body, swSite *site, swError *error) {
    const swGrid *g = &body->grid;
    const swLattice *l = &body->lattice;
    char *mark = SW_NEW(&b->arena, l->n, char, error);
    int *node = SW_NEW(&b->arena, l->n, int, error);
    if (!mark || !node)
        return false;
    swVec3 sum = {0, 0, 0};
    site->lo = sw_v3(INFINITY, INFINITY, INFINITY);
    site->hi = sw_v3(-INFINITY, -INFINITY, -INFINITY);
    swReal total = gather_part(body, site, false, mark, &sum);
    if (total == 0)
        total = gather_part(body, site, true, mark, &sum);
    if (total == 0)
        return sw_fail(error, SW_ERROR_GEOMETRY,
                       "%s.region: selects nothing of the body, which fills [%.4g, %.4g] x [%.4g, "
                       "%.4g] x [%.4g, %.4g]",
                       site->key, g->lo.x, g->hi.x, g->lo.y, g->hi.y, g->lo.z, g->hi.z);
    site->origin = sw_scale(1 / total, sum);
    for (int i = 0; i < l->n; i++)
        if (mark[i])
            node[site->nnode++] = i;
    site->node = node;
    return true;
}

static bool make_handles(swBuilder *b, swBodyBuild *body, swSite *site, swError *error) {
    int i = 0;
    for (const swHandle *h = body->def->handles; h; h = h->next, i++) {
        char key[96], region[128];
        snprintf(key, sizeof key, "%s.handles[%d]", body->key, i);
        snprintf(region, sizeof region, "%s.region", key);
        site[i].cell = -1;
        if (!(site[i].key = sw_arena_text(&b->arena, key, strlen(key), error)))
            return false;
        if (!h->region)
            return sw_fail(error, SW_ERROR_VALUE, "%s: expected a region, found none", key);
        site[i].region =
            sw_solid_create(h->region, b->scene->folder, region, b->config, &b->arena, error);
        if (!site[i].region || !select_part(b, body, &site[i], error))
            return false;
    }
    return true;
}

// Two handles cannot both carry the same material, nor can rigid parts that touch move apart.
static bool check_overlap(const swBodyBuild *body, swError *error) {
    const swGrid *g = &body->grid;
    const swSite *handle = body->site + body->nsite - body->nhandle;
    const swReal tolerance = 1e-6 * g->h;
    for (int j = 1; j < body->nhandle; j++)
        for (int i = 0; i < j; i++)
            for (int v = 0; v < g->nvoxel; v++) {
                swVec3 lo, hi, from, to;
                swReal measure;
                sw_solid_bounds(handle[i].region, &lo, &hi);
                if (!clip(&g->voxel[v], lo, hi, tolerance, true, &from, &to, &measure))
                    continue;
                const swVoxel part = {.lo = from, .hi = to};
                sw_solid_bounds(handle[j].region, &lo, &hi);
                if (!clip(&part, lo, hi, tolerance, true, &from, &to, &measure))
                    continue;
                const swVec3 p = sw_lerp(from, to, 0.5);
                if (sw_solid_distance(handle[i].region, p) > tolerance ||
                    sw_solid_distance(handle[j].region, p) > tolerance)
                    continue;
                return sw_fail(error, SW_ERROR_GEOMETRY,
                               "%s and %s: two handles select the same material, or touch, near "
                               "(%.4g, %.4g, %.4g)",
                               handle[i].key, handle[j].key, p.x, p.y, p.z);
            }
    return true;
}

static swSource source_of(const swSite *s) {
    return (swSource){s->origin, s->region ? -1 : s->cell, s->nnode, s->node};
}

static bool make_frames(swBuilder *b, swBodyBuild *body, swError *error) {
    const swFrames *f = &body->def->frames;
    const swSite *handle = body->site + f->nat + f->count;
    swSource *fixed = SW_NEW(&b->arena, f->nat + body->nhandle + 1, swSource, error);
    swVec3 *at = SW_NEW(&b->arena, f->nat + f->count + 1, swVec3, error);
    if (!fixed || !at)
        return false;
    for (int i = 0; i < f->nat; i++)
        at[i] = f->at[i];
    for (int i = 0; i < f->nat; i++) {
        int cell = body->lattice.index[sw_grid_cell(&body->grid, at[i])];
        swVec3 lo = sw_sub(body->grid.lo, at[i]), hi = sw_sub(at[i], body->grid.hi);
        swReal slack = 1e-6 * body->grid.h;
        if (cell < 0 || lo.x > slack || lo.y > slack || lo.z > slack || hi.x > slack ||
            hi.y > slack || hi.z > slack)
            return sw_fail(error, SW_ERROR_GEOMETRY,
                           "%s.frames.at[%d]: the frame at (%.4g, %.4g, %.4g) is outside the body",
                           body->key, i, at[i].x, at[i].y, at[i].z);
        fixed[i] = (swSource){.point = at[i], .cell = cell};
    }
    for (int i = 0; i < body->nhandle; i++)
        fixed[f->nat + i] = source_of(&handle[i]);
    if (!sw_frames_place(&body->lattice, f->nat + body->nhandle, fixed, f->count, &b->arena,
                         at + f->nat, error))
        return false;
    for (int i = 0; i < f->nat + f->count; i++) {
        char key[96];
        snprintf(key, sizeof key, "frame %d of %s", i, body->key);
        body->site[i] =
            (swSite){.origin = at[i], .cell = sw_lattice_find(&body->lattice, at[i], 1)};
        if (!(body->site[i].key = sw_arena_text(&b->arena, key, strlen(key), error)))
            return false;
    }
    return true;
}

static bool add_handle(swBuilder *b, const swBodyBuild *body, const swHandle *h, int index,
                       int node, swError *error) {
    swHandleInfo *info = SW_EXTEND(&b->handle, 1, &b->arena, error);
    if (!info)
        return false;
    *info = (swHandleInfo){
        .body = body->index, .node = node, .motion = (int)h->motion, .key = b->key.count};
    info->center = sw_add(sw_mul(body->R, b->node.item[node].origin), body->t);
    char name[32];
    snprintf(name, sizeof name, "handle%d", index + 1);
    info->name = sw_build_text(b, h->name ? h->name : name, error);
    for (const swKey *k = h->keys; k; k = k->next) {
        swPoseKey *key = SW_EXTEND(&b->key, 1, &b->arena, error);
        if (!key)
            return false;
        *key = (swPoseKey){.t = k->t,
                           .rotation = sw_scale(k->pose.angle, sw_unit(k->pose.axis)),
                           .about = k->pose.about,
                           .translate = k->pose.translate};
        info->nkey++;
    }
    return info->name >= 0;
}

static bool add_node(swBuilder *b, const swBodyBuild *body, int site, swNodeKind kind,
                     swMotion motion, swError *error) {
    swNode *n = SW_EXTEND(&b->node, 1, &b->arena, error);
    if (!n)
        return false;
    const int width = sw_node_width(kind);
    const bool dual = body->def->frames.blend == SW_BLEND_DUAL_QUATERNION;
    *n = (swNode){.kind = (int)kind,
                  .width = width,
                  .motion = (int)motion,
                  .body = body->index,
                  .handle = -1,
                  .q = b->q0.count,
                  .u = -1,
                  .nu = dual ? 8 : 3 * width,
                  .parent = -1,
                  .turn = b->node.count - 1,
                  .dof = -1,
                  .origin = body->site[site].origin};
    if (motion == SW_MOTION_FREE) {
        n->ndof = kind == SW_NODE_RIGID ? 6 : 3 * width;
        n->u = (int)b->size.nu;
        n->dof = (int)b->size.ndof;
        b->size.nu += n->nu;
        b->size.ndof += n->ndof;
    }
    const int size = sw_node_size(n);
    return SW_EXTEND(&b->q0, size, &b->arena, error) && SW_EXTEND(&b->v0, size, &b->arena, error) &&
           SW_EXTEND(&b->load, size, &b->arena, error) &&
           SW_EXTEND(&b->weight_load, size / 3, &b->arena, error);
}

// Frames given in `at` come first, and may have kinds of their own.
static swNodeKind kind_of(const swFrames *f, int frame) {
    return frame < f->nkinds ? f->kinds[frame] : f->kind;
}

// Voxels end where weights have kinks, so that each sees one side of them.
static bool split_voxels(swBuilder *b, swBodyBuild *body, swError *error) {
    int axis;
    swReal *plane = SW_NEW(&b->arena, 2 * body->nsite, swReal, error);
    if (!plane || !body->weights.kind->kinks)
        return plane != NULL;
    const int count = body->weights.kind->kinks(&body->weights, &axis, plane);
    return count == 0 || sw_grid_split(&body->grid, axis, count, plane, &b->arena, error);
}

bool sw_build_sites(swBuilder *b, swBodyBuild *body, swError *error) {
    const swFrames *f = &body->def->frames;
    const int nframe = f->nat + f->count;
    for (const swHandle *h = body->def->handles; h; h = h->next)
        body->nhandle++;
    body->nsite = nframe + body->nhandle;
    body->first_node = b->node.count;
    for (int i = 0; i < nframe && f->blend == SW_BLEND_DUAL_QUATERNION; i++)
        if (kind_of(f, i) != SW_NODE_RIGID)
            return sw_fail(error, SW_ERROR_VALUE,
                           "%s.frames.blend: dual quaternions blend rigid frames alone; expected "
                           "the kind \"rigid\", found another for frame %d",
                           body->key, i);
    if (f->blend == SW_BLEND_DUAL_QUATERNION && body->def->mass != SW_MASS_FULL)
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s.mass: expected \"full\" with dual quaternions, found \"lumped\"",
                       body->key);
    b->body.item[body->index].blend = (int)f->blend;
    if (body->nsite == 0)
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s: expected at least one frame or handle, found none", body->key);
    body->site = SW_NEW(&b->arena, body->nsite, swSite, error);
    if (!body->site || !make_handles(b, body, body->site + nframe, error) ||
        !check_overlap(body, error) || !make_frames(b, body, error))
        return false;
    for (int i = 0; i < nframe; i++)
        if (!add_node(b, body, i, kind_of(f, i), SW_MOTION_FREE, error))
            return false;
    int i = 0;
    for (const swHandle *h = body->def->handles; h; h = h->next, i++) {
        int node = b->node.count;
        if (!add_node(b, body, nframe + i, SW_NODE_RIGID, h->motion, error))
            return false;
        b->node.item[node].handle = b->handle.count;
        if (!add_handle(b, body, h, i, node, error))
            return false;
    }
    b->body.item[body->index].node = body->first_node;
    b->body.item[body->index].nnode = body->nsite;
    return sw_weights_create(&body->weights, &f->weights, &body->lattice, body->nsite, body->site,
                             b->pool, &b->arena, error) &&
           split_voxels(b, body, error);
}
