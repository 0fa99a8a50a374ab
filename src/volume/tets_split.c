// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/tets_split.h"

// Kuhn's tetrahedra walk along the edges of the cell from corner `from` to the opposite one, the
// axes in every order. Corners whose cells are odd along an axis begin at its other side, so that
// cells on both sides of a face cut it alike.
static void split_cell(const swGrid *g, int cell, const int corner[8], int *vertex) {
    static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                    {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const int odd[3] = {cell % g->n[0] & 1, cell / g->n[0] % g->n[1] & 1,
                        cell / g->n[0] / g->n[1] & 1};
    const int from = odd[0] | odd[1] << 1 | odd[2] << 2;
    const bool mirrored = odd[0] ^ odd[1] ^ odd[2];
    for (int t = 0; t < SW_TETS_PER_CELL; t++, vertex += 4) {
        const int first = from ^ 1 << order[t][0], second = first ^ 1 << order[t][1];
        const bool left = mirrored ^ (t >= 3); // the last three orders are odd permutations
        vertex[0] = corner[from];
        vertex[1] = corner[left ? second : first];
        vertex[2] = corner[left ? first : second];
        vertex[3] = corner[from ^ 7];
    }
}

// The material that fills most of a cell, and the filled share.
static int main_material(const swGrid *g, int cell, swReal *fill) {
    swReal total = 0, most = 0;
    int material = -1;
    for (int v = g->first[cell]; v < g->first[cell + 1];) {
        const int m = g->voxel[v].material; // voxels of one material stand together
        swReal part = 0;
        for (; v < g->first[cell + 1] && g->voxel[v].material == m; v++)
            part += g->voxel[v].volume;
        total += part;
        if (part > most) {
            most = part;
            material = m;
        }
    }
    *fill = total / (g->h * g->h * g->h);
    return material;
}

bool sw_tets_split(const swLattice *l, swArena *arena, swTetMesh *out, swError *error) {
    const swGrid *g = l->grid;
    const size_t ntet = SW_TETS_PER_CELL * (size_t)l->ncell;
    *out = (swTetMesh){.order = 1, .ntet = (int)ntet};
    if (ntet > INT32_MAX / 4)
        return sw_fail(error, SW_ERROR_LIMIT,
                       "%d filled cells make more than %d tetrahedra: take larger voxels", l->ncell,
                       INT32_MAX / 4);
    int *corner = SW_NEW(arena, 8 * (size_t)l->ncell, int, error);
    if (!corner)
        return false;
    out->nvertex = sw_lattice_corners(l, corner);
    if (!(out->X = SW_NEW(arena, out->nvertex, swVec3, error)) ||
        !(out->vertex = SW_NEW(arena, 4 * ntet, int, error)) ||
        !(out->material = SW_NEW(arena, ntet, int, error)) ||
        !(out->fill = SW_NEW(arena, ntet, swReal, error)))
        return false;
    for (int c = 0; c < l->ncell; c++) {
        const size_t t = SW_TETS_PER_CELL * (size_t)c;
        swReal fill;
        const int material = main_material(g, l->cell[c], &fill);
        split_cell(g, l->cell[c], &corner[8 * (size_t)c], &out->vertex[4 * t]);
        for (int i = 0; i < SW_TETS_PER_CELL; i++) {
            out->material[t + (size_t)i] = material;
            out->fill[t + (size_t)i] = fill;
        }
        for (int k = 0; k < 8; k++)
            out->X[corner[8 * (size_t)c + (size_t)k]] = sw_grid_corner(g, l->cell[c], k);
    }
    return true;
}
