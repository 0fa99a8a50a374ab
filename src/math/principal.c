// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Subspace iteration: V <- V (row^T row), then orthonormalised.
#include "math/principal.h"

#include "math/vec.h"

#include <math.h>
#include <string.h>

enum { TURNS = 4 };

static void add(int n, swReal f, const swReal *a, swReal *to) {
    for (int i = 0; i < n; i++)
        to[i] += f * a[i];
}

// Gram-Schmidt; returns how many of the k rows remain.
static int orthonormalise(int n, int k, swReal *V) {
    int left = 0;
    for (int i = 0; i < k; i++) {
        swReal *v = memmove(V + left * n, V + i * n, (size_t)n * sizeof *v);
        const swReal size = sw_dot_n(n, v, v);
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < left; j++)
                add(n, -sw_dot_n(n, v, V + j * n), V + j * n, v);
        const swReal square = sw_dot_n(n, v, v);
        if (!(square > 1e-20 * size))
            continue;
        for (int j = 0; j < n; j++)
            v[j] /= sqrt(square);
        left++;
    }
    return left;
}

// score[m][k] = row V^T
static void project(int m, int n, const swReal *row, int k, const swReal *V, swReal *score) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++)
            score[i * k + j] = sw_dot_n(n, row + (ptrdiff_t)i * n, V + j * n);
}

int sw_principal_rows(int m, int n, const swReal *row, int k, swReal *out, swReal *score) {
    swReal S[SW_PRINCIPAL * SW_PRINCIPAL] = {0};
    SW_ASSERT(k <= SW_PRINCIPAL);
    k = sw_min_int(k, sw_min_int(m, n));
    if (k <= 0)
        return 0;
    for (int j = 0; j < k; j++) // start with sums of every k-th row
        memset(out + j * n, 0, (size_t)n * sizeof *out);
    for (int i = 0; i < m; i++)
        add(n, 1, row + (ptrdiff_t)i * n, out + i % k * n);
    k = orthonormalise(n, k, out);
    for (int turn = 0; turn < TURNS; turn++) {
        project(m, n, row, k, out, score);
        memset(out, 0, (size_t)k * (size_t)n * sizeof *out);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < k; j++)
                add(n, score[i * k + j], row + (ptrdiff_t)i * n, out + j * n);
        k = orthonormalise(n, k, out);
    }
    // S = score^T score = L L^T; the result is L^T V.
    project(m, n, row, k, out, score);
    for (int i = 0; i < k; i++)
        for (int j = 0; j <= i; j++) {
            for (int a = 0; a < m; a++)
                S[i * k + j] += score[a * k + i] * score[a * k + j];
            for (int a = 0; a < j; a++)
                S[i * k + j] -= S[i * k + a] * S[j * k + a];
            if (j < i)
                S[i * k + j] = S[j * k + j] > 0 ? S[i * k + j] / S[j * k + j] : 0;
            else
                S[i * k + i] = sqrt(sw_max(0, S[i * k + i]));
        }
    for (int i = 0; i < k; i++) {
        swReal *to = out + i * n;
        for (int a = 0; a < n; a++)
            to[a] *= S[i * k + i];
        for (int j = i + 1; j < k; j++)
            add(n, S[j * k + i], out + j * n, to);
    }
    return k;
}
