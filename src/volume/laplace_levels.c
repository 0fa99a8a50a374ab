// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Coarser levels by smoothed aggregation. Nodes in the same block of 3 x 3 x 3 places that hang
// together by strong couplings become one: parts that only touch in the grid stay apart, and so do
// parts of very different stiffness, whose error is smooth in each but not across.
#include "volume/laplace_levels.h"

#include "math/sets.h"
#include "math/cholesky.h"

#include <string.h>

enum { BLOCK = 3 };
// A coupling is strong where a_ij^2 > strong^2 a_ii a_jj. In even material the weakest is 1/32.
static const swReal strong = 0.02;

typedef struct {
    int x, y, z;
} swCoordinates;

// A sum of sparse rows.
typedef struct {
    int n;
    swEntry *entry;
    int *slot; // where a column is in `entry`, or -1
} swRowSum;

typedef struct {
    const swLaplace *A;
    swLevel *fine, *coarse;
    swArena scratch;
    swCoordinates *place, *coarse_place; // of nodes; fine ones in units of a fine node's distance
    int *aggregate;                      // of each fine node, or -1: left to the smoother
    swRowSum row, sum;                   // columns: fine nodes, coarse nodes
} swCoarsening;

static void add(swRowSum *sum, int column, swReal value) {
    if (sum->slot[column] < 0) {
        sum->slot[column] = sum->n;
        sum->entry[sum->n++] = (swEntry){0, column};
    }
    sum->entry[sum->slot[column]].value += value;
}

static void clear(swRowSum *sum) {
    for (int e = 0; e < sum->n; e++)
        sum->slot[sum->entry[e].column] = -1;
    sum->n = 0;
}

static bool create_sum(swRowSum *sum, int n, swArena *arena, swError *error) {
    *sum = (swRowSum){0, SW_NEW(arena, n, swEntry, error), SW_NEW(arena, n, int, error)};
    for (int i = 0; sum->slot && i < n; i++)
        sum->slot[i] = -1;
    return sum->entry && sum->slot;
}

// Adds row i of the matrix off the diagonal, times a factor; columns of fixed nodes are left out.
static void add_matrix_row(swCoarsening *w, int i, swReal factor) {
    const swLevel *level = w->fine;
    if (level->off.start) {
        for (int e = level->off.start[i]; e < level->off.start[i + 1]; e++)
            add(&w->row, level->off.entry[e].column, factor * level->off.entry[e].value);
        return;
    }
    const swLattice *l = w->A->lattice;
    for (int e = l->start[i]; e < l->start[i + 1]; e++) {
        const int at = l->around[e], k = at % 8;
        for (int m = 0; m < 4; m++) {
            const int j = l->corner[at - k + (k ^ sw_coupled[m])];
            if (level->inverse[j] > 0)
                add(&w->row, j, -factor * w->A->coefficient[at / 8]);
        }
    }
}

static bool is_strong(const swLevel *level, int i, swEntry a) {
    return a.value < 0 &&
           a.value * a.value > strong * strong * level->diagonal[i] * level->diagonal[a.column];
}

// ---- aggregates ----

static bool same_block(swCoordinates a, swCoordinates b) {
    return a.x / BLOCK == b.x / BLOCK && a.y / BLOCK == b.y / BLOCK && a.z / BLOCK == b.z / BLOCK;
}

// Joins what is strongly coupled within a block. lone: nodes without any strong coupling.
static void join_blocks(swCoarsening *w, int *parent, char *lone) {
    const swLevel *level = w->fine;
    for (int i = 0; i < level->n; i++) {
        parent[i] = i;
        lone[i] = 1;
    }
    for (int i = 0; i < level->n && sw_pool_goes_on(w->A->lattice->pool); i++) {
        if (level->inverse[i] == 0)
            continue;
        add_matrix_row(w, i, 1);
        for (int e = 0; e < w->row.n; e++) {
            const int j = w->row.entry[e].column;
            if (!is_strong(level, i, w->row.entry[e]))
                continue;
            lone[i] = lone[j] = 0;
            if (!same_block(w->place[i], w->place[j]))
                continue;
            sw_set_join(parent, i, j);
        }
        clear(&w->row);
    }
}

