// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The factors Q R of the columns in use are updated when a column is added or removed, not
// recomputed.
#include "cubature/nnls.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

bool sw_nnls_create(swNnls *s, int max_rows, int max_columns, swArena *arena, swError *error) {
    const size_t m = (size_t)max_rows;
    *s = (swNnls){.max_rows = max_rows,
                  .most = max_rows,
                  .enough = 1e-15,
                  .column = SW_NEW(arena, m, int, error),
                  .x = SW_NEW(arena, m, swReal, error),
                  .Q = SW_NEW(arena, m * m, swReal, error),
                  .R = SW_NEW(arena, m * m, swReal, error),
                  .along = SW_NEW(arena, m, swReal, error),
                  .r = SW_NEW(arena, m, swReal, error),
                  .z = SW_NEW(arena, m, swReal, error),
                  .gradient = SW_NEW(arena, max_columns, swReal, error),
                  .out = SW_NEW(arena, max_columns, unsigned char, error)};
    return s->column && s->x && s->Q && s->R && s->along && s->r && s->z && s->gradient && s->out;
}

typedef struct {
    int rows, columns;
    const swReal *A;
    ptrdiff_t stride;
    const swReal *b;
} swProblem;

static swReal *Q_of(const swNnls *s, int k) { return s->Q + (size_t)k * (size_t)s->max_rows; }
static swReal *R_of(const swNnls *s, int k) { return s->R + (size_t)k * (size_t)s->max_rows; }

// Adds a column; returns false if it depends linearly on those in use.
static bool insert(swNnls *s, const swProblem *p, int column) {
    swReal *q = Q_of(s, s->k), *R = R_of(s, s->k);
    for (int i = 0; i < p->rows; i++)
        q[i] = p->A[i * p->stride + column];
    const swReal size = sqrt(sw_dot_n(p->rows, q, q));
    memset(R, 0, (size_t)(s->k + 1) * sizeof *R);
    for (int pass = 0; pass < 2; pass++) // a second pass removes rounding errors
        for (int j = 0; j < s->k; j++) {
            const swReal *other = Q_of(s, j), d = sw_dot_n(p->rows, q, other);
            R[j] += d;
            for (int i = 0; i < p->rows; i++)
                q[i] -= d * other[i];
        }
    const swReal left = sqrt(sw_dot_n(p->rows, q, q));
    if (!(left > 1e-10 * size))
        return false;
    for (int i = 0; i < p->rows; i++)
        q[i] /= left;
    R[s->k] = left;
    s->along[s->k] = sw_dot_n(p->rows, q, p->b);
    s->column[s->k++] = column;
    return true;
}

// Removes the column at position `at`; rotations of rows j, j + 1 make R triangular again.
static void drop(swNnls *s, int rows, int at) {
    s->out[s->column[at]] = 0;
    s->k--;
    for (int j = at; j < s->k; j++) {
        s->column[j] = s->column[j + 1];
        s->x[j] = s->x[j + 1];
        memcpy(R_of(s, j), R_of(s, j + 1), (size_t)(j + 2) * sizeof *s->R);
    }
    for (int j = at; j < s->k; j++) {
        const swReal a = R_of(s, j)[j], b = R_of(s, j)[j + 1], length = sqrt(a * a + b * b);
        const swReal c = a / length, d = b / length;
        for (int i = j; i < s->k; i++) {
            swReal *R = R_of(s, i), u = R[j], v = R[j + 1];
            R[j] = c * u + d * v;
            R[j + 1] = c * v - d * u;
        }
        swReal *q = Q_of(s, j), *w = Q_of(s, j + 1), u = s->along[j], v = s->along[j + 1];
        s->along[j] = c * u + d * v;
        s->along[j + 1] = c * v - d * u;
        for (int i = 0; i < rows; i++) {
            u = q[i];
            v = w[i];
            q[i] = c * u + d * v;
            w[i] = c * v - d * u;
        }
    }
}

// z := R^-1 z
static void solve(const swNnls *s, swReal *z) {
    for (int j = s->k - 1; j >= 0; j--) {
        const swReal *R = R_of(s, j);
        z[j] /= R[j];
        for (int i = 0; i < j; i++)
            z[i] -= R[i] * z[j];
    }
}

// z := the least-squares solution for the columns in use.
static void fit(const swNnls *s) {
    memcpy(s->z, s->along, (size_t)s->k * sizeof *s->z);
    solve(s, s->z);
}

