// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Lawson and Hanson's search using products of columns. The factor for the columns in use is
// updated when a column is added or removed.
#include "cubature/nnls.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

enum { LIKELY = 32, TURNS = 8 }; // candidates are kept in a list of LIKELY columns for TURNS turns

typedef struct {
    swNnlsProducts *p;
    int n, most;
    const swReal *G, *c;
    swReal *L, *y;      // [most][most]: factor for the columns in use, by rows; L^-1 c
    swReal *z;          // scratch
    swReal *turn;       // [most][2]: rotations
    swReal *gradient;   // [n]
    unsigned char *out; // per column: in use, or ruled out for now
    int nlikely, age, likely[LIKELY];
} swSearch;

// ---- columns in use ----

static swReal *L_of(const swSearch *s, int k) { return s->L + (ptrdiff_t)k * s->most; }

// Adds a column; returns false if it depends linearly on those in use.
static bool insert(swSearch *s, int column) {
    swNnlsProducts *p = s->p;
    const swReal *G = s->G + (ptrdiff_t)column * s->n;
    swReal *row = L_of(s, p->k), square = G[column], y = s->c[column];
    for (int j = 0; j < p->k; j++) {
        const swReal *other = L_of(s, j);
        row[j] = (G[p->column[j]] - sw_dot_n(j, other, row)) / other[j];
        square -= row[j] * row[j];
        y -= row[j] * s->y[j];
    }
    if (!(square > 1e-12 * G[column]))
        return false;
    row[p->k] = sqrt(square);
    s->y[p->k] = y / row[p->k];
    p->column[p->k++] = column;
    return true;
}

// Removes the column at position `at`. The rows below it then have one entry too many, which
// rotations of columns j, j + 1 eliminate.
static void drop(swSearch *s, int at) {
    swNnlsProducts *p = s->p;
    s->out[p->column[at]] = 0;
    p->k--;
    for (int i = at; i < p->k; i++) {
        swReal *row = L_of(s, i);
        p->column[i] = p->column[i + 1];
        p->x[i] = p->x[i + 1];
        memcpy(row, L_of(s, i + 1), (size_t)(i + 2) * sizeof *row);
        for (int j = at; j < i; j++) {
            const swReal u = row[j], v = row[j + 1], c = s->turn[2 * j], d = s->turn[2 * j + 1];
            row[j] = c * u + d * v;
            row[j + 1] = c * v - d * u;
        }
        const swReal length = hypot(row[i], row[i + 1]), u = s->y[i], v = s->y[i + 1],
                     c = row[i] / length, d = row[i + 1] / length;
        row[i] = length;
        s->turn[2 * i] = c;
        s->turn[2 * i + 1] = d;
        s->y[i] = c * u + d * v;
        s->y[i + 1] = c * v - d * u;
    }
}

// z := the least-squares solution for the columns in use.
static void fit(const swSearch *s) {
    memcpy(s->z, s->y, (size_t)s->p->k * sizeof *s->z);
    for (int j = s->p->k - 1; j >= 0; j--) {
        const swReal *row = L_of(s, j), z = s->z[j] /= row[j];
        for (int i = 0; i < j; i++)
            s->z[i] -= row[i] * z;
    }
}

// Moves x towards the least-squares solution for the columns in use; columns that reach zero on the
// way are removed.
static void descend(swSearch *s) {
    swNnlsProducts *p = s->p;
    while (p->k > 0) {
        swReal step = 1;
        bool whole = true;
        fit(s);
        for (int j = 0; j < p->k; j++)
            if (s->z[j] <= 0)
                step = sw_min(step, p->x[j] > 0 ? p->x[j] / (p->x[j] - s->z[j]) : 0);
        for (int j = 0; j < p->k; j++) {
            const bool falling = s->z[j] <= 0;
            const swReal change = s->z[j] - p->x[j];
            whole = whole && !falling;
            p->x[j] += step * change;
            if (falling && !(p->x[j] > 1e-14 * fabs(change)))
                p->x[j] = 0;
        }
        if (whole)
            return;
        for (int j = p->k - 1; j >= 0; j--)
            if (!(p->x[j] > 0))
                drop(s, j);
    }
}

// ---- choosing columns ----

