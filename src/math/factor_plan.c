// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The structure of the factor of a matrix of blocks: elimination order, panels, and where each
// block goes.
#include "math/cholesky.h"
#include "math/factor.h"
#include "math/order.h"
#include "math/sets.h"

#include <stdlib.h>
#include <string.h>

// Intermediate results of planning.
typedef struct {
    const swBlocks *A;
    swElimination e;
    int *parent;      // of each step of the elimination: the first step it is coupled to, or -1
    int *post;        // the step at each place
    int *place;       // of each row of blocks
    int *owner;       // the panel of each place
    double *nonzeros; // of each panel, before merging
} swPlan;

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

// ---- order ----

// Orders the steps so that everything that leads to a step comes right before it (a postorder of
// the elimination tree). Columns that may share a panel then are neighbours.
static bool find_places(swPlan *p, swArena *arena, swError *error) {
    const int n = p->e.n;
    int *step = SW_NEW(arena, p->A->pattern.n, int, error), // of each row of blocks
        *child = SW_NEW(arena, n, int, error), *next = SW_NEW(arena, n, int, error),
        *stack = SW_NEW(arena, n, int, error), count = 0;
    p->parent = SW_NEW(arena, n, int, error);
    p->post = SW_NEW(arena, n, int, error);
    if (!step || !child || !next || !stack || !p->parent || !p->post)
        return false;
    for (int k = 0; k < n; k++)
        step[p->e.order[k]] = k;
    for (int k = n - 1; k >= 0; k--)
        child[k] = -1;
    for (int k = n - 1; k >= 0; k--) {
        int first = INT32_MAX;
        for (int64_t i = p->e.first[k]; i < p->e.first[k + 1]; i++)
            first = sw_min_int(first, step[p->e.list[i]]);
        p->parent[k] = first < INT32_MAX ? first : -1;
        if (p->parent[k] < 0)
            continue;
        next[k] = child[first];
        child[first] = k;
    }
    for (int root = 0; root < n; root++) {
        int top = 0;
        if (p->parent[root] < 0)
            stack[top++] = root;
        while (top > 0) {
            const int k = stack[top - 1];
            if (child[k] >= 0) {
                stack[top++] = child[k];
                child[k] = next[child[k]];
            } else {
                p->post[count++] = k;
                top--;
            }
        }
    }
    return true;
}

// ---- panels ----

static double full_size(double width, double below) {
    return 0.5 * width * (width + 1) + width * below;
}

// Whether two neighbouring panels should be merged. A few zeros cost less than another panel, and
// narrow panels cost as much as ones that fill the registers.
static bool worth_merging(double width, double below, double nonzeros) {
    const double full = full_size(width, below), zeros = full - nonzeros;
    return zeros <= (width <= 16 ? 0.5 : 0.1) * full;
}

// The number of scalar rows below those of a step.
static double numbers_below(const swPlan *p, int step) {
    double sum = 0;
    for (int64_t i = p->e.first[step]; i < p->e.first[step + 1]; i++)
        sum += sw_blocks_size(p->A, p->e.list[i]);
    return sum;
}

// Starts with one panel per column and merges it with the preceding ones that lead to it.
static void find_panels(const swPlan *p, bool merge, swFactor *f) {
    for (int at = 0; at < f->n; at++) {
        const int step = p->post[at], size = sw_blocks_size(p->A, f->order[at]);
        const double below = numbers_below(p, step);
        swPanel new = {.first = at, .end = at + 1, .width = size};
        double nonzeros = full_size(size, below);
        while (merge && f->npanel > 0) {
            const swPanel *last = &f->panel[f->npanel - 1];
            if (p->parent[p->post[last->end - 1]] != step ||
                !worth_merging(last->width + new.width, below,
                               nonzeros + p->nonzeros[f->npanel - 1]))
                break;
            nonzeros += p->nonzeros[f->npanel - 1];
            new.first = last->first;
            new.width += last->width;
            f->npanel--;
        }
        p->nonzeros[f->npanel] = nonzeros;
        f->panel[f->npanel++] = new;
    }
}

