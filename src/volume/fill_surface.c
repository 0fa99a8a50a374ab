// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A surface net (Gibson 1998) on the cells' centres. Its crossings come from sums of fractions
// along columns of cells, as height functions do, so that planes are met exactly; then vertices are
// smoothed (Taubin 1995) within bounds, and moved along their normals until the volume is right.
#include "volume/fill_surface.h"

#include "geometry/quads.h"

enum { MAX_POINTS = 400000000, REACH = 3, PASSES = 20 };
#define ROUNDING 1e-6f // of a cell: so little is nothing, so much is all
#define LEAST 1e-3     // of an edge: a crossing stays so far from its ends
#define SHRINK 0.5     // of the way to the neighbours' mean
#define SWELL -0.53    // and back
#define LIMIT 0.25     // of a cell: how far a vertex may be moved, along each axis
#define OFFSET 0.1     // the same along its normal, to make the volume right

typedef struct swFillSurface {
    const swGrid *grid;
    int material;
    int lo[3], n[3]; // cell of the grid at point 0; points, a margin of one around the cells
    float *fill;     // per point: share of its cell
    unsigned char *in;
    swQuads net;
    swVec3 *crossing;  // per edge of the net, in cells from point 0
    swVec3 *start;     // per vertex: the mean of its crossings
    swVec3 *sum;       // of its neighbours
    int *count;        // of its crossings
    swReal factor;     // of a pass
    swReal volume;     // to be enclosed, in cells
    swSurface surface; // in cells from point 0
} swFillSurface;

static bool is_taken(const swFillSurface *f, const swVoxel *v) {
    return f->material < 0 || v->material == f->material;
}

static void coordinates(const swGrid *g, int cell, int i[3]) {
    i[0] = cell % g->n[0];
    i[1] = cell / g->n[0] % g->n[1];
    i[2] = cell / g->n[0] / g->n[1];
}

// ---- fractions ----

