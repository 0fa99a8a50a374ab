// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/sample_map.h"

#include <stdlib.h>

#include <string.h>

// Points of a corrected body may have a softer law, of the same name.
static bool same_stuff(const swBodyModel *m, int a, int b) {
    return a == b || strcmp(m->text + m->material[a].name, m->text + m->material[b].name) == 0;
}

// Samples of one body, or of one of its materials, in order of one coordinate: near ones are near
// in the list.
typedef struct {
    swReal at;
    swVec3 point;
    int sample;
} swSorted;

static int compare(const void *a, const void *b) {
    const swSorted *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at ? 1 : x->sample - y->sample;
}

static int sort_samples(const swBodyModel *m, const swPartInfo *part, int axis, swSorted *list) {
    int n = 0;
    for (int64_t i = 0; i < m->size.ngroup; i++) {
        const swGroup *g = &m->group[i];
        if (g->body != part->body ||
            (part->material >= 0 && !same_stuff(m, g->material, part->material)))
            continue;
        for (int s = g->sample; s < g->sample + g->nblock * SW_LANES; s++)
            if (m->sample_volume[s] > 0)
                list[n++] = (swSorted){sw_get(m->sample_point[s], axis), m->sample_point[s], s};
    }
    qsort(list, (size_t)n, sizeof *list, compare);
    return n;
}

// Keeps the nearest so far, nearest first.
static void offer(const swSorted *s, swVec3 p, swReal *distance, int *sample) {
    swReal d = sw_norm(sw_sub(s->point, p));
    int i = SW_NEAR_SAMPLES - 1;
    if (!(d < distance[i]))
        return;
    for (; i > 0 && d < distance[i - 1]; i--) {
        distance[i] = distance[i - 1];
        sample[i] = sample[i - 1];
    }
    distance[i] = d;
    sample[i] = s->sample;
}

// Outwards from the point's place in the order, until the coordinate alone is too far.
static void find_nearest(const swSorted *list, int n, swVec3 p, swReal at, swReal *distance,
                         int *sample) {
    int lo = 0, hi = n; // the first with list[lo].at >= at
    while (lo < hi) {
        int middle = lo + (hi - lo) / 2;
        if (list[middle].at < at)
            lo = middle + 1;
        else
            hi = middle;
    }
    for (int k = 0; k < SW_NEAR_SAMPLES; k++) {
        distance[k] = INFINITY;
        sample[k] = -1;
    }
    for (int i = lo; i < n && list[i].at - at < distance[SW_NEAR_SAMPLES - 1]; i++)
        offer(&list[i], p, distance, sample);
    for (int i = lo - 1; i >= 0 && at - list[i].at < distance[SW_NEAR_SAMPLES - 1]; i--)
        offer(&list[i], p, distance, sample);
}

static bool is_rigid(const swBodyModel *m, int point) {
    int first = m->point_start[point];
    return m->point_start[point + 1] == first + 1 &&
           m->node[m->point_node[first]].kind == SW_NODE_RIGID;
}

// From samples of the part's material to its points, or to those of them that lie in it.
static void map_points(swSampleMap *map, const swBodyModel *m, swPartInfo part, bool inside,
                       swSorted *list) {
    const swBodyInfo *b = &m->body[part.body];
    const swVec3 size = sw_sub(b->hi, b->lo);
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const int n = sort_samples(m, &part, axis, list);
    for (int p = part.point; p < part.point + part.npoint && n > 0; p++) {
        if (inside && m->point_material[p] != part.material)
            continue;
        int *sample = map->sample + (size_t)p * SW_NEAR_SAMPLES;
        swReal *w = map->weight + (size_t)p * SW_NEAR_SAMPLES, d[SW_NEAR_SAMPLES], sum = 0;
        find_nearest(list, n, m->point[p], sw_get(m->point[p], axis), d, sample);
        if (is_rigid(m, p))
            continue;
        for (int k = 0; k < SW_NEAR_SAMPLES && sample[k] >= 0; k++)
            sum += w[k] = 1 / sw_max(d[k], 1e-6 * b->voxel);
        for (int k = 0; k < SW_NEAR_SAMPLES && sample[k] >= 0; k++)
            w[k] /= sum;
    }
}

bool sw_sample_map_create(swSampleMap *map, const swBodyModel *m, swArena *arena, swError *error) {
    const size_t n = (size_t)m->size.npoint * SW_NEAR_SAMPLES;
    map->npoint = (int)m->size.npoint;
    map->sample = SW_NEW(arena, n, int, error);
    map->weight = SW_NEW(arena, n, swReal, error);
    swSorted *list = SW_NEW(arena, m->size.nsample, swSorted, error);
    if (!map->sample || !map->weight || !list)
        return false;
    for (size_t i = 0; i < n; i++)
        map->sample[i] = -1;
    for (int body = 0; body < m->size.nbody; body++) {
        swPartInfo outer = sw_body_outer(m, body);
        map_points(map, m, outer, false, list);
        for (outer.material = 0; outer.material < m->size.nmaterial; outer.material++)
            map_points(map, m, outer, true, list);
    }
    for (int64_t part = 0; part < m->size.npart; part++)
        map_points(map, m, m->part[part], false, list);
    return true;
}

void sw_sample_map_values(const swSampleMap *map, const swReal *value, swReal *out) {
    for (int p = 0; p < map->npoint; p++) {
        const size_t first = (size_t)p * SW_NEAR_SAMPLES;
        out[p] = 0;
        for (size_t k = first; k < first + SW_NEAR_SAMPLES && map->sample[k] >= 0; k++)
            out[p] += map->weight[k] * value[map->sample[k]];
    }
}
