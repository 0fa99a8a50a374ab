// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Voronoi weights (Faure, Gilles, Bousquet and Pai 2011): each frame has the part of the material
// that is nearer to it than to any other. Its kernel is 1 at the frame, 1/2 on the border of its
// part, 1/4 half-way from there to the other frames, and so on: an isosurface of value 2^-k is as
// far from the one before it as from the nearest other frame. Between two of them the kernel is
// linear in the distances to both; beyond the last one it goes on with the slope of the interval
// before, down to zero. Kernels are divided by their sum. Where distances are compliances, the
// weights of a bar under tension are its exact displacements.
//
// Distances are those of volume/march.h between nodes of the lattice; isosurfaces cross its edges.
#include "weights/nodal.h"

typedef struct {
    swNodal nodal;
} swVoronoi;

// What all frames share.
typedef struct {
    const swWeightField *field;
    const swReal *cost;
    const swReal *own;     // per node: distance to the nearest frame
    const swReal *border;  // to the border of its part
    const swReal *second;  // to the nearest frame but that one; near borders alone
    const int *label;      // the nearest frame
    int *start, *cell;     // per frame: the cells that its border crosses
    int *first, *node;     // per frame: the nodes of its part
    struct swLocal *local; // per worker
    swNodalList *value;    // per frame
} swParts;

// What a worker needs for one frame at a time.
typedef struct swLocal {
    swArena arena;
    swMarch march[2]; // from the isosurface before, and from this one
    swReal *carry[2];
    swReal (*gap)[3]; // per node: distance to the isosurface along each axis
    swReal *bring;    // per node near it: what the front carries
    int *near, nnear; // nodes whose gap is set
    int *zone;        // per node: 1 + the frame whose kernel is known there
    swError error;
    bool failed;
} swLocal;

static swReal edge_of(const swParts *p, int cell) {
    return sw_march_edge(p->field->lattice, p->cost, cell);
}

// ---- distances to a surface that crosses edges of the lattice ----

// Node `node` has the surface at `distance` along `axis`.
static void note_gap(swLocal *t, int node, int axis, swReal distance, swReal bring) {
    swReal *gap = t->gap[node];
    if (isinf(gap[0]) && isinf(gap[1]) && isinf(gap[2]))
        t->near[t->nnear++] = node;
    if (distance < sw_min(gap[0], sw_min(gap[1], gap[2])))
        t->bring[node] = bring;
    gap[axis] = sw_min(gap[axis], distance);
}

// Starts fronts at the nodes noted: a plane whose distances along the axes are g is at
// 1 / sqrt(sum 1 / g^2).
static void start_at_gaps(swLocal *t, swMarch *m, int label) {
    for (int i = 0; i < t->nnear; i++) {
        swReal *gap = t->gap[t->near[i]], sum = 0;
        const swReal least = sw_min(gap[0], sw_min(gap[1], gap[2]));
        for (int k = 0; k < 3; k++) {
            sum += least > 0 ? (least / gap[k]) * (least / gap[k]) : 1;
            gap[k] = INFINITY;
        }
        sw_march_start(m, t->near[i], least / sqrt(sum), label, t->bring[t->near[i]]);
    }
    t->nnear = 0;
}

// ---- parts ----

// By how much another frame is farther than the own one.
static swReal lead(const swParts *p, int node) { return sw_max(0, p->second[node] - p->own[node]); }

// Notes where the border crosses the edges of a cell, for the nodes outside the part of frame s;
// for all nodes where s is -1.
static void note_border(const swParts *p, swLocal *t, int c, int s) {
    const swLattice *l = p->field->lattice;
    const int *corner = l->corner + 8 * (ptrdiff_t)c;
    for (int k = 0; k < 8; k++)
        for (int axis = 0; axis < 3; axis++) {
            const int a = corner[k], b = corner[k ^ 1 << axis];
            if (p->label[a] == p->label[b] || (s >= 0 && p->label[b] != s))
                continue;
            const swReal f = lead(p, a), g = lead(p, b), edge = edge_of(p, c);
            const swReal share = f + g > 0 && isfinite(f + g) ? f / (f + g) : 0.5;
            note_gap(t, a, axis, share * edge, p->own[b] + (1 - share) * edge);
        }
}

