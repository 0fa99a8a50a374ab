// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
// Readers of images: the first byte chooses the format, the rest is the file.
#include "formats/image_read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Right checksums in a PNG, which no mutation would find.
static void mend_chunks(char *p, size_t left) {
    for (p += 8, left -= left < 8 ? left : 8; left >= 12;) {
        size_t size = (size_t)sw_load(p, 4, true);
        if (size > left - 12)
            return;
        uLong sum = crc32(0, (const Bytef *)p + 4, (uInt)size + 4);
        for (int i = 0; i < 4; i++)
            p[8 + size + (size_t)i] = (char)(sum >> (24 - 8 * i) & 0xff);
        p += size + 12;
        left -= size + 12;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int nformat = 0;
    while (sw_image_format_at(nformat))
        nformat++;
    if (size == 0)
        return 0;
    const swImageFormat *format = sw_image_format_at(data[0] % nformat);
    char *copy = calloc(size, 1); // of the right size, for the sanitizer; it ends in a zero byte
    memcpy(copy, data + 1, size - 1);
    if (format == &sw_image_png)
        mend_chunks(copy, size - 1);
    swConfig config = sw_default_config();
    swArena arena, scratch;
    sw_arena_init(&arena, &config.allocator);
    sw_arena_init(&scratch, &config.allocator);
    swImageFile file = {.data = copy, .size = size - 1, .scratch = &scratch};
    swImage image = {.n = {1, 1, 1}, .slope = 1};
    swError error = {0};
    if (!format->read(&file, &arena, &image, &error) && (error.code == SW_OK || !error.message[0]))
        abort(); // a failure without a reason
    // The same with all checks: what is read is finite.
    char name[16];
    snprintf(name, sizeof name, "x%s", format->suffix);
    if (sw_image_parse(copy, size - 1, name, &arena, &image, &error))
        for (size_t i = 0; i < sw_image_count(&image); i++)
            if (!isfinite(sw_image_value(&image, i)))
                abort();
    sw_arena_free(&arena);
    sw_arena_free(&scratch);
    free(copy);
    return 0;
}
