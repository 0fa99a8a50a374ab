// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "compile/bricked.h"

#include "volume/voxelize.h"

#include <string.h>

// ---- what is held ----

typedef struct {
    const swBodyBuild *body;
    const swSite *site;
    int index;    // of the site
    swReal reach; // how far beyond a flat region it holds
} swHeld;

static swReal depth_of(void *context, swVec3 p) {
    const swHeld *h = context;
    const swGrid *g = &h->body->grid;
    return h->site->region ? h->reach - sw_solid_distance(h->site->region, p)
                           : -sw_grid_distance(g, h->index, p, 2 * g->h);
}

static bool is_flat(const swSolid *region, swReal h) {
    swVec3 lo, hi;
    sw_solid_bounds(region, &lo, &hi);
    const swVec3 size = sw_sub(hi, lo);
    return !(sw_min(size.x, sw_min(size.y, size.z)) > 0.125 * h);
}

// A flat region takes no material away, and faces lie in it.
static void flatten(swBricks *b, int first, const swSolid *region) {
    const swReal step = 1e-3 * b->grid->h;
    for (int i = first; i < b->face.count; i++) {
        swVec3 *X = &b->face.item[i].X, slope;
        const swReal far = sw_solid_distance(region, *X);
        for (int k = 0; k < 3; k++) {
            swVec3 p = *X;
            sw_set(&p, k, sw_get(*X, k) + step);
            sw_set(&slope, k, (sw_solid_distance(region, p) - far) / step);
        }
        const swReal length = sw_norm(slope);
        if (length > 0)
            *X = sw_madd(*X, -far / length, slope);
    }
}

static bool hold_all(const swBodyBuild *body, swArena *arena, swBodyBricks *out, swError *error) {
    swBricks *b = &out->bricks;
    swBrickPoint *all = NULL;
    out->first_face = SW_NEW(arena, body->nhandle + 1, int, error);
    for (int i = 0; out->first_face && i < body->nhandle; i++) {
        const swSite *site = &body->handles.item[i];
        const bool flat = site->region && is_flat(site->region, b->grid->h);
        swHeld held = {.body = body,
                       .site = site,
                       .index = body->nsite - body->nhandle + i,
                       .reach = flat ? b->grid->h / 31 : 0};
        const int first = b->face.count;
        const size_t bytes = (size_t)b->start[b->n] * sizeof *all;
        if (flat && !all && !(all = SW_NEW(arena, b->start[b->n], swBrickPoint, error)))
            return false;
        if (flat)
            memcpy(all, b->point, bytes);
        if (!sw_bricks_hold(b, depth_of, &held, arena, error))
            return false;
        if (flat) {
            memcpy(b->point, all, bytes);
            flatten(b, first, site->region);
        }
        out->first_face[i + 1] = b->face.count;
    }
    return out->first_face != NULL;
}

bool sw_build_is_held(const swBodyBuild *body, swVec3 p) {
    for (int i = 0; i < body->nhandle; i++) {
        swHeld held = {
            .body = body, .site = &body->handles.item[i], .index = body->nsite - body->nhandle + i};
        if (depth_of(&held, p) > -1e-6 * body->grid.h)
            return true;
    }
    return false;
}

// Twice the volume over the area of the surface: the thickness of a plate.
static swReal thickness_of(const swBodyBuild *body) {
    const swSurface *s = &body->surface;
    swReal area = 0;
    for (int t = 0; t < s->ntriangle; t++) {
        const int *v = s->triangle + 3 * (ptrdiff_t)t;
        area += sw_norm(sw_cross(sw_sub(s->X[v[1]], s->X[v[0]]), sw_sub(s->X[v[2]], s->X[v[0]])));
    }
    return 4 * body->grid.volume / area;
}

