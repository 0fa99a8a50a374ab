// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "frames/place.h"

#include <string.h>

enum { LLOYD_ROUNDS = 20 };
#define BEYOND 1.5
#define MOVED 0.1 // of the way to the next frame: frames that move less are at rest

typedef struct {
    const swLattice *lattice;
    const swPlacement *def;
    swMarch march; // labels: the fixed sources, then the placed ones
    int count;     // placed
    swVec3 *at;
    swVec3 *sum; // per source: first moment of its part
    swReal *volume;
    int *nearest;      // per source: the node of its part nearest to the part's centroid
    swReal *amount;    // per node: volume of material, counted by its cost
    swVec3 center;     // of all of it
    int block, nblock; // nodes are looked through in blocks
    swReal *latest;    // of each block: no time is later
} swPlacing;

int sw_frame_nodes(const swLattice *l, int cell, swVec3 p, int node[8]) {
    swReal N[8];
    int count = 0;
    sw_lattice_shape(l, cell, sw_lattice_clamp(l, cell, p), N, NULL);
    for (int k = 0; k < 8; k++) {
        bool known = fabs(N[k]) < 1e-9;
        for (int i = 0; i < count; i++)
            known |= node[i] == l->corner[8 * cell + k];
        if (!known)
            node[count++] = l->corner[8 * cell + k];
    }
    return count;
}

// To the lattice of half cells.
static swVec3 snap(const swGrid *g, swVec3 p) {
    for (int k = 0; k < 3; k++) {
        const swReal half = 0.5 * g->h, from = sw_get(g->origin, k);
        sw_set(&p, k,
               g->n[k] == 1 ? from + half : from + half * nearbyint((sw_get(p, k) - from) / half));
    }
    return p;
}

// The cell of p in which it is nearest to lying inside: p may be on the border between cells.
static int cell_of(const swLattice *l, swVec3 p) { return sw_lattice_find(l, p, 1); }

static void start(swPlacing *p, int frame) {
    int node[8];
    const int n = sw_frame_nodes(p->lattice, cell_of(p->lattice, p->at[frame]), p->at[frame], node);
    for (int k = 0; k < n; k++)
        sw_march_start(&p->march, node[k], 0, p->def->nfixed + frame, 0);
}

static void start_fixed(swPlacing *p) {
    for (int s = 0; s < p->def->nfixed; s++)
        for (int k = 0; k < p->def->fixed[s].nnode; k++)
            sw_march_start(&p->march, p->def->fixed[s].node[k], 0, s, 0);
}

// Soft material counts for more: there frames are needed.
static void weigh_nodes(swPlacing *p) {
    const swLattice *l = p->lattice;
    for (int c = 0; c < l->ncell; c++) {
        swReal volume = 0;
        for (int v = l->grid->first[l->cell[c]]; v < l->grid->first[l->cell[c] + 1]; v++)
            volume += l->grid->voxel[v].volume;
        for (int k = 0; k < 8; k++)
            p->amount[l->corner[8 * c + k]] += volume / 8 * (p->def->cost ? p->def->cost[c] : 1);
    }
    swReal total = 0;
    for (int i = 0; i < l->n; i++) {
        p->center = sw_madd(p->center, p->amount[i], l->X[i]);
        total += p->amount[i];
    }
    p->center = sw_scale(1 / total, p->center);
}

static void measure_parts(swPlacing *p) {
    const swLattice *l = p->lattice;
    const int n = p->def->nfixed + p->count, *label = p->march.label;
    memset(p->sum, 0, (size_t)n * sizeof *p->sum);
    memset(p->volume, 0, (size_t)n * sizeof *p->volume);
    for (int i = 0; i < l->n; i++)
        if (label[i] >= 0) {
            p->sum[label[i]] = sw_madd(p->sum[label[i]], p->amount[i], l->X[i]);
            p->volume[label[i]] += p->amount[i];
        }
    for (int s = 0; s < n; s++) {
        p->nearest[s] = -1;
        if (p->volume[s] > 0)
            p->sum[s] = sw_scale(1 / p->volume[s], p->sum[s]);
    }
    for (int i = 0; i < l->n; i++) {
        const int s = label[i];
        if (s >= 0 && (p->nearest[s] < 0 || sw_norm2(sw_sub(l->X[i], p->sum[s])) <
                                                sw_norm2(sw_sub(l->X[p->nearest[s]], p->sum[s]))))
            p->nearest[s] = i;
    }
}

