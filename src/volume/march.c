// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/march.h"

enum { OFTEN = 4096 }; // nodes between two questions whether to go on

// ---- the nodes at the front: a binary heap by time ----

// By time, then by index: the order never depends on how the heap came about. Without branches:
// which of two comes first is anybody's guess.
static int before(swFront a, swFront b) {
    return (a.time < b.time) | (!(b.time < a.time) & (a.node < b.node));
}

static void place(swMarch *m, int at, swFront f) {
    m->heap[at] = f;
    m->position[f.node] = at;
}

static void rise(swMarch *m, int at, swFront f) {
    for (; at > 0 && before(f, m->heap[(at - 1) / 2]); at = (at - 1) / 2)
        place(m, at, m->heap[(at - 1) / 2]);
    place(m, at, f);
}

// The hole at the top goes down to a leaf; there the last one fits in, or nearly.
static int pop(swMarch *m) {
    swFront *heap = m->heap;
    const int top = heap[0].node, count = --m->count;
    const swFront last = heap[count];
    int at = 0;
    heap[count].time = INFINITY; // beside the last leaf
    for (int child; (child = 2 * at + 1) < count; at = child) {
        child += before(heap[child + 1], heap[child]);
        place(m, at, heap[child]);
    }
    if (count > 0)
        rise(m, at, last);
    m->position[top] = -1;
    return top;
}

static bool is_beyond(const swMarch *m, int node) {
    return (m->limit && m->time[node] > m->limit[node]) || (m->most > 0 && m->time[node] > m->most);
}

static void reach(swMarch *m, int node, swReal time) {
    if (isinf(m->time[node]))
        m->reached[m->nreached++] = node;
    m->time[node] = time;
    if (m->position[node] >= 0)
        rise(m, m->position[node], (swFront){time, node});
    else if (!is_beyond(m, node)) // else it has nowhere to go
        rise(m, m->count++, (swFront){time, node});
}

// ---- one cell ----

// When a front whose times at the corners of a cell are t reaches corner x; `edge` is the cost of
// an edge. The corners x, e, f, b next to each other along three edges span a tetrahedron in which
// time is linear: its slope along x-e is what remains of the cost when those along e-f and f-b are
// known. Where the front does not come from inside the tetrahedron it comes through one of its
// faces. *from: the corner it comes nearest to.
static swReal arrival(const swReal t[8], int x, swReal edge, int *from) {
    int a = t[x ^ 1] <= t[x ^ 2] ? 1 : 2; // the axis of e
    a = t[x ^ a] <= t[x ^ 4] ? a : 4;
    int b = a == 1 ? 2 : 1;
    if (t[x ^ 7 ^ b] < t[x ^ a ^ b]) // the other corner next to e
        b = 7 ^ a ^ b;
    const swReal te = t[x ^ a], tf = t[x ^ a ^ b], tb = t[x ^ 7], across = t[x ^ 7 ^ a];
    const swReal square = edge * edge, u = te - tf, v = tf - tb, w = te - tb;
    *from = x ^ a;
    if (u >= v && v >= 0) {
        const swReal rest = square - u * u - v * v;
        if (rest >= u * u)
            return te + sqrt(rest);
    }
    swReal best = te + edge, time;
    if (u >= 0 && 2 * u * u <= square)
        best = te + sqrt(square - u * u);
    if (w >= 0 && 3 * w * w <= 4 * square && (time = te + sqrt(square - w * w / 2)) < best)
        best = time;
    time = v >= 0 && 3 * v * v <= square ? tf + sqrt(2 * (square - v * v))
                                         : tf + 1.4142135623730951 * edge;
    if (time < best) {
        best = time;
        *from = x ^ a ^ b;
    }
    if ((time = across + 1.4142135623730951 * edge) < best) {
        best = time;
        *from = x ^ 7 ^ a;
    }
    if ((time = tb + 1.7320508075688772 * edge) < best) {
        best = time;
        *from = x ^ 7;
    }
    return best;
}

// Times at the corners of a cell as node `to` sees them: of second fronts, those of other labels.
static void gather(const swMarch *m, const int *corner, int to, swReal t[8]) {
    for (int k = 0; k < 8; k++) {
        const int node = corner[k];
        t[k] = m->first && m->label[node] != m->label[to] ? m->first[node] : m->time[node];
    }
}

static void try_corner(swMarch *m, int c, int x, swReal edge, const swReal t[8]) {
    const int node = m->lattice->corner[8 * c + x];
    int from;
    const swReal time = arrival(t, x, edge, &from);
    if (!(time < m->time[node] * (1 - 1e-12))) // rounding must not move a front for ever
        return;
    if (m->label && !m->first)
        m->label[node] = m->label[m->lattice->corner[8 * c + from]];
    if (m->carry)
        m->carry[node] = m->carry[m->lattice->corner[8 * c + from]];
    reach(m, node, time);
}

// From a node into the cells around it.
static void spread(swMarch *m, int node) {
    const swLattice *l = m->lattice;
    const int ndistinct = l->ndistinct;
    const swReal now = m->time[node];
    for (int e = l->start[node]; e < l->start[node + 1]; e++) {
        const int c = l->around[e] / 8, own = l->around[e] % 8;
        const int *corner = l->corner + 8 * (ptrdiff_t)c;
        const swReal edge = sw_march_edge(m->lattice, m->cost, c);
        swReal t[8], least = INFINITY;
        for (int k = 0; k < 8; k++)
            t[k] = m->time[corner[k]];
        for (int k = 0; k < 8; k++)
            least = sw_min(least, t[k]);
        // No front crosses a cell in less than an edge, and one through this node takes so long at
        // least: to the end of an edge, or farther. Second fronts see other times.
        const swReal far = now + edge, near = now + 0.577 * edge,
                     next = m->first ? near : sw_max(near, least + edge);
        for (int i = 0; i < ndistinct; i++) {
            const int x = l->distinct[i], to = corner[x], way = own ^ x;
            if (m->time[to] <= ((way & (way - 1)) == 0 ? next : far) ||
                (m->wall && m->wall[to] == m->stamp))
                continue;
            if (m->first)
                gather(m, corner, to, t);
            try_corner(m, c, x, edge, t);
            t[x] = m->time[to];
        }
    }
}

