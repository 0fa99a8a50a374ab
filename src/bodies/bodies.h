// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Kinds of bodies: what moves them. A file each, which ends in a row of the table of bodies.c.
#pragma once

#include "compile/build.h"

// A body before the first stage; `number`: which one of the scene.
swBodyBuild sw_body_begin(const swBody *def, int number);
