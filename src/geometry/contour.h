// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "geometry/solid.h"

// The closed surface of the union of solids, less the last `nhole` of them, by dual contouring on a
// lattice of edge h at most: smooth where the solids are, sharp edges and corners kept (vertices
// minimise the distance to the tangent planes around them).
bool sw_contour(int nsolid, const swSolid *const *solid, int nhole, swReal h, swPool *pool,
                swArena *arena, swSurface *surface, swError *error);
