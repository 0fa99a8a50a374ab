// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Weights from the smallest modes phi_j of the Laplacian weighted by lambda + 4 mu. The lattice
// knows Young's modulus alone: Poisson's ratio is taken as the same everywhere, which makes the
// weighting proportional to it. Frames carry modes and have no place of their own.
//
// Without handles the first mode is the constant 1, and w_j = phi_j, w_0 = 1 - sum of the others:
// the same span, and every frame rests at the identity. With handles, phi_j = 0 on them, and their
// harmonic weights h_k share what is left: w_j = phi_j, w_k = h_k (1 - sum of phi_j). Weights may
// be negative or above 1.
//
// A part of the body that nothing connects to a handle has the mode of moving by itself, lambda =
// 0; these come first, the largest part first (without handles, after the first frame, which is
// that of the largest part). Specks follow the first frame, or the nearest handle.
#include "volume/laplace_eigenmodes.h"
#include "weights/harmonic.h"

#include <string.h>

static const swReal speck = 0.01; // of the volume: smaller parts have no mode

typedef struct {
    const swLattice *lattice;
    int nframe, nhandle;
    int *frame, *handle; // sites
    swSite *held;        // the handles
    char *fixed;         // nodes where modes are zero
    swReal **phi;        // per mode, from `first` on
    int first;           // 1 where mode 0 is the constant, else 0
    swNodal share;       // harmonic weights of the handles
} swEigenmodes;

static bool sort_sites(swEigenmodes *m, const swWeightField *f, swArena *arena, swError *error) {
    m->frame = SW_NEW(arena, f->nsite, int, error);
    m->handle = SW_NEW(arena, f->nsite, int, error);
    m->held = SW_NEW(arena, f->nsite, swSite, error);
    if (!m->frame || !m->handle || !m->held)
        return false;
    for (int s = 0; s < f->nsite; s++)
        if (f->site[s].cell >= 0)
            m->frame[m->nframe++] = s;
        else {
            m->held[m->nhandle] = f->site[s];
            m->handle[m->nhandle++] = s;
        }
    m->first = m->nhandle == 0;
    return true;
}

// Lists the parts without a handle that are no specks, the largest first, and returns their number.
// Without handles there is one at least.
static int list_loose_parts(const swEigenmodes *m, const swPieces *parts, int *list) {
    swReal total = 0;
    int count = 0, largest = -1;
    for (int k = 0; k < parts->count; k++)
        total += parts->volume[k];
    for (int k = 0; k < parts->count; k++) {
        if (parts->owner[k] >= 0)
            continue;
        if (largest < 0 || parts->volume[k] > parts->volume[largest])
            largest = k;
        if (parts->volume[k] < speck * total)
            continue;
        int at = count++;
        for (; at > 0 && parts->volume[list[at - 1]] < parts->volume[k]; at--)
            list[at] = list[at - 1];
        list[at] = k;
    }
    if (count == 0 && m->first)
        list[count++] = largest;
    return count;
}

// The modes of loose parts, of unit mass; returns their number, or -1. Nodes of specks and handles
// become fixed.
static int find_loose_modes(swEigenmodes *m, swArena *arena, swError *error) {
    const swLattice *l = m->lattice;
    swPieces parts;
    int *owner;
    if (!sw_harmonic_owners(l, m->nhandle, m->held, arena, &owner, error) ||
        !sw_harmonic_parts(l, owner, arena, &parts, error))
        return -1;
    int *list = SW_NEW(arena, parts.count, int, error);
    int *mode = SW_NEW(arena, parts.count, int, error); // of each part, or -1
    if (!list || !mode)
        return -1;
    const int count = list_loose_parts(m, &parts, list);
    for (int k = 0; k < parts.count; k++)
        mode[k] = -1;
    if (!(m->phi = SW_NEW(arena, (size_t)m->nframe + (size_t)count, swReal *, error)))
        return -1;
    for (int j = 0; j < count; j++) {
        mode[list[j]] = j;
        if (!(m->phi[j] = SW_NEW(arena, l->n, swReal, error)))
            return -1;
    }
    for (int i = 0; i < l->n; i++) {
        const int k = parts.of[i];
        if (mode[k] >= 0)
            m->phi[mode[k]][i] = 1 / sqrt(parts.volume[k]);
        m->fixed[i] = owner[i] >= 0 || (parts.owner[k] < 0 && mode[k] < 0);
    }
    return count;
}

