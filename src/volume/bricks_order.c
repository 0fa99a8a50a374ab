// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The order in which nodes of bricks are eliminated.
#include "volume/bricks.h"

// Bodies are cut in halves between bricks, and these again: nodes that two halves share come last,
// those of larger halves after others. The factor then costs about half of what it does by degrees
// alone.
typedef struct {
    const swBricks *b;
    int *list;  // bricks, half by half
    int *place; // of each brick across the cut
    int *mark;  // of each node: the last half that has it
    int nhalf;
    int *turn;
} swHalving;

enum { FEW = 12, LAST = 64 }; // bricks that are not cut any more; the turn of the first cut

// The number of different places, when places are counted in bricks.
static int find_places(const swHalving *h, int first, int end, int axis) {
    swReal lo = INFINITY, hi = -INFINITY;
    for (int i = first; i < end; i++) {
        const swReal x = sw_get(h->b->corner[h->list[i]], axis);
        lo = sw_min(lo, x);
        hi = sw_max(hi, x);
    }
    for (int i = first; i < end; i++)
        h->place[h->list[i]] = (int)lround((sw_get(h->b->corner[h->list[i]], axis) - lo) / h->b->H);
    return 1 + (int)lround((hi - lo) / h->b->H);
}

// The place at which the second half begins, as even as can be.
static int find_cut(const swHalving *h, int first, int end, int places) {
    int best = 0, least = end - first;
    for (int cut = 1; cut < places; cut++) {
        int off = 0;
        for (int i = first; i < end; i++)
            off += h->place[h->list[i]] < cut ? 1 : -1;
        off = off < 0 ? -off : off;
        if (off < least) {
            least = off;
            best = cut;
        }
    }
    return best;
}

static void halve(swHalving *h, int first, int end, int turn) {
    int axis = 0, places = 0;
    for (int k = 0; k < 3; k++) {
        const int count = find_places(h, first, end, k);
        if (count > places) {
            places = count;
            axis = k;
        }
    }
    if (end - first <= FEW || places < 2 || turn == 0)
        return;
    find_places(h, first, end, axis);
    const int cut = find_cut(h, first, end, places);
    int middle = first;
    for (int i = first; i < end; i++)
        if (h->place[h->list[i]] < cut) {
            const int own = h->list[i];
            h->list[i] = h->list[middle];
            h->list[middle++] = own;
        }
    h->nhalf++;
    for (int i = first; i < end; i++)
        for (int a = 0; a < sw_brick_count(h->b, h->list[i]); a++) {
            const int node = sw_brick_node(h->b, h->list[i], a);
            if (i < middle)
                h->mark[node] = h->nhalf;
            else if (h->mark[node] == h->nhalf && h->turn[node] == 0)
                h->turn[node] = turn;
        }
    halve(h, first, middle, turn - 1);
    halve(h, middle, end, turn - 1);
}

bool sw_bricks_turns(const swBricks *b, swArena *arena, const int **out, swError *error) {
    swHalving h = {.b = b,
                   .list = SW_NEW(arena, b->n, int, error),
                   .place = SW_NEW(arena, b->n, int, error),
                   .mark = SW_NEW(arena, b->nnode, int, error),
                   .turn = SW_NEW(arena, b->nnode, int, error)};
    *out = h.turn;
    if (!h.list || !h.place || !h.mark || !h.turn)
        return false;
    for (int i = 0; i < b->n; i++)
        h.list[i] = i;
    halve(&h, 0, b->n, LAST);
    return true;
}
