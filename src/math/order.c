// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Minimum degree on a quotient graph: an eliminated row lives on as an element, the set of rows it
// has coupled. Degrees are upper bounds as in Amestoy, Davis and Duff, "An approximate minimum
// degree ordering algorithm" (1996).
#include "math/order.h"

#include <string.h>

typedef struct {
    int n;
    const int *size, *turn; // turn: of the matrix, or NULL
    const int *start;       // n + 1: index into `row` and `element`
    int *row, *nrow;        // neighbours of each row that share no element with it
    int *element, *nelem;   // elements that each row is in
    int64_t *from;          // where the members of each element begin in `member`
    int *count;             // number of members of each element
    int64_t *weight;        // number of scalars in each element
    int64_t *outside;       // how many of those lie outside the current element
    int *seen;              // turn in which `outside` was set
    bool *gone;             // the element was absorbed by another
    int *mark;              // turn in which a row was last met
    int64_t *degree;        // of each row
    int *heap, *spot, top;  // a heap of rows by degree
    int *member;
    int64_t nmember, room;
} swGraph;

// ---- rows ordered by turn, then by degree, then by number ----

static bool before(const swGraph *g, int a, int b) {
    if (g->turn && g->turn[a] != g->turn[b])
        return g->turn[a] < g->turn[b];
    return g->degree[a] < g->degree[b] || (g->degree[a] == g->degree[b] && a < b);
}

static void put(swGraph *g, int at, int row) {
    g->heap[at] = row;
    g->spot[row] = at;
}

static void sift(swGraph *g, int row) {
    int at = g->spot[row];
    for (; at > 0 && before(g, row, g->heap[(at - 1) / 2]); at = (at - 1) / 2)
        put(g, at, g->heap[(at - 1) / 2]);
    for (int child; (child = 2 * at + 1) < g->top; at = child) {
        if (child + 1 < g->top && before(g, g->heap[child + 1], g->heap[child]))
            child++;
        if (!before(g, g->heap[child], row))
            break;
        put(g, at, g->heap[child]);
    }
    put(g, at, row);
}

static int take_least(swGraph *g) {
    const int least = g->heap[0], last = g->heap[--g->top];
    put(g, 0, last);
    if (g->top > 0)
        sift(g, last);
    return least;
}

// ---- the graph ----

// Both triangles of the pattern without the diagonal. Rows of size 0 are left out.
static bool make_graph(const swBlocks *A, swArena *arena, swGraph *g, swError *error) {
    const swPattern *p = &A->pattern;
    const size_t n = (size_t)p->n, pairs = 2 * (size_t)p->row[p->n];
    int *size = SW_NEW(arena, n, int, error), *start = SW_NEW(arena, n + 2, int, error);
    *g = (swGraph){.n = p->n,
                   .size = size,
                   .turn = A->turn,
                   .row = SW_NEW(arena, pairs, int, error),
                   .nrow = SW_NEW(arena, n, int, error),
                   .element = SW_NEW(arena, pairs, int, error),
                   .nelem = SW_NEW(arena, n, int, error),
                   .from = SW_NEW(arena, n, int64_t, error),
                   .count = SW_NEW(arena, n, int, error),
                   .weight = SW_NEW(arena, n, int64_t, error),
                   .outside = SW_NEW(arena, n, int64_t, error),
                   .seen = SW_NEW(arena, n, int, error),
                   .gone = SW_NEW(arena, n, bool, error),
                   .mark = SW_NEW(arena, n, int, error),
                   .degree = SW_NEW(arena, n, int64_t, error),
                   .heap = SW_NEW(arena, n, int, error),
                   .spot = SW_NEW(arena, n, int, error)};
    if (!size || !start || !g->row || !g->nrow || !g->element || !g->nelem || !g->from ||
        !g->count || !g->weight || !g->outside || !g->seen || !g->gone || !g->mark || !g->degree ||
        !g->heap || !g->spot)
        return false;
    for (int i = 0; i < p->n; i++)
        size[i] = sw_blocks_size(A, i);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < p->n; i++)
            for (int k = p->row[i]; size[i] > 0 && k < p->row[i + 1] - 1; k++) {
                const int j = p->column[k];
                if (size[j] == 0)
                    continue;
                if (pass == 1) {
                    g->row[start[i] + g->nrow[i]] = j;
                    g->row[start[j] + g->nrow[j]] = i;
                    g->degree[i] += size[j];
                    g->degree[j] += size[i];
                }
                g->nrow[i]++;
                g->nrow[j]++;
            }
        for (int i = 0; pass == 0 && i < p->n; i++) {
            start[i + 1] = start[i] + g->nrow[i];
            g->nrow[i] = 0;
        }
    }
    g->start = start;
    for (int i = 0; i < p->n; i++)
        if (size[i] > 0) {
            put(g, g->top++, i);
            sift(g, i);
        }
    return true;
}

// Makes room for n more members.
static bool reserve(swGraph *g, int n, swArena *arena, swError *error) {
    if (g->nmember + n <= g->room)
        return true;
    g->room = 2 * g->nmember + n + 64;
    g->member = sw_arena_grow(arena, g->member, (size_t)g->nmember, (size_t)g->room,
                              sizeof *g->member, error);
    return g->member != NULL;
}