// Whether a frame at p would be in part s.
static bool is_in_part(const swPlacing *p, swVec3 at, int s) {
    const swLattice *l = p->lattice;
    const int cell = l->index[sw_grid_cell(l->grid, at)];
    int node[8];
    const int n = cell < 0 ? 0 : sw_frame_nodes(l, cell, at, node);
    for (int k = 0; k < n; k++)
        if (p->march.label[node[k]] != s)
            return false;
    return n > 0;
}

// Towards the part's centroid and beyond, which takes fewer rounds, or there, where that is in the
// part's material; else the lattice node nearest to it.
static swVec3 settle(const swPlacing *p, int frame) {
    const int s = p->def->nfixed + frame;
    const swGrid *g = p->lattice->grid;
    const swVec3 beyond = snap(g, sw_lerp(p->at[frame], p->sum[s], BEYOND)),
                 there = snap(g, p->sum[s]);
    return is_in_part(p, beyond, s)  ? beyond
           : is_in_part(p, there, s) ? there
                                     : p->lattice->X[p->nearest[s]];
}

// The node nearest to the centre: the first frame, where there is no other source.
static int central_node(const swPlacing *p) {
    const swLattice *l = p->lattice;
    int best = 0;
    for (int i = 1; i < l->n; i++)
        if (sw_norm2(sw_sub(l->X[i], p->center)) < sw_norm2(sw_sub(l->X[best], p->center)))
            best = i;
    return best;
}

static int latest_of(const swPlacing *p, int block) {
    const int end = sw_min_int((block + 1) * p->block, p->lattice->n);
    int best = block * p->block;
    for (int i = best + 1; i < end; i++)
        if (p->march.time[i] > p->march.time[best])
            best = i;
    return best;
}

// The node farthest from all sources, unreached parts first. Distances only fall while frames are
// added, so the latest that a block of nodes had bounds what it has now.
static int farthest_node(const swPlacing *p) {
    for (;;) {
        int block = 0;
        for (int i = 1; i < p->nblock; i++)
            if (p->latest[i] > p->latest[block])
                block = i;
        const int node = latest_of(p, block);
        if (p->march.time[node] == p->latest[block])
            return node;
        p->latest[block] = p->march.time[node];
    }
}

// The mean distance of a frame to the next one; or to a side of the body, where it is alone.
static swReal spacing(const swPlacing *p) {
    swReal sum = 0;
    for (int i = 0; i < p->count; i++) {
        swReal least = sw_norm2(sw_sub(p->lattice->grid->hi, p->lattice->grid->lo)) / 4;
        for (int k = 0; k < p->count; k++)
            if (k != i)
                least = sw_min(least, sw_norm2(sw_sub(p->at[i], p->at[k])));
        sum += sqrt(least);
    }
    return sum / p->count;
}

static void relax(swPlacing *p) {
    for (int round = 0; round < LLOYD_ROUNDS; round++) {
        measure_parts(p);
        swReal moved = 0;
        for (int i = 0; i < p->count; i++) {
            const int s = p->def->nfixed + i;
            if (p->nearest[s] < 0)
                continue;
            const swVec3 to = settle(p, i);
            moved = sw_max(moved, sw_norm(sw_sub(to, p->at[i])));
            p->at[i] = to;
        }
        if (moved <= sw_max(0.5 * p->lattice->grid->h, MOVED * spacing(p)))
            return;
        sw_march_clear(&p->march);
        start_fixed(p);
        for (int i = 0; i < p->count; i++)
            start(p, i);
        sw_march_run(&p->march);
        if (sw_pool_stopped(p->lattice->pool))
            return;
    }
}

bool sw_frames_place(const swLattice *l, const swPlacement *def, swArena *arena, swVec3 *at,
                     int *placed, swError *error) {
    const size_t n = (size_t)(def->nfixed + def->count);
    swPlacing p = {.lattice = l, .def = def, .at = at, .block = (int)ceil(sqrt(l->n))};
    p.nblock = (l->n + p.block - 1) / p.block;
    *placed = 0;
    if (def->count == 0)
        return true;
    if (!sw_march_create(&p.march, l, def->cost, arena, error) ||
        !(p.march.label = SW_NEW(arena, l->n, int, error)) ||
        !(p.sum = SW_NEW(arena, n, swVec3, error)) ||
        !(p.volume = SW_NEW(arena, n, swReal, error)) ||
        !(p.nearest = SW_NEW(arena, n, int, error)) ||
        !(p.amount = SW_NEW(arena, l->n, swReal, error)) ||
        !(p.latest = SW_NEW(arena, p.nblock, swReal, error)))
        return false;
    for (int i = 0; i < l->n; i++)
        p.march.label[i] = -1;
    for (int i = 0; i < p.nblock; i++)
        p.latest[i] = INFINITY;
    weigh_nodes(&p);
    start_fixed(&p);
    sw_march_run(&p.march);
    swReal reach = INFINITY;
    while (p.count < def->count) {
        const int node = p.march.nreached > 0 ? farthest_node(&p) : central_node(&p);
        const swReal far = p.march.time[node];
        if (far == 0) // every node has a frame
            break;
        if (isinf(reach) && !isinf(far))
            reach = far;
        if (far <= sqrt(def->error) * reach)
            break;
        at[p.count] = l->X[node];
        start(&p, p.count++);
        sw_march_run(&p.march);
        if (sw_pool_stopped(l->pool))
            return sw_fail_stopped(error);
    }
    relax(&p);
    if (sw_pool_stopped(l->pool))
        return sw_fail_stopped(error);
    *placed = p.count;
    return true;
}

