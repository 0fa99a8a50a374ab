// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "cubature/regions.h"

#include <stdlib.h>

typedef struct {
    int first, count;
    int axis;      // along which it spreads most
    swReal middle; // centroid on that axis, less a rounding: a voxel there is of the upper half
    float spread;  // second moment on that axis [voxel^5]; short, so that rounding breaks no ties
} swPart;

static void measure(const swGrid *g, const int *voxel, swPart *p) {
    swReal volume = 0;
    swVec3 first = {0, 0, 0}, second = {0, 0, 0};
    for (int i = p->first; i < p->first + p->count; i++) {
        const swVoxel *v = &g->voxel[voxel[i]];
        volume += v->volume;
        first = sw_madd(first, v->volume, v->centroid);
    }
    swVec3 c = sw_scale(1 / volume, first);
    for (int i = p->first; i < p->first + p->count; i++) {
        const swVoxel *v = &g->voxel[voxel[i]];
        swVec3 d = sw_sub(v->centroid, c);
        second = sw_madd(second, v->volume, sw_v3(d.x * d.x, d.y * d.y, d.z * d.z));
    }
    second = sw_scale(1 / (g->h * g->h * g->h * g->h * g->h), second);
    const float s[3] = {(float)second.x, (float)second.y, (float)second.z};
    p->axis = s[0] >= s[1] && s[0] >= s[2] ? 0 : s[1] >= s[2] ? 1 : 2;
    p->middle = sw_get(c, p->axis) - 1e-6 * g->h;
    p->spread = p->count > 1 ? s[p->axis] : 0;
}

// Voxels below the middle come first, in their order; returns how many.
static int split(const swGrid *g, int *voxel, int *spare, const swPart *p) {
    int low = 0, high = 0;
    for (int i = p->first; i < p->first + p->count; i++) {
        if (sw_get(g->voxel[voxel[i]].centroid, p->axis) < p->middle)
            voxel[p->first + low++] = voxel[i];
        else
            spare[high++] = voxel[i];
    }
    for (int i = 0; i < high; i++)
        voxel[p->first + low + i] = spare[i];
    return low;
}

// The parts form a heap by spread, so that the widest is found at once.
static void sink(swPart *part, int n, int i) {
    for (;;) {
        int child = 2 * i + 1;
        if (child >= n)
            return;
        if (child + 1 < n && part[child + 1].spread > part[child].spread)
            child++;
        if (part[child].spread <= part[i].spread)
            return;
        swPart t = part[i];
        part[i] = part[child];
        part[child] = t;
        i = child;
    }
}

static void climb(swPart *part, int i) {
    while (i > 0 && part[i].spread > part[(i - 1) / 2].spread) {
        swPart t = part[i];
        part[i] = part[(i - 1) / 2];
        part[(i - 1) / 2] = t;
        i = (i - 1) / 2;
    }
}

static int by_first(const void *a, const void *b) {
    int x = ((const swPart *)a)->first, y = ((const swPart *)b)->first;
    return (x > y) - (x < y);
}

bool sw_regions_create(const swGrid *g, const int *kind, int nkind, int points, swArena *arena,
                       swRegions *r, swError *error) {
    int *count = SW_NEW(arena, nkind + 1, int, error),
        *spare = SW_NEW(arena, g->nvoxel, int, error);
    r->voxel = SW_NEW(arena, g->nvoxel, int, error);
    if (!count || !spare || !r->voxel)
        return false;
    for (int v = 0; v < g->nvoxel; v++)
        if (kind[v] >= 0)
            count[kind[v] + 1]++;
    for (int k = 0; k < nkind; k++)
        count[k + 1] += count[k];
    const int total = count[nkind];
    const int wanted = points == 0 ? total : sw_min_int(sw_max_int(points, nkind), total);
    swPart *part = SW_NEW(arena, wanted + 1, swPart, error);
    if (!part)
        return false;
    int n = 0;
    for (int k = 0; k < nkind; k++)
        if (count[k + 1] > count[k])
            part[n++] = (swPart){.first = count[k], .count = count[k + 1] - count[k]};
    for (int v = 0; v < g->nvoxel; v++)
        if (kind[v] >= 0)
            r->voxel[count[kind[v]]++] = v;
    for (int i = 0; i < n; i++)
        measure(g, r->voxel, &part[i]);
    for (int i = n / 2; i >= 0; i--)
        sink(part, n, i);
    while (n < wanted && part[0].spread > 0) {
        swPart whole = part[0];
        int low = split(g, r->voxel, spare, &whole);
        if (low == 0 || low == whole.count) { // rounding: nothing to halve here
            part[0].spread = 0;
            sink(part, n, 0);
            continue;
        }
        part[0] = (swPart){.first = whole.first, .count = low};
        part[n] = (swPart){.first = whole.first + low, .count = whole.count - low};
        measure(g, r->voxel, &part[0]);
        measure(g, r->voxel, &part[n]);
        sink(part, n, 0);
        climb(part, n++);
    }
    qsort(part, (size_t)n, sizeof *part, by_first);
    r->count = n;
    if (!(r->start = SW_NEW(arena, n + 1, int, error)))
        return false;
    for (int i = 0; i < n; i++)
        r->start[i] = part[i].first;
    r->start[n] = total;
    return true;
}
