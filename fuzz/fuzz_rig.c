// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Readers of rigs: the first byte chooses the format, the rest is the file. What was read is posed.
#include "formats/rig_read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_poses(const swRig *rig, swArena *arena) {
    swError error;
    swAffine *global = SW_NEW(arena, rig->nnode, swAffine, &error);
    for (int clip = -1; global && clip < rig->nclip; clip++)
        for (int k = -1; k < 3; k++)
            sw_rig_blend(rig, clip, 0.4 * k, 0.5 * k, global);
    for (int i = 0; i < rig->surface.nvertex; i++)
        for (int k = rig->start[i]; k < rig->start[i + 1]; k++)
            if (rig->bind[rig->influence[k].bind].node >= rig->nnode)
                abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int nformat = 0;
    while (sw_rig_format_at(nformat))
        nformat++;
    if (size == 0)
        return 0;
    char *copy = calloc(size, 1); // of the right size, for the sanitizer; it ends in a zero byte
    memcpy(copy, data + 1, size - 1);
    swConfig config = sw_default_config();
    swArena arena;
    sw_arena_init(&arena, &config.allocator);
    swMeshFile file = {.data = copy, .size = size - 1};
    swRig rig;
    swError error = {0};
    if (sw_rig_format_at(data[0] % nformat)->read(&file, &arena, &rig, &error) &&
        sw_rig_finish(&rig, &error))
        check_poses(&rig, &arena);
    else if (error.code == SW_OK || !error.message[0])
        abort(); // a failure without a reason
    sw_arena_free(&arena);
    free(copy);
    return 0;
}
