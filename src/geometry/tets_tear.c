// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "geometry/tets_tear.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 2 }; // least number of tetrahedra on either side of a split

// The tetrahedra around each vertex, as corners 4 t + i, one row per vertex.
typedef struct {
    int *start, *corner;
} swFans;

static bool find_fans(const swTetMesh *mesh, swArena *scratch, swFans *f, swError *error) {
    f->start = SW_NEW(scratch, mesh->nvertex + 1, int, error);
    f->corner = SW_NEW(scratch, 4 * (size_t)mesh->ntet, int, error);
    if (!f->start || !f->corner)
        return false;
    for (int i = 0; i < 4 * mesh->ntet; i++)
        f->start[mesh->vertex[i] + 1]++;
    for (int v = 0; v < mesh->nvertex; v++)
        f->start[v + 1] += f->start[v];
    for (int i = 4 * mesh->ntet - 1; i >= 0; i--)
        f->corner[--f->start[mesh->vertex[i] + 1]] = i;
    for (int v = 0; v < mesh->nvertex; v++) // filling moved each start down, one entry too late
        f->start[v] = f->start[v + 1];
    f->start[mesh->nvertex] = 4 * mesh->ntet;
    return true;
}

// S += factor a a^T / |a|
static void add_dyad(swMat3 *S, swReal factor, swVec3 a) {
    const swReal size = sw_norm(a);
    for (int i = 0; i < 9 && size > 0; i++)
        S->m[i] += factor * sw_get(a, i / 3) * sw_get(a, i % 3) / size;
}

// Splits a stress into its tensile and compressive parts.
static void part_stress(swMat3 stress, swMat3 part[2]) {
    swVec3 w;
    swMat3 V;
    sw_mat_eigen(stress, &w, &V);
    const swVec3 pull = sw_max3(w, sw_v3(0, 0, 0)), press = sw_sub(w, pull);
    part[0] = sw_mat_mul(sw_mat_mul(V, sw_mat_diag(pull.x, pull.y, pull.z)), sw_mat_t(V));
    part[1] = sw_mat_mul(sw_mat_mul(V, sw_mat_diag(press.x, press.y, press.z)), sw_mat_t(V));
}

// The forces of a tetrahedron on its corners are -V stress grad N; `area` is V grad N.
typedef struct {
    swMat3 part[2];
    swVec3 area[4];
    bool flat;
} swPull1;

static swPull1 pull_of(const swTetMesh *mesh, const swTear *tear, int t) {
    const swReal middle[4] = {0.25, 0.25, 0.25, 0.25};
    swPull1 p = {0};
    swVec3 x[4], dN[4];
    for (int i = 0; i < 4; i++)
        x[i] = tear->x[mesh->vertex[4 * t + i]];
    const swReal det = sw_tet_gradients(1, x, middle, dN);
    p.flat = !(det > 0) || !isfinite(det);
    for (int i = 0; i < 4 && !p.flat; i++)
        p.area[i] = sw_scale(det / 6, dN[i]);
    if (!p.flat)
        part_stress(tear->stress[t], p.part);
    return p;
}

bool sw_tets_pulled(const swTetMesh *mesh, const swTear *tear, swPulled *out, swArena *scratch,
                    swError *error) {
    swFans f;
    swPull1 *pull = SW_NEW(scratch, mesh->ntet, swPull1, error);
    if (!pull || !find_fans(mesh, scratch, &f, error))
        return false;
    for (int t = 0; t < mesh->ntet; t++)
        pull[t] = pull_of(mesh, tear, t);
    for (int v = 0; v < mesh->nvertex; v++) {
        swVec3 sum[2] = {{0, 0, 0}, {0, 0, 0}}, w;
        swMat3 S = {{0}}, V;
        out[v] = (swPulled){0};
        for (int e = f.start[v]; e < f.start[v + 1]; e++) {
            const swPull1 *p = &pull[f.corner[e] / 4];
            for (int k = 0; k < 2 && !p->flat; k++) {
                const swVec3 force = sw_scale(-1, sw_mul(p->part[k], p->area[f.corner[e] % 4]));
                add_dyad(&S, k ? -0.5 : 0.5, force);
                sum[k] = sw_add(sum[k], force);
            }
        }
        add_dyad(&S, -0.5, sum[0]);
        add_dyad(&S, 0.5, sum[1]);
        sw_mat_eigen(S, &w, &V);
        const swVec3 n = {V.m[2], V.m[5], V.m[8]};
        swReal area = 0;
        for (int e = f.start[v]; e < f.start[v + 1]; e++)
            area += 0.5 * fabs(sw_dot(n, pull[f.corner[e] / 4].area[f.corner[e] % 4]));
        if (w.z > 0 && area > 0)
            out[v] = (swPulled){w.z / area, n};
    }
    return true;
}

