// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/tets_moments.h"

#include "volume/rays.h"
#include "volume/slabs.h"

enum {
    ACROSS = 8,      // slabs of a cell, at least
    MOST = 16000000, // rays: fewer slabs where there would be more
    ENOUGH = 6,      // rays that tell what is in a tetrahedron
};
#define FULL 1e-9 // of a tetrahedron: less is missing nothing

// All rays, cast when they are asked for.
typedef struct {
    const swTetPaint *from;
    swVec3 *lo, *hi; // of each solid
    int n[2];        // slabs across y and z
    swReal *edge[2]; // n + 1
    int *first;      // [n[0] n[1]]: 1 + the first piece of each ray, 0: not cast
    int *count;
    swPieceList piece;
    swRay ray;
    swArena *arena;
    swError *error;
} swRayField;

// Slabs of the voxels, in parts that are thin enough.
static bool cut_slabs(swRayField *f, int axis, int across, swReal near) {
    const swGrid *g = f->from->grid;
    swSlabs slabs;
    if (!sw_slabs_cut(f->from->n, f->from->paint, f->lo, f->hi, g, axis, near, f->arena, &slabs,
                      f->error))
        return false;
    SW_LIST(swReal) edge = {0};
    const int n = slabs.first[g->n[axis]];
    for (int s = 0; s < n; s++) {
        const swReal from = slabs.edge[s], to = slabs.edge[s + 1];
        const int parts = sw_max_int(1, (int)ceil(across * (to - from) / g->h - 1e-6));
        for (int k = 0; k < parts; k++) {
            swReal *last = SW_PUSH(&edge, f->arena, f->error);
            if (!last)
                return false;
            *last = from + k * (to - from) / parts;
        }
    }
    swReal *end = SW_PUSH(&edge, f->arena, f->error);
    if (!end)
        return false;
    *end = slabs.edge[n];
    f->edge[axis - 1] = edge.item;
    f->n[axis - 1] = edge.count - 1;
    return true;
}

static bool make_field(swRayField *f) {
    const swTetPaint *p = f->from;
    const swGrid *g = p->grid;
    f->lo = SW_NEW(f->arena, p->n, swVec3, f->error);
    f->hi = SW_NEW(f->arena, p->n, swVec3, f->error);
    if (!f->lo || !f->hi)
        return false;
    for (int s = 0; s < p->n; s++) {
        sw_solid_bounds(p->paint[s].solid, &f->lo[s], &f->hi[s]);
        f->lo[s] = sw_max3(f->lo[s], g->lo); // holes may be without bounds
        f->hi[s] = sw_min3(f->hi[s], g->hi);
    }
    int across = ACROSS;
    while (across > 1 && (swReal)g->n[1] * g->n[2] * across * across > MOST)
        across--;
    if (!cut_slabs(f, 1, across, 1e-12 * g->h) || !cut_slabs(f, 2, across, 1e-12 * g->h))
        return false;
    const size_t n = (size_t)f->n[0] * (size_t)f->n[1];
    return (f->first = SW_NEW(f->arena, n, int, f->error)) &&
           (f->count = SW_NEW(f->arena, n, int, f->error));
}

// The slab that holds p, the outer ones taking what is beyond.
static int slab_at(const swRayField *f, int axis, swReal p) {
    int lo = 0, hi = f->n[axis] - 1;
    while (lo < hi) {
        const int middle = (lo + hi + 1) / 2;
        if (f->edge[axis][middle] <= p)
            lo = middle;
        else
            hi = middle - 1;
    }
    return lo;
}

static swReal middle_of(const swRayField *f, int axis, int slab) {
    return 0.5 * (f->edge[axis][slab] + f->edge[axis][slab + 1]);
}

// What is along the ray of slabs a and b.
static bool ray_at(swRayField *f, int a, int b, const swRayPiece **piece, int *count) {
    static const swRayPiece none;
    const ptrdiff_t at = a + (ptrdiff_t)f->n[0] * b;
    if (f->first[at] == 0) {
        f->first[at] = 1 + f->piece.count;
        if (!sw_ray_cast(&f->ray, f->from->n, f->from->paint, f->lo, f->hi, middle_of(f, 0, a),
                         middle_of(f, 1, b), f->arena, f->error))
            return false;
        for (int i = 0; i < f->ray.piece.count; i++) {
            if (f->from->paint[f->ray.piece.item[i].paint].material < 0)
                continue;
            swRayPiece *last = SW_PUSH(&f->piece, f->arena, f->error);
            if (!last)
                return false;
            *last = f->ray.piece.item[i];
            f->count[at]++;
        }
    }
    *count = f->count[at];
    *piece = *count ? f->piece.item + f->first[at] - 1 : &none;
    return true;
}

