// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "volume/laplace.h"

// The `count` smallest modes of K phi = lambda M phi, with K the Laplacian of volume/laplace.h and
// M the volumes of the nodes, that are zero at fixed nodes and M-orthogonal to the `nknown` modes
// already in phi: phi[nknown], ... are made, in ascending order of lambda[nknown], ... All have
// phi^T M phi = 1. The known ones must be so too, and include all whose lambda is zero: the
// constants on parts of the material without a fixed node. There must be as many free nodes as
// modes.
//
// |K phi - lambda M phi| is at most SW_MODES_TOLERANCE |lambda M phi|, in the norm where the
// diagonal of K is 1.
#define SW_MODES_TOLERANCE 1e-8
bool sw_laplace_eigenmodes(const swLattice *lattice, const swReal *stiffness, const char *fixed,
                           int nknown, int count, swPool *pool, swArena *arena, swReal *lambda,
                           swReal **phi, int *iterations, swError *error);