// ---- one frame ----

static bool add_value(swParts *p, int s, int node, swReal value, swLocal *t) {
    return !(value > 0) || sw_nodal_push(&p->value[s], node, s, value, &t->arena, &t->error);
}

// Inside the isosurface that follows the march m: as far from the surface it started at as from the
// nearest frame.
static bool is_inside(const swParts *p, const swMarch *m, int node) {
    return m->time[node] <= p->own[node];
}

// Notes where the next isosurface crosses the edges around `node`, which is beyond it.
static void note_isosurface(const swParts *p, swLocal *t, const swMarch *m, int s, int node) {
    const swLattice *l = p->field->lattice;
    for (int e = l->start[node]; e < l->start[node + 1]; e++) {
        const int slot = l->around[e];
        for (int axis = 0; axis < 3; axis++) {
            const int other = l->corner[slot ^ 1 << axis];
            const bool within = t->zone[other] == s + 1;
            if (other == node || !within)
                continue;
            // Nodes within the surface before have no time of their own.
            const swReal before = isinf(m->time[other]) ? 0 : m->time[other];
            const swReal f = m->time[node] - p->own[node], g = sw_max(0, p->own[other] - before),
                         edge = edge_of(p, slot / 8);
            const swReal share = f + g > 0 ? f / (f + g) : 0.5;
            note_gap(t, node, axis, share * edge, before + (1 - share) * (m->time[node] - before));
        }
    }
}

// The kernel outside the frame's own part, isosurface by isosurface.
static bool spread_kernel(swParts *p, int s, swLocal *t) {
    const int levels = p->field->def->levels;
    swReal value = 0.5;
    for (int i = p->first[s]; i < p->first[s + 1]; i++) {
        const int node = p->node[i];
        const swReal own = p->own[node], border = p->border[node];
        t->zone[node] = s + 1;
        if (!add_value(p, s, node, own == 0 || isinf(border) ? 1 : 1 - 0.5 * own / (own + border),
                       t))
            return false;
    }
    for (int i = p->start[s]; i < p->start[s + 1]; i++)
        note_border(p, t, p->cell[i], s);
    for (int level = 1;; level++, value /= 2) {
        swMarch *m = &t->march[level % 2];
        const bool last = level == levels;
        sw_march_clear(m);
        m->carry = t->carry[level % 2];
        m->limit = last ? m->carry : p->own;
        m->wall = t->zone;
        m->stamp = s + 1;
        start_at_gaps(t, m, s);
        sw_march_run(m);
        if (sw_pool_stopped(m->lattice->pool))
            return sw_fail_stopped(&t->error);
        if (last) { // on with the slope of the interval before
            for (int i = 0; i < m->nreached; i++) {
                const int node = m->reached[i];
                const swReal share = 1 - m->time[node] / m->carry[node];
                if (p->own[node] > 0 && !add_value(p, s, node, value * share, t))
                    return false;
            }
            return true;
        }
        for (int i = 0; i < m->nreached; i++) {
            const int node = m->reached[i];
            if (!is_inside(p, m, node))
                continue;
            const swReal both = m->time[node] + p->own[node];
            t->zone[node] = s + 1;
            if (both > 0 && !add_value(p, s, node, value * p->own[node] / both, t))
                return false;
        }
        for (int i = 0; i < m->nreached; i++)
            if (t->zone[m->reached[i]] != s + 1)
                note_isosurface(p, t, m, s, m->reached[i]);
    }
}

static void make_kernels(int start, int end, int worker, void *arg) {
    swParts *p = arg;
    swLocal *t = &p->local[worker];
    for (int s = start; s < end && !t->failed; s++)
        t->failed = !spread_kernel(p, s, t);
}

