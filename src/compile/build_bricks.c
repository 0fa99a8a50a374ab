// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "compile/bricked.h"

#include <string.h>

// ---- what is held ----

typedef struct {
    const swBodyBuild *body;
    const swSite *site;
    int index;    // of the site
    swReal reach; // how far beyond a flat region it holds
    int cell;     // that was last asked for, without a region,
    swReal depth; // and what was found
} swHeld;

// 1: its material is held, -1: is not, 0: there is none.
static int holds_cell(const swHeld *h, int x, int y, int z) {
    const swGrid *g = &h->body->grid;
    if (x < 0 || y < 0 || z < 0 || x >= g->n[0] || y >= g->n[1] || z >= g->n[2])
        return 0;
    const int cell = x + g->n[0] * (y + g->n[1] * z);
    for (int i = g->first[cell]; i < g->first[cell + 1]; i++)
        if (g->voxel[i].owner == h->index)
            return 1;
    return g->first[cell + 1] > g->first[cell] ? -1 : 0;
}

// Cells that are like all around them are far from the border.
static swReal depth_of(void *context, swVec3 p) {
    swHeld *h = context;
    const swGrid *g = &h->body->grid;
    if (h->site->region)
        return h->reach - sw_solid_distance(h->site->region, p);
    const int cell = sw_grid_cell(g, p), x = cell % g->n[0], y = cell / g->n[0] % g->n[1],
              z = cell / g->n[0] / g->n[1];
    if (cell == h->cell)
        return h->depth;
    const int own = holds_cell(h, x, y, z);
    bool alike = own != 0;
    for (int i = 0; i < 27 && alike; i++)
        alike = holds_cell(h, x + i % 3 - 1, y + i / 3 % 3 - 1, z + i / 9 - 1) != -own;
    h->cell = cell;
    return h->depth = (own > 0 ? 1 : -1) * (alike ? 2 : 1e-3) * g->h;
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
    for (int i = first; i < b->nface; i++) {
        swVec3 *X = &b->face[i].X, slope;
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
        swHeld held = {body, site, body->nsite - body->nhandle + i, flat ? b->grid->h / 31 : 0,
                       .cell = -1};
        const int first = b->nface;
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
        out->first_face[i + 1] = b->nface;
    }
    return out->first_face != NULL;
}

bool sw_build_is_held(const swBodyBuild *body, swVec3 p) {
    for (int i = 0; i < body->nhandle; i++) {
        swHeld held = {body, &body->handles.item[i], body->nsite - body->nhandle + i, 0,
                       .cell = -1};
        if (depth_of(&held, p) > -1e-6 * body->grid.h)
            return true;
    }
    return false;
}

// Voxels along the edge of a brick: few bricks will do, whose fields are quadratic.
static int brick_size(const swGrid *g) {
    enum { LEAST = 2, MANY = 450 };
    int across = LEAST;
    while (g->nvoxel / (across * across * across) > MANY)
        across++;
    return across;
}

const swBodyBricks *sw_build_bricks(swBuilder *b, swBodyBuild *body, swError *error) {
    const swGrid *g = &body->grid;
    const swVec3 size = sw_sub(g->hi, g->lo);
    if (body->bricks)
        return body->bricks;
    swBodyBricks *out = SW_NEW(&b->arena, 1, swBodyBricks, error);
    if (!out || !(out->stuff = SW_NEW(&b->arena, b->material.count, swBrickStuff, error)) ||
        !sw_bricks_create(g, brick_size(g), &b->arena, &out->bricks, error) ||
        !hold_all(body, &b->arena, out, error))
        return NULL;
    for (int i = 0; i < b->material.count; i++) {
        const swMaterialInfo *m = &b->material.item[i];
        out->stuff[i] = (swBrickStuff){
            .shear = m->lame[0], .bulk = m->lame[1] + 2.0 / 3 * m->lame[0], .density = m->density};
    }
    out->ground = 1e-7 * sw_build_softest(b, g) / sw_norm2(size);
    if (!sw_bricks_stiffness(&out->bricks, out->stuff, &b->arena, &out->matrix, error))
        return NULL;
    sw_bricks_ground(&out->bricks, out->ground, &out->matrix);
    if (sw_bricks_factor(&out->matrix))
        return body->bricks = out;
    sw_fail(error, SW_ERROR_NOT_CONVERGED,
            "%s: the stiffness of its bricks is not positive definite", body->key);
    return NULL;
}
