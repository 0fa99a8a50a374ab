// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "volume/rays.h"

static bool push_piece(swPieceList *list, swRayPiece piece, swArena *arena, swError *error) {
    swRayPiece *last = SW_PUSH(list, arena, error);
    if (last)
        *last = piece;
    return last != NULL;
}

// Lays the spans over ray->piece: what they leave of it, and they themselves.
static bool paint_over(swRay *ray, int paint, swArena *arena, swError *error) {
    const swSpan *span = ray->span.item;
    const int nspan = ray->span.count;
    ray->cut.count = 0;
    for (int i = 0, s = 0; i < ray->piece.count; i++) {
        swRayPiece o = ray->piece.item[i];
        while (s < nspan && span[s].hi <= o.lo)
            s++;
        for (int t = s; t < nspan && span[t].lo < o.hi; t++) {
            const swRayPiece before = {o.lo, span[t].lo, o.paint, o.entry};
            if (o.lo < span[t].lo && !push_piece(&ray->cut, before, arena, error))
                return false;
            o.lo = span[t].hi;
        }
        if (o.lo < o.hi && !push_piece(&ray->cut, o, arena, error))
            return false;
    }
    ray->piece.count = 0;
    for (int i = 0, s = 0; i < ray->cut.count || s < nspan;) {
        const swRayPiece *c = i < ray->cut.count ? &ray->cut.item[i] : NULL;
        const bool old = c && (s == nspan || c->lo < span[s].lo);
        const swRayPiece next =
            old ? *c : (swRayPiece){span[s].lo, span[s].hi, paint, span[s].entry};
        if (!push_piece(&ray->piece, next, arena, error))
            return false;
        i += old;
        s += !old;
    }
    return true;
}

bool sw_ray_cast(swRay *ray, int npaint, const swPaint *paint, const swVec3 *lo, const swVec3 *hi,
                 swReal y, swReal z, swArena *arena, swError *error) {
    ray->piece.count = 0;
    for (int s = 0; s < npaint; s++) {
        if (y < lo[s].y || y > hi[s].y || z < lo[s].z || z > hi[s].z)
            continue;
        ray->span.count = 0;
        if (!sw_solid_spans(paint[s].solid, y, z, &ray->span, arena, error))
            return false;
        if (ray->span.count > 0 && !paint_over(ray, s, arena, error))
            return false;
    }
    return true;
}
