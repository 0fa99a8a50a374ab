// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Readers of tetrahedra: the first byte chooses the format, the rest is the file; of TetGen's two
// the first ends in a zero byte.
#include "formats/tets_read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool read_tetgen(const char *data, size_t size, swArena *arena, swTetMesh *mesh,
                        swError *error) {
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    const size_t cut = strlen(data);
    const char *rest = cut < size ? data + cut + 1 : data + size;
    const swMeshFile node = {.data = data, .size = cut},
                     ele = {.data = rest, .size = (size_t)(data + size - rest)};
    swTetParts parts = {.arena = &scratch};
    const bool ok = sw_tetgen_parse(&node, &ele, &parts, error) &&
                    sw_tet_notes_read(&ele, &parts, error) &&
                    sw_tet_parts_finish(&parts, arena, mesh, error);
    sw_arena_free(&scratch);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int nformat = 0;
    while (sw_tets_format_at(nformat))
        nformat++;
    if (size == 0)
        return 0;
    const swTetFormat *format = sw_tets_format_at(data[0] % nformat);
    char *copy = calloc(size, 1); // of the right size, for the sanitizer; it ends in a zero byte
    memcpy(copy, data + 1, size - 1);
    swConfig config = sw_default_config();
    swArena arena;
    sw_arena_init(&arena, &config.allocator);
    const swMeshFile file = {.data = copy, .size = size - 1};
    swTetMesh mesh;
    swTetFacts facts;
    swError error = {0};
    const bool ok = format == &sw_tets_node || format == &sw_tets_ele
                        ? read_tetgen(copy, size - 1, &arena, &mesh, &error)
                        : sw_tets_parse(&file, format, NULL, &arena, &mesh, NULL, &error);
    if (!ok && (error.code == SW_OK || !error.message[0]))
        abort(); // a failure without a reason
    if (ok && sw_tets_facts(&mesh, &facts, &arena, &error) &&
        (facts.unused_vertices ||
         (mesh.order == 1 && (facts.left_handed || facts.flat || !(facts.volume > 0)))))
        abort(); // not the sound mesh that readers promise
    sw_arena_free(&arena);
    free(copy);
    return 0;
}
