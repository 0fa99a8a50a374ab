// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A row of cells is cut into slabs across y and across z. One ray along x through the middle of
// each pair finds what fills it; the rays are cut at the faces of the cells and their moments
// summed. Slabs depend on y or on z alone, so the rays form a lattice and those of neighbouring
// rows face each other.
#include "volume/rays.h"
#include "volume/slabs.h"

#include <string.h>

enum {
    TILE = 8,  // rows of one task, in y and in z
    RAYS = 64, // fewer rows where these would be more rays along y or z: their pieces are kept
};
#define SLIVER 1e-9 // of a cell: less is nothing
#define CRUMB 0.05  // of a cell: less may have been met by a ray or two

// A voxel while its moments are still sums: its stiffness is that of volume over stiffness, its
// density that of volume times density.
typedef struct swRowVoxel {
    swVoxel v;
    int next; // of the same cell, ascending by material and label; from 1, 0: none
} swRowVoxel;

typedef struct swTile {
    swVoxel *voxel;
    int count;
} swTile;

// What one thread works with.
typedef struct swTileWorker {
    swArena arena;
    swRay one;          // on its way
    swPieceList ray;    // of all rays of the tile, one after the other
    SW_LIST(int) first; // of each ray in `ray`
    SW_LIST(swRowVoxel) row;
    SW_LIST(swVoxel) tile;
    int *head; // per cell of a row: 1 + the index of its first voxel in `row`, or 0
    bool *painted;
    bool failed;
    swError error;
} swTileWorker;

typedef struct swVoxelJob {
    int npaint;
    const swPaint *paint;
    swVec3 *lo, *hi; // of each solid
    swSlabs y, z;
    swReal near;           // coordinates that differ by less are equal
    int rows[2], ntile[2]; // rows of a tile, tiles, along y and z
    swTile *tile;
    swTileWorker *worker;
    swGrid *grid;
    bool even;
} swVoxelJob;

// ---- the grid ----

static swReal cells_along(swReal extent, swReal h) { return sw_max(1, ceil(extent / h - 1e-9)); }

static swReal cells_in(swVec3 extent, swReal h) {
    return cells_along(extent.x, h) * cells_along(extent.y, h) * cells_along(extent.z, h);
}

static bool fail_size(swVec3 extent, swReal h, int most, const char *key, swError *error) {
    swReal low = h, high = sw_max(sw_max(extent.x, extent.y), extent.z);
    for (int i = 0; i < 100; i++) {
        swReal middle = sqrt(low) * sqrt(high);
        if (cells_in(extent, middle) <= most)
            high = middle;
        else
            low = middle;
    }
    // Rounded up: three digits of what is said must fit.
    return sw_fail(error, SW_ERROR_LIMIT,
                   "%s: a voxel of %g m makes %.3g cells, more than the limit of %d; the smallest "
                   "that fits is %.3g m",
                   key, h, cells_in(extent, h), most, 1.006 * high);
}

// Coordinates of this grid that differ by less are equal.
static swReal rounding_of(const swGrid *g) {
    swReal far = 0;
    for (int k = 0; k < 3; k++)
        far = sw_max(far, sw_max(fabs(sw_get(g->lo, k)), fabs(sw_get(g->hi, k))));
    return 1e-14 * far;
}

