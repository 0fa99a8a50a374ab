// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "geometry/surface.h"

// Halves edges repeatedly until none is longer than `longest` or there are about `room` triangles.
// The result has the same shape, but its flat parts can bend. The original vertices come first.
// `out` is allocated in the arena, or is the given surface if there is nothing to do.
bool sw_surface_refine(const swSurface *surface, swReal longest, int room, swArena *arena,
                       swSurface *out, swError *error);
