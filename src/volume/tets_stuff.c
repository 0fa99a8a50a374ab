// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Points are the corners of cubic cells, called red, and their middles, called black. Each
// tetrahedron of this lattice has an edge between two red neighbours and one between two black
// ones, which are long, and four short ones between red and black. The surface cuts edges with one
// end inside; a point too near to a cut moves there, and what is left inside each tetrahedron is
// cut into at most three.
#include "volume/tets_stuff.h"

#include "volume/tets_lattice.h"

// ---- what is inside ----

// What one thread works with.
typedef struct Worker {
    swArena arena;
    swSpanList span;
    bool failed;
    swError error;
} Worker;

typedef struct Job {
    swStuffLattice lattice;
    int npaint;
    const swPaint *paint;
    Worker *worker;
    swTetMesh *mesh;
    const int *deep; // per tetrahedron: a vertex of it inside the solid
} Job;

// The spans of a solid along (x, y, z), NULL without memory.
static const swSpanList *spans_of(const swPaint *paint, swReal y, swReal z, Worker *w) {
    w->span.count = 0;
    const bool ok = sw_solid_spans(paint->solid, y, z, &w->span, &w->arena, &w->error);
    w->failed = w->failed || !ok;
    return ok ? &w->span : NULL;
}

// Rows of points along x: first the red ones, then the black ones.
static void mark_rows(int start, int end, int worker, void *arg) {
    Job *job = arg;
    swStuffLattice *l = &job->lattice;
    Worker *w = &job->worker[worker];
    const int nrow = l->n[1] * l->n[2];
    for (int row = start; row < end && !w->failed; row++) {
        const int first = row % nrow * l->n[0] + (row < nrow ? 0 : l->npoint);
        const swVec3 p = sw_stuff_place(l, first);
        for (int s = 0; s < job->npaint; s++) {
            const swSpanList *list = spans_of(&job->paint[s], p.y, p.z, w);
            for (int i = 0; list && i < list->count; i++) {
                const swReal lo = ceil((list->item[i].lo - p.x) / l->h),
                             hi = floor((list->item[i].hi - p.x) / l->h);
                // The margin is outside, whatever rounding says.
                const int from = (int)sw_max(lo, SW_STUFF_MARGIN),
                          to = (int)sw_min(hi, l->n[0] - 1 - SW_STUFF_MARGIN);
                for (int k = from; k <= to; k++)
                    l->sign[first + k] = 1;
            }
        }
    }
}

// Distance to the border of the union, negative inside.
static swReal distance(const Job *job, swVec3 p) {
    swReal least = INFINITY;
    for (int s = 0; s < job->npaint; s++)
        least = sw_min(least, sw_solid_distance(job->paint[s].solid, p));
    return least;
}

// Where the surface cuts the way from a, inside, to b, outside: by false position (Illinois), which
// is bisection where the size of the distance says nothing.
static swReal find_cut(const Job *job, swVec3 a, swVec3 b) {
    const swReal near = 1e-6 * job->lattice.h;
    swReal t0 = 0, t1 = 1, f0 = -fabs(distance(job, a)), f1 = fabs(distance(job, b));
    for (int round = 0, side = 0; round < 60 && t1 - t0 > 1e-6; round++) {
        const swReal t = f1 > f0 ? t0 + (t1 - t0) * f0 / (f0 - f1) : 0.5 * (t0 + t1);
        const swReal f = distance(job, sw_lerp(a, b, t));
        if (fabs(f) <= near)
            return t;
        if (f < 0) {
            t0 = t;
            f0 = f;
            f1 *= side == -1 ? 0.5 : 1;
            side = -1;
        } else {
            t1 = t;
            f1 = f;
            f0 *= side == 1 ? 0.5 : 1;
            side = 1;
        }
    }
    return 0.5 * (t0 + t1);
}

static void place_cuts(int start, int end, int worker, void *arg) {
    Job *job = arg;
    swStuffLattice *l = &job->lattice;
    (void)worker;
    for (int i = start; i < end; i++) {
        int a, b;
        sw_stuff_ends(l, l->cut[i].cell, l->cut[i].kind, &a, &b);
        const swVec3 p = sw_stuff_place(l, a), q = sw_stuff_place(l, b);
        l->cut[i].t = l->sign[a] > 0 ? find_cut(job, p, q) : 1 - find_cut(job, q, p);
    }
}

