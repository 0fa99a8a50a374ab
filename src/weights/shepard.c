// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Shepard weights: w_i = d_i^-p / sum_j d_j^-p with d_i the distance to frame or handle i.
// Geodesic distances are the Euclidean ones times a detour factor, which is interpolated between
// lattice nodes: exact at the frame itself, smooth, and with an exact gradient.
#include "weights/weights.h"

typedef struct {
    swReal *detour; // [site][lattice node], at least 1; NULL: Euclidean
} swShepard;

static swReal straight(const swSite *site, swVec3 p) {
    return site->region ? sw_max(0, sw_solid_distance(site->region, p))
                        : sw_norm(sw_sub(p, site->origin));
}

// The gradient of straight(); of regions by central differences.
static swVec3 straight_gradient(const swSite *site, swVec3 p, swReal step) {
    if (!site->region)
        return sw_unit(sw_sub(p, site->origin));
    swVec3 g = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        swVec3 a = p, b = p;
        sw_set(&a, k, sw_get(p, k) - step);
        sw_set(&b, k, sw_get(p, k) + step);
        sw_set(&g, k, (straight(site, b) - straight(site, a)) / (2 * step));
    }
    return g;
}

typedef struct {
    const swWeightField *field;
    swShepard *shepard;
    swDistanceWork *work; // per worker
    swReal **distance;
} swJob;

static void measure_sites(int start, int end, int worker, void *arg) {
    swJob *job = arg;
    const swLattice *l = job->field->lattice;
    for (int s = start; s < end; s++) {
        const swSite *site = &job->field->site[s];
        swSource source = {site->origin, site->region ? -1 : site->cell, site->nnode, site->node};
        swReal *d = job->distance[worker],
               *detour = job->shepard->detour + (size_t)s * (size_t)l->n;
        sw_distance(l, &job->work[worker], 1, &source, d, NULL);
        for (int i = 0; i < l->n; i++) {
            // Near the source the direct way is open, and the lattice path only longer for want of
            // directions.
            swReal e = straight(site, l->X[i]);
            detour[i] = isinf(d[i]) ? INFINITY : e > 0 ? sw_max(1, d[i] / e) : 1;
        }
    }
}

static bool prepare(swWeightField *f, swPool *pool, swArena *arena, swError *error) {
    swShepard *shepard = SW_NEW(arena, 1, swShepard, error);
    if (!shepard)
        return false;
    f->data = shepard;
    if (f->def->distance == SW_DISTANCE_EUCLIDEAN)
        return true;
    const int workers = sw_pool_size(pool);
    swJob job = {f, shepard, SW_NEW(arena, workers, swDistanceWork, error),
                 SW_NEW(arena, workers, swReal *, error)};
    shepard->detour = SW_NEW(arena, (size_t)f->nsite * (size_t)f->lattice->n, swReal, error);
    if (!job.work || !job.distance || !shepard->detour)
        return false;
    for (int i = 0; i < workers; i++)
        if (!sw_distance_create(f->lattice, arena, &job.work[i], error) ||
            !(job.distance[i] = SW_NEW(arena, f->lattice->n, swReal, error)))
            return false;
    sw_parallel_for(pool, f->nsite, 1, measure_sites, &job);
    return true;
}

// Times the detour factor. False where no path leads there.
static bool add_detour(const swWeightField *f, int s, swVec3 p, int cell, swReal *d,
                       swVec3 *gradient) {
    const swLattice *l = f->lattice;
    const swReal *detour = ((const swShepard *)f->data)->detour + (size_t)s * (size_t)l->n;
    swReal N[8], dN[8][3], ratio = 0;
    swVec3 slope = {0, 0, 0};
    sw_lattice_shape(l, cell, p, N, dN);
    for (int k = 0; k < 8; k++) {
        swReal value = detour[l->corner[8 * cell + k]];
        if (isinf(value))
            return false;
        ratio += N[k] * value;
        slope = sw_madd(slope, value, sw_v3(dN[k][0], dN[k][1], dN[k][2]));
    }
    if (ratio < 1) { // outside the cell the interpolation is an extrapolation
        ratio = 1;
        slope = sw_v3(0, 0, 0);
    }
    *gradient = sw_add(sw_scale(ratio, *gradient), sw_scale(*d, slope));
    *d *= ratio;
    return true;
}

// Distances d[s] and their gradients g[s][3]; infinite where no path leads. Returns the least.
static swReal distances(const swWeightField *f, swVec3 p, int cell, bool geodesic, swReal *d,
                        swReal *g) {
    swReal nearest = INFINITY;
    for (int s = 0; s < f->nsite; s++) {
        const swSite *site = &f->site[s];
        d[s] = straight(site, p);
        swVec3 slope =
            d[s] > 0 ? straight_gradient(site, p, 1e-5 * f->lattice->grid->h) : sw_v3(0, 0, 0);
        if (geodesic && d[s] > 0 && !add_detour(f, s, p, cell, &d[s], &slope))
            d[s] = INFINITY;
        g[3 * s] = slope.x, g[3 * s + 1] = slope.y, g[3 * s + 2] = slope.z;
        nearest = sw_min(nearest, d[s]);
    }
    return nearest;
}

static void evaluate_one(const swWeightField *f, swVec3 p, int cell, swReal *w, swReal *dw) {
    const swReal power = f->def->power;
    const bool geodesic = ((const swShepard *)f->data)->detour != NULL;
    swReal nearest = distances(f, p, cell, geodesic, w, dw), sum = 0;
    if (isinf(nearest)) // a part of the body without a frame follows those around it
        nearest = distances(f, p, cell, false, w, dw);
    swVec3 total = {0, 0, 0};
    // phi_s = (nearest / d_s)^p: scaled, so that nothing overflows; the nearest one has phi = 1. On
    // a site, the last that is there has all: handles come after frames.
    int owner = -1;
    for (int s = 0; s < f->nsite; s++)
        owner = w[s] == 0 ? s : owner;
    for (int s = 0; s < f->nsite; s++) {
        const swReal phi = owner >= 0 ? s == owner : isinf(w[s]) ? 0 : pow(nearest / w[s], power);
        const swReal slope = owner >= 0 || phi == 0 ? 0 : -power * phi / w[s]; // dphi/dd
        w[s] = phi;
        sum += phi;
        for (int k = 0; k < 3; k++)
            dw[3 * s + k] = slope == 0 ? 0 : slope * dw[3 * s + k];
        total = sw_add(total, sw_v3(dw[3 * s], dw[3 * s + 1], dw[3 * s + 2]));
    }
    for (int s = 0; s < f->nsite; s++) { // dw = (dphi - w dsum) / sum
        w[s] /= sum;
        for (int k = 0; k < 3; k++)
            dw[3 * s + k] = (dw[3 * s + k] - w[s] * sw_get(total, k)) / sum;
    }
}

static void evaluate(const swWeightField *f, int n, const swVec3 *p, const int *cell, swReal *w,
                     swReal *dw) {
    for (int i = 0; i < n; i++)
        evaluate_one(f, p[i], cell[i], w + (size_t)i * (size_t)f->nsite,
                     dw + 3 * (size_t)i * (size_t)f->nsite);
}

const swWeightKind sw_weights_shepard = {
    .name = "shepard",
    .doc = "inverse distance, through the material or straight",
    .prepare = prepare,
    .evaluate = evaluate,
};