// Computes the gradient for all columns.
static void find_gradient(const swSearch *s) {
    const swNnlsProducts *p = s->p;
    int j = 0;
    memcpy(s->gradient, s->c, (size_t)s->n * sizeof *s->gradient);
    for (; j + 4 <= p->k; j += 4) {
        const swReal *G[4], *x = p->x + j;
        for (int e = 0; e < 4; e++)
            G[e] = s->G + (ptrdiff_t)p->column[j + e] * s->n;
        for (int i = 0; i < s->n; i++)
            s->gradient[i] -= (x[0] * G[0][i] + x[1] * G[1][i]) + (x[2] * G[2][i] + x[3] * G[3][i]);
    }
    for (; j < p->k; j++)
        for (int i = 0; i < s->n; i++)
            s->gradient[i] -= p->x[j] * s->G[(ptrdiff_t)p->column[j] * s->n + i];
}

// likely := the columns along which the residual falls fastest, the fastest first.
static void find_likely(swSearch *s) {
    find_gradient(s);
    s->nlikely = 0;
    s->age = 0;
    for (int i = 0; i < s->n; i++) {
        int at = s->nlikely;
        if (s->out[i] || !(s->gradient[i] > 0) ||
            (at == LIKELY && !(s->gradient[i] > s->gradient[s->likely[at - 1]])))
            continue;
        at = s->nlikely < LIKELY ? s->nlikely++ : LIKELY - 1;
        for (; at > 0 && s->gradient[i] > s->gradient[s->likely[at - 1]]; at--)
            s->likely[at] = s->likely[at - 1];
        s->likely[at] = i;
    }
}

// A column along which the residual falls about fastest, or -1: the one that is best now among
// those that were best a few turns ago.
static int steepest(swSearch *s) {
    const swNnlsProducts *p = s->p;
    for (int pass = 0; pass < 2; pass++) {
        int best = -1;
        swReal most = 0;
        if (pass == 1 || s->age++ >= TURNS)
            find_likely(s);
        for (int k = 0; k < s->nlikely; k++) {
            const int i = s->likely[k];
            const swReal *G = s->G + (ptrdiff_t)i * s->n;
            swReal slope = s->c[i];
            for (int j = 0; j < p->k && !s->out[i]; j++)
                slope -= p->x[j] * G[p->column[j]];
            if (!s->out[i] && slope > most) {
                most = slope;
                best = i;
            }
        }
        if (best >= 0)
            return best;
    }
    return -1;
}

static bool has_room(const swSearch *s) {
    int used = 0;
    for (int j = 0; j < s->p->k; j++)
        used += s->p->size ? s->p->size[s->p->column[j]] : 1;
    return s->p->k < s->most && used < s->p->most;
}

static void search(swSearch *s) {
    swNnlsProducts *p = s->p;
    const swReal enough = p->enough * p->enough * p->square;
    // Each turn lowers the residual or rules out a column; the limit only matters for rounding.
    for (int turn = 0;
         turn < 20 * s->n && has_room(s) && p->left > enough && sw_pool_goes_on(p->pool); turn++) {
        const int column = steepest(s);
        if (column < 0)
            break;
        s->out[column] = 1;
        if (!insert(s, column))
            continue;
        p->x[p->k - 1] = 0;
        if (!(s->y[p->k - 1] > 0)) { // rounding: by the gradient it must grow
            p->k--;
            continue;
        }
        descend(s);
        const swReal now = p->square - sw_dot_n(p->k, s->y, s->y);
        if (now < p->left) { // columns that were of no use may be of use now
            memset(s->out, 0, (size_t)s->n);
            for (int j = 0; j < p->k; j++)
                s->out[p->column[j]] = 1;
            p->left = now;
        }
    }
}

bool sw_nnls_products(swNnlsProducts *p, swArena *arena, swError *error) {
    const size_t n = (size_t)p->columns, most = (size_t)sw_min_int(p->most, p->columns);
    swSearch s = {.p = p,
                  .n = p->columns,
                  .most = (int)most,
                  .G = p->G,
                  .c = p->c,
                  .L = SW_NEW(arena, most * most, swReal, error),
                  .y = SW_NEW(arena, most, swReal, error),
                  .z = SW_NEW(arena, most, swReal, error),
                  .turn = SW_NEW(arena, 2 * most, swReal, error),
                  .gradient = SW_NEW(arena, n, swReal, error),
                  .out = SW_NEW(arena, n, unsigned char, error)};
    p->k = 0;
    p->left = p->square;
    p->column = SW_NEW(arena, most, int, error);
    p->x = SW_NEW(arena, most, swReal, error);
    if (!s.L || !s.y || !s.z || !s.turn || !s.gradient || !s.out || !p->column || !p->x)
        return false;
    search(&s);
    return !sw_pool_stopped(p->pool) || sw_fail_stopped(error);
}
