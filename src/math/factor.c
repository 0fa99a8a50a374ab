// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Factors panel by panel: first subtract the updates of earlier panels, then factor a dense matrix.
#include "math/factor.h"

#include "math/cholesky.h"
#include "math/tiles.h"

#include <string.h>

bool sw_factor_allocate(swFactor *f, swArena *arena, swError *error) {
    f->value = SW_NEW(arena, f->count, swReal, error);
    f->x = SW_NEW(arena, f->start[f->n] + SW_LANES, swReal, error); // padded for vector loads
    return f->value && f->x;
}

static void load(swFactor *f, const swBlocks *A, swReal shift, const swReal *scale) {
    const swPattern *p = &A->pattern;
    memset(f->value, 0, (size_t)f->count * sizeof *f->value);
    for (int i = 0; i < p->n; i++)
        for (int k = p->row[i]; k < p->row[i + 1]; k++) {
            const int rows = sw_blocks_size(A, i), columns = sw_blocks_size(A, p->column[k]);
            const bool transposed = f->target[k] < 0;
            const swReal *from = A->value + A->at[k];
            swReal *to = f->value + (transposed ? ~f->target[k] : f->target[k]);
            const ptrdiff_t stride = f->target_stride[k], dr = transposed ? 1 : stride,
                            dc = transposed ? stride : 1;
            for (int r = 0; r < rows; r++)
                for (int c = 0; c < columns; c++)
                    to[r * dr + c * dc] = *from++;
        }
    for (int i = 0; shift > 0 && i < p->n; i++)
        for (int r = 0; r < sw_blocks_size(A, i); r++) {
            const int k = p->row[i + 1] - 1;
            f->value[f->target[k] + (ptrdiff_t)r * (f->target_stride[k] + 1)] +=
                shift * scale[A->start[i] + r];
        }
}

static int size_of(const swFactor *f, int place) { return f->start[place + 1] - f->start[place]; }

enum { TOGETHER = 24 }; // approximate number of columns handled together

// Subtracts the update of panel `from` for those of its rows below, first .. end - 1, that are
// columns of panel `to`. Above the diagonal, which is never read, it may leave anything.
static void take(const swFactor *f, const swPanel *from, const swPanel *to, int first, int end) {
    const int *below = f->below + from->below, *row = f->below_row + from->below;
    const swReal *L = f->value + from->at;
    const int vectors = (from->width + SW_LANES - 1) / SW_LANES;
    for (int b = first, after; b < end; b = after) {
        const int column = f->row_of[below[b]];
        int columns = size_of(f, below[b]);
        for (after = b + 1;
             after < end && columns < TOGETHER && f->row_of[below[after]] == column + columns;
             after++)
            columns += size_of(f, below[after]);
        const swRows B = {L + (ptrdiff_t)row[b] * from->stride, from->stride, SW_LANES};
        for (int a = b, next; a < from->nbelow; a = next) {
            const int at = f->row_of[below[a]];
            int rows = size_of(f, below[a]);
            next = a + 1;
            if (at < 0) // not part of an incomplete factor
                continue;
            for (; next < from->nbelow && f->row_of[below[next]] == at + rows; next++)
                rows += size_of(f, below[next]);
            const swRows R = {L + (ptrdiff_t)row[a] * from->stride, from->stride, SW_LANES};
            sw_tiles_subtract(rows, columns, vectors, R, B,
                              f->value + to->at + (ptrdiff_t)at * to->stride + column, to->stride);
        }
    }
}

// Sets the row numbers of places in a panel, or clears them to -1.
static void note_rows(swFactor *f, const swPanel *p, bool set) {
    for (int k = p->first; k < p->end; k++)
        f->row_of[k] = set ? f->start[k] - f->start[p->first] : -1;
    for (int64_t k = p->below; k < p->below + p->nbelow; k++)
        f->row_of[f->below[k]] = set ? f->below_row[k] : -1;
}

static bool pivots_count(const swFactor *f, const swPanel *p, const swBlocks *A, swReal least,
                         const swReal *scale) {
    int r = 0;
    for (int k = p->first; k < p->end; k++)
        for (int i = A->start[f->order[k]]; i < A->start[f->order[k] + 1]; i++, r++) {
            const swReal root = f->value[p->at + (ptrdiff_t)r * (p->stride + 1)];
            if (!(root * root > least * scale[i]))
                return false;
        }
    return true;
}

bool sw_factor_compute(swFactor *f, const swBlocks *A, swReal shift, swReal least,
                       const swReal *scale) {
    load(f, A, shift, scale);
    for (int k = 0; k < f->npanel; k++) {
        const swPanel *p = &f->panel[k];
        note_rows(f, p, true);
        for (int64_t u = p->update; u < p->update_end; u++)
            take(f, &f->panel[f->update[u].panel], p, f->update[u].first, f->update[u].end);
        note_rows(f, p, false);
        if (!sw_pool_goes_on(f->pool) ||
            sw_cholesky_try(p->height, p->width, f->value + p->at, p->stride, f->pool) !=
                p->width ||
            (least > 0 && !pivots_count(f, p, A, least, scale)))
            return false;
    }
    return true;
}

// For the rows below the panel: x -= their part of the panel times the panel's own x.
static void pass_down(const swFactor *f, const swPanel *p) {
    const swReal *x = f->x + f->start[p->first];
    for (int64_t k = p->below; k < p->below + p->nbelow; k++)
        for (int r = 0; r < size_of(f, f->below[k]); r++) {
            const swReal *row = f->value + p->at + (ptrdiff_t)(f->below_row[k] + r) * p->stride;
            swWide sum = sw_wide(0); // columns beyond the width are zero
            for (int c = 0; c < p->width; c += SW_LANES)
                sum = sw_wide_fma(sw_wide_load(row + c), sw_wide_load(x + c), sum);
            f->x[f->start[f->below[k]] + r] -= sw_wide_sum(sum);
        }
}

static void pass_up(const swFactor *f, const swPanel *p) {
    swReal *x = f->x + f->start[p->first];
    for (int64_t k = p->below; k < p->below + p->nbelow; k++)
        for (int r = 0; r < size_of(f, f->below[k]); r++) {
            const swReal *row = f->value + p->at + (ptrdiff_t)(f->below_row[k] + r) * p->stride,
                         y = f->x[f->start[f->below[k]] + r];
            for (int c = 0; c < p->width; c++)
                x[c] -= row[c] * y;
        }
}

// Converts a vector between the order of the matrix and the order of elimination.
static void move(const swFactor *f, const swBlocks *A, swReal *x, bool back) {
    for (int k = 0; k < f->n; k++) {
        swReal *outer = x + A->start[f->order[k]], *inner = f->x + f->start[k];
        memcpy(back ? outer : inner, back ? inner : outer, (size_t)size_of(f, k) * sizeof *x);
    }
}

void sw_factor_solve(const swFactor *f, const swBlocks *A, swReal *x) {
    move(f, A, x, false);
    for (int k = 0; k < f->npanel; k++) {
        const swPanel *p = &f->panel[k];
        sw_cholesky_lower(p->width, f->value + p->at, p->stride, f->x + f->start[p->first]);
        pass_down(f, p);
    }
    for (int k = f->npanel - 1; k >= 0; k--) {
        const swPanel *p = &f->panel[k];
        pass_up(f, p);
        sw_cholesky_upper(p->width, f->value + p->at, p->stride, f->x + f->start[p->first]);
    }
    move(f, A, x, true);
}