// ---- splits ----

typedef struct {
    swReal over; // stress relative to toughness
    int vertex;
} swWeak;

static int compare(const void *a, const void *b) {
    const swWeak *x = a, *y = b;
    return x->over != y->over ? (x->over > y->over ? -1 : 1)
                              : (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static swVec3 middle_of(const swTetMesh *mesh, const swVec3 *x, int t) {
    const int *v = sw_tets_at(mesh, t);
    return sw_scale(0.25, sw_add(sw_add(x[v[0]], x[v[1]]), sw_add(x[v[2]], x[v[3]])));
}

// Splits the tetrahedra around a vertex at the plane across `normal`, if possible: those beyond it
// get vertex `made`. Returns whether it did.
static bool split(swTetMesh *mesh, const swTear *tear, const swFans *f, int v, swVec3 normal,
                  bool *touched, int made) {
    int beyond = 0, count = f->start[v + 1] - f->start[v];
    for (int e = f->start[v]; e < f->start[v + 1]; e++) {
        const int t = f->corner[e] / 4;
        if (touched[t])
            return false;
        beyond += sw_dot(normal, sw_sub(middle_of(mesh, tear->x, t), tear->x[v])) > 0;
    }
    if (beyond < LEAST || count - beyond < LEAST)
        return false;
    for (int pass = 0; pass < 2; pass++) // test all of them before changing any
        for (int e = f->start[v]; e < f->start[v + 1]; e++) {
            const int t = f->corner[e] / 4;
            if (pass == 0)
                touched[t] = sw_dot(normal, sw_sub(middle_of(mesh, tear->x, t), tear->x[v])) > 0;
            else if (touched[t])
                mesh->vertex[f->corner[e]] = made;
        }
    for (int e = f->start[v]; e < f->start[v + 1]; e++)
        touched[f->corner[e] / 4] = true;
    return true;
}

static bool tear_mesh(swTetMesh *mesh, const swTear *tear, swTorn *torn, swArena *arena,
                      swArena *scratch, swError *error) {
    const int n = mesh->nvertex;
    swFans f;
    swPulled *pulled = SW_NEW(scratch, n, swPulled, error);
    swWeak *weak = SW_NEW(scratch, n, swWeak, error);
    bool *touched = SW_NEW(scratch, mesh->ntet, bool, error);
    if (!pulled || !weak || !touched || !sw_tets_pulled(mesh, tear, pulled, scratch, error) ||
        !find_fans(mesh, scratch, &f, error))
        return false;
    for (int v = 0; v < n; v++) {
        swReal bears = INFINITY;
        for (int e = f.start[v]; e < f.start[v + 1]; e++)
            bears = sw_min(bears, tear->toughness[f.corner[e] / 4]);
        const swReal over = pulled[v].stress / bears;
        torn->largest = sw_max(torn->largest, over);
        if (over > 1 && !tear->held[v])
            weak[torn->beyond++] = (swWeak){over, v};
    }
    qsort(weak, (size_t)torn->beyond, sizeof *weak, compare);
    int *whole = SW_NEW(scratch, tear->most + 1, int, error);
    for (int i = 0; whole && i < torn->beyond && torn->splits < tear->most; i++)
        if (split(mesh, tear, &f, weak[i].vertex, pulled[weak[i].vertex].normal, touched,
                  n + torn->splits))
            whole[torn->splits++] = weak[i].vertex;
    if (!whole || torn->splits == 0)
        return whole != NULL;
    swVec3 *X =
        sw_arena_grow(arena, mesh->X, (size_t)n, (size_t)(n + torn->splits), sizeof *X, error);
    if (!X)
        return false;
    for (int i = 0; i < torn->splits; i++)
        X[n + i] = X[whole[i]];
    mesh->X = X;
    mesh->nvertex = n + torn->splits;
    return sw_tets_separate(mesh, arena, error);
}

bool sw_tets_tear(swTetMesh *mesh, const swTear *tear, swTorn *torn, swArena *arena,
                  swError *error) {
    swArena scratch;
    *torn = (swTorn){0};
    SW_ASSERT(mesh->order == 1);
    sw_arena_init(&scratch, &arena->allocator);
    const bool ok = tear_mesh(mesh, tear, torn, arena, &scratch, error);
    sw_arena_free(&scratch);
    return ok;
}
