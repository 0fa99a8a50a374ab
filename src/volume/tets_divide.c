// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Tetrahedra are halved at one cut edge after the other, in the order of all edges of the mesh:
// both sides of a face divide it alike then. What is made has no cut edge but those given.
#include "volume/tets_divide.h"

#include <string.h>

#define NEAR 0.1         // of an edge: vertices closer to a cut move there
#define NEAR_INWARD 0.02 // the same for vertices of the surface that would leave it
#define ROUNDING 1e-9    // the same for those that are there but for rounding
enum { MOST = 16 };      // tetrahedra that one may become: six, and room

// An edge that the surface cuts.
typedef struct {
    int a, b, vertex; // its ends, and the vertex on it, or -1
    swReal t;         // from a
} swCutEdge;

typedef struct {
    swLevel *level;
    const void *context;
    const swTetMesh *mesh;
    const int *edge; // [ntet][6]: edges, by the numbers of their middles
    swReal *f;       // per vertex
    int nedge;
    swCutEdge *cut; // per edge; not cut where a = b
    bool *outer;    // per vertex: it is on the mesh's surface
    bool *rim;      // per edge: it is
} swDivision;

// Where the surface is between a and b, by false position (Illinois).
static swReal find_cut(const swDivision *d, swVec3 a, swVec3 b, swReal fa, swReal fb) {
    const swReal small = 1e-9 * (fabs(fa) + fabs(fb));
    swReal t0 = 0, t1 = 1, t = 0.5;
    for (int round = 0, side = 0; round < 40; round++) {
        t = t0 + (t1 - t0) * fa / (fa - fb);
        const swReal f = d->level(d->context, sw_lerp(a, b, t));
        if (fabs(f) <= small)
            break;
        if ((f < 0) == (fa < 0)) {
            t0 = t;
            fa = f;
            fb *= side == -1 ? 0.5 : 1;
            side = -1;
        } else {
            t1 = t;
            fb = f;
            fa *= side == 1 ? 0.5 : 1;
            side = 1;
        }
    }
    return t;
}

static void find_cuts(swDivision *d) {
    const swTetMesh *m = d->mesh;
    for (int i = 0; i < 6 * m->ntet; i++) {
        const int *v = sw_tets_at(m, i / 6), a = v[sw_tet_edge[i % 6][0]],
                  b = v[sw_tet_edge[i % 6][1]];
        swCutEdge *cut = &d->cut[d->edge[i]];
        if (cut->a != cut->b || !(d->f[a] * d->f[b] < 0))
            continue;
        *cut = (swCutEdge){a, b, -1, find_cut(d, m->X[a], m->X[b], d->f[a], d->f[b])};
    }
}

// Which vertices and edges are on the surface of the mesh.
static bool find_rim(swDivision *d, swArena *scratch, swError *error) {
    const swTetMesh *m = d->mesh;
    int *across = SW_NEW(scratch, 4 * (size_t)m->ntet, int, error);
    d->outer = SW_NEW(scratch, m->nvertex, bool, error);
    d->rim = SW_NEW(scratch, d->nedge, bool, error);
    if (!across || !d->outer || !d->rim || !sw_tets_across(m, across, NULL, scratch, error))
        return false;
    for (int f = 0; f < 4 * m->ntet; f++) {
        const int *v = sw_tets_at(m, f / 4);
        for (int c = 0; c < 4; c++)
            if (across[f] < 0 && c != f % 4)
                d->outer[v[c]] = true;
        for (int e = 0; e < 6; e++)
            if (across[f] < 0 && sw_tet_edge[e][0] != f % 4 && sw_tet_edge[e][1] != f % 4)
                d->rim[d->edge[6 * (ptrdiff_t)(f / 4) + e]] = true;
    }
    return true;
}

// Moves vertices that a cut is near to onto the nearest one; those of the surface rather within
// it, or what fills the mesh would be left outside.
static bool move_vertices(swDivision *d, bool *moved, swArena *scratch, swError *error) {
    const swTetMesh *m = d->mesh;
    swReal *least = SW_NEW(scratch, m->nvertex, swReal, error);
    swVec3 *to = SW_NEW(scratch, m->nvertex, swVec3, error);
    if (!least || !to)
        return false;
    for (int v = 0; v < m->nvertex; v++)
        least[v] = INFINITY;
    for (int e = 0; e < d->nedge; e++)
        for (int end = 0; end < 2 && d->cut[e].a != d->cut[e].b; end++) {
            const swCutEdge *cut = &d->cut[e];
            const int v = end ? cut->b : cut->a;
            const swReal share = end ? 1 - cut->t : cut->t,
                         away = share * sw_norm(sw_sub(m->X[cut->b], m->X[cut->a]));
            const swReal near = d->outer[v] && !d->rim[e] ? NEAR_INWARD : NEAR;
            if (share < near && away < least[v]) {
                least[v] = share < ROUNDING ? 0 : away;
                to[v] = sw_lerp(m->X[cut->a], m->X[cut->b], cut->t);
            }
        }
    for (int v = 0; v < m->nvertex; v++)
        if (isfinite(least[v])) {
            d->f[v] = 0;
            if (least[v] == 0)
                continue;
            moved[v] = true;
            m->X[v] = to[v];
        }
    return true;
}