// Voxels along the edge of a brick: few bricks will do, whose fields are quadratic. Plates that
// are as thin as these are wide take more of them: at a Poisson's ratio of 0.49 they were 2 to 5 %
// too stiff.
static int brick_size(const swBodyBuild *body, const swGrid *g) {
    enum { LEAST = 2, MANY = 450 };
    const bool thin = cbrt(g->volume / MANY) > 0.8 * thickness_of(body);
    int across = LEAST;
    const swReal n = g->volume / (g->h * g->h * g->h);
    while (n / (across * across * across) > (thin ? 2 * MANY : MANY))
        across++;
    return across;
}

// ---- voxels of their own ----

// The body's voxel in a cell that is nearest to p, of its material where there is one.
static int voxel_in(const swGrid *g, int cell, int material, swVec3 p, swReal *least) {
    int found = -1;
    for (int i = g->first[cell]; i < g->first[cell + 1]; i++) {
        const swVoxel *v = &g->voxel[i];
        const swReal far = sw_norm(sw_sub(p, sw_min3(sw_max3(p, v->lo), v->hi))) +
                           (v->material == material ? 0 : g->h);
        if (far < *least) {
            *least = far;
            found = i;
        }
    }
    return found;
}

// That of the cell that p is in, or of one around it: slivers are lost where voxels are large.
static int voxel_around(const swGrid *g, int material, swVec3 p) {
    const int cell = sw_grid_cell(g, p),
              at[3] = {cell % g->n[0], cell / g->n[0] % g->n[1], cell / g->n[0] / g->n[1]};
    swReal least = INFINITY;
    int found = voxel_in(g, cell, material, p, &least);
    for (int k = 0; k < 27 && g->first[cell] == g->first[cell + 1]; k++) {
        const int x = at[0] + k % 3 - 1, y = at[1] + k / 3 % 3 - 1, z = at[2] + k / 9 - 1;
        if (x < 0 || y < 0 || z < 0 || x >= g->n[0] || y >= g->n[1] || z >= g->n[2])
            continue;
        const int other = voxel_in(g, x + g->n[0] * (y + g->n[1] * z), material, p, &least);
        found = other >= 0 ? other : found;
    }
    return found;
}

static bool is_even(const swGrid *g) {
    return g->n[0] % 2 == 0 && g->n[1] % 2 == 0 && g->n[2] % 2 == 0;
}

// Voxels of another edge than the body's: points of bricks then tell where the surface and borders
// of materials are. Their number along each axis is one for which bricks lie evenly about the
// middle. `home` leads from each to the body's own.
// Where some have none, as crumbs are taken out of the body, it keeps its own, unless they may
// stay.
static bool refine(const swBuilder *b, const swBodyBuild *body, swReal h, bool crumbs,
                   swArena *arena, swBodyBricks *out, swError *error) {
    swConfig quiet = *b->config;
    quiet.log = NULL; // all has been said of the body's own
    if (!sw_voxelize_even(body->nsolid, body->paint, h, body->key, b->pool, &quiet, arena,
                          &out->grid, error) ||
        !(out->home = SW_NEW(arena, out->grid.nvoxel, int, error)))
        return false;
    for (int i = 0; i < out->grid.nvoxel; i++) {
        swVoxel *v = &out->grid.voxel[i];
        v->stuff = v->material;
        if ((out->home[i] = voxel_around(&body->grid, v->material, v->centroid)) >= 0 || crumbs)
            continue;
        out->home = NULL;
        out->grid = body->grid;
        return true;
    }
    return true;
}

// A body of few voxels gets finer ones for its bricks.
static int times_finer(const swGrid *g) {
    enum { MANY = 12000 };
    int times = 1;
    const swReal filled = g->volume / (g->h * g->h * g->h);
    while (filled * (times + 1) * (times + 1) * (times + 1) <= MANY && times < 3)
        times++;
    return times;
}

// ---- their stiffness ----