// ---- materials ----

// The entry of a volume's palette at p, or 0 outside.
static int entry_at(const swPaint *paint, swVec3 p, Worker *w) {
    const swSpanList *list = spans_of(paint, p.y, p.z, w);
    for (int i = 0; list && i < list->count; i++)
        if (p.x >= list->item[i].lo && p.x <= list->item[i].hi)
            return list->item[i].entry;
    return 0;
}

// The material at p, or -1 where there is none.
static int material_at(const Job *job, swVec3 p, Worker *w) {
    for (int s = job->npaint - 1; s >= 0; s--) {
        const swPaint *paint = &job->paint[s];
        if (!paint->palette && sw_solid_inside(paint->solid, p))
            return paint->material;
        const int entry = paint->palette ? entry_at(paint, p, w) : 0;
        if (entry > 0)
            return paint->palette[entry].material;
    }
    return -1;
}

static void find_materials(int start, int end, int worker, void *arg) {
    Job *job = arg;
    swTetMesh *mesh = job->mesh;
    Worker *w = &job->worker[worker];
    for (int t = start; t < end && !w->failed; t++) {
        const int *v = &mesh->vertex[4 * (size_t)t];
        const swVec3 middle = sw_scale(0.25, sw_add(sw_add(mesh->X[v[0]], mesh->X[v[1]]),
                                                    sw_add(mesh->X[v[2]], mesh->X[v[3]])));
        int m = material_at(job, middle, w);
        if (m < 0) // where the solid is hollow
            m = material_at(job, mesh->X[job->deep[t]], w);
        mesh->material[t] = m < 0 ? job->paint[job->npaint - 1].material : m;
    }
}

// ---- all of it ----

static bool workers_fine(const Job *job, int n, swError *error) {
    for (int i = 0; i < n; i++)
        if (job->worker[i].failed) {
            if (error)
                *error = job->worker[i].error;
            return false;
        }
    return true;
}

static bool stuff(Job *job, const char *key, swPool *pool, int nworker, swArena *scratch,
                  swArena *arena, swError *error) {
    swStuffLattice *l = &job->lattice;
    sw_parallel_for(pool, 2 * l->n[1] * l->n[2], 16, mark_rows, job);
    if (!workers_fine(job, nworker, error) || !sw_stuff_find_cuts(l, scratch, error))
        return false;
    sw_parallel_for(pool, l->ncut, 64, place_cuts, job);
    sw_stuff_warp(l);
    int *deep;
    if (!sw_stuff_tets(l, arena, scratch, job->mesh, &deep, error))
        return false;
    if (job->mesh->ntet == 0)
        return sw_fail(error, SW_ERROR_GEOMETRY,
                       "%s: nothing is as thick as the tetrahedra: %g m is too coarse", key, l->h);
    if (!(job->mesh->material = SW_NEW(arena, job->mesh->ntet, int, error)))
        return false;
    job->deep = deep;
    sw_parallel_for(pool, job->mesh->ntet, 256, find_materials, job);
    return workers_fine(job, nworker, error) && sw_tets_separate(job->mesh, arena, error);
}

bool sw_tets_stuff(int npaint, const swPaint *paint, swReal h, const char *key, swPool *pool,
                   swArena *arena, swTetMesh *out, swError *error) {
    swGrid grid;
    if (!sw_grid_place(npaint, paint, h, SW_STUFF_MAX_CELLS, key, &grid, error))
        return false;
    const int nworker = sw_pool_size(pool);
    swLockedAllocator locked;
    const swAllocator *shared = sw_locked_init(&locked, &arena->allocator);
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    Job job = {.npaint = npaint, .paint = paint, .mesh = out};
    job.worker = SW_NEW(&scratch, nworker, Worker, error);
    for (int i = 0; job.worker && i < nworker; i++)
        sw_arena_init(&job.worker[i].arena, shared);
    const bool ok = job.worker && sw_stuff_lattice(&grid, &scratch, &job.lattice, error) &&
                    stuff(&job, key, pool, nworker, &scratch, arena, error);
    for (int i = 0; job.worker && i < nworker; i++)
        sw_arena_free(&job.worker[i].arena);
    sw_arena_free(&scratch);
    sw_locked_free(&locked);
    return ok;
}