static void add_stuff(const swTetPaint *from, const swRayPiece *piece, swReal volume,
                      swTetMoments *out) {
    const swPaint *paint = &from->paint[piece->paint];
    const swPaintEntry plain = {paint->material, SW_NO_LABEL, 1, 1};
    const swPaintEntry *e = paint->palette ? &paint->palette[piece->entry] : &plain;
    const swTetStuff *stuff = &from->stuff[e->material];
    int i = 0;
    while (i < out->nmaterial && out->material[i] != e->material)
        i++;
    if (i == out->nmaterial && i < SW_TET_MIXED)
        out->material[out->nmaterial++] = e->material;
    const swReal soft = volume / (stuff->young * e->stiffness);
    if (i < out->nmaterial) {
        out->share[i] += volume;
        out->soft[i] += soft;
    }
    out->mass += volume * stuff->density * e->density;
    out->compliance += soft;
}

// The corners of a tetrahedron, and its barycentric coordinates along a ray: at + along * x.
typedef struct {
    swVec3 X[4], slope[4], lo, hi;
    swReal volume;
} swRayTet;

static swRayTet ray_tet(const swTetMesh *mesh, int tet) {
    static const swReal middle[4] = {0.25, 0.25, 0.25, 0.25};
    swRayTet t;
    for (int i = 0; i < 4; i++) {
        t.X[i] = mesh->X[sw_tets_at(mesh, tet)[i]];
        t.lo = i ? sw_min3(t.lo, t.X[i]) : t.X[i];
        t.hi = i ? sw_max3(t.hi, t.X[i]) : t.X[i];
    }
    t.volume = sw_tet_gradients(1, t.X, middle, t.slope) / 6;
    return t;
}

// Where the ray through (y, z) is inside; false: nowhere.
static bool clip(const swRayTet *t, swReal y, swReal z, swReal *from, swReal *to) {
    *from = t->lo.x;
    *to = t->hi.x;
    for (int i = 0; i < 4; i++) {
        const swVec3 *corner = &t->X[(i + 1) % 4]; // where coordinate i is zero
        const swReal along = t->slope[i].x, at = t->slope[i].y * (y - corner->y) +
                                                 t->slope[i].z * (z - corner->z) -
                                                 along * corner->x;
        if (along > 0)
            *from = sw_max(*from, -at / along);
        else if (along < 0)
            *to = sw_min(*to, -at / along);
        else if (at < 0)
            return false;
    }
    return *from < *to;
}

// What is in a tetrahedron along one ray; the length that is inside of it, or -1 without memory.
static swReal add_ray(swRayField *f, const swRayTet *t, int a, int b, swTetMoments *out) {
    const swGrid *g = f->from->grid;
    const swReal y = middle_of(f, 0, a), z = middle_of(f, 1, b),
                 dy = f->edge[0][a + 1] - f->edge[0][a], dz = f->edge[1][b + 1] - f->edge[1][b];
    const swRayPiece *piece;
    swReal from, to;
    int count;
    // Rays often run along faces: a little aside they are in one of two tetrahedra.
    if (!clip(t, y + 0.37e-6 * g->h, z + 0.61e-6 * g->h, &from, &to))
        return 0;
    if (!ray_at(f, a, b, &piece, &count))
        return -1;
    for (int i = 0; i < count; i++) {
        const swReal lo = sw_max(from, piece[i].lo), hi = sw_min(to, piece[i].hi);
        if (!(lo < hi))
            continue;
        const swReal volume = (hi - lo) * dy * dz;
        const swVec3 o = g->origin;
        sw_moments_add(out, volume, sw_v3(lo - o.x, y - o.y, z - o.z),
                       sw_v3(hi - o.x, y - o.y, z - o.z));
        out->second.y += volume * dy * dy / 12;
        out->second.z += volume * dz * dz / 12;
        add_stuff(f->from, &piece[i], volume, out);
    }
    return (to - from) * dy * dz;
}

