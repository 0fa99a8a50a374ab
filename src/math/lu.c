// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/lu.h"

#include <math.h>

static void exchange(int n, double *a, double *b) {
    for (int i = 0; i < n; i++) {
        const double t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

bool sw_lu_solve(int n, double *A, double *x, swPool *pool) {
    for (int k = 0; k < n; k++) {
        double *pivot = A + (ptrdiff_t)k * n;
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[(ptrdiff_t)i * n + k]) > fabs(A[(ptrdiff_t)best * n + k]))
                best = i;
        if (best != k) {
            exchange(n - k, pivot + k, A + (ptrdiff_t)best * n + k);
            exchange(1, x + k, x + best);
        }
        if (!(fabs(pivot[k]) > 0) || !isfinite(pivot[k]) || !sw_pool_goes_on(pool))
            return false;
        for (int i = k + 1; i < n; i++) {
            double *row = A + (ptrdiff_t)i * n;
            const double factor = row[k] / pivot[k];
            if (factor == 0)
                continue;
            for (int j = k + 1; j < n; j++)
                row[j] -= factor * pivot[j];
            x[i] -= factor * x[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= A[(ptrdiff_t)i * n + j] * x[j];
        x[i] /= A[(ptrdiff_t)i * n + i];
    }
    return true;
}
