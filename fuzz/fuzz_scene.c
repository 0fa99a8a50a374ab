// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Scenes: what is read can be written, and reads back to the same.
#include "scene/scene.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The scene as text, to be freed.
static char *print(const swScene *scene, size_t *size) {
    char *text = NULL;
    swError error = {0};
    swFile file = {.stream = open_memstream(&text, size)};
    if (!file.stream || !sw_scene_print(scene, NULL, &file, &error))
        abort();
    fclose(file.stream);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    swError error = {0};
    char *copy = malloc(size ? size : 1); // of the right size, for the sanitizer
    if (size)
        memcpy(copy, data, size);
    swScene *scene = sw_scene_parse(copy, size, "fuzz", NULL, &error);
    free(copy);
    if (!scene) {
        if (error.code == SW_OK || !error.message[0] || error.line < 1 || error.column < 1)
            abort(); // a failure without a reason or a place
        return 0;
    }
    size_t size1, size2;
    char *text1 = print(scene, &size1);
    swScene *again = sw_scene_parse(text1, size1, "again", NULL, &error);
    if (!again)
        abort();
    char *text2 = print(again, &size2);
    if (size1 != size2 || memcmp(text1, text2, size1) != 0)
        abort();
    free(text1);
    free(text2);
    sw_scene_destroy(scene);
    sw_scene_destroy(again);
    return 0;
}
