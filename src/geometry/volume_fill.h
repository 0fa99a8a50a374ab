// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// From the values of an image to what its voxels are filled with.
#pragma once

#include "geometry/solid_internal.h"

// One number per voxel: 0 is outside, others are entries of the palette.
typedef struct swFilled {
    uint16_t *entry;       // in the scratch memory
    swSolidEntry *palette; // in the source's arena; [0] is not used
    int npalette;
} swFilled;

// By the labels and maps of source->shape. Has room for one entry more.
bool sw_volume_fill(const swSolidSource *source, const swImage *image, swArena *scratch,
                    swFilled *filled);

enum {
    SW_IMAGE_VALUES = 65534, // different ones that are told apart; more are cut into levels
    SW_IMAGE_LABELS = 1000,  // different ones of an image of labels; with more it is a grey one
};

// The different finite values of an image, ascending, with the voxels that have them.
typedef struct swImageValues {
    swReal *value;
    size_t *voxels;
    int count;
    bool all;      // else there are more than SW_IMAGE_VALUES, and only those met first are listed
    swReal lo, hi; // of all
} swImageValues;

bool sw_image_values(const swImage *image, swArena *arena, swImageValues *values, swError *error);
