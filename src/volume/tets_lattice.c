// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/tets_lattice.h"

#include <stdlib.h>
#include <string.h>

enum {
    EDGES = 14, // that a cell owns, and that a point has
    LONG = 6,   // the first of them are long
};
// A cut nearer to a point than these shares of its edge moves the point. Of all pairs, these make
// the smallest angle that any surface can cause largest.
#define NEAR_LONG 0.28511
#define NEAR_SHORT 0.39881

bool sw_stuff_lattice(const swGrid *grid, swArena *arena, swStuffLattice *l, swError *error) {
    *l = (swStuffLattice){.h = grid->h};
    for (int k = 0; k < 3; k++) {
        l->n[k] = grid->n[k] + 1 + 2 * SW_STUFF_MARGIN;
        sw_set(&l->origin, k, sw_get(grid->origin, k) - SW_STUFF_MARGIN * grid->h);
    }
    const swReal total = (swReal)l->n[0] * l->n[1] * l->n[2];
    if (total > INT32_MAX / (2 * EDGES))
        return sw_fail(error, SW_ERROR_LIMIT, "a lattice of %g cells is too large", total);
    l->npoint = l->n[0] * l->n[1] * l->n[2];
    l->stride[0] = 1;
    l->stride[1] = l->n[0];
    l->stride[2] = l->n[0] * l->n[1];
    const size_t n = 2 * (size_t)l->npoint;
    if (!(l->sign = SW_NEW(arena, n, signed char, error)) ||
        !(l->moved = SW_NEW(arena, n, int, error)) ||
        !(l->first = SW_NEW(arena, (size_t)l->npoint + 1, int, error)))
        return false;
    memset(l->sign, -1, n);
    return true;
}

static void coordinates(const swStuffLattice *l, int point, int i[3]) {
    const int at = point % l->npoint;
    i[0] = at % l->n[0];
    i[1] = at / l->n[0] % l->n[1];
    i[2] = at / l->n[0] / l->n[1];
}

swVec3 sw_stuff_place(const swStuffLattice *l, int point) {
    const swReal half = point < l->npoint ? 0 : 0.5;
    int i[3];
    coordinates(l, point, i);
    return sw_madd(l->origin, l->h, sw_v3(i[0] + half, i[1] + half, i[2] + half));
}

// From a cell to the red corner that the bits name.
static int corner_offset(const swStuffLattice *l, int bits) {
    return (bits & 1) * l->stride[0] + (bits >> 1 & 1) * l->stride[1] + (bits >> 2) * l->stride[2];
}

void sw_stuff_ends(const swStuffLattice *l, int cell, int kind, int *a, int *b) {
    *a = kind < 3 ? cell : cell + l->npoint;
    *b = kind < LONG ? *a + l->stride[kind % 3] : cell + corner_offset(l, kind - LONG);
}

// ---- cuts ----

bool sw_stuff_find_cuts(swStuffLattice *l, swArena *arena, swError *error) {
    // The margin is outside: an edge that leads from the end of a row to the next is never cut.
    const int end = l->npoint - corner_offset(l, 7);
    for (int pass = 0; pass < 2; pass++) {
        int n = 0;
        for (int cell = 0; cell < l->npoint; cell++) {
            l->first[cell] = n;
            for (int kind = 0; cell < end && kind < EDGES; kind++) {
                int a, b;
                sw_stuff_ends(l, cell, kind, &a, &b);
                if (l->sign[a] == l->sign[b])
                    continue;
                if (pass)
                    l->cut[n] = (swStuffCut){cell, kind, 0.5};
                n++;
            }
        }
        l->first[l->npoint] = l->ncut = n;
        if (!pass && !(l->cut = SW_NEW(arena, n, swStuffCut, error)))
            return false;
    }
    return true;
}

// The cell and kind of the edge between two points.
static int edge_between(const swStuffLattice *l, int a, int b, int *cell) {
    const bool black_a = a >= l->npoint, black_b = b >= l->npoint;
    if (black_a == black_b) {
        *cell = sw_min_int(a, b) - black_a * l->npoint;
        const int step = abs(a - b), axis = step == 1 ? 0 : step == l->stride[1] ? 1 : 2;
        return 3 * black_a + axis;
    }
    *cell = (black_a ? a : b) - l->npoint;
    const int step = (black_a ? b : a) - *cell;
    int bits = 0;
    while (corner_offset(l, bits) != step)
        bits++;
    return LONG + bits;
}

// The cut of the edge between two points, which must be one of those found.
static int cut_between(const swStuffLattice *l, int a, int b) {
    int cell, kind = edge_between(l, a, b, &cell), i = l->first[cell];
    while (l->cut[i].kind != kind)
        i++;
    return i;
}

