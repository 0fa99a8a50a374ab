// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "modes/select.h"

#include "cubature/nnls.h"
#include "material/law.h"
#include "material/terms.h"
#include "modes/polynomial.h"
#include "modes/poses.h"

#include <stdlib.h>
#include <string.h>

enum { CANDIDATES = 4000, TESTED = 12 };

// ---- points ----

typedef struct {
    int material;
    swChosenSample point;
} swSortedPoint;

static int compare(const void *a, const void *b) {
    const swSortedPoint *x = a, *y = b;
    return x->material != y->material     ? (x->material < y->material ? -1 : 1)
           : x->point.tet != y->point.tet ? (x->point.tet < y->point.tet ? -1 : 1)
                                          : x->point.point - y->point.point;
}

static bool sort_points(const swTetMesh *mesh, int n, swChosenSample *list, swArena *arena,
                        swError *error) {
    swSortedPoint *sorted = SW_NEW(arena, n, swSortedPoint, error);
    if (!sorted)
        return false;
    for (int i = 0; i < n; i++)
        sorted[i] = (swSortedPoint){mesh->material ? mesh->material[list[i].tet] : 0, list[i]};
    qsort(sorted, (size_t)n, sizeof *sorted, compare);
    for (int i = 0; i < n; i++)
        list[i] = sorted[i].point;
    return true;
}

bool sw_samples_spread(const swTetMesh *mesh, int most, swArena *arena, int *count,
                       swChosenSample **chosen, swError *error) {
    const int per = mesh->order == 1 ? 1 : SW_TET_SAMPLES, all = mesh->ntet * per;
    const int n = sw_min_int(all, most);
    if (!(*chosen = SW_NEW(arena, n, swChosenSample, error)))
        return false;
    *count = 0;
    for (int i = 0; i < n; i++) {
        const int at = (int)((int64_t)i * all / n);
        swTetSample point[SW_TET_SAMPLES];
        if (sw_tet_samples(mesh, at / per, point) > 0)
            (*chosen)[(*count)++] = (swChosenSample){
                at / per, at % per, point[at % per].weight * (swReal)all / (swReal)n};
    }
    return sort_points(mesh, *count, *chosen, arena, error);
}

// ---- forces on modes over the root of their stiffness, so that squares are energies ----

// P of the material of a tetrahedron at F.
static swMat3 stress(const swSelection *s, int tet, swMat3 F) {
    const swTetMesh *mesh = s->full->body->mesh;
    const swMaterialInfo *m = &s->material[mesh->material ? mesh->material[tet] : 0];
    swReal wide[9 * SW_LANES], P[9 * SW_LANES], psi[SW_LANES];
    for (int i = 0; i < 9 * SW_LANES; i++)
        wide[i] = F.m[i / SW_LANES];
    sw_law_at(m->law)->evaluate(m->coefficient, 1, wide, psi, P, NULL);
    if (m->volume != 0)
        sw_volume_add(m->volume, 1, wide, psi, P, NULL);
    if (m->fibre_stiffness > 0)
        sw_fibre_add(m->fibre, m->fibre_stiffness, m->fibre_exponent, 0, 1, wide, psi, P, NULL);
    for (int e = 0; e < 9; e++)
        F.m[e] = s->stiffness[tet] * P[e * SW_LANES];
    return F;
}

// The forces of all points on the modes, at displacements u. f is scratch of full->n numbers.
static void all_forces(const swSelection *s, const swReal *u, swReal *f, swReal *out) {
    const swFull *full = s->full;
    const swTetMesh *mesh = full->body->mesh;
    const int k = sw_tet_vertices(mesh->order);
    memset(f, 0, (size_t)full->n * sizeof *f);
    for (int t = 0; t < mesh->ntet; t++) {
        const int *v = sw_tets_at(mesh, t);
        swTetSample point[SW_TET_SAMPLES];
        const int n = sw_tet_samples(mesh, t, point);
        for (int i = 0; i < n; i++) {
            const swMat3 P = stress(s, t, sw_pose_gradient(full, t, point[i].dN, u));
            for (int a = 0; a < k; a++)
                for (int e = 0; e < 9 && !full->body->held[v[a]]; e++)
                    f[full->K.start[v[a]] + e / 3] +=
                        point[i].weight * P.m[e] * sw_get(point[i].dN[a], e % 3);
        }
    }
    for (int j = 0; j < s->basis->count; j++)
        out[j] = sw_dot_n(full->n, s->basis->shape + (ptrdiff_t)j * full->n, f) /
                 sqrt(s->basis->stiffness[j]);
}

// The forces of one point per unit of volume. D is scratch of 9 r numbers.
static void point_forces(const swSelection *s, const swChosenSample *c, const swReal *u, swReal *D,
                         swReal *out) {
    const int r = s->basis->count;
    swTetSample point[SW_TET_SAMPLES];
    sw_tet_samples(s->full->body->mesh, c->tet, point);
    const swTetSample *p = &point[c->point];
    const swMat3 P = stress(s, c->tet, sw_pose_gradient(s->full, c->tet, p->dN, u));
    sw_modal_gradient(s->full, s->basis, c->tet, p, D);
    for (int j = 0; j < r; j++) {
        out[j] = 0;
        for (int e = 0; e < 9; e++)
            out[j] += P.m[e] * D[e * r + j];
        out[j] /= sqrt(s->basis->stiffness[j]);
    }
}

