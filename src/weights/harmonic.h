// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What kinds of weights that come from the Laplacian share.
#pragma once

#include "volume/laplace.h"
#include "weights/nodal.h"

// Stiffness of each filled cell as the kind's distance asks, NULL where all are alike. Fails for
// distances that do not go through the material.
bool sw_harmonic_stiffness(const swWeightField *field, const swReal **stiffness, swError *error);

// The material in parts without connection.
typedef struct swPieces {
    int count;
    int *of;        // part of each node
    swReal *volume; // of each part
    swVec3 *center;
    int *owner; // the site whose nodes it has (any of them), or -1
} swPieces;

// owner: of each node, the site that has it, or -1. Fails where two sites have the same one.
bool sw_harmonic_owners(const swLattice *lattice, int nsite, const swSite *site, swArena *arena,
                        int **owner, swError *error);
bool sw_harmonic_parts(const swLattice *lattice, const int *owner, swArena *arena, swPieces *parts,
                       swError *error);
// Fields of all sites, SW_LANES of them at a time.
typedef struct swBatches swBatches;
struct swBatches {
    const swLaplace *laplace;
    int nsite;
    const swSite *site;
    swReal least; // smaller values are dropped
    // Fills x, zero at first, for the sites from `first` on; returns what sw_laplace_solve() does.
    swReal (*solve)(const swBatches *batches, const swLaplaceWork *work, int first, swWide *x);
    const void *arg;
};
bool sw_batches_solve(const swBatches *batches, swPool *pool, swNodalList *list, swArena *arena,
                      swError *error);
// Parts of the material without a site follow the nearest one.
bool sw_harmonic_loose(const swBatches *batches, const swPieces *parts, swNodalList *list,
                       swArena *arena, swError *error);
// Weights that are 1 at the nodes of a site, 0 at those of the others, and harmonic between them. A
// part of the material without any follows the site whose origin is nearest.
bool sw_harmonic_create(const swLattice *lattice, int nsite, const swSite *site,
                        const swReal *stiffness, swPool *pool, swArena *arena, swNodal *nodal,
                        swError *error);
