// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "cubature/regions.h"

#include "cubature/fit.h"

#include <stdlib.h>
#include <string.h>

// ---- directions in which weights vary ----

// A direction counts if gradients along it exceed this share of the largest.
static const swReal SHARE = 0.1;

swDirections sw_directions_of(int count, int n, const swReal *gradient) {
    swMat3 M = {{0}}, V;
    swVec3 w;
    swDirections found = {.n = 0};
    swReal square = 0, mean = 0;
    for (int k = 0; k < n; k++) {
        swReal sum[3] = {0};
        for (int i = 0; i < count; i++) {
            const swReal *g = gradient + 3 * ((size_t)i * (size_t)n + (size_t)k);
            for (int r = 0; r < 3; r++) {
                sum[r] += g[r] / count;
                for (int c = 0; c < 3; c++)
                    M.m[3 * r + c] += g[r] * g[c] / count;
            }
        }
        mean += sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2];
    }
    square = M.m[0] + M.m[4] + M.m[8];
    found.bent = square > 0 ? 1 - mean / square : 0;
    sw_mat_eigen(M, &w, &V);
    const swReal value[3] = {w.z, w.y, w.x};
    for (int i = 0; i < 3; i++) {
        found.along[i] = sqrt(sw_max(value[i], 0));
        for (int k = 0; k < 3; k++)
            found.axes.m[3 * i + k] = V.m[3 * k + 2 - i];
        found.n += found.along[i] > SHARE * found.along[0];
    }
    return found;
}

swVec3 sw_directions_turn(const swDirections *found, int k) {
    const swVec3 axis = {k == 0, k == 1, k == 2};
    swVec3 sum = {0, 0, 0};
    for (int i = 0; i < found->n; i++) {
        const swReal *e = found->axes.m + 3 * i;
        sum = sw_madd(sum, e[k], sw_v3(e[0], e[1], e[2]));
    }
    const swReal square = sw_norm2(sum);
    if (found->n == 0 || square > 0.99) // aligned with layers of voxels
        return axis;
    return square > 0.2 ? sw_scale(1 / sqrt(square), sum) : sw_v3(0, 0, 0);
}

// ---- regions ----

enum { SAMPLE = 384 }; // voxels that represent a region when its fit is judged

typedef struct {
    int first, count;
    swVec3 axis;    // the axis across which to cut it
    swReal middle;  // centroid along it, minus rounding: a voxel there is in the upper half
    float residual; // sum of squares left by the fit; a float, so that rounding breaks no ties
    float spread;   // second moment along its widest axis [voxel^2 measure]
} swPart;

typedef struct {
    const swRegionsDef *def;
    int *voxel, *spare;
    int *sample, *half; // the voxels of a part that are examined
    swReal *value;      // [SAMPLE][max_values]
    swReal *moved;      // values of one half
    swReal *mean;       // [functions of the fit][max_values]
} swCutter;

// The mean square of the values after subtracting their fit; zero if that is only rounding.
static swReal misfit(swCutter *c, int n, const int *voxel, int nvalue, const swReal *value) {
    const swRegionsDef *d = c->def;
    swFit fit;
    swReal total = 0, phi[SW_FIT_SIZE];
    sw_fit_create(&fit, d->degree, false, d->grid, n, voxel, d->measure);
    memset(c->mean, 0, (size_t)fit.n * (size_t)nvalue * sizeof *c->mean);
    for (int i = 0; i < n; i++)
        total += d->measure[voxel[i]];
    for (int i = 0; i < n; i++) {
        const swReal *v = value + (size_t)i * (size_t)nvalue;
        sw_fit_values(&fit, d->grid->voxel[voxel[i]].centroid, phi, NULL);
        for (int k = 0; k < fit.n; k++) {
            const swReal f = d->measure[voxel[i]] / total * phi[k];
            swReal *mean = c->mean + (size_t)k * (size_t)nvalue;
            for (int a = 0; a < nvalue; a++)
                mean[a] += f * v[a];
        }
    }
    swReal left = 0, size = 0;
    for (int i = 0; i < n; i++) {
        const swReal *v = value + (size_t)i * (size_t)nvalue;
        swReal sum = 0, whole = 0;
        sw_fit_values(&fit, d->grid->voxel[voxel[i]].centroid, phi, NULL);
        for (int a = 0; a < nvalue; a++) {
            swReal r = v[a];
            for (int k = 0; k < fit.n; k++)
                r -= phi[k] * c->mean[(size_t)k * (size_t)nvalue + (size_t)a];
            sum += r * r;
            whole += v[a] * v[a];
        }
        left += d->measure[voxel[i]] * sum;
        size += d->measure[voxel[i]] * whole;
    }
    return left > 1e-20 * size ? left : 0;
}