bool sw_grid_place(int npaint, const swPaint *paint, swReal h, int most, const char *key, swGrid *g,
                   swError *error) {
    swVec3 lo = sw_v3(INFINITY, INFINITY, INFINITY), hi = sw_scale(-1, lo);
    for (int s = 0; s < npaint; s++) {
        swVec3 from, to;
        if (paint[s].material < 0)
            continue;
        sw_solid_bounds(paint[s].solid, &from, &to);
        lo = sw_min3(lo, from);
        hi = sw_max3(hi, to);
    }
    *g = (swGrid){.h = h, .lo = lo, .hi = hi};
    if (!(h > 0) || !isfinite(h))
        return sw_fail(error, SW_ERROR_VALUE, "%s: expected a positive voxel size, found %g", key,
                       h);
    swVec3 extent = sw_sub(hi, lo);
    if (npaint == 0 || !sw_finite3(extent))
        return sw_fail(error, SW_ERROR_GEOMETRY, "%s: expected a bounded solid, found %s", key,
                       npaint ? "one without bounds" : "none");
    if (!(cells_in(extent, h) <= most))
        return fail_size(extent, h, most, key, error);
    const swReal near = rounding_of(g), far = 1e14 * near;
    if (near > 1e-3 * h)
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s: a voxel of %g m is lost in rounding %g m from the origin", key, h, far);
    if (!(sw_max(far, h) < 1e50)) // moments of second order must stay finite
        return sw_fail(error, SW_ERROR_VALUE, "%s: %g m is too large", key, sw_max(far, h));
    for (int k = 0; k < 3; k++) {
        g->n[k] = (int)cells_along(sw_get(extent, k), h);
        sw_set(&g->origin, k, 0.5 * (sw_get(lo, k) + sw_get(hi, k) - g->n[k] * h));
    }
    return true;
}

static bool place_grid(swVoxelJob *job, swReal h, const char *key, swError *error) {
    if (!sw_grid_place(job->npaint, job->paint, h, SW_GRID_MAX_CELLS, key, job->grid, error))
        return false;
    for (int k = 0; k < 3 && job->even; k++)
        if (job->grid->n[k] % 2) {
            job->grid->n[k]++;
            sw_set(&job->grid->origin, k, sw_get(job->grid->origin, k) - 0.5 * h);
        }
    for (int s = 0; s < job->npaint; s++) {
        sw_solid_bounds(job->paint[s].solid, &job->lo[s], &job->hi[s]);
        job->lo[s] = sw_max3(job->lo[s], job->grid->lo); // holes may be without bounds
        job->hi[s] = sw_min3(job->hi[s], job->grid->hi);
    }
    job->near = rounding_of(job->grid);
    return true;
}

// ---- rays ----

// Appends the pieces along (x, y, z) to the rays of the tile.
static bool cast_ray(const swVoxelJob *job, swTileWorker *w, swReal y, swReal z) {
    if (!sw_ray_cast(&w->one, job->npaint, job->paint, job->lo, job->hi, y, z, &w->arena,
                     &w->error))
        return false;
    int *first = SW_PUSH(&w->first, &w->arena, &w->error);
    if (!first)
        return false;
    *first = w->ray.count;
    for (int i = 0; i < w->one.piece.count; i++) {
        const swRayPiece *p = &w->one.piece.item[i];
        swRayPiece *last = NULL;
        if (job->paint[p->paint].material < 0)
            continue;
        if (!(last = SW_PUSH(&w->ray, &w->arena, &w->error)))
            return false;
        *last = *p;
    }
    return true;
}

// The rays of a tile: slabs y0 .. y1-1 by z0 .. z1-1, ray (a, b) at (a - y0) + (b - z0) (y1 - y0).
typedef struct swTileRays {
    int y0, y1, z0, z1;
} swTileRays;

static const swRayPiece *ray_at(const swTileWorker *w, const swTileRays *r, int a, int b,
                                int *count) {
    static const swRayPiece none;
    const int *first = w->first.item + (a - r->y0) + (ptrdiff_t)(b - r->z0) * (r->y1 - r->y0);
    *count = first[1] - first[0];
    return *count ? w->ray.item + first[0] : &none;
}

static bool cast_tile(const swVoxelJob *job, swTileWorker *w, const swTileRays *r) {
    w->ray.count = w->first.count = 0;
    for (int b = r->z0; b < r->z1; b++)
        for (int a = r->y0; a < r->y1; a++)
            if (!cast_ray(job, w, 0.5 * (job->y.edge[a] + job->y.edge[a + 1]),
                          0.5 * (job->z.edge[b] + job->z.edge[b + 1])))
                return false;
    int *end = SW_PUSH(&w->first, &w->arena, &w->error);
    if (end)
        *end = w->ray.count;
    return end != NULL;
}

