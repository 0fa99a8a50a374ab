// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Pairs of nodes that potentials couple beside samples and mass: the blocks of matrices.
#include "compile/build.h"

#include "solve/work.h"

#include <stdlib.h>

static int compare(const void *a, const void *b) {
    const swNodePair *x = a, *y = b;
    return x->i != y->i ? (x->i < y->i ? -1 : 1) : (x->j > y->j) - (x->j < y->j);
}

typedef struct {
    swBuilder *b;
    int known; // pairs, sorted
    swError *error;
} swPairing;

static bool add(const swPairing *p, int i, int j) {
    if (j > i || sw_pair_find(p->b->pair.item, p->known, i, j))
        return true;
    swNodePair *pair = SW_EXTEND(&p->b->pair, 1, &p->b->arena, p->error);
    if (pair)
        *pair = (swNodePair){i, j, -1};
    return pair != NULL;
}

// The node that a vertex is folded into, or itself.
static int master_of(const swPairing *p, int i) {
    return p->b->node.item[i].carrier >= 0 ? p->b->node.item[i].carrier : i;
}

// Every two nodes of both lists together, and those that they are folded into.
static bool couple(int n, const int *node, int m, const int *other, void *arg) {
    const swPairing *p = arg;
    for (int x = 0; x < n + m; x++)
        for (int y = 0; y < n + m; y++) {
            const int i = x < n ? node[x] : other[x - n], j = y < n ? node[y] : other[y - n];
            if (!add(p, i, j) || !add(p, master_of(p, i), master_of(p, j)))
                return false;
        }
    return true;
}

// What the builder holds so far, as a model.
static swBodyModel view_of(const swBuilder *b) {
    swBodyModel m = {.config = *b->config, .size = b->size};
#define SW_ARRAY(type, name, count_of) \
    m.name = b->name.item; \
    m.size.count_of = b->name.count;
#define SW_FIELD(type, name, count_of) m.name = b->name.item;
#include "model/body_fields.inl"
    return m;
}

bool sw_build_pairs(swBuilder *b, swError *error) {
    swPairing pairing = {b, b->pair.count, error};
    const swBodyModel view = view_of(b);
    for (int i = 0; sw_potential_at(i); i++)
        if (sw_potential_at(i)->couple && !sw_potential_at(i)->couple(&view, couple, &pairing))
            return false;
    if (b->pair.count == pairing.known)
        return true;
    int n = 0;
    qsort(b->pair.item, (size_t)b->pair.count, sizeof *b->pair.item, compare);
    for (int i = 0; i < b->pair.count; i++)
        if (n == 0 || compare(&b->pair.item[i], &b->pair.item[n - 1]) != 0)
            b->pair.item[n++] = b->pair.item[i];
    b->pair.count = n;
    return true;
}
