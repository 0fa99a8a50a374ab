// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Mesh readers: the first byte chooses the format, the rest is the file.
#include "formats/mesh.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int nformat = 0;
    while (sw_mesh_format_at(nformat))
        nformat++;
    if (size == 0)
        return 0;
    char *copy = calloc(size, 1); // of the right size, for the sanitizer; it ends in a zero byte
    memcpy(copy, data + 1, size - 1);
    swConfig config = sw_default_config();
    swArena arena;
    sw_arena_init(&arena, &config.allocator);
    swMeshFile file = {.data = copy, .size = size - 1};
    swSurface surface;
    swSurfaceFacts facts;
    swError error = {0};
    if (sw_mesh_format_at(data[0] % nformat)->read(&file, &arena, &surface, &error))
        sw_surface_facts(&surface, &facts, &arena, &error);
    else if (error.code == SW_OK || !error.message[0])
        abort(); // a failure without a reason
    sw_arena_free(&arena);
    free(copy);
    return 0;
}
