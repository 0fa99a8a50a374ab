// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/core.h"
#include "scene/schema.h"
#include "sinew/scene.h"

// The scene's own memory; `scene` is what the user holds.
struct swSceneMemory {
    swConfig config;
    swArena arena;
    swScene scene;
    bool quick; // corrected bodies are compared with linear theory on their bricks
};

static inline const swConfig *sw_scene_config(const swScene *scene) {
    return &scene->memory->config;
}

// An item of a list with its defaults, linked nowhere yet.
void *sw_scene_new_item(swScene *scene, const swTable *table, swError *error);
// "body1" for item 0 of sw_body_table. NULL without memory.
const char *sw_scene_item_name(swScene *scene, const swTable *table, int index, swError *error);

// Files are looked for in the folder of `path`.
bool sw_scene_set_folder(swScene *scene, const char *path, swError *error);
// Fills an empty scene with a mesh or volume that falls on a plane.
bool sw_scene_drop(swScene *scene, const char *path, swError *error);

// Whether a file holds a skeleton, for sw_scene_read_character().
bool sw_scene_is_character(const char *path, const swConfig *config);

// The tetrahedra that a body is made of, whose modes it has, or whose edges are its springs; NULL:
// none.
static inline const swTets *sw_body_tets(const swBody *body) {
    const bool springs = body->springs && body->springs->over == SW_SPRINGS_TETS;
    return body->tets    ? body->tets
           : body->modes ? &body->modes->tets
           : springs     ? &body->springs->tets
                         : NULL;
}

// The body as it is described: with what it takes from the one that it is like.
void sw_body_resolve(const swScene *scene, const swBody *body, swBody *out);

// What moves a body instead of frames: its key, or NULL; another in its place, by its key, with its
// defaults, or NULL without memory.
const char *sw_body_model(const swBody *body);
void *sw_body_add_model(swScene *scene, swBody *body, const char *key);

// Everything that can be told without looking into files: numbers finite and in range, names
// unique, materials and bodies known. Errors name the key, as in "bodies[0].voxel".
bool sw_scene_check(const swScene *scene, swError *error);
// The same; `place` is left at the culprit.
bool sw_scene_check_at(const swScene *scene, swPlace *place, swError *error);

// Writes a checked scene as JSON. Paths in it are changed to be right in `folder`; NULL: left as
// they are.
bool sw_scene_print(const swScene *scene, const char *folder, swFile *file, swError *error);
// Whether what a body is made of goes together, once its keys are sound one by one; `place` is left
// at the culprit.
bool sw_body_check(const swScene *scene, const swBody *body, swPlace *place, swError *error);
// Its part that is about what moves the body instead of frames.
bool sw_body_check_model(const swScene *scene, const swBody *body, swPlace *place, swError *error);
// What the cuts of a body should be and are not, or NULL.
const char *sw_cuts_expected(const swScene *scene, const swBody *body);
