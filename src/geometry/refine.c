// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// All long edges are halved at once, so triangles that share an edge agree. Triangles that do not
// share vertices agree as well, since their positions and lengths are equal to the last bit.
#include "geometry/refine.h"

#include <stdlib.h>
#include <string.h>

typedef struct Edge {
    int a, b; // a < b
} Edge;

static int compare(const void *x, const void *y) {
    const Edge *e = x, *f = y;
    return e->a != f->a ? (e->a < f->a ? -1 : 1) : (e->b > f->b) - (e->b < f->b);
}

static Edge edge_of(const int *v, int k) {
    const int a = v[k], b = v[(k + 1) % 3];
    return a < b ? (Edge){a, b} : (Edge){b, a};
}

// Lists the edges that are too long, sorted and without duplicates. The list has room for all
// edges.
static int find_long(const swSurface *s, swReal longest, Edge *list) {
    int n = 0, unique = 0;
    for (int t = 0; t < s->ntriangle; t++)
        for (int k = 0; k < 3; k++) {
            const Edge e = edge_of(s->triangle + 3 * t, k);
            if (sw_norm2(sw_sub(s->X[e.a], s->X[e.b])) > longest * longest)
                list[n++] = e;
        }
    qsort(list, (size_t)n, sizeof *list, compare);
    for (int i = 0; i < n; i++)
        if (unique == 0 || compare(&list[i], &list[unique - 1]) != 0)
            list[unique++] = list[i];
    return unique;
}

// Splits a triangle at the middles of its edges (-1: not halved) into up to four of the same
// orientation. Returns how many.
static int split(const int *v, const int *middle, int *out) {
    int first = 0, count = 0;
    for (int k = 0; k < 3; k++)
        count += middle[k] >= 0;
    // Rotate so that the cases below start with the halved edge, or with the first of two.
    while (count > 0 && count < 3 && !(middle[first] >= 0 && middle[(first + 2) % 3] < 0))
        first++;
    const int a = v[first], b = v[(first + 1) % 3], c = v[(first + 2) % 3], ab = middle[first],
              bc = middle[(first + 1) % 3], ca = middle[(first + 2) % 3];
    const int parts[4][12] = {{a, b, c},
                              {a, ab, c, ab, b, c},
                              {ab, b, bc, a, ab, bc, a, bc, c},
                              {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca}};
    memcpy(out, parts[count], (size_t)(3 * (count + 1)) * sizeof *out);
    return count + 1;
}

static bool halve(const swSurface *s, int nedge, const Edge *edge, swArena *arena, swSurface *out,
                  swError *error) {
    *out = (swSurface){.nvertex = s->nvertex + nedge};
    out->X = SW_NEW(arena, out->nvertex, swVec3, error);
    out->triangle = SW_NEW(arena, 12 * (size_t)s->ntriangle, int, error);
    if (!out->X || !out->triangle)
        return false;
    memcpy(out->X, s->X, (size_t)s->nvertex * sizeof *s->X);
    for (int i = 0; i < nedge; i++)
        out->X[s->nvertex + i] = sw_scale(0.5, sw_add(s->X[edge[i].a], s->X[edge[i].b]));
    for (int t = 0; t < s->ntriangle; t++) {
        int middle[3];
        for (int k = 0; k < 3; k++) {
            const Edge e = edge_of(s->triangle + 3 * t, k);
            const Edge *at = bsearch(&e, edge, (size_t)nedge, sizeof e, compare);
            middle[k] = at ? s->nvertex + (int)(at - edge) : -1;
        }
        out->ntriangle += split(s->triangle + 3 * t, middle, out->triangle + 3 * out->ntriangle);
    }
    return true;
}

bool sw_surface_refine(const swSurface *surface, swReal longest, int room, swArena *arena,
                       swSurface *out, swError *error) {
    *out = *surface;
    while (out->ntriangle <= room / 4) {
        const swSurface s = *out;
        Edge *edge = SW_NEW(arena, 3 * (size_t)s.ntriangle, Edge, error);
        const int n = edge ? find_long(&s, longest, edge) : 0;
        if (!edge || n == 0)
            return edge != NULL;
        if (!halve(&s, n, edge, arena, out, error))
            return false;
    }
    return true;
}
