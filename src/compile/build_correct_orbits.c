// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Points that may be samples, as mirror images of each other.
#include "compile/correcting.h"

#include <stdlib.h>
#include <string.h>

// A point's place in the order of all.
typedef struct {
    uint64_t key;
    int point;
} swOrder;

typedef struct {
    const swStrainPoints *p;
    const swMirrors *mirrors;
    int *of_voxel; // the first point of each, or -1
    int *image;    // [points]: by the flip that was tried last
} swImages;

static bool sites_keep(void *context, swVec3 flip) {
    const swSampling *s = ((const swImages *)context)->p->skin->s;
    const swBodyBuild *body = s->body;
    const int n = body->nsite - body->nhandle; // handles are known to be
    for (int i = 0; i < n; i++) {
        const swVec3 image = sw_mirrors_image(&body->mirrors, flip, body->site[i].origin);
        bool any = false;
        for (int j = 0; j < n && !any; j++)
            any = sw_norm(sw_sub(body->site[j].origin, image)) < 1e-6 * body->grid.h &&
                  sw_site_node(s, i)->kind == sw_site_node(s, j)->kind;
        if (!any)
            return false;
    }
    return true;
}

static int flipped_cell(const swGrid *g, swVec3 flip, int cell) {
    int at[3] = {cell % g->n[0], cell / g->n[0] % g->n[1], cell / g->n[0] / g->n[1]};
    for (int k = 0; k < 3; k++)
        at[k] = sw_get(flip, k) < 0 ? g->n[k] - 1 - at[k] : at[k];
    return at[0] + g->n[0] * (at[1] + g->n[1] * at[2]);
}

static int find_image(const swImages *m, swVec3 flip, int point) {
    const swStrainPoints *p = m->p;
    const swGrid *g = p->b->grid;
    const swVoxel *own = &g->voxel[p->point[point].voxel];
    const swVec3 at = sw_mirrors_image(m->mirrors, flip, p->point[point].X);
    const int cell = flipped_cell(g, flip, own->cell);
    for (int v = g->first[cell]; v < g->first[cell + 1]; v++)
        for (int i = m->of_voxel[v]; i >= 0 && i < p->n && p->point[i].voxel == v; i++)
            if (g->voxel[v].stuff == own->stuff && sw_norm(sw_sub(p->point[i].X, at)) < 1e-3 * g->h)
                return i;
    return -1;
}

static bool points_keep(void *context, swVec3 flip) {
    const swImages *m = context;
    for (int i = 0; i < m->p->n; i++)
        if ((m->image[i] = find_image(m, flip, i)) < 0)
            return false;
    return true;
}

static int compare(const void *a, const void *b) {
    const swOrder *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->point > y->point) - (x->point < y->point);
}

// Brick by brick, voxel by voxel: from where they are, seen the way that mirror images have in
// common.
static swOrder order_of(const swImages *m, int point) {
    enum { BITS = 15 };
    const swStrainPoints *p = m->p;
    const swGrid *g = p->b->grid;
    const swBrickPoint *own = &p->point[point];
    const swVoxel *v = &g->voxel[own->voxel];
    const int cell = flipped_cell(g, m->mirrors->way, v->cell), across = p->b->across,
              at[3] = {cell % g->n[0], cell / g->n[0] % g->n[1], cell / g->n[0] / g->n[1]};
    const swVec3 d = sw_sub(own->X, v->centroid);
    uint64_t key = 0, within = 0;
    for (int k = 2; k >= 0; k--) {
        key = key << BITS | (uint64_t)(at[k] / across);
        within = within * (uint64_t)across + (uint64_t)(at[k] % across);
    }
    for (int k = 2; k >= 0; k--)
        within = within << 1 | (sw_get(d, k) * sw_get(m->mirrors->way, k) > 0);
    return (swOrder){key << (64 - 3 * BITS) | (within & ((1u << (64 - 3 * BITS)) - 1)), point};
}

// A voxel's points are told apart by which side of its centroid they are on.
static bool list_orbits(swImages *m, int (*image)[SW_FLIPS], swArena *scratch, swOrbits *out,
                        swError *error) {
    const int n = m->p->n;
    swOrder *order = SW_NEW(scratch, n, swOrder, error);
    bool *done = SW_NEW(scratch, n, bool, error);
    if (!order || !done)
        return false;
    for (int i = 0; i < n; i++)
        order[i] = order_of(m, i);
    qsort(order, (size_t)n, sizeof *order, compare);
    for (int i = 0, count = 0; i < n; i++) {
        const int point = order[i].point;
        if (done[point])
            continue;
        for (int k = 0; k < m->mirrors->n; k++)
            if (!done[image[point][k]]) {
                out->point[count++] = image[point][k];
                done[image[point][k]] = true;
            }
        out->first[++out->n] = count;
    }
    return true;
}

// ---- merged points ----

