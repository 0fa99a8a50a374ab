// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/tets_stuff.h"

#define CRUMB 0.01 // of the largest piece of a part of the solid
#define MUCH 0.01  // of the volume: worth a warning

static swVec3 middle_of(const swTetMesh *mesh, int tet) {
    const int *v = sw_tets_at(mesh, tet);
    const swVec3 *X = mesh->X;
    return sw_scale(0.25, sw_add(sw_add(X[v[0]], X[v[1]]), sw_add(X[v[2]], X[v[3]])));
}

// The pieces of the mesh that go.
static bool find_crumbs(const swTetMesh *mesh, const swLattice *l, int *piece, bool **crumb,
                        swStuffLoss *loss, swArena *scratch, swError *error) {
    const int n = mesh->ntet;
    int *across = SW_NEW(scratch, 4 * (size_t)n, int, error);
    const int *part = sw_lattice_pieces(l, scratch, &loss->parts, error);
    if (!across || !part || !sw_tets_across(mesh, across, NULL, scratch, error))
        return false;
    const int npiece = sw_tets_pieces(n, across, piece);
    int *home = SW_NEW(scratch, npiece, int, error); // part of each piece, from 1; 0: unknown
    swReal *volume = SW_NEW(scratch, npiece, swReal, error);
    swReal *largest = SW_NEW(scratch, loss->parts + 1, swReal, error); // piece of each part
    if (!home || !volume || !largest || !(*crumb = SW_NEW(scratch, npiece, bool, error)))
        return false;
    for (int t = 0; t < n; t++) {
        const int p = piece[t], cell = home[p] ? -1 : sw_lattice_find(l, middle_of(mesh, t), 2);
        volume[p] += sw_tets_volume(mesh, t);
        if (cell >= 0)
            home[p] = 1 + part[l->corner[8 * cell]];
    }
    for (int p = 0; p < npiece; p++)
        largest[home[p]] = sw_max(largest[home[p]], volume[p]);
    for (int p = 0; p < npiece; p++) {
        (*crumb)[p] = volume[p] < CRUMB * largest[home[p]];
        loss->crumbs += (*crumb)[p];
        loss->volume += (*crumb)[p] ? 0 : volume[p];
    }
    loss->pieces = npiece - loss->crumbs;
    return true;
}

// Keeps the tetrahedra of other pieces, and the vertices they have.
static bool drop_pieces(swTetMesh *mesh, const int *piece, const bool *crumb, swArena *scratch,
                        swError *error) {
    int *number = SW_NEW(scratch, mesh->nvertex, int, error), n = 0; // of vertices, from 1
    if (!number)
        return false;
    for (int t = 0; t < mesh->ntet; t++) {
        if (crumb[piece[t]])
            continue;
        for (int i = 0; i < 4; i++)
            mesh->vertex[4 * n + i] = mesh->vertex[4 * t + i];
        if (mesh->material)
            mesh->material[n] = mesh->material[t];
        n++;
    }
    mesh->ntet = n;
    for (int i = 0; i < 4 * n; i++)
        number[mesh->vertex[i]] = 1;
    int kept = 0;
    for (int v = 0; v < mesh->nvertex; v++)
        if (number[v]) {
            mesh->X[kept] = mesh->X[v];
            number[v] = ++kept;
        }
    mesh->nvertex = kept;
    for (int i = 0; i < 4 * n; i++)
        mesh->vertex[i] = number[mesh->vertex[i]] - 1;
    return true;
}

static bool measure_lost(const swTetMesh *mesh, swReal h, const swGrid *grid, swArena *scratch,
                         swReal *lost, swError *error) {
    const swTetLocator *locator = sw_tets_locator(mesh, scratch, error);
    if (!locator)
        return false;
    for (int i = 0; i < grid->nvoxel; i++) {
        const swVoxel *v = &grid->voxel[i];
        swReal bary[4], away;
        int tet;
        if (!sw_tets_locate(locator, v->centroid, &tet, bary, &away) &&
            away > 0.25 * sw_min(h, grid->h))
            *lost += v->volume;
    }
    return true;
}

static void warn_of_loss(const swStuffLoss *loss, swReal h, swReal volume, const char *key,
                         const swConfig *config) {
    char lost[100] = "", loose[100] = "";
    if (loss->lost > MUCH * volume)
        snprintf(lost, sizeof lost, "; %.2g %% of the volume is too thin for them and lost",
                 100 * loss->lost / volume);
    if (loss->pieces > loss->parts)
        snprintf(loose, sizeof loose, "; they fall into %d pieces where the solid has %d",
                 loss->pieces, loss->parts);
    if (lost[0] || loose[0])
        sw_warn(config, "%s: tetrahedra of %g m are too coarse%s%s", key, h, lost, loose);
}

bool sw_tets_tidy(swTetMesh *mesh, swReal h, const swLattice *lattice, const char *key,
                  const swConfig *config, swArena *scratch, swStuffLoss *loss, swError *error) {
    SW_ASSERT(mesh->order == 1 && !mesh->fill);
    *loss = (swStuffLoss){0};
    int *piece = SW_NEW(scratch, mesh->ntet, int, error);
    bool *crumb;
    if (!piece || !find_crumbs(mesh, lattice, piece, &crumb, loss, scratch, error) ||
        (loss->crumbs && !drop_pieces(mesh, piece, crumb, scratch, error)) ||
        !measure_lost(mesh, h, lattice->grid, scratch, &loss->lost, error))
        return false;
    warn_of_loss(loss, h, lattice->grid->volume, key, config);
    return true;
}