// What is left if the sample is cut across an axis.
static swReal misfit_of_halves(swCutter *c, int n, int nvalue, swVec3 axis, swReal middle) {
    swReal sum = 0;
    for (int high = 0; high < 2; high++) {
        int count = 0;
        for (int i = 0; i < n; i++) {
            const swReal at = sw_dot(axis, c->def->grid->voxel[c->sample[i]].centroid);
            if ((at < middle) == high)
                continue;
            memcpy(c->moved + (size_t)count * (size_t)nvalue, c->value + (size_t)i * (size_t)nvalue,
                   (size_t)nvalue * sizeof *c->value);
            c->half[count++] = c->sample[i];
        }
        if (count)
            sum += misfit(c, count, c->half, nvalue, c->moved);
    }
    return sum;
}

// Examines some of the part's voxels: fills c->sample and c->value. Returns how many.
static int look(swCutter *c, const swPart *p, int *nvalue) {
    const int n = sw_min_int(p->count, SAMPLE);
    for (int i = 0; i < n; i++)
        c->sample[i] = c->voxel[p->first + sw_spread_index(i, n, p->count)];
    *nvalue = c->def->values(c->def->arg, n, c->sample, c->value);
    return n;
}

// Finds where a cut across one of the axes helps most; axes of zero length are ignored.
static void judge(swCutter *c, swPart *p, const swVec3 *axis, const swReal *middle, swReal total,
                  int n, int nvalue) {
    swReal seen = 0, best = INFINITY;
    for (int i = 0; i < n; i++)
        seen += c->def->measure[c->sample[i]];
    p->residual = (float)(total / seen * misfit(c, n, c->sample, nvalue, c->value));
    for (int a = 0; a < 3 && p->residual > 0; a++) {
        const swReal left =
            sw_norm2(axis[a]) > 0 ? misfit_of_halves(c, n, nvalue, axis[a], middle[a]) : INFINITY;
        if (left < best * (1 - 1e-6)) {
            best = left;
            p->axis = axis[a];
            p->middle = middle[a];
        }
    }
}

static void measure(swCutter *c, swPart *p) {
    const swGrid *g = c->def->grid;
    const int *voxel = c->voxel + p->first;
    swReal total = 0, middle[3], second[3] = {0};
    swVec3 first = {0, 0, 0}, axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int n = 0, nvalue = 0;
    for (int i = 0; i < p->count; i++) {
        const swReal m = c->def->measure[voxel[i]];
        total += m;
        first = sw_madd(first, m, g->voxel[voxel[i]].centroid);
    }
    const swVec3 center = sw_scale(1 / total, first);
    if (c->def->values && p->count > 1)
        n = look(c, p, &nvalue);
    if (c->def->sections && n > 0) {
        const swDirections found = sw_directions_of(n, nvalue / 3, c->value);
        for (int a = 0; a < 3; a++)
            axis[a] = sw_directions_turn(&found, a);
    }
    for (int i = 0; i < p->count; i++)
        for (int a = 0; a < 3; a++) {
            const swReal d = sw_dot(axis[a], sw_sub(g->voxel[voxel[i]].centroid, center));
            second[a] += c->def->measure[voxel[i]] * d * d;
        }
    p->spread = p->residual = 0;
    for (int a = 0; a < 3; a++) {
        const float spread = (float)(second[a] / (g->h * g->h));
        middle[a] = sw_dot(axis[a], center) - 1e-6 * g->h;
        if (p->count > 1 && spread > p->spread) {
            p->spread = spread;
            p->axis = axis[a];
            p->middle = middle[a];
        }
    }
    if (n > 0 && p->spread > 0)
        judge(c, p, axis, middle, total, n, nvalue);
}

// Moves voxels below the middle to the front, in their order; returns how many.
static int split(swCutter *c, const swPart *p) {
    const swGrid *g = c->def->grid;
    int *voxel = c->voxel + p->first, low = 0, high = 0;
    for (int i = 0; i < p->count; i++) {
        if (sw_dot(p->axis, g->voxel[voxel[i]].centroid) < p->middle)
            voxel[low++] = voxel[i];
        else
            c->spare[high++] = voxel[i];
    }
    memcpy(voxel + low, c->spare, (size_t)high * sizeof *voxel);
    return low;
}

// The parts form a heap, with the one to be cut next at the top.
static bool before(const swPart *a, const swPart *b) {
    return a->residual != b->residual ? a->residual > b->residual : a->spread > b->spread;
}

