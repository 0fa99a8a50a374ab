// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "modes/full.h"

#include "modes/tet_samples.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// Pairs of vertices that share a tetrahedron: for each vertex, itself and those with lower numbers.
static bool make_pattern(const swTetMesh *mesh, swArena *arena, swPattern *out, swError *error) {
    const int n = mesh->nvertex, k = sw_tet_vertices(mesh->order);
    int64_t *first = SW_NEW(arena, n + 1, int64_t, error), total = n;
    int *row = SW_NEW(arena, n + 1, int, error);
    if (!first || !row)
        return false;
    for (int i = 0; i < n; i++)
        first[i + 1] = 1;
    for (int64_t t = 0; t < mesh->ntet; t++)
        for (int a = 0; a < k; a++)
            for (int b = 0; b < k; b++)
                if (mesh->vertex[t * k + b] < mesh->vertex[t * k + a]) {
                    first[mesh->vertex[t * k + a] + 1]++;
                    total++;
                }
    int *list = SW_NEW(arena, total, int, error), *count = SW_NEW(arena, n, int, error);
    if (!list || !count)
        return false;
    for (int i = 0; i < n; i++) {
        first[i + 1] += first[i];
        list[first[i] + count[i]++] = i;
    }
    for (int64_t t = 0; t < mesh->ntet; t++)
        for (int a = 0; a < k; a++)
            for (int b = 0; b < k; b++) {
                const int i = mesh->vertex[t * k + a], j = mesh->vertex[t * k + b];
                if (j < i)
                    list[first[i] + count[i]++] = j;
            }
    int64_t to = 0;
    for (int i = 0; i < n; i++) { // sort, remove duplicates, and pack
        int *from = list + first[i];
        qsort(from, (size_t)count[i], sizeof *from, compare);
        for (int c = 0; c < count[i]; c++)
            if (c == 0 || from[c] != from[c - 1])
                list[to++] = from[c];
        if (to > INT32_MAX)
            return sw_fail(error, SW_ERROR_LIMIT, "the mesh has too many vertices");
        row[i + 1] = (int)to;
    }
    *out = (swPattern){n, row, list};
    return true;
}

// K_ab = lambda g_a g_b^T + mu g_b g_a^T + mu g_a . g_b
static void add_stiffness(swReal mu, swReal lambda, const swTetSample *p, int a, int b, swReal *K) {
    const swVec3 ga = p->dN[a], gb = p->dN[b];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            K[3 * i + j] += p->weight * (lambda * sw_get(ga, i) * sw_get(gb, j) +
                                         mu * sw_get(ga, j) * sw_get(gb, i) +
                                         (i == j ? mu * sw_dot(ga, gb) : 0));
}

static void add_tet(swFull *f, int tet) {
    const swTetBody *body = f->body;
    const swTetMesh *mesh = body->mesh;
    const int k = sw_tet_vertices(mesh->order), *v = sw_tets_at(mesh, tet);
    swTetSample point[SW_TET_SAMPLES];
    const int count = sw_tet_samples(mesh, tet, point);
    swReal mass = 0;
    for (int i = 0; i < count; i++)
        mass += body->density[tet] * point[i].weight;
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) {
            if (v[b] > v[a] || body->held[v[a]] || body->held[v[b]])
                continue;
            const int block = sw_pattern_find(&f->K.pattern, v[a], v[b]);
            f->mass[block] += mass * sw_tet_mass(mesh->order, a, b);
            for (int i = 0; i < count; i++)
                add_stiffness(body->mu[tet], body->lambda[tet], &point[i], a, b,
                              f->K.value + f->K.at[block]);
        }
}

bool sw_full_create(swFull *f, const swTetBody *body, swPool *pool, swArena *arena,
                    swError *error) {
    const swTetMesh *mesh = body->mesh;
    swPattern pattern;
    *f = (swFull){.body = body};
    int *size = SW_NEW(arena, mesh->nvertex, int, error);
    if (!size || !make_pattern(mesh, arena, &pattern, error))
        return false;
    for (int i = 0; i < mesh->nvertex; i++) {
        size[i] = body->held[i] ? 0 : 3;
        f->n += size[i];
    }
    f->mass = SW_NEW(arena, pattern.row[pattern.n], swReal, error);
    if (!f->mass || !sw_blocks_create(&f->K, pattern, size, arena, error))
        return false;
    for (int t = 0; t < mesh->ntet; t++)
        add_tet(f, t);
    if (!sw_factor_plan(&f->factor, &f->K, SW_FACTOR_SPARSE, NULL, arena, error) ||
        !sw_factor_allocate(&f->factor, arena, error))
        return false;
    swReal *diagonal = SW_NEW(arena, f->n, swReal, error);
    if (!diagonal)
        return false;
    sw_blocks_diagonal(&f->K, diagonal);
    f->factor.pool = pool;
    const bool ok = f->n > 0 && sw_factor_compute(&f->factor, &f->K, 0, 1e-13, diagonal);
    if (sw_pool_stopped(pool))
        return sw_fail_stopped(error);
    if (!ok)
        return sw_fail(error, SW_ERROR_VALUE,
                       "expected handles that hold every piece of the mesh against all rigid "
                       "motions, found a piece that can move freely");
    return true;
}

void sw_full_mass(const swFull *f, const swReal *x, swReal *y) {
    const swPattern *p = &f->K.pattern;
    memset(y, 0, (size_t)f->n * sizeof *y);
    for (int i = 0; i < p->n; i++) {
        if (f->body->held[i])
            continue;
        const int at = f->K.start[i];
        for (int k = p->row[i]; k < p->row[i + 1]; k++) {
            const int other = f->K.start[p->column[k]];
            const swReal m = f->mass[k];
            for (int c = 0; c < 3 && m != 0; c++) {
                y[at + c] += m * x[other + c];
                if (other != at)
                    y[other + c] += m * x[at + c];
            }
        }
    }
}

void sw_full_solve(const swFull *f, swReal *x) { sw_factor_solve(&f->factor, &f->K, x); }
