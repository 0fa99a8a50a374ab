// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/lattice.h"

#include "math/sets.h"

// Corners across a single layer of cells are one.
static void join_layers(const swLattice *l, int *parent) {
    for (int i = 0; i < 8 * l->ncell; i++)
        for (int axis = 0; axis < 3; axis++)
            if (l->grid->n[axis] == 1 && i & (1 << axis))
                sw_set_join(parent, i, i ^ (1 << axis));
}

// Corners of cells that share an open face are one.
static void join_cells(const swLattice *l, int *parent) {
    const swGrid *g = l->grid;
    const int stride[3] = {1, g->n[0], g->n[0] * g->n[1]};
    for (int c = 0; c < l->ncell; c++)
        for (int axis = 0; axis < 3; axis++) {
            if (!(g->open[l->cell[c]] & (1 << axis)))
                continue;
            int other = l->index[l->cell[c] + stride[axis]];
            if (other < 0)
                continue;
            for (int k = 0; k < 8; k++)
                if (k & (1 << axis))
                    sw_set_join(parent, 8 * c + k, 8 * other + (k ^ (1 << axis)));
        }
}

// Half-way where both sides of a single layer are one.
static swVec3 node_position(const swGrid *g, int cell, int k) {
    const swVec3 half = {g->n[0] == 1 ? 0.5 : 0, g->n[1] == 1 ? 0.5 : 0, g->n[2] == 1 ? 0.5 : 0};
    return sw_madd(sw_grid_corner(g, cell, k), g->h, half);
}

static void number_corners(const swLattice *l, int *corner) {
    for (int i = 0; i < 8 * l->ncell; i++)
        corner[i] = i;
}

int sw_lattice_corners(const swLattice *l, int *corner) {
    number_corners(l, corner);
    join_cells(l, corner);
    return sw_set_number(corner, 8 * l->ncell);
}

// Positions, volumes and the cells around each node.
static void gather_nodes(swLattice *l) {
    for (int c = 0; c < l->ncell; c++) {
        swReal volume = 0;
        for (int v = l->grid->first[l->cell[c]]; v < l->grid->first[l->cell[c] + 1]; v++)
            volume += l->grid->voxel[v].volume;
        for (int k = 0; k < 8; k++) {
            int node = l->corner[8 * c + k];
            l->volume[node] += volume / 8;
        }
        for (int i = 0; i < l->ndistinct; i++) {
            int node = l->corner[8 * c + l->distinct[i]];
            l->X[node] = node_position(l->grid, l->cell[c], l->distinct[i]);
            l->start[node + 1]++;
        }
    }
    for (int i = 0; i < l->n; i++)
        l->start[i + 1] += l->start[i];
    for (int c = l->ncell - 1; c >= 0; c--)
        for (int i = l->ndistinct - 1; i >= 0; i--) {
            const int k = 8 * c + l->distinct[i];
            l->around[--l->start[l->corner[k] + 1]] = k;
        }
    for (int i = 0; i < l->n; i++) // starts were moved down to the beginnings, one place late
        l->start[i] = l->start[i + 1];
    l->start[l->n] = l->ndistinct * l->ncell;
}

bool sw_lattice_create(const swGrid *g, swArena *arena, swLattice *l, swError *error) {
    const int ngrid = g->n[0] * g->n[1] * g->n[2];
    *l = (swLattice){.grid = g};
    for (int k = 0; k < 8; k++)
        if (!(k & 1 && g->n[0] == 1) && !(k & 2 && g->n[1] == 1) && !(k & 4 && g->n[2] == 1))
            l->distinct[l->ndistinct++] = k;
    if (!(l->index = SW_NEW(arena, ngrid, int, error)))
        return false;
    for (int c = 0; c < ngrid; c++)
        l->index[c] = g->first[c + 1] > g->first[c] ? l->ncell++ : -1;
    if (l->ncell > INT32_MAX / 8) // corners are numbered
        return sw_fail(error, SW_ERROR_LIMIT, "more than %d filled cells: take larger voxels",
                       INT32_MAX / 8);
    l->cell = SW_NEW(arena, l->ncell, int, error);
    l->corner = SW_NEW(arena, 8 * (size_t)l->ncell, int, error);
    if (!l->cell || !l->corner)
        return false;
    for (int c = 0; c < ngrid; c++)
        if (l->index[c] >= 0)
            l->cell[l->index[c]] = c;
    number_corners(l, l->corner);
    join_layers(l, l->corner);
    join_cells(l, l->corner);
    l->n = sw_set_number(l->corner, 8 * l->ncell);
    l->X = SW_NEW(arena, l->n, swVec3, error);
    l->volume = SW_NEW(arena, l->n, swReal, error);
    l->start = SW_NEW(arena, l->n + 1, int, error);
    l->around = SW_NEW(arena, 8 * (size_t)l->ncell, int, error);
    if (!l->X || !l->volume || !l->start || !l->around)
        return false;
    gather_nodes(l);
    return true;
}

