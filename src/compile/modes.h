// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Reduced bodies: from the mesh that body->net stands for to a basis and what resists in it.
#pragma once

#include "compile/build.h"
#include "modes/basis.h"

typedef struct swModesBuild {
    const swTetMesh *mesh;
    swTetBody body;
    swFull full;
    swBasis basis;
    int node; // in the builder
    int info; // in the builder's `reduced`
} swModesBuild;

// phi of all modes at a point; `far` as that of a net.
void sw_modes_at(const swBodyBuild *body, swVec3 p, swVec3 *phi, bool *far);
// A dead force on a point.
void sw_modes_load(swBuilder *b, const swBodyBuild *body, swVec3 p, swVec3 force);
