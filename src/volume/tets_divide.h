// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Tetrahedra cut where a surface goes through them, so that it lies along faces.
#pragma once

#include "geometry/tets.h"

// Of a place: negative on one side of the surface, positive on the other.
typedef swReal swLevel(const void *context, swVec3 p);

// Cuts the tetrahedra of a linear mesh along the surface on which `level` is zero, as far as edges
// tell where that is. Both sides are kept. Vertices that it passes by closer than a tenth of an
// edge move onto it; others come after those given. from[ntet] becomes the tetrahedron given that
// each lies in; moved[nvertex] tells which vertices are not where the lattice has them: true for
// those that move, and new ones between such, where it was for those given.
typedef struct swTetOrigin {
    int *from;
    bool *moved;
} swTetOrigin;
bool sw_tets_divide(swTetMesh *mesh, swLevel *level, const void *context, swTetOrigin *origin,
                    swArena *arena, swError *error);
