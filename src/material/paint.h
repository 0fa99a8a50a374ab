// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/base.h"

// The colour of a material in pictures and files, as light (linear) from 0 to 1: by a word in its
// name, such as bone or muscle, else one of a few that differ well, by its index.
swVec3 sw_material_paint(const char *name, int index);
