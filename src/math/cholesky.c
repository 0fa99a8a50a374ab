// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Left-looking blocked Cholesky by rows. The dot products of contiguous rows are done by the tile
// kernel.
#include "math/cholesky.h"

#include "math/tiles.h"

enum { PANEL = 8 }; // columns factored together; a multiple of every SW_LANES

int sw_cholesky_stride(int n) { return (n + PANEL - 1) / PANEL * PANEL; }

// Solves for columns j .. end - 1 of row r, using the finished rows of those columns. inverse[]
// holds 1 / L_cc.
static void solve_row(double *A, int stride, int r, int j, int end, const double *inverse) {
    double *row = A + (ptrdiff_t)r * stride;
    for (int c = j; c < end; c++) {
        const double *other = A + (ptrdiff_t)c * stride;
        double sum = row[c];
        for (int k = j; k < c; k++)
            sum -= row[k] * other[k];
        row[c] = sum * inverse[c - j];
    }
}

// The same for SW_LANES rows from r on, side by side.
static void solve_rows(double *A, int stride, int r, int j, int end, const double *inverse) {
    double x[PANEL][SW_LANES], *first = A + (ptrdiff_t)r * stride;
    swWide done[PANEL];
    for (int i = 0; i < SW_LANES; i++)
        for (int c = j; c < end; c++)
            x[c - j][i] = first[(ptrdiff_t)i * stride + c];
    for (int c = j; c < end; c++) {
        const double *other = A + (ptrdiff_t)c * stride + j;
        swWide sum = sw_wide_load(x[c - j]);
        for (int k = 0; k < c - j; k++)
            sum -= done[k] * sw_wide(other[k]);
        done[c - j] = sum * sw_wide(inverse[c - j]);
        sw_wide_store(x[c - j], done[c - j]);
    }
    for (int i = 0; i < SW_LANES; i++)
        for (int c = j; c < end; c++)
            first[(ptrdiff_t)i * stride + c] = x[c - j][i];
}

// Factors the diagonal block of rows and columns j .. end - 1. Returns end, or the row whose pivot
// is not positive.
static int factor_diagonal(double *A, int stride, int j, int end, double *inverse) {
    for (int r = j; r < end; r++) {
        double *row = A + (ptrdiff_t)r * stride;
        solve_row(A, stride, r, j, r, inverse);
        double pivot = row[r];
        for (int k = j; k < r; k++)
            pivot -= row[k] * row[k];
        if (!(pivot > 0))
            return r;
        row[r] = sqrt(pivot);
        inverse[r - j] = 1 / row[r];
    }
    return end;
}

int sw_cholesky_factor(int rows, int n, double *A, int stride) {
    return sw_cholesky_try(rows, n, A, stride, NULL);
}

int sw_cholesky_try(int rows, int n, double *A, int stride, swPool *pool) {
    for (int j = 0; j < n; j += PANEL) {
        if (!sw_pool_goes_on(pool))
            return j;
        const int end = sw_min_int(j + PANEL, n);
        for (int r = j; r < rows && j > 0; r += 4) { // A[r][j..] -= L[r][..j] . L[j..][..j]
            const swRows a = {A + (ptrdiff_t)r * stride, stride, SW_LANES};
            const swRows b = {A + (ptrdiff_t)j * stride, stride, SW_LANES};
            sw_tiles_subtract(sw_min_int(4, rows - r), end - j, j / SW_LANES, a, b,
                              A + (ptrdiff_t)r * stride + j, stride);
        }
        double inverse[PANEL];
        const int done = factor_diagonal(A, stride, j, end, inverse);
        if (done < end)
            return done;
        int r = end;
        for (; r + SW_LANES <= rows; r += SW_LANES)
            solve_rows(A, stride, r, j, end, inverse);
        for (; r < rows; r++)
            solve_row(A, stride, r, j, end, inverse);
    }
    return n;
}

void sw_cholesky_lower(int n, const double *L, int stride, double *x) {
    for (int r = 0; r < n; r++) {
        const double *row = L + (ptrdiff_t)r * stride;
        int c = 0;
        swWide sum = sw_wide(0);
        for (; c + SW_LANES <= r; c += SW_LANES)
            sum = sw_wide_fma(sw_wide_load(row + c), sw_wide_load(x + c), sum);
        double rest = x[r] - sw_wide_sum(sum);
        for (; c < r; c++)
            rest -= row[c] * x[c];
        x[r] = rest / row[r];
    }
}

void sw_cholesky_upper(int n, const double *L, int stride, double *x) {
    for (int r = n - 1; r >= 0; r--) {
        const double *row = L + (ptrdiff_t)r * stride;
        x[r] /= row[r];
        for (int c = 0; c < r; c++)
            x[c] -= row[c] * x[r];
    }
}

void sw_cholesky_solve(int n, const double *L, int stride, double *x) {
    sw_cholesky_lower(n, L, stride, x);
    sw_cholesky_upper(n, L, stride, x);
}

int sw_cholesky_some(int n, const double *A, double least, int *which, double *L) {
    int count = 0;
    for (int m = 0; m < n; m++) {
        double row[8], pivot = A[m * n + m];
        for (int k = 0; k < count; k++) {
            row[k] = A[m * n + which[k]];
            for (int j = 0; j < k; j++)
                row[k] -= row[j] * L[k * n + j];
            row[k] /= L[k * n + k];
            pivot -= row[k] * row[k];
        }
        if (!(pivot > least))
            continue;
        for (int k = 0; k < count; k++)
            L[count * n + k] = row[k];
        L[count * n + count] = sqrt(pivot);
        which[count++] = m;
    }
    return count;
}
