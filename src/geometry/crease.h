// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "geometry/surface.h"

// The same surface with a unit normal at each vertex, smooth but where triangles around a vertex
// differ by more than the angle `crease` [rad]: there it becomes several. In the arena.
bool sw_surface_crease(const swSurface *surface, swReal crease, swArena *arena, swSurface *out,
                       swVec3 **normal, swError *error);
