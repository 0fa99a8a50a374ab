// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/tets.h"
#include "math/sets.h"

#include <string.h>

const int sw_tet_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
const int sw_tet_edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

swReal sw_tet_det(swVec3 x0, swVec3 x1, swVec3 x2, swVec3 x3) {
    return sw_dot(sw_cross(sw_sub(x1, x0), sw_sub(x2, x0)), sw_sub(x3, x0));
}

swReal sw_tets_volume(const swTetMesh *mesh, int tet) {
    const int *v = sw_tets_at(mesh, tet);
    return sw_tet_det(mesh->X[v[0]], mesh->X[v[1]], mesh->X[v[2]], mesh->X[v[3]]) / 6;
}

// ---- shape functions ----

void sw_tet_shape(int order, const swReal bary[4], swReal *N) {
    if (order == 1) {
        memcpy(N, bary, 4 * sizeof *N);
        return;
    }
    for (int i = 0; i < 4; i++)
        N[i] = bary[i] * (2 * bary[i] - 1);
    for (int e = 0; e < 6; e++)
        N[4 + e] = 4 * bary[sw_tet_edge[e][0]] * bary[sw_tet_edge[e][1]];
}

// Derivatives of the shape functions with respect to the four barycentric coordinates, treated as
// independent.
static void shape_slopes(int order, const swReal bary[4], swReal slope[10][4]) {
    memset(slope, 0, 10 * sizeof *slope);
    for (int i = 0; i < 4; i++)
        slope[i][i] = order == 1 ? 1 : 4 * bary[i] - 1;
    for (int e = 0; order == 2 && e < 6; e++) {
        const int *end = sw_tet_edge[e];
        slope[4 + e][end[0]] = 4 * bary[end[1]];
        slope[4 + e][end[1]] = 4 * bary[end[0]];
    }
}

swReal sw_tet_gradients(int order, const swVec3 *X, const swReal bary[4], swVec3 *dN) {
    swReal slope[10][4];
    swMat3 J = {{0}}; // column k: dX / d bary[k + 1], with bary[0] = 1 minus the others
    const int n = sw_tet_vertices(order);
    shape_slopes(order, bary, slope);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            const swReal s = slope[i][k + 1] - slope[i][0];
            J.m[k] += s * X[i].x;
            J.m[3 + k] += s * X[i].y;
            J.m[6 + k] += s * X[i].z;
        }
    const swMat3 inverse = sw_mat_inverse(J);
    for (int i = 0; i < n; i++)
        dN[i] = sw_mul_t(inverse, sw_v3(slope[i][1] - slope[i][0], slope[i][2] - slope[i][0],
                                        slope[i][3] - slope[i][0]));
    return sw_mat_det(J);
}

// ---- neighbours ----

// Finds items by their vertices; slots hold 1 + the item's number.
typedef struct Table {
    int *slot;
    size_t mask;
} Table;

static bool table_init(Table *table, size_t n, swArena *scratch, swError *error) {
    size_t size = 16;
    while (size < 2 * n)
        size *= 2;
    table->mask = size - 1;
    return (table->slot = SW_NEW(scratch, size, int, error)) != NULL;
}

static size_t table_start(const Table *table, const int key[3]) {
    return (size_t)(sw_hash(SW_HASH_SEED, key, 3 * sizeof *key) >> 20) & table->mask;
}

// The corners of a face, ascending. Returns false if two are the same.
static bool face_key(const swTetMesh *mesh, int face, int key[3]) {
    const int *v = sw_tets_at(mesh, face / 4), *f = sw_tet_face[face % 4];
    const int a = v[f[0]], b = v[f[1]], c = v[f[2]];
    key[0] = sw_min_int(a, sw_min_int(b, c));
    key[2] = sw_max_int(a, sw_max_int(b, c));
    key[1] = (int)((int64_t)a + b + c - key[0] - key[2]);
    return key[0] != key[1] && key[1] != key[2];
}

