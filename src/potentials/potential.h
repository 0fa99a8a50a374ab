// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Whatever has energy, forces and stiffness is a potential: one file that ends in one `const
// swPotential`, and one line in the table of solve/objective.c. What a step minimises, the energies
// that are reported, the blocks of the matrix and what rounding is relative to all walk that table.
#pragma once

#include "model/model.h"
#include "potentials/coupling.h"
#include "potentials/forces.h"

// What an energy is reported as, see swEnergy.
typedef enum swEnergyKind {
    SW_ENERGY_NONE, // of inertia and damping: over a step alone
    SW_ENERGY_ELASTIC,
    SW_ENERGY_LOADS,
    SW_ENERGY_CONTACT,
    SW_ENERGY_PULL,
    SW_ENERGY_MUSCLE,
    SW_ENERGIES
} swEnergyKind;

// Where a potential is evaluated. What does not apply is NULL or 0.
typedef struct swTerm {
    const swBodyModel *m;
    swBodyState *s;               // what is around it, the pool, the profile
    const swElasticWork *elastic; // scratch memory of those that others use as well
    const struct swBulkWork *bulk;
    const struct swInflateWork *inflate;
    void *work;           // and the potential's own, see create()
    swElasticInput in;    // q, the beginning of the step, controls, what samples remember
    const swReal *target; // of q, where inertia leads
    const swVec3 *bulk_target, *bulk_last, *bulk_before; // the same of points of bulk
    swReal inertia;                                      // times the mass: 1 / s^2
    swReal t, load;                                      // when forces act [s]; their share
    bool linear;         // one solve is all there is, see integrate/linear_implicit.c
    const swReal *about; // where friction is linear about; NULL: at q
} swTerm;

// Tells of nodes, n of one list and m of another, every two of which need a block.
typedef bool swCouple(int n, const int *node, int m, const int *other, void *arg);

// Tells of two bodies that a potential couples now, and by what of its own.
typedef void swVisitPair(int one, int other, int item, void *arg);

typedef struct swPotential {
    const char *name;
    swEnergyKind energy;
    // Forces so far are forces at work, relative to which others are small: loads before they
    // cancel with what resists them, and all of it before inertia.
    bool measured;
    void (*add)(const swTerm *term, swSystem *out); // NULL: it is between bodies alone
    // Which nodes it couples, beside those that samples and mass do; NULL: none. False: stopped.
    bool (*couple)(const swBodyModel *model, swCouple *couple, void *arg);
    // What it adds to the stiffness of a body, for what rounding may do [N/m]; NULL: the
    // material's.
    swReal (*stiffness)(const swBodyState *state);
    // Memory of its own, NULL: none needed. NULL with `error` filled on failure.
    void *(*create)(const swBodyModel *model, swArena *arena, swError *error);
    // What acts between bodies, or NULL: which of them, at the beginning of a step; and what an
    // item of it adds, between two of the bodies that are solved for together.
    void (*pairs)(const swState *world, swVisitPair *visit, void *arg);
    void (*between)(swCoupled *coupled, const swState *world, int item, int one, int other);
} swPotential;

enum { SW_POTENTIALS = 16 }; // at most
