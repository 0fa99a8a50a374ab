// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "weights/nodal.h"

#include <string.h>

bool sw_nodal_push(swNodalList *list, int node, int site, swReal value, swArena *arena,
                   swError *error) {
    swNodalValue *v = SW_PUSH(list, arena, error);
    if (v)
        *v = (swNodalValue){node, site, value};
    return v != NULL;
}

// Rows by counting; within a row values come site by site where they were given so, else an
// insertion puts them in order: rows are short.
bool sw_nodal_create(const swLattice *l, int nvalue, const swNodalValue *value, swArena *arena,
                     swNodal *nodal, swError *error) {
    *nodal = (swNodal){SW_NEW(arena, l->n + 1, int, error), SW_NEW(arena, nvalue, int, error),
                       SW_NEW(arena, nvalue, swReal, error)};
    if (!nodal->start || !nodal->site || !nodal->value)
        return false;
    int *start = nodal->start;
    for (int i = 0; i < nvalue; i++)
        start[value[i].node + 1]++;
    for (int i = 0; i < l->n; i++)
        start[i + 1] += start[i];
    for (int i = nvalue - 1; i >= 0; i--) { // start[node + 1] runs down to the row's beginning
        const int at = --start[value[i].node + 1];
        nodal->site[at] = value[i].site;
        nodal->value[at] = value[i].value;
    }
    for (int i = 0; i < l->n; i++)
        start[i] = start[i + 1];
    start[l->n] = nvalue;
    for (int i = 0; i < l->n; i++) {
        swReal sum = 0;
        for (int a = start[i]; a < start[i + 1]; a++) {
            const int site = nodal->site[a];
            const swReal v = nodal->value[a];
            int b = a;
            for (; b > start[i] && nodal->site[b - 1] > site; b--) {
                nodal->site[b] = nodal->site[b - 1];
                nodal->value[b] = nodal->value[b - 1];
            }
            nodal->site[b] = site;
            nodal->value[b] = v;
        }
        for (int a = start[i]; a < start[i + 1]; a++)
            sum += nodal->value[a];
        if (!(sum > 0) || !isfinite(sum))
            return sw_fail(error, SW_ERROR_GEOMETRY,
                           "no frame moves the material near (%.4g, %.4g, %.4g): put one there",
                           l->X[i].x, l->X[i].y, l->X[i].z);
        for (int a = start[i]; a < start[i + 1]; a++)
            nodal->value[a] /= sum;
    }
    return true;
}

void sw_nodal_evaluate(const swWeightField *f, int n, const swVec3 *p, const int *cell, swReal *w,
                       swReal *dw) {
    const swNodal *nodal = f->data;
    const swLattice *l = f->lattice;
    memset(w, 0, (size_t)n * (size_t)f->nsite * sizeof *w);
    memset(dw, 0, 3 * (size_t)n * (size_t)f->nsite * sizeof *dw);
    for (int i = 0; i < n; i++, w += f->nsite, dw += 3 * f->nsite) {
        swReal N[8], dN[8][3];
        // A vertex of the surface may lie outside the filled cells: it moves with their border.
        sw_lattice_shape(l, cell[i], sw_lattice_clamp(l, cell[i], p[i]), N, dN);
        for (int k = 0; k < 8; k++) {
            const int node = l->corner[8 * cell[i] + k];
            for (int a = nodal->start[node]; a < nodal->start[node + 1]; a++) {
                const int s = nodal->site[a];
                const swReal v = nodal->value[a];
                w[s] += N[k] * v;
                for (int d = 0; d < 3; d++)
                    dw[3 * s + d] += dN[k][d] * v;
            }
        }
    }
}
