// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Reading rigs.
#pragma once

#include "formats/mesh.h"
#include "formats/rig.h"

// Whether files of this name may hold a skeleton.
bool sw_rig_format(const char *path);
// Reads by suffix; everything is in the arena. A glTF file without a skin has no joints.
bool sw_rig_read(const char *path, swArena *arena, swRig *rig, swError *error);

// ---- what readers share ----

typedef struct swRigFormat {
    const char *suffix; // ".bvh"
    // What the rig holds is in the arena, but for texts and numbers of the file itself.
    bool (*read)(const swMeshFile *file, swArena *arena, swRig *rig, swError *error);
} swRigFormat;

extern const swRigFormat sw_rig_glb, sw_rig_gltf, sw_rig_bvh;
const swRigFormat *sw_rig_format_at(int index); // NULL past the last one

// Checks numbers, and sorts the channels of clips by node.
bool sw_rig_finish(swRig *rig, swError *error);
