// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/core.h"
#include "scene/schema.h"
#include "sinew/scene.h"

// The scene's memory; users hold a pointer to `scene`.
struct swSceneMemory {
    swConfig config;
    swArena arena;
    swScene scene;
    bool quick; // estimate errors of corrected bodies by linear theory on their bricks only
};

static inline const swConfig *sw_scene_config(const swScene *scene) {
    return &scene->memory->config;
}

// A list item with default values, not yet linked.
void *sw_scene_new_item(swScene *scene, const swTable *table, swError *error);
// "body1" for item 0 of sw_body_table. NULL if memory runs out.
const char *sw_scene_item_name(swScene *scene, const swTable *table, int index, swError *error);

// Makes the folder of `path` the one that file names are relative to.
bool sw_scene_set_folder(swScene *scene, const char *path, swError *error);
// Fills an empty scene with a mesh or volume that falls onto a plane.
bool sw_scene_drop(swScene *scene, const char *path, swError *error);

// Whether a file contains a skeleton, for sw_scene_read_character().
bool sw_scene_is_character(const char *path, const swConfig *config);

// The tetrahedra that a body consists of, or from which its modes or springs are made; NULL: none.
static inline const swTets *sw_body_tets(const swBody *body) {
    const bool springs = body->springs && body->springs->over == SW_SPRINGS_TETS;
    return body->tets    ? body->tets
           : body->modes ? &body->modes->tets
           : springs     ? &body->springs->tets
                         : NULL;
}

// The full description of a body, including what it takes from the one named by `like`.
void sw_body_resolve(const swScene *scene, const swBody *body, swBody *out);

// The key of what moves a body instead of frames, or NULL. sw_body_add_model() replaces it by the
// one with the given key, with default values; it returns NULL if memory runs out.
const char *sw_body_model(const swBody *body);
void *sw_body_add_model(swScene *scene, swBody *body, const char *key);

// Checks everything that can be checked without opening files: numbers finite and in range, names
// unique, references to materials and bodies valid. Errors name the key, as in "bodies[0].voxel".
bool sw_scene_check(const swScene *scene, swError *error);
// The same; on failure `place` is left at the offending key.
bool sw_scene_check_at(const swScene *scene, swPlace *place, swError *error);

// Writes a checked scene as JSON. Paths are rewritten relative to `folder`; NULL: left as they are.
bool sw_scene_print(const swScene *scene, const char *folder, swFile *file, swError *error);
// Whether the keys of a body are consistent with each other, once each is valid by itself. On
// failure `place` is left at the offending key.
bool sw_body_check(const swScene *scene, const swBody *body, swPlace *place, swError *error);
// The part of this check that concerns what moves the body instead of frames.
bool sw_body_check_model(const swScene *scene, const swBody *body, swPlace *place, swError *error);
// What was expected instead of the cuts of a body, or NULL if they are valid.
const char *sw_cuts_expected(const swScene *scene, const swBody *body);
