// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "geometry/solid.h"

// The closed surface of the union of the solids minus the last `nhole` of them, by dual contouring
// on a lattice with edges of at most h. It is smooth where the solids are and keeps sharp edges and
// corners (vertices minimise the distance to the tangent planes around them).
bool sw_contour(int nsolid, const swSolid *const *solid, int nhole, swReal h, swPool *pool,
                swArena *arena, swSurface *surface, swError *error);
