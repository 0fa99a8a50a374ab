// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Compiled models kept on disk, identified by what they were compiled from: docs/cache.md.
#pragma once

#include "cli.h"

// Like sw_compile(), but takes the model from the cache if it is there, and then repeats the
// messages of its compile. `off`: does not use the cache. Whatever is wrong with the cache, the
// scene is compiled.
swModel *cache_compile(swScene *scene, bool off, bool *cached, swError *error);

// ---- key.c ----

// Everything that a compile depends on, as text: the scene, a hash of each file that it reads, this
// command and machine. Equal texts give bitwise identical models. NULL if it cannot be determined.
char *cache_identity(const swScene *scene, swArena *arena, size_t *size);
