// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/incomplete.h"

#include "core/simd.h"
#include "math/vec.h"

#include <string.h>

enum { MAX_STRENGTHENINGS = 12, ROW = 4 }; // ROW: numbers per row of a vector, one of them spare

bool sw_incomplete_applies(const swBlocks *A) {
    for (int i = 0; i < A->pattern.n; i++)
        if (sw_blocks_size(A, i) != 0 && sw_blocks_size(A, i) != 3)
            return false;
    return true;
}

bool sw_incomplete_create(swIncomplete *f, const swBlocks *A, swArena *arena, swError *error) {
    const swPattern *p = &A->pattern;
    int n = 0, widest = 0;
    int64_t count = 0;
    for (int i = 0; i < p->n; i++)
        if (sw_blocks_size(A, i) > 0) {
            SW_ASSERT(sw_blocks_size(A, i) == 3);
            n++;
            count += p->row[i + 1] - p->row[i] - 1;
            widest = sw_max_int(widest, p->row[i + 1] - p->row[i]);
        }
    *f = (swIncomplete){.n = n,
                        .start = SW_NEW(arena, n, int, error),
                        .place = SW_NEW(arena, p->n, int, error),
                        .row = SW_NEW(arena, n + 1, int64_t, error),
                        .column = SW_NEW(arena, count, int, error),
                        .value = SW_NEW(arena, 9 * count + 1, float, error),
                        .inverse = SW_NEW(arena, 9 * (size_t)n, float, error),
                        .x = SW_NEW(arena, ROW * (size_t)n, float, error),
                        .sum = SW_NEW(arena, ROW * (size_t)n, float, error),
                        .spot = SW_NEW(arena, n, int, error),
                        .share = SW_NEW(arena, 9 * (size_t)widest, float, error)};
    if (!f->start || !f->place || !f->row || !f->column || !f->value || !f->inverse || !f->x ||
        !f->sum || !f->spot || !f->share)
        return false;
    n = 0;
    for (int i = 0; i < p->n; i++) {
        if (sw_blocks_size(A, i) > 0)
            f->start[n] = A->start[i];
        f->place[i] = n;
        n += sw_blocks_size(A, i) > 0;
    }
    return true;
}

// ---- factor ----

// The full diagonal block, both triangles.
static swMat3 diagonal_of(const swBlocks *A, int i) {
    const swReal *a = A->value + A->at[A->pattern.row[i + 1] - 1];
    return (swMat3){{a[0], a[3], a[6], a[3], a[4], a[7], a[6], a[7], a[8]}};
}

static void load_row(swIncomplete *f, const swBlocks *A, int i) {
    const swPattern *p = &A->pattern;
    const int at = f->place[i];
    int64_t end = f->row[at];
    for (int k = p->row[i]; k < p->row[i + 1] - 1; k++) {
        const int j = p->column[k];
        if (sw_blocks_size(A, j) == 0)
            continue;
        for (int c = 0; c < 9; c++)
            f->value[9 * end + c] = (float)A->value[A->at[k] + c];
        f->column[end++] = f->place[j];
    }
    f->row[at + 1] = end;
}

// c -= a b^T
static void subtract(const float *a, const float *b, float *c) {
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
            c[3 * r + s] -=
                a[3 * r] * b[3 * s] + a[3 * r + 1] * b[3 * s + 1] + a[3 * r + 2] * b[3 * s + 2];
}

// Eliminates one row: L_ij = A_ij - sum over k < j of L_ik D_k^-1 L_jk^T. Returns false if a pivot
// is not positive definite.
static bool eliminate(swIncomplete *f, int at, const swMat3 *diagonal) {
    const int64_t first = f->row[at], end = f->row[at + 1];
    float D[9];
    for (int k = 0; k < 9; k++)
        D[k] = (float)diagonal->m[k];
    for (int64_t e = first; e < end; e++)
        f->spot[f->column[e]] = (int)(e - first) + 1;
    for (int64_t e = first; e < end; e++) {
        const int j = f->column[e];
        float *own = f->value + 9 * e, *share = f->share + 9 * (e - first);
        for (int64_t k = f->row[j]; k < f->row[j + 1]; k++) {
            const int spot = f->spot[f->column[k]];
            if (spot > 0)
                subtract(f->share + 9 * (ptrdiff_t)(spot - 1), f->value + 9 * k, own);
        }
        const float *inverse = f->inverse + 9 * (ptrdiff_t)j; // symmetric
        memset(share, 0, 9 * sizeof *share);
        subtract(own, inverse, share);
        for (int k = 0; k < 9; k++)
            share[k] = -share[k];
        subtract(share, own, D);
    }
    for (int64_t e = first; e < end; e++)
        f->spot[f->column[e]] = 0;
    swMat3 pivot;
    for (int k = 0; k < 9; k++)
        pivot.m[k] = D[k];
    const swReal minor = pivot.m[0] * pivot.m[4] - pivot.m[1] * pivot.m[3];
    const swMat3 inverse = sw_mat_inverse(pivot);
    for (int k = 0; k < 9; k++)
        f->inverse[9 * (ptrdiff_t)at + k] = (float)inverse.m[k];
    return pivot.m[0] > 0 && minor > 0 && sw_mat_det(pivot) > 0;
}

