// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// The scenes of examples/, embedded in the command. cmake/embed_examples.cmake writes their table.
#pragma once

#include "core/core.h"

typedef struct ExampleFile {
    const char *name; // as the scene refers to it
    const unsigned char *data;
    size_t size;
} ExampleFile;

typedef struct Example {
    const char *name, *title;
    const char *text; // the scene file, followed by a zero byte
    size_t size;
    const ExampleFile *file; // other files that the scene reads
    int nfile;
    const unsigned char *png; // its picture, or NULL
    size_t png_size;
} Example;

const Example *examples(int *count);
const Example *example_find(const char *name); // NULL if there is none
// Writes the scene and the files it reads into a folder; `path` becomes the path of the scene.
enum { EXAMPLE_PATH = 1024 };
bool example_unpack(const Example *example, const char *folder, char path[EXAMPLE_PATH],
                    swError *error);