// Of out->grid.
static bool make_bricks(const swBuilder *b, const swBodyBuild *body, int across, swArena *arena,
                        swBodyBricks *out, swError *error) {
    const swGrid *g = &out->grid;
    const swVec3 size = sw_sub(g->hi, g->lo);
    if (!(out->stuff = SW_NEW(arena, b->material.count, swBrickStuff, error)))
        return false;
    for (int i = 0; i < b->material.count; i++) {
        const swMaterialInfo *m = &b->material.item[i];
        swReal D[6][6];
        sw_build_rest(m, D);
        out->stuff[i] = sw_brick_stuff((const swReal(*)[6])D, m->density);
        if (m->fibre_stiffness > 0)
            sw_brick_slack(&out->stuff[i], m->fibre, 2 * m->fibre_stiffness);
    }
    out->ground = 1e-7 * sw_build_softest(b, g) / sw_norm2(size);
    if (!sw_bricks_create(g, across, arena, &out->bricks, error) ||
        !hold_all(body, arena, out, error) ||
        !sw_bricks_kink(&out->bricks, out->stuff, arena, error) ||
        !sw_bricks_stiffness(&out->bricks, out->stuff, arena, &out->matrix, error))
        return false;
    sw_bricks_ground(&out->bricks, out->ground, &out->matrix);
    if (!sw_bricks_merge(&out->bricks, arena, error))
        return false;
    return sw_bricks_factor(&out->matrix) ||
           sw_fail(error, SW_ERROR_NOT_CONVERGED,
                   "%s: the stiffness of its bricks is not positive definite", body->key);
}

const swBodyBricks *sw_build_bricks(swBuilder *b, swBodyBuild *body, swError *error) {
    if (body->bricks)
        return body->bricks;
    const swGrid *g = &body->grid;
    const int times = times_finer(g);
    const bool keep = times == 1 && (brick_size(body, g) % 2 || is_even(g));
    swBodyBricks *out = SW_NEW(&b->arena, 1, swBodyBricks, error);
    if (!out)
        return NULL;
    out->grid = *g;
    if ((!keep && !refine(b, body, g->h / times, false, &b->arena, out, error)) ||
        !make_bricks(b, body, brick_size(body, &out->grid), &b->arena, out, error))
        return NULL;
    return body->bricks = out;
}

bool sw_build_finer_bricks(swBuilder *b, const swBodyBuild *body, swArena *arena, swBodyBricks *out,
                           swError *error) {
    const swBodyBricks *own = body->bricks;
    const int wide = own->bricks.across;
    *out = (swBodyBricks){.grid = own->grid};
    return wide > 2 ? make_bricks(b, body, (2 * wide + 1) / 3, arena, out, error)
                    : refine(b, body, own->grid.h * 2 / 3, true, arena, out, error) &&
                          make_bricks(b, body, wide, arena, out, error);
}

// ---- loads ----

typedef struct {
    const swBodyBuild *body;
    const swBodyBricks *own;
    swVec3 flip;
    swReal share;
    swReal *f;
} swPush;

static bool push_nodes(const swForceAt *at, void *arg, swError *error) {
    (void)error;
    const swPush *push = arg;
    const swBricks *b = &push->own->bricks;
    const swVec3 p = sw_mirrors_image(&push->body->mirrors, push->flip, at->p),
                 f = sw_mul(sw_mat_t(push->body->R), at->f);
    const int brick = sw_bricks_find(b, p);
    swReal N[SW_BRICK_NODES];
    sw_brick_shape(b, brick, p, N, NULL);
    for (int k = 0; k < SW_BRICK_NODES; k++)
        for (int r = 0; r < 3; r++)
            push->f[3 * b->node[SW_BRICK_NODES * brick + k] + r] +=
                push->share * N[k] * sw_get(push->flip, r) * sw_get(f, r);
    return true;
}

bool sw_build_push_loads(swBuilder *b, const swBodyBuild *body, const swBodyBricks *own,
                         swVec3 flip, swReal share, swReal *f, swError *error) {
    swPush push = {body, own, flip, share, f};
    return sw_loads_visit(b, body, push_nodes, &push, error);
}
