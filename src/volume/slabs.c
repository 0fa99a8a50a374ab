// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/slabs.h"

#include <stdlib.h>

enum {
    ACROSS = 16, // slabs across a small curved solid
    DENSE = 32,  // breaks of curved solids in one row beyond which even slabs see as much
};

// What the functions below share.
typedef struct swSlabJob {
    const swGrid *grid;
    int axis;
    swReal near;
    SW_LIST(swReal) edge;
    swSpanList breaks; // ascending; hi is 1 for those of curved solids, else 0
    swArena *arena;
    swError *error;
} swSlabJob;

static bool push_edge(swSlabJob *job, swReal at) {
    swReal *last = SW_PUSH(&job->edge, job->arena, job->error);
    if (last)
        *last = at;
    return last != NULL;
}

static bool push_break(swSlabJob *job, swReal at) {
    swSpan *last = SW_PUSH(&job->breaks, job->arena, job->error);
    if (last)
        *last = (swSpan){at, at, 0};
    return last != NULL;
}

// Triangles across the axis, as machine parts have them.
static bool add_flat_triangles(swSlabJob *job, const swSurface *surface) {
    swReal last = NAN;
    for (int t = 0; t < surface->ntriangle; t++) {
        const int *corner = surface->triangle + 3 * (size_t)t;
        swReal at = sw_get(surface->X[corner[0]], job->axis);
        if (at == last || at != sw_get(surface->X[corner[1]], job->axis) ||
            at != sw_get(surface->X[corner[2]], job->axis))
            continue;
        if (!push_break(job, at))
            return false;
        last = at;
    }
    return true;
}

// The places where a solid changes abruptly; both its ends; and, where it is curved and small, as
// many between as see it well.
static bool add_breaks(swSlabJob *job, const swSolid *solid, swReal lo, swReal hi) {
    const swSurface *surface = sw_solid_surface(solid);
    bool curved = !sw_solid_is_box(solid);
    int n = curved && hi - lo < ACROSS * job->grid->h / SW_SLABS ? ACROSS : 1;
    int first = job->breaks.count;
    if (!sw_solid_breaks(solid, job->axis, &job->breaks, job->arena, job->error) ||
        (surface && !add_flat_triangles(job, surface)))
        return false;
    for (int i = 0; i <= n; i++)
        if (!push_break(job, i < n ? lo + i * (hi - lo) / n : hi))
            return false;
    for (int i = first; i < job->breaks.count; i++)
        job->breaks.item[i].hi = curved;
    return true;
}

static int by_place(const void *a, const void *b) {
    swReal x = ((const swSpan *)a)->lo, y = ((const swSpan *)b)->lo;
    return (x > y) - (x < y);
}

static void sort_breaks(swSpanList *list, swReal near) {
    qsort(list->item, (size_t)list->count, sizeof(swSpan), by_place);
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        swSpan b = list->item[i], *last = list->item + kept - 1;
        if (kept == 0 || b.lo > last->lo + near)
            list->item[kept++] = b;
        else
            last->hi = sw_min(last->hi, b.hi);
    }
    list->count = kept;
}

// Sets curved[j] for the rows that a curved solid meets.
static void mark_rows(const swSlabJob *job, swReal lo, swReal hi, bool *curved) {
    const swGrid *g = job->grid;
    swReal origin = sw_get(g->origin, job->axis), last = g->n[job->axis] - 1;
    int to = (int)sw_clamp(floor((hi - origin) / g->h), 0, last);
    for (int j = (int)sw_clamp(floor((lo - origin) / g->h), 0, last); j <= to; j++)
        curved[j] = true;
}

// Appends `from`, and the edges between it and `to`; b are the breaks there.
static bool cut_row(swSlabJob *job, swReal from, swReal to, bool curved, const swSpan *b, int nb) {
    int ncurved = 0;
    for (int i = 0; i < nb; i++)
        ncurved += b[i].hi != 0;
    bool dense = ncurved > DENSE;
    int neven = !curved ? 1 : dense ? DENSE : SW_SLABS;
    swReal last = from;
    if (!push_edge(job, from))
        return false;
    for (int i = 0, e = 1; i < nb || e < neven;) {
        swReal even = e < neven ? from + e * (to - from) / neven : INFINITY, at = even;
        if (i < nb && b[i].lo < even) {
            at = dense && b[i].hi != 0 ? last : b[i].lo;
            i++;
        } else
            e++;
        if (!(at > last + job->near && at < to - job->near))
            continue;
        if (!push_edge(job, at))
            return false;
        last = at;
    }
    return true;
}

bool sw_slabs_cut(int npaint, const swPaint *paint, const swVec3 *lo, const swVec3 *hi,
                  const swGrid *grid, int axis, swReal near, swArena *arena, swSlabs *slabs,
                  swError *error) {
    swSlabJob job = {.grid = grid, .axis = axis, .near = near, .arena = arena, .error = error};
    int n = grid->n[axis];
    swReal origin = sw_get(grid->origin, axis);
    bool *curved = SW_NEW(arena, n, bool, error);
    slabs->first = SW_NEW(arena, (size_t)n + 1, int, error);
    if (!curved || !slabs->first)
        return false;
    for (int s = 0; s < npaint; s++) {
        swReal from = sw_get(lo[s], axis), to = sw_get(hi[s], axis);
        if (!add_breaks(&job, paint[s].solid, from, to))
            return false;
        if (!sw_solid_is_box(paint[s].solid))
            mark_rows(&job, from, to, curved);
    }
    sort_breaks(&job.breaks, near);
    swReal to = 0;
    for (int j = 0, b = 0; j < n; j++) {
        // The outermost rows take what rounding leaves beyond them.
        swReal from = origin + j * grid->h;
        to = origin + (j + 1) * grid->h;
        if (j == 0)
            from = sw_min(from, sw_get(grid->lo, axis));
        if (j == n - 1)
            to = sw_max(to, sw_get(grid->hi, axis));
        int end = b;
        while (end < job.breaks.count && job.breaks.item[end].lo < to)
            end++;
        slabs->first[j] = job.edge.count;
        if (!cut_row(&job, from, to, curved[j], job.breaks.item + b, end - b))
            return false;
        b = end;
    }
    slabs->first[n] = job.edge.count;
    if (!push_edge(&job, to))
        return false;
    slabs->edge = job.edge.item;
    return true;
}
