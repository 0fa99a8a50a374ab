// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Inside the writer of characters alone: character.h is the way in.
#pragma once

#include "output/character.h"
#include "output/gltf.h"
#include "formats/mesh_gltf.h"

// A frame or handle of the body that moves vertices.
typedef struct swCarrier {
    int node;   // of the file; of frames: its own outermost node, new
    int joint;  // of the file: the node that is in skins; -1: moves nothing
    int parent; // of the rig; of frames
} swCarrier;

// A skin whose meshes follow the simulation.
typedef struct swCharacterSkin {
    const swJson *json; // NULL: of no mesh of the body
    int nown;           // joints in the file
    int njoint, *joint; // with the new ones: nodes of the file
    int *of;            // per frame and handle of the body: its place in `joint`
    swAffine *bind;     // own inverse bind matrices of the file
    swAffine place;     // where stored positions are at rest
    bool moved;         // the stored positions are not at rest in the default pose: they are anew
    int inverse_bind;   // accessor
} swCharacterSkin;

// A primitive with something new.
typedef struct swCharacterPrimitive {
    int mesh, primitive, skin;
    const swJson *json;
    const swRigPart *part; // NULL: without triangles, keeps its weights
    swGltfSets sets;       // none: nset = 0
    int attribute[3];      // POSITION, NORMAL, TANGENT: new accessors, or -1
    int *target;           // of each morph target the same; NULL: they stay
} swCharacterPrimitive;

typedef struct swWriting {
    const swBodyModel *m;
    const swRigInfo *info;
    const swGltfOptions *options;
    const swBodyClip *clip;
    const swBodyInfo *body;
    const char *name; // of the body
    swGltf g;         // what is added
    swGltfFile file;  // what it is added to
    swMeshFile data;
    swRig rig;
    int *node_of;          // per node of the file: that of the rig, or -1
    int *bone;             // per frame and handle of the body: the node of the file it is, or -1
    const swReal **q;      // per key
    swReal *t;             // per key, in the file
    swAffine *global;      // [1 + nkey][nnode of the rig]: default pose, keys
    bool *soft;            // per node of the rig: moved by the simulation
    swCarrier *carrier;    // per frame and handle of the body
    swCharacterSkin *skin; // per skin of the file
    SW_LIST(swCharacterPrimitive) primitives;
    swGltfBuffer *image; // per image of the file: data from elsewhere, or NULL
    int nimage;          // that have such
    swArena scratch;
} swWriting;

static inline swAffine *sw_writing_global(const swWriting *w, int key) { // 0: default pose
    return w->global + (size_t)key * (size_t)w->rig.nnode;
}
// The place in the file at which frame i of the body is at rest.
static inline swVec3 sw_writing_origin(const swWriting *w, int i) {
    return sw_affine_at(sw_affine_inverse(w->info->rest), w->m->node[w->body->node + i].origin);
}
// How far frame i of the body takes what is at rest at a place of the file: key 0 is the default
// pose.
swAffine sw_writing_motion(const swWriting *w, int i, int key);

// Skins, weights and, where the default pose is another one than that of the stored positions, new
// positions.
bool sw_character_add_skins(swWriting *w, swGltfReport *report);
bool sw_character_save(swWriting *w, const char *path);
