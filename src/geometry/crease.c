// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/crease.h"

enum { MANY = 256 }; // corners around one vertex: creases are not looked for, to stay linear

// Corners around each vertex: at[first[v] .. first[v + 1]) are 3 t + c, in order.
typedef struct Fans {
    int *first, *at;
    swVec3 *face;  // unit normals of triangles; zero: has none
    swReal *angle; // of corners
} Fans;

static bool make_fans(const swSurface *s, Fans *f, swArena *arena, swError *error) {
    const size_t n = (size_t)s->nvertex, m = (size_t)s->ntriangle;
    f->first = SW_NEW(arena, n + 2, int, error);
    f->at = SW_NEW(arena, 3 * m, int, error);
    f->face = SW_NEW(arena, m, swVec3, error);
    f->angle = SW_NEW(arena, 3 * m, swReal, error);
    if (!f->first || !f->at || !f->face || !f->angle)
        return false;
    for (int t = 0; t < s->ntriangle; t++) {
        const int *v = &s->triangle[3 * t];
        swVec3 edge[3];
        for (int c = 0; c < 3; c++)
            edge[c] = sw_unit(sw_sub(s->X[v[(c + 1) % 3]], s->X[v[c]]));
        f->face[t] = sw_unit(sw_cross(edge[0], edge[1]));
        for (int c = 0; c < 3; c++) {
            f->angle[3 * t + c] = acos(sw_clamp(-sw_dot(edge[c], edge[(c + 2) % 3]), -1, 1));
            f->first[v[c] + 2]++;
        }
    }
    for (size_t i = 1; i < n + 2; i++)
        f->first[i] += f->first[i - 1];
    for (int i = 0; i < 3 * s->ntriangle; i++)
        f->at[f->first[s->triangle[i] + 1]++] = i;
    return true;
}

// The mean of the normals around a corner that differ from its own by less than the crease,
// weighted by their angles there.
static swVec3 corner_normal(const Fans *f, int vertex, int corner, swReal least_cosine) {
    const int first = f->first[vertex], end = f->first[vertex + 1];
    const swVec3 own = f->face[corner / 3];
    const bool all = end - first > MANY;
    swVec3 sum = {0, 0, 0};
    for (int i = first; i < end; i++) {
        const swVec3 other = f->face[f->at[i] / 3];
        if (all || sw_dot(own, other) >= least_cosine)
            sum = sw_madd(sum, f->angle[f->at[i]], other);
    }
    return sw_norm2(sum) > 1e-12 ? sw_unit(sum) : sw_norm2(own) > 0.5 ? own : sw_v3(0, 1, 0);
}

bool sw_surface_crease(const swSurface *s, swReal crease, swArena *arena, swSurface *out,
                       swVec3 **normal, swError *error) {
    swArena scratch;
    Fans f;
    const size_t most = 3 * (size_t)s->ntriangle;
    const swReal least = cos(sw_min(crease, SW_PI)) - 1e-9;
    sw_arena_init(&scratch, &arena->allocator);
    *out = (swSurface){.ntriangle = s->ntriangle,
                       .X = SW_NEW(arena, most, swVec3, error),
                       .triangle = SW_NEW(arena, most, int, error)};
    *normal = SW_NEW(arena, most, swVec3, error);
    const bool ok = out->X && out->triangle && *normal && make_fans(s, &f, &scratch, error);
    for (int v = 0; ok && v < s->nvertex; v++) {
        const int before = out->nvertex;
        for (int i = f.first[v]; i < f.first[v + 1]; i++) {
            const swVec3 n = corner_normal(&f, v, f.at[i], least);
            int to = before; // one of the vertices it has become
            while (to < out->nvertex && sw_norm2(sw_sub((*normal)[to], n)) > 1e-16)
                to++;
            out->X[to] = s->X[v];
            (*normal)[to] = n;
            out->nvertex = sw_max_int(out->nvertex, to + 1);
            out->triangle[f.at[i]] = to;
        }
    }
    sw_arena_free(&scratch);
    return ok;
}