static swVec3 cut_place(const swStuffLattice *l, int cut) {
    int a, b;
    sw_stuff_ends(l, l->cut[cut].cell, l->cut[cut].kind, &a, &b);
    return sw_lerp(sw_stuff_place(l, a), sw_stuff_place(l, b), l->cut[cut].t);
}

// The 14 neighbours of a point: along its own colour down and up each axis, then the other
// colour's.
static int neighbour(const swStuffLattice *l, int point, int k) {
    if (k < LONG)
        return point + (k & 1 ? 1 : -1) * l->stride[k / 2];
    const int offset = corner_offset(l, k - LONG);
    return point < l->npoint ? point + l->npoint - offset : point - l->npoint + offset;
}

// The nearest cut that is too near to the point, or -1. Those that lead to points on the surface
// are gone.
static int near_cut(const swStuffLattice *l, int point) {
    int found = -1;
    swReal least = INFINITY;
    for (int k = 0; k < EDGES; k++) {
        const int other = neighbour(l, point, k);
        if (l->sign[other] != -l->sign[point])
            continue;
        const int cut = cut_between(l, point, other);
        int a, b;
        sw_stuff_ends(l, l->cut[cut].cell, l->cut[cut].kind, &a, &b);
        const swReal share = point == a ? l->cut[cut].t : 1 - l->cut[cut].t;
        const swReal away = share * (k < LONG ? 1 : sqrt(0.75));
        if (share < (k < LONG ? NEAR_LONG : NEAR_SHORT) && away < least) {
            least = away;
            found = cut;
        }
    }
    return found;
}

void sw_stuff_warp(swStuffLattice *l) {
    for (int i = 0; i < l->ncut; i++) {
        int end[2];
        sw_stuff_ends(l, l->cut[i].cell, l->cut[i].kind, &end[0], &end[1]);
        for (int k = 0; k < 2; k++) {
            const int cut = l->sign[end[k]] ? near_cut(l, end[k]) : -1;
            if (cut >= 0) {
                l->sign[end[k]] = 0;
                l->moved[end[k]] = cut + 1;
            }
        }
    }
}

// ---- tetrahedra ----

// A vertex of the result is a point, or 2 npoint + a cut.
typedef struct Emitter {
    const swStuffLattice *l;
    int *number; // 1 + the number of each vertex, 0 where it has none yet
    int nvertex;
    size_t ntet;
    swTetMesh *mesh; // NULL: only counts
    int *deep;
} Emitter;

static int cut_vertex(const Emitter *e, int a, int b) {
    return 2 * e->l->npoint + cut_between(e->l, a, b);
}

static void emit(Emitter *e, int a, int b, int c, int d, int deep) {
    const int v[4] = {a, b, c, d};
    const size_t t = e->ntet++;
    for (int i = 0; i < 4; i++)
        if (!e->number[v[i]])
            e->number[v[i]] = ++e->nvertex;
    if (!e->mesh)
        return;
    int *w = &e->mesh->vertex[4 * t];
    const swVec3 *X = e->mesh->X;
    for (int i = 0; i < 4; i++)
        w[i] = e->number[v[i]] - 1;
    if (sw_tet_det(X[w[0]], X[w[1]], X[w[2]], X[w[3]]) < 0) {
        const int keep = w[0];
        w[0] = w[1];
        w[1] = keep;
    }
    e->deep[t] = e->number[deep] - 1;
}

// Which diagonal divides what is left of the face p0, p1, m once m is cut off: true from p0 to the
// cut on p1 m, false from p1 to the cut on p0 m. Both tetrahedra at the face choose alike.
static bool from_first(const swStuffLattice *l, int p0, int p1, int m) {
    const bool c0 = p0 >= l->npoint, c1 = p1 >= l->npoint, cm = m >= l->npoint;
    if (c0 != c1) // towards the cut on the long edge
        return c1 == cm;
    // Both cuts are on short edges: by the parity of the axes along which p0 lies above m.
    int i[3], j[3];
    coordinates(l, p0, i);
    coordinates(l, m, j);
    bool even = true;
    for (int k = 0; k < 3; k++)
        even ^= c0 ? i[k] >= j[k] : i[k] > j[k];
    return even;
}

// A prism between the triangles A and B. diagonal[i] tells how the face of the edges i and i + 1 is
// divided: from A[i] to B[i + 1], or from B[i] to A[i + 1]. They are not all alike.
static void emit_prism(Emitter *e, const int A[3], const int B[3], const bool diagonal[3],
                       int deep) {
    int i = 0; // A[i] is where two diagonals meet
    while (!(diagonal[i] && !diagonal[(i + 2) % 3]))
        i++;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    emit(e, A[i], B[0], B[1], B[2], deep);
    emit(e, A[i], A[j], A[k], diagonal[j] ? B[k] : B[j], deep);
    emit(e, A[i], diagonal[j] ? A[j] : A[k], B[k], B[j], deep);
}

