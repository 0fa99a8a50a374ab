// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Skeletons and their motion, from glTF files (.glb, .gltf) and BVH motion capture.
//
// A rig is a tree of nodes. In glTF these are all nodes of the file: the joints of skins, the nodes
// above them, and nodes that carry a mesh; each vertex of the shape follows some of them. A BVH
// file has joints only. Coordinates are those of the shape that sw_mesh_read() returns, with y up.
// By its specification, glTF is in metres; BVH files can be in any unit.
#pragma once

#include "geometry/surface.h"
#include "math/vec.h"

typedef struct swRigNode {
    const char *name; // "" if the file gives none
    int parent;       // an earlier node of the rig, or -1
    int index;        // index of the node in the file; -1: the node stands for the meshes of a file
                      // without nodes
    bool joint;       // joint of a skin that moves a shown mesh; BVH: every joint
    bool has_matrix;  // the file gives `local` as a matrix, which is never animated
    swAffine local;   // default transform relative to the parent
    swVec3 translation, scale; // local = T R S if there is no matrix
    swReal rotation[4];        // unit quaternion x, y, z, w
    swVec3 tip; // BVH: end of the bone relative to this joint (the End Site); otherwise zero
} swRigNode;

// A transform of vertices: x = global(node) inverse stored. There is one for each joint of each
// skin, and one for each node that has a mesh without a skin.
typedef struct swRigBind {
    int node;
    swAffine inverse;
} swRigBind;

typedef struct swRigInfluence {
    int bind;
    swReal weight; // the weights of a vertex sum to one
} swRigInfluence;

// A primitive of a mesh, as shown by a node.
typedef struct swRigPart {
    int node;            // index in the rig
    int mesh, primitive; // indices in the file
    int skin;            // index in the file, or -1
    int position;        // index of the accessor of its positions
    int nstored;         // number of positions in the accessor
    const int *vertex;   // per position: vertex of the shape, or -1 if it is in no triangle
} swRigPart;

typedef enum swRigPath { SW_RIG_TRANSLATION, SW_RIG_ROTATION, SW_RIG_SCALE } swRigPath;
typedef enum swRigInterpolation { SW_RIG_LINEAR, SW_RIG_STEP, SW_RIG_CUBIC } swRigInterpolation;

typedef struct swRigChannel {
    int node;
    swRigPath path;
    swRigInterpolation interpolation;
    int nkey;
    const swReal *t;     // [s], ascending
    const swReal *value; // nkey x 3, or x 4 for rotations; cubic: in-tangent, value and out-tangent
                         // of each key
} swRigChannel;

typedef struct swRigClip {
    const char *name; // "" if the file gives none
    swReal duration;  // [s], time of the last key
    int nchannel;
    swRigChannel *channel; // sorted by node
} swRigClip;

typedef struct swRig {
    int nnode, njoint; // njoint: number of nodes marked as joints
    swRigNode *node;   // parents first
    int nbind;
    swRigBind *bind;
    swSurface surface;         // the shape in the default pose; BVH: empty
    const int *start;          // per vertex, and one more: index into `influence`
    swRigInfluence *influence; // of each vertex, largest weight first
    int npart;
    swRigPart *part;
    int nclip;
    swRigClip *clip;
} swRig;

// T R S as one transform.
swAffine sw_rig_local(swVec3 translation, const swReal rotation[4], swVec3 scale);
// Global transforms of all nodes at a time of a clip; clip -1: the default pose. Constant before
// the first key and after the last.
void sw_rig_pose(const swRig *rig, int clip, swReal t, swAffine *global);
// Interpolates, joint by joint, between the default pose (share 0) and that pose (share 1).
void sw_rig_blend(const swRig *rig, int clip, swReal t, swReal share, swAffine *global);
// Finds a clip by name, ignoring case and the prefix that some programs put before a bar
// ("Armature|Run"), or by number from 0. -1: there is none.
int sw_rig_find_clip(const swRig *rig, const char *name);
