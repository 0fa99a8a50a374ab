// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "volume/tets_fill.h"

enum { SW_TET_MIXED = 4 }; // materials of one tetrahedron that are told apart

// What is in a tetrahedron, as sums. Places are from the grid's origin.
typedef struct swTetMoments {
    swReal volume;
    swVec3 first;            // volume times place
    swVec3 second, mixed;    // volume times products: xx, yy, zz and yz, zx, xy
    swReal mass, compliance; // [kg], and volume over Young's modulus
    swReal share[SW_TET_MIXED], soft[SW_TET_MIXED]; // volume and compliance of each material
    int material[SW_TET_MIXED], nmaterial;
    bool full;
} swTetMoments;

static inline void sw_moments_add(swTetMoments *to, swReal volume, swVec3 p, swVec3 q) {
    // of a straight line from p to q
    to->volume += volume;
    to->first = sw_madd(to->first, 0.5 * volume, sw_add(p, q));
    const swVec3 m = sw_lerp(p, q, 0.5), d = sw_sub(q, p);
    to->second = sw_madd(
        to->second, volume,
        sw_v3(m.x * m.x + d.x * d.x / 12, m.y * m.y + d.y * d.y / 12, m.z * m.z + d.z * d.z / 12));
    to->mixed = sw_madd(
        to->mixed, volume,
        sw_v3(m.y * m.z + d.y * d.z / 12, m.z * m.x + d.z * d.x / 12, m.x * m.y + d.x * d.y / 12));
}

static inline void sw_moments_scale(swTetMoments *m, swReal s) {
    m->volume *= s;
    m->first = sw_scale(s, m->first);
    m->second = sw_scale(s, m->second);
    m->mixed = sw_scale(s, m->mixed);
    m->mass *= s;
    m->compliance *= s;
    for (int i = 0; i < m->nmaterial; i++) {
        m->share[i] *= s;
        m->soft[i] *= s;
    }
}

// Those of each tetrahedron of a mesh, see sw_tets_fill(), by rays along x: close together enough
// to see tetrahedra, and with an edge of slabs at every flat face.
bool sw_tets_moments(const swTetPaint *paint, const int *cell, const swTetOrigin *origin,
                     const swTetMesh *mesh, swTetMoments *out, swArena *arena, swError *error);
