// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Tetrahedra are sorted along a space-filling curve and stored, a few at a time, in the leaves of a
// complete binary tree of boxes. For a point that no tetrahedron contains, the outer faces are
// searched.
#include "geometry/bvh.h"
#include "geometry/tets.h"

#include <stdlib.h>
#include <string.h>

enum { LEAF = 4, STACK = 64, NEWTON = 8 };
#define SLACK 1e-9 // rounding, of barycentric coordinates and relative to the extent of the mesh

typedef struct Box {
    swVec3 lo, hi;
} Box;

struct swTetLocator {
    const swTetMesh *mesh;
    bool curved;  // the mesh is quadratic and has an edge that is not straight
    swReal slack; // of the boxes [m]
    int nleaf;    // a power of two; node i has children 2 i and 2 i + 1, leaf j is node nleaf + j
    Box *box;
    int *tet; // in leaf order
    const swBvh *bvh;
    const int *outer; // the tetrahedron behind each triangle of the outer faces
};

// ---- creation ----

typedef struct Place {
    uint64_t key;
    int tet;
} Place;

static int compare_places(const void *a, const void *b) {
    const Place *p = a, *q = b;
    return p->key != q->key ? (p->key < q->key ? -1 : 1) : p->tet < q->tet ? -1 : 1;
}

// Spreads the 21 bits of x to every third bit of the result.
static uint64_t spread_bits(uint64_t x) {
    x = (x | x << 32) & 0x1f00000000ffffull;
    x = (x | x << 16) & 0x1f0000ff0000ffull;
    x = (x | x << 8) & 0x100f00f00f00f00full;
    x = (x | x << 4) & 0x10c30c30c30c30c3ull;
    return (x | x << 2) & 0x1249249249249249ull;
}

static uint64_t place_key(swVec3 p, swVec3 lo, swReal scale) {
    const swReal most = 2097151;
    swVec3 t = sw_scale(scale * most, sw_sub(p, lo));
    return spread_bits((uint64_t)sw_clamp(t.x, 0, most)) |
           spread_bits((uint64_t)sw_clamp(t.y, 0, most)) << 1 |
           spread_bits((uint64_t)sw_clamp(t.z, 0, most)) << 2;
}

static void grow_box(Box *box, swVec3 lo, swVec3 hi) {
    box->lo = sw_min3(box->lo, lo);
    box->hi = sw_max3(box->hi, hi);
}

static Box empty_box(void) {
    const swVec3 far = sw_v3(INFINITY, INFINITY, INFINITY);
    return (Box){far, sw_scale(-1, far)};
}

static Box tet_box(const swTetLocator *l, int tet) {
    const int *v = sw_tets_at(l->mesh, tet);
    Box box = empty_box();
    for (int i = 0; i < sw_tet_vertices(l->mesh->order); i++)
        grow_box(&box, l->mesh->X[v[i]], l->mesh->X[v[i]]);
    if (l->curved) { // it may bulge beyond its vertices
        const swVec3 more = sw_scale(0.25, sw_sub(box.hi, box.lo));
        grow_box(&box, sw_sub(box.lo, more), sw_add(box.hi, more));
    }
    return box;
}

static bool is_curved(const swTetMesh *mesh, swReal near) {
    for (int t = 0; mesh->order == 2 && t < mesh->ntet; t++) {
        const int *v = sw_tets_at(mesh, t);
        for (int e = 0; e < 6; e++) {
            swVec3 a = mesh->X[v[sw_tet_edge[e][0]]], b = mesh->X[v[sw_tet_edge[e][1]]];
            if (sw_norm(sw_sub(mesh->X[v[4 + e]], sw_lerp(a, b, 0.5))) > near)
                return true;
        }
    }
    return false;
}

static void build_tree(swTetLocator *l, Place *place, const Box *all) {
    const int n = l->mesh->ntet;
    const swVec3 extent = sw_sub(all->hi, all->lo);
    const swReal size = sw_max(extent.x, sw_max(extent.y, extent.z));
    l->slack = SLACK * size;
    l->curved = is_curved(l->mesh, l->slack);
    for (int t = 0; t < n; t++) {
        const Box box = tet_box(l, t);
        place[t] =
            (Place){place_key(sw_lerp(box.lo, box.hi, 0.5), all->lo, size > 0 ? 1 / size : 0), t};
    }
    qsort(place, (size_t)n, sizeof *place, compare_places);
    for (int i = 0; i < 2 * l->nleaf; i++)
        l->box[i] = empty_box();
    for (int i = 0; i < n; i++) {
        const Box box = tet_box(l, place[i].tet);
        l->tet[i] = place[i].tet;
        grow_box(&l->box[l->nleaf + i / LEAF], box.lo, box.hi);
    }
    for (int i = l->nleaf - 1; i > 0; i--) {
        l->box[i] = l->box[2 * i];
        grow_box(&l->box[i], l->box[2 * i + 1].lo, l->box[2 * i + 1].hi);
    }
}

