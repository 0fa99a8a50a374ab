// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Compiled models that are kept on disk, by what they were made of: docs/cache.md.
#pragma once

#include "cli.h"

// As sw_compile(), or from the cache, which then says again what the compile said. `off`: without
// it. Whatever is wrong with the cache, the scene is compiled.
swModel *cache_compile(swScene *scene, bool off, bool *cached, swError *error);

// ---- key.c ----

// All that a compile depends on, as text: the scene, a hash of each file that it reads, this
// command and machine. Two that are equal give the same model to the bit. NULL: not known.
char *cache_identity(const swScene *scene, swArena *arena, size_t *size);
