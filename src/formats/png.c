// SPDX-FileCopyrightText: 2026 The sinew authors
// SPDX-License-Identifier: MIT
#include "formats/png.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { FILTERS = 5, CHUNK = 12 }; // a chunk's length, name and checksum take 12 bytes

static void put32(unsigned char *p, uint32_t v) {
    for (int i = 0; i < 4; i++)
        p[i] = (unsigned char)(v >> (24 - 8 * i));
}

// Completes a chunk whose `size` bytes of content are already at p + 8. Returns its end.
static unsigned char *finish_chunk(unsigned char *p, const char *name, size_t size) {
    put32(p, (uint32_t)size);
    memcpy(p + 4, name, 4);
    put32(p + 8 + size, (uint32_t)crc32(crc32(0, NULL, 0), p + 4, (uInt)(size + 4)));
    return p + size + CHUNK;
}

static int paeth(int a, int b, int c) { // the pixels to the left, above, and above left
    int pa = abs(b - c), pb = abs(a - c), pc = abs(a + b - 2 * c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

// Subtracts from a row its prediction by one of PNG's five filters. Returns the sum of magnitudes.
static unsigned long filter_row(int kind, const unsigned char *row, const unsigned char *above,
                                int bytes, unsigned char *out) {
    unsigned long sum = 0;
    for (int i = 0; i < bytes; i++) {
        int a = i >= 3 ? row[i - 3] : 0, b = above[i], c = i >= 3 ? above[i - 3] : 0;
        int guess = 0;
        switch (kind) {
        case 1: guess = a; break;
        case 2: guess = b; break;
        case 3: guess = (a + b) / 2; break;
        case 4: guess = paeth(a, b, c); break;
        default: break;
        }
        out[i] = (unsigned char)(row[i] - guess);
        sum += (unsigned long)abs((signed char)out[i]);
    }
    return sum;
}

static void *zlib_alloc(void *arena, unsigned count, unsigned size) {
    return sw_arena_alloc(arena, count, size, NULL);
}
static void zlib_free(void *arena, void *p) {
    (void)arena; // freed together with the arena
    (void)p;
}

// Filters each row with the filter of least sum, and deflates. Returns the number of bytes written,
// 0 on failure.
static size_t compress_rows(z_stream *z, int width, int height, const unsigned char *rgb,
                            unsigned char *scratch, unsigned char *out, size_t room) {
    int bytes = 3 * width;
    const unsigned char *above = scratch; // a row of zeros
    unsigned char *trial[2] = {scratch + bytes, scratch + 2 * bytes + 1};
    z->next_out = out;
    z->avail_out = (uInt)room;
    for (int y = 0; y < height; y++) {
        const unsigned char *row = rgb + (size_t)y * (size_t)bytes;
        unsigned long least = 0;
        int best = 0;
        for (int kind = 0; kind < FILTERS; kind++) {
            unsigned char *to = trial[!best];
            unsigned long sum = filter_row(kind, row, above, bytes, to + 1);
            to[0] = (unsigned char)kind;
            if (kind == 0 || sum < least) {
                least = sum;
                best = !best;
            }
        }
        above = row;
        z->next_in = trial[best];
        z->avail_in = (uInt)bytes + 1;
        bool last = y + 1 == height;
        if (deflate(z, last ? Z_FINISH : Z_NO_FLUSH) != (last ? Z_STREAM_END : Z_OK))
            return 0;
    }
    return room - z->avail_out;
}

bool sw_png_encode(int width, int height, const unsigned char *rgb, swArena *arena,
                   unsigned char **data, size_t *size, swError *error) {
    if (width < 1 || height < 1 || width > SW_PNG_SIDE || height > SW_PNG_SIDE)
        return sw_fail(error, SW_ERROR_LIMIT,
                       "a PNG picture of %d x %d pixels: expected 1 to %d along each side", width,
                       height, SW_PNG_SIDE);
    static const unsigned char head[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    swArena scratch;
    sw_arena_init(&scratch, &arena->allocator);
    z_stream z = {.zalloc = zlib_alloc, .zfree = zlib_free, .opaque = &scratch};
    bool ok = false;
    unsigned char *rows = SW_NEW(&scratch, 9 * (size_t)width + 2, unsigned char, error);
    if (!rows)
        goto done;
    if (deflateInit(&z, 7) != Z_OK) {
        sw_fail_memory(error, (size_t)1 << 18);
        goto done;
    }
    size_t room = deflateBound(&z, (uLong)((3 * (size_t)width + 1) * (size_t)height));
    if (room > INT32_MAX) {
        sw_fail(error, SW_ERROR_LIMIT, "a PNG picture of %d x %d pixels is too large", width,
                height);
        goto done;
    }
    unsigned char *file =
        SW_NEW(arena, room + sizeof head + 13 + 1 + 4 * CHUNK, unsigned char, error);
    if (!file)
        goto done;
    unsigned char *p = file;
    memcpy(p, head, sizeof head);
    p += sizeof head;
    put32(p + 8, (uint32_t)width);
    put32(p + 12, (uint32_t)height);
    memcpy(p + 16, (const unsigned char[]){8, 2, 0, 0, 0}, 5); // bit depth, RGB, default methods
    p = finish_chunk(p, "IHDR", 13);
    p[8] = 0; // rendering intent: perceptual
    p = finish_chunk(p, "sRGB", 1);
    size_t written = compress_rows(&z, width, height, rgb, rows, p + 8, room);
    if (!written) {
        sw_fail_memory(error, room);
        goto done;
    }
    p = finish_chunk(p, "IDAT", written);
    p = finish_chunk(p, "IEND", 0);
    *data = file;
    *size = (size_t)(p - file);
    ok = true;
done:
    deflateEnd(&z);
    sw_arena_free(&scratch);
    return ok;
}

bool sw_png_write(swFile *file, int width, int height, const unsigned char *rgb, swArena *scratch,
                  swError *error) {
    unsigned char *data;
    size_t size;
    if (!sw_png_encode(width, height, rgb, scratch, &data, &size, error))
        return false;
    sw_file_write(file, data, size);
    return true;
}
