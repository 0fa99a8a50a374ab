// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/anderson.h"

#include "math/vec.h"

#include <string.h>

enum { VECTORS = 2 + 2 * SW_ANDERSON };

static size_t bytes_of(const swAnderson *a) { return VECTORS * (size_t)a->n * sizeof(swReal); }

void sw_anderson_create(swAnderson *a, int64_t n, const swAllocator *allocator) {
    *a = (swAnderson){.n = n};
    a->memory = sw_alloc(allocator, bytes_of(a));
    if (!a->memory)
        return;
    a->x = a->memory;
    a->f = a->x + n;
    for (int i = 0; i < SW_ANDERSON; i++) {
        a->dx[i] = a->f + (1 + i) * n;
        a->df[i] = a->f + (1 + SW_ANDERSON + i) * n;
    }
}

void sw_anderson_destroy(swAnderson *a, const swAllocator *allocator) {
    if (a->memory)
        sw_free(allocator, a->memory, bytes_of(a));
}

// S y = y in place, S positive semidefinite of m rows: what has no pivot is left out.
static void solve(int m, swReal S[][SW_ANDERSON], swReal *y) {
    for (int k = 0; k < m; k++) {
        const bool none = !(S[k][k] > 1e-12 * S[0][0]);
        for (int i = k + 1; i < m; i++) {
            const swReal share = none ? 0 : S[i][k] / S[k][k];
            for (int j = k; j < m; j++)
                S[i][j] -= share * S[k][j];
            y[i] -= share * y[k];
        }
        if (none)
            S[k][k] = INFINITY;
    }
    for (int k = m - 1; k >= 0; k--) {
        for (int j = k + 1; j < m; j++)
            y[k] -= S[k][j] * y[j];
        y[k] /= S[k][k];
    }
}

void sw_anderson_next(swAnderson *a, const swReal *x, swReal *next) {
    const int64_t n = a->n;
    swReal S[SW_ANDERSON][SW_ANDERSON], y[SW_ANDERSON], size = 0;
    if (!a->memory)
        return;
    for (int64_t i = 0; i < n; i++)
        size += (next[i] - x[i]) * (next[i] - x[i]);
    if (a->count > 0 && size > 4 * a->size) // what was learned leads away
        a->count = 0;
    const int at = a->count > 0 ? (int)((a->count - 1) % SW_ANDERSON) : 0;
    for (int64_t i = 0; i < n; i++) {
        const swReal f = next[i] - x[i];
        a->dx[at][i] = x[i] - a->x[i];
        a->df[at][i] = f - a->f[i];
        a->x[i] = x[i];
        a->f[i] = f;
    }
    const int m = (int)(a->count < SW_ANDERSON ? a->count : SW_ANDERSON);
    a->count++;
    a->size = size;
    for (int i = 0; i < m; i++) {
        const int own = (at - i + SW_ANDERSON) % SW_ANDERSON; // the newest first
        y[i] = sw_dot_n((int)n, a->df[own], a->f);
        for (int j = 0; j < m; j++)
            S[i][j] = sw_dot_n((int)n, a->df[own], a->df[(at - j + SW_ANDERSON) % SW_ANDERSON]);
    }
    solve(m, S, y);
    for (int i = 0; i < m; i++) {
        const int own = (at - i + SW_ANDERSON) % SW_ANDERSON;
        for (int64_t k = 0; k < n; k++)
            next[k] -= y[i] * (a->dx[own][k] + a->df[own][k]);
    }
}