int *sw_lattice_pieces(const swLattice *l, swArena *arena, int *count, swError *error) {
    int *piece = SW_NEW(arena, l->n, int, error);
    *count = 0;
    if (!piece)
        return NULL;
    for (int i = 0; i < l->n; i++)
        piece[i] = i;
    for (int i = 0; i < 8 * l->ncell; i++)
        sw_set_join(piece, l->corner[i], l->corner[i / 8 * 8]);
    *count = sw_set_number(piece, l->n);
    return piece;
}

int sw_lattice_find(const swLattice *l, swVec3 p, int reach) {
    const swGrid *g = l->grid;
    int cell = sw_grid_cell(g, p), best = -1;
    for (int k = 0; k < 3; k++) // the cell is clamped to the grid
        if (sw_get(p, k) < sw_get(g->origin, k) - reach * g->h ||
            sw_get(p, k) > sw_get(g->origin, k) + (g->n[k] + reach) * g->h)
            return -1;
    if (l->index[cell] >= 0)
        return l->index[cell];
    int at[3] = {cell % g->n[0], cell / g->n[0] % g->n[1], cell / g->n[0] / g->n[1]};
    swReal least = INFINITY;
    for (int z = sw_max_int(0, at[2] - reach); z <= sw_min_int(g->n[2] - 1, at[2] + reach); z++)
        for (int y = sw_max_int(0, at[1] - reach); y <= sw_min_int(g->n[1] - 1, at[1] + reach); y++)
            for (int x = sw_max_int(0, at[0] - reach); x <= sw_min_int(g->n[0] - 1, at[0] + reach);
                 x++) {
                int c = x + g->n[0] * (y + g->n[1] * z);
                if (l->index[c] < 0)
                    continue;
                swVec3 center = sw_lerp(sw_grid_corner(g, c, 0), sw_grid_corner(g, c, 7), 0.5);
                swReal d = sw_norm2(sw_sub(p, center));
                if (d < least) {
                    least = d;
                    best = l->index[c];
                }
            }
    return best;
}

swVec3 sw_lattice_clamp(const swLattice *l, int c, swVec3 p) {
    return sw_min3(sw_max3(p, sw_grid_corner(l->grid, l->cell[c], 0)),
                   sw_grid_corner(l->grid, l->cell[c], 7));
}

void sw_lattice_shape(const swLattice *l, int c, swVec3 p, swReal N[8], swReal dN[8][3]) {
    swVec3 lo = sw_grid_corner(l->grid, l->cell[c], 0);
    swReal inverse = 1 / l->grid->h, t[3][2]; // t[axis][side]
    for (int a = 0; a < 3; a++) {
        t[a][1] = (sw_get(p, a) - sw_get(lo, a)) * inverse;
        t[a][0] = 1 - t[a][1];
    }
    for (int k = 0; k < 8; k++) {
        swReal x = t[0][k & 1], y = t[1][k >> 1 & 1], z = t[2][k >> 2];
        N[k] = x * y * z;
        if (dN) {
            dN[k][0] = (k & 1 ? inverse : -inverse) * y * z;
            dN[k][1] = (k & 2 ? inverse : -inverse) * x * z;
            dN[k][2] = (k & 4 ? inverse : -inverse) * x * y;
        }
    }
}