// The rows coupled to p become element p; it absorbs the elements that p was in.
static bool make_element(swGraph *g, int p, int turn, swArena *arena, swError *error) {
    if (!reserve(g, g->top, arena, error))
        return false;
    g->from[p] = g->nmember;
    g->mark[p] = turn;
    for (int e = -1; e < g->nelem[p]; e++) {
        const int own = e < 0 ? -1 : g->element[g->start[p] + e];
        const int n = own < 0 ? g->nrow[p] : g->count[own];
        const int *list = own < 0 ? g->row + g->start[p] : g->member + g->from[own];
        for (int k = 0; k < n; k++) {
            const int v = list[k];
            if (g->mark[v] == turn)
                continue;
            g->mark[v] = turn;
            g->member[g->nmember++] = v;
            g->weight[p] += g->size[v];
        }
        if (own >= 0)
            g->gone[own] = true;
    }
    g->count[p] = (int)(g->nmember - g->from[p]);
    return true;
}

// Computes how much of every element that meets element p lies outside it.
static void measure_outside(swGraph *g, int p, int turn) {
    for (int64_t k = g->from[p]; k < g->nmember; k++) {
        const int v = g->member[k];
        for (int i = g->start[v]; i < g->start[v] + g->nelem[v]; i++) {
            const int e = g->element[i];
            if (g->gone[e])
                continue;
            if (g->seen[e] != turn)
                g->outside[e] = g->weight[e];
            g->seen[e] = turn;
            g->outside[e] -= g->size[v];
        }
    }
}

// Removes from the rows of element p what the element covers already, and updates their degrees.
static void update_rows(swGraph *g, int p, int turn) {
    for (int64_t k = g->from[p]; k < g->nmember; k++) {
        const int v = g->member[k], first = g->start[v];
        int64_t degree = g->weight[p] - g->size[v];
        int n = 0;
        for (int i = first; i < first + g->nelem[v]; i++) {
            const int e = g->element[i];
            if (g->gone[e] || g->outside[e] == 0) {
                g->gone[e] = true;
                continue;
            }
            g->element[first + n++] = e;
            degree += g->outside[e];
        }
        g->element[first + n++] = p;
        g->nelem[v] = n;
        n = 0;
        for (int i = first; i < first + g->nrow[v]; i++)
            if (g->mark[g->row[i]] != turn) {
                degree += g->size[g->row[i]];
                g->row[first + n++] = g->row[i];
            }
        g->nrow[v] = n;
        g->degree[v] = degree;
        sift(g, v);
    }
}

// Counts the cost of eliminating a row of w scalars with b below it.
static void count(swElimination *e, double w, double b) {
    e->flops += w * w * w / 3 + w * w * b + w * b * b;
    e->nonzeros += 0.5 * w * (w + 1) + w * b;
}

static bool exceeds(const swElimination *e, const swFactorLimit *limit) {
    return e->flops > limit->flops || e->nonzeros > limit->nonzeros;
}

bool sw_order_least(const swBlocks *A, const swFactorLimit *limit, swArena *arena,
                    swElimination *out, swError *error) {
    swGraph g;
    const int n = A->pattern.n;
    *out = (swElimination){.order = SW_NEW(arena, n, int, error),
                           .first = SW_NEW(arena, n + 1, int64_t, error)};
    if (!out->order || !out->first || !make_graph(A, arena, &g, error))
        return false;
    while (g.top > 0 && !(limit && exceeds(out, limit))) {
        const int p = take_least(&g), turn = out->n + 1;
        if (!make_element(&g, p, turn, arena, error))
            return false;
        count(out, g.size[p], (double)g.weight[p]);
        measure_outside(&g, p, turn);
        update_rows(&g, p, turn);
        out->order[out->n++] = p;
        out->first[out->n] = g.nmember;
    }
    out->list = g.member;
    return true;
}

bool sw_order_natural(const swBlocks *A, swArena *arena, swElimination *out, swError *error) {
    const swPattern *p = &A->pattern;
    int64_t *end = SW_NEW(arena, p->n + 1, int64_t, error);
    *out = (swElimination){.order = SW_NEW(arena, p->n, int, error),
                           .first = SW_NEW(arena, p->n + 1, int64_t, error),
                           .list = SW_NEW(arena, p->row[p->n], int, error)};
    if (!end || !out->order || !out->first || !out->list)
        return false;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < p->n; i++)
            for (int k = p->row[i]; sw_blocks_size(A, i) > 0 && k < p->row[i + 1] - 1; k++) {
                const int j = p->column[k];
                if (sw_blocks_size(A, j) == 0)
                    continue;
                if (pass == 1)
                    out->list[end[j]] = i;
                end[j]++;
            }
        for (int j = 0, last = 0; pass == 0 && j < p->n; j++) {
            const int count = (int)end[j];
            end[j] = last;
            last += count;
            if (sw_blocks_size(A, j) == 0)
                continue;
            out->order[out->n++] = j;
            out->first[out->n] = last;
        }
    }
    return true;
}
