// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Shepard weights: w_i = d_i^-p / sum_j d_j^-p with d_i the distance to frame or handle i.
// Geodesic distances are the Euclidean ones times a detour factor, which is interpolated between
// lattice nodes: exact at the frame itself, smooth, and with an exact gradient.
#include "weights/weights.h"

typedef struct {
    swReal *detour; // [site][lattice node]; NULL: Euclidean
} swShepard;

// To a frame, a region, or the bounds of a part without one.
static swReal straight(const swSite *site, swVec3 p) {
    if (site->cell >= 0)
        return sw_norm(sw_sub(p, site->origin));
    if (site->region)
        return sw_max(0, sw_solid_distance(site->region, p));
    return sw_norm(sw_max3(sw_max3(sw_sub(site->lo, p), sw_sub(p, site->hi)), sw_v3(0, 0, 0)));
}

// The gradient of straight(); of regions by central differences.
static swVec3 straight_gradient(const swSite *site, swVec3 p, swReal step) {
    if (site->cell >= 0)
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
    const swReal *cost;
    swMarch *march; // per worker
} swShepardJob;

static void measure_sites(int start, int end, int worker, void *arg) {
    swShepardJob *job = arg;
    const swLattice *l = job->field->lattice;
    swMarch *m = &job->march[worker];
    for (int s = start; s < end; s++) {
        const swSite *site = &job->field->site[s];
        swReal *detour = ((swShepard *)job->field->data)->detour + (size_t)s * (size_t)l->n;
        sw_march_clear(m);
        for (int k = 0; site->cell >= 0 && k < 8; k++) {
            const int node = l->corner[8 * site->cell + k];
            const swReal cost = job->cost ? job->cost[site->cell] : 1;
            sw_march_start(m, node, cost * sw_norm(sw_sub(l->X[node], site->origin)), s, 0);
        }
        for (int k = 0; site->cell < 0 && k < site->nnode; k++)
            sw_march_start(m, site->node[k], site->gap && !job->cost ? site->gap[k] : 0, s, 0);
        sw_march_run(m);
        for (int i = 0; i < l->n; i++) {
            // Near the source the direct way is open, and the lattice path only longer for want of
            // directions.
            const swReal e = straight(site, l->X[i]), d = m->time[i];
            detour[i] = isinf(d) ? INFINITY : e > 0 ? d / e : 1;
            if (!job->cost)
                detour[i] = sw_max(1, detour[i]);
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
    swShepardJob job = {.field = f, .march = SW_NEW(arena, workers, swMarch, error)};
    shepard->detour = SW_NEW(arena, (size_t)f->nsite * (size_t)f->lattice->n, swReal, error);
    if (!job.march || !shepard->detour ||
        !sw_march_cost(f->lattice, f->def->distance, arena, &job.cost, error))
        return false;
    for (int i = 0; i < workers; i++)
        if (!sw_march_create(&job.march[i], f->lattice, job.cost, arena, error))
            return false;
    return sw_parallel_try(pool, f->nsite, 1, measure_sites, &job) || sw_fail_stopped(error);
}

// Times the detour factor. False where no path leads there.
static bool add_detour(const swWeightField *f, int s, swVec3 p, int cell, swReal *d,
                       swVec3 *gradient) {
    const swLattice *l = f->lattice;
    const swReal *detour = ((const swShepard *)f->data)->detour + (size_t)s * (size_t)l->n;
    swReal N[8], dN[8][3], ratio = 0;
    swVec3 slope = {0, 0, 0};
    sw_lattice_shape(l, cell, sw_lattice_clamp(l, cell, p), N, dN);
    for (int k = 0; k < 8; k++) {
        swReal value = detour[l->corner[8 * cell + k]];
        if (isinf(value))
            return false;
        ratio += N[k] * value;
        slope = sw_madd(slope, value, sw_v3(dN[k][0], dN[k][1], dN[k][2]));
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
    .doc = "inverse distance, measured through the material or straight",
    .prepare = prepare,
    .evaluate = evaluate,
};
