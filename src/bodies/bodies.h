// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Kinds of bodies, i.e. what moves them. Each is a file that ends in a row for the table of
// bodies.c.
#pragma once

#include "compile/build.h"

// The initial state of a body before the first stage; `number` is its index in the scene.
swBodyBuild sw_body_begin(const swBody *def, int number);
