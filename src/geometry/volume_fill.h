// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Maps the values of an image to what fills its voxels.
#pragma once

#include "geometry/solid_internal.h"

// One number per voxel: 0 is outside, others are entries of the palette.
typedef struct swFilled {
    uint16_t *entry;       // in scratch memory
    swSolidEntry *palette; // in the source's arena; entry 0 is unused
    int npalette;
} swFilled;

// Fills by the labels and maps of source->shape. The palette has room for one more entry.
bool sw_volume_fill(const swSolidSource *source, const swImage *image, swArena *scratch,
                    swFilled *filled);

enum {
    SW_IMAGE_VALUES = 65534, // distinct values kept apart, at most; more are grouped into levels
    SW_IMAGE_LABELS = 1000,  // distinct values of an image of labels, at most; else it is grey
};

// The distinct finite values of an image, ascending, with the number of voxels that have each.
typedef struct swImageValues {
    swReal *value;
    size_t *voxels;
    int count;
    bool all;      // else there are more than SW_IMAGE_VALUES, and only the first found are listed
    swReal lo, hi; // of all values
} swImageValues;

bool sw_image_values(const swImage *image, swArena *arena, swImageValues *values, swError *error);
