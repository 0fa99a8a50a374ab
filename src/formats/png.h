// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Writing PNG pictures: 8-bit RGB, rows from the top.
#pragma once

#include "core/core.h"

enum { SW_PNG_SIDE = 32767 }; // most pixels along a side

// Encodes a whole file in `arena`.
bool sw_png_encode(int width, int height, const unsigned char *rgb, swArena *arena,
                   unsigned char **data, size_t *size, swError *error);
// Encodes a picture in `scratch` and writes it. Failures to write are reported by sw_file_close().
bool sw_png_write(swFile *file, int width, int height, const unsigned char *rgb, swArena *scratch,
                  swError *error);
