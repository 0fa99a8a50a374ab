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

#include "output/clip.h"
#include "output/gltf_write.h"

// The body that goes back into a character's file: the only one of its scene, and the file's own
// mesh; -1: there is none.
int sw_character_find(const swModel *model);
// Whether the file is still there and the body can be written into it.
bool sw_character_check(const swModel *model, int body, const swGltfOptions *options,
                        swError *error);
// The body has a skeleton, and the file's own mesh. `options` and `report` may be NULL: four
// joints for each vertex at most, as most engines read no more.
bool sw_character_write(const swModel *model, const swClip *clip, int body, const char *path,
                        const swGltfOptions *options, swGltfReport *report, swError *error);