// ---- the fit ----

typedef struct {
    const swSelection *s;
    int rows, columns;     // forces of all poses; candidates
    swChosenSample *point; // columns
    swReal *A, *b; // [rows][columns], [rows]: pose by pose, each relative to the size of its forces
    swReal *u, *f, *D, *g; // scratch
} swForceFit;

static bool reserve(swForceFit *fit, swArena *arena, swError *error) {
    const int r = fit->s->basis->count, n = fit->s->full->n;
    return (fit->A = SW_NEW(arena, (size_t)fit->rows * (size_t)fit->columns, swReal, error)) &&
           (fit->b = SW_NEW(arena, fit->rows, swReal, error)) &&
           (fit->u = SW_NEW(arena, n, swReal, error)) &&
           (fit->f = SW_NEW(arena, n, swReal, error)) &&
           (fit->D = SW_NEW(arena, 9 * r, swReal, error)) &&
           (fit->g = SW_NEW(arena, r, swReal, error));
}

static void add_pose(swForceFit *fit, int pose, const swReal *z) {
    const swSelection *s = fit->s;
    const int r = s->basis->count;
    swReal *b = fit->b + (ptrdiff_t)pose * r;
    sw_pose_vertices(s->full, s->basis, z, fit->u);
    all_forces(s, fit->u, fit->f, b);
    const swReal size = sqrt(sw_dot_n(r, b, b)), scale = size > 0 ? 1 / size : 0;
    for (int j = 0; j < r; j++)
        b[j] *= scale;
    for (int c = 0; c < fit->columns; c++) {
        // Makes all columns about the same size: a candidate's weight is relative to its own
        // volume.
        point_forces(s, &fit->point[c], fit->u, fit->D, fit->g);
        for (int j = 0; j < r; j++)
            fit->A[((ptrdiff_t)pose * r + j) * fit->columns + c] =
                scale * fit->point[c].weight * fit->g[j];
    }
}

// The error of the forces of the chosen points at some poses, relative to those of all points.
static swReal check(swForceFit *fit, int n, const swChosenSample *chosen, int poses,
                    const swReal *z) {
    const swSelection *s = fit->s;
    const int r = s->basis->count;
    swReal sum = 0, *all = fit->b;
    for (int p = 0; p < poses; p++) {
        swReal left = 0;
        sw_pose_vertices(s->full, s->basis, z + (ptrdiff_t)p * r, fit->u);
        all_forces(s, fit->u, fit->f, all);
        const swReal size = sw_dot_n(r, all, all);
        for (int c = 0; c < n; c++) {
            point_forces(s, &chosen[c], fit->u, fit->D, fit->g);
            for (int j = 0; j < r; j++)
                all[j] -= chosen[c].weight * fit->g[j];
        }
        left = sw_dot_n(r, all, all);
        sum += size > 0 ? left / size : 0;
    }
    return sqrt(sum / poses);
}

static bool fit_weights(swForceFit *fit, swPool *pool, swArena *arena, int *count,
                        swChosenSample **chosen, swError *error) {
    swNnls nnls;
    if (!sw_nnls_create(&nnls, fit->rows, fit->columns, arena, error) ||
        !(*chosen = SW_NEW(arena, fit->rows, swChosenSample, error)))
        return false;
    nnls.most = fit->s->most;
    nnls.pool = pool;
    nnls.enough = 1e-4;
    sw_nnls_solve(&nnls, fit->rows, fit->columns, fit->A, fit->columns, fit->b);
    if (sw_pool_stopped(pool))
        return sw_fail_stopped(error);
    *count = nnls.k;
    for (int k = 0; k < nnls.k; k++) {
        (*chosen)[k] = fit->point[nnls.column[k]];
        (*chosen)[k].weight *= nnls.x[k];
    }
    return true;
}

bool sw_samples_select(const swSelection *s, swPool *pool, swArena *arena, int *count,
                       swChosenSample **chosen, swReal *left, swError *error) {
    const int r = s->basis->count;
    swForceFit fit = {.s = s, .rows = r * s->poses};
    swArena scratch;
    swReal *z, *other;
    swChosenSample *found = NULL;
    sw_arena_init(&scratch, &arena->allocator);
    bool ok = sw_poses_create(s->full, s->basis, s->poses, 0, pool, &scratch, &z, error) &&
              sw_poses_create(s->full, s->basis, TESTED, 1, pool, &scratch, &other, error) &&
              sw_samples_spread(s->full->body->mesh, CANDIDATES, &scratch, &fit.columns, &fit.point,
                                error) &&
              reserve(&fit, &scratch, error);
    for (int p = 0; ok && p < s->poses; p++) {
        ok = sw_pool_goes_on(pool) || sw_fail_stopped(error);
        add_pose(&fit, p, z + (ptrdiff_t)p * r);
    }
    ok = ok && fit_weights(&fit, pool, &scratch, count, &found, error) &&
         (*count > 0 || sw_fail(error, SW_ERROR_NOT_CONVERGED,
                                "found no points that represent "
                                "the whole body")) &&
         sort_points(s->full->body->mesh, *count, found, &scratch, error) &&
         (*chosen = SW_NEW(arena, *count, swChosenSample, error));
    if (ok) {
        memcpy(*chosen, found, (size_t)*count * sizeof *found);
        *left = check(&fit, *count, found, TESTED, other);
    }
    sw_arena_free(&scratch);
    return ok;
}
