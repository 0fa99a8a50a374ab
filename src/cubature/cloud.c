// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "cubature/cloud.h"

#include "math/sets.h"

#include <string.h>

enum { GRAIN = 256 };

// ---- points ----

// Whether two grid cells lie in the same cell of `width` voxels along each axis.
static bool same_cell(const swGrid *g, int width, int a, int b) {
    const int stride[3] = {1, g->n[0], g->n[0] * g->n[1]};
    for (int k = 0; k < 3; k++)
        if (a / stride[k] % g->n[k] / width != b / stride[k] % g->n[k] / width)
            return false;
    return true;
}

// Joins voxels of the same material in two grid cells.
static void join(const swGrid *g, int a, int b, int *parent) {
    for (int v = g->first[a]; v < g->first[a + 1]; v++)
        for (int w = g->first[b]; w < g->first[b + 1]; w++)
            if (g->voxel[v].material == g->voxel[w].material)
                sw_set_join(parent, v, w);
}

static void join_pieces(const swLattice *l, int width, int *parent) {
    const swGrid *g = l->grid;
    const int stride[3] = {1, g->n[0], g->n[0] * g->n[1]};
    for (int c = 0; c < l->ncell; c++) {
        const int at = l->cell[c];
        join(g, at, at, parent);
        for (int k = 0; k < 3; k++)
            if (g->open[at] & (1 << k) && at / stride[k] % g->n[k] + 1 < g->n[k] &&
                same_cell(g, width, at, at + stride[k]))
                join(g, at, at + stride[k], parent);
    }
}

static bool split_voxels(const swLattice *l, const swReal *density, swArena *arena, swGauss **gauss,
                         int *count, swError *error) {
    const swGrid *g = l->grid;
    if (!(*gauss = SW_NEW(arena, 8 * (size_t)g->nvoxel, swGauss, error)))
        return false;
    *count = 8 * g->nvoxel;
    for (int i = 0; i < *count; i++) {
        const swVoxel *v = &g->voxel[i / 8];
        const swVec3 off = {sqrt(v->second.x) * (i & 1 ? 1 : -1),
                            sqrt(v->second.y) * (i & 2 ? 1 : -1),
                            sqrt(v->second.z) * (i & 4 ? 1 : -1)};
        (*gauss)[i] = (swGauss){.p = sw_add(v->centroid, off),
                                .cell = l->index[v->cell],
                                .material = v->material,
                                .volume = v->volume / 8,
                                .mass = v->volume / 8 * density[v->material] * v->density,
                                .stiffness = v->stiffness};
    }
    return true;
}

bool sw_gauss_points(const swLattice *l, int width, const swReal *density, swArena *arena,
                     swGauss **gauss, int *count, swError *error) {
    const swGrid *g = l->grid;
    if (width == 0)
        return split_voxels(l, density, arena, gauss, count, error);
    int *parent = SW_NEW(arena, g->nvoxel, int, error), *of = SW_NEW(arena, g->nvoxel, int, error);
    swReal *nearest = SW_NEW(arena, g->nvoxel, swReal, error);
    *gauss = SW_NEW(arena, g->nvoxel, swGauss, error);
    *count = 0;
    if (!parent || !of || !nearest || !*gauss)
        return false;
    for (int v = 0; v < g->nvoxel; v++)
        parent[v] = v;
    join_pieces(l, width, parent);
    for (int v = 0; v < g->nvoxel; v++) {
        const swVoxel *voxel = &g->voxel[v];
        const int set = sw_set_find(parent, v); // the lowest voxel of its set, which comes first
        if (set == v)
            (*gauss)[of[v] = (*count)++].material = voxel->material;
        swGauss *p = &(*gauss)[of[v] = of[set]];
        p->volume += voxel->volume;
        p->mass += voxel->volume * density[voxel->material] * voxel->density;
        p->p = sw_madd(p->p, voxel->volume, voxel->centroid);
        p->stiffness += voxel->volume / voxel->stiffness;
    }
    for (int i = 0; i < *count; i++) {
        swGauss *p = &(*gauss)[i];
        p->p = sw_scale(1 / p->volume, p->p);
        p->stiffness = p->volume / p->stiffness;
        nearest[i] = INFINITY;
    }
    for (int v = 0; v < g->nvoxel; v++) {
        const swReal far = sw_norm2(sw_sub(g->voxel[v].centroid, (*gauss)[of[v]].p));
        if (far >= nearest[of[v]])
            continue;
        nearest[of[v]] = far;
        (*gauss)[of[v]].cell = l->index[g->voxel[v].cell];
    }
    return true;
}

// ---- shape functions ----

typedef struct {
    const swGauss *gauss;
    swMlsSearch *search; // one per worker
    swCloud *out;
} swCloudJob;

static void count_shapes(int start, int end, int worker, void *arg) {
    const swCloudJob *job = arg;
    swMlsShape shape;
    for (int i = start; i < end; i++) {
        const swGauss *g = &job->gauss[i];
        const bool any = sw_mls_shape(&job->search[worker], g->p, g->cell, false, &shape);
        job->out->start[i + 1] = any ? shape.n : 0;
    }
}

static void fill_shapes(int start, int end, int worker, void *arg) {
    const swCloudJob *job = arg;
    swMlsShape shape;
    for (int i = start; i < end; i++) {
        const int first = job->out->start[i];
        sw_mls_shape(&job->search[worker], job->gauss[i].p, job->gauss[i].cell, true, &shape);
        for (int a = 0; a < shape.n; a++) {
            swReal *to = job->out->shape + 4 * (int64_t)(first + a);
            job->out->node[first + a] = shape.node[a];
            to[0] = shape.phi[a];
            memcpy(to + 1, shape.gradient[a], sizeof shape.gradient[a]);
        }
    }
}

bool sw_cloud_create(const swMls *mls, int n, const swGauss *gauss, swPool *pool, swArena *arena,
                     swCloud *cloud, swError *error) {
    const int workers = sw_pool_size(pool);
    swCloudJob job = {gauss, SW_NEW(arena, workers, swMlsSearch, error), cloud};
    cloud->start = SW_NEW(arena, n + 1, int, error);
    if (!job.search || !cloud->start)
        return false;
    for (int i = 0; i < workers; i++)
        if (!sw_mls_search_create(&job.search[i], mls, arena, error))
            return false;
    sw_parallel_for(pool, n, GRAIN, count_shapes, &job);
    for (int i = 0; i < n; i++) {
        if (cloud->start[i + 1] == 0)
            return sw_fail(error, SW_ERROR_GEOMETRY,
                           "no node is close enough to (%.4g, %.4g, %.4g): use more nodes",
                           gauss[i].p.x, gauss[i].p.y, gauss[i].p.z);
        if (cloud->start[i] > INT32_MAX / 8 - cloud->start[i + 1])
            return sw_fail(error, SW_ERROR_LIMIT, "too many Gauss points for one array");
        cloud->start[i + 1] += cloud->start[i];
    }
    cloud->node = SW_NEW(arena, cloud->start[n], int, error);
    cloud->shape = SW_NEW(arena, 4 * (size_t)cloud->start[n], swReal, error);
    if (!cloud->node || !cloud->shape)
        return false;
    sw_parallel_for(pool, n, GRAIN, fill_shapes, &job);
    return true;
}
