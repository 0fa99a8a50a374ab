// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "geometry/surface.h"

// Halves edges, again and again, until none is longer than `longest` or there are about `room`
// triangles: a surface of the same shape whose flat parts can bend. The vertices of the given one
// come first. `out` is in the arena, or the given one where nothing is to be done.
bool sw_surface_refine(const swSurface *surface, swReal longest, int room, swArena *arena,
                       swSurface *out, swError *error);
