// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What sinew info tells of images and of characters.
#pragma once

#include "cli.h"
#include "core/json.h"
#include "geometry/volume_fill.h"
#include "io/rig.h"

typedef struct ImageFacts {
    swImage image; // without its data
    swImageValues values;
} ImageFacts;

bool info_image_read(ImageFacts *facts, const char *path, swArena *arena, swError *error);
void info_image_print(const ImageFacts *facts, const char *path);
void info_image_put(const ImageFacts *facts, swJsonWriter *w);

typedef struct RigFacts {
    bool found; // the file has a skeleton
    swRig rig;
    int *flesh; // per node: vertices that it moves
} RigFacts;

bool info_rig_read(RigFacts *facts, const char *path, swArena *arena, swError *error);
void info_rig_print(const RigFacts *facts, const char *path);
void info_rig_put(const RigFacts *facts, swJsonWriter *w);