// Makes one panel for each connected set of rows, in their original order.
static bool find_components(swPlan *p, swFactor *f, swArena *arena, swError *error) {
    const swPattern *pattern = &p->A->pattern;
    int *set = SW_NEW(arena, pattern->n, int, error), *end = SW_NEW(arena, pattern->n, int, error);
    if (!set || !end)
        return false;
    for (int i = 0; i < pattern->n; i++)
        set[i] = i;
    for (int i = 0; i < pattern->n; i++)
        for (int k = pattern->row[i]; k < pattern->row[i + 1]; k++)
            if (sw_blocks_size(p->A, i) > 0 && sw_blocks_size(p->A, pattern->column[k]) > 0)
                sw_set_join(set, i, pattern->column[k]);
    for (int i = 0; i < pattern->n; i++)
        end[sw_set_find(set, i)] += sw_blocks_size(p->A, i) > 0;
    for (int i = 0, last = 0; i < pattern->n; i++) { // end becomes where the set's next row goes
        if (sw_set_find(set, i) != i || end[i] == 0)
            continue;
        f->panel[f->npanel++] = (swPanel){.first = last, .end = last + end[i]};
        last += end[i];
        end[i] = last - end[i];
    }
    for (int i = 0; i < pattern->n; i++)
        if (sw_blocks_size(p->A, i) > 0)
            f->order[end[sw_set_find(set, i)]++] = i;
    for (int k = 0; k < f->npanel; k++)
        for (int at = f->panel[k].first; at < f->panel[k].end; at++)
            f->panel[k].width += sw_blocks_size(p->A, f->order[at]);
    return true;
}

// ---- the rest of the plan ----

// Finds the places below each panel: those coupled to its last column.
static bool find_below(const swPlan *p, swFactor *f, swArena *arena, swError *error) {
    int64_t count = 0;
    for (int k = 0; k < f->npanel; k++) {
        const int step = p->post ? p->post[f->panel[k].end - 1] : -1;
        f->panel[k].below = count;
        f->panel[k].nbelow = step < 0 ? 0 : (int)(p->e.first[step + 1] - p->e.first[step]);
        count += f->panel[k].nbelow;
    }
    f->below = SW_NEW(arena, count, int, error);
    f->below_row = SW_NEW(arena, count, int, error);
    if (!f->below || !f->below_row)
        return false;
    for (int k = 0; k < f->npanel; k++) {
        swPanel *panel = &f->panel[k];
        int *below = f->below + panel->below, *row = f->below_row + panel->below;
        for (int i = 0; i < panel->nbelow; i++)
            below[i] = p->place[p->e.list[p->e.first[p->post[panel->end - 1]] + i]];
        qsort(below, (size_t)panel->nbelow, sizeof *below, compare);
        panel->height = panel->width;
        for (int i = 0; i < panel->nbelow; i++) {
            row[i] = panel->height;
            panel->height += f->start[below[i] + 1] - f->start[below[i]];
        }
        const double w = panel->width, h = panel->height - panel->width;
        panel->stride = sw_cholesky_stride(panel->width);
        panel->at = f->count;
        f->count += (int64_t)panel->stride * panel->height;
        f->nonzeros += full_size(w, h);
        f->flops += w * w * w / 3 + w * w * h + w * h * h;
    }
    return true;
}

// Finds which panels update which, in the order in which they are computed.
static bool find_updates(const swPlan *p, swFactor *f, swArena *arena, swError *error) {
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < f->npanel; k++) {
            const swPanel *panel = &f->panel[k];
            const int *below = f->below + panel->below;
            for (int i = 0, end; i < panel->nbelow; i = end) {
                swPanel *to = &f->panel[p->owner[below[i]]];
                for (end = i + 1; end < panel->nbelow && below[end] < to->end;)
                    end++;
                if (pass == 1)
                    f->update[to->update_end] = (swUpdate){k, i, end};
                to->update_end++;
            }
        }
        int64_t count = 0;
        for (int k = 0; pass == 0 && k < f->npanel; k++) {
            f->panel[k].update = count;
            count += f->panel[k].update_end;
            f->panel[k].update_end = f->panel[k].update;
        }
        if (pass == 0 && !(f->update = SW_NEW(arena, count, swUpdate, error)))
            return false;
    }
    return true;
}

