// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "modes/poses.h"

#include "math/cholesky.h"
#include "modes/polynomial.h"

#include <string.h>

enum { MAX_TURNS = 40, MAX_HALVINGS = 12 };
static const swReal least_volume = 0.2; // least det F of any point in a pose

void sw_pose_vertices(const swFull *f, const swBasis *basis, const swReal *z, swReal *u) {
    memset(u, 0, (size_t)f->n * sizeof *u);
    for (int j = 0; j < basis->count; j++)
        for (int i = 0; i < f->n; i++)
            u[i] += z[j] * basis->shape[(ptrdiff_t)j * f->n + i];
}

swMat3 sw_pose_gradient(const swFull *f, int tet, const swVec3 *dN, const swReal *u) {
    const swTetMesh *mesh = f->body->mesh;
    const int *v = sw_tets_at(mesh, tet);
    swMat3 F = sw_mat_identity();
    for (int a = 0; a < sw_tet_vertices(mesh->order); a++) {
        const swVec3 d = sw_full_at(f, u, v[a]);
        for (int e = 0; e < 9; e++)
            F.m[e] += sw_get(d, e / 3) * sw_get(dN[a], e % 3);
    }
    return F;
}

typedef struct {
    int r, stride;
    swReal *coefficient, *scratch;
    swReal *force, *g, *H, *step;
    swReal *u; // displacements of vertices
} swPosing;

static bool reserve(swPosing *p, const swFull *f, int r, swArena *arena, swError *error) {
    const size_t n = (size_t)r;
    p->r = r;
    p->stride = sw_cholesky_stride(r);
    return (p->coefficient = SW_NEW(arena, sw_polynomial_size(r), swReal, error)) &&
           (p->scratch = SW_NEW(arena, sw_polynomial_scratch(r), swReal, error)) &&
           (p->force = SW_NEW(arena, n, swReal, error)) &&
           (p->g = SW_NEW(arena, n, swReal, error)) &&
           (p->step = SW_NEW(arena, n, swReal, error)) &&
           (p->H = SW_NEW(arena, n * (size_t)p->stride, swReal, error)) &&
           (p->u = SW_NEW(arena, f->n, swReal, error));
}

// Energy minus the work of the forces, with its gradient and Hessian.
static swReal evaluate(swPosing *p, const swReal *z) {
    memset(p->g, 0, (size_t)p->r * sizeof *p->g);
    memset(p->H, 0, (size_t)p->r * (size_t)p->stride * sizeof *p->H);
    swReal size, energy = sw_polynomial_add(p->r, p->coefficient, z, p->g, p->H, p->stride,
                                            p->scratch, &size);
    for (int j = 0; j < p->r; j++) {
        energy -= p->force[j] * z[j];
        p->g[j] -= p->force[j];
    }
    return energy;
}

// Computes a Newton step, with more on the diagonal where the energy is not convex.
static void find_step(swPosing *p, const swReal *z) {
    swReal shift = 0, largest = 0;
    for (int j = 0; j < p->r; j++)
        largest = sw_max(largest, fabs(p->H[(ptrdiff_t)j * p->stride + j]));
    while (shift <= 10 * largest) {
        if (sw_cholesky_factor(p->r, p->r, p->H, p->stride) == p->r)
            break;
        shift = shift > 0 ? 4 * shift : 1e-4 * largest;
        evaluate(p, z);
        for (int j = 0; j < p->r; j++)
            p->H[(ptrdiff_t)j * p->stride + j] += shift;
    }
    memcpy(p->step, p->g, (size_t)p->r * sizeof *p->step);
    sw_cholesky_solve(p->r, p->H, p->stride, p->step);
}

// Goes from z to equilibrium under the forces, or near it: any such pose will do.
static void settle(swPosing *p, swReal *z) {
    swReal trial[SW_MAX_MODES];
    for (int turn = 0; turn < MAX_TURNS; turn++) {
        const swReal energy = evaluate(p, z);
        find_step(p, z);
        const swReal slope = sw_dot_n(p->r, p->g, p->step);
        if (!(slope > 1e-16 * fabs(energy)))
            return;
        swReal share = 1;
        for (int cut = 0; cut < MAX_HALVINGS; cut++, share *= 0.5) {
            for (int j = 0; j < p->r; j++)
                trial[j] = z[j] - share * p->step[j];
            if (evaluate(p, trial) < energy)
                break;
        }
        memcpy(z, trial, (size_t)p->r * sizeof *z);
    }
}

// Whether no point is compressed too much.
static bool has_volume(swPosing *p, const swFull *f, const swBasis *basis, const swReal *z) {
    sw_pose_vertices(f, basis, z, p->u);
    for (int t = 0; t < f->body->mesh->ntet; t++) {
        swTetSample point[SW_TET_SAMPLES];
        const int n = sw_tet_samples(f->body->mesh, t, point);
        for (int i = 0; i < n; i++)
            if (!(sw_mat_det(sw_pose_gradient(f, t, point[i].dN, p->u)) > least_volume))
                return false;
    }
    return true;
}

bool sw_poses_create(const swFull *f, const swBasis *basis, int count, uint64_t turn, swPool *pool,
                     swArena *arena, swReal **z, swError *error) {
    const int r = basis->count;
    uint64_t seed = 88172645463325252ull + turn;
    swArena scratch;
    swPosing p;
    sw_arena_init(&scratch, &arena->allocator);
    bool ok = (*z = SW_NEW(arena, (size_t)count * (size_t)r, swReal, error)) &&
              reserve(&p, f, r, &scratch, error) &&
              sw_polynomial_build(f, basis, pool, p.coefficient, &scratch, error);
    for (int i = 0; ok && i < count; i++) {
        ok = sw_pool_goes_on(pool) || sw_fail_stopped(error);
        swReal *pose = *z + (ptrdiff_t)i * r,
               size = sw_modal_amplitude(f, basis->shape) * (i + 1) / count;
        for (int j = 0; j < r; j++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            // equal energy for each mode, so that neither soft nor stiff ones are hidden by the
            // others
            p.force[j] = size * sqrt(basis->stiffness[0] * basis->stiffness[j]) *
                         ((swReal)(seed >> 40) / (1 << 23) - 1);
        }
        settle(&p, pose);
        for (int k = 0; k < MAX_HALVINGS && !has_volume(&p, f, basis, pose); k++) {
            memset(pose, 0, (size_t)r * sizeof *pose);
            for (int j = 0; j < r; j++)
                p.force[j] *= 0.5;
            settle(&p, pose);
        }
    }
    sw_arena_free(&scratch);
    return ok;
}
