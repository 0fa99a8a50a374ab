// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Bodies with computed strains, in five files: build_correctors.c computes them and makes samples;
// build_correct_stiffness.c sums the stiffness of all points, build_correct_orbits.c sees to mirror
// images, build_correct_volume.c to the volume of regions, build_correct_second.c to strains of
// second order.
#pragma once

#include "compile/sampling.h"
#include "correctors/choose.h"
#include "correctors/correctors.h"
#include "correctors/second.h"

typedef struct {
    swSampling *s;
    int *order;                           // of sites: as turn_of() has them
    int *column;                          // first of each site
    int nfree, nsolved, nmoving, ncolumn; // columns of free frames, and of free handles, and of
                                          // moved ones, and all
    int nmotion, nown;                    // of what moves; of free frames
    swSkinMotion *motion;
    const int *home; // from voxels of bricks to the body's; NULL: they are the same
    int cell;        // of the lattice, at hand
    swReal *w, *dw;  // weights of all sites
} swSkinReader;

typedef struct swVolumeRegion swVolumeRegion;

// R: the energy of strains E is 1/2 |R E|^2.
typedef struct {
    swReal of[6][6];
} swStrainRoot;

// Points on both sides of planes of symmetry, images of each other: a sample may have the mean of
// their strains.
typedef struct {
    int n, point[SW_FLIPS];
} swMergedPoint;

// Where samples may be: points of bricks, or voxels where there are many.
typedef struct {
    swSkinReader *skin;
    const swBricks *b;
    const swBrickStuff *stuff;
    swCorrectors *found;
    int n, room; // points, and how many there may be with merged ones
    swBrickPoint *point;
    swReal *volume;
    int nmerged; // samples that stand for several points each: where these are is n and on
    swMergedPoint *merged;
    swReal *mean;       // scratch: of what is found at these
    swReal *N, (*G)[3]; // of the skin
    swFields fields;    // of modes, less their skin
    swSecond second;    // of what they lack of second order
    int *law;           // of each material: the one that points have
    swReal *bulk;       // what that lacks of its bulk modulus [Pa]
    swStrainRoot *root; // of the stiffness of that law at rest
    int nregion;        // of volume; none where nothing lacks any,
    swVolumeRegion *region;
    int *home;     // that of each point, or -1
    swReal *stiff; // [motions][motions]: what they add to the stiffness
} swStrainPoints;

// How modes move points: u on bricks, less the skin of factors c.
typedef struct swModeFields {
    const swBricks *bricks;
    int n, nmoving, node; // modes, columns that move, the node that has the amplitudes
    const swReal *u, *c;  // [n][3 nnode], [n][nmoving][3]
    const int *column;    // first of each site
    int nfirst;           // the first modes; those of second order move no point
    int nmotion;
    const swSkinMotion *motion; // of columns that move
} swModeFields;
// Once the surface is embedded: a uniform stress does the same work on modes inside as the forces
// on the surface that go with it.
void sw_correcting_balance(swBuilder *b, const swBodyBuild *body);
// After that: at rest, strains of second order do no work on all that is of first order.
bool sw_correcting_part(swBuilder *b, const swBodyBuild *body, swError *error);
// vector[mode], one after another for each, of embedded points from `first` on.
bool sw_correcting_vectors(swBuilder *b, const swBodyBuild *body, int first, swError *error);

// The brick of a point, not a merged one, and the first point after it that is in another brick.
int sw_correcting_brick(const swStrainPoints *points, int point);
int sw_correcting_brick_end(const swStrainPoints *points, int first);
// The skin at a point, not a merged one, in points->N and G.
void sw_correcting_skin(const swStrainPoints *points, int point);
// The same of count <= SW_FIELD_POINTS points, and strains of modes, less those of their skin, in
// points->fields. The last one's skin stays in points->N and G.
void sw_correcting_strains(swStrainPoints *points, int count, const int *point);
// Points that are mirror images of each other, where the body and its frames are their own; those
// of orbit k from first[k] on. Neighbours follow each other, in an order that mirror images of the
// body have too. After the first class, of all points, come those of merged points, which this
// adds: without samples near planes of symmetry that count for one side and the other, rules with
// symmetry take more of them than rules without.
typedef struct {
    int n, *first, *point;
    int nclass, end[SW_POINT_CLASSES];
} swOrbits;
bool sw_correcting_orbits(swStrainPoints *points, swOrbits *out, swError *error);
// K[motions of columns that move, modes][the same] := the stiffness at rest of all points.
bool sw_correcting_stiffness(swStrainPoints *points, swReal *K, swError *error);
// Points of stuff that hardly changes its volume have its law with a Poisson's ratio of 0.3; the
// rest of its bulk modulus is that of regions.
bool sw_correcting_split(swStrainPoints *points, swError *error);
// Regions, and their stiffness at rest.
bool sw_correcting_regions(swStrainPoints *points, swError *error);
// Sums of volume changes of all regions; sample[k] is that of the chosen point k.
bool sw_correcting_volumes(swStrainPoints *points, const swChosenPoints *chosen, const int *sample,
                           swError *error);