static bool make_aggregates(swCoarsening *w, swError *error) {
    const int n = w->fine->n;
    int *parent = SW_NEW(&w->scratch, n, int, error);
    char *lone = SW_NEW(&w->scratch, n, char, error);
    if (!parent || !lone)
        return false;
    join_blocks(w, parent, lone);
    if (sw_pool_stopped(w->A->lattice->pool))
        return sw_fail_stopped(error);
    for (int i = 0; i < n; i++) { // a root comes before what hangs on it
        const int root = sw_set_find(parent, i);
        const swCoordinates p = w->place[i];
        w->aggregate[i] = lone[i] ? -1 : w->aggregate[root];
        if (root != i || lone[i])
            continue;
        w->coarse_place[w->coarse->n] = (swCoordinates){p.x / BLOCK, p.y / BLOCK, p.z / BLOCK};
        w->aggregate[i] = w->coarse->n++;
    }
    return true;
}

// ---- matrices ----

typedef SW_LIST(swEntry) swEntries;

// Appends a row, without its diagonal where `diagonal` is given, and forgets it.
static bool push_row(swCoarsening *w, swEntries *list, int own, swReal *diagonal, swError *error) {
    if (!sw_pool_goes_on(w->A->lattice->pool))
        return sw_fail_stopped(error);
    for (int e = 0; e < w->sum.n; e++) {
        if (diagonal && w->sum.entry[e].column == own) {
            *diagonal = w->sum.entry[e].value;
            continue;
        }
        swEntry *entry = SW_PUSH(list, &w->scratch, error);
        if (!entry)
            return false;
        *entry = w->sum.entry[e];
    }
    clear(&w->sum);
    return true;
}

static bool keep(const swEntries *list, swArena *arena, swSparse *out, swError *error) {
    out->entry = SW_NEW(arena, list->count, swEntry, error);
    if (!out->entry)
        return false;
    if (list->count > 0)
        memcpy(out->entry, list->item, (size_t)list->count * sizeof *out->entry);
    return true;
}

// A row of the prolongation: piecewise constant, and smoothed by a step of damped Jacobi with the
// strong couplings alone. The damping is safe for any matrix: sum |a_ij| bounds its spectrum.
static void smooth_row(swCoarsening *w, int i) {
    const swLevel *level = w->fine;
    add_matrix_row(w, i, 1);
    swReal own = level->diagonal[i], size = 0;
    for (int e = 0; e < w->row.n; e++)
        if (is_strong(level, i, w->row.entry[e]))
            size -= w->row.entry[e].value;
        else
            own += w->row.entry[e].value; // rows keep their sums
    const swReal damping = own > 0 ? 4.0 / 3 / (own + size) : 0;
    add(&w->sum, w->aggregate[i], 1 - damping * own);
    for (int e = 0; e < w->row.n; e++)
        if (damping > 0 && is_strong(level, i, w->row.entry[e]))
            add(&w->sum, w->aggregate[w->row.entry[e].column], -damping * w->row.entry[e].value);
    clear(&w->row);
}

static bool make_prolongation(swCoarsening *w, swArena *arena, swError *error) {
    swLevel *level = w->fine;
    swEntries list = {0};
    if (!(level->up.start = SW_NEW(arena, level->n + 1, int, error)))
        return false;
    for (int i = 0; i < level->n; i++) {
        if (w->aggregate[i] >= 0)
            smooth_row(w, i);
        if (!push_row(w, &list, -1, NULL, error))
            return false;
        level->up.start[i + 1] = list.count;
    }
    return keep(&list, arena, &level->up, error);
}

static bool transpose(int n, const swSparse *a, int ncolumn, swArena *arena, swSparse *out,
                      swError *error) {
    const int count = a->start[n];
    *out = (swSparse){SW_NEW(arena, ncolumn + 1, int, error), SW_NEW(arena, count, swEntry, error)};
    if (!out->start || !out->entry)
        return false;
    for (int e = 0; e < count; e++)
        out->start[a->entry[e].column]++;
    for (int c = 0; c < ncolumn; c++)
        out->start[c + 1] += out->start[c];
    for (int i = n - 1; i >= 0; i--) // from the ends of the rows to their beginnings
        for (int e = a->start[i + 1] - 1; e >= a->start[i]; e--)
            out->entry[--out->start[a->entry[e].column]] = (swEntry){a->entry[e].value, i};
    return true;
}