// ---- sums over a row of cells ----

static int cell_at(const swGrid *g, swReal x) {
    return (int)sw_clamp(floor((x - g->origin.x) / g->h), 0, g->n[0] - 1);
}

// The face of cell i towards +x; the last cell takes what rounding leaves beyond it, as the first
// one does.
static swReal face_of(const swGrid *g, int i) {
    return i + 1 < g->n[0] ? g->origin.x + (i + 1) * g->h : INFINITY;
}

static swVec3 cell_center(const swGrid *g, int i, int j, int k) {
    return sw_madd(g->origin, g->h, sw_v3(i + 0.5, j + 0.5, k + 0.5));
}

// The block lo .. hi of what `e` says, in a voxel whose moments are still sums about `center`.
static void add_block(swVoxel *v, const swPaintEntry *e, swVec3 lo, swVec3 hi, swVec3 center) {
    swVec3 d = sw_sub(hi, lo), m = sw_sub(sw_lerp(lo, hi, 0.5), center);
    swReal volume = d.x * d.y * d.z;
    if (v->volume == 0) {
        v->lo = lo;
        v->hi = hi;
    }
    v->volume += volume;
    v->stiffness += volume / e->stiffness;
    v->density += volume * e->density;
    v->centroid = sw_madd(v->centroid, volume, m);
    v->second.x += volume * (m.x * m.x + d.x * d.x / 12);
    v->second.y += volume * (m.y * m.y + d.y * d.y / 12);
    v->second.z += volume * (m.z * m.z + d.z * d.z / 12);
    v->mixed = sw_madd(v->mixed, volume, sw_v3(m.y * m.z, m.z * m.x, m.x * m.y));
    v->lo = sw_min3(v->lo, lo);
    v->hi = sw_max3(v->hi, hi);
}

// The voxel of cell i of the row that holds the material and label of `e`, new where there is none.
// NULL without memory.
static swVoxel *find_voxel(swTileWorker *w, int i, const swPaintEntry *e) {
    int before = 0, at = w->head[i];
    for (; at; before = at, at = w->row.item[at - 1].next) {
        swVoxel *v = &w->row.item[at - 1].v;
        if (v->material == e->material && v->label == e->label)
            return v;
        if (v->material > e->material || (v->material == e->material && v->label > e->label))
            break;
    }
    swRowVoxel *r = SW_PUSH(&w->row, &w->arena, &w->error);
    if (!r)
        return NULL;
    *r = (swRowVoxel){{.cell = i, .material = e->material, .label = e->label, .owner = -1}, at};
    *(before ? &w->row.item[before - 1].next : &w->head[i]) = w->row.count;
    return &r->v;
}

// Cuts a piece at the faces of the cells and adds it to theirs. y and z of lo, hi are the slabs'.
static bool add_piece(const swVoxelJob *job, swTileWorker *w, swRayPiece piece, swVec3 lo,
                      swVec3 hi, int j, int k) {
    const swGrid *g = job->grid;
    const swPaint *paint = &job->paint[piece.paint];
    const swPaintEntry plain = {paint->material, SW_NO_LABEL, 1, 1};
    const swPaintEntry *entry = paint->palette ? &paint->palette[piece.entry] : &plain;
    w->painted[piece.paint] = true;
    lo.x = piece.lo;
    for (int i = cell_at(g, piece.lo); lo.x < piece.hi; i++, lo.x = sw_max(lo.x, hi.x)) {
        hi.x = sw_min(piece.hi, face_of(g, i));
        if (!(lo.x < hi.x))
            continue;
        swVoxel *v = find_voxel(w, i, entry);
        if (!v)
            return false;
        add_block(v, entry, lo, hi, cell_center(g, i, j, k));
    }
    return true;
}

