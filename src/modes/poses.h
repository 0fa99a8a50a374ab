// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Poses that a reduced body may assume.
#pragma once

#include "modes/basis.h"

// z[count][r]: equilibria of Saint Venant-Kirchhoff under random forces on the modes, from small
// forces to ones that would bend a linear body by its own size. `turn` selects a different random
// sequence.
bool sw_poses_create(const swFull *full, const swBasis *basis, int count, uint64_t turn,
                     swPool *pool, swArena *arena, swReal **z, swError *error);
// Displacements of the vertices, u[full->n].
void sw_pose_vertices(const swFull *full, const swBasis *basis, const swReal *z, swReal *u);
// F at a point of a tetrahedron.
swMat3 sw_pose_gradient(const swFull *full, int tet, const swVec3 *dN, const swReal *u);