// False where nothing is taken.
static bool find_bounds(swFillSurface *f) {
    int hi[3] = {-1, -1, -1};
    for (int k = 0; k < 3; k++)
        f->lo[k] = f->grid->n[k];
    for (int v = 0; v < f->grid->nvoxel; v++) {
        int i[3];
        if (!is_taken(f, &f->grid->voxel[v]))
            continue;
        coordinates(f->grid, f->grid->voxel[v].cell, i);
        for (int k = 0; k < 3; k++) {
            f->lo[k] = sw_min_int(f->lo[k], i[k]);
            hi[k] = sw_max_int(hi[k], i[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        f->lo[k]--;
        f->n[k] = hi[k] - f->lo[k] + 2;
    }
    return hi[0] >= 0;
}

static bool fill_points(swFillSurface *f, swArena *scratch, swError *error) {
    const swReal cell = f->grid->h * f->grid->h * f->grid->h;
    const double total = (double)f->n[0] * f->n[1] * f->n[2];
    if (total > MAX_POINTS)
        return sw_fail(error, SW_ERROR_LIMIT,
                       "a surface of voxels over %.3g cells: more than the limit of %d", total,
                       MAX_POINTS);
    f->fill = SW_NEW(scratch, total, float, error);
    f->in = SW_NEW(scratch, total, unsigned char, error);
    if (!f->fill || !f->in)
        return false;
    for (int v = 0; v < f->grid->nvoxel; v++) {
        const swVoxel *voxel = &f->grid->voxel[v];
        int i[3];
        if (!is_taken(f, voxel))
            continue;
        coordinates(f->grid, voxel->cell, i);
        f->fill[i[0] - f->lo[0] + f->n[0] * (i[1] - f->lo[1] + f->n[1] * (i[2] - f->lo[2]))] +=
            (float)(voxel->volume / cell);
    }
    for (int p = 0; p < (int)total; p++) {
        float share = f->fill[p];
        f->fill[p] = share < ROUNDING ? 0 : share > 1 - ROUNDING ? 1 : share;
        f->in[p] = share > 0.5f - ROUNDING; // a face through the centres is not left to rounding
    }
    return true;
}

// Whether a point or one of those around it is inside. No filled cell lies in the margin.
static bool is_near(const swFillSurface *f, int point) {
    for (int z = -1; z <= 1; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++)
                if (f->in[point + x + f->n[0] * (y + f->n[1] * z)] & 1)
                    return true;
    return false;
}

// Returns what is away from any point inside.
static swReal sum_volumes(swFillSurface *f) {
    swReal lost = 0;
    for (int p = 0; p < f->n[0] * f->n[1] * f->n[2]; p++)
        if (f->fill[p] > 0)
            *(is_near(f, p) ? &f->volume : &lost) += f->fill[p];
    return lost;
}

// ---- crossings ----

// Where the border crosses the edge from a point inside, at fill[0], to the next one, outside: in
// edges from the former. The column of cells along the edge is filled up to there, if it goes from
// empty to full; a column that is empty at both ends and nowhere full is a sheet about its middle.
static swReal find_crossing(const float *fill, int step) {
    const swReal between = (fill[0] - 0.5) / ((swReal)fill[0] - fill[step]);
    swReal height = 0.5, sum = 0, moment = 0;
    bool falls = false;
    int k;
    for (k = 1; fill[k * step] > 0; k++) {
        if (k > REACH || fill[k * step] > fill[(k - 1) * step])
            return between;
        height += fill[k * step];
        sum += fill[k * step];
        moment += k * fill[k * step];
    }
    for (k = 0; fill[-k * step] < 1 || falls; k++) {
        const swReal share = fill[-k * step];
        if (share == 0)
            return moment / sum + 0.5 * sum;
        const bool rises = k > 0 && share > fill[(1 - k) * step];
        if (k > REACH || (falls && rises))
            return between;
        falls = falls || (k > 0 && share < fill[(1 - k) * step]);
        height -= 1 - share;
        sum += share;
        moment -= k * share;
    }
    return height;
}

static void find_crossings(int start, int end, int worker, void *arg) {
    (void)worker;
    swFillSurface *f = arg;
    for (int e = start; e < end; e++) {
        const swQuadEdge *edge = &f->net.edge[e];
        const int step = sw_quads_stride(&f->net, edge->axis);
        const bool out = f->in[edge->point] & 1; // the edge leads outwards
        swReal t = find_crossing(f->fill + edge->point + (out ? 0 : step), out ? step : -step);
        t = sw_clamp(t, LEAST, 1 - LEAST);
        int i[3];
        sw_quads_coordinates(&f->net, edge->point, i);
        swVec3 p = sw_v3(i[0], i[1], i[2]);
        sw_set(&p, edge->axis, i[edge->axis] + (out ? t : 1 - t));
        f->crossing[e] = p;
    }
}

// ---- vertices ----

static void find_means(swFillSurface *f) {
    swVec3 *X = f->surface.X;
    for (int e = 0; e < f->net.nedge; e++)
        for (int i = 0; i < 4; i++) {
            const int v = f->net.edge[e].vertex[i];
            X[v] = sw_add(X[v], f->crossing[e]);
            f->count[v]++;
        }
    for (int v = 0; v < f->net.nvertex; v++)
        f->start[v] = X[v] = sw_scale(1.0 / f->count[v], X[v]);
}

static void move_vertices(int start, int end, int worker, void *arg) {
    (void)worker;
    swFillSurface *f = arg;
    const swVec3 limit = sw_v3(LIMIT, LIMIT, LIMIT);
    for (int v = start; v < end; v++) {
        const swVec3 mean = sw_scale(0.5 / f->count[v], f->sum[v]);
        const swVec3 x = sw_lerp(f->surface.X[v], mean, f->factor);
        f->surface.X[v] =
            sw_min3(sw_max3(x, sw_sub(f->start[v], limit)), sw_add(f->start[v], limit));
        f->sum[v] = sw_v3(0, 0, 0);
    }
}

// Each vertex towards the mean of those it shares an edge with, and as far back: what is coarse
// stays.
static void smooth(swFillSurface *f, swPool *pool) {
    const swVec3 *X = f->surface.X;
    for (int pass = 0; pass < 2 * PASSES; pass++) {
        for (int e = 0; e < f->net.nedge; e++) { // an edge is met twice
            const int *v = f->net.edge[e].vertex;
            const swVec3 even = sw_add(X[v[0]], X[v[2]]), odd = sw_add(X[v[1]], X[v[3]]);
            for (int i = 0; i < 4; i++)
                f->sum[v[i]] = sw_add(f->sum[v[i]], i % 2 ? even : odd);
        }
        f->factor = pass % 2 ? SWELL : SHRINK;
        sw_parallel_for(pool, f->net.nvertex, 4096, move_vertices, f);
    }
}

// One distance for all vertices; twice, as it changes the normals and areas a little.
static void correct_volume(swFillSurface *f) {
    swSurface *s = &f->surface;
    for (int pass = 0; pass < 2; pass++) {
        swReal volume = 0, area = 0;
        for (int v = 0; v < s->nvertex; v++)
            f->sum[v] = sw_v3(0, 0, 0);
        for (int t = 0; t < s->ntriangle; t++) {
            const int *v = s->triangle + 3 * t;
            const swVec3 a = s->X[v[0]];
            const swVec3 N = sw_cross(sw_sub(s->X[v[1]], a), sw_sub(s->X[v[2]], a));
            volume += sw_dot(a, N) / 6;
            for (int k = 0; k < 3; k++)
                f->sum[v[k]] = sw_madd(f->sum[v[k]], 1.0 / 6, N);
        }
        for (int v = 0; v < s->nvertex; v++)
            area += sw_norm(f->sum[v]);
        const swReal d = area > 0 ? sw_clamp((f->volume - volume) / area, -OFFSET, OFFSET) : 0;
        for (int v = 0; v < s->nvertex; v++)
            s->X[v] = sw_madd(s->X[v], d, sw_unit(f->sum[v]));
    }
}

// ---- the whole ----

static bool make(swFillSurface *f, swPool *pool, swArena *scratch, swArena *arena, swReal *lost,
                 swError *error) {
    if (!find_bounds(f))
        return true;
    if (!fill_points(f, scratch, error))
        return false;
    const swReal h = f->grid->h;
    *lost = h * h * h * sum_volumes(f);
    if (!sw_quads_create(f->n, f->in, scratch, &f->net, error))
        return false;
    swSurface *s = &f->surface;
    s->nvertex = f->net.nvertex;
    s->ntriangle = 2 * f->net.nedge;
    s->X = SW_NEW(arena, s->nvertex, swVec3, error);
    s->triangle = SW_NEW(arena, 3 * (size_t)s->ntriangle, int, error);
    f->crossing = SW_NEW(scratch, f->net.nedge, swVec3, error);
    f->start = SW_NEW(scratch, s->nvertex, swVec3, error);
    f->sum = SW_NEW(scratch, s->nvertex, swVec3, error);
    f->count = SW_NEW(scratch, s->nvertex, int, error);
    if (!s->X || !s->triangle || !f->crossing || !f->start || !f->sum || !f->count)
        return false;
    sw_parallel_for(pool, f->net.nedge, 4096, find_crossings, f);
    find_means(f);
    smooth(f, pool);
    sw_quads_triangles(&f->net, s->X, pool, s->triangle);
    correct_volume(f);
    const swVec3 middle = sw_v3(f->lo[0] + 0.5, f->lo[1] + 0.5, f->lo[2] + 0.5);
    sw_surface_transform(s, h, sw_mat_identity(), sw_madd(f->grid->origin, h, middle));
    return true;
}

bool sw_fill_surface(const swGrid *grid, int material, swPool *pool, swArena *arena,
                     swSurface *surface, swReal *lost, swError *error) {
    swFillSurface f = {.grid = grid, .material = material};
    swArena scratch;
    *lost = 0;
    sw_arena_init(&scratch, &arena->allocator);
    bool ok = make(&f, pool, &scratch, arena, lost, error);
    sw_arena_free(&scratch);
    *surface = f.surface;
    return ok;
}
