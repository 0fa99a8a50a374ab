// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Fields on bricks, less a skin, at several points side by side: vectors run across points.
#pragma once

#include "core/simd.h"
#include "volume/bricks.h"

enum {
    SW_FIELD_POINTS = 32, // that are looked at together
    SW_FIELD_VECTORS = SW_FIELD_POINTS / SW_LANES,
    SW_FIELD_STRAIN = 6 * SW_FIELD_POINTS, // numbers of a field's strains
};

// Where point p is in [vectors][parts][lanes].
static inline int sw_field_at(int parts, int part, int p) {
    return (p / SW_LANES * parts + part) * SW_LANES + p % SW_LANES;
}

typedef struct swFieldPoint {
    swVec3 X;
    int brick, stuff;
} swFieldPoint;

typedef struct swFields {
    const swBricks *b;
    int n, nm, parts;    // fields, columns of the skin; 3: gradients alone, 4: values as well
    const swReal *u, *v; // [n][3 nnode]; the skin's shares [n][nm][3]
    int brick;           // that was last looked at,
    swReal *local;       // [n][SW_BRICK_DOF]: u of its nodes
    swReal *node;        // [SW_BRICK_MOST][vectors][parts][lanes]: shape functions
    swReal *skin;        // [nm][vectors][parts][lanes]: columns
    swReal *D;           // [n][3][vectors][parts][lanes]: gradients of fields, and their values
    swReal *strain;      // [n][vectors][6][lanes]
} swFields;

bool sw_fields_create(swFields *fields, const swBricks *bricks, int n, const swReal *u, int nm,
                      const swReal *v, bool values, swArena *arena, swError *error);
// The skin of point p, before sw_fields_at().
void sw_fields_skin(const swFields *fields, int p, const swReal *N, const swReal (*G)[3]);
// Strains of all fields at count <= SW_FIELD_POINTS points, and values in D. Lanes of points that
// there are not are zero. Points of one brick should be neighbours.
void sw_fields_at(swFields *fields, int count, const swFieldPoint *point);
// local[n][SW_BRICK_DOF] := u[n][stride] of a brick's nodes.
void sw_fields_gather(const swBricks *bricks, int brick, int n, int stride, const swReal *u,
                      swReal *local);

// A matrix for the strains of each of some points. Entries that are zero for all are passed over:
// two thirds of those of isotropic stuff.
typedef struct swPointMatrices {
    swReal of[36][SW_FIELD_POINTS];
    bool some[36];
} swPointMatrices;

void sw_matrices_clear(swPointMatrices *m);
void sw_matrices_set(swPointMatrices *m, int p, swReal factor, const swReal M[6][6]);
// out[6][lanes] := those of a vector of points times E, which may be the same.
static inline void sw_matrices_apply(const swPointMatrices *m, int vector, const swReal *E,
                                     swReal *out) {
    swWide to[6];
    for (int e = 0; e < 6; e++) {
        to[e] = sw_wide(0);
        for (int f = 0; f < 6; f++)
            if (m->some[6 * e + f])
                to[e] = sw_wide_fma(sw_wide_load(m->of[6 * e + f] + vector * SW_LANES),
                                    sw_wide_load(E + f * SW_LANES), to[e]);
    }
    for (int e = 0; e < 6; e++)
        sw_wide_store(out + e * SW_LANES, to[e]);
}
