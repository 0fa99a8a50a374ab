// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Writes a simulated character back into its own glTF file (.glb), with the same nodes, meshes,
// materials, textures and animations, and the simulated frames as further joints of its skins.
//
// Bones that are handles remain the joints they are. A frame becomes a joint below the bone that
// moved most of its vertices, so that clips that were not simulated still carry the flesh along.
// The simulated clip keeps its name and the keys of its scripted bones; frames and simulated bones
// get keys at the recorded times.
#pragma once

#include "output/clip.h"
#include "output/gltf_write.h"

// The body that can be written into a character's file: the scene's only body, if its shape is the
// file's own mesh. -1: there is none.
int sw_character_find(const swModel *model);
// Checks that the file still exists and that the body can be written into it.
bool sw_character_check(const swModel *model, int body, const swGltfOptions *options,
                        swError *error);
// Writes the file. The body must have a skeleton and the shape of the file's own mesh. `options`
// and `report` may be NULL; the default is at most four joints per vertex, as most engines read no
// more.
bool sw_character_write(const swModel *model, const swClip *clip, int body, const char *path,
                        const swGltfOptions *options, swGltfReport *report, swError *error);
