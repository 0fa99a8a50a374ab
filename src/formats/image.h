// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Volume images: labels or grey values on a grid of voxels. Each format has its own file and a row
// in the table of image.c.
#pragma once

#include "core/core.h"
#include "math/vec.h"

typedef enum swImageType {
    SW_IMAGE_U8,
    SW_IMAGE_I8,
    SW_IMAGE_U16,
    SW_IMAGE_I16,
    SW_IMAGE_U32,
    SW_IMAGE_I32,
    SW_IMAGE_F32,
    SW_IMAGE_F64
} swImageType;

typedef struct swImage {
    int n[3];         // number of voxels; a flat image has n[2] = 1
    swImageType type; // type of the data, which is in the machine's byte order
    const void *data; // x varies fastest
    // A value is slope times the stored number plus intercept.
    swReal slope, intercept;
    // The centre of voxel (i, j, k) is at origin + i axis[0] + j axis[1] + k axis[2], in the file's
    // unit of length. Images of patients use right-anterior-superior coordinates.
    swVec3 origin, axis[3];
    swReal unit; // unit of length in metres; 0: the file does not say
    bool flat; // two-dimensional and one unit thick. In a picture, a pixel is 1 x 1 x 1, and row 0
               // of the file is on top (largest y)
} swImage;

struct swImageFile; // image_read.h

typedef struct swImageFormat {
    const char *suffix; // with the dot; the longest suffix that matches a name wins
    bool (*read)(const struct swImageFile *file, swArena *arena, swImage *image, swError *error);
} swImageFormat;

// By index from 0; NULL past the last one.
const swImageFormat *sw_image_format_at(int index);
// Finds the format by suffix, ignoring case. NULL: not an image.
const swImageFormat *sw_image_format(const char *path);
// Reads an image into `arena`. Every value is finite, and the axes are linearly independent.
// Detached data files are looked up relative to the image's folder.
bool sw_image_read(const char *path, swArena *arena, swImage *image, swError *error);
// Does the same for `size` bytes in memory, for files that are complete by themselves. `name` is
// used in messages, and its suffix gives the format.
bool sw_image_parse(const void *bytes, size_t size, const char *name, swArena *arena,
                    swImage *image, swError *error);
// Writes raw NRRD, in right-anterior-superior space if the unit is known. Values are written as
// double if slope and intercept change them.
bool sw_image_write(const char *path, const swImage *image, swError *error);

static inline size_t sw_image_count(const swImage *m) {
    return (size_t)m->n[0] * (size_t)m->n[1] * (size_t)m->n[2];
}

static inline swReal sw_image_value(const swImage *m, size_t i) {
    swReal v = 0;
    switch (m->type) {
    case SW_IMAGE_U8: v = ((const uint8_t *)m->data)[i]; break;
    case SW_IMAGE_I8: v = ((const int8_t *)m->data)[i]; break;
    case SW_IMAGE_U16: v = ((const uint16_t *)m->data)[i]; break;
    case SW_IMAGE_I16: v = ((const int16_t *)m->data)[i]; break;
    case SW_IMAGE_U32: v = ((const uint32_t *)m->data)[i]; break;
    case SW_IMAGE_I32: v = ((const int32_t *)m->data)[i]; break;
    case SW_IMAGE_F32: v = (swReal)((const float *)m->data)[i]; break;
    case SW_IMAGE_F64: v = ((const double *)m->data)[i]; break;
    }
    return m->slope * v + m->intercept;
}