bool sw_tets_across(const swTetMesh *mesh, int *across, int *crowded, swArena *scratch,
                    swError *error) {
    const int nface = 4 * mesh->ntet;
    Table table;
    int extra = 0;
    unsigned char *met =
        SW_NEW(scratch, nface, unsigned char, error); // for the first of equal faces: how many more
    if (!met || !table_init(&table, (size_t)nface, scratch, error))
        return false;
    for (int face = 0; face < nface; face++) {
        int key[3], other[3], *slot;
        across[face] = -1;
        if (!face_key(mesh, face, key))
            continue;
        size_t at = table_start(&table, key);
        for (; *(slot = &table.slot[at]); at = (at + 1) & table.mask) {
            face_key(mesh, *slot - 1, other);
            if (memcmp(key, other, sizeof key) == 0)
                break;
        }
        if (!*slot) {
            *slot = face + 1;
            continue;
        }
        const int first = *slot - 1;
        if (met[first] == 0) {
            across[first] = face;
            across[face] = first;
        }
        extra += met[first] == 1;
        met[first] = (unsigned char)sw_min_int(met[first] + 1, 2);
    }
    if (crowded)
        *crowded = extra;
    return true;
}

int sw_tets_pieces(int ntet, const int *across, int *piece) {
    for (int t = 0; t < ntet; t++)
        piece[t] = t;
    for (int face = 0; face < 4 * ntet; face++)
        if (across[face] >= 0)
            sw_set_join(piece, face / 4, across[face] / 4);
    return sw_set_number(piece, ntet);
}

// Joins the corners of neighbours at their common faces; slots are 4 t + i.
static void join_corners(const swTetMesh *mesh, const int *across, int *parent) {
    for (int face = 0; face < 4 * mesh->ntet; face++) {
        const int other = across[face];
        if (other < face)
            continue;
        const int *v = sw_tets_at(mesh, face / 4), *w = sw_tets_at(mesh, other / 4);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                const int a = sw_tet_face[face % 4][i], b = sw_tet_face[other % 4][j];
                if (v[a] == w[b])
                    sw_set_join(parent, face / 4 * 4 + a, other / 4 * 4 + b);
            }
    }
}

static bool separate(swTetMesh *mesh, swArena *arena, swArena *scratch, swError *error) {
    const int n = 4 * mesh->ntet;
    int *across = SW_NEW(scratch, n, int, error), *parent = SW_NEW(scratch, n, int, error);
    int *vertex = SW_NEW(scratch, n, int, error), made = 0;
    bool *taken = SW_NEW(scratch, mesh->nvertex, bool, error);
    if (!across || !parent || !vertex || !taken ||
        !sw_tets_across(mesh, across, NULL, scratch, error))
        return false;
    for (int i = 0; i < n; i++)
        parent[i] = i;
    join_corners(mesh, across, parent);
    // The set of corners that comes first at a vertex keeps that vertex.
    for (int i = 0; i < n; i++) {
        const int root = sw_set_find(parent, i), old = mesh->vertex[i];
        vertex[i] = root < i ? vertex[root] : taken[old] ? mesh->nvertex + made++ : old;
        taken[old] = true;
    }
    if (made == 0)
        return true;
    swVec3 *X = sw_arena_grow(arena, mesh->X, (size_t)mesh->nvertex,
                              (size_t)mesh->nvertex + (size_t)made, sizeof *X, error);
    if (!X)
        return false;
    for (int i = 0; i < n; i++) {
        X[vertex[i]] = X[mesh->vertex[i]];
        mesh->vertex[i] = vertex[i];
    }
    mesh->X = X;
    mesh->nvertex += made;
    return true;
}

bool sw_tets_separate(swTetMesh *mesh, swArena *arena, swError *error) {
    SW_ASSERT(mesh->order == 1);
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    const bool ok = separate(mesh, arena, &scratch, error);
    sw_arena_free(&scratch);
    return ok;
}

// ---- quadratic meshes ----

