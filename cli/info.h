// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What sinew info tells of images.
#pragma once

#include "cli.h"
#include "core/json.h"
#include "geometry/volume_fill.h"

typedef struct ImageFacts {
    swImage image; // without its data
    swImageValues values;
} ImageFacts;

bool info_image_read(ImageFacts *facts, const char *path, swArena *arena, swError *error);
void info_image_print(const ImageFacts *facts, const char *path);
void info_image_put(const ImageFacts *facts, swJsonWriter *w);
