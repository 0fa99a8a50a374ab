// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Skeletons: from a file to bones, from bones to handles, from a clip to their tracks.
#pragma once

#include "compile/build.h"
#include "geometry/bvh.h"
#include "formats/rig.h"

// A node of the rig that is used.
typedef struct swBone {
    int node;
    bool soft;
    const char *name;
    SW_LIST(swVec3) axis; // points on it, inside the flesh that follows it
    int handle;           // of the body, or -1: it holds no flesh
} swBone;

struct swSkeletonBuild {
    const swSkeleton *def;
    swRig rig;
    const char *path; // of its file
    int clip;         // or -1
    swAffine place;   // from the file to the body's rest coordinates: a scale and a rotation
    swAffine *rest;   // per node: the default pose, in the file's coordinates
    swVec3 *joint;    // per node: where it is in the body at rest
    int nbone;
    swBone *bone;
    int *bone_of;   // per node: its bone, or -1
    swSurface skin; // in the body; no vertices where the shape is not the file's own
    swBvh *near;    // of the skin
};
typedef struct swSkeletonBuild swSkeletonBuild;

// Reads the file; NULL for `body->skeleton` where the body has none.
bool sw_skeleton_read(swBuilder *b, swBodyBuild *body, swError *error);
// Gives voxels to bones (`owner`: bones from `first` on) and finds which bones hold any.
bool sw_skeleton_fill(swBuilder *b, swBodyBuild *body, int first, swError *error);
// How much each bone moves the skin nearest to a point of the body: calls for those that do. Where
// there is no skin, the nearest bone alone.
typedef struct swBoneShare {
    int bone;
    swReal weight;
} swBoneShare;
enum { SW_BONE_SHARES = 3 * 4 * 8 };
int sw_skeleton_shares(const swSkeletonBuild *s, swVec3 p, swBoneShare share[SW_BONE_SHARES]);
// The motion of a bone as keys of its handle.
bool sw_skeleton_track(swBuilder *b, swBodyBuild *body, swError *error);
// Frames and free bones begin where the clip does, and as fast.
bool sw_skeleton_start(swBuilder *b, swBodyBuild *body, swError *error);
// Springs of bones that are simulated; mass is known.
bool sw_skeleton_hold(swBuilder *b, swBodyBuild *body, swError *error);