// From sums to means. False for a sliver.
static bool finish_voxel(const swVoxelJob *job, swVoxel *v, int j, int k) {
    swGrid *g = job->grid;
    if (!(v->volume > SLIVER * g->h * g->h * g->h))
        return false;
    swVec3 m = sw_scale(1 / v->volume, v->centroid), s = sw_scale(1 / v->volume, v->second);
    v->centroid = sw_add(cell_center(g, v->cell, j, k), m);
    v->second = sw_max3(sw_sub(s, sw_v3(m.x * m.x, m.y * m.y, m.z * m.z)), sw_v3(0, 0, 0));
    v->mixed = sw_sub(sw_scale(1 / v->volume, v->mixed), sw_v3(m.y * m.z, m.z * m.x, m.x * m.y));
    v->stiffness = v->volume / v->stiffness;
    v->density /= v->volume;
    v->cell += g->n[0] * (j + g->n[1] * k);
    return true;
}

// Sums the rays of row (j, k), and appends its voxels to the tile's.
static bool sum_row(const swVoxelJob *job, swTileWorker *w, const swTileRays *r, int j, int k) {
    const swSlabs *y = &job->y, *z = &job->z;
    w->row.count = 0;
    for (int b = z->first[k]; b < z->first[k + 1]; b++)
        for (int a = y->first[j]; a < y->first[j + 1]; a++) {
            int count;
            const swRayPiece *piece = ray_at(w, r, a, b, &count);
            swVec3 lo = sw_v3(0, y->edge[a], z->edge[b]), hi = {0, y->edge[a + 1], z->edge[b + 1]};
            for (int i = 0; i < count; i++)
                if (!add_piece(job, w, piece[i], lo, hi, j, k))
                    return false;
        }
    int from = INT32_MAX, to = -1; // the cells met
    for (int i = 0; i < w->row.count; i++) {
        from = sw_min_int(from, w->row.item[i].v.cell);
        to = sw_max_int(to, w->row.item[i].v.cell);
    }
    for (int i = from; i <= to; i++) {
        for (int at = w->head[i]; at; at = w->row.item[at - 1].next) {
            swVoxel v = w->row.item[at - 1].v;
            if (!finish_voxel(job, &v, j, k))
                continue;
            swVoxel *last = SW_PUSH(&w->tile, &w->arena, &w->error);
            if (!last)
                return false;
            *last = v;
            job->grid->first[v.cell + 1]++;
        }
        w->head[i] = 0;
    }
    return true;
}

// ---- which cells are connected ----

// Sets `flag` in the cells of the row inside which the stretch lo .. hi lies.
static void open_cells(const swGrid *g, size_t row, swReal lo, swReal hi, unsigned char flag) {
    swReal least = SLIVER * g->h;
    if (hi - lo <= least)
        return;
    for (int i = cell_at(g, lo); lo < hi; i++) {
        swReal face = sw_min(hi, face_of(g, i));
        if (face - lo > least)
            g->open[row + (size_t)i] |= flag;
        lo = sw_max(lo, face);
    }
}

// Along one ray: pieces that touch are one, whatever they are made of.
static void open_x(const swVoxelJob *job, size_t row, const swRayPiece *piece, int count) {
    const swGrid *g = job->grid;
    swReal least = SLIVER * g->h;
    for (int i = 0; i < count;) {
        swReal lo = piece[i].lo, hi = piece[i].hi;
        for (i++; i < count && piece[i].lo <= hi + job->near; i++)
            hi = piece[i].hi;
        for (int c = cell_at(g, lo + least); face_of(g, c) < hi - least; c++)
            g->open[row + (size_t)c] |= SW_OPEN_X;
    }
}

// Between two rays on either side of a face.
static void open_between(const swVoxelJob *job, size_t row, const swRayPiece *p, int np,
                         const swRayPiece *q, int nq, unsigned char flag) {
    const swRayPiece *p_end = p + np, *q_end = q + nq;
    while (p < p_end && q < q_end) {
        open_cells(job->grid, row, sw_max(p->lo, q->lo), sw_min(p->hi, q->hi), flag);
        if (p->hi < q->hi)
            p++;
        else
            q++;
    }
}

