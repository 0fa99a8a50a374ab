// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The scenes of examples/, carried by the command. Their table is written by
// cmake/embed_examples.cmake.
#pragma once

#include "core/core.h"

typedef struct ExampleFile {
    const char *name; // as the scene calls it
    const unsigned char *data;
    size_t size;
} ExampleFile;

typedef struct Example {
    const char *name, *title;
    const char *text; // the scene file; a zero byte follows
    size_t size;
    const ExampleFile *file; // what the scene reads besides
    int nfile;
    const unsigned char *png; // its picture; NULL: there is none
    size_t png_size;
} Example;

const Example *examples(int *count);
const Example *example_find(const char *name); // NULL: there is none
// Writes the scene, and the files it reads, into a folder; `path` is then that of the scene.
enum { EXAMPLE_PATH = 1024 };
bool example_unpack(const Example *example, const char *folder, char path[EXAMPLE_PATH],
                    swError *error);
