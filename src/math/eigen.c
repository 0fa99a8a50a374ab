// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Householder reduction to tridiagonal form, then QL steps with implicit shifts. Eigenvectors are
// kept as rows, so that both work on contiguous memory.
#include "math/eigen.h"

#include "math/vec.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Reflects column k of A onto its entry k + 1, from both sides. v and p are scratch of n numbers.
static void reflect(int n, int k, double *A, double *V, double *v, double *p) {
    double norm = 0, rest = 0, dot = 0;
    for (int i = k + 1; i < n; i++) {
        v[i] = A[(ptrdiff_t)i * n + k];
        norm += v[i] * v[i];
        rest += i > k + 1 ? v[i] * v[i] : 0;
    }
    if (rest == 0)
        return;
    const double edge = -copysign(sqrt(norm), v[k + 1]);
    v[k + 1] -= edge;
    const double scale = 1 / sqrt(rest + v[k + 1] * v[k + 1]); // makes v a unit vector
    for (int i = k + 1; i < n; i++)
        v[i] *= scale;
    for (int i = k + 1; i < n; i++) {
        p[i] = sw_dot_n(n - k - 1, A + (ptrdiff_t)i * n + k + 1, v + k + 1);
        dot += p[i] * v[i];
    }
    for (int i = k + 1; i < n; i++)
        p[i] = 2 * (p[i] - dot * v[i]);
    for (int i = k + 1; i < n; i++) // A := H A H, H = 1 - 2 v v^T
        for (int j = k + 1; j < n; j++)
            A[(ptrdiff_t)i * n + j] -= v[i] * p[j] + p[i] * v[j];
    A[(ptrdiff_t)(k + 1) * n + k] = edge;
    memset(p, 0, (size_t)n * sizeof *p);
    for (int i = k + 1; i < n; i++) // V := H V
        for (int j = 0; j < n; j++)
            p[j] += v[i] * V[(ptrdiff_t)i * n + j];
    for (int i = k + 1; i < n; i++)
        for (int j = 0; j < n; j++)
            V[(ptrdiff_t)i * n + j] -= 2 * v[i] * p[j];
}

// Pending rotations of rows i and i + 1 of V. They are applied many at a time to a few columns,
// which then stay in cache.
enum { MANY = 1024, COLUMNS = 32 };
typedef struct {
    int n, count, row[MANY];
    double c[MANY], s[MANY], *V;
} swTurns;

static void turn_rows(swTurns *t) {
    for (int first = 0; first < t->n; first += COLUMNS) {
        const int count = t->n - first < COLUMNS ? t->n - first : COLUMNS;
        for (int k = 0; k < t->count; k++) {
            const double c = t->c[k], s = t->s[k];
            double *u = t->V + (ptrdiff_t)t->row[k] * t->n + first, *w = u + t->n;
            for (int j = 0; j < count; j++) {
                const double low = u[j], high = w[j];
                w[j] = s * low + c * high;
                u[j] = c * low - s * high;
            }
        }
    }
    t->count = 0;
}

static void add_turn(swTurns *t, int row, double c, double s) {
    if (t->count == MANY)
        turn_rows(t);
    t->row[t->count] = row;
    t->c[t->count] = c;
    t->s[t->count++] = s;
}

// One QL step on rows l .. m of the tridiagonal matrix with diagonal d, where e[i] couples d[i] and
// d[i + 1].
static void ql_step(int l, int m, double *d, double *e, swTurns *turns) {
    double g = (d[l + 1] - d[l]) / (2 * e[l]);
    g = d[m] - d[l] + e[l] / (g + copysign(hypot(g, 1), g));
    double s = 1, c = 1, p = 0;
    for (int i = m - 1; i >= l; i--) {
        const double f = s * e[i], b = c * e[i], r = hypot(f, g);
        e[i + 1] = r;
        if (r == 0) { // the matrix splits here
            d[i + 1] -= p;
            e[m] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        const double t = (d[i] - g) * s + 2 * c * b;
        p = s * t;
        d[i + 1] = g + p;
        g = c * t - b;
        add_turn(turns, i, c, s);
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0;
}

static void sort_rows(int n, double *value, double *V) {
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++)
            if (value[j] < value[least])
                least = j;
        if (least == i)
            continue;
        const double t = value[i];
        value[i] = value[least];
        value[least] = t;
        for (int j = 0; j < n; j++) {
            double *a = &V[(ptrdiff_t)i * n + j], *b = &V[(ptrdiff_t)least * n + j], swap = *a;
            *a = *b;
            *b = swap;
        }
    }
}

bool sw_eigen_symmetric(int n, double *A, double *value, double *V, double *work) {
    enum { MAX_STEPS = 100 };
    double *e = work;
    swTurns turns;
    turns.n = n;
    turns.count = 0;
    turns.V = V;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            V[(ptrdiff_t)i * n + j] = i == j;
            if (!isfinite(A[(ptrdiff_t)i * n + j]))
                return false;
        }
    for (int k = 0; k + 2 < n; k++)
        reflect(n, k, A, V, work, work + n);
    for (int i = 0; i < n; i++) {
        value[i] = A[(ptrdiff_t)i * n + i];
        e[i] = i + 1 < n ? A[(ptrdiff_t)(i + 1) * n + i] : 0;
    }
    for (int l = 0; l < n; l++)
        for (int step = 0;; step++) {
            int m = l;
            while (m + 1 < n && fabs(e[m]) > DBL_EPSILON * (fabs(value[m]) + fabs(value[m + 1])))
                m++;
            if (m == l)
                break;
            if (step == MAX_STEPS)
                return false;
            ql_step(l, m, value, e, &turns);
        }
    turn_rows(&turns);
    sort_rows(n, value, V);
    return true;
}

int sw_eigen_cut(int n, const double *value, int most) {
    static const double alike = 1e-4;
    int cut = most < n ? most : n;
    while (cut > 0 && cut < n && value[cut] > (1 - alike) * value[cut - 1])
        cut--;
    return cut > 0 ? cut : most < n ? most : n;
}
