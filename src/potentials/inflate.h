// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What is inside a hollow body presses on it: with an energy of the volume V that its faces
// enclose,
//   - p (V - V_0)                                      a given pressure, whatever the volume
//   - (p_0 + p) V_0 log(V / V_0) + p_0 (V - V_0)       a gas of constant temperature
// p being the pressure at rest beyond p_0, that around the body. Its force on a vertex is the
// pressure times a third of the faces' area around it, along their normals.
#pragma once

#include "potentials/forces.h"

typedef struct swInflateWork {
    int *pair; // [face][3]: of its nodes 0 1, 1 2, 2 0
    // Of the last evaluation with H, which does not hold it: the stiffness of the gas of each net
    // [Pa/m^3], times the square of the slope of its volume (as q) [m^2].
    swReal *stiffness, *slope;
    bool gas; // whether there is any
} swInflateWork;

bool sw_inflate_create(swInflateWork *work, const swBodyModel *model, swArena *arena,
                       swError *error);
// `share`: of the pressure.
void sw_inflate_add(const swBodyModel *model, const swInflateWork *work, const swReal *q,
                    swReal share, swSystem *out);
// The volume that a net's faces enclose.
swReal sw_inflate_volume(const swBodyModel *model, const swSpringBody *net, const swReal *q);
