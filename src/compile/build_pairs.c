// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Pairs of nodes that meet on the surface alone, where it touches something or is pulled, in a
// point of bulk, in a spring, or at the two ends of a muscle.
#include "compile/build.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    const swNodePair *x = a, *y = b;
    return x->i != y->i ? (x->i < y->i ? -1 : 1) : (x->j > y->j) - (x->j < y->j);
}

// Adds the pairs of some nodes that are not among the first `known`.
static bool add(swBuilder *b, int known, const int *node, int n, swError *error) {
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++) {
            if (node[y] > node[x] || sw_pair_find(b->pair.item, known, node[x], node[y]))
                continue;
            swNodePair *pair = SW_EXTEND(&b->pair, 1, &b->arena, error);
            if (!pair)
                return false;
            *pair = (swNodePair){node[x], node[y], -1};
        }
    return true;
}

// Those of an embedded point. Neighbours often have the same nodes.
static bool add_point(swBuilder *b, int known, int point, swError *error) {
    const int *start = b->point_start.item + point, *node = b->point_node.item + start[0],
              n = start[1] - start[0];
    const bool again = point > 0 && start[0] - start[-1] == n &&
                       memcmp(node, node - n, (size_t)n * sizeof *node) == 0;
    return again || add(b, known, node, n, error);
}

// Those of a bulk: every point has a weight, maybe zero, for each node.
static bool add_bulk(swBuilder *b, int known, const swBulk *bulk, int *node, swError *error) {
    for (int k = 0; k < bulk->nblock * SW_LANES; k++) {
        const swReal *weight = b->bulk_data.item + bulk->data + SW_BULK_WEIGHT * SW_LANES +
                               k % SW_LANES +
                               (int64_t)(k / SW_LANES) * (SW_BULK_WEIGHT + bulk->nnode) * SW_LANES;
        int n = 0;
        for (int i = 0; i < bulk->nnode; i++)
            if (weight[i * SW_LANES] != 0)
                node[n++] = b->bulk_node.item[bulk->node + i];
        if (!add(b, known, node, n, error))
            return false;
    }
    return true;
}

// Those between the ends of a muscle; `node` has room for both.
static bool add_muscle(swBuilder *b, int known, const swMuscleInfo *muscle, int *node,
                       swError *error) {
    int n = 0;
    for (int end = 0; end < 2; end++)
        for (int e = b->point_start.item[muscle->point[end]];
             e < b->point_start.item[muscle->point[end] + 1]; e++)
            node[n++] = b->point_node.item[e];
    return add(b, known, node, n, error);
}

bool sw_build_pairs(swBuilder *b, swError *error) {
    const int known = b->pair.count;
    int *node = SW_NEW(&b->arena, 2 * b->node.count, int, error), n = 0;
    if (!node)
        return false;
    for (int i = 0; i < b->point.count; i++)
        if (!add_point(b, known, i, error))
            return false;
    for (int i = 0; i < b->bulk.count; i++)
        if (!add_bulk(b, known, &b->bulk.item[i], node, error))
            return false;
    for (int i = 0; i < b->spring.count; i++)
        if (!add(b, known, b->spring_node.item + b->spring.item[i].node, b->spring.item[i].nnode,
                 error))
            return false;
    for (int i = 0; i < b->muscle.count; i++)
        if (!add_muscle(b, known, &b->muscle.item[i], node, error))
            return false;
    if (b->pair.count == known)
        return true;
    qsort(b->pair.item, (size_t)b->pair.count, sizeof *b->pair.item, compare);
    for (int i = 0; i < b->pair.count; i++)
        if (n == 0 || compare(&b->pair.item[i], &b->pair.item[n - 1]) != 0)
            b->pair.item[n++] = b->pair.item[i];
    b->pair.count = n;
    return true;
}
