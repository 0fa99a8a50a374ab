// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/core.h"

// Gives `fill` to the voxels that are 0 inside the closing of those that are not: what a ball of
// radius `reach` cannot enter without touching them. Distances are between centres of voxels
// `spacing` apart along axes at right angles. Beyond the image its border goes on as it is, so that
// nothing is different where the image cuts through something. *count tells how many were filled.
bool sw_closing_fill(const int n[3], const swReal spacing[3], swReal reach, uint16_t fill,
                     uint16_t *entry, swArena *scratch, size_t *count, swError *error);