// ---- all frames ----

// The nearest frame of every node; material that no frame reaches follows the one nearest through
// the air.
static bool find_parts(swParts *p, swMarch *m, swError *error) {
    const swWeightField *f = p->field;
    const swLattice *l = f->lattice;
    if (!sw_weights_start(f, m, error))
        return false;
    sw_march_run(m);
    for (int i = 0; i < l->n && !sw_pool_stopped(l->pool); i++) {
        if (!isinf(m->time[i]))
            continue;
        int nearest = 0;
        for (int s = 1; s < f->nsite; s++)
            if (sw_norm2(sw_sub(f->site[s].origin, l->X[i])) <
                sw_norm2(sw_sub(f->site[nearest].origin, l->X[i])))
                nearest = s;
        sw_march_start(m, i, 0, nearest, 0);
        sw_march_run(m);
    }
    return !sw_pool_stopped(l->pool) || sw_fail_stopped(error);
}

// Per frame, its nodes and the cells that its border crosses.
static bool list_parts(swParts *p, swArena *arena, swError *error) {
    const swLattice *l = p->field->lattice;
    const int n = p->field->nsite;
    p->first = SW_NEW(arena, n + 2, int, error);
    p->node = SW_NEW(arena, l->n, int, error);
    p->start = SW_NEW(arena, n + 2, int, error);
    if (!p->first || !p->node || !p->start)
        return false;
    for (int i = 0; i < l->n; i++)
        p->first[p->label[i] + 2]++;
    for (int s = 0; s < n; s++)
        p->first[s + 1] += p->first[s];
    for (int i = 0; i < l->n; i++)
        p->node[p->first[p->label[i] + 1]++] = i;
    for (int pass = 0; pass < 2; pass++) { // counted, then listed
        for (int c = 0; c < l->ncell; c++) {
            const int *corner = l->corner + 8 * (ptrdiff_t)c;
            int other = 0;
            for (int k = 1; k < 8; k++)
                other += p->label[corner[k]] != p->label[corner[0]];
            for (int k = 0; other && k < 8; k++) {
                const int s = p->label[corner[k]];
                bool known = false;
                for (int a = 0; a < k; a++)
                    known |= p->label[corner[a]] == s;
                if (known)
                    continue;
                if (pass == 0)
                    p->start[s + 2]++;
                else
                    p->cell[p->start[s + 1]++] = c;
            }
        }
        for (int s = 0; pass == 0 && s < n; s++)
            p->start[s + 2] += p->start[s + 1];
        if (pass == 0 && !(p->cell = SW_NEW(arena, p->start[n + 1], int, error)))
            return false;
    }
    return true;
}

static bool create_local(swLocal *t, const swParts *p, const swAllocator *allocator, swArena *arena,
                         swError *error) {
    const swLattice *l = p->field->lattice;
    sw_arena_init(&t->arena, allocator);
    for (int i = 0; i < 2; i++)
        if (!sw_march_create(&t->march[i], l, p->cost, arena, error) ||
            !(t->carry[i] = SW_NEW(arena, l->n, swReal, error)))
            return false;
    t->gap = sw_arena_alloc(arena, (size_t)l->n, sizeof *t->gap, error);
    t->bring = SW_NEW(arena, l->n, swReal, error);
    t->near = SW_NEW(arena, l->n, int, error);
    t->zone = SW_NEW(arena, l->n, int, error);
    if (!t->gap || !t->bring || !t->near || !t->zone)
        return false;
    for (int i = 0; i < l->n; i++)
        t->gap[i][0] = t->gap[i][1] = t->gap[i][2] = INFINITY;
    return true;
}

