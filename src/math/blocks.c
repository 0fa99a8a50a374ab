// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "math/blocks.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

// Lists, for each i, the sets that contain it: of[first[i]] .. of[first[i + 1] - 1].
static void list_sets(int n, int nset, const int *start, const int *member, int *first, int *of) {
    for (int k = 0; k < start[nset]; k++)
        first[member[k] + 1]++;
    for (int i = 0; i < n; i++)
        first[i + 1] += first[i];
    for (int set = 0; set < nset; set++)
        for (int k = start[set]; k < start[set + 1]; k++)
            of[first[member[k]]++] = set;
    memmove(first + 1, first, (size_t)n * sizeof *first);
    first[0] = 0;
}

bool sw_pattern_of_sets(swPattern *out, int n, int nset, const int *start, const int *member,
                        swArena *arena, swError *error) {
    int *row = SW_NEW(arena, n + 1, int, error), *first = SW_NEW(arena, n + 1, int, error),
        *of = SW_NEW(arena, start[nset], int, error), *mark = SW_NEW(arena, n, int, error);
    if (!row || !first || !of || !mark)
        return false;
    list_sets(n, nset, start, member, first, of);
    for (int i = 0; i < n; i++)
        mark[i] = -1;
    int *column = NULL;
    for (int pass = 0; pass < 2; pass++) { // counts, then fills
        int at = 0;
        for (int i = 0; i < n; i++) {
            for (int k = first[i]; k < first[i + 1]; k++)
                for (int a = start[of[k]]; a < start[of[k] + 1]; a++) {
                    const int j = member[a];
                    if (j > i || mark[j] == 2 * i + pass)
                        continue;
                    mark[j] = 2 * i + pass;
                    if (column)
                        column[at] = j;
                    at++;
                }
            row[i + 1] = at;
            if (column)
                qsort(column + row[i], (size_t)(at - row[i]), sizeof *column, compare);
        }
        if (!column && !(column = SW_NEW(arena, at, int, error)))
            return false;
    }
    *out = (swPattern){n, row, column};
    return true;
}

bool sw_blocks_create(swBlocks *b, swPattern pattern, const int *size, swArena *arena,
                      swError *error) {
    const int n = pattern.n;
    int *start = SW_NEW(arena, n + 1, int, error);
    int64_t *at = SW_NEW(arena, pattern.row[n], int64_t, error), count = 0;
    if (!start || !at)
        return false;
    for (int i = 0; i < n; i++) {
        if (size[i] > INT32_MAX - start[i])
            return sw_fail(error, SW_ERROR_LIMIT, "more than %d unknowns", INT32_MAX);
        start[i + 1] = start[i] + size[i];
        for (int k = pattern.row[i]; k < pattern.row[i + 1]; k++) {
            at[k] = count;
            count += (int64_t)size[i] * size[pattern.column[k]];
        }
    }
    *b = (swBlocks){pattern, start, at, count, SW_NEW(arena, count, swReal, error), NULL};
    return b->value != NULL;
}

void sw_blocks_clear(const swBlocks *b) {
    memset(b->value, 0, (size_t)b->count * sizeof *b->value);
}

int sw_pattern_find(const swPattern *p, int i, int j) {
    int lo = p->row[i], hi = p->row[i + 1] - 1;
    while (lo < hi) {
        const int middle = lo + (hi - lo) / 2;
        if (p->column[middle] < j)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo <= hi && p->column[lo] == j ? lo : -1;
}

swBlock sw_blocks_get(const swBlocks *b, int i, int j) {
    const int k = sw_pattern_find(&b->pattern, i, j);
    SW_ASSERT(k >= 0);
    return sw_blocks_item(b, k, j);
}

// y_i += B x_j and, off the diagonal, y_j += B^T x_i. For a block on the diagonal, the lower
// triangle stands for both triangles.
static void multiply_block(int rows, int columns, bool diagonal, const swReal *B, const swReal *xi,
                           const swReal *xj, swReal *yi, swReal *yj) {
    for (int r = 0; r < rows; r++, B += columns) {
        const int n = diagonal ? r : columns;
        swReal sum = diagonal ? B[r] * xi[r] : 0;
        for (int c = 0; c < n; c++) {
            sum += B[c] * xj[c];
            yj[c] += B[c] * xi[r];
        }
        yi[r] += sum;
    }
}

void sw_blocks_multiply(const swBlocks *A, const swReal *x, swReal *y) {
    const swPattern *p = &A->pattern;
    memset(y, 0, (size_t)sw_blocks_rows(A) * sizeof *y);
    for (int i = 0; i < p->n; i++)
        for (int k = p->row[i]; k < p->row[i + 1]; k++) {
            const int j = p->column[k], si = A->start[i], sj = A->start[j];
            multiply_block(sw_blocks_size(A, i), sw_blocks_size(A, j), i == j, A->value + A->at[k],
                           x + si, x + sj, y + si, y + sj);
        }
}

void sw_blocks_diagonal(const swBlocks *A, swReal *out) {
    for (int i = 0; i < A->pattern.n; i++) {
        const swBlock d = sw_blocks_item(A, A->pattern.row[i + 1] - 1, i);
        for (int r = 0; r < d.stride; r++)
            out[A->start[i] + r] = d.data[(ptrdiff_t)r * d.stride + r];
    }
}

bool sw_blocks_is_diagonal(const swBlocks *A) {
    const swPattern *p = &A->pattern;
    for (int i = 0; i < p->n; i++)
        for (int k = p->row[i]; k < p->row[i + 1]; k++) {
            const swBlock b = sw_blocks_item(A, k, p->column[k]);
            for (int e = 0; e < sw_blocks_size(A, i) * b.stride; e++)
                if (b.data[e] != 0 && !(p->column[k] == i && e % (b.stride + 1) == 0))
                    return false;
        }
    return true;
}

void sw_blocks_add_diagonal(const swBlocks *A, const swReal *x) {
    for (int i = 0; i < A->pattern.n; i++) {
        const swBlock d = sw_blocks_item(A, A->pattern.row[i + 1] - 1, i);
        for (int r = 0; r < d.stride; r++)
            d.data[(ptrdiff_t)r * d.stride + r] += x[A->start[i] + r];
    }
}

void sw_blocks_unpack(const swBlocks *A, swReal *out, int stride) {
    const swPattern *p = &A->pattern;
    for (int r = 0; r < sw_blocks_rows(A); r++)
        memset(out + (ptrdiff_t)r * stride, 0, (size_t)sw_blocks_rows(A) * sizeof *out);
    for (int i = 0; i < p->n; i++)
        for (int k = p->row[i]; k < p->row[i + 1]; k++) {
            const int j = p->column[k];
            const swBlock b = sw_blocks_item(A, k, j);
            for (int r = 0; r < sw_blocks_size(A, i); r++)
                for (int c = 0; c < (i == j ? r + 1 : b.stride); c++) {
                    const ptrdiff_t x = A->start[i] + r, y = A->start[j] + c;
                    out[x * stride + y] = out[y * stride + x] = b.data[(ptrdiff_t)r * b.stride + c];
                }
        }
}
