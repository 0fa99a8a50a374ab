// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies that are solved for together because something acts between them; most often one.
#pragma once

#include "solve/work.h"

// Two bodies of an island and what acts between them: an item of a potential.
typedef struct swBond {
    const swPotential *potential;
    int item, one, other; // the latter among the bodies of the world
    int ordinal;          // among the bonds of its island
} swBond;

// The matrix of several bodies together. Which blocks are between them may change at every step:
// what depends on that is laid out anew then.
typedef struct swJoined {
    swArena arena, layout; // of what depends on the bodies, and of what depends on the blocks
    swBodyState **state;   // of the island that works with it, as the next two
    swObjective *objective;
    swReal **q;
    int nbody, nbridge; // what it is laid out for: bodies, and blocks between them
    int *body;          // their numbers in the world
    int (*bridge)[2];   // row and column, of nodes of all bodies together
    swCoupledBody *coupled;
    swBlocks A;
    swLinear linear;
    int *node, *dof, *block;        // of each body: its first node and unknown; where its blocks go
    swReal *residual, *step, *size; // over all unknowns
} swJoined;

typedef struct swIsland {
    const swState *world;
    int n;
    swBodyState **body;
    swObjective *objective; // of each
    swReal **q;             // where each is
    int nbond;
    const swBond *bond;
    swJoined *joined; // NULL for one body
} swIsland;

// Gives an island its bodies, by their numbers in the world, and lays the matrix out for them and
// the blocks between them, unless it is.
bool sw_joined_enter(swJoined *joined, swIsland *island, const int *body, swError *error);
void sw_joined_free(swJoined *joined);
// Adds what acts between the bodies, at q or work->q_trial, to their work->g (released) and, where
// asked for, to their work->H and between them to A, which is cleared before.
void sw_joined_add(const swIsland *island, bool trial, bool hessian, swProjection projection,
                   swValue *value);
// Takes the bodies' matrices, residuals and sizes; gives them their steps.
void sw_joined_take(const swIsland *island);
void sw_joined_take_residual(const swIsland *island);
void sw_joined_give(const swIsland *island);
// Energy between two bodies where their states are [J].
swReal sw_bond_energy(const swState *world, const swBond *bond);

// Newton's method for all bodies of an island, from their q, which are changed only by accepted
// steps. Fills the reports of all.
swStatus sw_island_newton(const swIsland *island);
// One iteration of it, which succeeds whatever residual is left. The step, then in work->step, is
// cut where a sample would lose its volume, and where energy would be made: potentials and
// inertia/2 |J step|_M^2 together must not exceed the objective at q.
swStatus sw_island_newton_once(const swIsland *island);
