// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the suites of tetrahedra share: meshes from solids, and whether a mesh is sound.
#pragma once

#include "test_solid.h"

#include "volume/tets_stuff.h"

static inline void require(bool ok, const swError *error) {
    char text[600];
    if (!ok)
        fail_msg("%s", sw_error_text(error, text, sizeof text));
}

static inline swTetFacts facts_of(const swTetMesh *mesh) {
    swError error = {0};
    swTetFacts facts;
    require(sw_tets_facts(mesh, &facts, &arena, &error), &error);
    return facts;
}

static inline swTetBoundary boundary_of(const swTetMesh *mesh) {
    swError error = {0};
    swTetBoundary boundary;
    require(sw_tets_boundary(mesh, &arena, &boundary, &error), &error);
    return boundary;
}

static inline int edge_end(const swSurface *s, int i) {
    return s->triangle[i - i % 3 + (i + 1) % 3];
}

// How many half-edges lead from a to b; `found` is one of them.
static inline int count_edges(const swSurface *s, const int *start, const int *edge, int a, int b,
                              int *found) {
    int n = 0;
    for (int i = start[a]; i < start[a + 1]; i++)
        if (edge_end(s, edge[i]) == b) {
            *found = edge[i];
            n++;
        }
    return n;
}

// Every edge is met as often from one side as from the other; returns how many are there twice.
// Where none is, the triangles at each vertex must be one fan.
static inline int assert_closed(const swSurface *s) {
    const int n = 3 * s->ntriangle; // half-edge i leads from its corner to the triangle's next one
    swError error;
    int *start = SW_NEW(&arena, s->nvertex + 2, int, &error),
        *edge = SW_NEW(&arena, n, int, &error);
    int *next = SW_NEW(&arena, n, int, &error), twice = 0, none;
    assert_true(start && edge && next);
    for (int i = 0; i < n; i++)
        start[s->triangle[i] + 2]++;
    for (int v = 0; v < s->nvertex; v++)
        start[v + 2] += start[v + 1];
    for (int i = 0; i < n; i++)
        edge[start[s->triangle[i] + 1]++] = i;
    for (int i = 0; i < n; i++) {
        const int a = s->triangle[i], b = edge_end(s, i);
        int back = -1;
        const int count = count_edges(s, start, edge, b, a, &back);
        assert_true(count == 1 || count == 2);
        assert_int_equal(count, count_edges(s, start, edge, a, b, &none));
        twice += count == 2;
        next[i] = back - back % 3 + (back + 1) % 3; // turns around vertex a
        assert_int_equal(s->triangle[next[i]], a);
    }
    for (int i = 0; !twice && i < n; i++) {
        int length = 1;
        for (int at = next[i]; at != i; at = next[at])
            length++;
        assert_int_equal(length, start[s->triangle[i] + 1] - start[s->triangle[i]]);
    }
    return twice / 4;
}

static inline swReal surface_volume(const swSurface *s) {
    swReal sum = 0;
    for (int t = 0; t < s->ntriangle; t++) {
        const int *v = &s->triangle[3 * t];
        sum += sw_dot(s->X[v[0]], sw_cross(s->X[v[1]], s->X[v[2]])) / 6;
    }
    return sum;
}

// Right-handed tetrahedra that fill a space face to face; inner faces turn their backs on each
// other. Returns the edges that the surface has twice.
static inline int assert_conforming(const swTetMesh *mesh) {
    swError error = {0};
    const swTetFacts f = facts_of(mesh);
    assert_int_equal(f.left_handed, 0);
    assert_int_equal(f.flat, 0);
    assert_int_equal(f.crowded_faces, 0);
    assert_int_equal(f.unused_vertices, 0);
    int *across = SW_NEW(&arena, 4 * (size_t)mesh->ntet, int, &error);
    require(across && sw_tets_across(mesh, across, NULL, &arena, &error), &error);
    for (int face = 0; face < 4 * mesh->ntet; face++) {
        const int other = across[face];
        if (other < 0)
            continue;
        assert_int_equal(across[other], face);
        const int *v = sw_tets_at(mesh, face / 4), *w = sw_tets_at(mesh, other / 4);
        const int *a = sw_tet_face[face % 4], *b = sw_tet_face[other % 4];
        int turn = 0;
        while (w[b[turn]] != v[a[0]])
            assert_true(++turn < 3);
        assert_int_equal(w[b[(turn + 1) % 3]], v[a[2]]);
        assert_int_equal(w[b[(turn + 2) % 3]], v[a[1]]);
    }
    const swTetBoundary b = boundary_of(mesh);
    const int twice = assert_closed(&b.surface);
    for (int i = 0; i < b.surface.nvertex; i++)
        assert_memory_equal(&b.surface.X[i], &mesh->X[b.vertex[i]], sizeof(swVec3));
    assert_near(surface_volume(&b.surface), f.volume, 1e-9 * f.volume);
    return twice;
}

static inline void assert_sound(const swTetMesh *mesh) {
    assert_int_equal(assert_conforming(mesh), 0);
}

// ---- solids to be meshed ----

static inline swShape box(swVec3 size, swVec3 center) {
    return (swShape){.kind = SW_SHAPE_BOX, .size = size, .center = center};
}
static inline swShape sphere(swReal radius, swVec3 center) {
    return (swShape){.kind = SW_SHAPE_SPHERE, .radius = radius, .center = center};
}
static inline swShape capsule(swVec3 from, swVec3 to, swReal radius) {
    return (swShape){.kind = SW_SHAPE_CAPSULE, .from = from, .to = to, .radius = radius};
}

typedef struct Body {
    int n;
    swPaint paint[4];
    swGrid grid;
    swLattice lattice;
} Body;

// Shape i is of material i.
static inline void paint_body(Body *body, int n, const swShape *shape) {
    *body = (Body){.n = n};
    for (int i = 0; i < n; i++)
        body->paint[i] = (swPaint){create(shape[i]), i, NULL};
}

static inline void fill_body(Body *body, swReal h) {
    swError error = {0};
    require(
        sw_voxelize(body->n, body->paint, h, "body", NULL, &config, &arena, &body->grid, &error) &&
            sw_lattice_create(&body->grid, &arena, &body->lattice, &error),
        &error);
}

static inline swTetMesh stuff_body(const Body *body, swReal h, swPool *pool) {
    swError error = {0};
    swTetMesh mesh;
    require(sw_tets_stuff(body->n, body->paint, h, "body", pool, &arena, &mesh, &error), &error);
    return mesh;
}
