// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Dual contouring (Ju, Losasso, Schaefer and Warren 2002) on the net of the points inside.
#include "geometry/contour.h"

#include "geometry/quads.h"

#include <string.h>

enum { BLOCK = 16, MAX_POINTS = 400000000 };
#define INSIDE 1e-9 // of the size: points this near count as inside, so that abutting parts merge
#define ROOT 1e-6   // of a lattice edge: accuracy of a crossing
#define STEP 1e-4   // of a lattice edge: step of the finite differences for normals
#define FLAT 0.01   // smaller singular values, relative and squared, are curvature, not an edge
#define OFFSET 0.47 // of a lattice edge: how far the faces of the bounds lie beyond a lattice point
#define SLACK 0.1   // of a lattice edge: how far a vertex may leave its cell
#define TIP 1.0     // the same if the vertex comes within NEAR of the border
#define NEAR 0.05   // of a lattice edge

// Position and normal of the border where it crosses a lattice edge.
typedef struct swCrossing {
    swVec3 p, n;
} swCrossing;

// The tangent planes n . (x - p) = 0 around a vertex, with p relative to the centre of its cell.
typedef struct swPlanes {
    int count;
    swMat3 A;    // sum n n^T
    swVec3 b, c; // sum n (n . p), sum p
} swPlanes;

typedef struct swContour {
    int nsolid, nhole; // holes are last
    const swSolid *const *solid;
    swVec3 *lo, *hi; // bounds of each solid
    swVec3 origin;   // of the lattice
    swReal h[3];     // its edge lengths
    swReal least;    // the shortest edge length
    int n[3];        // numbers of points; those on the lattice's border count as outside
    swReal inside;
    unsigned char *in; // per point
    swQuads net;
    swCrossing *crossing; // one per edge of the net
    swPlanes *planes;     // one per vertex
    swSurface *surface;
} swContour;

static swVec3 point_at(const swContour *c, swReal i, swReal j, swReal k) {
    return sw_add(c->origin, sw_v3(i * c->h[0], j * c->h[1], k * c->h[2]));
}

// Signed distance to the union. The distance to a solid's bounds often saves evaluating the solid.
static swReal distance(const swContour *c, swVec3 p) {
    swReal best = INFINITY;
    for (int s = 0; s < c->nsolid; s++) {
        swVec3 out = sw_max3(sw_sub(c->lo[s], p), sw_sub(p, c->hi[s]));
        swReal reach = sw_max(best, 0);
        if (sw_norm2(sw_max3(out, sw_v3(0, 0, 0))) <= reach * reach)
            best = sw_min(best, sw_solid_distance(c->solid[s], p));
    }
    for (int s = c->nsolid; s < c->nsolid + c->nhole; s++)
        best = sw_max(best, -sw_solid_distance(c->solid[s], p));
    return best;
}

// ---- points inside ----

// Fills a cube of `size` points from i on, clipped to the interior of the lattice. If its centre is
// farther from the border than its corners are, all points are alike; otherwise the cube is split
// into octants.
static void fill(swContour *c, const int i[3], int size) {
    int end[3];
    for (int k = 0; k < 3; k++) {
        end[k] = sw_min_int(i[k] + size, c->n[k] - 1);
        if (i[k] >= end[k])
            return;
    }
    swVec3 middle =
        point_at(c, i[0] + 0.5 * (size - 1), i[1] + 0.5 * (size - 1), i[2] + 0.5 * (size - 1));
    swReal reach = 0.5 * (size - 1) * sw_norm(sw_v3(c->h[0], c->h[1], c->h[2]));
    swReal d = distance(c, middle);
    if (size > 1 && !(fabs(d) > reach + c->inside)) {
        int half = size / 2;
        for (int e = 0; e < 8; e++)
            fill(
                c,
                (int[3]){i[0] + half * (e & 1), i[1] + half * (e >> 1 & 1), i[2] + half * (e >> 2)},
                half);
        return;
    }
    if (!(d <= c->inside))
        return;
    for (int z = i[2]; z < end[2]; z++)
        for (int y = i[1]; y < end[1]; y++)
            memset(c->in + i[0] + (size_t)c->n[0] * ((size_t)y + (size_t)c->n[1] * (size_t)z), 1,
                   (size_t)(end[0] - i[0]));
}

static int blocks(const swContour *c, int axis) { return (c->n[axis] - 2 + BLOCK - 1) / BLOCK; }

static void fill_blocks(int start, int end, int worker, void *arg) {
    (void)worker;
    swContour *c = arg;
    int nx = blocks(c, 0), ny = blocks(c, 1);
    for (int b = start; b < end; b++)
        fill(c,
             (int[3]){1 + BLOCK * (b % nx), 1 + BLOCK * (b / nx % ny), 1 + BLOCK * (b / nx / ny)},
             BLOCK);
}

// ---- edge crossings ----

