// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// What sinew info reports about images, characters and tetrahedra.
#pragma once

#include "cli.h"
#include "core/json.h"
#include "geometry/volume_fill.h"
#include "formats/rig_read.h"
#include "formats/tets.h"

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
    int *flesh; // per node: number of vertices that it moves
} RigFacts;

bool info_rig_read(RigFacts *facts, const char *path, swArena *arena, swError *error);
void info_rig_print(const RigFacts *facts, const char *path);
void info_rig_put(const RigFacts *facts, swJsonWriter *w);

typedef struct TetsFacts {
    swTetMesh mesh;
    swTetReport report; // of the file; zero if there is none
    swTetFacts facts;
    int *count; // number of tetrahedra of each material
} TetsFacts;

bool info_tets_read(TetsFacts *facts, const char *path, const swConfig *config, swArena *arena,
                    swError *error);
// The same for a mesh that is already in memory.
bool info_tets_measure(TetsFacts *facts, swArena *arena, swError *error);
void info_tets_print(const TetsFacts *facts, const char *title);
void info_tets_put(const TetsFacts *facts, swJsonWriter *w);