swTetLocator *sw_tets_locator(const swTetMesh *mesh, swArena *arena, swError *error) {
    SW_ASSERT(mesh->ntet > 0);
    swTetLocator *l = SW_NEW(arena, 1, swTetLocator, error);
    if (!l)
        return NULL;
    *l = (swTetLocator){.mesh = mesh, .nleaf = 1};
    while (l->nleaf < (mesh->ntet + LEAF - 1) / LEAF)
        l->nleaf *= 2;
    Box all = empty_box();
    for (int i = 0; i < mesh->nvertex; i++)
        grow_box(&all, mesh->X[i], mesh->X[i]);
    swTetBoundary outer;
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    Place *place = SW_NEW(&scratch, mesh->ntet, Place, error);
    bool ok = place && (l->box = SW_NEW(arena, 2 * (size_t)l->nleaf, Box, error)) &&
              (l->tet = SW_NEW(arena, mesh->ntet, int, error)) &&
              sw_tets_boundary(mesh, &scratch, &outer, error) &&
              (l->outer = sw_arena_grow(arena, outer.tet, (size_t)outer.surface.ntriangle,
                                        (size_t)outer.surface.ntriangle, sizeof(int), error));
    if (ok)
        build_tree(l, place, &all);
    // Some overlapping tetrahedra leave no outer face.
    if (ok && outer.surface.ntriangle)
        ok = (l->bvh = sw_bvh_create(&outer.surface, arena, error)) != NULL;
    sw_arena_free(&scratch);
    return ok ? l : NULL;
}

// ---- queries ----

// Barycentric coordinates in the tetrahedron of the corners. Not finite if that is flat.
static void straight_bary(const swVec3 x[4], swVec3 p, swReal bary[4]) {
    const swReal det = sw_tet_det(x[0], x[1], x[2], x[3]);
    bary[1] = sw_tet_det(x[0], p, x[2], x[3]) / det;
    bary[2] = sw_tet_det(x[0], x[1], p, x[3]) / det;
    bary[3] = sw_tet_det(x[0], x[1], x[2], p) / det;
    bary[0] = 1 - bary[1] - bary[2] - bary[3];
}

// Refines them by Newton's method until the quadratic map leads to p.
static void curved_bary(const swVec3 x[10], swVec3 p, swReal near, swReal bary[4]) {
    swReal N[10], b[4];
    swVec3 dN[10], linear[10];
    memcpy(b, bary, sizeof b);
    for (int round = 0; round < NEWTON; round++) {
        swVec3 r = p;
        sw_tet_shape(2, b, N);
        for (int i = 0; i < 10; i++)
            r = sw_madd(r, -N[i], x[i]);
        if (sw_norm(r) <= near) {
            memcpy(bary, b, sizeof b);
            return;
        }
        // The gradients of the barycentric coordinates: that of corner i plus half of those on its
        // edges.
        sw_tet_gradients(2, x, b, dN);
        memcpy(linear, dN, sizeof linear);
        for (int e = 0; e < 6; e++)
            for (int k = 0; k < 2; k++)
                linear[sw_tet_edge[e][k]] = sw_madd(linear[sw_tet_edge[e][k]], 0.5, dN[4 + e]);
        for (int i = 0; i < 4; i++)
            b[i] += sw_dot(linear[i], r);
    }
}

static void bary_in(const swTetLocator *l, int tet, swVec3 p, bool curved, swReal bary[4]) {
    const int *v = sw_tets_at(l->mesh, tet);
    swVec3 x[10];
    for (int i = 0; i < (curved ? 10 : 4); i++)
        x[i] = l->mesh->X[v[i]];
    straight_bary(x, p, bary);
    if (curved)
        curved_bary(x, p, l->slack, bary);
}

static swReal least_of(const swReal bary[4]) {
    return sw_min(sw_min(bary[0], bary[1]), sw_min(bary[2], bary[3]));
}

static bool box_holds(const Box *box, swVec3 p, swReal slack) {
    return p.x >= box->lo.x - slack && p.x <= box->hi.x + slack && p.y >= box->lo.y - slack &&
           p.y <= box->hi.y + slack && p.z >= box->lo.z - slack && p.z <= box->hi.z + slack;
}

// The lowest tetrahedron that contains p, or -1. Away from faces there is at most one.
static int find_holding(const swTetLocator *l, swVec3 p, swReal bary[4]) {
    int stack[STACK], top = 0, best = INT32_MAX;
    stack[top++] = 1;
    while (top > 0) {
        const int node = stack[--top];
        if (!box_holds(&l->box[node], p, l->slack))
            continue;
        if (node < l->nleaf) {
            stack[top++] = 2 * node;
            stack[top++] = 2 * node + 1;
            continue;
        }
        const int first = LEAF * (node - l->nleaf);
        for (int i = first; i < sw_min_int(first + LEAF, l->mesh->ntet); i++) {
            swReal b[4];
            if (l->tet[i] > best)
                continue;
            bary_in(l, l->tet[i], p, l->curved, b);
            if (least_of(b) >= -SLACK) {
                best = l->tet[i];
                memcpy(bary, b, sizeof b);
            }
            if (least_of(b) > SLACK)
                return best;
        }
    }
    return best == INT32_MAX ? -1 : best;
}

bool sw_tets_locate(const swTetLocator *l, swVec3 p, int *tet, swReal bary[4], swReal *distance) {
    *tet = find_holding(l, p, bary);
    if (distance)
        *distance = 0;
    if (*tet >= 0)
        return true;
    *tet = 0;
    if (l->bvh) {
        int triangle;
        const swVec3 q = sw_bvh_closest(l->bvh, p, &triangle);
        *tet = l->outer[triangle];
        if (distance)
            *distance = sw_norm(sw_sub(p, q));
    }
    bary_in(l, *tet, p, false, bary);
    for (int i = 0; i < 4; i++)
        if (!isfinite(bary[i])) // a flat tetrahedron: its middle is as good as any point
            bary[0] = bary[1] = bary[2] = bary[3] = 0.25;
    return false;
}
