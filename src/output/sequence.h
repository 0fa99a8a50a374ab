// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Motion as one surface mesh per key, all bodies in it: for name.obj the files name_0000.obj,
// name_0001.obj, ... Where the format has groups, each body, or each part of a body, is one.
#pragma once

#include "output/clip.h"

bool sw_sequence_write(const swModel *model, const swClip *clip, const char *path, swError *error);
// Some keys of a longer motion of `count`, the first of which has this number.
bool sw_sequence_write_part(const swModel *model, const swClip *clip, const char *path, int first,
                            int count, swError *error);