bool sw_incomplete_compute(swIncomplete *f, const swBlocks *A, const swReal *more) {
    swReal stronger = 0;
    for (int i = 0; i < MAX_STRENGTHENINGS; i++, stronger = i == 1 ? 1e-3 : 4 * stronger) {
        bool ok = true;
        for (int r = 0; ok && r < A->pattern.n; r++) {
            if (sw_blocks_size(A, r) == 0)
                continue;
            swMat3 D = diagonal_of(A, r);
            for (int k = 0; k < 3; k++)
                D.m[4 * k] = (D.m[4 * k] + (more ? more[A->start[r] + k] : 0)) * (1 + stronger);
            load_row(f, A, r);
            ok = eliminate(f, f->place[r], &D);
        }
        if (ok)
            return true;
    }
    return false;
}

// ---- solve ----

// The sum of the first three lanes.
static float sum_of(swFour v) {
    float a[ROW];
    sw_four_store(a, v);
    return a[0] + a[1] + a[2];
}

// x := (D + L)^-1 x
static void pass_down(const swIncomplete *f, const swReal *x) {
    for (int i = 0; i < f->n; i++) {
        const swReal *b = x + f->start[i];
        const float *D = f->inverse + 9 * (ptrdiff_t)i;
        swFour sum[3] = {0}; // their last lanes hold garbage from the next entries of `value`
        for (int64_t e = f->row[i]; e < f->row[i + 1]; e++) {
            const float *L = f->value + 9 * e;
            const swFour y = sw_four_load(f->x + ROW * (ptrdiff_t)f->column[e]);
            for (int r = 0; r < 3; r++)
                sum[r] = sw_four_fma(sw_four_load(L + 3 * r), y, sum[r]);
        }
        float s[3];
        for (int r = 0; r < 3; r++)
            s[r] = (float)b[r] - sum_of(sum[r]);
        for (int r = 0; r < 3; r++)
            f->x[ROW * (ptrdiff_t)i + r] =
                D[3 * r] * s[0] + D[3 * r + 1] * s[1] + D[3 * r + 2] * s[2];
    }
}

// x := (1 + D^-1 L^T)^-1 x
static void pass_up(const swIncomplete *f, swReal *x) {
    memset(f->sum, 0, ROW * (size_t)f->n * sizeof *f->sum);
    for (int i = f->n - 1; i >= 0; i--) {
        const float *D = f->inverse + 9 * (ptrdiff_t)i, *s = f->sum + ROW * (ptrdiff_t)i,
                    *own = f->x + ROW * (ptrdiff_t)i;
        swFour y[3];
        for (int r = 0; r < 3; r++) {
            const float z = own[r] - (D[3 * r] * s[0] + D[3 * r + 1] * s[1] + D[3 * r + 2] * s[2]);
            x[f->start[i] + r] = z;
            y[r] = sw_four(z);
        }
        for (int64_t e = f->row[i]; e < f->row[i + 1]; e++) {
            float *to = f->sum + ROW * (ptrdiff_t)f->column[e];
            swFour more = sw_four_load(to);
            for (int r = 0; r < 3; r++)
                more = sw_four_fma(sw_four_load(f->value + 9 * e + 3 * r), y[r], more);
            sw_four_store(to, more);
        }
    }
}

void sw_incomplete_solve(const swIncomplete *f, swReal *x) {
    pass_down(f, x);
    pass_up(f, x);
}
