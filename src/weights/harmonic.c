// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Harmonic weights: w_i solves the Laplace equation in the material, 1 at frame or handle i and 0
// at the others; weighted by Young's modulus where the distance is the compliance, so that stiff
// parts move as one. On the lattice the maximum principle holds: weights are between 0 and 1.
#include "weights/harmonic.h"

#include <string.h>

static const swReal least_weight = 1e-9; // smaller ones are dropped

bool sw_harmonic_stiffness(const swWeightField *f, const swReal **stiffness, swError *error) {
    if (f->def->distance == SW_DISTANCE_EUCLIDEAN)
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s: \"%s\" weights: expected the distance \"geodesic\" or "
                       "\"compliance\", found \"euclidean\"",
                       f->site[0].key, f->kind->name);
    *stiffness = f->def->distance == SW_DISTANCE_COMPLIANCE ? f->lattice->young : NULL;
    return true;
}

bool sw_harmonic_owners(const swLattice *l, int nsite, const swSite *site, swArena *arena,
                        int **owner, swError *error) {
    if (!(*owner = SW_NEW(arena, l->n, int, error)))
        return false;
    for (int i = 0; i < l->n; i++)
        (*owner)[i] = -1;
    for (int s = 0; s < nsite; s++) {
        if (site[s].nnode == 0)
            return sw_fail(error, SW_ERROR_GEOMETRY,
                           "%s: it holds no corner of a voxel; take smaller voxels", site[s].key);
        for (int k = 0; k < site[s].nnode; k++) {
            int *at = &(*owner)[site[s].node[k]];
            const swVec3 p = l->X[site[s].node[k]];
            if (*at >= 0 && *at != s)
                return sw_fail(error, SW_ERROR_GEOMETRY,
                               "%s and %s: both hold the corner of voxels at (%.4g, %.4g, %.4g); "
                               "move them apart or take smaller voxels",
                               site[*at].key, site[s].key, p.x, p.y, p.z);
            *at = s;
        }
    }
    return true;
}

bool sw_harmonic_parts(const swLattice *l, const int *owner, swArena *arena, swPieces *parts,
                       swError *error) {
    int *list = SW_NEW(arena, l->n, int, error), n = 0; // nodes in the order they are met
    *parts = (swPieces){.of = SW_NEW(arena, l->n, int, error)};
    if (!list || !parts->of)
        return false;
    for (int i = 0; i < l->n; i++)
        parts->of[i] = -1;
    for (int seed = 0; seed < l->n; seed++) {
        if (parts->of[seed] >= 0)
            continue;
        int next = n;
        parts->of[seed] = parts->count;
        for (list[n++] = seed; next < n; next++)
            for (int e = l->start[list[next]]; e < l->start[list[next] + 1]; e++)
                for (int k = 0; k < 8; k++) {
                    const int node = l->corner[l->around[e] / 8 * 8 + k];
                    if (parts->of[node] >= 0)
                        continue;
                    parts->of[node] = parts->count;
                    list[n++] = node;
                }
        parts->count++;
    }
    parts->volume = SW_NEW(arena, parts->count, swReal, error);
    parts->center = SW_NEW(arena, parts->count, swVec3, error);
    parts->owner = SW_NEW(arena, parts->count, int, error);
    if (!parts->volume || !parts->center || !parts->owner)
        return false;
    for (int k = 0; k < parts->count; k++)
        parts->owner[k] = -1;
    for (int i = 0; i < l->n; i++) {
        const int k = parts->of[i];
        parts->volume[k] += l->volume[i];
        parts->center[k] = sw_madd(parts->center[k], l->volume[i], l->X[i]);
        if (owner[i] >= 0)
            parts->owner[k] = owner[i];
    }
    for (int k = 0; k < parts->count; k++)
        parts->center[k] = sw_scale(1 / parts->volume[k], parts->center[k]);
    return true;
}

// ---- weights ----

typedef struct {
    const swBatches *def;
    int batch; // the first of this round
    // per worker, or place in the round
    swLaplaceWork *work;
    swWide **x;
    swReal *residual;
} swHarmonicJob;

static void solve_batches(int start, int end, int worker, void *arg) {
    swHarmonicJob *job = arg;
    for (int k = start; k < end; k++) {
        memset(job->x[k], 0, (size_t)job->def->laplace->lattice->n * sizeof(swWide));
        job->residual[k] =
            job->def->solve(job->def, &job->work[worker], (job->batch + k) * SW_LANES, job->x[k]);
    }
}

