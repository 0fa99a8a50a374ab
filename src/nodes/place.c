// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "nodes/place.h"

#include <string.h>

enum { LLOYD_ROUNDS = 20 };

typedef struct {
    const swLattice *lattice;
    swDistanceWork work;
    int nfixed, count; // sources are the fixed ones, then the placed ones
    swSource *source;
    swReal *distance;
    int *label;
    swVec3 *sum; // per source: first moment of its part
    swReal *volume;
    int *nearest; // per source: the node of its part nearest to the part's centroid
} swPlacing;

static swSource source_at(const swLattice *l, swVec3 p) {
    return (swSource){.point = p, .cell = sw_lattice_find(l, p, 1)};
}

// The part's centroid where that is in the material; else the lattice node nearest to it.
static swVec3 settle(const swLattice *l, swVec3 centroid, int node) {
    return l->index[sw_grid_cell(l->grid, centroid)] >= 0 ? centroid : l->X[node];
}

static void measure_parts(swPlacing *p) {
    const swLattice *l = p->lattice;
    const int n = p->nfixed + p->count;
    memset(p->sum, 0, (size_t)n * sizeof *p->sum);
    memset(p->volume, 0, (size_t)n * sizeof *p->volume);
    for (int i = 0; i < l->n; i++)
        if (p->label[i] >= 0) {
            p->sum[p->label[i]] = sw_madd(p->sum[p->label[i]], l->volume[i], l->X[i]);
            p->volume[p->label[i]] += l->volume[i];
        }
    for (int s = 0; s < n; s++) {
        p->nearest[s] = -1;
        if (p->volume[s] > 0)
            p->sum[s] = sw_scale(1 / p->volume[s], p->sum[s]);
    }
    for (int i = 0; i < l->n; i++) {
        int s = p->label[i];
        if (s >= 0 && (p->nearest[s] < 0 || sw_norm2(sw_sub(l->X[i], p->sum[s])) <
                                                sw_norm2(sw_sub(l->X[p->nearest[s]], p->sum[s]))))
            p->nearest[s] = i;
    }
}

// The node farthest from all sources, unreached parts first; where there is no source, the one
// nearest to the centre.
static int farthest_node(const swPlacing *p, int nsource) {
    const swLattice *l = p->lattice;
    swVec3 center = {0, 0, 0};
    for (int i = 0; i < l->n; i++)
        center = sw_madd(center, l->volume[i] / l->grid->volume, l->X[i]);
    int best = 0;
    for (int i = 1; i < l->n; i++) {
        bool better =
            nsource > 0 ? p->distance[i] > p->distance[best]
                        : sw_norm2(sw_sub(l->X[i], center)) < sw_norm2(sw_sub(l->X[best], center));
        if (better)
            best = i;
    }
    return best;
}

static void relax(swPlacing *p) {
    const swLattice *l = p->lattice;
    for (int round = 0; round < LLOYD_ROUNDS; round++) {
        sw_distance(l, &p->work, p->nfixed + p->count, p->source, p->distance, p->label);
        measure_parts(p);
        swReal moved = 0;
        for (int s = p->nfixed; s < p->nfixed + p->count; s++) {
            if (p->nearest[s] < 0)
                continue;
            swVec3 to = settle(l, p->sum[s], p->nearest[s]);
            moved = sw_max(moved, sw_norm(sw_sub(to, p->source[s].point)));
            p->source[s] = source_at(l, to);
        }
        if (moved < 0.1 * l->grid->h)
            return;
    }
}

bool sw_frames_place(const swLattice *l, int nfixed, const swSource *fixed, int count,
                     swArena *arena, swVec3 *at, swError *error) {
    const size_t n = (size_t)(nfixed + count);
    swPlacing p = {.lattice = l, .nfixed = nfixed, .count = count};
    if (!(p.source = SW_NEW(arena, n, swSource, error)) ||
        !(p.distance = SW_NEW(arena, l->n, swReal, error)) ||
        !(p.label = SW_NEW(arena, l->n, int, error)) ||
        !(p.sum = SW_NEW(arena, n, swVec3, error)) ||
        !(p.volume = SW_NEW(arena, n, swReal, error)) ||
        !(p.nearest = SW_NEW(arena, n, int, error)) ||
        !sw_distance_create(l, arena, &p.work, error))
        return false;
    if (nfixed)
        memcpy(p.source, fixed, (size_t)nfixed * sizeof *fixed);
    for (int i = 0; i < count; i++) {
        sw_distance(l, &p.work, nfixed + i, p.source, p.distance, p.label);
        p.source[nfixed + i] = source_at(l, l->X[farthest_node(&p, nfixed + i)]);
    }
    if (count)
        relax(&p);
    for (int i = 0; i < count; i++)
        at[i] = p.source[nfixed + i].point;
    return true;
}
