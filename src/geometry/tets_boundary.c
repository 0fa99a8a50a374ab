// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/tets.h"
#include "math/sets.h"

// An outer face has one slot for each corner, in the order of sw_tet_face, and one for each edge,
// where a quadratic mesh has a vertex in the middle: slot 3 + k is for the edge opposite to corner
// k. Slots that coincide are joined, and each set becomes one vertex.
enum { SLOTS = 6 };

typedef struct Outer {
    const swTetMesh *mesh;
    const int *across;
    int n;
    int *face;   // 4 t + i of each outer face
    int *number; // index of each face among the outer ones, or -1
    int *parent; // SLOTS per outer face
} Outer;

// The position of corner i of the tetrahedron in its face f.
static int place_in_face(int f, int i) {
    const int *c = sw_tet_face[f];
    return c[0] == i ? 0 : c[1] == i ? 1 : 2;
}

// An edge of a face: in face f of a tetrahedron, the edge opposite to the face's corner k.
typedef struct FaceEdge {
    int tet, f, k;
} FaceEdge;

// The outer face at the other end of the fan of tetrahedra around an edge. Every step can be
// reversed, so the walk cannot run in circles.
static FaceEdge around_edge(const Outer *o, FaceEdge e) {
    for (;;) {
        const int next = o->across[4 * e.tet + e.k], *v = sw_tets_at(o->mesh, e.tet);
        if (next < 0)
            return (FaceEdge){e.tet, e.k, e.f};
        const int *w = sw_tets_at(o->mesh, next / 4), *c = sw_tet_face[next % 4];
        const int same = w[c[0]] == v[e.f] ? c[0] : w[c[1]] == v[e.f] ? c[1] : c[2];
        e = (FaceEdge){next / 4, next % 4, same};
    }
}

static void join_edge(Outer *o, FaceEdge a) {
    const FaceEdge b = around_edge(o, a);
    const int *v = sw_tets_at(o->mesh, a.tet), *w = sw_tets_at(o->mesh, b.tet);
    const int ka = place_in_face(a.f, a.k), kb = place_in_face(b.f, b.k);
    const int slot_a = SLOTS * o->number[4 * a.tet + a.f],
              slot_b = SLOTS * o->number[4 * b.tet + b.f];
    sw_set_join(o->parent, slot_a + 3 + ka, slot_b + 3 + kb);
    for (int i = 1; i < 3; i++)
        for (int j = 1; j < 3; j++) {
            const int p = (ka + i) % 3, q = (kb + j) % 3;
            if (v[sw_tet_face[a.f][p]] == w[sw_tet_face[b.f][q]])
                sw_set_join(o->parent, slot_a + p, slot_b + q);
        }
}

static bool find_outer(const swTetMesh *mesh, Outer *o, swArena *scratch, swError *error) {
    const int nface = 4 * mesh->ntet;
    int *across = SW_NEW(scratch, nface, int, error);
    *o = (Outer){.mesh = mesh, .across = across};
    if (!across || !(o->number = SW_NEW(scratch, nface, int, error)) ||
        !sw_tets_across(mesh, across, NULL, scratch, error))
        return false;
    for (int f = 0; f < nface; f++)
        o->number[f] = across[f] < 0 ? o->n++ : -1;
    if (o->n > INT32_MAX / (2 * SLOTS))
        return sw_fail(error, SW_ERROR_LIMIT, "%d outer faces of tetrahedra are too many", o->n);
    if (!(o->face = SW_NEW(scratch, o->n, int, error)) ||
        !(o->parent = SW_NEW(scratch, SLOTS * (size_t)o->n, int, error)))
        return false;
    for (int f = 0; f < nface; f++)
        if (o->number[f] >= 0)
            o->face[o->number[f]] = f;
    for (int i = 0; i < SLOTS * o->n; i++)
        o->parent[i] = i;
    for (int i = 0; i < o->n; i++)
        for (int k = 0; k < 3; k++)
            join_edge(o,
                      (FaceEdge){o->face[i] / 4, o->face[i] % 4, sw_tet_face[o->face[i] % 4][k]});
    return true;
}

// The vertex of the mesh at a slot.
static int vertex_at(const Outer *o, int slot) {
    const int face = o->face[slot / SLOTS], k = slot % SLOTS;
    const int *v = sw_tets_at(o->mesh, face / 4), *c = sw_tet_face[face % 4];
    if (k < 3)
        return v[c[k]];
    const int a = c[(k + 1) % 3], b = c[(k + 2) % 3];
    for (int e = 0; e < 6; e++)
        if (sw_tet_edge[e][0] + sw_tet_edge[e][1] == a + b &&
            (sw_tet_edge[e][0] == a || sw_tet_edge[e][0] == b))
            return v[4 + e];
    return -1; // not reached: any two corners have an edge
}

static bool make_surface(Outer *o, swArena *arena, swArena *scratch, swTetBoundary *out,
                         swError *error) {
    static const int whole[3] = {0, 1, 2},
                     parts[12] = {0, 5, 4, 1, 3, 5, 2, 4, 3, 3, 4, 5}; // slots of the triangles
    const bool linear = o->mesh->order == 1;
    const int used = linear ? 3 : SLOTS, per = linear ? 1 : 4;
    const int *slots = linear ? whole : parts;
    swSurface *s = &out->surface;
    int *number = SW_NEW(scratch, SLOTS * (size_t)o->n, int, error);
    *out = (swTetBoundary){.surface.ntriangle = per * o->n};
    if (!number)
        return false;
    for (int i = 0; i < SLOTS * o->n; i++)
        if (i % SLOTS < used)
            number[i] = o->parent[i] == i ? s->nvertex++ : number[sw_set_find(o->parent, i)];
    if (!(s->X = SW_NEW(arena, s->nvertex, swVec3, error)) ||
        !(s->triangle = SW_NEW(arena, 3 * (size_t)s->ntriangle, int, error)) ||
        !(out->vertex = SW_NEW(arena, s->nvertex, int, error)) ||
        !(out->tet = SW_NEW(arena, s->ntriangle, int, error)))
        return false;
    for (int i = 0; i < SLOTS * o->n; i++)
        if (i % SLOTS < used && o->parent[i] == i) {
            out->vertex[number[i]] = vertex_at(o, i);
            s->X[number[i]] = o->mesh->X[out->vertex[number[i]]];
        }
    for (int i = 0; i < o->n; i++)
        for (int j = 0; j < per; j++) {
            const int t = per * i + j;
            out->tet[t] = o->face[i] / 4;
            for (int k = 0; k < 3; k++)
                s->triangle[3 * t + k] = number[SLOTS * i + slots[3 * j + k]];
        }
    return true;
}

bool sw_tets_boundary(const swTetMesh *mesh, swArena *arena, swTetBoundary *out, swError *error) {
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    Outer o;
    const bool ok =
        find_outer(mesh, &o, &scratch, error) && make_surface(&o, arena, &scratch, out, error);
    sw_arena_free(&scratch);
    return ok;
}