// The row of a panel at which a place begins.
static int row_in(const swFactor *f, const swPanel *panel, int place) {
    if (place < panel->end)
        return f->start[place] - f->start[panel->first];
    const int *below = f->below + panel->below,
              *found = bsearch(&place, below, (size_t)panel->nbelow, sizeof *below, compare);
    SW_ASSERT(found != NULL);
    return f->below_row[panel->below + (found - below)];
}

static void find_targets(const swPlan *p, swFactor *f) {
    const swPattern *pattern = &p->A->pattern;
    for (int i = 0; i < pattern->n; i++)
        for (int k = pattern->row[i]; k < pattern->row[i + 1]; k++) {
            const int j = pattern->column[k];
            if (sw_blocks_size(p->A, i) == 0 || sw_blocks_size(p->A, j) == 0)
                continue;
            const int row = sw_max_int(p->place[i], p->place[j]),
                      column = sw_min_int(p->place[i], p->place[j]);
            const swPanel *panel = &f->panel[p->owner[column]];
            const int64_t at = panel->at + (int64_t)row_in(f, panel, row) * panel->stride +
                               row_in(f, panel, column);
            f->target[k] = p->place[i] < p->place[j] ? ~at : at;
            f->target_stride[k] = panel->stride;
        }
}

static bool plan(swPlan *p, swFactor *f, swFactorKind kind, swArena *scratch, swArena *arena,
                 swError *error) {
    if (kind == SW_FACTOR_DENSE) {
        if (!find_components(p, f, scratch, error))
            return false;
    } else {
        if (!find_places(p, scratch, error))
            return false;
        for (int k = 0; k < f->n; k++) {
            // the incomplete factor has only the couplings of the natural order, so keep that order
            p->post[k] = kind == SW_FACTOR_SPARSE ? p->post[k] : k;
            f->order[k] = p->e.order[p->post[k]];
        }
        find_panels(p, kind == SW_FACTOR_SPARSE, f);
    }
    for (int k = 0; k < f->n; k++) {
        p->place[f->order[k]] = k;
        f->start[k + 1] = f->start[k] + sw_blocks_size(p->A, f->order[k]);
        f->row_of[k] = -1;
    }
    for (int k = 0; k < f->npanel; k++)
        for (int at = f->panel[k].first; at < f->panel[k].end; at++)
            p->owner[at] = k;
    if (!find_below(p, f, arena, error) || !find_updates(p, f, arena, error))
        return false;
    find_targets(p, f);
    return true;
}

// Allocates memory once the order is known to be affordable.
static bool allocate(swPlan *p, swFactor *f, swArena *scratch, swArena *arena, swError *error) {
    const int n = p->A->pattern.n, blocks = p->A->pattern.row[n];
    p->place = SW_NEW(scratch, n, int, error);
    p->owner = SW_NEW(scratch, n, int, error);
    p->nonzeros = SW_NEW(scratch, n, double, error);
    f->order = SW_NEW(arena, n, int, error);
    f->start = SW_NEW(arena, n + 1, int, error);
    f->panel = SW_NEW(arena, n, swPanel, error);
    f->row_of = SW_NEW(arena, n, int, error);
    f->target = SW_NEW(arena, blocks, int64_t, error);
    f->target_stride = SW_NEW(arena, blocks, int, error);
    return p->place && p->owner && p->nonzeros && f->order && f->start && f->panel && f->row_of &&
           f->target && f->target_stride;
}

bool sw_factor_plan(swFactor *f, const swBlocks *A, swFactorKind kind, const swFactorLimit *limit,
                    swArena *arena, swError *error) {
    swPlan p = {.A = A};
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    *f = (swFactor){0};
    for (int i = 0; i < A->pattern.n; i++)
        f->n += sw_blocks_size(A, i) > 0;
    bool ok = kind == SW_FACTOR_DENSE        ? true
              : kind == SW_FACTOR_INCOMPLETE ? sw_order_natural(A, &scratch, &p.e, error)
                                             : sw_order_least(A, limit, &scratch, &p.e, error);
    f->beyond = ok && kind == SW_FACTOR_SPARSE && p.e.n < f->n;
    ok = ok && (f->beyond || (allocate(&p, f, &scratch, arena, error) &&
                              plan(&p, f, kind, &scratch, arena, error)));
    sw_arena_free(&scratch);
    return ok;
}
