// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/distance.h"

// A binary heap of nodes by distance, with positions so that a node's distance can be lowered.
typedef struct {
    int *item, *position, count;
    const swReal *key;
} swHeap;

// By distance, then by index: the order never depends on how the heap came about.
static bool before(const swHeap *h, int a, int b) {
    return h->key[a] < h->key[b] || (h->key[a] == h->key[b] && a < b);
}

static void place(swHeap *h, int at, int item) {
    h->item[at] = item;
    h->position[item] = at;
}

static void rise(swHeap *h, int at, int item) {
    while (at > 0 && before(h, item, h->item[(at - 1) / 2])) {
        place(h, at, h->item[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    place(h, at, item);
}

static int pop(swHeap *h) {
    int top = h->item[0], last = h->item[--h->count], at = 0;
    for (;;) {
        int child = 2 * at + 1;
        if (child >= h->count)
            break;
        if (child + 1 < h->count && before(h, h->item[child + 1], h->item[child]))
            child++;
        if (!before(h, h->item[child], last))
            break;
        place(h, at, h->item[child]);
        at = child;
    }
    if (h->count > 0)
        place(h, at, last);
    h->position[top] = -2; // settled
    return top;
}

bool sw_distance_create(const swLattice *l, swArena *arena, swDistanceWork *work, swError *error) {
    work->heap = SW_NEW(arena, l->n + 1, int, error);
    work->position = SW_NEW(arena, l->n + 1, int, error);
    return work->heap && work->position;
}

static void reach(swHeap *h, swReal *distance, int *label, int node, swReal d, int source) {
    if (!(d < distance[node]))
        return;
    distance[node] = d;
    if (label)
        label[node] = source;
    rise(h, h->position[node] == -1 ? h->count++ : h->position[node], node);
}

void sw_distance(const swLattice *l, const swDistanceWork *work, int nsource,
                 const swSource *source, swReal *distance, int *label) {
    swHeap h = {work->heap, work->position, 0, distance};
    for (int i = 0; i < l->n; i++) {
        distance[i] = INFINITY;
        h.position[i] = -1; // not reached
        if (label)
            label[i] = -1;
    }
    for (int s = 0; s < nsource; s++) {
        for (int k = 0; source[s].cell >= 0 && k < 8; k++) {
            int node = l->corner[8 * source[s].cell + k];
            reach(&h, distance, label, node, sw_norm(sw_sub(l->X[node], source[s].point)), s);
        }
        for (int k = 0; k < source[s].nnode; k++)
            reach(&h, distance, label, source[s].node[k], 0, s);
    }
    while (h.count > 0) {
        int node = pop(&h);
        for (int e = l->start[node]; e < l->start[node + 1]; e++)
            for (int k = 0; k < 8; k++) {
                int other = l->corner[8 * l->around[e] + k];
                if (h.position[other] != -2)
                    reach(&h, distance, label, other,
                          distance[node] + sw_norm(sw_sub(l->X[other], l->X[node])),
                          label ? label[node] : 0);
            }
    }
}