// ---- in a row ----

typedef struct {
    swReal from, to;
    bool open[2]; // nothing is at this end
    int count;
} swGap;

// With half a spacing left at open ends.
static swReal gap_spacing(const swGap *g, int count) {
    return (g->to - g->from) / (count + 1 - 0.5 * (g->open[0] + g->open[1]));
}

// The middle of the material of a cell's thickness at s; on the material nearest to it, where that
// is hollow.
static swVec3 middle_at(const swLattice *l, swVec3 axis, swReal s) {
    const swGrid *g = l->grid;
    swVec3 sum = {0, 0, 0};
    swReal volume = 0, reach = 0.5 * g->h;
    for (; volume == 0; reach *= 2)
        for (int v = 0; v < g->nvoxel; v++)
            if (fabs(sw_dot(axis, g->voxel[v].centroid) - s) <= reach) {
                sum = sw_madd(sum, g->voxel[v].volume, g->voxel[v].centroid);
                volume += g->voxel[v].volume;
            }
    swVec3 p = sw_scale(1 / volume, sum);
    p = sw_madd(p, s - sw_dot(axis, p), axis);
    if (sw_lattice_find(l, p, 1) >= 0)
        return p;
    int nearest = 0;
    for (int v = 1; v < g->nvoxel; v++)
        if (sw_norm2(sw_sub(g->voxel[v].centroid, p)) <
            sw_norm2(sw_sub(g->voxel[nearest].centroid, p)))
            nearest = v;
    return g->voxel[nearest].centroid;
}

// Where frame k of those in a gap stands.
static swReal place_in(const swGap *g, int k, bool at_ends) {
    if (g->count == 1 && g->open[0] && g->open[1])
        return 0.5 * (g->from + g->to);
    const swReal left = at_ends ? 0 : 0.5, // spacings beyond the frames at open ends
        first = g->open[0] ? left : 1, last = g->open[1] ? left : 1;
    return g->from + (first + k) * (g->to - g->from) / (g->count - 1 + first + last);
}

bool sw_frames_row(const swLattice *l, swVec3 axis, int ntaken, swStretch *taken, int count,
                   bool at_ends, swArena *arena, swVec3 *at, swError *error) {
    swReal lo = INFINITY, hi = -INFINITY;
    for (int v = 0; v < l->grid->nvoxel; v++)
        for (int k = 0; k < 8; k++) {
            const swVoxel *x = &l->grid->voxel[v];
            const swReal s =
                sw_dot(axis, sw_v3(k & 1 ? x->hi.x : x->lo.x, k & 2 ? x->hi.y : x->lo.y,
                                   k & 4 ? x->hi.z : x->lo.z));
            lo = sw_min(lo, s);
            hi = sw_max(hi, s);
        }
    swGap *gap = SW_NEW(arena, ntaken + 1, swGap, error);
    if (!gap)
        return false;
    for (int i = 1; i < ntaken; i++)
        for (int k = i; k > 0 && taken[k].lo < taken[k - 1].lo; k--) {
            const swStretch t = taken[k];
            taken[k] = taken[k - 1];
            taken[k - 1] = t;
        }
    for (int i = 0; i <= ntaken; i++)
        gap[i] = (swGap){
            i > 0 ? taken[i - 1].hi : lo, i < ntaken ? taken[i].lo : hi, {i == 0, i == ntaken}, 0};
    for (int i = 0; i < count; i++) { // each where most room is
        int best = 0;
        for (int k = 1; k <= ntaken; k++)
            if (gap_spacing(&gap[k], gap[k].count) > gap_spacing(&gap[best], gap[best].count))
                best = k;
        gap[best].count++;
    }
    int n = 0;
    for (int i = 0; i <= ntaken; i++)
        for (int k = 0; k < gap[i].count; k++)
            at[n++] = middle_at(l, axis, place_in(&gap[i], k, at_ends));
    return true;
}
