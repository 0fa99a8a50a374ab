// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "bodies/springs_material.h"

#include <stdlib.h>

static bool add(swSpringList *out, int a, int b, swReal stiffness, swArena *arena, swError *error) {
    swSpringDef *spring = SW_PUSH(out, arena, error);
    if (!spring)
        return false;
    *spring = (swSpringDef){sw_max_int(a, b), sw_min_int(a, b), stiffness};
    return true;
}

// ---- over a lattice ----

// The share of the shear stiffness that is due to diagonals of cells; the rest is due to those of
// faces. The elasticity at small strains is the same for any share. This one is right for twisted
// cells, which would be three times too stiff with diagonals of faces only.
#define INNER (2.0 / 3)
// Stiffness of a cell's springs relative to shear modulus times edge, by the number of axes along
// which their ends differ. An edge belongs to four cells, the diagonal of a face to two.
static const swReal share[4] = {[1] = (1 + INNER) / 4, [2] = (1 - INNER) / 2, [3] = 0.75 * INNER};

static bool add_cell(const int corner[8], swReal stiffness, const swSpringFactors *f,
                     swArena *arena, swSpringList *out, swError *error) {
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < a; b++) {
            const int differ = a ^ b, axes = (differ & 1) + (differ >> 1 & 1) + (differ >> 2);
            const swReal k = stiffness * share[axes] * (axes == 1 ? f->structural : f->shear);
            if (k > 0 && !add(out, corner[a], corner[b], k, arena, error))
                return false;
        }
    return true;
}

static swSpringDef *find(const swSpringList *springs, int a, int b) {
    int lo = 0, hi = springs->count - 1;
    const int first = sw_max_int(a, b), second = sw_min_int(a, b);
    while (lo < hi) {
        const int middle = lo + (hi - lo) / 2;
        const swSpringDef *l = &springs->item[middle];
        if (l->a < first || (l->a == first && l->b < second))
            lo = middle + 1;
        else
            hi = middle;
    }
    swSpringDef *l = lo <= hi ? &springs->item[lo] : NULL;
    return l && l->a == first && l->b == second ? l : NULL;
}

// A spring over two consecutive edges stretches as much as both together, so that its stiffness k
// replaces 2 k in each of them. k is a quarter of the share: at most two such springs pass over an
// edge, and each takes half of the share from it.
static bool add_bends(int ncell, const int *corner, int nvertex, swReal bend, swArena *arena,
                      swSpringList *springs, swError *error) {
    int *next = SW_NEW(arena, 3 * (size_t)nvertex, int, error); // the next vertex along each axis
    swSpringList more = {0};
    if (!next)
        return false;
    for (int i = 0; i < 3 * nvertex; i++)
        next[i] = -1;
    for (int i = 0; i < 8 * ncell; i++)
        for (int axis = 0; axis < 3; axis++)
            if (!(i & (1 << axis)))
                next[3 * corner[i] + axis] = corner[i | 1 << axis];
    swReal *stiffness = SW_NEW(arena, springs->count, swReal, error);
    if (!stiffness)
        return false;
    for (int i = 0; i < springs->count; i++)
        stiffness[i] = springs->item[i].stiffness;
    for (int i = 0; i < 3 * nvertex; i++) {
        const int middle = next[i], end = middle >= 0 ? next[3 * middle + i % 3] : -1;
        swSpringDef *one = end >= 0 ? find(springs, i / 3, middle) : NULL,
                    *other = end >= 0 ? find(springs, middle, end) : NULL;
        if (!one || !other)
            continue;
        const swReal k =
            bend / 4 * sw_min(stiffness[one - springs->item], stiffness[other - springs->item]);
        one->stiffness -= 2 * k;
        other->stiffness -= 2 * k;
        if (!add(&more, i / 3, end, k, arena, error))
            return false;
    }
    for (int i = 0; i < more.count; i++)
        if (!add(springs, more.item[i].a, more.item[i].b, more.item[i].stiffness, arena, error))
            return false;
    return true;
}

bool sw_springs_lattice(int ncell, const int *corner, int nvertex, const swVec3 *X, swReal h,
                        const swReal *shear, const swSpringFactors *f, swArena *arena,
                        swSpringList *out, swError *error) {
    for (int c = 0; c < ncell; c++)
        if (!add_cell(corner + 8 * (size_t)c, shear[c] * h, f, arena, out, error))
            return false;
    sw_springs_join(out, X);
    return !(f->bend > 0) || add_bends(ncell, corner, nvertex, f->bend, arena, out, error);
}

// ---- over meshes ----

bool sw_springs_simplices(int n, int width, const int *vertex, const swReal *young, const swVec3 *X,
                          swReal structural, swArena *arena, swSpringList *out, swError *error) {
    for (int i = 0; i < n; i++)
        for (int a = 0; a < width; a++)
            for (int b = 0; b < a; b++) {
                const int va = vertex[i * width + a], vb = vertex[i * width + b];
                const swReal square = sw_norm2(sw_sub(X[va], X[vb]));
                if (!add(out, va, vb, square > 0 ? structural * young[i] / square : 0, arena,
                         error))
                    return false;
            }
    return true;
}

typedef struct {
    int a, b;   // an edge, a > b
    int corner; // of the triangle, opposite the edge
    swReal young;
} swAcross;

static int compare_across(const void *p, const void *q) {
    const swAcross *x = p, *y = q;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    if (x->b != y->b)
        return x->b < y->b ? -1 : 1;
    return (x->corner > y->corner) - (x->corner < y->corner);
}

bool sw_springs_across(int n, const int *vertex, const swReal *young, const swVec3 *X,
                       swReal factor, swArena *arena, swSpringList *out, swError *error) {
    swAcross *edge = SW_NEW(arena, 3 * (size_t)n, swAcross, error);
    if (!edge)
        return false;
    for (int i = 0; i < 3 * n; i++) {
        const int *t = vertex + i / 3 * 3, a = t[i % 3], b = t[(i + 1) % 3];
        edge[i] = (swAcross){sw_max_int(a, b), sw_min_int(a, b), t[(i + 2) % 3], young[i / 3]};
    }
    qsort(edge, 3 * (size_t)n, sizeof *edge, compare_across);
    for (int i = 0; i + 1 < 3 * n; i++) {
        const swAcross *one = &edge[i], *other = &edge[i + 1];
        if (one->a != other->a || one->b != other->b || one->corner == other->corner)
            continue;
        const swReal square = sw_norm2(sw_sub(X[one->corner], X[other->corner]));
        if (square > 0 && !add(out, one->corner, other->corner,
                               factor * (one->young + other->young) / square, arena, error))
            return false;
    }
    return true;
}

static int compare(const void *p, const void *q) {
    const swSpringDef *x = p, *y = q;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    if (x->b != y->b)
        return x->b < y->b ? -1 : 1;
    return (x->stiffness > y->stiffness) - (x->stiffness < y->stiffness);
}

int sw_springs_join(swSpringList *springs, const swVec3 *X) {
    int n = 0, none = 0;
    qsort(springs->item, (size_t)springs->count, sizeof *springs->item, compare);
    for (int i = 0, end; i < springs->count; i = end) {
        swSpringDef sum = springs->item[i];
        for (end = i + 1;
             end < springs->count && springs->item[end].a == sum.a && springs->item[end].b == sum.b;
             end++)
            sum.stiffness += springs->item[end].stiffness;
        const bool length = sum.a != sum.b && sw_norm2(sw_sub(X[sum.a], X[sum.b])) > 0;
        none += !length;
        if (length && sum.stiffness > 0)
            springs->item[n++] = sum;
    }
    springs->count = n;
    return none;
}
