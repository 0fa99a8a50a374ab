// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What solids painted over one another fill along lines in x.
#pragma once

#include "volume/voxelize.h"

// A stretch of a ray and the solid that fills it.
typedef struct swRayPiece {
    swReal lo, hi;
    int paint, entry;
} swRayPiece;
typedef SW_LIST(swRayPiece) swPieceList;

// Room for one ray, used again for the next.
typedef struct swRay {
    swSpanList span;
    swPieceList piece, cut;
} swRay;

// ray->piece: what is along (x, y, z), in order, holes (of material -1) among it. Solids are asked
// between lo and hi of each alone.
bool sw_ray_cast(swRay *ray, int npaint, const swPaint *paint, const swVec3 *lo, const swVec3 *hi,
                 swReal y, swReal z, swArena *arena, swError *error);
