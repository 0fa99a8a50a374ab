// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/crease.h"

enum { MANY = 256 }; // with more corners at a vertex no creases are sought, to stay linear

bool sw_fans_create(swCornerFans *f, int nvertex, const swVec3 *X, int ntriangle,
                    const int *triangle, const bool *skip, swArena *arena, swError *error) {
    const size_t n = (size_t)nvertex, m = (size_t)ntriangle;
    f->first = SW_NEW(arena, n + 2, int, error);
    f->at = SW_NEW(arena, 3 * m, int, error);
    f->face = SW_NEW(arena, m, swVec3, error);
    f->angle = SW_NEW(arena, 3 * m, swReal, error);
    if (!f->first || !f->at || !f->face || !f->angle)
        return false;
    for (int t = 0; t < ntriangle; t++) {
        if (skip && skip[t])
            continue;
        const int *v = triangle + 3 * (size_t)t;
        swVec3 edge[3];
        for (int c = 0; c < 3; c++)
            edge[c] = sw_unit(sw_sub(X[v[(c + 1) % 3]], X[v[c]]));
        f->face[t] = sw_unit(sw_cross(edge[0], edge[1]));
        for (int c = 0; c < 3; c++) {
            f->angle[3 * t + c] = acos(sw_clamp(-sw_dot(edge[c], edge[(c + 2) % 3]), -1, 1));
            f->first[v[c] + 2]++;
        }
    }
    for (size_t i = 1; i < n + 2; i++)
        f->first[i] += f->first[i - 1];
    for (int i = 0; i < 3 * ntriangle; i++)
        if (!skip || !skip[i / 3])
            f->at[f->first[triangle[i] + 1]++] = i;
    return true;
}

swVec3 sw_fans_normal(const swCornerFans *f, int vertex, int triangle, swReal least_cosine) {
    const int first = f->first[vertex], end = f->first[vertex + 1];
    const swVec3 own = f->face[triangle];
    const bool all = end - first > MANY;
    swVec3 sum = {0, 0, 0};
    for (int i = first; i < end; i++) {
        const swVec3 other = f->face[f->at[i] / 3];
        if (all || sw_dot(own, other) >= least_cosine)
            sum = sw_madd(sum, f->angle[f->at[i]], other);
    }
    return sw_norm2(sum) > 1e-12 ? sw_unit(sum) : own;
}

bool sw_surface_crease(const swSurface *s, swReal crease, swArena *arena, swSurface *out,
                       swVec3 **normal, swError *error) {
    swArena scratch;
    swCornerFans f;
    const size_t most = 3 * (size_t)s->ntriangle;
    const swReal least = sw_crease_cosine(crease);
    sw_arena_init(&scratch, &arena->allocator);
    *out = (swSurface){.ntriangle = s->ntriangle,
                       .X = SW_NEW(arena, most, swVec3, error),
                       .triangle = SW_NEW(arena, most, int, error)};
    *normal = SW_NEW(arena, most, swVec3, error);
    const bool ok =
        out->X && out->triangle && *normal &&
        sw_fans_create(&f, s->nvertex, s->X, s->ntriangle, s->triangle, NULL, &scratch, error);
    for (int v = 0; ok && v < s->nvertex; v++) {
        const int before = out->nvertex;
        for (int i = f.first[v]; i < f.first[v + 1]; i++) {
            swVec3 n = sw_fans_normal(&f, v, f.at[i] / 3, least);
            if (!(sw_norm2(n) > 0.5)) // only triangles without area
                n = sw_v3(0, 1, 0);
            int to = before; // one of the vertices that v has become
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