// ---- the march ----

bool sw_march_cost(const swLattice *l, swDistance distance, swArena *arena, const swReal **cost,
                   swError *error) {
    *cost = NULL;
    if (distance != SW_DISTANCE_COMPLIANCE || !l->young)
        return true;
    swReal softest = INFINITY, *list = SW_NEW(arena, l->ncell, swReal, error);
    for (int c = 0; c < l->ncell; c++)
        softest = sw_min(softest, l->young[c]);
    for (int c = 0; list && c < l->ncell; c++)
        list[c] = softest / l->young[c];
    *cost = list;
    return list != NULL;
}

bool sw_march_create(swMarch *m, const swLattice *l, const swReal *cost, swArena *arena,
                     swError *error) {
    *m = (swMarch){.lattice = l,
                   .cost = cost,
                   .time = SW_NEW(arena, l->n, swReal, error),
                   .reached = SW_NEW(arena, l->n, int, error),
                   .heap = SW_NEW(arena, l->n, swFront, error),
                   .position = SW_NEW(arena, l->n, int, error)};
    if (!m->time || !m->reached || !m->heap || !m->position)
        return false;
    for (int i = 0; i < l->n; i++) {
        m->time[i] = INFINITY;
        m->position[i] = -1;
    }
    return true;
}

void sw_march_clear(swMarch *m) {
    for (int i = 0; i < m->nreached; i++)
        m->time[m->reached[i]] = INFINITY;
    m->nreached = 0;
}

void sw_march_start(swMarch *m, int node, swReal time, int label, swReal carry) {
    if (!(time < m->time[node]))
        return;
    if (m->label)
        m->label[node] = label;
    if (m->carry)
        m->carry[node] = carry;
    reach(m, node, time);
}

void sw_march_start_second(swMarch *m) {
    const swLattice *l = m->lattice;
    for (int c = 0; c < l->ncell; c++) {
        const int *corner = l->corner + 8 * (ptrdiff_t)c;
        bool mixed = false;
        for (int k = 1; k < 8; k++)
            mixed |= m->label[corner[k]] != m->label[corner[0]];
        for (int i = 0; mixed && i < l->ndistinct; i++) {
            swReal t[8];
            gather(m, corner, corner[l->distinct[i]], t);
            try_corner(m, c, l->distinct[i], sw_march_edge(m->lattice, m->cost, c), t);
        }
    }
}

void sw_march_run(swMarch *m) {
    for (int turn = 1; m->count > 0; turn++) {
        if (turn % OFTEN == 0 && !sw_pool_goes_on(m->lattice->pool))
            return;
        const int node = pop(m);
        if (!is_beyond(m, node))
            spread(m, node);
    }
}

// ---- shares ----

// Every source by itself, as far as another one may be nearer and an edge beyond: where fronts meet
// both are a little early.
static bool list_near(const swMarch *all, swMarch *m, swReal *limit, int nsource,
                      swStartSource *start, const void *context, swArena *arena, swShares *out,
                      swError *error) {
    const swLattice *l = m->lattice;
    for (int i = 0; i < l->n; i++)
        limit[i] = all->time[i] + l->grid->h;
    m->limit = limit;
    for (int s = 0; s < nsource; s++) {
        sw_march_clear(m);
        start(context, s, m);
        sw_march_run(m);
        if (sw_pool_stopped(l->pool))
            return sw_fail_stopped(error);
        for (int k = 0; k < m->nreached; k++) {
            const int node = m->reached[k];
            swShare *share =
                m->time[node] <= limit[node] ? SW_PUSH(&out->list, arena, error) : NULL;
            if (share)
                *share = (swShare){node, m->time[node]};
            else if (m->time[node] <= limit[node])
                return false;
        }
        out->first[s + 1] = out->list.count;
    }
    return true;
}

bool sw_march_share(const swMarch *all, int nsource, swStartSource *start, const void *context,
                    swArena *arena, swShares *out, swError *error) {
    static const swReal alike = 1e-6; // of an edge
    const swLattice *l = all->lattice;
    swMarch m;
    *out = (swShares){.first = SW_NEW(arena, nsource + 1, int, error)};
    swReal *limit = SW_NEW(arena, l->n, swReal, error), *least = SW_NEW(arena, l->n, swReal, error),
           *sum = SW_NEW(arena, l->n, swReal, error);
    if (!out->first || !limit || !least || !sum ||
        !sw_march_create(&m, l, all->cost, arena, error) ||
        !list_near(all, &m, limit, nsource, start, context, arena, out, error))
        return false;
    for (int i = 0; i < l->n; i++)
        least[i] = INFINITY;
    for (const swShare *s = out->list.item; s < out->list.item + out->list.count; s++)
        least[s->node] = sw_min(least[s->node], s->much);
    for (swShare *s = out->list.item; s < out->list.item + out->list.count; s++) {
        s->much = sw_max(0, 1 - (s->much - least[s->node]) / (alike * l->grid->h));
        sum[s->node] += s->much;
    }
    for (swShare *s = out->list.item; s < out->list.item + out->list.count; s++)
        s->much /= sum[s->node];
    return true;
}