// The vertex in the middle between a and b; creates it on the first call.
static int middle_vertex(Table *table, int (*ends)[2], swTetMesh *out, int first, int a, int b) {
    const int key[3] = {sw_min_int(a, b), sw_max_int(a, b), 0};
    size_t at = table_start(table, key);
    for (; table->slot[at]; at = (at + 1) & table->mask)
        if (memcmp(ends[table->slot[at] - 1], key, 2 * sizeof *key) == 0)
            return first + table->slot[at] - 1;
    const int made = out->nvertex++;
    memcpy(ends[made - first], key, 2 * sizeof *key);
    out->X[made] = sw_lerp(out->X[key[0]], out->X[key[1]], 0.5);
    table->slot[at] = made - first + 1;
    return made;
}

static bool make_quadratic(const swTetMesh *linear, swArena *arena, swArena *scratch,
                           swTetMesh *out, swError *error) {
    const size_t n = (size_t)linear->ntet, most = (size_t)linear->nvertex + 6 * n;
    Table table;
    int(*ends)[2] = sw_arena_alloc(scratch, 6 * n, sizeof *ends, error);
    *out = *linear;
    out->order = 2;
    // Most edges belong to several tetrahedra, so the vertices are copied to a smaller array at the
    // end.
    if (most > INT32_MAX / 10 || !ends || !table_init(&table, 6 * n, scratch, error) ||
        !(out->X = SW_NEW(scratch, most, swVec3, error)) ||
        !(out->vertex = SW_NEW(arena, 10 * n, int, error)))
        return most <= INT32_MAX / 10
                   ? false
                   : sw_fail(error, SW_ERROR_LIMIT,
                             "%d tetrahedra are too many for quadratic elements", linear->ntet);
    if (linear->nvertex)
        memcpy(out->X, linear->X, (size_t)linear->nvertex * sizeof *out->X);
    for (size_t t = 0; t < n; t++) {
        const int *v = &linear->vertex[4 * t];
        int *w = &out->vertex[10 * t];
        memcpy(w, v, 4 * sizeof *w);
        for (int e = 0; e < 6; e++)
            w[4 + e] = middle_vertex(&table, ends, out, linear->nvertex, v[sw_tet_edge[e][0]],
                                     v[sw_tet_edge[e][1]]);
    }
    out->X = sw_arena_grow(arena, out->X, (size_t)out->nvertex, (size_t)out->nvertex,
                           sizeof *out->X, error);
    return out->X != NULL;
}

bool sw_tets_quadratic(const swTetMesh *linear, swArena *arena, swTetMesh *out, swError *error) {
    SW_ASSERT(linear->order == 1);
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    const bool ok = make_quadratic(linear, arena, &scratch, out, error);
    sw_arena_free(&scratch);
    return ok;
}

bool sw_tets_linear(const swTetMesh *quadratic, swArena *arena, swTetMesh *out, swError *error) {
    *out = *quadratic;
    int *number = SW_NEW(arena, quadratic->nvertex, int, error);
    out->X = SW_NEW(arena, quadratic->nvertex, swVec3, error);
    out->vertex = SW_NEW(arena, 4 * (size_t)quadratic->ntet, int, error);
    if (!number || !out->X || !out->vertex)
        return false;
    for (int t = 0; t < quadratic->ntet; t++)
        for (int i = 0; i < 4; i++)
            number[sw_tets_at(quadratic, t)[i]] = 1;
    out->order = 1;
    out->nvertex = 0;
    for (int v = 0; v < quadratic->nvertex; v++)
        if (number[v]) {
            out->X[out->nvertex] = quadratic->X[v];
            number[v] = out->nvertex++;
        }
    for (int t = 0; t < quadratic->ntet; t++)
        for (int i = 0; i < 4; i++)
            out->vertex[4 * (size_t)t + (size_t)i] = number[sw_tets_at(quadratic, t)[i]];
    for (int t = 0; t < out->ntet; t++)
        if (sw_tets_volume(out, t) < 0) {
            int *v = &out->vertex[4 * (size_t)t], second = v[1];
            v[1] = v[2];
            v[2] = second;
        }
    return true;
}
