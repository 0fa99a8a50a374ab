// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Writes motion as one surface mesh per key with all bodies in it: name.obj gives the files
// name_0000.obj, name_0001.obj, ... If the format has groups, each body, or each part of a body, is
// a group.
#pragma once

#include "output/clip.h"

bool sw_sequence_write(const swModel *model, const swClip *clip, const char *path, swError *error);
// The keys are part of a longer motion of `count` keys, in which the first one has this number.
bool sw_sequence_write_part(const swModel *model, const swClip *clip, const char *path, int first,
                            int count, swError *error);
