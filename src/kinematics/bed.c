// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "kinematics/bed.h"

#include "kinematics/bump.h"

enum {
    REACH = 2,   // cells beside the material
    LOOK = 2048, // nodes of the lattice that are looked at for a start
    STARTS = 4,  // the nearest of them, which are tried one after another
    ITERATIONS = 20,
    CUTS = 6
};

const swBed *sw_bed_of(const swBodyModel *m, int body) {
    for (int64_t i = 0; i < m->size.nbed; i++)
        if (m->bed[i].body == body)
            return &m->bed[i];
    return NULL;
}

void sw_bed_view(const swBodyModel *m, const swBed *bed, swBedView *view) {
    *view = (swBedView){
        .model = m,
        .bed = bed,
        .grid = {.origin = bed->origin, .h = bed->h, .n = {bed->n[0], bed->n[1], bed->n[2]}},
        .lattice = {.ncell = bed->ncell,
                    .cell = m->bed_cell + bed->cell,
                    .index = m->bed_index + bed->index,
                    .n = bed->nnode,
                    .X = m->bed_X + bed->node,
                    .corner = m->bed_corner + 8 * bed->cell,
                    .ndistinct = bed->ndistinct,
                    .start = m->bed_start + bed->node + (bed - m->bed),
                    .around = m->bed_around + bed->around}};
    for (int k = 0; k < 8; k++)
        view->lattice.distinct[k] = bed->distinct[k];
    view->lattice.grid = &view->grid; // whose cells it numbers
}

// x += N A m(p) and F += A (m dN + N dm) of one node.
static void add(const swReal *A, int d, swVec3 p, swReal N, const swReal dN[3], swVec3 *x,
                swMat3 *F) {
    swReal m[SW_MAX_MONOMIALS], g[SW_MAX_MONOMIALS][3];
    sw_monomials(d, p, m);
    if (F)
        sw_monomial_gradients(d, p, g);
    for (int r = 0; r < 3; r++) {
        swReal y = 0, dy[3] = {0, 0, 0};
        for (int c = 0; c < d; c++) {
            y += A[r * d + c] * m[c];
            for (int k = 0; F && k < 3; k++)
                dy[k] += A[r * d + c] * g[c][k];
        }
        sw_set(x, r, sw_get(*x, r) + N * y);
        for (int k = 0; F && k < 3; k++)
            F->m[3 * r + k] += y * dN[k] + N * dy[k];
    }
}

// The same of all nodes that have a weight at a node of the lattice.
static void add_corner(const swBedMotion *o, int node, swVec3 p, swReal N, const swReal dN[3],
                       swVec3 *x, swMat3 *F) {
    const swBodyModel *m = o->view->model;
    const swBed *bed = o->view->bed;
    const int *start = m->bed_weight_start + bed->node + (bed - m->bed) + node;
    for (int e = start[0]; e < start[1]; e++) {
        const swNode *site = &m->node[m->body[bed->body].node + m->bed_site[bed->weight + e]];
        const swReal w = m->bed_weight[bed->weight + e], dw[3] = {w * dN[0], w * dN[1], w * dN[2]};
        add(o->q + site->q, site->width, sw_sub(p, site->origin), w * N, dw, x, F);
    }
    for (int i = 0; i < o->nbump; i++) {
        const swReal w = sw_bump_at_node(o->bump[i], node),
                     dw[3] = {w * dN[0], w * dN[1], w * dN[2]};
        if (w > 0)
            add(o->B[i], 4, sw_sub(p, o->bump[i]->rest), w * N, dw, x, F);
    }
}

bool sw_bed_position(const swBedMotion *o, swVec3 p, swVec3 *x, swMat3 *F) {
    const swLattice *l = &o->view->lattice;
    const int cell = sw_lattice_find(l, p, REACH);
    if (cell < 0)
        return false;
    const swVec3 inside = sw_lattice_clamp(l, cell, p);
    swReal N[8], dN[8][3];
    sw_lattice_shape(l, cell, inside, N, dN);
    *x = sw_v3(0, 0, 0);
    *F = (swMat3){{0}};
    for (int k = 0; k < 8; k++)
        add_corner(o, l->corner[8 * (ptrdiff_t)cell + k], inside, N[k], dN[k], x, F);
    *x = sw_add(*x, sw_mul(*F, sw_sub(p, inside)));
    return true;
}

