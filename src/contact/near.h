// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Which contact points of a body may be inside which colliders: what is far costs nothing.
//
// Pairs of a point and a collider that stands still are listed where they are nearer to each other
// than the margin. The others are at least `slack` apart, which is no less, as long as they stay
// where they are. When points have moved by s at most, those are still at least slack - s apart: as
// long as s < slack none of them can be inside, and the list is kept. Colliders that move are
// always listed, for all points, and passed over where they are clear of the box around the points
// where the list was made, widened by s.
#pragma once

#include "contact/collider.h"
#include "contact/rows.h"

typedef struct swNear {
    const swBodyModel *model; // whose q it can keep; one with inserted frames is looked at anew
    swReal margin;            // [m]; infinite: everything is listed
    swReal slack, moved;      // moved: s [m]
    swVec3 middle, half;      // of the box
    int ncollider, npoint;
    int *collider, *point; // ascending; points of all colliders that are listed and stand still
    char *listed;          // of each point, while they are looked at
    swReal *q;             // where that was
} swNear;

size_t sw_near_bytes(const swBodyModel *model, int64_t ncollider);
// Of a body that meets so many colliders of a model. NULL with `error` filled on failure.
swNear *sw_near_create(const swBodyModel *model, int64_t ncollider, swError *error);
void sw_near_destroy(swNear *near, int64_t ncollider); // NULL is allowed
// Makes the lists good for q. True: everything was looked at anew, and contact points are at x.
bool sw_near_find(swNear *near, const swBodyModel *model, const swRows *rows, const swState *world,
                  const swReal *q, swVec3 *x);
// Whether some contact point may be inside a collider that is listed.
bool sw_near_reaches(const swNear *near, const swPosed *collider);