// Gives the cuts that are left vertices; how many there are.
static int number_cuts(swDivision *d) {
    int n = 0;
    for (int e = 0; e < d->nedge; e++) {
        swCutEdge *cut = &d->cut[e];
        if (cut->a != cut->b && d->f[cut->a] * d->f[cut->b] < 0)
            cut->vertex = d->mesh->nvertex + n++;
    }
    return n;
}

// What becomes of a tetrahedron: fills vertex[MOST][4] and returns their number.
static int halve(const swDivision *d, int tet, int vertex[MOST][4]) {
    int edge[6], n = 1;
    memcpy(vertex[0], sw_tets_at(d->mesh, tet), 4 * sizeof(int));
    memcpy(edge, d->edge + 6 * (ptrdiff_t)tet, sizeof edge);
    for (int i = 1; i < 6; i++) // ascending
        for (int k = i; k > 0 && edge[k] < edge[k - 1]; k--) {
            const int swap = edge[k];
            edge[k] = edge[k - 1];
            edge[k - 1] = swap;
        }
    for (int i = 0; i < 6; i++) {
        const swCutEdge *cut = &d->cut[edge[i]];
        for (int k = 0, end = n; k < end && cut->a != cut->b && cut->vertex >= 0; k++) {
            int a = -1, b = -1;
            for (int c = 0; c < 4; c++) {
                a = vertex[k][c] == cut->a ? c : a;
                b = vertex[k][c] == cut->b ? c : b;
            }
            if (a < 0 || b < 0)
                continue;
            memcpy(vertex[n], vertex[k], sizeof vertex[n]);
            vertex[k][a] = cut->vertex;
            vertex[n++][b] = cut->vertex;
        }
    }
    return n;
}

static bool rebuild(const swDivision *d, int ncut, swTetMesh *mesh, swTetOrigin *origin,
                    swArena *arena, swError *error) {
    int part[MOST][4];
    size_t ntet = 0;
    for (int t = 0; t < mesh->ntet; t++)
        ntet += (size_t)halve(d, t, part);
    if (ntet > INT32_MAX / 4)
        return sw_fail(error, SW_ERROR_LIMIT, "%zu tetrahedra are too many: take larger voxels",
                       ntet);
    swTetMesh out = *mesh;
    out.nvertex += ncut;
    out.ntet = 0;
    int *from = SW_NEW(arena, ntet, int, error);
    bool *moved = SW_NEW(arena, out.nvertex, bool, error);
    if (!from || !moved || !(out.X = SW_NEW(arena, out.nvertex, swVec3, error)) ||
        !(out.vertex = SW_NEW(arena, 4 * ntet, int, error)))
        return false;
    memcpy(out.X, mesh->X, (size_t)mesh->nvertex * sizeof *out.X);
    memcpy(moved, origin->moved, (size_t)mesh->nvertex * sizeof *moved);
    for (int e = 0; e < d->nedge; e++) {
        const swCutEdge *cut = &d->cut[e];
        if (cut->a == cut->b || cut->vertex < 0)
            continue;
        out.X[cut->vertex] = sw_lerp(mesh->X[cut->a], mesh->X[cut->b], cut->t);
        moved[cut->vertex] = moved[cut->a] || moved[cut->b];
    }
    for (int t = 0; t < mesh->ntet; t++) {
        const int n = halve(d, t, part);
        for (int k = 0; k < n; k++) {
            memcpy(out.vertex + 4 * (ptrdiff_t)out.ntet, part[k], sizeof part[k]);
            from[out.ntet++] = origin->from[t];
        }
    }
    *mesh = out;
    *origin = (swTetOrigin){from, moved};
    return true;
}

static bool divide(swDivision *d, swTetMesh *mesh, swTetOrigin *origin, swArena *scratch,
                   swArena *arena, swError *error) {
    swTetMesh with_edges;
    int *edge = SW_NEW(scratch, 6 * (size_t)mesh->ntet, int, error);
    if (!edge || !sw_tets_quadratic(mesh, scratch, &with_edges, error))
        return false;
    for (int i = 0; i < 6 * mesh->ntet; i++)
        edge[i] = with_edges.vertex[10 * (ptrdiff_t)(i / 6) + 4 + i % 6] - mesh->nvertex;
    d->edge = edge;
    d->nedge = with_edges.nvertex - mesh->nvertex;
    if (!(d->cut = SW_NEW(scratch, d->nedge, swCutEdge, error)))
        return false;
    find_cuts(d);
    return find_rim(d, scratch, error) && move_vertices(d, origin->moved, scratch, error) &&
           rebuild(d, number_cuts(d), mesh, origin, arena, error);
}

bool sw_tets_divide(swTetMesh *mesh, swLevel *level, const void *context, swTetOrigin *origin,
                    swArena *arena, swError *error) {
    swDivision d = {.level = level, .context = context, .mesh = mesh};
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    bool ok = (d.f = SW_NEW(&scratch, mesh->nvertex, swReal, error)) != NULL, in = false,
         out = false;
    for (int v = 0; v < mesh->nvertex && ok; v++) {
        d.f[v] = level(context, mesh->X[v]);
        in = in || d.f[v] < 0;
        out = out || d.f[v] > 0;
    }
    ok = ok && (!in || !out || divide(&d, mesh, origin, &scratch, arena, error));
    sw_arena_free(&scratch);
    return ok;
}