// As many batches of sites at a time as there are workers; values are kept in the order of sites.
bool sw_batches_solve(const swBatches *def, swPool *pool, swNodalList *list, swArena *arena,
                      swError *error) {
    swHarmonicJob storage = {.def = def}, *job = &storage;
    const int n = def->laplace->lattice->n, workers = sw_pool_size(pool);
    const int nbatch = (def->nsite + SW_LANES - 1) / SW_LANES;
    const int round = sw_min_int(workers, nbatch);
    job->work = SW_NEW(arena, workers, swLaplaceWork, error);
    job->x = SW_NEW(arena, round, swWide *, error);
    job->residual = SW_NEW(arena, round, swReal, error);
    if (!job->work || !job->x || !job->residual)
        return false;
    for (int k = 0; k < workers; k++)
        if (!sw_laplace_work(def->laplace, arena, &job->work[k], error))
            return false;
    for (int k = 0; k < round; k++)
        if (!(job->x[k] = SW_NEW(arena, n, swWide, error)))
            return false;
    for (job->batch = 0; job->batch < nbatch; job->batch += round) {
        const int count = sw_min_int(round, nbatch - job->batch);
        if (!sw_parallel_try(pool, count, 1, solve_batches, job))
            return sw_fail_stopped(error);
        for (int k = 0; k < count; k++) {
            const int first = (job->batch + k) * SW_LANES;
            const double *x = (const double *)job->x[k];
            if (!(job->residual[k] <= SW_LAPLACE_TOLERANCE))
                return sw_fail(error, SW_ERROR_NOT_CONVERGED,
                               "weights of %s: expected a residual of at most %.0e, found %.1e",
                               def->site[first].key, SW_LAPLACE_TOLERANCE, job->residual[k]);
            for (int i = 0; i < n; i++)
                for (int s = first; s < sw_min_int(first + SW_LANES, def->nsite); s++) {
                    const swReal value = x[(size_t)i * SW_LANES + (size_t)(s - first)];
                    if (value >= def->least && !sw_nodal_push(list, i, s, value, arena, error))
                        return false;
                }
        }
    }
    return true;
}

// Parts of the material without a site follow the nearest one, all of a part the same.
bool sw_harmonic_loose(const swBatches *job, const swPieces *parts, swNodalList *list,
                       swArena *arena, swError *error) {
    int *nearest = SW_NEW(arena, parts->count, int, error);
    if (!nearest)
        return false;
    for (int k = 0; k < parts->count; k++) {
        swReal least = INFINITY;
        for (int s = 0; s < job->nsite && parts->owner[k] < 0; s++) {
            const swReal d = sw_norm2(sw_sub(job->site[s].origin, parts->center[k]));
            if (d < least) {
                least = d;
                nearest[k] = s;
            }
        }
    }
    for (int i = 0; i < job->laplace->lattice->n; i++)
        if (parts->owner[parts->of[i]] < 0 &&
            !sw_nodal_push(list, i, nearest[parts->of[i]], 1, arena, error))
            return false;
    return true;
}

// Values of fixed nodes that no site has stay 0.
static swReal solve_harmonic(const swBatches *b, const swLaplaceWork *work, int first, swWide *to) {
    double *x = (double *)to;
    int iterations;
    for (int s = first; s < sw_min_int(first + SW_LANES, b->nsite); s++)
        for (int i = 0; i < b->site[s].nnode; i++)
            x[(size_t)b->site[s].node[i] * SW_LANES + (size_t)(s - first)] = 1;
    return sw_laplace_solve(b->laplace, work, NULL, to, &iterations);
}

static bool create(const swLattice *l, int nsite, const swSite *site, const swReal *stiffness,
                   swPool *pool, swArena *scratch, swArena *arena, swNodal *nodal, swError *error) {
    swLaplace laplace;
    const swBatches job = {&laplace, nsite, site, least_weight, solve_harmonic, NULL};
    swPieces parts;
    swNodalList list = {0};
    int *owner;
    char *fixed = SW_NEW(scratch, l->n, char, error);
    if (!fixed || !sw_harmonic_owners(l, nsite, site, scratch, &owner, error) ||
        !sw_harmonic_parts(l, owner, scratch, &parts, error))
        return false;
    for (int i = 0; i < l->n; i++)
        fixed[i] = owner[i] >= 0 || parts.owner[parts.of[i]] < 0;
    return sw_laplace_create(l, stiffness, fixed, 0, scratch, &laplace, error) &&
           sw_batches_solve(&job, pool, &list, scratch, error) &&
           sw_harmonic_loose(&job, &parts, &list, scratch, error) &&
           sw_nodal_create(l, list.count, list.item, arena, nodal, error);
}

bool sw_harmonic_create(const swLattice *l, int nsite, const swSite *site, const swReal *stiffness,
                        swPool *pool, swArena *arena, swNodal *nodal, swError *error) {
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    const bool ok = create(l, nsite, site, stiffness, pool, &scratch, arena, nodal, error);
    sw_arena_free(&scratch);
    return ok;
}

static bool prepare(swWeightField *f, swPool *pool, swArena *arena, swError *error) {
    const swReal *stiffness = NULL;
    swNodal *nodal = SW_NEW(arena, 1, swNodal, error);
    f->data = nodal;
    return nodal && sw_harmonic_stiffness(f, &stiffness, error) &&
           sw_harmonic_create(f->lattice, f->nsite, f->site, stiffness, pool, arena, nodal, error);
}

const swWeightKind sw_weights_harmonic = {
    .name = "harmonic",
    .doc = "solutions of the Laplace equation, 1 at a frame and 0 at the others",
    .prepare = prepare,
    .evaluate = sw_nodal_evaluate,
};