// Largest value 1, and positive where it is first large.
static void scale_mode(int n, swReal *phi) {
    swReal most = 0;
    for (int i = 0; i < n; i++)
        most = sw_max(most, fabs(phi[i]));
    int i = 0;
    while (i < n - 1 && fabs(phi[i]) < 0.5 * most)
        i++;
    const swReal scale = most > 0 ? copysign(1 / most, phi[i]) : 0;
    for (i = 0; i < n; i++)
        phi[i] *= scale;
}

// Rows of weights, where they are not zero.
static int fill_row(const swEigenmodes *m, int node, int nsite, swReal *row) {
    swReal rest = 1;
    int count = 0;
    memset(row, 0, (size_t)nsite * sizeof *row);
    for (int j = m->first; j < m->nframe; j++) {
        row[m->frame[j]] = m->phi[j][node];
        rest -= m->phi[j][node];
    }
    if (m->first)
        row[m->frame[0]] = rest;
    for (int e = 0; m->nhandle && e < m->share.start[node + 1] - m->share.start[node]; e++) {
        const int at = m->share.start[node] + e;
        row[m->handle[m->share.site[at]]] = m->share.value[at] * rest;
    }
    for (int s = 0; s < nsite; s++)
        count += row[s] != 0;
    return count;
}

static bool fill_nodal(const swEigenmodes *m, int nsite, swArena *scratch, swArena *arena,
                       swNodal *nodal, swError *error) {
    const int n = m->lattice->n;
    swReal *row = SW_NEW(scratch, nsite, swReal, error);
    if (!row || !(nodal->start = SW_NEW(arena, n + 1, int, error)))
        return false;
    for (int i = 0; i < n; i++) {
        const int count = fill_row(m, i, nsite, row);
        if (count > INT32_MAX - nodal->start[i])
            return sw_fail(error, SW_ERROR_LIMIT, "more than %d weights: take larger voxels",
                           INT32_MAX);
        nodal->start[i + 1] = nodal->start[i] + count;
    }
    nodal->site = SW_NEW(arena, nodal->start[n], int, error);
    nodal->value = SW_NEW(arena, nodal->start[n], swReal, error);
    if (!nodal->site || !nodal->value)
        return false;
    for (int i = 0, at = 0; i < n; i++) {
        fill_row(m, i, nsite, row);
        for (int s = 0; s < nsite; s++)
            if (row[s] != 0) {
                nodal->site[at] = s;
                nodal->value[at++] = row[s];
            }
    }
    return true;
}

static bool create(const swWeightField *f, const swReal *stiffness, swPool *pool, swArena *scratch,
                   swArena *arena, swNodal *nodal, swError *error) {
    const swLattice *l = f->lattice;
    swEigenmodes m = {.lattice = l, .fixed = SW_NEW(scratch, l->n, char, error)};
    if (!m.fixed || !sort_sites(&m, f, scratch, error))
        return false;
    const int loose = find_loose_modes(&m, scratch, error);
    if (loose < 0)
        return false;
    int room = 0, iterations;
    for (int i = 0; i < l->n; i++)
        room += !m.fixed[i];
    if (m.nframe > room)
        return sw_fail(error, SW_ERROR_VALUE,
                       "%s: expected at most %d modes of a body with so few voxels, found %d",
                       f->site[m.frame[m.nframe - 1]].key, room, m.nframe);
    swReal *lambda = SW_NEW(scratch, m.nframe + loose, swReal, error);
    if (!lambda ||
        !sw_laplace_eigenmodes(l, stiffness, m.fixed, loose, sw_max_int(0, m.nframe - loose), pool,
                               scratch, lambda, m.phi, &iterations, error))
        return false;
    for (int j = m.first; j < m.nframe; j++)
        scale_mode(l->n, m.phi[j]);
    return (m.nhandle == 0 ||
            sw_harmonic_create(l, m.nhandle, m.held, stiffness, pool, scratch, &m.share, error)) &&
           fill_nodal(&m, f->nsite, scratch, arena, nodal, error);
}

static bool prepare(swWeightField *f, swPool *pool, swArena *arena, swError *error) {
    const swReal *stiffness = NULL;
    swNodal *nodal = SW_NEW(arena, 1, swNodal, error);
    f->data = nodal;
    if (!nodal || !sw_harmonic_stiffness(f, &stiffness, error))
        return false;
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    const bool ok = create(f, stiffness, pool, &scratch, arena, nodal, error);
    sw_arena_free(&scratch);
    return ok;
}

const swWeightKind sw_weights_eigenmodes = {
    .name = "eigenmodes",
    .doc = "the lowest eigenmodes of the Laplacian, one per frame; frames have no place",
    .prepare = prepare,
    .evaluate = sw_nodal_evaluate,
    .everywhere = true,
    .negative = true,
};