// ---- the way back ----

typedef struct {
    swReal distance;
    int node;
} swNearNode;

// The nodes of the lattice that are nearest to `at` now, nearest first, of some that are spread
// over it.
static int find_starts(const swBedMotion *o, swVec3 at, swNearNode start[STARTS]) {
    const swLattice *l = &o->view->lattice;
    const int stride = 1 + l->n / LOOK;
    static const swReal none[3] = {0, 0, 0};
    int n = 0;
    for (int node = 0; node < l->n; node += stride) {
        swVec3 x = {0, 0, 0};
        add_corner(o, node, l->X[node], 1, none, &x, NULL);
        const swReal d = sw_norm(sw_sub(x, at));
        if (n == STARTS && !(d < start[n - 1].distance))
            continue;
        int i = n < STARTS ? n++ : n - 1;
        for (; i > 0 && d < start[i - 1].distance; i--)
            start[i] = start[i - 1];
        start[i] = (swNearNode){d, node};
    }
    return n;
}

// F^-1 b; zero where F has no inverse.
static swVec3 solve(swMat3 F, swVec3 b) {
    const swVec3 r0 = {F.m[0], F.m[1], F.m[2]}, r1 = {F.m[3], F.m[4], F.m[5]},
                 r2 = {F.m[6], F.m[7], F.m[8]};
    const swReal det = sw_mat_det(F);
    const swVec3 y =
        sw_add(sw_add(sw_scale(b.x, sw_cross(r1, r2)), sw_scale(b.y, sw_cross(r2, r0))),
               sw_scale(b.z, sw_cross(r0, r1)));
    return det != 0 && isfinite(det) ? sw_scale(1 / det, y) : sw_v3(0, 0, 0);
}

// From p on, to where the miss no longer falls.
static swRestPoint descend(const swBedMotion *o, swVec3 at, swVec3 p, swReal small) {
    swVec3 x;
    swMat3 F;
    swRestPoint found = {.rest = p, .miss = INFINITY};
    if (!sw_bed_position(o, p, &x, &F))
        return found;
    found.miss = sw_norm(sw_sub(x, at));
    while (found.miss > small && found.iterations < ITERATIONS) {
        const swVec3 step = solve(F, sw_sub(at, x));
        swReal share = 1, miss = INFINITY;
        swVec3 trial;
        for (int cut = 0; cut < CUTS && !(miss < found.miss); cut++, share *= 0.5) {
            trial = sw_madd(found.rest, share, step);
            miss = sw_bed_position(o, trial, &x, &F) ? sw_norm(sw_sub(x, at)) : INFINITY;
        }
        found.iterations++;
        if (!(miss < found.miss))
            break;
        found.miss = miss;
        found.rest = trial;
    }
    // What is beside the material goes to its border.
    const int cell = sw_lattice_find(&o->view->lattice, found.rest, REACH);
    found.rest = sw_lattice_clamp(&o->view->lattice, cell, found.rest);
    if (sw_bed_position(o, found.rest, &x, &F))
        found.miss = sw_norm(sw_sub(x, at));
    return found;
}

swRestPoint sw_bed_rest_point(const swBedMotion *o, swVec3 at) {
    static const swReal enough = 1e-6; // of a cell
    const swReal small = enough * o->view->grid.h;
    swNearNode start[STARTS];
    const int n = find_starts(o, at, start);
    swRestPoint best = {.miss = INFINITY};
    for (int i = 0; i < n && !(best.miss <= small); i++) {
        const swRestPoint found = descend(o, at, o->view->lattice.X[start[i].node], small);
        if (found.miss < best.miss)
            best = found;
    }
    return best;
}