// r := b - Q Q^T b, the residual of that solution.
static void rest(const swNnls *s, const swProblem *p) {
    memcpy(s->r, p->b, (size_t)p->rows * sizeof *s->r);
    for (int j = 0; j < s->k; j++) {
        const swReal *q = Q_of(s, j), along = s->along[j];
        for (int i = 0; i < p->rows; i++)
            s->r[i] -= along * q[i];
    }
}

static void residual(const swNnls *s, const swProblem *p) {
    for (int i = 0; i < p->rows; i++) {
        s->r[i] = p->b[i];
        for (int j = 0; j < s->k; j++)
            s->r[i] -= p->A[i * p->stride + s->column[j]] * s->x[j];
    }
}

// Moves x towards the least-squares solution for the columns in use; columns that reach zero on the
// way are removed.
static void descend(swNnls *s, const swProblem *p) {
    while (s->k > 0) {
        swReal step = 1;
        fit(s);
        for (int j = 0; j < s->k; j++)
            if (s->z[j] <= 0)
                step = sw_min(step, s->x[j] > 0 ? s->x[j] / (s->x[j] - s->z[j]) : 0);
        bool whole = true;
        for (int j = 0; j < s->k; j++) {
            const bool falling = s->z[j] <= 0;
            const swReal change = s->z[j] - s->x[j];
            whole = whole && !falling;
            s->x[j] += step * change;
            if (falling && !(s->x[j] > 1e-14 * fabs(change)))
                s->x[j] = 0;
        }
        if (whole)
            return;
        for (int j = s->k - 1; j >= 0; j--)
            if (!(s->x[j] > 0))
                drop(s, p->rows, j);
    }
}

// The column along which the residual falls fastest, or -1.
static int steepest(const swNnls *s, const swProblem *p) {
    memset(s->gradient, 0, (size_t)p->columns * sizeof *s->gradient);
    for (int i = 0; i < p->rows; i++) {
        const swReal *A = p->A + i * p->stride, r = s->r[i];
        for (int c = 0; c < p->columns; c++)
            s->gradient[c] += r * A[c];
    }
    int best = -1;
    for (int c = 0; c < p->columns; c++)
        if (!s->out[c] && s->gradient[c] > (best < 0 ? 0 : s->gradient[best]))
            best = c;
    return best;
}

void sw_nnls_solve(swNnls *s, int rows, int columns, const swReal *A, ptrdiff_t stride,
                   const swReal *b) {
    const swProblem p = {rows, columns, A, stride, b};
    const swReal size = sqrt(sw_dot_n(rows, b, b));
    s->k = 0;
    memset(s->out, 0, (size_t)columns);
    memcpy(s->r, b, (size_t)rows * sizeof *b);
    swReal left = size;
    // Each turn lowers the residual or rules out a column; the limit only matters for rounding.
    const int most = sw_min_int(rows, s->most);
    for (int turn = 0;
         turn < 20 * rows && s->k < most && left > s->enough * size && sw_pool_goes_on(s->pool);
         turn++) {
        const int c = steepest(s, &p);
        if (c < 0)
            break;
        s->out[c] = 1;
        if (!insert(s, &p, c))
            continue;
        s->x[s->k - 1] = 0;
        fit(s);
        if (!(s->z[s->k - 1] > 0)) { // rounding: by the gradient it must grow
            s->k--;
            continue;
        }
        descend(s, &p);
        rest(s, &p);
        const swReal now = sqrt(sw_dot_n(rows, s->r, s->r));
        if (now < left) { // columns that were of no use may be of use now
            memset(s->out, 0, (size_t)columns);
            for (int j = 0; j < s->k; j++)
                s->out[s->column[j]] = 1;
            left = now;
        }
    }
    residual(s, &p);
    for (int pass = 0; pass < 2; pass++) { // refine while all stay positive
        bool positive = true;
        for (int j = 0; j < s->k; j++)
            s->z[j] = sw_dot_n(rows, Q_of(s, j), s->r);
        solve(s, s->z);
        for (int j = 0; j < s->k; j++)
            positive = positive && s->x[j] + s->z[j] > 0;
        for (int j = 0; positive && j < s->k; j++)
            s->x[j] += s->z[j];
        residual(s, &p);
    }
}
