// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Skeletons and their motion from files: glTF (.glb, .gltf) and BVH motion capture.
//
// A rig is a tree of nodes. In glTF these are all the nodes of the file: joints of skins, what
// stands above them, and nodes that carry a mesh; each vertex of the shape follows some of them. A
// BVH file has joints alone. Coordinates are those in which sw_mesh_read() gives the shape, y up;
// glTF's in metres by its own account, BVH's in whatever unit its author liked.
#pragma once

#include "geometry/surface.h"
#include "math/vec.h"

typedef struct swRigNode {
    const char *name;          // "" where the file gives none
    int parent;                // an earlier node of the rig, or -1
    int index;                 // of the node in the file; -1: of meshes in a file without nodes
    bool joint;                // of a skin that moves a shown mesh; BVH: every joint
    bool has_matrix;           // `local` as the file gives it, and never animated
    swAffine local;            // default, relative to the parent
    swVec3 translation, scale; // local = T R S where there is no matrix
    swReal rotation[4];        // x, y, z, w of a unit quaternion
    swVec3 tip; // BVH: where the bone ends, relative to this joint (the End Site); else zero
} swRigNode;

// What moves vertices: x = global(node) inverse stored. One for each joint of each skin, and one
// for each node whose mesh has no skin.
typedef struct swRigBind {
    int node;
    swAffine inverse;
} swRigBind;

typedef struct swRigInfluence {
    int bind;
    swReal weight; // those of a vertex sum up to one
} swRigInfluence;

// A primitive of a mesh where a node shows it.
typedef struct swRigPart {
    int node;            // of the rig
    int mesh, primitive; // indices in the file
    int skin;            // index in the file, or -1
    int position;        // accessor of its positions
    int nstored;         // positions in it
    const int *vertex;   // per position: the vertex of the shape, or -1: in no triangle
} swRigPart;

typedef enum swRigPath { SW_RIG_TRANSLATION, SW_RIG_ROTATION, SW_RIG_SCALE } swRigPath;
typedef enum swRigInterpolation { SW_RIG_LINEAR, SW_RIG_STEP, SW_RIG_CUBIC } swRigInterpolation;

typedef struct swRigChannel {
    int node;
    swRigPath path;
    swRigInterpolation interpolation;
    int nkey;
    const swReal *t;     // [s], ascending
    const swReal *value; // nkey x 3, or 4 of rotations; cubic: in-tangent, value, out-tangent
} swRigChannel;

typedef struct swRigClip {
    const char *name; // "" where the file gives none
    swReal duration;  // [s], of its last key
    int nchannel;
    swRigChannel *channel; // sorted by node
} swRigClip;

typedef struct swRig {
    int nnode, njoint; // joint: those marked so
    swRigNode *node;   // parents first
    int nbind;
    swRigBind *bind;
    swSurface surface;         // the shape in the default pose; BVH: empty
    const int *start;          // per vertex, and one more: into influence
    swRigInfluence *influence; // heaviest first
    int npart;
    swRigPart *part;
    int nclip;
    swRigClip *clip;
} swRig;

// T R S as one map.
swAffine sw_rig_local(swVec3 translation, const swReal rotation[4], swVec3 scale);
// Transforms of all nodes at a time of a clip; -1: the default pose. Held before the first key and
// after the last.
void sw_rig_pose(const swRig *rig, int clip, swReal t, swAffine *global);
// The same a share of the way from the default pose, joint by joint.
void sw_rig_blend(const swRig *rig, int clip, swReal t, swReal share, swAffine *global);
// By name (ignoring case, and what some programs put before a bar: "Armature|Run"), or by number
// from 0; -1: there is none.
int sw_rig_find_clip(const swRig *rig, const char *name);