static void emit_two_and_two(Emitter *e, const int p[2], const int m[2]) {
    const int A[3] = {p[0], cut_vertex(e, p[0], m[0]), cut_vertex(e, p[0], m[1])};
    const int B[3] = {p[1], cut_vertex(e, p[1], m[0]), cut_vertex(e, p[1], m[1])};
    bool diagonal[3] = {from_first(e->l, p[0], p[1], m[0]), false,
                        !from_first(e->l, p[0], p[1], m[1])};
    diagonal[1] = !diagonal[0]; // on the surface: nobody else has to agree
    emit_prism(e, A, B, diagonal, p[0]);
}

static void emit_three_and_one(Emitter *e, const int p[3], int m) {
    int cut[3];
    bool diagonal[3];
    for (int i = 0; i < 3; i++) {
        cut[i] = cut_vertex(e, p[i], m);
        diagonal[i] = from_first(e->l, p[i], p[(i + 1) % 3], m);
    }
    emit_prism(e, p, cut, diagonal, p[0]);
}

// What is inside of one tetrahedron of the lattice.
static void emit_inside(Emitter *e, const int point[4]) {
    int p[4], m[4], z[4], np = 0, nm = 0, nz = 0;
    for (int i = 0; i < 4; i++) {
        const int sign = e->l->sign[point[i]];
        *(sign > 0 ? &p[np++] : sign < 0 ? &m[nm++] : &z[nz++]) = point[i];
    }
    if (np == 0)
        return;
    if (nm == 0) {
        emit(e, point[0], point[1], point[2], point[3], p[0]);
    } else if (np == 1) {
        for (int i = 0; i < nm; i++)
            z[nz++] = cut_vertex(e, p[0], m[i]);
        emit(e, p[0], z[0], z[1], z[2], p[0]);
    } else if (nz == 1) {
        const int c0 = cut_vertex(e, p[0], m[0]), c1 = cut_vertex(e, p[1], m[0]);
        const bool first = from_first(e->l, p[0], p[1], m[0]);
        emit(e, z[0], p[0], p[1], first ? c1 : c0, p[0]);
        emit(e, z[0], first ? p[0] : p[1], c0, c1, first ? p[0] : p[1]);
    } else if (np == 2) {
        emit_two_and_two(e, p, m);
    } else {
        emit_three_and_one(e, p, m[0]);
    }
}

// The tetrahedra of a cell: around its black edges up each axis, with the four red edges of the
// cell's face there.
static void emit_cell(Emitter *e, int cell) {
    const swStuffLattice *l = e->l;
    for (int axis = 0; axis < 3; axis++) {
        const int u = l->stride[(axis + 1) % 3], v = l->stride[(axis + 2) % 3];
        const int red = cell + l->stride[axis], ring[5] = {red, red + u, red + u + v, red + v, red};
        const int black = cell + l->npoint;
        for (int i = 0; i < 4; i++) {
            const int point[4] = {black, black + l->stride[axis], ring[i], ring[i + 1]};
            emit_inside(e, point);
        }
    }
}

static void emit_all(Emitter *e) {
    const swStuffLattice *l = e->l;
    const int end = l->npoint - corner_offset(l, 7); // what would lie beyond is outside
    e->ntet = 0;
    for (int cell = 0; cell < end; cell++)
        emit_cell(e, cell);
}

bool sw_stuff_tets(const swStuffLattice *l, swArena *arena, swArena *scratch, swTetMesh *mesh,
                   int **deep, swError *error) {
    const size_t n = 2 * (size_t)l->npoint + (size_t)l->ncut;
    Emitter e = {.l = l, .number = SW_NEW(scratch, n, int, error)};
    *mesh = (swTetMesh){.order = 1};
    if (!e.number)
        return false;
    emit_all(&e);
    if (e.ntet > INT32_MAX / 4)
        return sw_fail(error, SW_ERROR_LIMIT, "%zu tetrahedra are too many: take larger cells",
                       e.ntet);
    mesh->ntet = (int)e.ntet;
    mesh->nvertex = e.nvertex;
    if (!(mesh->X = SW_NEW(arena, e.nvertex, swVec3, error)) ||
        !(mesh->vertex = SW_NEW(arena, 4 * e.ntet, int, error)) ||
        !(*deep = e.deep = SW_NEW(scratch, e.ntet, int, error)))
        return false;
    for (size_t i = 0; i < n; i++) {
        const int cut = i < 2 * (size_t)l->npoint ? l->moved[i] - 1 : (int)i - 2 * l->npoint;
        if (e.number[i])
            mesh->X[e.number[i] - 1] = cut >= 0 ? cut_place(l, cut) : sw_stuff_place(l, (int)i);
    }
    e.mesh = mesh;
    emit_all(&e);
    return true;
}