static void open_row(const swVoxelJob *job, const swTileWorker *w, const swTileRays *r, int j,
                     int k) {
    const swGrid *g = job->grid;
    const int *y = job->y.first + j, *z = job->z.first + k;
    size_t row = (size_t)g->n[0] * ((size_t)j + (size_t)g->n[1] * (size_t)k);
    int np, nq;
    for (int b = z[0]; b < z[1]; b++) {
        for (int a = y[0]; a < y[1]; a++) {
            const swRayPiece *p = ray_at(w, r, a, b, &np);
            open_x(job, row, p, np);
        }
        if (j + 1 < g->n[1]) {
            const swRayPiece *p = ray_at(w, r, y[1] - 1, b, &np), *q = ray_at(w, r, y[1], b, &nq);
            open_between(job, row, p, np, q, nq, SW_OPEN_Y);
        }
    }
    for (int a = y[0]; a < y[1] && k + 1 < g->n[2]; a++) {
        const swRayPiece *p = ray_at(w, r, a, z[1] - 1, &np), *q = ray_at(w, r, a, z[1], &nq);
        open_between(job, row, p, np, q, nq, SW_OPEN_Z);
    }
}

// ---- the job ----

static bool fill_tile(const swVoxelJob *job, swTileWorker *w, int t) {
    const int *n = job->grid->n;
    int j0 = job->rows[0] * (t % job->ntile[0]), j1 = sw_min_int(j0 + job->rows[0], n[1]);
    int k0 = job->rows[1] * (t / job->ntile[0]), k1 = sw_min_int(k0 + job->rows[1], n[2]);
    // One slab more on the far sides, to see what the tile is connected to.
    swTileRays r = {job->y.first[j0], job->y.first[j1] + (j1 < n[1]), job->z.first[k0],
                    job->z.first[k1] + (k1 < n[2])};
    if (!cast_tile(job, w, &r))
        return false;
    w->tile.count = 0;
    for (int k = k0; k < k1; k++)
        for (int j = j0; j < j1; j++) {
            if (!sum_row(job, w, &r, j, k))
                return false;
            open_row(job, w, &r, j, k);
        }
    swVoxel *voxel = SW_NEW(&w->arena, w->tile.count, swVoxel, &w->error);
    if (!voxel)
        return false;
    if (w->tile.count > 0)
        memcpy(voxel, w->tile.item, (size_t)w->tile.count * sizeof *voxel);
    job->tile[t] = (swTile){voxel, w->tile.count};
    return true;
}

static void fill_tiles(int start, int end, int worker, void *arg) {
    swVoxelJob *job = arg;
    swTileWorker *w = &job->worker[worker];
    for (int t = start; t < end && !w->failed; t++)
        w->failed = !fill_tile(job, w, t);
}

// The voxels of a tile to their places in the grid.
static void copy_tiles(int start, int end, int worker, void *arg) {
    (void)worker;
    const swVoxelJob *job = arg;
    swGrid *g = job->grid;
    for (int t = start; t < end; t++)
        for (int i = 0, at = 0; i < job->tile[t].count; i++) {
            const swVoxel *v = &job->tile[t].voxel[i];
            at = i > 0 && v[-1].cell == v->cell ? at + 1 : g->first[v->cell];
            g->voxel[at] = *v;
        }
}

static bool is_empty(const swGrid *g, size_t cell) { return g->first[cell] == g->first[cell + 1]; }

// Nothing is connected to a cell whose slivers were dropped.
static void close_slivers(int start, int end, int worker, void *arg) {
    (void)worker;
    const swGrid *g = arg;
    const size_t step[3] = {1, (size_t)g->n[0], (size_t)g->n[0] * (size_t)g->n[1]};
    for (size_t c = (size_t)start; c < (size_t)end; c++)
        for (int k = 0; k < 3; k++)
            if ((g->open[c] & SW_OPEN_X << k) && (is_empty(g, c) || is_empty(g, c + step[k])))
                g->open[c] &= (unsigned char)~(SW_OPEN_X << k);
}