// Outward normal at p.
static swVec3 normal_at(const swContour *c, swVec3 p) {
    swReal step = STEP * c->least;
    swVec3 n = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        swVec3 a = p, b = p;
        sw_set(&a, k, sw_get(p, k) - step);
        sw_set(&b, k, sw_get(p, k) + step);
        sw_set(&n, k, distance(c, b) - distance(c, a));
    }
    return sw_unit(n);
}

// Finds a point just outside the border between a, inside, and b, outside, by false position with a
// bisection every third step. Inside, the distance may be that to a face shared by two parts.
static swVec3 find_crossing(const swContour *c, swVec3 a, swVec3 b) {
    swReal lo = 0, hi = 1, flo = distance(c, a), fhi = distance(c, b);
    for (int i = 1; hi - lo > ROOT && i < 90; i++) {
        swReal t = i % 3 == 0 ? 0.5 * (lo + hi) : lo + (hi - lo) * flo / (flo - fhi);
        t = t > lo + 0.4 * ROOT ? t : lo + 0.4 * ROOT; // this also handles a NaN
        t = t < hi - 0.4 * ROOT ? t : hi - 0.4 * ROOT;
        swReal f = distance(c, sw_lerp(a, b, t));
        if (f <= c->inside) {
            lo = t;
            flo = f;
        } else {
            hi = t;
            fhi = f;
        }
    }
    return sw_lerp(a, b, hi);
}

static void find_crossings(int start, int end, int worker, void *arg) {
    (void)worker;
    swContour *c = arg;
    for (int e = start; e < end; e++) {
        const swQuadEdge *edge = &c->net.edge[e];
        swCrossing *x = &c->crossing[e];
        int i[3];
        sw_quads_coordinates(&c->net, edge->point, i);
        swVec3 a = point_at(c, i[0], i[1], i[2]);
        i[edge->axis]++;
        swVec3 b = point_at(c, i[0], i[1], i[2]);
        bool out = c->in[edge->point] & 1; // the edge points outwards
        x->p = out ? find_crossing(c, a, b) : find_crossing(c, b, a);
        swReal d = distance(c, x->p);
        x->n = normal_at(c, x->p);
        if (!(sw_norm2(x->n) > 0.5)) // no gradient: use the edge's direction
            x->n = sw_scale(out ? 1 : -1, sw_unit(sw_sub(b, a)));
        // Project onto the border; this is exact where the border is flat.
        if (fabs(d) < ROOT * 10 * c->h[edge->axis])
            x->p = sw_madd(x->p, -d, x->n);
    }
}

// ---- vertices ----

static swVec3 cell_center(const swContour *c, int cell) {
    int i[3];
    sw_quads_coordinates(&c->net, cell, i);
    return point_at(c, i[0] + 0.5, i[1] + 0.5, i[2] + 0.5);
}

static void add_plane(swPlanes *planes, swVec3 p, swVec3 n) {
    swReal v[3] = {n.x, n.y, n.z};
    for (int i = 0; i < 9; i++)
        planes->A.m[i] += v[i / 3] * v[i % 3];
    planes->b = sw_madd(planes->b, sw_dot(n, p), n);
    planes->c = sw_add(planes->c, p);
    planes->count++;
}

static void collect_planes(swContour *c) {
    for (int e = 0; e < c->net.nedge; e++)
        for (int i = 0; i < 4; i++) {
            const swCrossing *x = &c->crossing[e];
            int v = c->net.edge[e].vertex[i];
            add_plane(&c->planes[v], sw_sub(x->p, cell_center(c, c->net.cell[v])), x->n);
        }
}

static bool in_cell(const swContour *c, swVec3 x, swReal slack) {
    return fabs(x.x) <= (0.5 + slack) * c->h[0] && fabs(x.y) <= (0.5 + slack) * c->h[1] &&
           fabs(x.z) <= (0.5 + slack) * c->h[2];
}

// The point with the least squared distance to the planes, and, in directions that they leave
// undetermined, to the mean of the crossings: three planes make a corner, two an edge, one a face.
// It may leave its cell to reach a tip between lattice points; any other point outside drops the
// weakest plane.
static swVec3 solve_planes(const swContour *c, int vertex) {
    const swPlanes *planes = &c->planes[vertex];
    swMat3 V;
    swVec3 w, mean = sw_scale(1.0 / planes->count, planes->c);
    swVec3 at = cell_center(c, c->net.cell[vertex]);
    sw_mat_eigen(planes->A, &w, &V);
    swVec3 r = sw_mul_t(V, sw_sub(planes->b, sw_mul(planes->A, mean)));
    for (int drop = 0; drop < 3; drop++) {
        if (!(sw_get(w, drop) > FLAT * w.z))
            continue;
        swVec3 t = {drop < 1 ? r.x / w.x : 0, drop < 2 ? r.y / w.y : 0, r.z / w.z};
        swVec3 x = sw_add(mean, sw_mul(V, t));
        if (in_cell(c, x, SLACK) ||
            (in_cell(c, x, TIP) && fabs(distance(c, sw_add(at, x))) < NEAR * c->least))
            return sw_add(at, x);
    }
    return sw_add(at, mean);
}

