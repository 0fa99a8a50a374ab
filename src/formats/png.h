// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Writing PNG pictures: 8 bits per channel, red green blue, rows from the top.
#pragma once

#include "core/core.h"

enum { SW_PNG_SIDE = 32767 }; // the most pixels along a side

// The whole file in `arena`.
bool sw_png_encode(int width, int height, const unsigned char *rgb, swArena *arena,
                   unsigned char **data, size_t *size, swError *error);
// Encodes in `scratch` and writes; failures of the file itself are kept for sw_file_close.
bool sw_png_write(swFile *file, int width, int height, const unsigned char *rgb, swArena *scratch,
                  swError *error);
