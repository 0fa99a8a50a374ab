// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Internal to the writer of characters, whose interface is character.h.
#pragma once

#include "output/character.h"
#include "output/gltf.h"
#include "formats/mesh_gltf.h"

// A frame or handle of the body that moves vertices.
typedef struct swCarrier {
    int node;   // node in the file; for frames the outermost of its new nodes
    int joint;  // node in the file that skins use as the joint; -1: moves nothing
    int parent; // frames only: the node of the rig it is below
} swCarrier;

// A skin whose meshes follow the simulation.
typedef struct swCharacterSkin {
    const swJson *json; // NULL: no mesh of the body uses it
    int nown;           // number of joints in the file
    int njoint, *joint; // joints including the new ones, as nodes of the file
    int *of;            // per frame and handle of the body: its index in `joint`
    swAffine *bind;     // inverse bind matrices of the file
    swAffine place;     // from stored positions to where they are at rest
    bool moved;         // in the default pose stored positions are not at rest: they are rewritten
    int inverse_bind;   // accessor of the new inverse bind matrices
} swCharacterSkin;

// A primitive that changes.
typedef struct swCharacterPrimitive {
    int mesh, primitive, skin;
    const swJson *json;
    const swRigPart *part; // NULL: it has no triangles, and keeps its weights
    swGltfSets sets;       // nset = 0: none
    int attribute[3];      // new accessors of POSITION, NORMAL and TANGENT, or -1
    int *target;           // the same for each morph target; NULL: unchanged
} swCharacterPrimitive;

typedef struct swWriting {
    const swBodyModel *m;
    const swRigInfo *info;
    const swGltfOptions *options;
    const swBodyClip *clip;
    const swBodyInfo *body;
    const char *name; // name of the body
    swGltf g;         // what is added to the file
    swGltfFile file;  // the file
    swMeshFile data;
    swRig rig;
    int *node_of;     // per node of the file: its index in the rig, or -1
    int *bone;        // per frame and handle of the body: its bone as a node of the file, or -1
    const swReal **q; // per key
    swReal *t;        // per key: time in the file
    swAffine *global; // [1 + nkey][nnode of the rig]: global transforms in the default pose and at
                      // the keys
    bool *soft;       // per node of the rig: whether the simulation moves it
    swCarrier *carrier;    // per frame and handle of the body
    swCharacterSkin *skin; // per skin of the file
    SW_LIST(swCharacterPrimitive) primitives;
    swGltfBuffer *image; // per image of the file: data that was not in its buffers, or NULL
    int nimage;          // number of images with such data
    swArena scratch;
} swWriting;

static inline swAffine *sw_writing_global(const swWriting *w, int key) { // key 0: default pose
    return w->global + (size_t)key * (size_t)w->rig.nnode;
}
// The rest position of the origin of frame i of the body, in coordinates of the file.
static inline swVec3 sw_writing_origin(const swWriting *w, int i) {
    return sw_affine_at(sw_affine_inverse(w->info->rest), w->m->node[w->body->node + i].origin);
}
// How frame i of the body moves the rest shape, in coordinates of the file. Key 0 is the default
// pose, where this is the identity.
swAffine sw_writing_motion(const swWriting *w, int i, int key);

// Adds skins, weights and, if the stored positions are not those of the default pose, new
// positions.
bool sw_character_add_skins(swWriting *w, swGltfReport *report);
bool sw_character_save(swWriting *w, const char *path);
