// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Many right-hand sides at once: each entry of L is read once for all of them, and vectors run
// across the right-hand sides.
#include "math/factor.h"
#include "math/tiles.h"

#include <string.h>

enum { SIDES = 64, BLOCK = 8 }; // maximum handled together: right-hand sides, panel rows

typedef struct {
    const swFactor *f;
    const swBlocks *A;
    int n;
    swReal *x;
    ptrdiff_t stride;
    int sides;        // right-hand sides handled together: a multiple of SW_LANES
    int tall;         // the largest number of rows below a panel
    swReal *work;     // for each worker:
    ptrdiff_t worker; // [numbers][sides] in elimination order, then [tall][sides]
} swMany;

// Solves for rows first .. end - 1 of a panel, from which the other rows have been subtracted
// already.
static void solve_block(const swReal *L, int stride, int first, int end, bool upper, int sides,
                        swReal *x) {
    for (int k = first; k < end; k++) {
        const int r = upper ? first + end - 1 - k : k;
        swReal *to = x + (ptrdiff_t)r * sides;
        for (int c = upper ? r + 1 : first; c < (upper ? end : r); c++) {
            const swReal share =
                             upper ? L[(ptrdiff_t)c * stride + r] : L[(ptrdiff_t)r * stride + c],
                         *from = x + (ptrdiff_t)c * sides;
            for (int i = 0; i < sides; i++)
                to[i] -= share * from[i];
        }
        const swReal inverse = 1 / L[(ptrdiff_t)r * stride + r];
        for (int i = 0; i < sides; i++)
            to[i] *= inverse;
    }
}

static void solve_lower(int n, const swReal *L, int stride, int sides, swReal *x) {
    for (int j = 0; j < n; j += BLOCK) {
        const int end = sw_min_int(j + BLOCK, n);
        sw_tiles_combine(end - j, sides / SW_LANES, j,
                         (swRows){L + (ptrdiff_t)j * stride, stride, 1},
                         (swRows){x, sides, SW_LANES}, x + (ptrdiff_t)j * sides, sides, true);
        solve_block(L, stride, j, end, false, sides, x);
    }
}

static void solve_upper(int n, const swReal *L, int stride, int sides, swReal *x) {
    for (int j = (n - 1) / BLOCK * BLOCK; j >= 0; j -= BLOCK) {
        const int end = sw_min_int(j + BLOCK, n);
        sw_tiles_combine(end - j, sides / SW_LANES, n - end,
                         (swRows){L + (ptrdiff_t)end * stride + j, 1, stride},
                         (swRows){x + (ptrdiff_t)end * sides, sides, SW_LANES},
                         x + (ptrdiff_t)j * sides, sides, true);
        solve_block(L, stride, j, end, true, sides, x);
    }
}

// Copies the rows below a panel: below := x, or x += below.
static void copy_below(const swFactor *f, const swPanel *p, int sides, swReal *x, swReal *below,
                       bool back) {
    for (int64_t k = p->below; k < p->below + p->nbelow; k++) {
        const int start = f->start[f->below[k]], rows = f->start[f->below[k] + 1] - start;
        swReal *at = x + (ptrdiff_t)start * sides,
               *own = below + (ptrdiff_t)(f->below_row[k] - p->width) * sides;
        if (!back)
            memcpy(own, at, (size_t)rows * (size_t)sides * sizeof *own);
        for (int i = 0; back && i < rows * sides; i++)
            at[i] += own[i];
    }
}

static void solve_sides(const swMany *m, swReal *x, swReal *below) {
    const swFactor *f = m->f;
    const int sides = m->sides;
    for (int k = 0; k < f->npanel; k++) {
        const swPanel *p = &f->panel[k];
        const swReal *L = f->value + p->at;
        swReal *own = x + (ptrdiff_t)f->start[p->first] * sides;
        const int rows = p->height - p->width;
        solve_lower(p->width, L, p->stride, sides, own);
        memset(below, 0, (size_t)rows * (size_t)sides * sizeof *below);
        sw_tiles_combine(rows, sides / SW_LANES, p->width,
                         (swRows){L + (ptrdiff_t)p->width * p->stride, p->stride, 1},
                         (swRows){own, sides, SW_LANES}, below, sides, true);
        copy_below(f, p, sides, x, below, true);
    }
    for (int k = f->npanel - 1; k >= 0; k--) {
        const swPanel *p = &f->panel[k];
        const swReal *L = f->value + p->at;
        swReal *own = x + (ptrdiff_t)f->start[p->first] * sides;
        copy_below(f, p, sides, x, below, false);
        sw_tiles_combine(p->width, sides / SW_LANES, p->height - p->width,
                         (swRows){L + (ptrdiff_t)p->width * p->stride, 1, p->stride},
                         (swRows){below, sides, SW_LANES}, own, sides, true);
        solve_upper(p->width, L, p->stride, sides, own);
    }
}

static void solve_some(int first, int end, int worker, void *arg) {
    const swMany *m = arg;
    const swFactor *f = m->f;
    const int sides = m->sides;
    swReal *x = m->work + worker * m->worker, *below = x + (ptrdiff_t)f->start[f->n] * sides;
    for (int pass = 0; pass < 2; pass++) { // copy in and solve, then copy back
        for (int k = 0; k < f->n; k++)
            for (int r = f->start[k]; r < f->start[k + 1]; r++)
                for (int i = 0; i < sides; i++) {
                    swReal *inner = x + (ptrdiff_t)r * sides + i,
                           *outer = i < end - first ? m->x + (first + i) * m->stride +
                                                          m->A->start[f->order[k]] + r - f->start[k]
                                                    : NULL;
                    if (pass == 0)
                        *inner = outer ? *outer : 0;
                    else if (outer)
                        *outer = *inner;
                }
        if (pass == 0)
            solve_sides(m, x, below);
    }
}

bool sw_factor_solve_many(const swFactor *f, const swBlocks *A, int n, swReal *x, ptrdiff_t stride,
                          swPool *pool, swArena *arena, swError *error) {
    swMany m = {.f = f, .A = A, .n = n, .x = x, .stride = stride};
    swArena scratch;
    const int turns = (n + SIDES - 1) / SIDES, each = turns > 0 ? (n + turns - 1) / turns : 1;
    m.sides = (each + SW_LANES - 1) / SW_LANES * SW_LANES;
    for (int k = 0; k < f->npanel; k++)
        m.tall = sw_max_int(m.tall, f->panel[k].height - f->panel[k].width);
    m.worker = ((ptrdiff_t)f->start[f->n] + m.tall) * m.sides;
    sw_arena_init(&scratch, &arena->allocator);
    m.work = SW_NEW(&scratch, (size_t)sw_pool_size(pool) * (size_t)m.worker, swReal, error);
    const bool ok =
        m.work && (sw_parallel_try(pool, n, m.sides, solve_some, &m) || sw_fail_stopped(error));
    sw_arena_free(&scratch);
    return ok;
}
