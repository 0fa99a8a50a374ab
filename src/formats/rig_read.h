// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Reading rigs.
#pragma once

#include "formats/mesh.h"
#include "formats/rig.h"

// Whether a file with this name can contain a skeleton.
bool sw_rig_format(const char *path);
// Reads a rig in the format given by the suffix, into the arena. A glTF file without a skin has no
// joints.
bool sw_rig_read(const char *path, swArena *arena, swRig *rig, swError *error);

// ---- what readers share ----

typedef struct swRigFormat {
    const char *suffix; // ".bvh"
    // Allocates the rig in the arena; names and numbers may point into the file.
    bool (*read)(const swMeshFile *file, swArena *arena, swRig *rig, swError *error);
} swRigFormat;

extern const swRigFormat sw_rig_glb, sw_rig_gltf, sw_rig_bvh;
const swRigFormat *sw_rig_format_at(int index); // NULL past the last one

// Checks numbers, and sorts the channels of clips by node.
bool sw_rig_finish(swRig *rig, swError *error);