static void exchange(swPart *a, swPart *b) {
    const swPart t = *a;
    *a = *b;
    *b = t;
}

static void sink(swPart *part, int n, int i) {
    for (int child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && before(&part[child + 1], &part[child]))
            child++;
        if (!before(&part[child], &part[i]))
            return;
        exchange(&part[i], &part[child]);
    }
}

static void climb(swPart *part, int i) {
    for (; i > 0 && before(&part[i], &part[(i - 1) / 2]); i = (i - 1) / 2)
        exchange(&part[i], &part[(i - 1) / 2]);
}

static int by_first(const void *a, const void *b) {
    int x = ((const swPart *)a)->first, y = ((const swPart *)b)->first;
    return (x > y) - (x < y);
}

// Cuts until there are `wanted` parts or none that can be cut; returns the number of parts.
static int cut(swCutter *c, swPart *part, int n, int wanted) {
    for (int i = 0; i < n && sw_pool_goes_on(c->def->pool); i++)
        measure(c, &part[i]);
    for (int i = n / 2; i >= 0; i--)
        sink(part, n, i);
    while (n < wanted && part[0].spread > 0 && sw_pool_goes_on(c->def->pool)) {
        const swPart whole = part[0];
        const int low = split(c, &whole);
        if (low == 0 || low == whole.count) { // rounding: it cannot be halved here
            part[0].residual = part[0].spread = 0;
            sink(part, n, 0);
            continue;
        }
        part[0] = (swPart){.first = whole.first, .count = low};
        part[n] = (swPart){.first = whole.first + low, .count = whole.count - low};
        measure(c, &part[0]);
        measure(c, &part[n]);
        sink(part, n, 0);
        climb(part, n++);
    }
    return n;
}

// Sorts voxels by class; those of class k are count[k] .. count[k + 1] - 1. Returns how many there
// are.
static int sort_voxels(const swRegionsDef *d, int *count, int *voxel) {
    for (int v = 0; v < d->grid->nvoxel; v++)
        if (d->kind[v] >= 0)
            count[d->kind[v] + 1]++;
    for (int k = 0; k < d->nkind; k++)
        count[k + 1] += count[k];
    const int total = count[d->nkind];
    for (int v = d->grid->nvoxel - 1; v >= 0; v--) // this moves the end of each class to its start
        if (d->kind[v] >= 0)
            voxel[--count[d->kind[v] + 1]] = v;
    for (int k = 0; k < d->nkind; k++)
        count[k] = count[k + 1];
    count[d->nkind] = total;
    return total;
}

bool sw_regions_create(const swRegionsDef *d, swArena *arena, swRegions *r, swError *error) {
    const size_t nv = (size_t)d->grid->nvoxel, values = d->values ? (size_t)d->max_values : 0;
    int *count = SW_NEW(arena, d->nkind + 1, int, error);
    swCutter c = {.def = d,
                  .voxel = SW_NEW(arena, nv, int, error),
                  .spare = SW_NEW(arena, nv, int, error),
                  .sample = SW_NEW(arena, SAMPLE, int, error),
                  .half = SW_NEW(arena, SAMPLE, int, error),
                  .value = SW_NEW(arena, SAMPLE * values, swReal, error),
                  .moved = SW_NEW(arena, SAMPLE * values, swReal, error),
                  .mean = SW_NEW(arena, SW_FIT_SIZE * values, swReal, error)};
    if (!count || !c.voxel || !c.spare || !c.sample || !c.half || !c.value || !c.moved || !c.mean)
        return false;
    const int total = sort_voxels(d, count, c.voxel);
    const int room = d->count == 0 ? total : sw_min_int(sw_max_int(d->count, d->nkind), total);
    swPart *part = SW_NEW(arena, room + 1, swPart, error);
    if (!part)
        return false;
    int n = 0;
    for (int k = 0; k < d->nkind; k++)
        if (count[k + 1] > count[k])
            part[n++] = (swPart){.first = count[k], .count = count[k + 1] - count[k]};
    if (d->count == 0) // one region per voxel
        for (n = 0; n < total; n++)
            part[n] = (swPart){.first = n, .count = 1};
    else
        n = cut(&c, part, n, sw_min_int(d->count, total));
    if (sw_pool_stopped(d->pool))
        return sw_fail_stopped(error);
    qsort(part, (size_t)n, sizeof *part, by_first);
    *r = (swRegions){.count = n, .start = SW_NEW(arena, n + 1, int, error), .voxel = c.voxel};
    if (!r->start)
        return false;
    for (int i = 0; i < n; i++)
        r->start[i] = part[i].first;
    r->start[n] = total;
    return true;
}