// Distances that all frames share: own, second and border.
static bool measure_parts(swParts *p, swLocal *t, swArena *arena, swError *error) {
    const swLattice *l = p->field->lattice;
    swMarch own, second, border;
    int *label = SW_NEW(arena, l->n, int, error);
    swReal *limit = SW_NEW(arena, l->n, swReal, error);
    if (!label || !limit || !sw_march_create(&own, l, p->cost, arena, error) ||
        !sw_march_create(&second, l, p->cost, arena, error) ||
        !sw_march_create(&border, l, p->cost, arena, error))
        return false;
    own.label = label;
    if (!find_parts(p, &own, error))
        return false;
    for (int i = 0; i < l->n; i++)
        limit[i] = own.time[i] + 2 * l->grid->h; // only near borders
    second.label = label;
    second.first = own.time;
    second.limit = limit;
    sw_march_start_second(&second);
    sw_march_run(&second);
    if (sw_pool_stopped(l->pool))
        return sw_fail_stopped(error);
    p->own = own.time;
    p->second = second.time;
    p->label = label;
    if (!list_parts(p, arena, error))
        return false;
    for (int i = 0; i < p->start[p->field->nsite]; i++)
        note_border(p, t, p->cell[i], -1);
    start_at_gaps(t, &border, 0);
    sw_march_run(&border);
    p->border = border.time;
    return true;
}

static bool gather_values(swParts *p, swVoronoi *voronoi, swArena *scratch, swArena *arena,
                          swError *error) {
    const int n = p->field->nsite;
    size_t total = 0;
    for (int s = 0; s < n; s++)
        total += (size_t)p->value[s].count;
    if (total > INT32_MAX / 2)
        return sw_fail(error, SW_ERROR_LIMIT, "%zu weights are too many: take larger voxels",
                       total);
    swNodalValue *list = SW_NEW(scratch, total, swNodalValue, error);
    for (int s = 0, at = 0; list && s < n; at += p->value[s++].count)
        for (int i = 0; i < p->value[s].count; i++)
            list[at + i] = p->value[s].item[i];
    return list &&
           sw_nodal_create(p->field->lattice, (int)total, list, arena, &voronoi->nodal, error);
}

static bool prepare(swWeightField *f, swPool *pool, swArena *arena, swError *error) {
    swVoronoi *voronoi = SW_NEW(arena, 1, swVoronoi, error);
    const int nworker = sw_pool_size(pool);
    swLockedAllocator locked;
    swArena scratch;
    if (f->def->distance == SW_DISTANCE_EUCLIDEAN)
        return sw_fail(
            error, SW_ERROR_VALUE,
            "voronoi weights: expected the distance \"compliance\" or \"geodesic\", found "
            "\"euclidean\"");
    sw_arena_init(&scratch, &arena->allocator);
    const swAllocator *allocator = sw_locked_init(&locked, &arena->allocator);
    swParts p = {.field = f,
                 .local = SW_NEW(&scratch, nworker, swLocal, error),
                 .value = SW_NEW(&scratch, f->nsite, swNodalList, error)};
    bool ok = voronoi && p.local && p.value &&
              sw_march_cost(f->lattice, f->def->distance, &scratch, &p.cost, error);
    for (int i = 0; ok && i < nworker; i++)
        ok = create_local(&p.local[i], &p, allocator, &scratch, error);
    ok = ok && measure_parts(&p, &p.local[0], &scratch, error);
    ok = ok && (sw_parallel_try(pool, f->nsite, 1, make_kernels, &p) || sw_fail_stopped(error));
    for (int i = 0; i < nworker && ok; i++)
        if (p.local[i].failed) {
            ok = false;
            if (error)
                *error = p.local[i].error;
        }
    ok = ok && gather_values(&p, voronoi, &scratch, arena, error);
    for (int i = 0; p.local && i < nworker; i++)
        sw_arena_free(&p.local[i].arena);
    sw_arena_free(&scratch);
    sw_locked_free(&locked);
    f->data = voronoi;
    return ok;
}

const swWeightKind sw_weights_voronoi = {
    .name = "voronoi",
    .doc = "from distances to the surrounding frames through the material; each frame moves only "
           "its neighbourhood",
    .prepare = prepare,
    .evaluate = sw_nodal_evaluate,
};