// The Galerkin matrix up^T A up, row by row: A times a column of `up`, then times `up`.
static bool make_matrix(swCoarsening *w, swArena *arena, swError *error) {
    swLevel *fine = w->fine, *coarse = w->coarse;
    swSparse down;
    swEntries list = {0};
    coarse->diagonal = SW_NEW(arena, coarse->n, swReal, error);
    coarse->inverse = SW_NEW(arena, coarse->n, swReal, error);
    coarse->off.start = SW_NEW(arena, coarse->n + 1, int, error);
    if (!coarse->diagonal || !coarse->inverse || !coarse->off.start ||
        !transpose(fine->n, &fine->up, coarse->n, &w->scratch, &down, error))
        return false;
    for (int c = 0; c < coarse->n; c++) {
        for (int e = down.start[c]; e < down.start[c + 1]; e++) {
            const swEntry a = down.entry[e];
            add(&w->row, a.column, a.value * fine->diagonal[a.column]);
            add_matrix_row(w, a.column, a.value);
        }
        for (int e = 0; e < w->row.n; e++) {
            const swEntry a = w->row.entry[e];
            for (int k = fine->up.start[a.column]; k < fine->up.start[a.column + 1]; k++)
                add(&w->sum, fine->up.entry[k].column, a.value * fine->up.entry[k].value);
        }
        clear(&w->row);
        if (!push_row(w, &list, c, &coarse->diagonal[c], error))
            return false;
        coarse->inverse[c] = coarse->diagonal[c] > 0 ? 1 / coarse->diagonal[c] : 0;
        coarse->off.start[c + 1] = list.count;
    }
    return keep(&list, arena, &coarse->off, error);
}

// ---- the hierarchy ----

// Makes the next level; its n is 0 where nothing is left to merge.
static bool make_level(swCoarsening *w, swArena *arena, swError *error) {
    const int n = w->fine->n;
    w->aggregate = SW_NEW(&w->scratch, n, int, error);
    w->coarse_place = SW_NEW(arena, n, swCoordinates, error);
    if (!w->aggregate || !w->coarse_place || !create_sum(&w->row, n, &w->scratch, error) ||
        !make_aggregates(w, error))
        return false;
    if (w->coarse->n == 0 || w->coarse->n > 0.9 * n) {
        w->coarse->n = 0;
        return true;
    }
    return create_sum(&w->sum, w->coarse->n, &w->scratch, error) &&
           make_prolongation(w, arena, error) && make_matrix(w, arena, error);
}

static bool factor_coarsest(swLaplace *A, swArena *arena, swError *error) {
    const swLevel *level = &A->level[A->nlevel - 1];
    const int n = level->n, stride = sw_cholesky_stride(n);
    if (!level->off.start || n > SW_DENSE)
        return true;
    double *M = SW_NEW(arena, (size_t)n * (size_t)stride, double, error);
    if (!M)
        return false;
    for (int i = 0; i < n; i++) {
        for (int e = level->off.start[i]; e < level->off.start[i + 1]; e++)
            M[(size_t)i * (size_t)stride + (size_t)level->off.entry[e].column] =
                level->off.entry[e].value;
        M[(size_t)i * (size_t)stride + (size_t)i] = level->diagonal[i] * (1 + 1e-12);
    }
    if (sw_cholesky_factor(n, n, M, stride) == n)
        A->factor = M; // else it is singular to rounding, and Gauss-Seidel has to do
    return true;
}

bool sw_laplace_coarsen(swLaplace *A, swArena *arena, swError *error) {
    const swLattice *l = A->lattice;
    swCoordinates *place = SW_NEW(arena, l->n, swCoordinates, error);
    if (!place)
        return false;
    for (int i = 0; i < l->n; i++) {
        const swVec3 p = sw_scale(1 / l->grid->h, sw_sub(l->X[i], l->grid->origin));
        place[i] = (swCoordinates){(int)lround(p.x), (int)lround(p.y), (int)lround(p.z)};
    }
    bool ok = true;
    while (ok && A->nlevel < SW_MAX_LEVELS &&
           (A->nlevel == 1 || A->level[A->nlevel - 1].n > SW_DENSE)) {
        swCoarsening w = {.A = A,
                          .fine = &A->level[A->nlevel - 1],
                          .coarse = &A->level[A->nlevel],
                          .place = place};
        sw_arena_init(&w.scratch, &arena->allocator);
        ok = make_level(&w, arena, error);
        sw_arena_free(&w.scratch);
        if (w.coarse->n == 0)
            break;
        A->nlevel++;
        place = w.coarse_place;
    }
    return ok && factor_coarsest(A, arena, error);
}
