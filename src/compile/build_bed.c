// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What a body keeps for frames that are inserted while it moves: see kinematics/bed.h.
#include "compile/build.h"

#include <string.h>

enum { BATCH = 64 };

static swReal diagonal(const swGrid *g) { return sw_norm(sw_sub(g->hi, g->lo)); }

swReal sw_build_range(const swBodyBuild *body) {
    const swReal range = body->def->frames.adapt.range;
    const swGrid *g = &body->grid;
    return isnan(range) ? sw_min(sw_max(0.25 * cbrt(g->volume), 4 * g->h), diagonal(g)) : range;
}

// Copies n items to the end of a list.
#define APPEND(list, n, from) \
    append(SW_EXTEND(list, n, &b->arena, error), from, (size_t)(n) * sizeof *(list)->item)
static bool append(void *to, const void *from, size_t bytes) {
    if (to && bytes > 0)
        memcpy(to, from, bytes);
    return to != NULL;
}

// Weights at the nodes of the lattice, those that are not zero.
static bool add_weights(swBuilder *b, const swBodyBuild *body, swError *error) {
    const swLattice *l = &body->lattice;
    const int nsite = body->nsite, first = b->bed_site.count;
    int *start = SW_EXTEND(&b->bed_weight_start, l->n + 1, &b->arena, error), cell[BATCH];
    swReal *w = SW_NEW(&b->arena, BATCH * nsite, swReal, error),
           *dw = SW_NEW(&b->arena, 3 * BATCH * nsite, swReal, error);
    if (!start || !w || !dw)
        return false;
    for (int node = 0; node < l->n; node++) {
        const int i = node % BATCH, count = sw_min_int(BATCH, l->n - node);
        for (int k = 0; i == 0 && k < count; k++)
            cell[k] = l->around[l->start[node + k]] / 8;
        if (i == 0)
            sw_weights_evaluate(&body->weights, count, l->X + node, cell, w, dw);
        for (int s = 0; s < nsite; s++) {
            if (w[i * nsite + s] == 0)
                continue;
            int *site = SW_EXTEND(&b->bed_site, 1, &b->arena, error);
            swReal *weight = site ? SW_EXTEND(&b->bed_weight, 1, &b->arena, error) : NULL;
            if (!weight)
                return false;
            *site = s;
            *weight = w[i * nsite + s];
        }
        start[node + 1] = b->bed_site.count - first;
    }
    return true;
}

static bool add_voxels(swBuilder *b, const swBodyBuild *body, swError *error) {
    const swGrid *g = &body->grid;
    swBedVoxel *to = SW_EXTEND(&b->bed_voxel, g->nvoxel, &b->arena, error);
    for (int i = 0; to && i < g->nvoxel; i++) {
        const swVoxel *v = &g->voxel[i];
        to[i] = (swBedVoxel){.p = v->centroid,
                             .second = v->second,
                             .mass = sw_voxel_mass(b, v),
                             .cell = body->lattice.index[v->cell]};
    }
    return to != NULL;
}

bool sw_build_bed(swBuilder *b, swBodyBuild *body, swError *error) {
    const swAdapt *adapt = &body->def->frames.adapt;
    const swLattice *l = &body->lattice;
    const swGrid *g = &body->grid;
    if (adapt->budget == 0 && !body->def->cuts)
        return true;
    const swReal range = sw_build_range(body), most = diagonal(g);
    if (adapt->budget > 0 && (range < 2 * g->h || range > most))
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s.frames.adapt.range: expected from two voxels, %.4g m, to the body's "
                       "diagonal, %.4g m, found %.4g m",
                       body->key, 2 * g->h, most, range);
    swBed bed = {.body = body->index,
                 .budget = adapt->budget,
                 .distance = (int)adapt->distance,
                 .contact = adapt->budget > 0 && adapt->contact,
                 .range = range,
                 .strain = adapt->budget > 0 ? adapt->strain : NAN,
                 .origin = g->origin,
                 .h = g->h,
                 .n = {g->n[0], g->n[1], g->n[2]},
                 .ncell = l->ncell,
                 .ndistinct = l->ndistinct,
                 .nnode = l->n,
                 .index = b->bed_index.count,
                 .cell = b->bed_cell.count,
                 .node = b->bed_X.count,
                 .around = b->bed_around.count,
                 .weight = b->bed_site.count,
                 .voxel = b->bed_voxel.count,
                 .nvoxel = g->nvoxel,
                 .load = b->bed_load.count,
                 .nload = body->dead.count};
    memcpy(bed.distinct, l->distinct, sizeof bed.distinct);
    return APPEND(&b->bed, 1, &bed) &&
           APPEND(&b->bed_index, g->n[0] * g->n[1] * g->n[2], l->index) &&
           APPEND(&b->bed_cell, l->ncell, l->cell) &&
           APPEND(&b->bed_corner, 8 * l->ncell, l->corner) && APPEND(&b->bed_X, l->n, l->X) &&
           APPEND(&b->bed_start, l->n + 1, l->start) &&
           APPEND(&b->bed_around, l->start[l->n], l->around) && add_weights(b, body, error) &&
           add_voxels(b, body, error) && APPEND(&b->bed_load, body->dead.count, body->dead.item);
}
