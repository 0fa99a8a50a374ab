// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "compile/inspect.h"

#include "bodies/bodies.h"
#include "scene/scene.h"

// ---- compiling ----

static bool find_body(swInspect *in, int index, swCorrection strains, swError *error) {
    swBuilder *b = &in->builder;
    int nbody = 0;
    for (const swBody *d = b->scene->bodies; d; d = d->next, nbody++)
        if (nbody == index) {
            sw_body_resolve(b->scene, d, &in->def);
            in->body = sw_body_begin(&in->def, index);
            in->body.strains = strains;
            b->swaps = in->def.materials;
        }
    if (!in->body.def)
        return sw_fail(error, SW_ERROR_VALUE, "expected a body from 0 to %d, found %d", nbody - 1,
                       index);
    return SW_EXTEND(&b->body, 1, &b->arena, error) != NULL;
}

static bool gather_points(swInspect *in, swError *error) {
    swBuilder *b = &in->builder;
    in->point = SW_NEW(&b->arena, b->sample_volume.count + 1, swVec3, error);
    in->volume = SW_NEW(&b->arena, b->sample_volume.count + 1, swReal, error);
    if (!in->point || !in->volume)
        return false;
    for (int i = 0; i < b->sample_volume.count; i++) {
        if (!(b->sample_volume.item[i] > 0)) // padding
            continue;
        in->point[in->npoint] = b->sample_point.item[i];
        in->volume[in->npoint++] = b->sample_volume.item[i];
    }
    for (int v = 0; v < in->body.grid.nvoxel; v++)
        in->nregion = sw_max_int(in->nregion, in->body.region[v] + 1);
    return true;
}

static bool create(swInspect *in, const swScene *scene, int body, swCorrection strains,
                   swInspectDepth depth, swError *error) {
    swBuilder *b = &in->builder;
    *in = (swInspect){.config = *sw_scene_config(scene)};
    in->config.log = NULL;
    b->scene = scene;
    b->config = &in->config;
    sw_arena_init(&b->arena, &in->config.allocator);
    b->pool = sw_pool_create(&in->config.allocator, in->config.threads);
    if (!sw_scene_check(scene, error) || !sw_build_materials(b, error) ||
        !find_body(in, body, strains, error) || !sw_build_volume(b, &in->body, error))
        return false;
    if (depth == SW_INSPECT_VOLUME)
        return true;
    if (!in->body.kind->weights)
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s: expected frames, whose weights, distances, regions and points can be "
                       "looked at, found %s",
                       in->body.key, in->body.kind->name);
    if (!sw_build_sites(b, &in->body, error))
        return false;
    if (depth == SW_INSPECT_WEIGHTS)
        return true;
    in->body.region = SW_NEW(&b->arena, in->body.grid.nvoxel, int, error);
    return in->body.region && sw_build_samples(b, &in->body, error) && gather_points(in, error);
}

bool sw_inspect_create(swInspect *in, const swScene *scene, int body, swInspectDepth depth,
                       swError *error) {
    if (create(in, scene, body, SW_STRAINS_OTHER, depth, error))
        return true;
    if (!in->body.again)
        return false;
    const swCorrection strains = in->body.strains;
    sw_inspect_free(in);
    sw_error_clear(error);
    return create(in, scene, body, strains, depth, error);
}

void sw_inspect_free(swInspect *in) {
    sw_pool_destroy(in->builder.pool);
    sw_arena_free(&in->builder.arena);
}

// ---- asking ----

const char *sw_inspect_site_name(const swInspect *in, int site, char number[16]) {
    const int handle = site - (in->body.nsite - in->body.nhandle);
    if (handle >= 0)
        return in->builder.text.item + in->builder.handle.item[handle].name;
    snprintf(number, 16, "%d", site);
    return number;
}

int sw_inspect_cell(const swInspect *in, swVec3 p) {
    for (int i = 0; i < in->body.nsolid; i++)
        if (sw_solid_inside(in->body.solid[i], p))
            return sw_lattice_find(&in->body.lattice, p, 1);
    return -1;
}

int sw_inspect_voxel(const swInspect *in, int cell, swVec3 p) {
    const swGrid *g = &in->body.grid;
    const int c = in->body.lattice.cell[cell];
    swReal least = INFINITY, nearest = INFINITY;
    int best = g->first[c];
    for (int v = g->first[c]; v < g->first[c + 1]; v++) {
        // Bounds tell flat borders along the axes exactly, centroids the others roughly.
        const swVec3 zero = {0, 0, 0}, below = sw_max3(zero, sw_sub(g->voxel[v].lo, p)),
                     above = sw_max3(zero, sw_sub(p, g->voxel[v].hi));
        const swReal out = sw_norm2(below) + sw_norm2(above),
                     d = sw_norm2(sw_sub(g->voxel[v].centroid, p));
        if (out < least || (out == least && d < nearest)) {
            least = out;
            nearest = d;
            best = v;
        }
    }
    return best;
}

swReal sw_inspect_young(const swInspect *in, int voxel) {
    return sw_build_young(&in->builder, &in->body.grid.voxel[voxel]);
}

void sw_inspect_weights(const swInspect *in, int n, const swVec3 *p, const int *cell, swReal *w,
                        swReal *dw) {
    const int nsite = in->body.nsite;
    sw_weights_evaluate(&in->body.weights, n, p, cell, w, dw);
    for (int i = 0; i < n; i++) {
        const int owner = in->body.grid.voxel[sw_inspect_voxel(in, cell[i], p[i])].owner;
        for (int s = 0; owner >= 0 && s < nsite; s++)
            w[(size_t)i * (size_t)nsite + (size_t)s] = s == owner;
    }
}

bool sw_inspect_distance(swInspect *in, const swReal **distance, swError *error) {
    const swLattice *l = &in->body.lattice;
    swArena *arena = &in->builder.arena;
    const swReal *cost;
    swMarch march;
    if (!sw_march_cost(l, in->body.def->frames.weights.distance, arena, &cost, error) ||
        !sw_march_create(&march, l, cost, arena, error))
        return false;
    for (int s = 0; s < in->body.nsite; s++)
        for (int k = 0; k < in->body.site[s].nnode; k++) {
            const int node = in->body.site[s].node[k];
            const swReal gap = in->body.site[s].gap ? in->body.site[s].gap[k] : 0;
            sw_march_start(&march, node, gap * (cost ? cost[l->around[l->start[node]] / 8] : 1), s,
                           0);
        }
    sw_march_run(&march);
    *distance = march.time;
    return true;
}
