// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// A simulated character back in its own glTF file (.glb): the same nodes, meshes, materials,
// textures and animations, with the simulated frames as further joints of its skins.
//
// Bones that are handles stay the joints they are. A frame is a joint below the bone that moved its
// vertices before, so that clips which were not simulated still carry the flesh along. The clip
// that was simulated keeps its name and the keys of its scripted bones; frames and simulated bones
// have keys at the recorded moments.
#pragma once

#include "io/clip.h"
#include "io/gltf_write.h"

typedef struct swCharacter {
    const char *file; // glTF, of which the body is the shape in the default pose
    int body;
    const int *node;  // per frame and handle of the body: the node of the file it moves, or -1
    swAffine rest;    // from places in the file to those of the body at rest
    swAffine world;   // and to where the body is before it moves
    int clip;         // number of the animation; < 0: none, the bones stand still
    swReal start;     // simulated time at which the clip begins in the file [s]
    bool own_weights; // the file's own weights stay, and only bones that are simulated move anew
} swCharacter;

// `options` and `report` may be NULL: four joints for each vertex at most, unless told otherwise.
bool sw_character_write(const swModel *model, const swClip *clip, const swCharacter *character,
                        const char *path, const swGltfOptions *options, swGltfReport *report,
                        swError *error);
