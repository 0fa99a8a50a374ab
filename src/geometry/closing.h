// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/core.h"

// Sets to `fill` those voxels with value 0 that lie inside the morphological closing of the others:
// where a ball of radius `reach` cannot go without touching them. Distances are between voxel
// centres, which are `spacing` apart along orthogonal axes. Beyond the image its border values are
// repeated, so that the result is no different where the image cuts through something. *count is
// the number of voxels filled.
bool sw_closing_fill(const int n[3], const swReal spacing[3], swReal reach, uint16_t fill,
                     uint16_t *entry, swArena *scratch, size_t *count, swError *error);
