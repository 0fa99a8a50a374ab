// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What the readers of rigs share.
#pragma once

#include "formats/mesh.h"
#include "formats/rig.h"

typedef struct swRigFormat {
    const char *suffix; // ".bvh"
    // What the rig holds is in the arena, but for texts and numbers of the file itself.
    bool (*read)(const swMeshFile *file, swArena *arena, swRig *rig, swError *error);
} swRigFormat;

extern const swRigFormat sw_rig_glb, sw_rig_gltf, sw_rig_bvh;
const swRigFormat *sw_rig_format_at(int index); // NULL past the last one

// Checks numbers, and sorts the channels of clips by node.
bool sw_rig_finish(swRig *rig, swError *error);