static swReal gap(const swVoxel *a, const swVoxel *b) {
    swVec3 d = sw_max3(sw_sub(a->lo, b->hi), sw_sub(b->lo, a->hi));
    return sw_max(sw_max(d.x, d.y), d.z);
}

// A cell that rays barely meet, at the tip of something, may miss its connection between two of
// them. Connects such a crumb with the neighbours that come as near as rays are to each other.
static void connect_crumb(const swGrid *g, int c) {
    const int step[3] = {1, g->n[0], g->n[0] * g->n[1]};
    const int i[3] = {c % g->n[0], c / g->n[0] % g->n[1], c / step[2]};
    const swVoxel *v = &g->voxel[g->first[c]];
    for (int k = 0; k < 3; k++)
        if (i[k] > 0 && (g->open[c - step[k]] & SW_OPEN_X << k))
            return;
    for (int side = 0; side < 6; side++) {
        int k = side / 2, to = side % 2 ? c + step[k] : c - step[k];
        if ((side % 2 ? i[k] + 1 < g->n[k] : i[k] > 0) && !is_empty(g, (size_t)to) &&
            gap(v, &g->voxel[g->first[to]]) < g->h / SW_SLABS)
            g->open[side % 2 ? c : to] |= (unsigned char)(SW_OPEN_X << k);
    }
}

// Gathers the tiles; counts stand in first[cell + 1].
static bool gather(swVoxelJob *job, const char *key, swPool *pool, swArena *arena, swError *error) {
    swGrid *g = job->grid;
    int ncell = g->n[0] * g->n[1] * g->n[2], ntile = job->ntile[0] * job->ntile[1];
    int64_t total = 0;
    for (int t = 0; t < ntile; t++)
        total += job->tile[t].count;
    if (total == 0)
        return sw_fail(error, SW_ERROR_GEOMETRY, "%s: the shape holds no volume", key);
    if (total > INT32_MAX)
        return sw_fail(error, SW_ERROR_LIMIT, "%s: %lld voxels are too many", key,
                       (long long)total);
    g->nvoxel = (int)total;
    for (int c = 0; c < ncell; c++)
        g->first[c + 1] += g->first[c];
    g->voxel = SW_NEW(arena, g->nvoxel, swVoxel, error);
    if (!g->voxel)
        return false;
    if (!sw_parallel_try(pool, ntile, 1, copy_tiles, job) ||
        !sw_parallel_try(pool, ncell, 1 << 16, close_slivers, g))
        return sw_fail_stopped(error);
    g->lo = g->voxel[0].lo;
    g->hi = g->voxel[0].hi;
    for (int i = 0; i < g->nvoxel; i++) {
        if (g->open[g->voxel[i].cell] == 0 && g->voxel[i].volume < CRUMB * g->h * g->h * g->h)
            connect_crumb(g, g->voxel[i].cell);
        g->volume += g->voxel[i].volume;
        g->lo = sw_min3(g->lo, g->voxel[i].lo);
        g->hi = sw_max3(g->hi, g->voxel[i].hi);
    }
    return true;
}

static void warn_unseen(const swVoxelJob *job, int nworker, const char *key,
                        const swConfig *config) {
    for (int s = 0; s < job->npaint; s++) {
        bool seen = false;
        for (int i = 0; i < nworker; i++)
            seen |= job->worker[i].painted[s];
        if (!seen && job->paint[s].material >= 0)
            sw_warn(config,
                    "%s: part %d of %d fills nothing: later parts cover it, or it is too thin for "
                    "voxels of %g m",
                    key, s + 1, job->npaint, job->grid->h);
    }
}

