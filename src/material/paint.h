// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#pragma once

#include "sinew/base.h"

// The colour of a material in pictures and files, as linear light from 0 to 1. It is chosen by a
// word in the name, such as bone or muscle, or else, by the index, from a few colours that are easy
// to tell apart.
swVec3 sw_material_paint(const char *name, int index);
