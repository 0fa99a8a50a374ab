// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// From weights to samples and mass, in three files: build_classes.c finds which voxels are moved by
// the same sites, and which strains are relaxed where; build_mass.c sums their mass;
// build_samples.c makes regions and samples of them.
#pragma once

#include "compile/build.h"

enum { SW_BATCH = 64 }; // voxels handled together

// Voxels of one material, of about one stiffness, moved by the same sites. Classes found on voxels
// come first; those merged of several follow.
typedef struct swClass {
    int material, bin; // bin: floor(2 log2 stiffness)
    int first, nsite;  // into sites; free nodes first
    int ncolumn, nfree;
    bool elastic;   // a single rigid node does not deform
    int into;       // the class it was merged into, or itself
    swReal measure; // volume of its voxels times their stiffness
} swClass;

typedef struct swSampling {
    swBuilder *b;
    swBodyBuild *body;
    swArena arena; // for what is not needed afterwards
    bool dual;     // dual-quaternion blending: a column is a node's weight, mass sits on points
    SW_LIST(swClass) classes;
    int nfound; // classes before merging
    SW_LIST(int) sites;
    SW_LIST(int) columns; // beside sites: first column of each in the class it was merged into
    int *kind;            // of each voxel: its class as found
    const swReal **row;   // of each voxel: [site of its class][4], w and dw/dp; NULL: not kept
    char *met;            // nsite x nsite: sites that share a class
    int ncolumn;          // of the body
    swReal *measure;      // of each voxel: volume times stiffness
} swSampling;

// What one worker needs to look at voxels.
typedef struct swReader {
    const swReal *row[SW_BATCH]; // of the voxels last read
    swReal *w, *dw, *packed;     // where rows are not kept
    swReal *N, (*G)[3];          // of one voxel
    swReal (*slope)[3][3];       // of G along x, y and z
} swReader;

static inline const swNode *sw_site_node(const swSampling *s, int site) {
    return &s->b->node.item[s->body->first_node + site];
}
static inline const swClass *sw_class_of(const swSampling *s, int voxel) {
    return &s->classes.item[s->classes.item[s->kind[voxel]].into];
}

// Evaluates the weights and sorts voxels into classes.
bool sw_sampling_classify(swSampling *s, swError *error);
// Materials, times their stiffnesses, that deform.
int sw_sampling_stuffs(const swSampling *s);
// Merges classes that deform until there are `limit`, or as few as materials and stiffness allow.
// Returns how many there are, or -1 without memory.
int sw_sampling_merge(swSampling *s, int limit, swError *error);
bool sw_reader_create(const swSampling *s, swReader *reader, swArena *arena, swError *error);
// Rows of n <= SW_BATCH voxels.
void sw_reader_read(const swSampling *s, swReader *reader, int n, const int *voxel);
// Columns N = w m and their gradients G = d(w m)/dp of voxel i of those read, in reader->N and G,
// as class c has them: the voxel's own, or the one it was merged into. `lumped`: sqrt(w) m and
// sqrt(w) dm/dp.
void sw_reader_columns(const swSampling *s, swReader *reader, const swClass *c, int voxel, int i,
                       bool lumped);

// How G varies inside that voxel, in reader->slope: weights count as linear there.
void sw_reader_slopes(const swSampling *s, swReader *reader, const swClass *c, int voxel, int i);

// Mass and weight, over all voxels.
bool sw_sampling_mass(swSampling *s, swError *error);
// The same as points, for dual quaternions; and whose sign each node takes.
bool sw_sampling_bulk(swSampling *s, swError *error);

// Gradients of the weights of a class's sites in its voxels, times the root of stiffness, by which
// they make energy: three numbers each. Returns how many numbers per voxel.
int sw_sampling_gradients(const swSampling *s, swReader *reader, int n, const int *voxel,
                          swReal *out);

// ---- relaxation, region by region ----

// Where a region's samples are.
typedef struct swPlaced {
    int group, sample, n; // first sample of the group
} swPlaced;

// In which directions weights vary in each region; NULL without memory.
swDirections *sw_sampling_directions(swSampling *s, swReader *reader, const swRegions *regions,
                                     swError *error);
// By what to multiply gradients that a region's fit leaves: linear strains alone are relaxed, and
// the rest is to cost no more than if it were relaxed as well.
swReal sw_sampling_softness(const swSampling *s, const swClass *c, const swDirections *found);
// Whether strains that frames lack are computed for the body as a whole.
bool sw_sampling_corrected(const swSampling *s);
// Samples with these, and a node for their amplitudes.
bool sw_sampling_correct(swSampling *s, swError *error);

// Zones of all regions, once these have samples.
bool sw_sampling_zones(swSampling *s, const swRegions *regions, const swPlaced *placed,
                       const swDirections *found, swError *error);
