// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Few points, with weights, that have the stiffness of many: of all motions at rest, each measured
// by its own energy.
#pragma once

#include "correctors/fields.h"

// Points with volumes, and the strains that n motions make at each, times the root of what
// stiffness there is, so that the energy of motions z is the sum of volume/2 |strains z|^2. They
// are asked for count <= SW_FIELD_POINTS points: out[n][vectors][6][lanes],
// zero in lanes of no point.
enum { SW_POINT_CLASSES = 4 };
typedef struct swPointSet {
    int npoint, n; // of the first class
    const swReal *volume;
    const swReal *stiffness; // [n][n]: that of all points
    const swReal *mass;      // [n][n] of motions: which of them are soft
    const swReal *elsewhere; // [n][n], stiffness that is not at points; NULL: there is none
    int nanswer;
    const swReal *answer; // [nanswer][n]: motions that matter as much as the softest
    int nkind;
    const int *kind; // of each point: the volume of each kind is kept
    // Points that are mirror images of each other, SW_FLIPS at most, are chosen together: those
    // from first[k] on are orbit k. Some are looked at, spread over each class in this order. The
    // first class has all points; points of the others come after these and stand for several of
    // them.
    int nclass;
    const int *end;           // [nclass]: of orbits
    const int *first, *orbit; // [orbits + 1]; points
    void (*strains)(void *context, int count, const int *point, swReal *out);
    void *context;
} swPointSet;

typedef struct swChosenPoints {
    int n;
    int *point;
    swReal *volume;
    swReal error; // of the stiffness, over it
    int nmotion;
    swReal *motion; // [nmotion][n]: of unit energy, apart from each other, the softest first
    int soft;       // the stiffness of these is exact
} swChosenPoints;

// As few as have an error of `enough`, at most `most`.
bool sw_points_choose(const swPointSet *set, swReal enough, int most, swPool *pool, swArena *arena,
                      swChosenPoints *out, swError *error);
