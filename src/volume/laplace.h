// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The finite-element Laplacian on a lattice, K = sum over filled cells of stiffness * filled share
// * (element matrix of the trilinear cube), with values fixed at chosen nodes, and a solver for it:
// conjugate gradients preconditioned by a multigrid of smoothed aggregates.
//
// The element matrix couples a corner with those across a face or the whole cube, all alike and
// negative, and with no other: K is an M-matrix, so solutions stay between the fixed values.
#pragma once

#include "core/simd.h"
#include "volume/lattice.h"

typedef struct swLevel swLevel;

typedef struct swLaplace {
    const swLattice *lattice;
    swReal *coefficient; // of each filled cell: h / 12 * stiffness * filled share
    swReal shift;        // K + shift * (volumes of nodes on the diagonal)
    int nlevel;
    swLevel *level; // from the lattice to the coarsest
    double *factor; // Cholesky factor of the coarsest level, or NULL
} swLaplace;

// Columns of vectors go together, SW_LANES of them: entry i of a column is a lane of x[i].
typedef struct swLaplaceWork {
    swWide *r, *z, *p, *q; // per node
    swWide *load;          // per node: a right-hand side, the caller's to fill
    swWide **x, **b;       // per level but the first
    double *dense;         // per node of the coarsest
} swLaplaceWork;

// stiffness: of each filled cell; NULL: all alike. fixed: of each node, not zero where its value is
// given. Without a shift every part of the material should have a fixed node.
bool sw_laplace_create(const swLattice *lattice, const swReal *stiffness, const char *fixed,
                       swReal shift, swArena *arena, swLaplace *laplace, swError *error);
// What one thread needs.
bool sw_laplace_work(const swLaplace *laplace, swArena *arena, swLaplaceWork *work, swError *error);
bool sw_laplace_free(const swLaplace *laplace, int node); // not fixed
swReal sw_laplace_diagonal(const swLaplace *laplace, int node);

// y = A x at free nodes, 0 at fixed ones.
void sw_laplace_multiply(const swLaplace *laplace, const swWide *x, swWide *y);
// z = about A^-1 r: one cycle of the multigrid, a symmetric positive operator. Uses work->x and b.
void sw_laplace_precondition(const swLaplace *laplace, const swLaplaceWork *work, const swWide *r,
                             swWide *z);
// Solves A x = b at free nodes (b NULL: 0) for the values x has at fixed ones. Returns the
// preconditioned residual that is left in the worst place of the worst column, an estimate of the
// error, divided by the column's largest fixed value, or by 1 where there is a b; above
// SW_LAPLACE_TOLERANCE it did not converge, or the lattice's pool was stopped.
#define SW_LAPLACE_TOLERANCE 1e-10
swReal sw_laplace_solve(const swLaplace *laplace, const swLaplaceWork *work, const swWide *b,
                        swWide *x, int *iterations);