static void place_vertices(int start, int end, int worker, void *arg) {
    (void)worker;
    swContour *c = arg;
    for (int v = start; v < end; v++)
        c->surface->X[v] = solve_planes(c, v);
}

// ---- putting it together ----

// The lattice lies evenly about the middle of the bounds, and a plate thinner than h also has
// points inside. The offset keeps the faces of the bounds, and those at simple fractions of the
// bounds, off the lattice. The number of points inside is even: planes of symmetry then pass
// through the middle of cells, where vertices are, and every quadrangle has a mirror image.
static bool place_lattice(swContour *c, swReal h, swError *error) {
    swVec3 lo = sw_v3(INFINITY, INFINITY, INFINITY), hi = sw_scale(-1, lo);
    for (int s = 0; s < c->nsolid; s++) {
        sw_solid_bounds(c->solid[s], &c->lo[s], &c->hi[s]);
        lo = sw_min3(lo, c->lo[s]);
        hi = sw_max3(hi, c->hi[s]);
    }
    swVec3 extent = sw_sub(hi, lo);
    swReal size = sw_max(sw_max(extent.x, extent.y), extent.z), total = 1, n[3];
    if (c->nsolid == 0 || !sw_finite3(extent) || !(size > 0))
        return sw_fail(error, SW_ERROR_GEOMETRY, "expected a bounded solid to contour, found %s",
                       c->nsolid == 0 ? "none"
                       : size > 0     ? "one without bounds"
                                      : "a point");
    if (!(h > 0) || !isfinite(h))
        return sw_fail(error, SW_ERROR_VALUE, "expected a positive resolution, found %g", h);
    for (int k = 0; k < 3; k++) {
        n[k] = sw_max(2, 2 * ceil(0.5 * (sw_get(extent, k) / h + 1 - 2 * OFFSET) - 1e-9));
        total *= n[k] + 2;
    }
    if (!(total <= MAX_POINTS))
        return sw_fail(error, SW_ERROR_LIMIT,
                       "a surface at a resolution of %g m needs %.3g lattice points, more than the "
                       "limit of %d",
                       h, total, MAX_POINTS);
    c->inside = INSIDE * size;
    for (int k = 0; k < 3; k++) {
        c->n[k] = (int)n[k] + 2;
        c->h[k] = sw_max(sw_get(extent, k) / (n[k] - 1 + 2 * OFFSET), c->inside);
        sw_set(&c->origin, k, sw_get(lo, k) - (1 - OFFSET) * c->h[k]);
    }
    c->least = sw_min(sw_min(c->h[0], c->h[1]), c->h[2]);
    return true;
}

static bool contour(swContour *c, swReal h, swPool *pool, swArena *scratch, swArena *arena,
                    swError *error) {
    c->lo = SW_NEW(scratch, c->nsolid, swVec3, error);
    c->hi = SW_NEW(scratch, c->nsolid, swVec3, error);
    if (!c->lo || !c->hi || !place_lattice(c, h, error))
        return false;
    size_t npoint = (size_t)c->n[0] * (size_t)c->n[1] * (size_t)c->n[2];
    c->in = SW_NEW(scratch, npoint, unsigned char, error);
    if (!c->in)
        return false;
    sw_parallel_for(pool, blocks(c, 0) * blocks(c, 1) * blocks(c, 2), 1, fill_blocks, c);
    if (!sw_quads_create(c->n, c->in, scratch, &c->net, error))
        return false;
    if (c->net.nedge == 0)
        return sw_fail(error, SW_ERROR_GEOMETRY,
                       "the shape is too thin for a surface at this resolution");
    swSurface *s = c->surface;
    *s = (swSurface){.nvertex = c->net.nvertex, .ntriangle = 2 * c->net.nedge};
    s->X = SW_NEW(arena, s->nvertex, swVec3, error);
    s->triangle = SW_NEW(arena, 3 * (size_t)s->ntriangle, int, error);
    c->crossing = SW_NEW(scratch, c->net.nedge, swCrossing, error);
    c->planes = SW_NEW(scratch, c->net.nvertex, swPlanes, error);
    if (!s->X || !s->triangle || !c->crossing || !c->planes)
        return false;
    sw_parallel_for(pool, c->net.nedge, 256, find_crossings, c);
    collect_planes(c);
    sw_parallel_for(pool, s->nvertex, 1024, place_vertices, c);
    sw_quads_triangles(&c->net, s->X, pool, s->triangle);
    return true;
}

bool sw_contour(int nsolid, const swSolid *const *solid, int nhole, swReal h, swPool *pool,
                swArena *arena, swSurface *surface, swError *error) {
    swContour c = {.nsolid = nsolid - nhole, .nhole = nhole, .solid = solid, .surface = surface};
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    bool ok = contour(&c, h, pool, &scratch, arena, error);
    sw_arena_free(&scratch);
    return ok;
}