// As if all of a tetrahedron were what there is of it.
static void set_full(const swTetPaint *from, const swRayTet *t, swTetMoments *m) {
    if (m->volume > 0)
        sw_moments_scale(m, t->volume / m->volume);
    m->volume = 0;
    m->first = m->second = m->mixed = sw_v3(0, 0, 0);
    const swVec3 c = sw_scale(0.25, sw_add(sw_add(t->X[0], t->X[1]), sw_add(t->X[2], t->X[3])));
    for (int i = 0; i < 4; i++) { // points at 1 / sqrt 5 of the way to the corners have all moments
        const swVec3 p = sw_sub(sw_lerp(c, t->X[i], 1 / sqrt(5)), from->grid->origin);
        sw_moments_add(m, 0.25 * t->volume, p, p);
    }
    m->full = true;
}

// A tetrahedron that hardly any ray meets is of what is in its middle.
static bool look_inside(swRayField *f, const swRayTet *t, swTetMoments *m) {
    const swVec3 c = sw_scale(0.25, sw_add(sw_add(t->X[0], t->X[1]), sw_add(t->X[2], t->X[3])));
    const swPaint *paint = f->from->paint;
    *m = (swTetMoments){0};
    if (!sw_ray_cast(&f->ray, f->from->n, paint, f->lo, f->hi, c.y, c.z, f->arena, f->error))
        return false;
    for (int i = 0; i < f->ray.piece.count; i++) {
        const swRayPiece *p = &f->ray.piece.item[i];
        if (p->lo > c.x || p->hi < c.x || paint[p->paint].material < 0)
            continue;
        add_stuff(f->from, p, t->volume, m);
        set_full(f->from, t, m);
        return true;
    }
    return true;
}

static bool look(swRayField *f, const swRayTet *t, swTetMoments *m) {
    const int y0 = slab_at(f, 0, t->lo.y), y1 = slab_at(f, 0, t->hi.y), z0 = slab_at(f, 1, t->lo.z),
              z1 = slab_at(f, 1, t->hi.z);
    swReal seen = 0;
    int rays = 0;
    for (int b = z0; b <= z1; b++)
        for (int a = y0; a <= y1; a++) {
            const swReal volume = add_ray(f, t, a, b, m);
            if (volume < 0)
                return false;
            seen += volume;
            rays += volume > 0;
        }
    if (rays < ENOUGH)
        return look_inside(f, t, m);
    if (m->volume > (1 - FULL) * seen)
        set_full(f->from, t, m);
    else
        sw_moments_scale(m, t->volume / seen);
    return true;
}

// Of a cell that one voxel fills, tetrahedra that are inside of it need no rays.
static bool is_whole(const swTetPaint *from, int cell, const swTetOrigin *origin,
                     const int vertex[4], swTetMoments *m, const swRayTet *t) {
    const swGrid *g = from->grid;
    const int v = g->first[cell];
    if (g->first[cell + 1] - v != 1 || g->voxel[v].volume < (1 - FULL) * g->h * g->h * g->h)
        return false;
    for (int i = 0; i < 4; i++)
        if (origin->moved[vertex[i]])
            return false;
    const swVoxel *voxel = &g->voxel[v];
    m->nmaterial = 1;
    m->material[0] = voxel->material;
    m->share[0] = t->volume;
    m->mass = t->volume * voxel->density * from->stuff[voxel->material].density;
    m->compliance = m->soft[0] =
        t->volume / (voxel->stiffness * from->stuff[voxel->material].young);
    set_full(from, t, m);
    return true;
}

bool sw_tets_moments(const swTetPaint *paint, const int *cell, const swTetOrigin *origin,
                     const swTetMesh *mesh, swTetMoments *out, swArena *arena, swError *error) {
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    swRayField f = {.from = paint, .arena = &scratch, .error = error};
    bool ok = make_field(&f);
    for (int t = 0; t < mesh->ntet && ok; t++) {
        const swRayTet tet = ray_tet(mesh, t);
        out[t] = (swTetMoments){0};
        if (!is_whole(paint, cell[origin->from[t]], origin, sw_tets_at(mesh, t), &out[t], &tet))
            ok = look(&f, &tet, &out[t]);
    }
    sw_arena_free(&scratch);
    return ok;
}