// Those of the body's flips that leave a point where it is, but for the way to its next neighbours.
static int list_near(const swImages *m, int point, int near[SW_FLIPS]) {
    const swVec3 X = m->p->point[point].X, d = sw_sub(X, m->mirrors->center);
    const swReal least = 1.01 * cbrt(m->p->volume[point]);
    int n = 0;
    for (int k = 0; k < m->mirrors->n; k++) {
        bool all = true;
        for (int axis = 0; axis < 3; axis++)
            all =
                all && (sw_get(m->mirrors->flip[k], axis) > 0 || 2 * fabs(sw_get(d, axis)) < least);
        if (all)
            near[n++] = k;
    }
    return n;
}

// One of all points that a point goes to by these flips; false where they are of several regions.
static bool merge(const swStrainPoints *p, const int *image, int n, const int *near,
                  swMergedPoint *out) {
    out->n = 0;
    for (int k = 0; k < n; k++) {
        const int point = image[near[k]];
        bool known = false;
        for (int i = 0; i < out->n; i++)
            known = known || out->point[i] == point;
        if (p->home && p->home[point] != p->home[image[0]])
            return false;
        if (!known)
            out->point[out->n++] = point;
    }
    return true;
}

static void add_merged(swStrainPoints *p, const swMergedPoint *merged) {
    const int at = p->n + p->nmerged;
    swBrickPoint *to = &p->point[at];
    *to = (swBrickPoint){.voxel = p->point[merged->point[0]].voxel};
    for (int i = 0; i < merged->n; i++) {
        to->volume += p->volume[merged->point[i]];
        to->X = sw_madd(to->X, 1.0 / merged->n, p->point[merged->point[i]].X);
    }
    p->volume[at] = to->volume;
    if (p->home)
        p->home[at] = p->home[merged->point[0]];
    p->merged[p->nmerged++] = *merged;
}

// Orbits of points that stand for `size` ones each, of all orbits that have such.
static void list_merged(const swImages *m, swStrainPoints *p, int (*image)[SW_FLIPS], int size,
                        bool *done, swOrbits *out) {
    const int end = out->end[0];
    for (int k = 0; k < end; k++) {
        const int *point = out->point + out->first[k], n = out->first[k + 1] - out->first[k];
        int near[SW_FLIPS], count = out->first[out->n];
        const int nnear = list_near(m, point[0], near);
        swMergedPoint merged;
        if (nnear != size || !merge(p, image[point[0]], nnear, near, &merged) || merged.n != size)
            continue;
        for (int i = 0; i < n; i++)
            done[point[i]] = false;
        for (int i = 0; i < n; i++)
            if (!done[point[i]]) {
                merge(p, image[point[i]], nnear, near, &merged);
                for (int j = 0; j < merged.n; j++)
                    done[merged.point[j]] = true;
                out->point[count++] = p->n + p->nmerged;
                add_merged(p, &merged);
            }
        out->first[++out->n] = count;
    }
}

bool sw_correcting_orbits(swStrainPoints *p, swOrbits *out, swError *error) {
    const swBodyBuild *body = p->skin->s->body;
    const int nvoxel = p->b->grid->nvoxel;
    swArena *arena = &p->skin->s->arena, scratch;
    swMirrors mirrors = body->mirrors;
    sw_arena_init(&scratch, &arena->allocator);
    swImages m = {.p = p,
                  .mirrors = &mirrors,
                  .of_voxel = SW_NEW(&scratch, nvoxel, int, error),
                  .image = SW_NEW(&scratch, p->n, int, error)};
    int(*image)[SW_FLIPS] = (int(*)[SW_FLIPS])SW_NEW(&scratch, SW_FLIPS * (size_t)p->n, int, error);
    bool *done = SW_NEW(&scratch, p->n, bool, error);
    *out = (swOrbits){.first = SW_NEW(arena, p->room + 1, int, error),
                      .point = SW_NEW(arena, p->room, int, error)};
    if (mirrors.n > 1)
        p->merged = SW_NEW(arena, p->room - p->n, swMergedPoint, error);
    bool ok = m.of_voxel && m.image && image && done && out->first && out->point &&
              (p->merged || mirrors.n == 1);
    for (int v = 0; ok && v < nvoxel; v++)
        m.of_voxel[v] = -1;
    for (int i = p->n - 1; ok && i >= 0; i--)
        m.of_voxel[p->point[i].voxel] = i;
    if (ok) {
        sw_mirrors_keep(&mirrors, sites_keep, &m);
        sw_mirrors_keep(&mirrors, points_keep, &m);
    }
    for (int k = 0; ok && k < mirrors.n; k++)
        for (int i = 0; i < p->n; i++)
            image[i][k] = find_image(&m, mirrors.flip[k], i);
    ok = ok && list_orbits(&m, image, &scratch, out, error);
    if (ok)
        out->end[out->nclass++] = out->n;
    for (int size = 2; ok && size <= mirrors.n; size *= 2) {
        list_merged(&m, p, image, size, done, out);
        if (out->n > out->end[out->nclass - 1])
            out->end[out->nclass++] = out->n;
    }
    sw_arena_free(&scratch);
    return ok;
}