// Everything a worker needs but its growing lists.
static bool prepare(swVoxelJob *job, int nworker, swArena *scratch, swArena *arena,
                    swError *error) {
    swGrid *g = job->grid;
    size_t ncell = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
    if (!sw_slabs_cut(job->npaint, job->paint, job->lo, job->hi, g, 1, job->near, scratch, &job->y,
                      error) ||
        !sw_slabs_cut(job->npaint, job->paint, job->lo, job->hi, g, 2, job->near, scratch, &job->z,
                      error))
        return false;
    for (int axis = 0; axis < 2; axis++) {
        const int n = g->n[axis + 1], slabs = (axis ? &job->z : &job->y)->first[n];
        job->rows[axis] = sw_min_int(TILE, sw_max_int(1, (int)((int64_t)RAYS * n / slabs)));
        job->ntile[axis] = (n + job->rows[axis] - 1) / job->rows[axis];
    }
    job->tile = SW_NEW(scratch, (size_t)job->ntile[0] * (size_t)job->ntile[1], swTile, error);
    g->first = SW_NEW(arena, ncell + 1, int, error);
    g->open = SW_NEW(arena, ncell, unsigned char, error);
    if (!job->tile || !g->first || !g->open)
        return false;
    for (int i = 0; i < nworker; i++) {
        swTileWorker *w = &job->worker[i];
        w->painted = SW_NEW(scratch, job->npaint, bool, error);
        w->head = SW_NEW(scratch, g->n[0], int, error);
        if (!w->painted || !w->head)
            return false;
    }
    return true;
}

static bool voxelize(swVoxelJob *job, swReal h, const char *key, swPool *pool,
                     const swConfig *config, swArena *scratch, swArena *arena, swError *error) {
    int nworker = sw_pool_size(pool);
    job->lo = SW_NEW(scratch, job->npaint, swVec3, error);
    job->hi = SW_NEW(scratch, job->npaint, swVec3, error);
    job->worker = SW_NEW(scratch, nworker, swTileWorker, error);
    if (!job->lo || !job->hi || !job->worker)
        return false;
    if (!place_grid(job, h, key, error) || !prepare(job, nworker, scratch, arena, error))
        return false;
    swLockedAllocator locked;
    const swAllocator *allocator = sw_locked_init(&locked, &arena->allocator);
    for (int i = 0; i < nworker; i++)
        sw_arena_init(&job->worker[i].arena, allocator);
    bool ok = sw_parallel_try(pool, job->ntile[0] * job->ntile[1], 1, fill_tiles, job) ||
              sw_fail_stopped(error);
    for (int i = 0; i < nworker && ok; i++) {
        ok = !job->worker[i].failed;
        if (!ok && error)
            *error = job->worker[i].error;
    }
    ok = ok && gather(job, key, pool, arena, error);
    if (ok)
        warn_unseen(job, nworker, key, config);
    for (int i = 0; i < nworker; i++)
        sw_arena_free(&job->worker[i].arena);
    sw_locked_free(&locked);
    return ok;
}

static bool run(swVoxelJob *job, swReal h, const char *key, swPool *pool, const swConfig *config,
                swArena *arena, swError *error) {
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    bool ok = voxelize(job, h, key, pool, config, &scratch, arena, error);
    sw_arena_free(&scratch);
    return ok;
}

bool sw_voxelize(int npaint, const swPaint *paint, swReal h, const char *key, swPool *pool,
                 const swConfig *config, swArena *arena, swGrid *grid, swError *error) {
    swVoxelJob job = {.npaint = npaint, .paint = paint, .grid = grid};
    return run(&job, h, key, pool, config, arena, error);
}

bool sw_voxelize_even(int npaint, const swPaint *paint, swReal h, const char *key, swPool *pool,
                      const swConfig *config, swArena *arena, swGrid *grid, swError *error) {
    swVoxelJob job = {.npaint = npaint, .paint = paint, .grid = grid, .even = true};
    return run(&job, h, key, pool, config, arena, error);
}
